"""Finds the entities that the names of an import mean, and makes those that are not there."""

from collections.abc import Iterable
from typing import Any

from msgspec import Struct

from core.model.names import name_key
from core.model.vocabulary import NAMED_ONLY, OBSERVATIONS
from core.transfer import import_queries
from core.transfer.import_context import KIND, ImportContext
from core.transfer.mcp_records import McpProblem

_ENTITY = ("id", "name", "canonical_name", "entity_type", "description", "mentions", "created_at",
           "updated_at", "source_id", "pinned", "pinned_at")
CACHED = 30_000
"""Names that are remembered from one portion to the next."""
CHARACTERS = 2_000_000
"""How long those are at most that are remembered before they are asked for."""


class KnownEntity(Struct):
    """An entity as the graph has it, or as it is about to be made."""

    id: str
    name: str
    entity_type: str
    new: bool = False
    archived: bool = False
    named_only: bool = False
    aspect: str = ""
    """The aspect of its observations; empty if it has none, or that is archived."""
    others: dict[str, str] | None = None
    """Its further aspects by their canonical names."""
    archived_aspects: tuple[str, ...] = ()
    description: str = ""
    values: set[bytes] | None = None
    """Hashes of what it holds already, whatever its status; None if not looked up."""

    def aspect_of(self, name: str) -> str:
        """The id of an aspect by its canonical name; empty if it has none of that name."""
        return self.aspect if name == OBSERVATIONS else (self.others or {}).get(name, "")

    def take_aspect(self, name: str, id: str) -> None:
        """Remember where the facts of this aspect are."""
        if name == OBSERVATIONS:
            self.aspect = id
        else:
            self.others = (self.others or {}) | {name: id}


class KnownEntities:
    """The entities that some names mean, by their keys: those of one portion of an import."""

    def __init__(self, context: ImportContext) -> None:
        self._context, self._writer = context, context.writer
        self._by_key: dict[str, KnownEntity] = {}
        self._learned = 0
        """How long the names are that `learn_new` was given."""
        self._taken: set[str] = set()
        """Names that another agent has, in a file that allows each only once."""
        self._new: list[tuple[Any, ...]] = []
        """What is new, in few words, until it is written as a row."""
        self.descriptions: dict[str, str] = {}
        """What new entities are, by their ids."""
        self.pinned: set[str] = set()
        """The new entities that the file has pinned."""
        self.muted: set[str] = set()
        """The same of those that it has muted."""

    def forget(self) -> None:
        """Forget what was looked up and made: others may change it in between."""
        self._by_key, self._taken, self.descriptions = {}, set(), {}
        self.pinned, self.muted = set(), set()

    def look_up(self, keys: Iterable[str]) -> None:
        """Look up names: as a name, as one that was renamed, as an alias.

        Several names may lead to one entity: those that a person has merged.
        """
        if len(self._by_key) > CACHED:
            self.forget()
        by_id: dict[str, KnownEntity] = {}
        wanted = sorted(set(keys) - self._by_key.keys())
        for statement in import_queries.LOOKUPS if wanted else ():
            for row in self._writer.rows(statement, names=wanted, kind=KIND):
                known = by_id.setdefault(row["id"], KnownEntity(
                    row["id"], str(row["called"]), str(row["entity_type"]),
                    archived=row["status"] == "archived",
                    named_only=row["description"] == NAMED_ONLY,
                    description=str(row["description"] or "")))
                self._by_key.setdefault(name_key(str(row["name"])), known)
        if self._writer.kind != "native":
            self._taken = {name_key(row["name"]) for row in self._writer.rows(
                import_queries.OTHERS, names=wanted)}

    def learn_new(self, other: "KnownEntities") -> None:
        """Remember what is made there, unless too much is remembered already."""
        made = {key: known for key, known in other._by_key.items() if known.new}
        self._learned += sum(map(len, made))
        if len(self._by_key) < CACHED and self._learned <= CHARACTERS:
            self._by_key |= made

    def get(self, key: str) -> KnownEntity | None:
        """The entity that a name means, None if there is none."""
        return self._by_key.get(key)

    def call(self, key: str, known: KnownEntity) -> None:
        """Another name means this entity as well."""
        self._by_key[key] = known

    def known(self) -> dict[str, KnownEntity]:
        """Those of the graph, by id."""
        return {known.id: known for known in self._by_key.values() if not known.new}

    def get_or_make(
        self, name: str, key: str, entity_type: str, when: str | None, line: int, *,
        note: str | None = None, mentions: int = 0, told: bool = False,
    ) -> KnownEntity | None:
        """The entity of this name, made if there is none; None if it may not be touched.

        Args:
            note: what describes a new one.
            mentions: how many memories a new one is named in.
            told: it was said before where another agent has this name.
        """
        context, known = self._context, self._by_key.get(key)
        if known is None and key in self._taken:
            known = self._by_key[key] = KnownEntity("", name, entity_type, archived=True)
            if told:
                return None
            context.problems.append(McpProblem(
                line, "name", f"another agent has this name: {name}"))
        if known is None:
            known = self._by_key[key] = KnownEntity(
                next(context.ids), name, entity_type, new=True)
            self._new.append((known, name, key, context.time(when), note, mentions))
            context.count["entities_new"] += 1
        if known.archived:
            context.count["skipped"] += 1
            return None
        return known

    def describe(self, known: KnownEntity, entity_type: str, description: str) -> None:
        """Give type and description to an entity that only a relation had named before."""
        known.entity_type, known.named_only = entity_type, False
        self.descriptions[known.id] = description
        self._writer.update("entities", known.id, entity_type=entity_type,
                            description=description or None, updated_at=self._writer.now())

    def write_new(self) -> None:
        """Write the entities that were made."""
        self._writer.insert_rows(
            "entities", _ENTITY, [*map(self._row, self._new)], agent_id=self._writer.agent,
            source=KIND, **self._context.source())
        for id in sorted(self.muted):
            self._writer.mute(id, self._writer.now())
        self._new = []

    def _row(self, item: tuple[Any, ...]) -> tuple[object, ...]:
        known, name, key, at, note, mentions = item
        pinned = known.id in self.pinned
        return (known.id, name, self._writer.stored_key(name), known.entity_type,
                note or self.descriptions.get(known.id), mentions, at, at, key, int(pinned),
                self._writer.now() if pinned else None)
