"""Holds the observations of a file while it is read; those of a long file wait on the disk."""

import marshal
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence

from msgspec import Struct

from core.model.names import canonical
from core.model.vocabulary import OBSERVATIONS
from core.store import disk_backed_collections
from core.store.disk_backed_collections import LongSequence, TemporaryDatabase

_AHEAD = 2_000
"""Observations that are read together."""
CHARACTERS = 4_000_000
"""How long those that are in memory, or read together, are at most: one may have a million."""
_TABLE = "number INTEGER PRIMARY KEY, owner INTEGER, words INTEGER, data"


class Observation(Struct, frozen=True):
    """One fact about an entity, with its time where the file gives one."""

    text: str
    when: str | None = None
    source: str = ""
    """Fields that nothing else takes, as JSON; empty if there are none."""
    aspect: str = OBSERVATIONS
    kind: str = "attribute"
    """`attribute`, or `constraint` for what always applies."""
    tags: str = ""
    """The tags of its memory, as that has them: parted by commas."""

    @property
    def key(self) -> str:
        """The text in canonical form: two spellings of one fact are the same fact.

        Not kept: of a long file it would take as much memory as the text.
        """
        return canonical(self.text)


class ObservationStore:
    """The observations of one file by their owners, each owner's in the order in which they were
    read.

    Owners are numbers that grow: one that comes for the first time is larger than all before.
    """

    def __init__(self, database: TemporaryDatabase) -> None:
        self._database = database
        self._recent: dict[tuple[int, str], Observation] = {}
        """What is in memory only, by owner and words: everything, or what is written next."""
        self._characters = 0
        """How long these are."""
        self._by_owner: defaultdict[int, list[Observation]] = defaultdict(list)
        """Once all is read: what was never written."""
        self._table = ""
        self._ahead: dict[int, list[str | bytes]] = {}
        """What was read of the next owners, as it is written."""
        self._last_written = -1
        """The largest owner of which something is written: of later ones nothing is looked up."""

    @property
    def is_long(self) -> bool:
        """True once it does not stay in memory."""
        return bool(self._table)

    def add(self, owner: int, new: Observation, key: str) -> Observation:
        """Keep an observation, unless its owner has one of these words already.

        Returns the one that is kept, the new or the earlier.

        Args:
            key: the text in canonical form.
        """
        earlier = self._recent.get((owner, key))
        if earlier is None and owner <= self._last_written:
            earlier = self._written(owner, key)
        if earlier is not None:
            return earlier
        self._recent[owner, key] = new
        self._characters += len(key) + len(new.source)
        if (self._characters > CHARACTERS
                or len(self._recent) > disk_backed_collections.IN_MEMORY):
            self._write()
        return new

    def _written(self, owner: int, key: str) -> Observation | None:
        rows = self._database.execute(
            f"SELECT data FROM {self._table} WHERE owner = ? AND words = ?", (owner, hash(key)))
        known = (_decoded(data) for data, in rows.fetchall())
        return next((each for each in known if each.key == key), None)

    def ended(self) -> None:
        """Everything is read."""
        if self.is_long:
            self._write()
            return
        for (owner, _), each in self._recent.items():
            self._by_owner[owner].append(each)
        self._recent = {}

    def of(self, owner: int, count: int) -> Sequence[Observation]:
        """The observations of one owner, that has so many; of a long file they are read when
        asked for.
        """
        return _Stored(self, owner, count) if self.is_long else tuple(
            self._by_owner.get(owner, ()))

    def read(self, owner: int) -> Iterator[Observation]:
        """What is written of one owner; mostly the one after is asked for next."""
        if owner not in self._ahead:
            self._ahead = self._owners_from(owner)
        some: Iterable[str | bytes] | None = self._ahead.get(owner)
        return map(_decoded, self._of_one(owner) if some is None else some)

    def _of_one(self, owner: int) -> Iterator[str | bytes]:
        return (data for data, in self._database.execute(
            f"SELECT data FROM {self._table} WHERE owner = ? ORDER BY number", (owner,)))

    def _owners_from(self, owner: int) -> dict[int, list[str | bytes]]:
        """What is written of this owner and some after it; nothing of one that has very much."""
        rows = self._database.execute(
            f"SELECT owner, data FROM {self._table} WHERE owner >= ? ORDER BY owner, number"
            f" LIMIT {_AHEAD}", (owner,))
        found: dict[int, list[str | bytes]] = {}
        characters = 0
        for count, (each, data) in enumerate(rows, 1):
            found.setdefault(each, []).append(data)
            characters += len(data)
            if count == _AHEAD or characters > CHARACTERS:
                del found[each]  # There may be more of it.
                break
        return found

    def _write(self) -> None:
        if not self._table:
            self._table = self._database.table(_TABLE)
            self._database.execute(
                f"CREATE INDEX {self._table}_owner ON {self._table} (owner, words)")
        self._database.insert(self._table, ("owner", "words", "data"), (
            (owner, hash(key), _encoded(each)) for (owner, key), each in self._recent.items()))
        self._last_written = max(self._last_written, *(owner for owner, _ in self._recent), -1)
        self._recent, self._characters = {}, 0


class _Stored(LongSequence[Observation]):
    """The observations of one entity of a long file."""

    __slots__ = ("_count", "_owner", "_store")

    def __init__(self, store: ObservationStore, owner: int, count: int) -> None:
        self._store, self._owner, self._count = store, owner, count

    def __len__(self) -> int:
        return self._count

    def __iter__(self) -> Iterator[Observation]:
        return self._store.read(self._owner)


def _encoded(each: Observation) -> str | bytes:
    """An observation as it is stored: mostly it is a text and nothing else."""
    if each.when or each.source or each.aspect != OBSERVATIONS or (
            each.kind != "attribute" or each.tags):
        return marshal.dumps((each.text, each.when, each.source, each.aspect, each.kind,
                              each.tags))
    return each.text


def _decoded(data: str | bytes) -> Observation:
    return Observation(data) if isinstance(data, str) else Observation(*marshal.loads(data))
