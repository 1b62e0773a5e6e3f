"""Recall: memories for a question, each with the channels that found it and why."""

import time
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from functools import lru_cache
from typing import Any, NamedTuple

import numpy as np

from core.embedding.embedder import Embedder
from core.errors import ConstellationError, DeadlinePassed, OperationError
from core.model.language import with_names
from core.model.recall import Hit, Recall
from core.model.taken_back import Said, taken_back
from core.model.times import parse_time
from core.model.walk import AskedRule, Focal
from core.queries.held_back import waiting_words, without_held
from core.queries.muting import quiet_memories
from core.queries.open_tasks import open_tasks
from core.queries.outdated import outdated_claims, read_outdated, standing
from core.queries.rows import MEMORY_COLUMNS, memory_of
from core.recall import candidates as reading
from core.recall import graph_channels
from core.recall.answerability import Found, supported
from core.recall.asked_nouns import with_which
from core.recall.candidates import ScoredMemory, read_memories
from core.recall.claim_words import placed
from core.recall.config import RecallSettings
from core.recall.dates import (
    Stretch,
    day_made,
    may_tell_time,
    names_weekday,
    nearness,
    spans,
    stretch,
)
from core.recall.filtered_rows import allowed_rows
from core.recall.filters import TELLABLE, TELLABLE_OF_PAST, Filters, condition, memory_count
from core.recall.fuse import Indices, Scores, from_neighbors, together, weights_of
from core.recall.graph_channels import GraphEvidence, search_graph
from core.recall.keyword import Rows, WordMatches, find_words
from core.recall.kinds_first import lift_kind
from core.recall.question import Question, read_question
from core.recall.ranking import (
    Ranked,
    by_time,
    former_first,
    last_versions_first,
    rank,
    reason_in_words,
    repeats_last,
)
from core.recall.relevance_threshold import fits
from core.recall.rules_first import lift_rules
from core.recall.semantic import MeaningMatches, similar
from core.recall.values_full_text import list_values
from core.recall.values_without_memory import ValueWithoutMemory, find_untold, words_held
from core.recall.word_coverage import cover, said_in
from core.store.handles import Reader
from core.traversal.config import TraversalSettings
from core.traversal.focal import of_question

DATED = 100
"""Best memories whose text is read for times."""
WEEKDAY = 0.6
"""What being from a day of the week is worth, of 1: the question may mean another week's."""
TOLD_OF = 0.7
"""What telling of a time is worth, of 1, beside being said then, where nothing else is asked."""
WIDER = 10
"""So many times as many memories are looked at for some that pass, before all are."""
AROUND = 10
"""So many times as many hits are looked at for versions of one claim."""
NAMING = frozenset({"keyword", "traversal", "mention", "hint", "date", "rule"})
"""Channels that a memory comes by only where it holds or stands by something that was asked."""
LONG = 320
"""Characters of a memory from which a rule in it is one thing among others."""
NOT_LISTED = ("Time ran out before it was known which memories no longer hold; the next question"
              " goes on from there")
NEAREST = "No memory contains these words. The results are the closest in meaning."


@without_held
def recall(
    reader: Reader, query: str, settings: RecallSettings | None = None,
    embedder: Embedder | None = None, *, filters: Filters | None = None, explain: bool = False,
    traversal: TraversalSettings | None = None, now: datetime | None = None,
    meaning: MeaningMatches | None = None, focal: Focal | None = None,
) -> Recall:
    """The memories that answer `query`, best first.

    Args:
        embedder: compares meanings; without one only words, graph and times count.
        filters: which memories may be an answer; with an empty query the newest that pass.
        explain: with the walk's reasons and near misses.
        now: the time that "yesterday" is relative to.
        meaning: what `similar` said of this very question, where it was asked already.
        focal: the focal entities of a session with this very question, where they are known.

    A channel that fails (no full text, unreadable vectors, a silent server, no time left) is
    reported in `notes`, and the others answer. Raises OperationError for a query without search
    words, and ConstellationError if the file itself can't be read.
    """
    asked = _Asked(reader, query, settings or RecallSettings(), embedder, filters or Filters(),
                   explain, traversal or TraversalSettings(), now or datetime.now(UTC),
                   compared=meaning, known=focal)
    if not query.strip():
        return asked.listed()
    return asked.answer()


@dataclass(slots=True)
class _Asked:
    """One question on its way."""

    reader: Reader
    query: str
    settings: RecallSettings
    embedder: Embedder | None
    filters: Filters
    explain: bool
    traversal: TraversalSettings
    now: datetime
    compared: MeaningMatches | None = None
    known: Focal | None = None
    began: float = field(default_factory=time.monotonic)
    condition: str = ""
    bound: dict[str, Any] = field(default_factory=dict)
    question: Question = field(default_factory=lambda: Question(""))
    words: WordMatches = field(default_factory=WordMatches)
    words_of_memories: WordMatches = field(default_factory=WordMatches)
    """The same without the values that no memory says, which none of the file's rows are."""
    meaning: MeaningMatches = field(default_factory=MeaningMatches)
    structure: GraphEvidence = field(default_factory=GraphEvidence)
    rules: Mapping[str, AskedRule] = field(default_factory=dict)
    """The rules that are asked for, by their own ids and by those of what they rest on."""
    untold: Mapping[int, ValueWithoutMemory] = field(default_factory=dict)
    unlisted: bool = False
    """True where the list of such values is not complete yet."""
    notes: list[str] = field(default_factory=list)
    fits: bool = True
    said: Scores | None = None
    """What `placed` says of the candidates."""
    covered: Scores | None = None
    """How far each word is covered by each candidate, with those around it and its place."""

    def __post_init__(self) -> None:
        self.condition, self.bound = condition(self.filters)

    # -- asking the channels -------------------------------------------------------------------

    def answer(self) -> Recall:
        """Run every channel, score the candidates, return the best."""
        self.question = read_question(self.query, now=self.now, stemming=self.settings.stemming)
        if not self.question.terms and not self.question.dates:
            raise OperationError(400, "The question has no search words", where=self.query[:80],
                                 do="Use a word, a name or a time")
        deadline = self.began + self.settings.deadline_ms / 1000
        with self.reader.interrupting(deadline):
            try:
                read_outdated(self.reader)
            except DeadlinePassed:
                return Recall((), self.question.dates, True, (NOT_LISTED,),
                              (time.monotonic() - self.began) * 1000)
            self._ask(deadline)
        # Few rows are read from here on, and without them all of the above was for nothing.
        with self.reader.uninterrupted():
            return self._scored(self._found() | {
                row: value.candidate for row, value in self.untold.items()})

    def _ask(self, deadline: float) -> None:
        self.words = with_which(find_words(self.reader, self.question.terms), self.query)
        focal = self._focal()
        self.rules = {id: rule for rule in reversed(focal.rules)
                      for id in (rule.memory_id, rule.id) if id}
        named = with_names(self.words.terms, focal.names)
        if named != self.words.terms:  # A name that was written like any word.
            self.words = with_which(find_words(self.reader, named), self.query)
        self.words_of_memories = self.words
        weights = dict(zip((term.word for term in self.words.terms), self.words.weights,
                           strict=True))
        self.structure = search_graph(
            self.reader, self.question, focal, weights, self.settings, self.traversal,
            scope=self.filters.scope, explain=self.explain)
        if self.question.only_time:
            pass  # Whatever was then is asked for, and its meaning is that of asking.
        elif self.compared is not None:
            self.meaning = self.compared
        elif self.embedder is not None:
            self.meaning = similar(self.reader, self.question.text, self.embedder, self.settings,
                                   deadline=deadline)
        for channel in (self.words, self.structure, self.meaning):
            self.notes += channel.notes
        # Values have no type, tag or author that a filter could ask for.
        if self.filters == Filters(scope=self.filters.scope):
            self._find_untold()

    def _focal(self) -> Focal:
        """The entities that the question refers to; none, with a note, where they can't be read."""
        try:
            return of_question(
                self.reader, self.question.text, self.traversal, most=self.settings.max_entities,
                pinned=self.settings.include_pinned, known=self.known, explain=self.explain)
        except DeadlinePassed:
            return Focal(timed_out=True)
        except ConstellationError as error:
            # Words and meanings can still answer; if they fail as well, their error is raised.
            self.notes.append(f"The graph could not be walked: {error.what.lower()}")
            return Focal()

    def _find_untold(self) -> None:
        """Bring in the values that no memory says, with their words and meanings."""
        values = find_untold(
            self.reader, self.words.terms, ids=[*self.structure.walked, *self.rules],
            past=self.question.past, most=self.settings.keyword_candidates)
        if not list_values(self.reader, past=self.question.past):
            self.unlisted = True
            self.notes.append("Time ran out before all values without a memory were searched; "
                              "the next question goes on from there")
        with self.reader.uninterrupted():  # What is muted is not told, however late it is.
            quiet = self._quiet(value.memory.id for value in values)
        values = tuple(value for value in values if value.memory.id not in quiet)
        self.untold = {value.row: value for value in values}
        self.words = self.words_of_memories.with_more(words_held(values, self.words.terms))
        self.meaning = self.meaning.with_texts(
            {row: value.memory.content for row, value in self.untold.items()})

    def _found(self) -> dict[int, ScoredMemory]:
        """Every memory that a channel brings and that the agent may see."""
        rows = self._brought(None)
        memories = self._read(rows)
        passing = sum(candidate.passes for candidate in memories.values())
        few = self.filters.any and passing < 2 * self.settings.limit
        if few or len(memories) < len(rows) // 2:
            # Most of the best may not be seen or do not pass: rank only those that may.
            memories |= self._read(self._brought(self._allowed()))
        return memories

    def _brought(self, allowed: Rows | None, times: int = 1) -> list[int]:
        settings = self.settings
        rows = [*self.words_of_memories.best(settings.keyword_candidates * times, allowed).tolist(),
                *self.meaning.best(settings.semantic_candidates * times, allowed).tolist(),
                *self.structure.newest]
        ids = [*self.structure.walked, *self.structure.hinted, *self.structure.former,
               *self.rules]
        rows += reading.rows_of(self.reader, ids).values()
        for span in self.question.dates:
            rows += reading.rows_between(
                self.reader, f"{span.start:%Y-%m-%d}", f"{span.end:%Y-%m-%d}",
                settings.date_candidates)
        return list(dict.fromkeys(rows))

    def _allowed(self) -> Rows:
        """Rows that pass: enough of the next best ones, or all in the file."""
        enough = max(2 * self.settings.limit, self.settings.keyword_candidates // WIDER)
        return allowed_rows(self.reader, self.condition, self.bound,
                            lambda: self._brought(None, WIDER), enough)

    def _read(self, rows: list[int]) -> dict[int, ScoredMemory]:
        memories = read_memories(self.reader, rows, self.condition, self.bound, self._may_tell)
        quiet = self._quiet(memory.id for memory in memories.values())
        return {row: memory for row, memory in memories.items() if memory.id not in quiet}

    def _quiet(self, ids: Iterable[str]) -> frozenset[str]:
        """Those that are about muted entities only, of which the question names none."""
        return quiet_memories(self.reader, ids, self.structure.names)

    @property
    def _may_tell(self) -> str:
        """What no longer holds is told only where the past is asked for, and said to be so."""
        return TELLABLE_OF_PAST if self.question.past else TELLABLE

    # -- scoring -------------------------------------------------------------------------------

    def _scored(self, memories: dict[int, ScoredMemory]) -> Recall:
        own = self._own(list(memories.values()))
        neighbors = self._neighbors(memories, own)
        every = [*memories.values(), *neighbors]
        own = own.with_more(self._own(neighbors))
        parts = {"keyword": self._covered(every, own), "semantic": own.meaning}
        scores = together(parts, weights_of(self.settings))
        parts["neighbor"], givers = from_neighbors(every, scores, self.settings)
        parts |= self._structure(every)
        scores = together(parts, weights_of(self.settings))
        if self.question.dates:
            parts["date"] = self._dates(every, scores)
            scores = together(parts, weights_of(self.settings))
        ranked = rank(self.question, every, parts, scores, self.settings, self.now)
        self.fits = not self._searched_all or fits(
            self.question, ranked, parts.get("date"), self.settings.fits_from,
            supported=lambda: self._supported(ranked, parts))
        repeats_last(ranked, AROUND * self.settings.limit)
        lift_kind(ranked, self.query, 3 * self.settings.limit)
        if self.question.rule:
            lift_rules(self.reader, ranked, 3 * self.settings.limit)
        elif self.question.former_rule:
            lift_rules(self.reader, ranked, 3 * self.settings.limit, former=True,
                       dates=parts.get("date"))
        if self._newest_first:
            by_time(ranked)
        if self.question.oldest and self.fits:
            by_time(ranked, oldest=True)
        if self.question.past and not self.question.dates:
            best = ranked.best(self.settings.limit * AROUND)
            last_versions_first(ranked, best, outdated_claims(
                self.reader, [every[place].id for place in best]))
        if self.question.former and self.fits and not self.question.oldest:
            self._former_first(ranked)
        return self._told(ranked, every, parts, givers)

    def _former_first(self, ranked: Ranked) -> None:
        """Put what no longer holds before what does, of those that fit about as well."""
        best = ranked.best(self.settings.limit * AROUND)
        past = standing(self.reader, [ranked.every[place].id for place in best]).past
        former_first(ranked, {place for place in best if ranked.every[place].id in past})

    def _own(self, every: list[ScoredMemory]) -> "_Own":
        """What each memory's own words and meaning give it."""
        rows = np.array([candidate.row for candidate in every], np.int64)
        lengths = np.array([candidate.length for candidate in every], np.int64)
        return _Own(lengths, self.words.holding(rows), self.meaning.of(rows))

    def _covered(self, every: list[ScoredMemory], own: "_Own") -> Scores:
        """The share of the question that each memory's words cover, with those around it.

        Nothing where only a time is asked for: a "June" or "yesterday" of another time is none.
        """
        if self.question.only_time:
            return np.zeros(len(every))
        around = cover(own.words, every, self.settings)
        if self.settings.place_weight:
            self.said = placed(self.reader, self.words, every, self.structure.walked,
                               past=self.question.past)
            around = np.maximum(around, self.settings.place_weight * self.said)
        self.covered = around
        return self.words.weigh(around, own.lengths)

    def _supported(self, ranked: Ranked, parts: Mapping[str, Scores]) -> bool:
        """Whether any of the best speaks of what is asked for, not only of who is asked about.

        A rule is found by what it speaks of, and what was first by its time.
        """
        if (not self.settings.support_from or self.rules or self.question.oldest
                or not self.question.terms):
            return True
        best = ranked.best(self.settings.limit)
        if any(ranked.steps.get(place, {}).get("state", 0) > 1 for place in best):
            return True
        about = {ranked.every[place].id for place in best
                 if parts["mention"][place] > 0 or parts["traversal"][place] > 0}
        found = Found(self.query, self.words, self.covered, ranked.every, best,
                      tuple(self.structure.names.values()), about,
                      self._of_others({ranked.every[place].id for place in best} - about),
                      parts.get("date"), memory_count(self.reader))
        return supported(found, self.settings.support_from, self.embedder)

    def _of_others(self, ids: set[str]) -> set[str]:
        """Those of the memories, which are about nothing that is named, that are about others."""
        values = ids.intersection(value.memory.id for value in self.untold.values())
        return values | graph_channels.that_mention(self.reader, ids - values)

    def _about(self, place: int, held: Sequence[str]) -> tuple[str, ...]:
        """The words of the question that only a memory's place in the graph says."""
        if self.said is None:
            return ()
        said = [term.word for term, values in zip(self.words.terms, self.said, strict=True)
                if values[place]]
        return tuple(word for word in said if word not in held)

    def _neighbors(
        self, memories: Mapping[int, ScoredMemory], own: "_Own"
    ) -> list[ScoredMemory]:
        """What stands next to the best memories, so far as it was said in the same place."""
        every = list(memories.values())
        said = np.array([bool(candidate.source) for candidate in every], np.bool_)
        if not said.any() or not self.settings.neighbors:
            return []
        shares = self.words.weigh(own.words, own.lengths) * (not self.question.only_time)
        scores = together({"keyword": shares, "semantic": own.meaning}, weights_of(self.settings))
        in_order = np.argsort(-np.where(said, scores, -1.0), kind="stable")
        best = in_order[:min(self.settings.neighbors, int(said.sum()))].tolist()
        reach = max(self.settings.context, 1)
        steps = [step for step in range(-reach, reach + 1) if step]
        beside = {every[place].row + step for place in best for step in steps} - memories.keys()
        sources = {every[place].source for place in best}
        return [candidate for candidate in self._read(sorted(beside)).values()
                if candidate.source in sources]

    def _structure(self, every: list[ScoredMemory]) -> dict[str, Scores]:
        """What the graph gives each memory."""
        ids = [candidate.id for candidate in every]
        mentioned = self._mentions(ids)
        walked, hinted = self.structure.walked, self.structure.hinted
        return {
            "traversal": np.array([walked[id][0] if id in walked else 0.0 for id in ids]),
            "mention": np.array([mentioned[id][0] if id in mentioned else 0.0 for id in ids]),
            "hint": np.array([hinted.get(id, 0.0) for id in ids]),
            "rule": np.array([self._rule(candidate) for candidate in every]),
        }

    def _rule(self, candidate: ScoredMemory) -> float:
        """How far a memory states a rule that is asked for; less where that is lost in it."""
        rule = self.rules.get(candidate.id)
        return rule.share / max(candidate.length / LONG, 1.0) if rule else 0.0

    def _mentions(self, ids: list[str]) -> dict[str, tuple[float, str]]:
        """What mentioning a named entity is worth; a value mentions the one that it is of."""
        named, names = self.structure.named, self.structure.names
        own = {value.memory.id: (named[value.entity_id], names[value.entity_id])
               for value in self.untold.values() if value.entity_id in named}
        return graph_channels.mentions(self.reader, self.structure, ids) | own

    def _dates(self, every: list[ScoredMemory], scores: Scores) -> Scores:
        """How well each memory's time, and those it tells of, meet the ones that were asked.

        What a memory says and what no longer holds is of all the time that it held; but where
        only a time is asked for, what was said then counts, and less what tells of it.
        """
        weekdays = [stretch(span) for span in self.question.dates if names_weekday(span.text)]
        asked = [stretch(span) for span in self.question.dates if not names_weekday(span.text)]
        read = set(np.argsort(-scores, kind="stable")[:DATED].tolist())
        only_time = self.question.only_time
        held = (self._held([every[place].id for place in read])
                if self.question.past and not only_time else {})

        @lru_cache
        def near_day(day: Stretch) -> tuple[float, float]:
            """How near a day is to the times, and to the weekdays."""
            return nearness([day], asked), nearness([day], weekdays)

        def near(place: int, candidate: ScoredMemory) -> float:
            day = day_made(candidate.created_at)
            if day is None:
                return 0.0
            near_asked, near_weekdays = near_day(day)
            best = max(near_asked, WEEKDAY * near_weekdays)
            if best < 1.0 and place in read:
                times = [*_times_told(candidate), *held.get(candidate.id, ())]
                best = max(best, nearness(times, asked), WEEKDAY * nearness(times, weekdays))
            return max(near_asked, near_weekdays, TOLD_OF * best) if only_time else best

        return np.array([near(place, candidate) for place, candidate in enumerate(every)])

    def _held(self, ids: list[str]) -> dict[str, list[Stretch]]:
        """By memory the times in which what it says held and no longer does."""
        times: dict[str, list[Stretch]] = {}
        for id, claims in outdated_claims(self.reader, ids).items():
            for claim in claims:
                since, until = parse_time(claim.since), parse_time(claim.until)
                if since and until:
                    times.setdefault(id, []).append((since.timestamp(), until.timestamp()))
        return times

    # -- telling -------------------------------------------------------------------------------

    def _told(
        self, ranked: Ranked, every: list[ScoredMemory], parts: Mapping[str, Scores],
        givers: Indices | None = None,
    ) -> Recall:
        least = self.settings.min_score if self.query.strip() else 0.0
        places = ranked.best(self.settings.limit, least)
        memories = {row["place"]: memory_of(row) for row in self.reader.rows(
            f"SELECT m.rowid AS place, {MEMORY_COLUMNS} FROM json_each(:rows) f"
            f" CROSS JOIN memories m ON m.rowid = f.value WHERE {self._may_tell}",
            rows=[every[place].row for place in places])}
        memories |= {row: value.memory for row, value in self.untold.items()}
        ids = [every[place].id for place in places]
        named, stands = self._mentions(ids), standing(self.reader, ids)
        disputed = {**taken_back(
            Said(every[place].id, every[place].beginning, every[place].created_at)
            for place in ranked.best(AROUND * self.settings.limit)), **stands.disputed}
        said = said_in(self.words, {candidate.row: candidate for candidate in every},
                       [every[place].row for place in places], self.settings)
        hits = []
        for place in places:
            candidate = every[place]
            if candidate.row not in memories:
                continue
            channels = {name: round(float(values[place]), 4) for name, values in parts.items()
                        if values[place] > 0.0005}
            walked = self.structure.walked.get(candidate.id)
            steps = ranked.steps.get(place, {})
            held, around = said[candidate.row]
            reason = reason_in_words(channels, steps, held=held, around=around,
                         about=self._about(place, held),
                         walked=walked[1] if walked else None, names=self.structure.names,
                         mentioned=named.get(candidate.id, (0.0, ""))[1],
                         neighbor=_giver(every, givers, place),
                         rule=self.rules.get(candidate.id),
                         candidate=candidate)
            score = round(min(ranked.scores[place], 1.0), 4)
            hits.append(Hit(memories[candidate.row], score, channels,
                            walked[1].path if walked else None, reason, dict(steps),
                            stands.outdated.get(candidate.id, ()), candidate.id in stands.past,
                            candidate.id in stands.constraints,
                            disputed.get(candidate.id)))
        looked = self.question.terms and self._searched_all
        if hits and looked and not any(NAMING & hit.channels.keys() for hit in hits):
            self.notes.append(NEAREST)
        late = (self.words.timed_out or self.meaning.timed_out or self.structure.timed_out
                or self.unlisted)
        return Recall(
            tuple(hits), self.question.dates, late, tuple(dict.fromkeys(self.notes)),
            (time.monotonic() - self.began) * 1000, self.structure.walk, len(every),
            fits=self.fits, newest_first=self._newest_first and len(ranked.first) > 1,
            about=(*open_tasks(self.reader, self.question.text), *self.structure.about))

    @property
    def _newest_first(self) -> bool:
        return self.question.newest and self.fits and not self.question.past

    @property
    def _searched_all(self) -> bool:
        """True unless some memories were not compared by their words."""
        return not self.words.timed_out and not self.words.notes

    def listed(self) -> Recall:
        """The newest memories that pass the filters, the important ones first."""
        if not self.filters.any:
            raise OperationError(400, "The question is empty",
                                 do="Enter words to search for, or set a filter")
        self.notes += filter(None, [waiting_words(self.reader)])
        read_outdated(self.reader)
        rows = reading.latest(self.reader, self.condition, self.bound, self.settings.limit * 5)
        every = list(self._read(rows).values())
        worth = np.array([self._worth(candidate) for candidate in every])
        ranked = Ranked(every, dict(enumerate(worth.tolist())))
        return self._told(ranked, every, {"listed": worth})

    def _worth(self, candidate: ScoredMemory) -> float:
        """The seeds' effective score: importance, 5 percent less each day; 1 if pinned."""
        if candidate.pinned:
            return 1.0
        made = parse_time(candidate.created_at)
        days = max((self.now - made).total_seconds() / 86_400, 0.0) if made else 0.0
        return float(min(max(candidate.importance, 0.0), 1.0) * 0.95 ** min(days, 10_000.0))


def _times_told(candidate: ScoredMemory) -> list[Stretch]:
    """The times that a memory tells of."""
    if not may_tell_time(candidate.beginning):
        return []
    made = parse_time(candidate.created_at)
    return [stretch(span) for span in spans(candidate.beginning, made)] if made else []


class _Own(NamedTuple):
    """What some memories are by themselves: their lengths, for each word of the question (row)
    and memory (column) whether it holds it, and how like the question they are."""

    lengths: Indices
    words: Scores
    meaning: Scores

    def with_more(self, other: "_Own") -> "_Own":
        """With further memories behind these."""
        return _Own(*(np.concatenate(pair, axis=-1) for pair in zip(self, other, strict=True)))


def _giver(every: list[ScoredMemory], givers: Indices | None, place: int) -> ScoredMemory | None:
    """The neighbour that gave a memory most of what it got from neighbours."""
    if givers is None or givers[place] < 0:
        return None
    return every[int(givers[place])]
