"""How far anything found speaks of what is asked about somebody, not only of the one asked about.

"What is Petra's surname?" finds much about Petra and nothing of a surname. So the names in a
question are left out: what remains is what it asks for, and of that a good answer holds a share.
"""

import math
from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from functools import cache
from itertools import pairwise

import numpy as np
from msgspec import Struct

from core.embedding.embedder_interface import Embedder
from core.embedding.endpoint import EndpointEmbedder
from core.model.link_and_type_synonyms import asked_for_type
from core.model.search_words import NO_NAMES, STOP_WORDS, Term, names_by_capital, stem, words
from core.model.vocabulary import ENTITY_TYPES
from core.recall.asked_nouns import asked_nouns
from core.recall.called_by_links import MINE
from core.recall.candidates import ScoredMemory
from core.recall.dates import is_recurring
from core.recall.events_named_by_time import named_events, tells_of
from core.recall.expected_answer_type import AnswerKind, kind_of
from core.recall.fuse import Scores
from core.recall.keyword import ASKING, WordMatches

LOOKED = 10
"""Best memories that are looked at."""
PLAIN = 0.4
"""What a word that often begins a sentence counts ("go", "take"), beside 1."""
ELSEWHERE, OF_ANOTHER = 0.6, 0.3
"""What a memory counts that is not about the one who is named, and one that is about somebody or
something else, beside 1."""
OF_ANOTHER_TIME = 0.3
"""What a memory counts that tells of another event than the one that is named by its time."""
AROUND = 2
"""What is said around a memory, worth half at most, counts as much as what it says itself."""
ALIKE, SAME = 0.35, 0.75
"""The cosine of two words from which they are alike, and from which they say the same."""
WITHOUT_KIND = 0.25
"""What a memory counts that holds nothing of the kind that is asked for (a length), beside 1."""
HEAD = 2.0
"""What a word counts that says what is asked for ("blood" in "Robin's blood type"), beside 1."""
@cache
def _unsaid() -> frozenset[str]:
    """Words that ask for a name, a kind, a link of the graph or anything new: an answer need not
    say them."""
    return frozenset(stem(word) for word in (
        "call", "called", "name", "named", "title", "own", "owner", "maintain", "belong", "change",
        "changed", "happen", "happened", "recently", "lately", "latest", "newest", "currently",
        "current", "now", "new", "news", "item", "thing", "responsible", "accountable", "charge",
        "kind", "sort", "type", "size", "number", "reason", "way", "mention", "bring",
        "heißt", "heisst", "heißen", "heissen", "nächste", "nächster", "nächsten", "nächstes",
        "nachste", "nachster", "nachsten", "nachstes", *ASKING,
    )) | {"look after", "take care of"}


_KINDS_OF_THINGS = frozenset(("release", "version", "issue", "ticket", "chapter", "module", *(
    word for kind in ENTITY_TYPES for word in asked_for_type(kind))))
"""Words that stand before a name to say what it is."""


class Found(Struct, frozen=True):
    """The best memories for a question, and what they hold of it.

    Attributes:
        question: as typed.
        matches: which memory holds which word.
        covered: how far each candidate (column), what was said around it and its place in the
            graph cover each word (row), None where only a time is asked for.
        every: all candidates.
        best: the places of the best among them.
        names: the names of the entities that the question names.
        about: the ids of the candidates that are about one of them.
        of_others: the ids of those of the best that are about others only.
        dates: how well each candidate meets the times asked for, None where none is.
        total: all memories of the file.
        called: the words of the question that say who is asked about, as links call them.
        headings: under what the best stand in the graph, by their ids.
    """

    question: str
    matches: WordMatches
    covered: Scores | None
    every: Sequence[ScoredMemory]
    best: Sequence[int]
    names: Collection[str]
    about: Collection[str]
    of_others: Collection[str]
    dates: Scores | None
    total: int
    called: Collection[str] = ()
    headings: Mapping[str, str] = {}


def supported(found: Found, least: float, embedder: Embedder | None) -> bool:
    """True if one of the best memories speaks of at least this share of what is asked for.

    A question for nothing beside a name ("Who is Petra?") is; one that names somebody of whom no
    memory holds a word is not.

    Args:
        embedder: tells words that mean nearly the same; None to compare letters only.
    """
    places, terms = list(found.best)[:LOOKED], found.matches.terms
    if not places or found.covered is None:
        return True
    naming = names_asked_about(found.question, found.names)
    kind = kind_of(found.question)
    if any(not len(found.matches.rows[n]) for n, term in enumerate(terms)
           if term.word in naming - _words_of(found.names)):
        return False
    held = np.minimum(AROUND * found.covered[:, places], 1)
    near = (_about(found, places, held, naming) * _of_kind(found, places, kind)
            * _of_event(found, places))
    called = [n for n, term in enumerate(terms) if term.word in found.called]
    near *= (held[called] > 0).all(axis=0)
    idle = naming | _kinds_of_names(found.question, naming)
    asked = [n for n, term in enumerate(terms)
             if n not in called and not _is_idle(term, idle, kind)]
    if not asked:
        return kind is None or float(near.max()) == 1.0
    weights = _weights(found, asked)
    owned = _owned(found.question, [terms[n].word for n in asked])

    def speaks(spoken: Scores) -> bool:
        """True if one of them says enough, and something of what is somebody's."""
        return bool(np.max(near * (weights @ spoken) * (spoken[owned] > 0).all(axis=0)) >= least)

    if speaks(held[asked]):
        return True
    return embedder is not None and speaks(np.maximum(held[asked], _alike(
        [terms[n].word for n in asked], [found.every[at].beginning for at in places], embedder)))


def _owned(question: str, asked: Sequence[str]) -> list[int]:
    """The numbers of the words that say what of somebody's is asked about: "passport" in "When does
    my passport expire?", to which no certificate that expired is an answer."""
    spoken = words(question)
    things = {next((word for word in spoken[place + 1:] if word in asked), "")
              for place, word in enumerate(spoken) if word in MINE}
    return [number for number, word in enumerate(asked)
            if word in things and word not in NO_NAMES]


def _of_kind(found: Found, places: Sequence[int], kind: AnswerKind | None) -> Scores:
    """Less for what holds nothing of the kind that the question asks for, such as a number."""
    if kind is None:
        return np.ones(len(places))
    spoken = ((found.every[at].beginning, found.headings.get(found.every[at].id, ""))
              for at in places)
    return np.array([1.0 if any(map(kind.holds.search, each)) else WITHOUT_KIND
                     for each in spoken])


def _about(
    found: Found, places: Sequence[int], held: Scores, naming: frozenset[str]
) -> Scores:
    """Less for what is not about the one who is named, least if it is about another.

    Where no entity has that name nothing is known to be about it, or about another.
    """
    others = found.of_others if naming & _words_of(found.names) else ()
    named = [n for n, term in enumerate(found.matches.terms) if term.word in naming]
    return np.array([1.0 if not named or column.any() or _is_about(found, at, naming)
                     else OF_ANOTHER if found.every[at].id in others else ELSEWHERE
                     for at, column in zip(places, held[named].T, strict=True)])


def _of_event(found: Found, places: Sequence[int]) -> Scores:
    """Less for what tells of another event than the one that is named by its time."""
    events = named_events(found.question) if found.dates is not None else ()
    return np.array([1.0 if found.dates is None or tells_of(
        found.every[at].beginning, events, then=found.dates[at] == 1) else OF_ANOTHER_TIME
        for at in places])


def _is_about(found: Found, place: int, naming: frozenset[str]) -> bool:
    memory = found.every[place]
    return memory.id in found.about or not naming.isdisjoint(words(memory.who))


def names_asked_about(question: str, names: Collection[str]) -> frozenset[str]:
    """The words of the question that are names of somebody or something.

    One that it says more often than the names do is asked for, too: "When does the watering system
    water?". A month or a day is no name: what was then need not say it.
    """
    spoken = words(question)
    whole = [word for name in names if set(words(name)) <= set(spoken)
             for word in dict.fromkeys(words(name))]
    stems = Counter(map(stem, spoken))
    again = {word for word in whole if stems[stem(word)] > spoken.count(word)}
    return (names_by_capital(question) - NO_NAMES | set(whole)) - again


def _kinds_of_names(question: str, naming: Collection[str]) -> frozenset[str]:
    """The words right before a name that say only what it is: "release" in "release 0.41.0"."""
    spoken = words(question)
    return frozenset(word for word, after in pairwise(spoken)
                     if word in _KINDS_OF_THINGS and after in naming)


def is_unsaid(term: Term) -> bool:
    """True for a word that an answer need not say, such as "name" or "happened"."""
    return term.forms[0] in _unsaid()


def _is_idle(term: Term, naming: Collection[str], kind: AnswerKind | None) -> bool:
    """True for a word that names who is asked about, or that an answer need not say."""
    return (term.word in naming or is_unsaid(term)
            or (term.word in NO_NAMES and is_recurring(term.word))
            or bool(kind and term.word in kind.unsaid))


def _words_of(names: Iterable[str]) -> frozenset[str]:
    return frozenset(word for name in names for word in words(name))


def _weights(found: Found, asked: Sequence[int]) -> Scores:
    """What each word tells, 1 in total: one that no memory holds most of all."""
    terms, counts = found.matches.terms, found.matches.different
    heads = asked_nouns(found.question, {terms[n].word for n in asked})
    rarity = np.array([_rarity(counts[n], found.total) * (
        PLAIN if terms[n].word in NO_NAMES else 1.0) * (
        HEAD if terms[n].word in heads else 1.0) for n in asked])
    return rarity / max(float(rarity.sum()), 1e-9)


def _rarity(holding: int, total: int) -> float:
    return math.log(1 + (total - min(holding, total) + 0.5) / (holding + 0.5))


def _alike(asked: Sequence[str], texts: Sequence[str], embedder: Embedder) -> Scores:
    """For each word and text how near the nearest word of the text is in meaning, 0 to 1."""
    local = embedder.fallback or embedder if isinstance(embedder, EndpointEmbedder) else embedder
    spoken = [[word for word in dict.fromkeys(words(text)) if word not in STOP_WORDS]
              for text in texts]
    place: Mapping[str, int] = {
        word: n for n, word in enumerate(dict.fromkeys(w for each in spoken for w in each))}
    vectors = local.embed([*asked, *place])
    cosines = vectors[:len(asked)] @ vectors[len(asked):].T
    near = np.array([cosines[:, [place[word] for word in each]].max(axis=1, initial=0)
                     for each in spoken]).T
    alike: Scores = np.clip((near - ALIKE) / (SAME - ALIKE), 0, 1)
    return alike
