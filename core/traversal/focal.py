"""Finds the entities that a session is about: where a walk starts."""

import time
from collections.abc import Callable, Container, Iterator
from functools import partial
from typing import NamedTuple

from msgspec.structs import replace

from core.errors import ConstellationError, DeadlinePassed
from core.model.walk import AskedRule, Focal, FocalEntity, Miss
from core.queries.hide_writes_of_held_agents import waiting_words, without_held
from core.store.reader_and_writer import Reader
from core.traversal import focal_signals
from core.traversal.config import TraversalSettings
from core.traversal.focal_signals import ACTIVE, HIDDEN, SHOWN, FocalMatch, Signals
from core.traversal.question_entities import entities_in_question, noise_in_question
from core.traversal.rules_for_asked_action import asked_rules

__all__ = ["Signals", "resolve"]

ALL = -1
MORE = 20
"""Entities of each kind that an explanation tells of beyond those that are focal."""
MOST_KNOWN = 100
"""Answers of signals that are kept: a session asks for its pins and project with each question."""


class Signal(NamedTuple):
    """One way to find entities: its name, its name as a source, what of `Signals` it goes by, and
    its query."""

    reason: str
    source: str
    given: str
    look: Callable[[Reader, Signals, str, int], list[FocalMatch]]
    limit: int = ALL
    shown: str = SHOWN
    """The condition for entities that may be focal."""


@without_held
def resolve(
    reader: Reader, given: Signals, settings: TraversalSettings, *, explain: bool = False
) -> Focal:
    """The focal entities: pinned ones, requested ones, then those of every signal, in order.

    Seed 001 gathers: checkpoint, project's path, question. The first of them that finds entities
    is the source; the session's last checkpoint is asked only where none does. A muted entity is
    focal only if it is asked for, by its id or with its whole name in the question: muted wins
    over pinned.

    Args:
        explain: tell what nearly became focal, too: muted, archived, beyond a limit, or of a
            checkpoint that was not asked.
    """
    began, search = time.monotonic(), _Search(reader, given, settings)
    with reader.interrupting(began + (settings.timeout_ms - settings.walk_ms) / 1000):
        try:
            search.run()
        except DeadlinePassed:
            search.timed_out = True
    took, missed = (time.monotonic() - began) * 1000, None
    if explain:
        with reader.interrupting(time.monotonic() + settings.timeout_ms / 1000):
            missed = tuple(search.misses())
    entities = tuple(search.entities.values())
    faults = filter(None, (*search.faults, waiting_words(reader)))
    return Focal(entities, search.source, tuple(e.id for e in entities if e.reason == "pinned"),
                 missed, search.timed_out, tuple(dict.fromkeys(faults)), took,
                 search.in_question, search.rules)


def of_question(
    reader: Reader, question: str, settings: TraversalSettings, *, most: int, pinned: bool = False,
    known: Focal | None = None, explain: bool = False,
) -> Focal:
    """The entities that a question alone refers to, at most `most`.

    Args:
        pinned: with the pinned entities.
        known: the focal entities of a session with this question, where they were looked for.
    """
    if known is not None and not pinned:
        asked = known.in_question[:most]
        holders = [each for each in known.entities if each.reason == "rule"]
        return Focal((*asked, *holders), timed_out=known.timed_out, faults=known.faults,
                     in_question=asked, rules=known.rules)
    limits = settings.model_copy(update={
        "max_query_entities": min(settings.max_query_entities, most)})
    return resolve(reader, Signals(query=question, pinned=pinned), limits, explain=explain)


class _Search:
    """One resolution: what has been found, and by which signals."""

    def __init__(self, reader: Reader, given: Signals, settings: TraversalSettings) -> None:
        self.reader, self.given = reader, given
        self.faults: list[str] = []
        self.merged = _merged(given, settings)
        self.gathered = _gathered(given, settings, self.faults)
        self.entities: dict[str, FocalEntity] = {}
        self.in_question: tuple[FocalEntity, ...] = ()
        self.rules: tuple[AskedRule, ...] = ()
        self.source = "project" if given.project else "query"
        self.timed_out = False

    def run(self) -> None:
        """Ask every signal, and the session's checkpoint where none finds entities."""
        # Pins and what is named outright are few, and come whatever is cut.
        with self.reader.uninterrupted():
            for signal in self.merged:
                self._take(signal)
        sources = [signal.source for signal in self.gathered if self._take(signal)]
        self._take_rules()
        if sources:
            self.source = sources[0]
        elif self.rules:
            self.source = "query"
        elif self.given.session_key:
            self.gathered.append(_SESSION)
            self._take(_SESSION)
            self.source = _SESSION.source
        elif self.given.entity_ids and not self.gathered:
            self.source = "asked"

    def _take(self, signal: Signal) -> bool:
        """Take what a signal finds; True if that is anything."""
        matches = tuple(
            FocalEntity(each.id, each.name, each.entity_type, signal.reason, each.detail)
            for each in self._look(signal, signal.shown, signal.limit))
        for each in matches:
            known = self.entities.get(each.id)
            if known is None:
                self.entities[each.id] = each
            elif not known.asked:
                self.entities[each.id] = replace(known, also=signal.reason, detail=each.detail)
        if signal.reason == "query":
            self.in_question = matches
        return bool(matches)

    def _look(self, signal: Signal, shown: str, limit: int) -> list[FocalMatch]:
        """What a signal finds, looked for once after each change; what a fault cut is not kept."""
        known: dict[object, list[FocalMatch]] = self.reader.once(
            f"focal entities of {self.reader.agent}", dict, beside=True)
        key = signal.reason, getattr(self.given, signal.given), shown, limit
        if key in known:
            return known[key]
        faults = len(self.faults)
        found = signal.look(self.reader, self.given, shown, limit)
        if len(self.faults) == faults:
            if len(known) >= MOST_KNOWN:
                known.clear()
            known[key] = found
        return found

    def _take_rules(self) -> None:
        """Take the entities whose rules the question asks for, those named in it left as they are.
        """
        self.rules = asked_rules(self.reader, self.given.query, self.in_question)
        for rule in self.rules:
            self.entities.setdefault(rule.entity_id, FocalEntity(
                rule.entity_id, rule.entity_name, rule.entity_type, "rule", rule.detail))

    def misses(self) -> Iterator[Miss]:
        """What nearly became focal, each entity once, as far as there is time to look."""
        known = set(self.entities)
        try:
            for miss in self._missed(known):
                if miss.id not in known:
                    known.add(miss.id)
                    yield miss
        except DeadlinePassed:
            return

    def _missed(self, known: Container[str]) -> Iterator[Miss]:
        for signal in (*self.merged, *self.gathered):
            yield from self._beyond(signal)
            for each in self._look(signal, HIDDEN, MORE):
                rule = ("archived" if each.archived else
                        "muted over pinned" if signal.reason == "pinned" else "muted")
                yield Miss("entity", each.id, each.name, rule)
        if self.given.query:
            yield from self._noise(known)
        if self.given.session_key and _SESSION not in self.gathered:
            for each in self._look(_SESSION, SHOWN, ALL):
                yield Miss("entity", each.id, each.name, "not asked")

    def _noise(self, known: Container[str]) -> Iterator[Miss]:
        """What shares only plain words with the question, but for what is known."""
        try:
            noise = noise_in_question(self.reader, self.given, MORE, known)
        except DeadlinePassed:
            raise
        except ConstellationError:
            return  # A full text that can't be read is reported where it is asked.
        for each, holders in noise:
            yield Miss("entity", each.id, f"{each.name} ({each.detail})", "common word", holders)

    def _beyond(self, signal: Signal) -> Iterator[Miss]:
        """What a signal would find if it might find more."""
        if signal.limit == ALL:
            return
        matches = self._look(signal, signal.shown, signal.limit + MORE)
        for rank, each in enumerate(matches[signal.limit:], signal.limit + 1):
            yield Miss("entity", each.id, each.name, "match rank", rank, signal.limit)


def _merged(given: Signals, settings: TraversalSettings) -> list[Signal]:
    """The signals that count whatever else does."""
    wanted = []
    if settings.include_pinned and given.pinned:
        wanted.append(Signal("pinned", "", "pinned", focal_signals.pinned))
    if given.entity_ids:
        wanted.append(Signal("asked", "asked", "entity_ids", focal_signals.by_entity_id,
                             shown=ACTIVE))
    return wanted


_SESSION = Signal("session", "session_key", "session_key", focal_signals.session)
"""The session's own checkpoint, where nothing else says what it is about."""


def _gathered(
    given: Signals, settings: TraversalSettings, faults: list[str]
) -> list[Signal]:
    """The signals that say what a session is about, in their order.

    What goes wrong on the way without stopping it is added to `faults`.
    """
    ways = (
        Signal("checkpoint", "checkpoint", "checkpoint_ids", focal_signals.checkpoint),
        Signal("project", "project", "project", focal_signals.projects,
               settings.max_project_entities),
        Signal("query", "query", "query", partial(entities_in_question, faults=faults),
               settings.max_query_entities),
    )
    return [signal for signal in ways if getattr(given, signal.given)]
