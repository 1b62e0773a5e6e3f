"""Decides which names stand for one thing, from the same letters to shared neighbours.

Each step of strictness adds one way to match (as OpenRefine's key collision and nearest neighbour
methods). None compares all names with each other: names meet in the buckets of their keys.
"""

import re
import unicodedata
from collections import Counter, defaultdict
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from functools import cached_property
from itertools import combinations
from typing import get_args

from msgspec import Struct
from rapidfuzz.distance import OSA

from core.health.name_match_strictness import Strictness
from core.ingest.name_quality import UNTYPED, clean_name, type_word
from core.model.names import name_key, spelled_out

LEVELS: tuple[str, ...] = get_args(Strictness)
"""The strictest first; each takes what those before it take."""
MEANING = {
    "exact": "have the same name",
    "punctuation": "differ only in punctuation, spaces or capitals",
    "aliases": "share another name",
    "words": "have the same words in another order, form or spelling",
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
_LEGAL_FORMS = frozenset((
    "gmbh", "mbh", "ag", "kg", "ug", "ohg", "inc", "incorporated", "ltd", "limited", "llc", "llp",
    "plc", "corp", "corporation", "sarl", "srl", "bv", "nv", "oy", "pty"))
_PROJECT = "project"
"""What people put before a name, of whatever type."""
_MEANT = "+#"
"""Signs that tell names apart: C, C++ and C# are three languages."""
_OTHER = rf"[^\w{re.escape(_MEANT)}\0.]|_"
_POSSESSIVE = re.compile(r"['\u2019]s(?=\s|$)")
_BETWEEN_DIGITS = re.compile(rf"(?<=\d)(?:{_OTHER}|\.)+(?=\d)")
_BETWEEN = re.compile(rf"(?:{_OTHER})+|(?<!\d)\.+|\.+(?!\d)")
_WORDS = re.compile(rf"(?:^\.)?[^\W_]+[{re.escape(_MEANT)}]*|[{re.escape(_MEANT)}]+")
_SHORTEST, _MIDDLING, _LONG = 5, 7, 10
"""Letters of a word from which two that changed places, a wrong or missing one, and two slips make
it no other word."""
_CROWD = 60
"""A word of more names than this says nothing about which two are one."""
_SHARED, _OVERLAP = 2, 0.5
"""Neighbours that two must share, and their least share of all neighbours of the two."""


class Named(Struct, frozen=True):
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


class _Names:
    """What is compared of all entities, each column made when a level first needs it."""

    def __init__(self, named: Sequence[Named], neighbours: Callable[[], Neighbours]) -> None:
        self.named, self.neighbours = named, neighbours

    @cached_property
    def keys(self) -> list[str]:
        """Their names in canonical form."""
        return [name_key(one.name) for one in self.named]

    @cached_property
    def clean(self) -> list[str]:
        """What they are known by, without marks of formatting."""
        return [key if (shown := clean_name(one.name)) == one.name else name_key(shown)
                for one, key in zip(self.named, self.keys, strict=True)]

    @cached_property
    def letters(self) -> list[str]:
        """Their names without punctuation."""
        return list(map(_letters, self.clean))

    @cached_property
    def words(self) -> list[tuple[str, ...]]:
        """Their words without accents, articles and the s of the possessive."""
        return list(map(_words, self.clean))

    @cached_property
    def spelled_out(self) -> list[tuple[str, ...]]:
        """The same with `oe` for `ö` and `ss` for `ß`, where it could be written so."""
        return [words if key.isascii() else _words(spelled_out(key))
                for key, words in zip(self.clean, self.words, strict=True)]


class Group(Struct, frozen=True):
    """Entities that seem to be one: the one to merge into, the others, and what says so."""

    target: Named
    sources: tuple[Named, ...]
    level: str


def letters_of(name: str) -> str:
    """The letters, digits and meant signs of a name; what parts two digits, or begins it, stays.

    `Harbor-Ledger` and `harbor ledger` are one, `1.2` and `12`, `.env` and `env` are not.
    """
    return _letters(name_key(clean_name(name)))


def _letters(key: str) -> str:
    together = key.replace(" ", "")
    if together.isalpha():
        return together
    marked = f"\0{key[1:]}" if key.startswith(".") else key
    return _BETWEEN.sub("", _BETWEEN_DIGITS.sub(".", marked)).replace("\0", ".")


def _words(key: str) -> tuple[str, ...]:
    """The words of a name as two spellings of it share them."""
    plain = key if key.isascii() else "".join(
        sign for sign in unicodedata.normalize("NFD", key) if unicodedata.category(sign) != "Mn")
    words = _WORDS.findall(_POSSESSIVE.sub("", plain))
    return tuple([word for word in words if word not in _ARTICLES]) or tuple(words)


def duplicates(
    named: Sequence[Named], strictness: str,
    neighbours: Callable[[], Neighbours] = dict,
) -> list[Group]:
    """Groups of names that stand for one thing, each entity in one group at most.

    All sources of a group match its target itself: likeness is not passed on.

    Args:
        neighbours: asked at the last level only: the ids that each id is linked with.
    """
    names = _Names(named, neighbours)
    levels: dict[Pair, str] = {}
    matched: defaultdict[int, list[int]] = defaultdict(list)
    for level in LEVELS[:LEVELS.index(strictness) + 1]:
        for one, other in _PAIRS[level](names):
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


def _by(keys: Iterable[object]) -> Iterator[Pair]:
    buckets: defaultdict[object, list[int]] = defaultdict(list)
    for row, key in enumerate(keys):
        if key:
            buckets[key].append(row)
    return _met(buckets.values())


def _exact(names: _Names) -> Iterator[Pair]:
    return _by(names.keys)


def _punctuation(names: _Names) -> Iterator[Pair]:
    return _by(names.letters)


def _aliases(names: _Names) -> Iterator[Pair]:
    """One is called what the other is also called, or both are also called so."""
    buckets: defaultdict[str, list[int]] = defaultdict(list)
    for row, one in enumerate(names.named):
        for alias in one.aliases:
            if letters := letters_of(alias):
                buckets[letters].append(row)
    for row, letters in enumerate(names.letters):
        if letters in buckets:
            buckets[letters].append(row)
    return _met(buckets.values())


def _same_words(names: _Names) -> Iterator[Pair]:
    def key(words: tuple[str, ...]) -> tuple[str, ...]:
        numbers = sum(map(str.isdigit, words))
        in_order = numbers > 1 or not _ORDERED.isdisjoint(words)
        return words if in_order else tuple(sorted(words))

    yield from _by(map(key, names.words))
    yield from _by(map(key, names.spelled_out))
    yield from _by(map(_bare_letters, names.words, names.named))


def _bare_letters(words: tuple[str, ...], one: Named) -> str:
    """The letters of a name without its legal form and what kind of thing it is, empty for few.

    `Project Tidepool` is `Tidepool`, `NordlichtSoftware GmbH` is `Nordlicht Software`.
    """
    kinds = (_PROJECT, type_word(one.entity_type))
    while len(words) > 1 and words[-1] in _LEGAL_FORMS:
        words = words[:-1]
    if len(words) > 1 and words[0] in kinds:
        words = words[1:]
    elif len(words) > 1 and words[-1] in kinds:
        words = words[:-1]
    letters = "".join(words)
    return letters if letters.isalpha() and len(letters) >= _SHORTEST else ""


def _spelling(names: _Names) -> Iterator[Pair]:
    """One word of the two is spelled otherwise, and in one of them it is a word of its own."""
    counts = Counter(word for words in names.words for word in set(words))
    called: defaultdict[tuple[str, ...], list[int]] = defaultdict(list)
    holding: defaultdict[str, list[int]] = defaultdict(list)
    for row, words in enumerate(names.words):
        called[words].append(row)
        for word in words:
            if counts[word] == 1:
                holding[word].append(row)
    for rare, other in _slips(counts):
        for row in holding[rare]:
            words = tuple(other if word == rare else word for word in names.words[row])
            yield from ((row, twin) for twin in called.get(words, ())[:_CROWD])


def _slips(counts: Mapping[str, int]) -> Iterator[tuple[str, str]]:
    """Words of one name, each with a word that a slip of the pen makes of it."""
    buckets: defaultdict[str, list[str]] = defaultdict(list)
    for word in counts:
        if len(word) >= _SHORTEST and word.isalpha():
            for short in {word, *(word[:cut] + word[cut + 1:] for cut in range(1, len(word)))}:
                buckets[short].append(word)
    for words in buckets.values():
        for one, other in combinations(words[:_CROWD], 2):
            if min(counts[one], counts[other]) == 1 and _is_slip(one, other):
                yield (one, other) if counts[one] == 1 else (other, one)


def _is_slip(one: str, other: str) -> bool:
    """True if a hand that slipped wrote one for the other, inside of the word.

    The ends make other words (`encode`, `encoder`), and so does a letter in the place of another
    in a short one (`rover`, `river`). Two letters that changed places, or one too many of a
    doubled letter, are slips in any word.
    """
    short, long = sorted((one, other), key=len)
    if len(short) < _SHORTEST or one[0] != other[0] or one[-1] != other[-1]:
        return False
    if len(short) >= _LONG:
        return OSA.distance(one, other, score_cutoff=2) <= 2
    start = next((place for place, (a, b) in enumerate(zip(short, long, strict=False)) if a != b),
                 len(short))
    if len(short) == len(long):
        swapped = short[start + 1] == long[start] and short[start] == long[start + 1]
        rest = start + (2 if swapped else 1)
        return (swapped or len(short) >= _MIDDLING) and short[rest:] == long[rest:]
    doubled = long[start] == long[start - 1]
    return (doubled or len(short) >= _MIDDLING) and short[start:] == long[start + 1:]


def _neighbours(names: _Names) -> Iterator[Pair]:
    """One name is a part or the initials of the other, and both stand in one company."""
    near, named = names.neighbours(), names.named
    for one, other in set(_alike(names.words)):
        mine, theirs = near.get(named[one].id, ()), near.get(named[other].id, ())
        shared = len(set(mine) & set(theirs))
        apart = named[other].id not in mine
        if apart and shared >= _SHARED and shared >= _OVERLAP * len({*mine, *theirs}):
            yield one, other


def _alike(words: Sequence[tuple[str, ...]]) -> Iterator[Pair]:
    by_word: defaultdict[str, list[int]] = defaultdict(list)
    for row, mine in enumerate(words):
        for word in set(mine):
            by_word[word].append(row)
    for row, mine in enumerate(words):
        rarest = min((by_word[word] for word in mine), key=len, default=[])
        if len(rarest) <= _CROWD:
            yield from ((row, other) for other in rarest
                        if other != row and _part_of(mine, words[other]))
        initials = "".join(word[0] for word in mine)
        if len(mine) > 1:
            yield from ((row, other) for other in by_word.get(initials, ())[:_CROWD]
                        if words[other] == (initials,))


def _part_of(one: tuple[str, ...], other: tuple[str, ...]) -> bool:
    """True if all words of one are among the other's, and no number is among the rest."""
    rest = Counter(other) - Counter(one)
    return (len(one) < len(other) and sum(rest.values()) == len(other) - len(one)
            and not any(sign.isdigit() for word in rest for sign in word))


_PAIRS: Mapping[str, Callable[[_Names], Iterator[Pair]]] = {
    "exact": _exact, "punctuation": _punctuation, "aliases": _aliases, "words": _same_words,
    "spelling": _spelling, "neighbours": _neighbours,
}
