"""Which names share words with a question that set them apart; the rest would be noise."""

from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from functools import lru_cache

from msgspec import Struct

from core.model.search_words import NO_NAMES, STOP_WORDS, words
from core.queries.entity_search import needs_substring
from core.queries.rows_to_model import text
from core.store.database import Row

SHORT_NAME = 3
"""Telling words of a name of which one is enough; a longer name must share two."""
PREFIX = 4
"""Letters from which the beginning of a name's word counts where nothing else is found."""
TIMES = 2
"""How many times as common a name's other words are, where the shared ones are its short form."""


class Candidate(Struct, frozen=True):
    """A name that shares words with the question, as asked and as the name holds them.

    Attributes:
        holders: how many names share the same words.
        said: the parts of the words that it shares.
    """

    row: Row
    asked: frozenset[str]
    holders: int
    said: frozenset[str]

    @property
    def others(self) -> frozenset[str]:
        """The further telling words of the name."""
        return _words_of(text(self.row["name"])) - STOP_WORDS - self.said

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

    def sharing(self, rows: Sequence[Row], *, prefixes: bool = False) -> list[Candidate]:
        """The names that share any telling word with the question, in the given order.

        Args:
            prefixes: the beginning of a name's word counts, too.
        """
        shared = [self._shared(text(row["name"]), prefixes) for row in rows]
        holders = _holders(shared)
        said = {asked: self._said(asked) for asked in holders}
        return [Candidate(row, asked, holders[asked], said[asked])
                for row, asked in zip(rows, shared, strict=True) if asked]

    def in_order(self, asked: Collection[str]) -> str:
        """Shared words as a list, in the order of the question."""
        return ", ".join(word for word in self.telling if word in asked)

    def _within(self, whole: frozenset[str]) -> tuple[str, ...]:
        return tuple(word for word, parts in self._parts.items() if parts and parts <= whole)

    def _shared(self, name: str, prefixes: bool) -> frozenset[str]:
        held = _words_of(name)
        common = {word for word, parts in self._parts.items()
                  if parts and (parts <= held or (prefixes and _begins(word, name, held)))}
        for whole in self._whole:
            if not whole <= held:
                common = {word for word in common if not self._parts[word] <= whole}
        return frozenset(common)

    def _said(self, asked: Collection[str]) -> frozenset[str]:
        return frozenset(part for word in asked for part in self._parts[word])


@lru_cache(maxsize=20_000)
def _words_of(name: str) -> frozenset[str]:
    """The words of a name: many questions look at the same names."""
    return frozenset(words(name))


def _begins(word: str, name: str, held: Collection[str]) -> bool:
    """True if a word of the name begins so, or holds it in a script that has no spaces."""
    if needs_substring((word,)):
        return word in name.lower()
    return len(word) >= PREFIX and any(each.startswith(word) for each in held)


def _holders(shared: Iterable[frozenset[str]]) -> dict[frozenset[str], int]:
    """For each set of words how many names have all of them."""
    counts = Counter(shared)
    return {some: sum(count for more, count in counts.items() if some <= more) for some in counts}
