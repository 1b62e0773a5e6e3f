"""Wording of times, walks, sessions and sources of evidence."""

from collections.abc import Mapping, Sequence
from datetime import UTC, datetime, timedelta

from core.model.names import spoken
from core.model.proposal import Evidence
from core.model.session_start_and_end import (
    EFFECTIVE,
    EMBEDDING,
    WORDS,
    Budget,
    SessionRecord,
    SessionRow,
    StartRecord,
    Telemetry,
)
from core.model.text_formatting import counted, one_line
from core.model.times import MONTHS, parse_time
from core.model.walk import FocalEntity, Miss, PassedRule, Path, WalkStatus
from core.ontology.operation_catalog import CATALOG
from ui.widgets.labels import isolate

# Counts and shares


def confidence_words(share: float) -> str:
    """`confidence 0.70`; 0 is also what an agent leaves that does not say how sure it is."""
    return f"confidence {share:.2f}" if share > 0 else "confidence 0, or not said"


def more_words(next_ones: int, rest: int) -> str:
    """What the last row of a list offers: `8 more of 40`, or `3 more` where these are all."""
    return f"{next_ones:,} more of {rest:,}" if next_ones < rest else f"{rest:,} more"


# Times

_DAYS = ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday")


def day(text: object, now: datetime | None = None) -> str:
    """`24 Nov`, with the year where it is not this one; the text itself if it can't be read."""
    moment = _here(text)
    if moment is None:
        return str(text or "")
    shown = f"{moment.day} {MONTHS[moment.month - 1]}"
    return shown if moment.year == _today(now).year else f"{shown} {moment.year}"


def day_and_time(text: object, now: datetime | None = None) -> str:
    """`24 Nov 18:02`."""
    clock_time = clock(text)
    return f"{day(text, now)} {clock_time}" if clock_time else day(text, now)


TIMESTAMP = len("2026-03-14 21:40:46")


def plain(text: str | None) -> str:
    """A stored value on one line; a time in a person's words, also where it is a field's value."""
    if text and len(text) >= TIMESTAMP and parse_time(text) is not None:
        return day_and_time(text)
    return one_line(text or "", 300)


def clock(text: object) -> str:
    """`18:02` here; empty if the time can't be read."""
    moment = _here(text)
    return f"{moment:%H:%M}" if moment else ""


def day_head(text: object, now: datetime | None = None) -> str:
    """A head over the things of one day: `Today`, `Yesterday`, `Monday 24 Nov`."""
    moment = _here(text)
    if moment is None:
        return "At an unknown time"
    today = _today(now)
    if moment.date() == today.date():
        return "Today"
    if moment.date() == (today - timedelta(days=1)).date():
        return "Yesterday"
    return f"{_DAYS[moment.weekday()]} {day(text, now)}"


def _here(text: object) -> datetime | None:
    moment = parse_time(text)
    try:
        return moment.astimezone() if moment else None
    except (OverflowError, OSError):
        return moment


def _today(now: datetime | None) -> datetime:
    return (now or datetime.now(UTC)).astimezone()


# Walks

ARROW, STEP = " → ", " › "
SOURCES = {EFFECTIVE: "by importance and age", EMBEDDING: "by its meaning",
           WORDS: "by topics of the last sessions"}
REASONS = {
    "pinned": "pinned", "asked": "named directly",
    "checkpoint": "from the last session's checkpoint", "project": "project path",
    "query": "in the question", "rule": "its rule is asked for",
    "session": "from this session's checkpoint",
}
RANKS = {
    "weight rank": "aspect", "importance rank": "value", "mention rank": "mention",
    "match rank": "match", "strength rank": "link", "budget": "memory", "links in all": "link",
}
SHORT = {"strength": "too weak", "confidence": "too unsure"}
"""What a link is whose number is below the limit."""
PLAIN = {
    "scope": "in another scope", "aspect filter": "not the requested aspect",
    "archived": "archived", "superseded": "superseded", "muted": "muted",
    "muted over pinned": "muted, which overrides its pin", "deleted": "deleted",
    "gone": "its entity was deleted", "no memory": "it has no memory",
    "not asked": "found by an earlier signal", "deadline": "out of time",
    "links in all": "above the limit of links",
    "common word": "shares only a plain word with the question",
}


def score_words(score: float) -> str:
    """`.92`; `1.0` for the whole."""
    return "1.0" if score >= 0.995 else f"{score:.2f}"[1:]


def path_words(path: Path | None, labels: Mapping[str, str]) -> str:
    """`Harbor Ledger → Ines Duarte › habits`; empty without a walk."""
    if path is None:
        return ""
    entities = [_name(id, labels) for id in path.entity_ids]
    aspects = [_name(id, labels) for id in path.aspect_ids]
    return STEP.join(part for part in (ARROW.join(entities), *aspects) if part)


def _name(id: str, labels: Mapping[str, str]) -> str:
    return isolate(one_line(labels.get(id, ""), 60) or "an unnamed item")


def reason_words(entity: FocalEntity) -> str:
    """Why an entity is focal: `project path: harbor`."""
    words = ", ".join(REASONS.get(reason, spoken(reason))
                      for reason in (entity.reason, entity.also) if reason)
    detail = one_line(entity.detail, 80)
    adds = bool(detail) and detail.lower() not in entity.name.lower()
    return f"{words}: {isolate(detail)}" if adds else words


def ground_words(ground: PassedRule) -> str:
    """A rule that was met: `aspect 3 of 10`, `confidence 0.90 ≥ 0.50`."""
    if ground.rule in RANKS:
        return f"{RANKS[ground.rule]} {ground.value:.0f} of {ground.limit:.0f}"
    return f"link {spoken(ground.rule)} {ground.value:.2f} ≥ {ground.limit:.2f}"


def miss_words(miss: Miss) -> str:
    """The rule that was not met, with its numbers: `too weak: 0.24, needs 0.30`."""
    value, limit = miss.value, miss.limit
    if value is None or limit is None:
        return PLAIN.get(miss.rule, spoken(miss.rule))
    if miss.rule in RANKS:
        return f"{RANKS[miss.rule]} no. {value:.0f}, the limit is {limit:.0f}"
    return f"{SHORT.get(miss.rule, spoken(miss.rule))}: {_below(value, limit)}"


def _below(value: float, limit: float) -> str:
    """`0.24, needs 0.30`, with as many digits as it takes to see the difference."""
    digits = next((count for count in (2, 3, 4) if round(value, count) < round(limit, count)), 5)
    return f"{value:.{digits}f}, needs {limit:.{digits}f}"


# Sessions

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


# Evidence

OPENABLE = ("memory",)
"""Kinds of source that the window can show."""
SOURCE_KINDS = {
    "memory": "memory", "session_transcript": "session", "memory_artifact": "document",
    "provided_quote": "quoted as evidence", "ontology_proposal": "proposal",
}


def source_words(piece: Evidence) -> str:
    """`memory of 24 Nov · claude-code`."""
    kind = SOURCE_KINDS.get(piece.kind, piece.kind.replace("_", " "))
    when = f" of {day(piece.when)}" if piece.when else ""
    name = one_line(piece.label, 60)
    return f"{kind}{when}" + (f" · {name}" if name and name != piece.source_id else "")


PAST = {"Apply": "Applied", "Import": "Imported", "Place": "Placed", "Reject": "Rejected"} | {
    verb: past for operation in CATALOG.values() for verb, past in operation.info.past.items()
}
"""What else than operations can be done, and every operation's own words."""


def deed(label: str) -> str:
    """`Pin settlement job` -> `Pinned settlement job`; other words stay as they are."""
    end = next((at for at, sign in enumerate(label) if not sign.isalpha()), len(label))
    return PAST.get(label[:end], label[:end]) + label[end:]
