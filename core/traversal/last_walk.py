"""Stores the result of an agent's last walk in the sidecar.

A walk only reads the graph, and what it came to is no part of the graph. But it is one program
that asks for the agent and another in which the person looks, so it lies in the sidecar: one
small row for each agent, the last one wins. A walk that a person only looked at has a row of its
own, so that it is never taken for what the agent got.
"""

import json
from contextlib import suppress

from msgspec.structs import asdict

from core.errors import ConstellationError
from core.model.walk import Walk, WalkStatus
from core.queries.rows_to_model import json_object, text, whole
from core.store.reader_and_writer import stamp
from core.store.sidecar import Sidecar

SESSION_START, RECALL = "session start", "recall"
"""What a walk is taken for where an agent gets what it brings."""
LOOK = "walk"
"""What a walk is taken for that nobody but a person looks at."""


def keep(sidecar: Sidecar, agent: str, phase: str, walk: Walk) -> None:
    """Store a walk's result. A failure of the sidecar does not affect the walk."""
    focal = walk.focal
    status = WalkStatus(
        phase, stamp(), focal.source, focal.names, len(focal.entities), walk.entity_count,
        len(walk.memories), len(walk.constraints), walk.timed_out)
    text_of = json.dumps(asdict(status), ensure_ascii=False)
    with suppress(ConstellationError):
        sidecar.put(_key(agent, look=phase == LOOK), text_of.encode())


def last(sidecar: Sidecar, agent: str) -> WalkStatus | None:
    """The result of the last walk whose results this agent got; None if there is none."""
    return _stored(sidecar, _key(agent, look=False))


def last_of_all(sidecar: Sidecar, agent: str) -> WalkStatus | None:
    """The same, or that of a later walk of this agent's graph that a person only looked at."""
    walks = (last(sidecar, agent), _stored(sidecar, _key(agent, look=True)))
    return max(filter(None, walks), key=lambda status: status.at, default=None)


def _stored(sidecar: Sidecar, key: str) -> WalkStatus | None:
    stored = sidecar.get(key)
    fields = json_object(stored.decode("utf-8", "replace")) if stored else {}
    if not fields:
        return None
    names = fields.get("focal_names")
    return WalkStatus(
        text(fields.get("phase")), text(fields.get("at")), text(fields.get("source")),
        tuple(map(text, names)) if isinstance(names, list) else (),
        whole(fields.get("focal_entities")), whole(fields.get("traversed_entities")),
        whole(fields.get("memories")), whole(fields.get("constraints")),
        bool(fields.get("timed_out")))


def _key(agent: str, *, look: bool) -> str:
    return f"last {'look' if look else 'walk'}:{agent}"
