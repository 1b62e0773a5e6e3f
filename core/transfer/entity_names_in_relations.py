"""Tells how relations spell the names of entities, and spells them as these do."""

from collections.abc import Iterable, Iterator, Sequence

from msgspec import Struct
from msgspec.structs import replace

from core.model.names import name_key
from core.store.disk_backed_collections import LongDict, TemporaryDatabase
from core.transfer.mcp_records import McpRelation
from core.transfer.record_notes import RecordNotes

TOGETHER = 1_000
"""Names of relations that are looked up together."""


class EntityDraft(Struct):
    """An entity while its records are being merged.

    `number` is its place among all, `count` how many observations it has.
    """

    name: str
    key: str
    line: int
    number: int
    count: int = 0
    entity_type: str = ""
    when: str | None = None
    description: str = ""
    fields: dict[str, None] | None = None
    pinned: bool = False
    muted: bool = False
    aliases: dict[str, None] | None = None
    """Made where there is one: a long file has very many entities."""

    def note(self, fields: str) -> None:
        """Keep what nothing else takes, as JSON."""
        self.fields = self.fields or {}
        self.fields[fields] = None


class _End(Struct, frozen=True):
    """A name at an end of a relation, and its line."""

    name: str
    line: int


class RelationNames:
    """The names at the ends of the relations of one file."""

    def __init__(
        self, database: TemporaryDatabase, entities: LongDict[EntityDraft], notes: RecordNotes
    ) -> None:
        """No names yet.

        Args:
            entities: those of the file so far, by key.
            notes: hear where a name is spelled otherwise.
        """
        self._entities, self._notes = entities, notes
        self._ids = LongDict(database, str)
        """The keys of entities by the keys of their ids."""
        self._ends = LongDict(database, _End)
        """How relations spell what no record before them has, by its key."""
        self._waiting: list[tuple[str, str, int]] = []
        """The keys, names and lines of the last ends, until they are looked up together."""

    def take_id(self, id: str, entity: str) -> None:
        """Relations may call the entity of this key by its id, given as its key, too."""
        if id and self._ids.get(id) is None:
            self._ids.add(id, entity)

    def note(self, key: str, name: str, line: int) -> None:
        """Take a name at the end of a relation."""
        self._waiting.append((key, name, line))
        if len(self._waiting) > TOGETHER:
            self.settle()

    def settle(self) -> None:
        """Say it where relations spell a name otherwise than what it leads to.

        To be called before an entity is added.
        """
        if not self._waiting:
            return
        entities = self._entities.some({key for key, *_ in self._waiting})
        for key, name, line in self._waiting:
            known = entities.get(key) or self._ends.get(key)
            if known is not None:
                self._notes.merge(name, known.name, "", "", line)
            else:
                self._ends.add(key, _End(name, line))
        self._waiting = []

    def note_entity(self, key: str, name: str) -> None:
        """Say it where relations have spelled the name of a new entity otherwise."""
        if (end := self._ends.get(key)) is not None:
            self._notes.merge(end.name, name, "", "", end.line)

    def spelled(self, some: Sequence[McpRelation]) -> Iterator[McpRelation]:
        """Relations with their names as their entities spell them."""
        names = self._spelling({name for item in some for name in (item.source, item.target)})
        for item in some:
            source, target = names[item.source], names[item.target]
            yield item if (source, target) == (item.source, item.target) else replace(
                item, source=source, target=target)

    def _spelling(self, names: Iterable[str]) -> dict[str, str]:
        """Each name as its entity spells it; the id of an entity stands for its name."""
        keys = {name: name_key(name) for name in names}
        entities = self._entities.some(set(keys.values()))
        ids = self._ids.some(keys.values() - entities.keys())
        by_id = self._entities.some(set(ids.values()))
        found = entities | {id: by_id[key] for id, key in ids.items() if key in by_id}
        return {name: found[key].name if key in found else name for name, key in keys.items()}
