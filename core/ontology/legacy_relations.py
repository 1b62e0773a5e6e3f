"""The operation on Signet's legacy relations: adopt, which makes links of them."""

from pydantic import Field

from core.model.names import slot_key, spoken
from core.model.text_formatting import counted
from core.model.vocabulary import DEPENDENCY_TYPES
from core.ontology import wording
from core.ontology.change_provenance import Provenance
from core.ontology.payload_base import ENTITY_ITSELF, OperationInfo, Payload, Result, clamped
from core.ontology.row_reference_fields import EntityName
from core.queries.find_by_name_or_id import find_entity
from core.queries.legacy_relations import unlinked
from core.queries.rows_to_model import text
from core.store.database import Row
from core.store.reader_and_writer import Reader, Writer, new_id


class AdoptRelations(Payload):
    """What `adopt_relations` takes."""

    info = OperationInfo(
        line="Adopt its relations", past={"Adopt": "Adopted"}, effect="link",
    )

    entity: EntityName = Field(validation_alias=ENTITY_ITSELF, description="Its name or id")

    def title(self, reader: Reader) -> str:
        return f"Adopt the relations of {wording.short(self.subject(reader))}"

    def sentence(self, reader: Reader) -> str:
        row = wording.the_entity(reader, self.entity)
        many = counted(len(unlinked(reader, row["id"])) if row else 0, "legacy relation")
        return f"Make links of {many} of {wording.quoted(self.subject(reader))}."


def adopt_relations(writer: Writer, fields: AdoptRelations, provenance: Provenance) -> Result:
    """Make links of an entity's legacy relations, so that they are walked; the relations stay.

    Two entities with a link already, in force or archived, are left alone. A type that links do
    not have becomes `related_to`, with the relation's own word in its reason.
    """
    entity = find_entity(writer, fields.entity, field="entity")
    links: dict[tuple[str, str, str], dict[str, object]] = {}
    for row in unlinked(writer, entity["id"]):
        link_type = _type_of(row)
        key = (row["source_entity_id"], row["target_entity_id"], link_type)
        links.setdefault(key, {
            "id": new_id(), "agent_id": writer.agent, "source_entity_id": key[0],
            "target_entity_id": key[1], "dependency_type": link_type,
            "strength": clamped(row["strength"]), "confidence": clamped(row["confidence"]),
            "reason": _reason(row, link_type), "created_at": writer.now(),
            "updated_at": writer.now(), **provenance.origin()})
    writer.insert_many("entity_dependencies", links.values())
    return {"entityId": entity["id"], "dependencyIds": [link["id"] for link in links.values()]}


def _type_of(row: Row) -> str:
    key = slot_key(text(row["relation_type"])) or ""
    return key if key in DEPENDENCY_TYPES else "related_to"


def _reason(row: Row, link_type: str) -> str:
    word = spoken(text(row["relation_type"]).strip() or "related")
    return f"a legacy relation: {word}"[:300] if link_type == "related_to" else "a legacy relation"
