"""The words of a question that say what is asked for: "licence" in "Which licence has Vega?"."""

from collections.abc import Collection, Iterable, Sequence
from itertools import takewhile

from msgspec.structs import replace

from core.model.search_words import words
from core.recall.keyword import WordMatches

WHICH = 2.0
"""What the noun after "which" counts, beside 1: the answer is one of its kind."""
_OPENINGS = frozenset({"which", "what", "whose", "who", "how"})
_MEASURES = frozenset({"many", "much", "often", "long", "far", "soon"})


def asked_nouns(question: str, asked: Collection[str]) -> set[str]:
    """Those after "which", else after "Robin's", else before "of".

    Args:
        asked: the words that are looked for; the first other one ends them.
    """
    spoken = words(question)
    after_opening, after_owner, before_of = set[str](), set[str](), set[str]()
    for place, word in enumerate(spoken):
        if word in _OPENINGS:
            rest = spoken[place + 1:]
            after_opening |= _run(rest[1:] if rest[:1] and rest[0] in _MEASURES else rest, asked)
        elif word == "s":
            after_owner |= _run(spoken[place + 1:], asked)
        elif word == "of":
            before_of |= _run(spoken[:place][::-1], asked)
    return after_opening or after_owner or before_of


def with_which(matches: WordMatches, question: str) -> WordMatches:
    """The matches, the words after "which" that any memory holds telling more than the others.

    On dialogues, where answers seldom repeat the noun, nothing changes by it (r@10 .827); on files
    of facts they do: "Which licence is it published under?" is about the licence.
    """
    spoken = words(question)
    known = {term.word: len(rows) > 0 for term, rows in zip(
        matches.terms, matches.rows, strict=True)}
    nouns = {word for place, word in enumerate(spoken) if word == "which"
             for word in _run(spoken[place + 1:], known) if known[word]}
    if not nouns:
        return matches
    weights = [weight * (WHICH if term.word in nouns else 1.0)
               for term, weight in zip(matches.terms, matches.weights, strict=True)]
    return replace(matches, weights=_shares(weights))


def _shares(weights: Sequence[float]) -> tuple[float, ...]:
    whole = sum(weights) or 1.0
    return tuple(weight / whole for weight in weights)


def _run(spoken: Iterable[str], asked: Collection[str]) -> set[str]:
    return set(takewhile(lambda word: word in asked, spoken))
