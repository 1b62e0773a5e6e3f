"""Which names share words with a question that set them apart; the rest would be noise."""

import math
from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from functools import lru_cache
from itertools import chain

from msgspec import Struct

from core.model.search_words import NO_NAMES, STOP_WORDS, words
from core.queries.entity_search import needs_substring

SHORT_NAME = 3
"""Telling words of a name of which one is enough; a longer name must share two."""
PREFIX = 4
"""Letters from which the beginning of a name's word counts where nothing else is found."""
TIMES = 2
"""How many times as common a name's other words are, where the shared ones are its short form."""


class Candidate(Struct, frozen=True):
    """A name that shares words with the question, as asked and as the name holds them.

    Attributes:
        place: which of the names that were looked at it is.
        holders: how many names share the same words.
        said: the parts of the words that it shares.
    """

    place: int
    name: str
    asked: frozenset[str]
    holders: int
    said: frozenset[str]

    @property
    def others(self) -> frozenset[str]:
        """The further telling words of the name."""
        return _words_of(self.name) - STOP_WORDS - self.said

    @property
    def enough(self) -> bool:
        """True if it shares one word, or two where it is long."""
        return len(self.asked) > 1 or len(self.asked) + len(self.others) <= SHORT_NAME

    def is_set_apart(self, few: int, counts: Mapping[str, int]) -> bool:
        """True if few names share these words, or the others are far more common.

        Asked for the codex connector as "codex", or for @signet/daemon as "daemon", its other
        words are in so many names that it is known by the shared one.
        """
        if self.holders <= few:
            return True
        rarest = min((counts.get(word, 0) for word in self.others), default=0)
        return rarest >= TIMES * self.holders


class QuestionWords:
    """The words of a question as names are matched with them.

    Words that begin or join sentences set no name apart, nor do the words of a whole name that
    stands in the question, unless all of that name comes again: asked about Harbor Ledger, a
    ledger schema is not meant, but "Harbor Ledger migration" may be.
    """

    def __init__(self, asked: Sequence[str], whole_names: Iterable[str] = ()) -> None:
        self.telling = tuple(word for word in asked if word not in NO_NAMES)
        self._parts = {word: frozenset(words(word)) for word in self.telling}
        self._whole_words = frozenset(
            word for word, parts in self._parts.items() if parts == {word})
        self._anywhere = {word for word in self.telling if needs_substring((word,))}
        self._beginnings = frozenset(
            word for word, parts in self._parts.items()
            if parts and (word in self._anywhere or len(word) >= PREFIX))
        self._whole = [frozenset(words(name)) - STOP_WORDS for name in whole_names]
        within = [self._within(whole) for whole in self._whole]
        self.names = list(dict.fromkeys(filter(None, within)))
        """The telling words of each whole name."""
        named = {word for words in self.names for word in words}
        self.loose = tuple(word for word in self.telling if word not in named)
        """The telling words of no whole name."""

    @property
    def is_plain(self) -> bool:
        """True if each word is one, of letters and digits alone, as full text has it."""
        return all(word.isascii() and word.isalnum() for word in self.telling)

    def sharing(
        self, names: Sequence[str], *, prefixes: bool = False, most: float = math.inf
    ) -> list[Candidate]:
        """Those of the names that share any telling word with the question, in their order.

        Args:
            names: in small letters.
            prefixes: the beginning of a name's word counts, too.
            most: without those whose words more names share.
        """
        sharing = self._sharing_each(names, prefixes=prefixes)
        shared = _worth_a_look(sharing, most)
        sets = {asked: (frozenset(asked), len(set.intersection(*map(sharing.__getitem__, asked))),
                        self._said(asked)) for asked in set(shared.values())}
        return [Candidate(n, names[n], *sets[asked]) for n, asked in shared.items()
                if sets[asked][1] <= most]

    def in_order(self, asked: Collection[str]) -> str:
        """Shared words as a list, in the order of the question."""
        return ", ".join(word for word in self.telling if word in asked)

    def _within(self, whole: frozenset[str]) -> tuple[str, ...]:
        return tuple(word for word, parts in self._parts.items() if parts and parts <= whole)

    def _sharing_each(self, names: Sequence[str], *, prefixes: bool) -> dict[str, set[int]]:
        """The names that share each word."""
        held, plain = list(map(_words_of, names)), "".join(names).isascii()
        sharing = {}
        for word in self.telling:
            found = self._sharing_one(word, names, held, plain=plain, prefixes=prefixes)
            for whole in self._whole:
                if self._parts[word] <= whole:
                    found = {n for n in found if whole <= held[n]}
            if found:
                sharing[word] = found
        return sharing

    def _sharing_one(
        self, word: str, names: Sequence[str], held: Sequence[frozenset[str]], *, plain: bool,
        prefixes: bool,
    ) -> set[int]:
        """The names that share this word; `plain` ones have no accents."""
        near: Sequence[int] = range(len(names))
        if word in self._whole_words:
            if plain:
                near = [n for n, name in enumerate(names) if word in name]
            found = {n for n in near if word in held[n]}
        else:
            parts = self._parts[word]
            found = {n for n in near if parts and parts <= held[n]}
        if prefixes and word in self._beginnings and len(found) < len(near):
            found |= {n for n in near if n not in found and self._begins(word, names[n], held[n])}
        return found

    def _begins(self, word: str, name: str, held: Collection[str]) -> bool:
        """True if a word of the name begins so, or holds it in a script that has no spaces."""
        if word in self._anywhere:
            return word in name
        # Without accents the words of a name are parts of it.
        return (word in name or not name.isascii()) and any(
            each.startswith(word) for each in held)

    def _said(self, asked: Collection[str]) -> frozenset[str]:
        return frozenset(part for word in asked for part in self._parts[word])


@lru_cache(maxsize=20_000)
def _words_of(name: str) -> frozenset[str]:
    """The words of a name: many questions look at the same names."""
    return frozenset(words(name))


def _worth_a_look(
    sharing: Mapping[str, set[int]], most: float
) -> dict[int, tuple[str, ...]]:
    """The words that each name shares, of those names that share one which at most so many do, or
    two."""
    counts = Counter(chain.from_iterable(sharing.values()))
    telling = set().union(*(found for found in sharing.values() if len(found) <= most))
    telling.update([n for n, count in counts.items() if count > 1])
    words: dict[int, tuple[str, ...]] = dict.fromkeys(sorted(telling), ())
    for word, found in sharing.items():
        for n in found & telling:
            words[n] += (word,)
    return words
