"""Which names share words with a question that set them apart; the rest would be noise."""

import math
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from functools import lru_cache, reduce
from operator import and_

from msgspec import Struct

from core.model.search_words import NO_NAMES, STOP_WORDS, words
from core.queries.entity_search import needs_substring

SHORT_NAME = 3
"""Telling words of a name of which one is enough; a longer name must share two."""
PREFIX = 4
"""Letters from which the beginning of a name's word counts where nothing else is found."""
TIMES = 2
"""How many times as common a name's other words are, where the shared ones are its short form."""


class Word(Struct, frozen=True):
    """A word of a question.

    Attributes:
        parts: the words that it consists of, as names are told into words.
        is_whole: it is its only part.
        anywhere: it is of a script without spaces, or a sign.
        begins: it counts as the beginning of a name's word, too.
    """

    text: str
    parts: frozenset[str]
    is_whole: bool
    anywhere: bool
    begins: bool

    def is_in(self, name: str, *, prefixes: bool) -> bool:
        """True if a name shares it, or its beginning: nearly always without telling its words.

        Args:
            prefixes: the beginning of a name's word counts, too.
        """
        if self.is_whole and name.isascii():
            at = name.find(self.text)
            end = at + len(self.text)
            if at < 0:
                return False
            if not name[at - 1:at].isalnum() and (
                    prefixes and self.begins or not name[end:end + 1].isalnum()):
                return True
        return self._is_among(words_of_name(name), name, prefixes=prefixes)

    def _is_among(self, held: Collection[str], name: str, *, prefixes: bool) -> bool:
        """The same by the words of the name."""
        if self.is_whole:
            if self.text in held:
                return True
        elif self.parts and self.parts.issubset(held):
            return True
        if not (prefixes and self.begins):
            return False
        if self.anywhere:
            return self.text in name
        # Without accents the words of a name are parts of it.
        return (self.text in name or not name.isascii()) and any(
            each.startswith(self.text) for each in held)


@lru_cache(maxsize=5_000)
def word_of(text: str) -> Word:
    """A word of a question, as names are matched with it: many questions have the same."""
    parts, anywhere = frozenset(words(text)), needs_substring((text,))
    return Word(text, parts, parts == {text}, anywhere,
                bool(parts) and (anywhere or len(text) >= PREFIX))


@lru_cache(maxsize=20_000)
def words_of_name(name: str) -> frozenset[str]:
    """The words of a name: many questions look at the same names."""
    return frozenset(words(name))


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
        return words_of_name(self.name) - STOP_WORDS - self.said

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
        self.words = {word: word_of(word) for word in self.telling}
        self.whole = [frozenset(words(name)) - STOP_WORDS for name in whole_names]
        within = [self._within(whole) for whole in self.whole]
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
        return self.candidates({word.text: frozenset(
            n for n, name in enumerate(names) if word.is_in(name, prefixes=prefixes))
            for word in self.words.values()}, names.__getitem__, most)

    def candidates(
        self, sharing: Mapping[str, frozenset[int]], name_of: Callable[[int], str], most: float
    ) -> list[Candidate]:
        """The same where it is known which names share each word.

        Args:
            sharing: the places of the names, by the word.
            name_of: the name at a place.
        """
        sharing = {word: self._of_whole_names(word, found, name_of)
                   for word, found in sharing.items()}
        shared = _worth_a_look(sharing, most)
        sets = {asked: (frozenset(asked), len(reduce(and_, map(sharing.__getitem__, asked))),
                        self._said(asked)) for asked in set(shared.values())}
        return [Candidate(n, name_of(n), *sets[asked]) for n, asked in shared.items()
                if sets[asked][1] <= most]

    def in_order(self, asked: Collection[str]) -> str:
        """Shared words as a list, in the order of the question."""
        return ", ".join(word for word in self.telling if word in asked)

    def _within(self, whole: frozenset[str]) -> tuple[str, ...]:
        return tuple(word.text for word in self.words.values()
                     if word.parts and word.parts <= whole)

    def _of_whole_names(
        self, word: str, sharing: frozenset[int], name_of: Callable[[int], str]
    ) -> frozenset[int]:
        """The names that share a word, without those that have but a part of a whole name in the
        question."""
        for whole in self.whole:
            if self.words[word].parts <= whole:
                sharing = frozenset(
                    n for n in sharing if whole <= words_of_name(name_of(n)))
        return sharing

    def _said(self, asked: Collection[str]) -> frozenset[str]:
        return frozenset(part for word in asked for part in self.words[word].parts)


def _worth_a_look(
    sharing: Mapping[str, frozenset[int]], most: float
) -> dict[int, tuple[str, ...]]:
    """The words that each name shares, of those names that share one which at most so many do, or
    two."""
    telling, seen = set[int](), set[int]()
    for found in sharing.values():
        telling |= found if len(found) <= most else seen & found
        seen |= found
    words: dict[int, tuple[str, ...]] = dict.fromkeys(sorted(telling), ())
    for word, found in sharing.items():
        for n in found & telling:
            words[n] += (word,)
    return words
