"""Says in words why a memory was recalled."""

from collections.abc import Mapping, Sequence

from core.model.walk import WalkedMemory
from core.recall.candidates import Candidate

_STEPS = {
    "rehearsal": "used often and lately", "gravity": "shares no word with the question",
    "currentness": "what it says has been superseded", "reranker": "judged by the reranker",
}


def why(
    channels: Mapping[str, float], steps: Mapping[str, float], *, held: Sequence[str],
    walked: WalkedMemory | None, names: Mapping[str, str], mentioned: str,
    neighbor: Candidate | None, candidate: Candidate,
) -> str:
    """One line: what each channel saw in it, the strongest first."""
    told = {
        "keyword": f"says {', '.join(held)}",
        "semantic": "means something like it",
        "neighbor": _beside(neighbor, candidate),
        "traversal": _way(walked, names),
        "mention": f"mentions {mentioned}",
        "hint": "was stored for such a question",
        "date": "is of that time",
        "listed": "passes the filters",
    }
    found = sorted(channels.items(), key=lambda item: -item[1])
    parts = [f"{told[name]} ({value:.2f})" for name, value in found]
    parts += [_STEPS[name] for name in steps]
    return "; ".join(parts)


def _beside(neighbor: Candidate | None, candidate: Candidate) -> str:
    if neighbor is None:
        return "stands next to a good one"
    if neighbor.row > candidate.row:
        return "was said right before a good one"
    return "answers a question like it" if neighbor.asks else "was said right after a good one"


def _way(walked: WalkedMemory | None, names: Mapping[str, str]) -> str:
    if walked is None:
        return "was reached by the walk"
    start = names.get(walked.path.entity_ids[0], "") if walked.path.entity_ids else ""
    links = len(walked.path.dependency_ids)
    far = "" if not links else ", one link on" if links == 1 else f", {links} links on"
    return f"was reached from {start}{far}" if start else "was reached by the walk"
