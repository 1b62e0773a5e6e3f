"""Matches statements of the graph with a question, so that they are ranked with the memories.

A statement is told only where it says something of what is asked beside the names of what it is
about: a link of Petra's is no answer to each question about her.
"""

import re
from collections.abc import Collection, Mapping, Sequence
from functools import lru_cache

import numpy as np
from msgspec import Struct

from core.model.graph_statement import ASSERTION, LINK, Statement
from core.model.link_and_type_synonyms import kin_words, points_back
from core.model.search_words import NO_NAMES, Term, words
from core.recall.answering_links_and_assertions import FoundStatement
from core.recall.called_by_links import roles
from core.recall.candidates import ScoredMemory
from core.recall.fuse import Scores
from core.recall.keyword import WordMatches
from core.recall.rank_after_fusion import Ranked

BEYOND = 1 << 41
"""Row numbers of statements begin here: behind those of all memories and values."""
LEAST = 0.34
"""The share of what is asked beside names that a statement must say."""
OF_OTHERS = 0.6
"""The same for a statement about nothing that the question names."""
MOST = 40
"""Statements that are ranked with the memories, those that say most of the question."""
MOST_OF_NAMES = 8
"""The same where a question names somebody and asks for nothing special: "Who is Petra?"."""
WHO, DIRECTION = 1.25, 1.15
"""What a statement is lifted by that names somebody, where "who" is asked for; and a link that
leads the way that is asked for: "What depends on the NAS?" is not what the NAS depends on."""
_WHO = re.compile(r"\b(?:who|whom|whose|wer|wen|wem|wessen)\b", re.IGNORECASE)
_TIME_OR_PLACE = re.compile(r"\b(?:when|where|how|wann|wo)\b", re.IGNORECASE)
"""What asks for no other end of a link: only what it says itself may answer it."""
_SOMEBODY = frozenset({"person", "agent"})
_PERHAPS = _SOMEBODY | {"", "unknown", "extracted", "company", "organization", "organisation",
                        "team", "group"}
"""Types of what may be meant by "who": what only a link names has none."""


class AskedStatement(Struct, frozen=True):
    """A statement that may answer a question.

    Attributes:
        found: the statement and how it may be asked for.
        row: its row number among the candidates.
        said: for each word of the question how far it is asked for by it, without its own words.
    """

    found: FoundStatement
    row: int
    said: tuple[float, ...]

    @property
    def statement(self) -> Statement:
        """As it is told."""
        return self.found.statement

    @property
    def candidate(self) -> ScoredMemory:
        """It as recall scores memories; it was said in no place that is known."""
        made = self.statement
        return ScoredMemory(self.row, made.id, 1, len(made.text), made.text, made.when, "", 0,
                            None, made.confidence, 0, made.who)


def matching_statements(
    every: Sequence[FoundStatement], matches: WordMatches, question: str,
    named: Mapping[str, str], weight: float,
) -> tuple[tuple[AskedStatement, ...], WordMatches]:
    """Those that say enough of a question, and which of them hold which of its words.

    Args:
        matches: the words of the question with their weights.
        named: the entities that the question refers to: their names by their ids.
        weight: what a word counts by which a statement may be asked for and that it does not say.
    """
    own, other = _held(every, matches.terms), _asked_for(every, matches.terms)
    own *= _of_right_end(every, matches.terms, named)
    if _TIME_OR_PLACE.search(question):
        other = np.zeros_like(other)
    shares = np.maximum(own, weight * other)
    asked = _asked_beside_names(matches, named, other, every, roles(question)[1])
    said, itself = asked @ shares, asked @ own
    who = _WHO.search(question) is not None and asked.any()
    worth = np.array(matches.weights) @ shares
    best = [place for place in np.argsort(-worth, kind="stable").tolist()
            if _may_answer(every[place], said[place] if asked.any() else None, question, named)
            and not (who and itself[place] < LEAST and _names_nobody(every[place], named))]
    best = best[:MOST if asked.any() else MOST_OF_NAMES]
    kept = tuple(AskedStatement(every[place], BEYOND + number,
                                tuple((other[:, place] * (own[:, place] == 0)).tolist()))
                 for number, place in enumerate(best))
    rows = np.arange(BEYOND, BEYOND + len(best), dtype=np.int64)
    held = tuple(rows[own[number, best] > 0] for number in range(len(matches.terms)))
    return kept, WordMatches(matches.terms, held)


def _asked_beside_names(
    matches: WordMatches, named: Mapping[str, str], other: Scores,
    every: Sequence[FoundStatement], theirs: Collection[str],
) -> Scores:
    """The weight of each word that is no name of what is named, 1 in total; all 0 where there is
    none.

    One of `theirs` that asks for a link is none, though something is called so, too: "children" in
    "Nora's children".

    A word that often begins sentences counts only where it asks for a link, "say", "before", or
    where a link is called so: "works at".
    """
    called = frozenset[str]().union(*(_spoken(each.called)[0] for each in every))
    naming = frozenset(word for name in named.values() for word in words(name))
    asked = np.array(matches.weights) * [
        (term.word not in naming or (term.word in theirs and bool(asks.any())))
        and (term.word not in NO_NAMES or bool(asks.any())
             or not called.isdisjoint(term.forms))
        for term, asks in zip(matches.terms, other, strict=True)]
    return asked / asked.sum() if asked.any() else asked


def _may_answer(
    found: FoundStatement, said: float | None, question: str, named: Mapping[str, str]
) -> bool:
    """True where it says enough of what is asked; more where nothing that it is about is named.

    Args:
        said: the share of what is asked beside names; None where that is nothing.
    """
    ends = found.statement.entity_ids
    about = not named.keys().isdisjoint(ends)
    if said is None:  # Of names alone what they are, what is between two of them, and of one what
        # files say ("Alice works at Acme" tells who she is), or all that is known.
        tells = about and (found.called or found.is_all) or all(id in named for id in ends)
        return bool(tells) and not _TIME_OR_PLACE.search(question)
    return said >= (LEAST if about else OF_OTHERS)


def _held(every: Sequence[FoundStatement], terms: Sequence[Term]) -> Scores:
    """For each term (row) and statement (column) 1 where its text holds the word."""
    texts = [_spoken(each.statement.text) for each in every]
    held = [[float(term.is_in(*text)) for text in texts] for term in terms]
    return np.array(held, np.float64).reshape(len(terms), len(every))


def _of_right_end(
    every: Sequence[FoundStatement], terms: Sequence[Term], named: Collection[str]
) -> Scores:
    """For each term and statement 0 where it says that of the end that the question names: "Anna
    mother of Tim" says of no mother of Anna."""
    def wrong(term: Term, each: FoundStatement) -> bool:
        ends = each.statement.entity_ids
        return (len(ends) > 1 and ends[0] in named and ends[1] not in named
                and not kin_words(each.relation.replace("_", " ")).isdisjoint(term.forms))

    return np.array([[float(not wrong(term, each)) for each in every] for term in terms],
                    np.float64).reshape(len(terms), len(every))


@lru_cache(maxsize=10_000)
def _spoken(text: str) -> tuple[frozenset[str], str]:
    """The words of a statement, as a set and in order: hubs come again with each question."""
    spoken = words(text)
    return frozenset(spoken), " ".join(spoken)


def _asked_for(every: Sequence[FoundStatement], terms: Sequence[Term]) -> Scores:
    """For each term and statement 1 where the word is one by which people ask for it."""
    asked = [[float(not term.anywhere and not frozenset(term.forms).isdisjoint(each.also))
              for each in every] for term in terms]
    return np.array(asked, np.float64).reshape(len(terms), len(every))


def lift_statements(
    ranked: Ranked, statements: Mapping[int, AskedStatement], question: str,
    terms: Sequence[Term], named: Collection[str],
) -> None:
    """Lift those that name somebody who is asked for, and links that lead the way asked for.

    Args:
        named: ids of the entities that the question refers to.
    """
    who, spoken = _WHO.search(question) is not None, words(question)
    for place in list(ranked.scores):
        asked = statements.get(ranked.every[place].row)
        if asked is None:
            continue
        if who and _names_somebody(asked.found, named):
            ranked.change(place, "kind", WHO)
        if asked.statement.kind == LINK and _leads_so(asked.found, spoken, terms):
            ranked.change(place, "direction", DIRECTION)


def _names_nobody(found: FoundStatement, named: Collection[str]) -> bool:
    return found.statement.kind == LINK and not _names_somebody(found, named, _PERHAPS)


def _names_somebody(
    found: FoundStatement, named: Collection[str], types: Collection[str] = _SOMEBODY
) -> bool:
    """True where one of its ends that is not named in the question is a person or an agent."""
    if found.statement.kind == ASSERTION:
        return bool(found.statement.who)
    return found.statement.kind == LINK and any(
        kind in types and id not in named
        for id, (_, kind) in zip(found.statement.entity_ids, found.names, strict=True))


def _leads_so(found: FoundStatement, spoken: Sequence[str], terms: Sequence[Term]) -> bool:
    """True where what is named before the verb is where the link begins, and after it its end."""
    own = frozenset(words(found.relation.replace("_", " ")))
    source, target = (frozenset(words(name)) for name, _ in found.names)
    verb = next((spoken.index(term.word) for term in terms
                 if term.word in spoken and term.word not in source | target
                 and not frozenset(term.forms).isdisjoint((*own, *found.also))), -1)
    if verb < 0:
        return False
    passive = spoken[verb + 1:verb + 2] == ["by"]
    first, last = (target, source) if passive != points_back(found.relation) else (source, target)
    before = [place for place, word in enumerate(spoken) if word in first - last]
    after = [place for place, word in enumerate(spoken) if word in last - first]
    return bool(before or after) and all(place < verb for place in before) and all(
        place > verb for place in after)
