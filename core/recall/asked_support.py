"""How far anything found speaks of what is asked about somebody, not only of the one asked about.

"What is Petra's surname?" finds much about Petra and nothing of a surname. So the names in a
question are left out: what remains is what it asks for, and of that a good answer holds a share.
"""

import math
import re
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from core.embedding.embedder import Embedder
from core.embedding.endpoint import EndpointEmbedder
from core.model.language import NO_NAMES, STOP_WORDS, Term, names_by_capital, stem, words
from core.recall.candidates import ScoredMemory
from core.recall.fuse import Scores
from core.recall.keyword import WordMatches

LOOKED = 10
"""Best memories that are looked at."""
PLAIN = 0.4
"""What a word that often begins a sentence counts ("go", "take"), beside 1."""
ELSEWHERE = 0.6
"""What a memory counts that is not about the one who is named, beside 1."""
AROUND = 2
"""What is said around a memory, worth half at most, counts as much as what it says itself."""
ALIKE, SAME = 0.35, 0.75
"""The cosine of two words from which they are alike, and from which they say the same."""
_HOW = re.compile(r"\bhow (?:much|many|often|long|far|soon)\b", re.IGNORECASE)
_HOW_MANY = re.compile(r"\bhow (?:many|old|tall|heavy)\b", re.IGNORECASE)
_NUMBER = re.compile(
    r"(?<![\w.#/-])\d[\d,]*(?!\d|\.\d+\.)|\b(?:no|none|nobody|one|two|three|four|five|six|seven|eight"
    r"|nine|ten|eleven|twelve|\w+teen|twent\w+|thirt\w+|fort\w+|fift\w+|sixt\w+|hundreds?|thousands?"
    r"|dozens?|half|both|several|few)\b", re.IGNORECASE)
"""A number, not that of a version."""
WITHOUT_NUMBER = 0.25
"""What a memory counts that holds no number, where one is asked for, beside 1."""
_UNSAID = frozenset(stem(word) for word in (
    "call", "called", "name", "named", "title", "own", "owner", "maintain", "belong", "change",
    "changed", "happen", "happened", "recently", "lately", "latest", "newest", "currently",
    "current", "now", "new", "news", "item", "thing", "responsible", "accountable", "charge")
    ) | {"look after", "take care of"}
"""Words that ask for a name, a link of the graph or anything new: an answer need not say them."""


@dataclass(frozen=True, slots=True)
class Found:
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
        total: all memories of the file.
    """

    question: str
    matches: WordMatches
    covered: Scores | None
    every: Sequence[ScoredMemory]
    best: Sequence[int]
    names: Collection[str]
    about: Collection[str]
    total: int


def supported(found: Found, least: float, embedder: Embedder | None) -> bool:
    """True if one of the best memories speaks of at least this share of what is asked for.

    A question for nothing beside a name ("Who is Petra?") is.

    Args:
        embedder: tells words that mean nearly the same; None to compare letters only.
    """
    places, terms = list(found.best)[:LOOKED], found.matches.terms
    naming = _naming(found.question, found.names)
    asked = [n for n, term in enumerate(terms) if not _is_idle(term, naming, found.question)]
    if not asked or not places or found.covered is None:
        return True
    weights = _weights(found, asked)
    held = np.minimum(AROUND * found.covered[:, places], 1)
    named = [n for n, term in enumerate(terms) if term.word in naming]
    near = _counts(found, places) * np.array([
        1.0 if not named or column.any() or _is_about(found, at, naming) else ELSEWHERE
        for at, column in zip(places, held[named].T, strict=True)])
    if np.max(near * (weights @ held[asked])) >= least:
        return True
    if embedder is None:
        return False
    alike = _alike([terms[n].word for n in asked], [found.every[at].beginning for at in places],
                   embedder)
    return bool(np.max(near * (weights @ np.maximum(held[asked], alike))) >= least)


def _counts(found: Found, places: Sequence[int]) -> Scores:
    """Less for what holds no number, where the question asks for one."""
    if not _HOW_MANY.search(found.question):
        return np.ones(len(places))
    return np.array([1.0 if _NUMBER.search(found.every[at].beginning) else WITHOUT_NUMBER
                     for at in places])


def _is_about(found: Found, place: int, naming: frozenset[str]) -> bool:
    memory = found.every[place]
    return memory.id in found.about or not naming.isdisjoint(words(memory.who))


def _naming(question: str, names: Collection[str]) -> frozenset[str]:
    """The words of the question that are names of somebody or something."""
    spoken = frozenset(words(question))
    whole = {word for name in names if spoken.issuperset(words(name)) for word in words(name)}
    return names_by_capital(question) | whole


def _is_idle(term: Term, naming: Collection[str], question: str) -> bool:
    """True for a word that names who is asked about, or that an answer need not say."""
    how = _HOW.search(question)
    return term.word in naming or term.forms[0] in _UNSAID or bool(
        how and term.word in words(how[0]))


def _weights(found: Found, asked: Sequence[int]) -> Scores:
    """What each word tells, 1 in total: one that no memory holds most of all."""
    terms, rows = found.matches.terms, found.matches.rows
    rarity = np.array([_rarity(len(rows[n]), found.total) * (
        PLAIN if terms[n].word in NO_NAMES else 1.0) for n in asked])
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
