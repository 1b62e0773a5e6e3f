"""Operations on the other names of an entity: create, archive."""

from pydantic import Field

from core.errors import OperationError
from core.model.names import name_key
from core.ontology import wording
from core.ontology.change_provenance import Provenance
from core.ontology.payload_base import ENTITY, OperationInfo, Payload, Result, Share, Text, called
from core.ontology.row_reference_fields import AliasName, EntityName
from core.queries.find_by_name_or_id import find_entity, match_entities
from core.store.database import Row
from core.store.reader_and_writer import Reader, Writer, new_id

_OF_ENTITY = ("SELECT * FROM entity_aliases WHERE agent_id = :agent AND entity_id = :entity"
              " AND (canonical_alias = :key OR id = :id) ORDER BY status, id")


class _OneAlias(Payload):
    """An entity, and a name of it."""

    entity: EntityName = Field(validation_alias=ENTITY, description="The entity's name or id")

    def title(self, reader: Reader) -> str:
        alias = wording.quoted(getattr(self, "alias", ""), 40)
        return f"{self.verb} alias {alias} of {wording.short(self.subject(reader), 40)}"


class CreateAlias(_OneAlias):
    """What `create_alias` takes."""

    info = OperationInfo(line="Add alias {new}", past={"Add": "Added"}, beside=True)

    alias: Text = Field(validation_alias=called("alias", "name"), description="The other name")
    confidence: Share = Field(None, description="Confidence, 0 to 1; 1, if left out")
    source: Text | None = Field(None, description="Where the name comes from")

    def sentence(self, reader: Reader) -> str:
        return (f"Let {wording.quoted(self.alias)} lead to"
                f" {wording.quoted(self.subject(reader))}.")


def create_alias(writer: Writer, fields: CreateAlias, provenance: Provenance) -> Result:
    """Give an entity another name: it is found and mentioned by it.

    A name that leads to another entity is refused (409). One that was archived comes back.
    """
    entity = find_entity(writer, fields.entity, field="entity")
    _refuse_held(writer, fields.alias, entity)
    old = writer.row(_OF_ENTITY, entity=entity["id"], key=name_key(fields.alias), id="")
    given: dict[str, object] = {"alias": fields.alias, "status": "active",
                                "updated_at": writer.now()}
    given |= {name: value for name, value in (
        ("confidence", fields.confidence), ("source", fields.source)) if value is not None}
    if old is not None:
        alias_id = old["id"]
        writer.update("entity_aliases", alias_id, **given)
    else:
        alias_id = new_id()
        writer.insert("entity_aliases", **{
            "id": alias_id, "entity_id": entity["id"], "agent_id": writer.agent,
            "canonical_alias": writer.stored_key(fields.alias), "confidence": 1.0,
            "source": writer.actor, "created_at": writer.now(), **given})
    _stamp(writer, entity, provenance)
    return {"entityId": entity["id"], "aliasId": alias_id, "alias": fields.alias}


def _stamp(writer: Writer, entity: Row, provenance: Provenance) -> None:
    writer.update("entities", entity["id"], updated_at=writer.now(), **provenance.stamp())


def _refuse_held(writer: Writer, alias: str, entity: Row) -> None:
    """Raise 409 if the name is another entity's, also an archived one's."""
    for status in ("active", "archived"):
        for holder in match_entities(writer, alias, status):
            if holder["id"] == entity["id"] and name_key(str(holder["name"])) != name_key(alias):
                continue
            itself = holder["id"] == entity["id"]
            raise OperationError(
                409, f"“{alias}” is its name already" if itself else
                f"“{alias}” leads to {holder['name']} ({holder['id']})", field="alias",
                do="Choose another name" if itself else "Merge the two, or choose another name")


class ArchiveAlias(_OneAlias):
    """What `archive_alias` takes."""

    info = OperationInfo(line="Archive alias {new}", past={"Archive": "Archived"}, beside=True)

    alias: AliasName = Field(validation_alias=called("alias", "alias_id"),
                        description="The other name, or its id")
    reason: Text | None = Field(None, description="The reason")

    def sentence(self, reader: Reader) -> str:
        return (f"Let {wording.quoted(self.alias)} no longer lead to"
                f" {wording.quoted(self.subject(reader))}.")


def archive_alias(writer: Writer, fields: ArchiveAlias, provenance: Provenance) -> Result:
    """Take another name from an entity: nothing is found by it any more."""
    entity = find_entity(writer, fields.entity, field="entity")
    rows = writer.rows(_OF_ENTITY, entity=entity["id"], key=name_key(fields.alias),
                       id=fields.alias)
    if not rows:
        raise OperationError(404, f"Alias not found: {fields.alias}", field="alias",
                             do=f"It is no other name of {entity['name']}")
    active = [row for row in rows if row["status"] == "active"]
    for row in active:
        writer.update("entity_aliases", row["id"], status="archived", updated_at=writer.now())
    if active:
        _stamp(writer, entity, provenance)
    return {"entityId": entity["id"], "aliasId": rows[0]["id"], "archived": True}
