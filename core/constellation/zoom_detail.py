"""Detail follows zoom: which kinds of things are seen, and how far they have faded in."""

from msgspec import Struct

_RAMPS = {
    # kind: (starts to appear, fully there) in pixels between neighbours
    "aspects": (135.0, 210.0),
    "values": (230.0, 340.0),
    "dust": (4.0, 40.0),
    "memories": (260.0, 420.0),
}
_SLACK = 0.8
"""Going back out, a thing fades only below this share of the step at which it appeared."""


class Detail(Struct, frozen=True):
    """Opacity of each kind, 0..1; entities are always seen.

    `dust` is memories as faint points, `memories` is memories large enough to be pointed at.
    """

    aspects: float = 0.0
    values: float = 0.0
    dust: float = 0.0
    memories: float = 0.0


def _ramp(step: float, start: float, end: float) -> float:
    return min(max((step - start) / (end - start), 0.0), 1.0)


def follow(step: float, before: Detail | None = None) -> Detail:
    """The detail at `step` pixels between neighbours.

    Opacity rises along one ramp and falls along a lower one. Between the two it keeps the value
    it had, so that zooming to and fro at a threshold changes nothing.
    """
    now = {}
    for kind, (start, end) in _RAMPS.items():
        rising = _ramp(step, start, end)
        falling = _ramp(step, start * _SLACK, end * _SLACK)
        now[kind] = rising if before is None else min(max(getattr(before, kind), rising), falling)
    return Detail(**now)


def near(detail: Detail) -> str:
    """The finest kind that is well seen, in a word."""
    if detail.memories >= 0.5:
        return "memories"
    if detail.values >= 0.5:
        return "values"
    return "aspects" if detail.aspects >= 0.5 else "entities"
