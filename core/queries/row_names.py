"""Names of rows by id, whatever their status: for texts about rows that may be deleted."""

from collections.abc import Collection, Iterable, Mapping

from msgspec import Struct, field

from core.model.changes import RowChange
from core.queries.rows_to_model import text
from core.store.database import Row
from core.store.reader_and_writer import Reader

_ENTITIES = """
SELECT id, name FROM entities
WHERE id IN (SELECT value FROM json_each(:ids)) AND +agent_id = :agent"""
_ASPECTS = """
SELECT id, name, entity_id FROM entity_aspects
WHERE id IN (SELECT value FROM json_each(:ids)) AND +agent_id = :agent"""


class Labels(Struct, frozen=True):
    """What the ids in some rows are called."""

    entities: Mapping[str, str] = field(default_factory=dict)
    aspects: Mapping[str, str] = field(default_factory=dict)
    owners: Mapping[str, str] = field(default_factory=dict)
    """The entity id of each aspect id."""

    def entity(self, entity_id: object) -> str:
        return self.entities.get(text(entity_id)) or "a deleted entity"

    def aspect(self, aspect_id: object) -> str:
        return self.aspects.get(text(aspect_id), "")

    def owner(self, aspect_id: object) -> str:
        """The id of the entity that an aspect belongs to."""
        return self.owners.get(text(aspect_id), "")


def labels_of(reader: Reader, changes: Iterable[RowChange]) -> Labels:
    """The names of every entity and aspect that the changed rows refer to.

    A row of a dry run is not in the file: its name is taken from the change.
    """
    # Also of where a row was before; what is called otherwise after it goes by the new name.
    rows = [(change.table, row) for change in changes
            for row in (change.before, change.after) if row]
    entities = {text(row["id"]): text(row.get("name"))
                for table, row in rows if table == "entities"}
    made = {text(row["id"]): row for table, row in rows if table == "entity_aspects"}
    aspect_ids = {text(row.get("aspect_id")) for _, row in rows} - set(made)
    aspects = {key: text(row.get("name")) for key, row in made.items()}
    owners = {key: text(row.get("entity_id")) for key, row in made.items()}
    for row in _by_id(reader, _ASPECTS, aspect_ids):
        aspects[row["id"]], owners[row["id"]] = text(row["name"]), row["entity_id"]
    wanted = {text(row.get(key)) for _, row in rows
              for key in ("entity_id", "source_entity_id", "target_entity_id")}
    for row in _by_id(reader, _ENTITIES, (wanted | set(owners.values())) - set(entities)):
        entities[row["id"]] = text(row["name"])
    return Labels(entities, aspects, owners)


def _by_id(reader: Reader, statement: str, ids: Collection[str]) -> list[Row]:
    wanted = sorted(set(ids) - {""})
    return reader.rows(statement, ids=wanted) if wanted else []
