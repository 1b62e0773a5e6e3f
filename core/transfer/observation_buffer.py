"""Holds the observations of a file while it is read; those of a long file wait on the disk."""

import marshal
import tempfile
import weakref
from array import array
from bisect import bisect_left
from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import BinaryIO, overload

from core.model.names import canonical
from core.model.vocabulary import OBSERVATIONS

IN_MEMORY = 10_000
"""Observations up to which all of them stay in memory, and that are written together."""
_BLOCK = 16_384
"""Bytes that are read together: mostly the next observations are among them."""
_FEW = 32
"""Observations of one entity that are looked through one by one."""
_PARTS = 32_768
_MORE = b"\0"
"""What an observation begins with that is more than a text: no text has this sign."""


@dataclass(frozen=True, slots=True)
class Observation:
    """One fact about an entity, with its time where the file gives one."""

    text: str
    when: str | None = None
    source: str = ""
    """Fields that nothing else takes, as JSON; empty if there are none."""
    aspect: str = OBSERVATIONS
    kind: str = "attribute"
    """`attribute`, or `constraint` for what always applies."""

    @property
    def key(self) -> str:
        """The text in canonical form: two spellings of one fact are the same fact.

        Not kept: of a long file it would take as much memory as the text.
        """
        return canonical(self.text)


@dataclass(slots=True)
class Owned:
    """The numbers of what one entity has."""

    owner: str
    numbers: "array[int]" = field(default_factory=lambda: array("I"))


class ObservationStore:
    """The observations of one file by their numbers, in the order in which they were read.

    Once there are more than `IN_MEMORY` they lie in a temporary file, which has no name and goes
    with the store.
    """

    def __init__(self) -> None:
        self._recent: list[Observation] = []
        """What is in memory only: everything, or what is written to the file next."""
        self._file: BinaryIO | None = None
        self._places = array("Q", (0,))
        """Where each observation of the file begins, and where the last one ends."""
        self._block, self._begins = b"", 0
        self._hashes = array("q")
        """Of the words of each observation, by its number."""
        self._seen: defaultdict[int, tuple[array[int], array[int]]] = defaultdict(
            lambda: (array("q"), array("I")))
        """The hashes and numbers of what entities with many observations have, in parts: arrays
        take a tenth of a dict."""

    @property
    def is_long(self) -> bool:
        """True once it does not stay in memory."""
        return self._file is not None

    def add(self, owned: Owned, new: Observation, key: str) -> Observation:
        """Keep an observation, unless its entity has one of these words already.

        Returns the one that is kept, the new or the earlier.

        Args:
            key: the text in canonical form.
        """
        words, own = hash((owned.owner, key)), owned.numbers
        for number in self._alike(own, words):
            earlier = self[number]
            if earlier.key == key:
                return earlier
        number = len(self._hashes)
        self._hashes.append(words)
        if len(own) > _FEW:
            self._note(words, number)
        own.append(number)
        if len(own) == _FEW + 1:
            for each in own:
                self._note(self._hashes[each], each)
        self._recent.append(new)
        if len(self._recent) > IN_MEMORY:
            self._write()
        return new

    def _alike(self, own: "array[int]", words: int) -> Iterator[int]:
        """The numbers of an entity's observations with this hash."""
        if len(own) <= _FEW:
            yield from (number for number in own if self._hashes[number] == words)
            return
        hashes, numbers = self._seen[words % _PARTS]
        if words in hashes:
            yield from (number for place, number in enumerate(numbers)
                        if hashes[place] == words and _holds(own, number))

    def _note(self, words: int, number: int) -> None:
        hashes, numbers = self._seen[words % _PARTS]
        hashes.append(words)
        numbers.append(number)

    def __getitem__(self, number: int) -> Observation:
        stored = len(self._places) - 1
        if number >= stored:
            return self._recent[number - stored]
        begin, end = self._places[number], self._places[number + 1]
        if not (self._begins <= begin and end <= self._begins + len(self._block)):
            self._block, self._begins = self._read(begin, max(_BLOCK, end - begin)), begin
        raw = self._block[begin - self._begins:end - self._begins]
        if raw[:1] == _MORE:
            return Observation(*marshal.loads(raw[1:]))
        return Observation(raw.decode())

    def of(self, owned: "array[int]") -> Sequence[Observation]:
        """The observations of one owner; those that are in the file are read when asked for."""
        if self.is_long:
            return _Stored(self, owned)
        return tuple(map(self._recent.__getitem__, owned))

    def ended(self) -> None:
        """Everything is read: what is there is not asked for any more."""
        self._seen.clear()
        self._hashes = array("q")
        if self.is_long:
            self._write()

    def _read(self, begin: int, size: int) -> bytes:
        assert self._file is not None
        self._file.seek(begin)
        return self._file.read(size)

    def _write(self) -> None:
        if self._file is None:
            self._file = tempfile.TemporaryFile(buffering=0)  # noqa: SIM115 (goes with this object)
            weakref.finalize(self, self._file.close)
        end, parts = self._places[-1], []
        for each in self._recent:
            parts.append(_encoded(each))
            end += len(parts[-1])
            self._places.append(end)
        self._file.seek(0, 2)
        self._file.write(b"".join(parts))
        self._recent = []


class _Stored(Sequence[Observation]):
    """The observations of one entity of a long file."""

    __slots__ = ("_owned", "_store")

    def __init__(self, store: ObservationStore, owned: "array[int]") -> None:
        self._store, self._owned = store, owned

    def __len__(self) -> int:
        return len(self._owned)

    @overload
    def __getitem__(self, place: int) -> Observation: ...
    @overload
    def __getitem__(self, place: slice) -> Sequence[Observation]: ...
    def __getitem__(self, place: int | slice) -> Observation | Sequence[Observation]:
        if isinstance(place, slice):
            return _Stored(self._store, self._owned[place])
        return self._store[self._owned[place]]

    def __iter__(self) -> Iterator[Observation]:
        return map(self._store.__getitem__, self._owned)


def _encoded(each: Observation) -> bytes:
    """An observation as bytes: mostly it is a text and nothing else."""
    if each.when or each.source or each.aspect != OBSERVATIONS or each.kind != "attribute":
        more = (each.text, each.when, each.source, each.aspect, each.kind)
        return _MORE + marshal.dumps(more)
    return each.text.encode()


def _holds(numbers: "array[int]", number: int) -> bool:
    """True if a growing list of numbers has this one."""
    place = bisect_left(numbers, number)
    return place < len(numbers) and numbers[place] == number
