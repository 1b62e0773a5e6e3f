"""What the inspector shows of one entity, read at one moment."""

from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from functools import partial
from types import MappingProxyType

import numpy as np
from msgspec import Struct, field

from core.constellation.visual_encoding import brightness, presence
from core.learning.scorer_comparison import win_rate
from core.model.claims_and_assertions import Aspect, Assertion, Claim, key_of_group
from core.model.entity import Entity
from core.model.link import Link
from core.model.memory import Memory
from core.model.names import spoken
from core.model.session_start_and_end import SessionRow, WeightChange
from core.model.text_formatting import counted, one_line
from core.model.times import ago, parse_time
from core.model.vocabulary import HELD
from core.queries.assertions import (
    assertions_of,
    count_assertions_of,
    voices_for_and_against,
)
from core.queries.claims import review_dates
from core.queries.entities import get_entity
from core.queries.hide_writes_of_held_agents import waiting_rows
from core.queries.knowledge import aspects_of
from core.queries.links import count_links_of, count_loops_of, links_of, whole_of
from core.queries.memories import count_memories_of, memories_of
from core.queries.outdated_memories import standing
from core.queries.sessions import sessions_of, weight_history
from core.review.proposal_queue import pending_of, pending_slots
from core.store.reader_and_writer import Reader
from ui.models.time_wording import day
from ui.widgets.labels import isolate

FIRST_ROWS = 100
"""Rows of one parent that are read and shown before a row that offers more."""
FEW_MEMORIES = 3
MORE_MEMORIES = 20
FEW_SAID = 5
MORE_SAID = 20
CONSTRAINTS = "constraints"
"""The key of the section of constraints."""
LINED = 12
"""The heaviest aspects, whose learned weight is drawn over time."""
PARTLY_OUTDATED, HOLDS_NO_MORE = "partly outdated", "no longer holds"
FEW_SESSIONS = 3
ENOUGH_COMPARED = 3
"""Sessions from which a win rate is worth telling."""


class Inspection(Struct, frozen=True):
    """An entity with all its parts; `entity` is None if not found."""

    entity_id: str
    entity: Entity | None
    aspects: tuple[Aspect, ...] = ()
    links: tuple[Link, ...] = ()
    link_total: int = 0
    """How many links there are, also beyond those read."""
    part_of: str = ""
    """The name of what it is part of."""
    memories: tuple[Memory, ...] = ()
    memory_total: int = 0
    """How many memories there are, also beyond those read."""
    sessions: tuple[SessionRow, ...] = ()
    """The last ones that began with one of its memories."""
    win_rate: float | None = None
    weights: Mapping[str, tuple[float, ...]] = field(default_factory=dict)
    """How the weight of an aspect was learned, oldest first, by its id."""
    pending: int = 0
    """How many proposals would touch it."""
    said: tuple[Assertion, ...] = ()
    said_total: int = 0
    """How many assertions there are, also beyond those read."""
    voices: Mapping[str, tuple[int, int]] = field(default_factory=dict)
    """How many voices agree and disagree with a value, by its id."""
    reviews: Mapping[str, str] = field(default_factory=dict)
    """After which day a value is to be confirmed, by its id."""
    held: frozenset[str] = frozenset()
    """The links, memories and assertions that no agent is told before a person has seen them."""
    shown: Mapping[str, int] = field(default_factory=dict)
    """How many values of what has this key were asked for, where that is more than at first."""
    outdated: Mapping[str, str] = field(default_factory=dict)
    """Of which memories not all holds any more, in words, by their ids."""

    @property
    def constraint_total(self) -> int:
        """How many constraints there are, also beyond those read."""
        read = [claim for aspect in self.aspects for group in aspect.groups
                for claim in group.claims if claim.kind == "constraint"]
        every = sum(group.constraints for aspect in self.aspects for group in aspect.groups)
        return len(read) + every - sum(len(claim.values) for claim in read)

    @property
    def constraints(self) -> tuple[Claim, ...]:
        """What always applies, the most important first."""
        constraints = [claim for aspect in self.aspects for group in aspect.groups
                 for claim in group.claims if claim.kind == "constraint" and claim.values]
        return tuple(sorted(constraints, key=lambda claim: -claim.values[0].importance))


def inspect(
    entity_id: str, memories: int, links: int, archived: bool, reader: Reader,
    said: int = FEW_SAID, shown: Mapping[str, int] = MappingProxyType({}),
) -> Inspection:
    """Read an entity with its tree, its strongest links and its newest memories.

    Args:
        memories: how many memories to read.
        links: how many links to read.
        archived: also its archived parts.
        said: how many assertions to read.
        shown: how many values to read of what has this key, where that is more than at first.
    """
    entity = get_entity(reader, entity_id)
    if entity is None:
        return Inspection(entity_id, None)
    newest = memories_of(reader, entity_id, limit=memories)
    pending, waiting = pending_of(reader, entity_id), waiting_rows(reader)
    aspects = aspects_of(reader, entity_id, archived=archived,
                         pending=pending_slots(pending, entity_id), most=partial(_most, shown))
    return Inspection(
        entity_id, entity, aspects,
        links_of(reader, entity_id, archived=archived, limit=links),
        _link_total(reader, entity, archived=archived), whole_of(reader, entity_id),
        newest,
        len(newest) if len(newest) < memories else count_memories_of(reader, entity_id),
        sessions_of(reader, entity_id, limit=FEW_SESSIONS),
        win_rate(reader, entity_id, ENOUGH_COMPARED), _weights(reader, aspects), len(pending),
        assertions_of(reader, entity_id, archived=archived, limit=said),
        count_assertions_of(reader, entity_id, archived=archived),
        voices_for_and_against(reader, entity_id), review_dates(reader, _ids(aspects)),
        waiting.links | waiting.memories | waiting.assertions, shown,
        outdated=_outdated(reader, newest),
    )


def _outdated(reader: Reader, memories: Sequence[Memory]) -> Mapping[str, str]:
    stands = standing(reader, [each.id for each in memories])
    return {**dict.fromkeys(stands.outdated, PARTLY_OUTDATED),
            **dict.fromkeys(stands.past, HOLDS_NO_MORE)}


def _ids(aspects: Sequence[Aspect]) -> list[str]:
    return [value.id for aspect in aspects for group in aspect.groups for claim in group.claims
            for value in claim.values]


def _most(shown: Mapping[str, int], aspect_id: str, group: str, binds: bool) -> int:
    key = CONSTRAINTS if binds else key_of_group(aspect_id, group)
    return shown.get(key, FIRST_ROWS)


def _link_total(reader: Reader, entity: Entity, *, archived: bool) -> int:
    """How many links there are to list; those of an entity are counted already."""
    if archived or entity.status != "active":
        return count_links_of(reader, entity.id, archived=archived)
    return entity.links_out + entity.links_in - count_loops_of(reader, entity.id)


def _weights(reader: Reader, aspects: Sequence[Aspect]) -> Mapping[str, tuple[float, ...]]:
    """The weights over time of the heaviest aspects, for those whose weight ever changed."""
    histories = {aspect.id: (aspect.weight, weight_history(reader, aspect.id))
             for aspect in aspects[:LINED]}
    return {id: weight_line(steps, now) for id, (now, steps) in histories.items() if steps}


def weight_line(steps: Sequence[WeightChange], now: float) -> tuple[float, ...]:
    """The weights of an aspect over time, up to the current one.

    Another program may have changed it without a record: the line includes that.
    """
    weights = [weight for step in steps for weight in (step.before, step.after)] + [now]
    return tuple(weight for step, weight in enumerate(weights)
                 if not step or weight != weights[step - 1])


def headline(inspection: Inspection) -> str:
    """`system · muted · 14 mentions · part of Harbor Ledger`."""
    entity = inspection.entity
    if entity is None:
        return ""
    parts = [one_line(entity.entity_type, 40)]
    if entity.muted:
        # Design §6: a muted entity comes up only where it is named. Where there is no room for
        # the whole line, its state is not what is cut.
        parts.append("muted, which overrides its pin" if entity.pinned else "muted")
    if entity.held:
        parts.append(HELD)
    parts.append(counted(entity.mentions, "mention"))
    if inspection.part_of:
        parts.append(f"part of {isolate(one_line(inspection.part_of, 80))}")
    elif entity.community:
        parts.append(f"in {isolate(one_line(entity.community, 80))}")
    return " · ".join(parts)


def task_words(entity: Entity) -> str:
    """`Task in progress · due 3 Dec`; empty if it is no task."""
    if entity.task is None:
        return ""
    parts = [f"Task {spoken(entity.task.status)}"]
    if entity.task.completed_at:
        parts.append(f"completed {day(entity.task.completed_at)}")
    elif entity.task.expires_at:
        parts.append(f"due {day(entity.task.expires_at)}")
    return " · ".join(parts)


def archived_words(entity: Entity) -> str:
    """`Archived 3 days ago by you: no longer used`."""
    words = " ".join(part for part in ("Archived", ago(entity.archived_at)) if part)
    if entity.archived_by:
        words += f" by {isolate(one_line(entity.archived_by, 60))}"
    return f"{words}: {one_line(entity.archive_reason, 200)}" if entity.archive_reason else words


def origin(entity: Entity) -> tuple[tuple[str, str], ...]:
    """The entity's provenance, as (what, words)."""
    source = " · ".join(one_line(part, 120) for part in (
        entity.source_kind, entity.source_path, entity.source_id) if part)
    facts = (
        ("source", source), ("proposal", entity.proposal_id or ""),
        ("created", day_with_age(entity.created_at)), ("updated", day_with_age(entity.updated_at)),
        ("community", one_line(entity.community, 80)), ("id", entity.id),
    )
    return tuple((what, words) for what, words in facts if words)


def shine(inspection: Inspection) -> tuple[tuple[str, str], ...]:
    """Why it is bright or dim in the sky, and how it does in sessions, as (what, words)."""
    entity = inspection.entity
    if entity is None:
        return ()
    glow = float(brightness(np.array([entity.constraints]))[0])
    fill = float(presence(np.array([entity.mentions]), np.array([entity.constraints]))[0])
    light = f"glow {glow:.0%} from {counted(entity.constraints, 'constraint')} · " \
            f"fill {fill:.0%} from {counted(entity.mentions, 'mention')}"
    facts = [("light", f"dim, because it is muted · {light}" if entity.muted else light)]
    facts += [("injected in", _told_in(row)) for row in inspection.sessions]
    if inspection.win_rate is not None:
        facts.append(("win rate", f"{inspection.win_rate:.0%}: sessions about it in which the "
                                  "learned ranking was better"))
    return tuple(facts)


def _told_in(row: SessionRow) -> str:
    """`night-2 · 28 Nov · 2 memories about it, 1 used`."""
    parts = (isolate(one_line(row.session_key, 40)), day(row.started_at),
             f"{counted(row.injected, 'memory')} about it")
    return " · ".join(parts) + (f", {row.confirmed:,} used" if row.confirmed else "")


def day_with_age(text: str) -> str:
    """`24 Nov · 3 days ago`."""
    return " · ".join(part for part in (day(text), ago(text)) if part)


def memory_byline(memory: Memory) -> str:
    """`claude-code · 3 days ago`."""
    who = memory.who or memory.source_kind or memory.type
    return " · ".join(one_line(part, 60) for part in (who, ago(memory.created_at)) if part)


def voice_byline(voice: Assertion) -> str:
    """`Anna claims · 20 Mar 2026`."""
    return f"{one_line(voice.who, 40)} {voice.predicate} · {day(voice.asserted_at)}"


def voices_words(agree: int, against: int) -> str:
    """`2 agree, 1 against`; empty where nobody speaks of it."""
    parts = [f"{agree} agree{'s' if agree == 1 else ''}" if agree else "",
             f"{against} against" if against else ""]
    return ", ".join(filter(None, parts))


def review_words(review_after: str, now: datetime | None = None) -> tuple[str, bool]:
    """`confirm after 14 Mar 2027`, and whether that day has come: `to confirm since …` then."""
    moment = parse_time(review_after)
    due = moment is not None and moment <= (now or datetime.now(UTC))
    return f"{'to confirm since' if due else 'confirm after'} {day(review_after)}", due
