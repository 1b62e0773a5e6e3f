"""Says in words what is on record of a session: how it began, and what came of its end."""

from collections.abc import Sequence

from core.model.session import Budget, SessionRecord, SessionRow, StartRecord, Telemetry
from core.model.walk import WalkStatus
from core.model.wording import counted, one_line
from ui.models.moments import day_and_time
from ui.widgets.labels import isolate

OFFERED = 20
"""Sessions in a menu; where a key can be typed, any other can be."""
NAMED = 6
"""Entities in focus that are named; the rest is counted."""


def row_words(row: SessionRow) -> str:
    """`14 Mar 18:54 · night-2 · 15 of 40 memories told`, for a choice of sessions."""
    return " · ".join((day_and_time(row.started_at), isolate(one_line(row.session_key, 40)),
                       _memories(row)))


def last_words(
    walk: WalkStatus | None, record: SessionRecord | None, every: Telemetry
) -> str:
    """The last walk for the agent, the last session, and what all sessions taught, a line each."""
    lines = [f"walk {_status(walk)}" if walk is not None else "No walk is on record yet."]
    if record is None:
        return "\n".join((*lines, "No session is on record yet."))
    lines.append(f"session {day_and_time(_began(record))}: {_walk(record)}")
    if every.ends:
        lines.append(f"{counted(every.ends, 'session')} ended so far. Taught: {_learned(every)}")
    return "\n".join(lines)


def _status(walk: WalkStatus) -> str:
    end = "cut short by the time limit" if walk.timed_out else "in time"
    return f"{day_and_time(walk.at)}, for a {one_line(walk.phase, 40)}: " + ", ".join((
        f"{counted(walk.focal_entities, 'entity')} in focus",
        f"{walk.traversed_entities:,} walked", counted(walk.memories, "memory"),
        counted(walk.constraints, "constraint"), end))


def _learned(every: Telemetry) -> str:
    return _list((
        (every.feedback_fts_confirmations, "value confirmed"),
        (every.feedback_aspects_updated, "aspect heavier"),
        (every.feedback_decayed_aspects, "aspect decayed"),
        (every.feedback_propagated_attributes, "value of a forgotten memory gone"))) or "nothing"


def _list(numbers: Sequence[tuple[int, str]]) -> str:
    return ", ".join(counted(number, words) for number, words in numbers if number)


def record_lines(record: SessionRecord) -> tuple[tuple[str, str], ...]:
    """What is on record, as (what, words)."""
    start = record.start
    found = [("began", day_and_time(_began(record))), ("told", _memories(record))]
    if start is None:
        found.append(("walk", "not on record"))
    else:
        found += _start(start)
    if record.confirmed:
        found.append(("looked up", counted(record.confirmed, "memory")))
    found += _end(record)
    return tuple((what, words) for what, words in found if words)


def _start(start: StartRecord) -> list[tuple[str, str]]:
    told = start.telemetry
    names = [isolate(one_line(name, 40)) for name in start.focal[:NAMED]]
    more = len(start.focal) - len(names)
    focus = ", ".join((*names, *([f"{more} more"] if more else [])))
    return [
        ("project", isolate(one_line(start.project, 120)) if start.project else ""),
        ("in focus", focus), ("walk", _walked(start)),
        ("text", f"{told.inject_chars:,} characters in {told.duration_ms:.0f} ms"),
        ("memories", _budget(told.memory_budget)),
        ("constraints", _budget(told.constraint_budget)),
        ("ranked by", "the learned scorer" if start.ranked_by == "scorer" else ""),
    ]


def _end(record: SessionRecord) -> list[tuple[str, str]]:
    end = record.end
    if end is None:
        return [("ended", "not on record")] if record.start is not None else []
    learned = _list((
        (end.confirmations, "value confirmed"), (end.aspects_updated, "aspect heavier"),
        (end.decayed, "aspect decayed"), (end.propagated, "value of a forgotten memory gone"),
        (end.constraints_eased, "constraint eased")))
    return [("ended", day_and_time(end.at)),
            ("taught", learned or "nothing")]


def _walk(record: SessionRecord) -> str:
    return _walked(record.start) if record.start else "its walk is not on record"


def _walked(start: StartRecord) -> str:
    told = start.telemetry
    end = "cut short by the time limit" if told.traversal_timed_out else "in time"
    return ", ".join((
        f"{counted(told.traversal_entities, 'entity')} in focus",
        counted(told.traversal_memories, "memory"),
        counted(told.traversal_constraints, "constraint"), end))


def _memories(row: SessionRow) -> str:
    return f"{row.injected:,} of {counted(row.memories, 'memory')} told"


def _began(record: SessionRecord) -> str:
    return record.start.at if record.start else record.started_at


def _budget(budget: Budget) -> str:
    return budget.words if budget.limit else ""
