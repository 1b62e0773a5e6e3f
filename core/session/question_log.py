"""Records what is asked of a graph, so that a person can watch an agent think.

The record lies in the sidecar: a question never writes the graph, and an answer never depends on
whether its question could be recorded.
"""

import json
from collections.abc import Iterable, Sequence
from contextlib import suppress
from typing import Any

from msgspec.structs import asdict, replace

from core.errors import ConstellationError
from core.model.asked import BROWSE, RECALL, SESSION_START, WALK, Asked
from core.model.graph_statement import LINK
from core.model.neighborhood import Neighborhood
from core.model.recall import Recall
from core.model.session_start_and_end import SessionStart
from core.model.text_formatting import one_line
from core.model.times import parse_time
from core.model.walk import Walk
from core.queries.rows_to_model import json_object, text
from core.store import asked_log_and_visits
from core.store.reader_and_writer import stamp
from core.store.sidecar import Sidecar
from core.traversal.focal_signals import Signals

LONGEST = 500
"""Characters of a question that are recorded."""
MOST_IDS = 100
"""Entities, links and memories of one answer that are recorded, each."""
PAUSE_S = 1800
"""Seconds without a question after which another session of the same caller begins."""
_IDS = ("focal_ids", "entity_ids", "link_ids", "memory_ids")


def recalled(question: str, result: Recall, session: str = "") -> Asked:
    """A recall and what it told."""
    walked = _walked(result.walk)
    links = [id for each in result.statements if each.kind == LINK for id in each.ids]
    return replace(walked, kind=RECALL, question=question, session=session,
                   link_ids=(*links, *walked.link_ids),
                   memory_ids=tuple(hit.memory.id for hit in result.hits))


def started(given: Signals, start: SessionStart) -> Asked:
    """The start of a session and what it told."""
    return replace(_walked(start.walk), kind=SESSION_START, question=given.query,
                   project=given.project, session=given.session_key,
                   memory_ids=tuple(each.id for each in start.memories))


def browsed(names: Iterable[str], ids: Iterable[str]) -> Asked:
    """Entities that were read."""
    every = tuple(ids)
    return Asked(BROWSE, ", ".join(names), entity_ids=every, focal_ids=every)


def sought(words: str, ids: Iterable[str]) -> Asked:
    """A search for entities."""
    return replace(browsed((), ids), kind=RECALL, question=words)


def near(around: Neighborhood) -> Asked:
    """What is near one entity or several, which are focal."""
    begins = [node for node in around.nodes if not node.depth]
    return Asked(WALK, ", ".join(node.name for node in begins),
                 focal_ids=tuple(node.id for node in begins),
                 entity_ids=tuple(node.id for node in around.nodes),
                 link_ids=tuple(edge.id for edge in around.edges))


def walked_from(name: str, walk: Walk) -> Asked:
    """A walk from an entity."""
    return replace(_walked(walk), kind=WALK, question=name,
                   memory_ids=tuple(memory.id for memory in walk.memories))


def _walked(walk: Walk | None) -> Asked:
    if walk is None:
        return Asked(RECALL)
    return Asked(RECALL, focal_ids=walk.focal.ids, entity_ids=walk.entity_ids,
                 link_ids=walk.dependency_ids)


def note(
    sidecar: Sidecar, agent: str, asked: Asked, *, kept: int, who: str = "", door: str = ""
) -> None:
    """Record a question, who asked it and by which door.

    A failure of the sidecar does not affect the answer.

    Args:
        kept: how many of an agent's questions stay; 0 to record none.
    """
    if kept < 1:
        return
    asked = replace(asked, who=who or asked.who, door=door or asked.door)
    fields = {name: value for name, value in asdict(_bounded(asked)).items()
              if value and name not in ("at", "number")}
    with suppress(ConstellationError):
        asked_log_and_visits.append(sidecar, agent, stamp(), json.dumps(fields), kept)


def _bounded(asked: Asked) -> Asked:
    # An id that is no text leads nowhere: no window finds it again.
    ids: dict[str, Any] = {
        name: tuple(dict.fromkeys(id for id in getattr(asked, name) if isinstance(id, str)))
        [:MOST_IDS] for name in _IDS}
    return replace(asked, question=one_line(asked.question, LONGEST), **ids)


def last_asked(sidecar: Sidecar, agent: str, most: int, after: int = 0) -> tuple[Asked, ...]:
    """The last questions of an agent, newest first; only those with a number above `after`."""
    return tuple(_read(*row) for row in asked_log_and_visits.last(sidecar, agent, most, after))


def session_around(every: Sequence[Asked], one: Asked) -> tuple[Asked, ...]:
    """The questions of the session that `one` belongs to, the oldest first.

    A session is what one caller asks without a pause of more than `PAUSE_S`.

    Args:
        every: the record, in any order, with `one` in it.
    """
    own = sorted((each for each in every if each.who == one.who), key=lambda each: each.number)
    parts: list[list[Asked]] = [[]]
    for each in own:
        if parts[-1] and _seconds_between(parts[-1][-1], each) > PAUSE_S:
            parts.append([])
        parts[-1].append(each)
    return next((tuple(part) for part in parts if one in part), (one,))


def _seconds_between(first: Asked, second: Asked) -> float:
    before, after = parse_time(first.at), parse_time(second.at)
    return (after - before).total_seconds() if before and after else 0.0


def forget(sidecar: Sidecar, agent: str) -> int:
    """Delete what an agent has asked; returns how many questions that were."""
    return asked_log_and_visits.forget(sidecar, agent)


def _read(number: int, at: str, stored: str) -> Asked:
    fields = json_object(stored)
    columns: dict[str, Any] = {
        name: text(fields.get(name))
        for name in ("kind", "question", "project", "session", "who", "door")}
    for name in _IDS:
        value = fields.get(name)
        columns[name] = tuple(map(text, value)) if isinstance(value, list) else ()
    return Asked(**columns, at=at, number=number)
