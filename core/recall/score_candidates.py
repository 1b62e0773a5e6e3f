"""Scores the memories that were found for a question, and ranks them."""

from collections.abc import Mapping, Sequence
from functools import lru_cache, partial
from itertools import chain
from typing import NamedTuple

import numpy as np
from msgspec import Struct
from numpy.typing import NDArray

from core.model.graph_statement import LINK
from core.model.times import parse_time
from core.queries.corrected_links import corrected_links
from core.queries.memory_subjects import other_names
from core.queries.outdated_memories import outdated_claims, standing, version_lines
from core.recall import graph_channels
from core.recall.answerability import Found, is_unsaid, names_asked_about, supported
from core.recall.answers_first import answers_first
from core.recall.anything_fits import fits
from core.recall.candidates import ScoredMemory
from core.recall.dates import (
    Stretch,
    day_made,
    may_tell_time,
    names_weekday,
    nearness,
    spans,
    stretch,
)
from core.recall.expected_answer_type import kind_of
from core.recall.filters import memory_count
from core.recall.fuse import Indices, Scores, from_neighbors, together, weights_of
from core.recall.kinds_first import lift_kind
from core.recall.match_statements import lift_statements
from core.recall.memory_place_words import headings, placed
from core.recall.question_state import AskedQuestion
from core.recall.rank_after_fusion import (
    Ranked,
    by_time,
    former_first,
    last_versions_first,
    rank,
    repeats_last,
)
from core.recall.rules_first import lift_rules
from core.recall.word_coverage import cover

DATED = 100
"""Best memories whose text is read for times."""
WEEKDAY = 0.6
"""What being from a day of the week is worth, of 1: the question may mean another week's."""
TOLD_OF = 0.7
"""What telling of a time is worth, of 1, beside being said then, where nothing else is asked."""
SAID_NOW = 0.35
"""What being said around a time that is not over is worth, beside telling of it."""
AROUND = 10
"""So many times as many hits are looked at for versions of one claim."""
CALLED = 1.25
"""What a memory is lifted by that is of the one whom a link calls what the question does."""
ABOVE = 1.001
"""What a correction scores of the score of a link that it corrects."""
BESIDE = 100
"""Memories, at most, that are compared with what is asked beside the names."""
LONG = 320
"""Characters of a memory from which a rule in it is one thing among others."""


class Scored(Struct, frozen=True):
    """The candidates with their scores.

    Attributes:
        every: all candidates.
        ranked: those that may be an answer.
        parts: what each channel gives each candidate.
        givers: for each candidate the place of the neighbour that gave most, -1 for none; None
            where no neighbours were looked at.
    """

    every: list[ScoredMemory]
    ranked: Ranked
    parts: Mapping[str, Scores]
    givers: Indices | None = None


def score(asked: AskedQuestion, memories: dict[int, ScoredMemory]) -> Scored:
    """Score memories and those next to the best of them by every channel, and order them."""
    own = _own(asked, list(memories.values()))
    neighbors = _neighbors(asked, memories, own)
    every = [*memories.values(), *neighbors]
    own = own.with_more(_own(asked, neighbors))
    covered = _covered(asked, every, own)
    parts = {"keyword": covered, "semantic": _meaning(asked, every, own, covered)}
    scores = together(parts, weights_of(asked.settings))
    parts["neighbor"], givers = from_neighbors(every, scores, asked.settings)
    parts |= _structure(asked, every)
    scores = together(parts, weights_of(asked.settings))
    if asked.question.dates:
        parts["date"] = _dates(asked, every, scores)
        scores = together(parts, weights_of(asked.settings))
    ranked = rank(asked.question, every, parts, scores, asked.settings, asked.now)
    ranked.apart = frozenset(place for place, each in enumerate(every)
                             if each.row in asked.statements)
    asked.fits = not asked.searched_all or fits(
        asked.question, ranked, parts.get("date"), asked.settings.fits_from,
        supported=lambda: _supported(asked, ranked, parts))
    _lift(asked, ranked, parts.get("date"), givers)
    _put_first(asked, ranked)
    return Scored(every, ranked, parts, givers)


def _lift(
    asked: AskedQuestion, ranked: Ranked, dates: Scores | None, givers: Indices
) -> None:
    """Lift those of the best that hold the kind of thing that is asked for, lower repeats."""
    most = 3 * asked.settings.limit
    repeats_last(ranked, AROUND * asked.settings.limit)
    answers_first(ranked, asked.question, asked.words, _naming(asked), most)
    lift_kind(ranked, asked.query, most, asked.settings.fits_from,
              partial(_answers, asked, ranked.every, givers))
    lift_statements(ranked, asked.statements, asked.query, asked.words.terms,
                    {each.id for each in asked.in_question})
    _lift_called(asked, ranked, most)
    _lift_corrections(asked, ranked, most)
    if asked.question.rule:
        lift_rules(asked.reader, ranked, most)
    elif asked.question.former_rule:
        lift_rules(asked.reader, ranked, most, former=True, dates=dates)


def _lift_called(asked: AskedQuestion, ranked: Ranked, most: int) -> None:
    """Lift what is of the one whom a link calls what the question does: "my sister".

    Not where nothing else is asked for, as in "Who is my sister?": the link is the answer.
    """
    called, naming = _called(asked), _naming(asked)
    terms = asked.words.terms
    numbers = [n for n, term in enumerate(terms) if term.word in called]
    if asked.said is None or not numbers or {term.word for term in terms} <= called | naming:
        return
    for place in ranked.best(most):
        if asked.said[numbers, place].any():
            ranked.change(place, "called", CALLED)


def _lift_corrections(asked: AskedQuestion, ranked: Ranked, most: int) -> None:
    """Lift what a person has corrected above an older link that says otherwise."""
    best = ranked.best(most)
    links = {asked.statements[row].statement.id: place for place in best
             if (row := ranked.every[place].row) in asked.statements
             and asked.statements[row].statement.kind == LINK}
    if not links:
        return
    memories = {ranked.every[place].id: place for place in best if place not in ranked.apart}
    for link, memory in corrected_links(asked.reader, links, list(memories)).items():
        place = memories[memory]
        above = ABOVE * ranked.scores[links[link]]
        if ranked.scores[place] < above:
            ranked.change(place, "correction", above / ranked.scores[place])


def _called(asked: AskedQuestion) -> frozenset[str]:
    """The words of the question that say who is asked about, as links call them."""
    return frozenset().union(*asked.called.values()) - _naming(asked)


def _naming(asked: AskedQuestion) -> frozenset[str]:
    """The words of the question that are names of somebody or something."""
    return names_asked_about(asked.query, asked.structure.names.values())


def _answers(
    asked: AskedQuestion, every: Sequence[ScoredMemory], givers: Indices, place: int
) -> bool:
    """True for a memory that shares a word with the question, itself or by its place in the graph,
    or that follows a similar question."""
    if asked.words.holding(np.array([every[place].row])).any():
        return True
    if asked.said is not None and asked.said[:, place].any():
        return True
    giver = int(givers[place])
    return (giver >= 0 and every[giver].row < every[place].row
            and every[place].may_answer(every[giver]))


def _put_first(asked: AskedQuestion, ranked: Ranked) -> None:
    """Order those that fit about as well as the best by what the question asks of their time."""
    question = asked.question
    if asked.newest_first:
        by_time(ranked)
    if question.oldest and asked.fits:
        by_time(ranked, oldest=True)
    if question.past and not question.dates:
        best = ranked.best(asked.settings.limit * AROUND)
        ids = [ranked.every[place].id for place in best]
        last_versions_first(ranked, best, outdated_claims(asked.reader, ids),
                            version_lines(asked.reader, ids))
    if question.past and asked.fits and not question.oldest:
        _former_in_place(asked, ranked)


def _former_in_place(asked: AskedQuestion, ranked: Ranked) -> None:
    """Put what no longer holds before what does, of those that fit about as well, where a word
    such as “before” asks for it; behind that where only the tense does ("What was the code?")."""
    former = asked.question.former
    if not former and (asked.question.dates or asked.question.former_rule):
        return
    best = ranked.best(asked.settings.limit * AROUND)
    past = standing(asked.reader, [ranked.every[place].id for place in best]).past
    places = {place for place in best if ranked.every[place].id in past}
    if former or places:
        former_first(ranked, places, last=not former)


def _own(asked: AskedQuestion, every: list[ScoredMemory]) -> "_Own":
    """What each memory's own words and meaning give it."""
    rows = np.array([candidate.row for candidate in every], np.int64)
    lengths = np.array([candidate.length for candidate in every], np.int64)
    return _Own(lengths, asked.words.holding(rows), asked.meaning.of(rows))


def _covered(asked: AskedQuestion, every: list[ScoredMemory], own: "_Own") -> Scores:
    """The share of the question that each memory's words cover, with those around it.

    Nothing where only a time is asked for: a "June" or "yesterday" of another time is none.
    """
    if asked.question.only_time:
        return np.zeros(len(every))
    around = cover(own.words, every, asked.settings)
    if asked.settings.place_weight:
        asked.said = placed(asked.reader, asked.words, every, asked.structure.walked,
                           past=asked.question.past, called=asked.called)
        for column, candidate in enumerate(every):
            if candidate.row in asked.statements:
                asked.said[:, column] = asked.statements[candidate.row].said
        around = np.maximum(around, asked.settings.place_weight * asked.said)
    around = np.maximum(around, asked.settings.place_weight * _of_kind(asked, every))
    asked.covered = around
    return asked.words.weigh(around, own.lengths)


def _meaning(
    asked: AskedQuestion, every: Sequence[ScoredMemory], own: "_Own", covered: Scores
) -> Scores:
    """How like the question each memory is; one whose place says whose it is, with what is asked
    beside the names.

    "Uses PostgreSQL 16" is less like "What database does Tidepool use?" than all that says
    "Tidepool"; beside the name it is the most like it.
    """
    terms, naming = asked.words.terms, _naming(asked)
    named = np.array([term.word in naming for term in terms], np.bool_)
    rest = [term.word for term in terms if term.word not in naming and not is_unsaid(term)]
    if asked.said is None or not named.any() or not rest:
        return own.meaning
    about = _among_best(asked.said[named].any(axis=0) & (own.lengths < LONG), covered)
    alike = asked.meaning.beside(" ".join(rest), {
        every[place].row: every[place].beginning for place in np.flatnonzero(about).tolist()})
    if alike is None:
        return own.meaning
    beside = alike.of(np.array([each.row for each in every], np.int64))
    only_named = about & own.words[named].any(axis=0) & ~own.words[~named].any(axis=0)
    return np.where(only_named, beside, np.maximum(own.meaning, beside))


def _among_best(chosen: NDArray[np.bool_], covered: Scores) -> NDArray[np.bool_]:
    """Which are chosen, of many those that cover most of the question."""
    places = np.flatnonzero(chosen)
    among = np.zeros(len(chosen), np.bool_)
    among[places[np.argsort(-covered[places], kind="stable")[:BESIDE]]] = True
    return among


def _of_kind(asked: AskedQuestion, every: Sequence[ScoredMemory]) -> Scores:
    """For each word (row) and memory (column) 1 where the word only asks for a kind of thing, such
    as "folder", and the memory holds one."""
    kind, terms = kind_of(asked.query), asked.words.terms
    if kind is None or not kind.shows:
        return np.zeros((len(terms), len(every)))
    return np.outer([term.word in kind.unsaid for term in terms],
                    [kind.holds.search(memory.beginning) is not None for memory in every])


def _supported(asked: AskedQuestion, ranked: Ranked, parts: Mapping[str, Scores]) -> bool:
    """Whether any of the best speaks of what is asked for, not only of who is asked about.

    A rule is found by what it speaks of, and what was first by its time.
    """
    if (not asked.settings.support_from or asked.rules or asked.question.oldest
            or not asked.question.terms):
        return True
    best = ranked.best(asked.settings.limit)
    if any(ranked.steps.get(place, {}).get("state", 0) > 1 for place in best):
        return True
    about = {ranked.every[place].id for place in best
             if parts["mention"][place] > 0 or _reached(asked, ranked.every[place].id)}
    found = Found(asked.query, asked.words, asked.covered, ranked.every, best,
                  _called_in_all(asked), about,
                  _of_others(asked, {ranked.every[place].id for place in best} - about),
                  parts.get("date"), memory_count(asked.reader), _called(asked),
                  headings(asked.reader, (ranked.every[place].id for place in best),
                           past=asked.question.past))
    return supported(found, asked.settings.support_from, asked.embedder)


def _called_in_all(asked: AskedQuestion) -> tuple[str, ...]:
    """The names of the entities that the question names, and their other names."""
    named = asked.structure.names
    others = other_names(asked.reader, named)
    return (*named.values(), *chain.from_iterable(others.values()))


def _reached(asked: AskedQuestion, id: str) -> bool:
    """True for a memory of what is named, which no link leads to from there."""
    walked = asked.structure.walked.get(id)
    return walked is not None and walked[0] > 0 and not walked[1].path.dependency_ids


def _of_others(asked: AskedQuestion, ids: set[str]) -> set[str]:
    """Those of the memories, which are about nothing that is named, that are about others."""
    values = ids.intersection((
        *(value.memory.id for value in asked.untold.values()),
        *(each.statement.id for each in asked.statements.values())))
    return values | graph_channels.that_mention(asked.reader, ids - values)


def _neighbors(
    asked: AskedQuestion, memories: Mapping[int, ScoredMemory], own: "_Own"
) -> list[ScoredMemory]:
    """What stands next to the best memories, so far as it was said in the same place."""
    every = list(memories.values())
    said = np.array([bool(candidate.source) for candidate in every], np.bool_)
    if not said.any() or not asked.settings.neighbors:
        return []
    shares = asked.words.weigh(own.words, own.lengths) * (not asked.question.only_time)
    scores = together({"keyword": shares, "semantic": own.meaning}, weights_of(asked.settings))
    in_order = np.argsort(-np.where(said, scores, -1.0), kind="stable")
    best = in_order[:min(asked.settings.neighbors, int(said.sum()))].tolist()
    reach = max(asked.settings.context, 1)
    steps = [step for step in range(-reach, reach + 1) if step]
    beside = {every[place].row + step for place in best for step in steps} - memories.keys()
    sources = {every[place].source for place in best}
    return [candidate for candidate in asked.read(sorted(beside)).values()
            if candidate.source in sources]


def _structure(asked: AskedQuestion, every: list[ScoredMemory]) -> dict[str, Scores]:
    """What the graph gives each memory."""
    ids = [candidate.id for candidate in every]
    mentioned = asked.mentions(ids)
    walked, hinted = asked.structure.walked, asked.structure.hinted
    return {
        "traversal": np.array([walked[id][0] if id in walked else 0.0 for id in ids]),
        "mention": np.array([mentioned[id][0] if id in mentioned else 0.0 for id in ids]),
        "hint": np.array([hinted.get(id, 0.0) for id in ids]),
        "rule": np.array([_rule(asked, candidate) for candidate in every]),
    }


def _rule(asked: AskedQuestion, candidate: ScoredMemory) -> float:
    """How far a memory states a rule that is asked for; less where that is lost in it."""
    rule = asked.rules.get(candidate.id)
    return rule.share / max(candidate.length / LONG, 1.0) if rule else 0.0


def _dates(asked: AskedQuestion, every: list[ScoredMemory], scores: Scores) -> Scores:
    """How well each memory's time, and those it tells of, meet the ones that were asked.

    What a memory says and what no longer holds is of all the time that it held; but where
    only a time is asked for, what was said then counts, and less what tells of it. Of a time to
    come nothing was said in it yet: what tells of it counts whole.
    """
    ahead = asked.question.ahead
    weekdays = [stretch(span) for span in asked.question.dates if names_weekday(span.text)]
    wanted = [stretch(span) for span in asked.question.dates if not names_weekday(span.text)]
    read = set(np.argsort(-scores, kind="stable")[:DATED].tolist())
    only_time = asked.question.only_time
    held = (_held(asked, [every[place].id for place in read])
            if asked.question.past and not only_time else {})

    @lru_cache
    def near_day(day: Stretch) -> tuple[float, float]:
        """How near a day is to the times, and to the weekdays."""
        return nearness([day], wanted), nearness([day], weekdays)

    def near(place: int, candidate: ScoredMemory) -> float:
        day = day_made(candidate.created_at)
        if day is None:
            return 0.0
        near_asked, near_weekdays = near_day(day)
        if ahead:
            near_asked, near_weekdays = SAID_NOW * near_asked, SAID_NOW * near_weekdays
        best = max(near_asked, WEEKDAY * near_weekdays)
        if best < 1.0 and place in read:
            times = [*_times_told(candidate), *held.get(candidate.id, ())]
            best = max(best, nearness(times, wanted), WEEKDAY * nearness(times, weekdays))
        if only_time and not ahead:
            return max(near_asked, near_weekdays, TOLD_OF * best)
        return best

    return np.array([near(place, candidate) for place, candidate in enumerate(every)])


def _held(asked: AskedQuestion, ids: list[str]) -> dict[str, list[Stretch]]:
    """By memory the times in which what it says held and no longer does."""
    times: dict[str, list[Stretch]] = {}
    for id, claims in outdated_claims(asked.reader, ids).items():
        for claim in claims:
            since, until = parse_time(claim.since), parse_time(claim.until)
            if since and until:
                times.setdefault(id, []).append((since.timestamp(), until.timestamp()))
    return times


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
