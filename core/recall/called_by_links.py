"""Who is called what by a link: Lena, the sister of Mia, is "my sister" and "Mia's sister".

What is known of Lena need not say that, so that a fact of hers is found by the words of the link.
"""

from collections import defaultdict
from collections.abc import Collection, Mapping, Sequence
from typing import NamedTuple

from core.model.graph_statement import LINK
from core.model.search_words import Term, words
from core.recall.answering_links_and_assertions import FoundStatement

MINE = frozenset(("my", "our"))
_OF = frozenset(("of", "von"))
"""What ends a link that says what its beginning is; else it says what its end is."""


class _Called(NamedTuple):
    """What a link says of one of its ends: its words, that end, and the other one with its name."""

    said: list[str]
    who: str
    of: str
    name: str


def called_by_links(
    every: Sequence[FoundStatement], question: str, terms: Sequence[Term], named: Collection[str]
) -> Mapping[str, frozenset[str]]:
    """By entity the words of the question by which it is asked for, as links call it.

    Args:
        named: the ids of the entities that the question refers to: those whose sister it is.
    """
    mine, somebodys = roles(question)
    called: dict[str, frozenset[str]] = defaultdict(frozenset)
    for found in every if mine or somebodys else ():
        if found.statement.kind == LINK:
            link = _called(found)
            names = mine | somebodys if link.of in named else mine
            asked = {term.word for term in terms if term.word in names
                     and term.is_in(frozenset(link.said), " ".join(link.said))}
            if asked:
                called[link.who] |= asked.union(words(link.name))
    return called


def roles(question: str) -> tuple[frozenset[str], frozenset[str]]:
    """The words after "my" or "our", and those after "Mia's" and before "of Mia"."""
    spoken = words(question)
    mine = frozenset(word for before, word in zip(spoken, spoken[1:], strict=False)
                     if before in MINE)
    somebodys = frozenset(
        word for place, word in enumerate(spoken)
        if spoken[place - 1:place] == ["s"] or spoken[place + 1:place + 2] == ["of"])
    return mine, somebodys


def _called(found: FoundStatement) -> _Called:
    (source, _), (target, _) = found.names
    said = words(found.statement.text[len(source):].partition(target)[0])
    first, last = found.statement.entity_ids
    if said and said[-1] in _OF:
        return _Called(said, first, last, target)
    return _Called(said, last, first, source)
