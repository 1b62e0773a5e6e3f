"""Decides which names stand for one thing, from the same letters to shared neighbours.

Each step of strictness adds one way to match (as OpenRefine's key collision and nearest neighbour
methods). None compares all names with each other: names meet in the buckets of their keys.
"""

import unicodedata
from collections import Counter, defaultdict
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import combinations
from typing import get_args

from rapidfuzz.distance import OSA

from core.health.config import Strictness
from core.ingest.name_quality import UNTYPED, clean_name, type_word
from core.model.names import name_key

LEVELS: tuple[str, ...] = get_args(Strictness)
"""The strictest first; each takes what those before it take."""
MEANING = {
    "exact": "have the same name",
    "punctuation": "differ only in punctuation, spaces or capitals",
    "aliases": "share another name",
    "words": "have the same words in another order or form",
    "spelling": "differ by one letter or two",
    "neighbours": "have similar names and the same neighbours",
}
"""What two names have in common, by the level that matched them."""
Neighbours = Mapping[str, Collection[str]]
Pair = tuple[int, int]

_ARTICLES = frozenset(("the", "a", "an", "der", "die", "das", "le", "la", "les"))
_ORDERED = frozenset((
    "to", "from", "of", "in", "on", "for", "by", "vs", "versus", "before", "after", "with",
    "without", "over", "under", "into"))
"""With one of these the order of words carries the meaning."""
_MEANT = "+#@&%$"
"""Signs that tell names apart: C, C++ and C# are three languages."""
_SHORTEST, _LONG = 5, 9
"""Letters of a word from which one slip, and two, make it no other word."""
_CROWD = 60
"""A word of more names than this says nothing about which two are one."""
_SHARED, _OVERLAP = 2, 0.5
"""Neighbours that two must share, and their least share of all neighbours of the two."""


@dataclass(frozen=True)
class Named:
    """An entity as its names tell it.

    Attributes:
        aliases: its other names.
        rank: the highest of a group gives the group its name.
    """

    id: str
    name: str
    entity_type: str = ""
    aliases: tuple[str, ...] = ()
    rank: tuple[float, ...] = ()

    @cached_property
    def key(self) -> str:
        """What it is known by."""
        return name_key(self.name)

    @cached_property
    def letters(self) -> str:
        """Its name without punctuation."""
        return letters_of(self.name)

    @cached_property
    def words(self) -> tuple[str, ...]:
        """Its words without accents, articles and the s of the possessive."""
        return words_of(self.name)


@dataclass(frozen=True, slots=True)
class Group:
    """Entities that seem to be one: the one to merge into, the others, and what says so."""

    target: Named
    sources: tuple[Named, ...]
    level: str


def letters_of(name: str) -> str:
    """The letters, digits and meant signs of a name; what parts two digits, or begins it, stays.

    `Harbor-Ledger` and `harbor ledger` are one, `1.2` and `12`, `.env` and `env` are not.
    """
    key = name_key(clean_name(name))
    kept: list[str] = []
    gap = ""
    for sign in key:
        if sign.isalnum() or sign in _MEANT or unicodedata.category(sign) in ("Mn", "Mc"):
            if gap and (kept[-1].isdigit() and sign.isdigit() if kept else gap == "."):
                kept.append(".")
            kept.append(sign)
            gap = ""
        else:
            gap += sign
    return "".join(kept)


def words_of(name: str) -> tuple[str, ...]:
    """The words of a name as two spellings of it share them."""
    key = name_key(clean_name(name)).replace("’s ", " ").replace("'s ", " ")
    plain = "".join(sign for sign in unicodedata.normalize("NFD", key)
                    if unicodedata.category(sign) != "Mn")
    parted = "".join(sign if sign.isalnum() or sign in _MEANT else " " for sign in plain)
    words = tuple(parted.split())
    return tuple(word for word in words if word not in _ARTICLES) or words


def duplicates(
    named: Sequence[Named], strictness: str,
    neighbours: Callable[[], Neighbours] = dict,
) -> list[Group]:
    """Groups of names that stand for one thing, each entity in one group at most.

    All sources of a group match its target itself: likeness is not passed on.

    Args:
        neighbours: asked at the last level only: the ids that each id is linked with.
    """
    levels: dict[Pair, str] = {}
    matched: defaultdict[int, list[int]] = defaultdict(list)
    for level in LEVELS[:LEVELS.index(strictness) + 1]:
        for one, other in _PAIRS[level](named, neighbours):
            pair = (min(one, other), max(one, other))
            if one != other and pair not in levels and _fits(named[one], named[other], level):
                levels[pair] = level
                matched[one].append(other)
                matched[other].append(one)
    return list(_stars(named, matched, levels))


def _stars(
    named: Sequence[Named], matched: Mapping[int, list[int]], levels: Mapping[Pair, str]
) -> Iterator[Group]:
    taken: set[int] = set()
    for target in sorted(matched, key=lambda row: (named[row].rank, -row), reverse=True):
        if target in taken:
            continue
        sources = [row for row in matched[target] if row not in taken]
        if sources:
            taken.update((target, *sources))
            widest = max((levels[min(target, row), max(target, row)] for row in sources),
                         key=LEVELS.index)
            yield Group(named[target], tuple(named[row] for row in sources), widest)


def _fits(one: Named, other: Named, level: str) -> bool:
    """Names that only resemble each other stand for one thing only where their types agree."""
    if level in ("exact", "punctuation", "aliases"):
        return True
    types = {type_word(one.entity_type), type_word(other.entity_type)}
    return len(types) == 1 or bool(types & UNTYPED)


def _met(buckets: Iterable[Sequence[int]]) -> Iterator[Pair]:
    for rows in buckets:
        if 1 < len(rows) <= _CROWD:
            yield from combinations(rows, 2)
        elif rows:
            yield from ((rows[0], row) for row in rows[1:])


def _by(named: Sequence[Named], key: Callable[[Named], object]) -> Iterator[Pair]:
    buckets: defaultdict[object, list[int]] = defaultdict(list)
    for row, one in enumerate(named):
        if found := key(one):
            buckets[found].append(row)
    return _met(buckets.values())


def _exact(named: Sequence[Named], neighbours: object) -> Iterator[Pair]:
    return _by(named, lambda one: one.key)


def _punctuation(named: Sequence[Named], neighbours: object) -> Iterator[Pair]:
    return _by(named, lambda one: one.letters)


def _aliases(named: Sequence[Named], neighbours: object) -> Iterator[Pair]:
    """One is called what the other is also called, or both are also called so."""
    buckets: defaultdict[str, list[int]] = defaultdict(list)
    for row, one in enumerate(named):
        for alias in one.aliases:
            if letters := letters_of(alias):
                buckets[letters].append(row)
    for row, one in enumerate(named):
        if one.letters in buckets:
            buckets[one.letters].append(row)
    return _met(buckets.values())


def _words(named: Sequence[Named], neighbours: object) -> Iterator[Pair]:
    def key(one: Named) -> tuple[str, ...] | None:
        words = one.words
        numbers = tuple(word for word in words if word.isdigit())
        if len(numbers) > 1 or not _ORDERED.isdisjoint(words):
            return words
        return tuple(sorted(words))

    return _by(named, key)


def _spelling(named: Sequence[Named], neighbours: object) -> Iterator[Pair]:
    """One word of the two is spelled otherwise, and in one of them it is a word of its own."""
    known = Counter(word for one in named for word in set(one.words))
    buckets: defaultdict[tuple[str, ...], list[int]] = defaultdict(list)
    for row, one in enumerate(named):
        for place, word in enumerate(one.words):
            if len(word) >= _SHORTEST and word.isalpha():
                for short in {word, *(word[:cut] + word[cut + 1:] for cut in range(1, len(word)))}:
                    buckets[*one.words[:place], f"{short}*", *one.words[place + 1:]].append(row)
    seen: set[Pair] = set()
    for pair in _met(buckets.values()):
        if pair not in seen and pair[0] != pair[1]:
            seen.add(pair)
            if _slip(named[pair[0]].words, named[pair[1]].words, known):
                yield pair


def _slip(one: tuple[str, ...], other: tuple[str, ...], known: Mapping[str, int]) -> bool:
    """True if they differ in one word, by a slip of the pen."""
    apart = [(a, b) for a, b in zip(one, other, strict=False) if a != b]
    if len(one) != len(other) or len(apart) != 1:
        return False
    first, second = apart[0]
    shorter = min(len(first), len(second))
    most = 2 if shorter >= _LONG else 1
    return (shorter >= _SHORTEST and first[0] == second[0]
            and min(known[first], known[second]) == 1
            and OSA.distance(first, second, score_cutoff=most) <= most)


def _neighbours(named: Sequence[Named], neighbours: Callable[[], Neighbours]) -> Iterator[Pair]:
    """One name is a part or the initials of the other, and both stand in one company."""
    near = neighbours()
    for one, other in set(_alike(named)):
        mine, theirs = near.get(named[one].id, ()), near.get(named[other].id, ())
        shared = len(set(mine) & set(theirs))
        apart = named[other].id not in mine
        if apart and shared >= _SHARED and shared >= _OVERLAP * len({*mine, *theirs}):
            yield one, other


def _alike(named: Sequence[Named]) -> Iterator[Pair]:
    by_word: defaultdict[str, list[int]] = defaultdict(list)
    for row, one in enumerate(named):
        for word in set(one.words):
            by_word[word].append(row)
    for row, one in enumerate(named):
        rarest = min((by_word[word] for word in one.words), key=len, default=[])
        if len(rarest) <= _CROWD:
            yield from ((row, other) for other in rarest if other != row
                        and _part_of(one.words, named[other].words))
        if len(one.words) > 1:
            initials = "".join(word[0] for word in one.words)
            for other in by_word.get(initials, ())[:_CROWD]:
                if named[other].words == (initials,):
                    yield row, other


def _part_of(one: tuple[str, ...], other: tuple[str, ...]) -> bool:
    """True if all words of one are among the other's, and no number is among the rest."""
    rest = Counter(other) - Counter(one)
    return (len(one) < len(other) and sum(rest.values()) == len(other) - len(one)
            and not any(sign.isdigit() for word in rest for sign in word))


_PAIRS: Mapping[str, Callable[[Sequence[Named], Callable[[], Neighbours]], Iterator[Pair]]] = {
    "exact": _exact, "punctuation": _punctuation, "aliases": _aliases, "words": _words,
    "spelling": _spelling, "neighbours": _neighbours,
}
