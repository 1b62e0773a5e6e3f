"""Words of the record of sessions: what each began with, and what it taught."""

from collections.abc import Sequence

from core.model.session_start_and_end import (
    Budget,
    SessionRecord,
    SessionRow,
    StartRecord,
    Telemetry,
)
from core.model.text_formatting import counted, one_line
from core.model.walk import WalkStatus
from ui.models.time_wording import day_and_time
from ui.widgets.labels import isolate

OUTDATED = "outdated in part"
"""What stands under a memory of which something no longer holds."""
OFFERED = 20
"""Sessions in a menu; where a key can be typed, any other can be."""
NAMED = 6
"""Focal entities that are named; the rest is counted."""


def row_words(row: SessionRow) -> str:
    """`14 Mar 18:54 · night-2 · 15 of 40 memories told`, for a list of sessions."""
    return " · ".join((day_and_time(row.started_at), isolate(one_line(row.session_key, 40)),
                       _memories(row)))


def last_words(
    walk: WalkStatus | None, record: SessionRecord | None, every: Telemetry
) -> str:
    """The last walk for the agent, the last session, and what all sessions taught, a line each."""
    lines = [f"walk {_status(walk)}" if walk is not None else "No walk recorded yet."]
    if record is None:
        return "\n".join((*lines, "No session recorded yet."))
    lines.append(f"session {day_and_time(_began(record))}: {_walk(record)}")
    if every.ends:
        lines.append(f"{counted(every.ends, 'session')} ended so far. Learned: {_learned(every)}")
    return "\n".join(lines)


def _status(walk: WalkStatus) -> str:
    end = "cut short by the time limit" if walk.timed_out else "in time"
    return f"{day_and_time(walk.at)}, for a {one_line(walk.phase, 40)}: " + ", ".join((
        f"{counted(walk.focal_entities, 'focal entity', 'focal entities')}",
        f"{walk.traversed_entities:,} walked", counted(walk.memories, "memory"),
        counted(walk.constraints, "constraint"), end))


def _learned(every: Telemetry) -> str:
    return _list((
        (every.feedback_fts_confirmations, "value confirmed"),
        (every.feedback_aspects_updated, "aspect raised"),
        (every.feedback_decayed_aspects, "aspect decayed"),
        (every.feedback_propagated_attributes, "value of a forgotten memory retired"))) or "nothing"


def _list(numbers: Sequence[tuple[int, str]]) -> str:
    return ", ".join(counted(number, words) for number, words in numbers if number)


def record_lines(record: SessionRecord) -> tuple[tuple[str, str], ...]:
    """The record, as (what, words)."""
    start = record.start
    lines = [("began", day_and_time(_began(record))), ("injected", _memories(record))]
    if start is None:
        lines.append(("walk", "not recorded"))
    else:
        lines += _start(start)
    if record.confirmed:
        lines.append(("used", counted(record.confirmed, "memory")))
    lines += _end(record)
    return tuple((what, words) for what, words in lines if words)


def _start(start: StartRecord) -> list[tuple[str, str]]:
    telemetry = start.telemetry
    names = [isolate(one_line(name, 40)) for name in start.focal[:NAMED]]
    more = len(start.focal) - len(names)
    focus = ", ".join((*names, *([f"{more} more"] if more else [])))
    return [
        ("project", isolate(one_line(start.project, 120)) if start.project else ""),
        ("focal entities", focus), ("walk", _walked(start)),
        ("text", f"{telemetry.inject_chars:,} characters in {telemetry.duration_ms:.0f} ms"),
        ("memories", _budget(telemetry.memory_budget)),
        ("constraints", _budget(telemetry.constraint_budget)),
        ("ranked by", "the learned scorer" if start.ranked_by == "scorer" else ""),
    ]


def _end(record: SessionRecord) -> list[tuple[str, str]]:
    end = record.end
    if end is None:
        return [("ended", "not recorded")] if record.start is not None else []
    learned = _list((
        (end.confirmations, "value confirmed"), (end.aspects_updated, "aspect raised"),
        (end.decayed, "aspect decayed"), (end.propagated, "value of a forgotten memory retired"),
        (end.constraints_eased, "constraint lowered")))
    return [("ended", day_and_time(end.at)),
            ("learned", learned or "nothing")]


def _walk(record: SessionRecord) -> str:
    return _walked(record.start) if record.start else "its walk is not recorded"


def _walked(start: StartRecord) -> str:
    telemetry = start.telemetry
    end = "cut short by the time limit" if telemetry.traversal_timed_out else "in time"
    return ", ".join((
        f"{counted(telemetry.traversal_entities, 'focal entity', 'focal entities')}",
        counted(telemetry.traversal_memories, "memory"),
        counted(telemetry.traversal_constraints, "constraint"), end))


def _memories(row: SessionRow) -> str:
    return f"{row.injected:,} of {counted(row.memories, 'memory')} injected"


def _began(record: SessionRecord) -> str:
    return record.start.at if record.start else record.started_at


def _budget(budget: Budget) -> str:
    return budget.words if budget.limit else ""
