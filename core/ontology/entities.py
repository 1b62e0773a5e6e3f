"""Operations on entities: create, rename, archive, restore."""

from pydantic import Field

from core.error_advice import Advice
from core.errors import OperationError
from core.model.names import name_key
from core.model.text_formatting import counted
from core.model.vocabulary import ENTITY_TYPES
from core.ontology import wording
from core.ontology.change_provenance import UNARCHIVED, Provenance, archive_marks
from core.ontology.older_file_refusals import refuse_taken_name, require_column
from core.ontology.payload_base import (
    ENTITY_ITSELF,
    NEW_NAME,
    Force,
    OperationInfo,
    Payload,
    Result,
    Text,
    called,
    to_mind,
)
from core.ontology.resolve_or_create import resolve_entity
from core.ontology.row_reference_fields import EntityName
from core.queries.find_by_name_or_id import find_entity, match_entities
from core.queries.mentions_without_value import MOST, count_mentioning, count_naming
from core.store.reader_and_writer import Reader, Writer


class CreateEntity(Payload):
    """What `create_entity` takes."""

    info = OperationInfo(
        line="Create {type}", past={"Create": "Created"}, effect="appear", makes=True,
        entity=("name",),
    )

    name: Text = Field(validation_alias=called("name", "entity"), description="Its name")
    entity_type: Text | None = Field(
        None, description="What it is; “unknown” when not given", examples=list(ENTITY_TYPES)
    )

    def sentence(self, reader: Reader) -> str:
        if wording.the_entity(reader, self.name):
            name = self.subject(reader)
            also = "" if name_key(name) == name_key(self.name) else (
                f", also called {wording.quoted(self.name)},")
            return f"{wording.quoted(name)}{also} already exists; no change."
        return f"Create {wording.quoted(self.name)} ({self.entity_type or 'unknown'})."


def create_entity(writer: Writer, fields: CreateEntity, provenance: Provenance) -> Result:
    """Create an entity, or take the existing one of this name.

    An entity that exists keeps its type. A name of an archived entity is refused (409).
    """
    entity_id, name = resolve_entity(writer, fields.name, provenance, fields.entity_type)
    writer.update("entities", entity_id, updated_at=writer.now(), **provenance.stamp())
    return {"entityId": entity_id, "entity": name}


class RenameEntity(Payload):
    """What `rename_entity` takes."""

    info = OperationInfo(
        line="Rename to {new}", past={"Rename": "Renamed"}, label="{new}", pin_matters=True,
    )

    entity: EntityName = Field(validation_alias=ENTITY_ITSELF, description="Its name or id")
    new_name: Text = Field(validation_alias=NEW_NAME, description="The new name")

    def sentence(self, reader: Reader) -> str:
        old, new = wording.quoted(self.subject(reader)), wording.quoted(self.new_name)
        return f"Rename {old} to {new}."


def rename_entity(writer: Writer, fields: RenameEntity, provenance: Provenance) -> Result:
    """Rename an entity.

    Signet checks active entities only and lets the file's unique index fail with a raw error for
    an archived one or another agent's; here each is 409 in words.
    """
    row = find_entity(writer, fields.entity, field="entity")
    for status, advice in (
        ("active", "Merge the two with merge_entities"),
        ("archived", "Choose another name, or restore that one"),
    ):
        if any(r["id"] != row["id"] for r in match_entities(writer, fields.new_name, status)):
            raise OperationError(
                409, f"Another {status} entity is called {fields.new_name}",
                field="new_name", do=advice,
            )
    refuse_taken_name(writer, fields.new_name, row["id"])
    writer.update(
        "entities", row["id"],
        name=fields.new_name, canonical_name=writer.stored_key(fields.new_name),
        updated_at=writer.now(), **provenance.stamp(),
    )
    return {"entityId": row["id"], "oldName": row["name"], "newName": fields.new_name,
            **to_mind(named_still(writer, row["id"], row["name"], fields.new_name))}


def named_still(reader: Reader, entity_id: str, old: str, new: str) -> list[str]:
    """That what is known of others still has the old name, told when an entity is renamed."""
    if " " not in old.strip() or old.casefold() in new.casefold():
        return []  # A single word may mean anything.
    count = count_naming(reader, entity_id, old)
    if not count:
        return []
    verb = "says" if count == 1 else "say"
    still = f"{_memories(count)} about others still {verb} {wording.quoted(old)}"
    return [Advice(f"{still}: search {wording.quoted(old)} finds them, claim supersede corrects"
                   " one", f"{still}: search for it, and correct each")]


def _memories(count: int) -> str:
    """How many, as far as they were counted."""
    return f"{MOST:,} and more memories" if count >= MOST else counted(count, "memory")


class ArchiveEntity(Payload):
    """What `archive_entity` takes."""

    info = OperationInfo(
        line="Archive", past={"Archive": "Archived"}, effect="go", pin_matters=True,
        inverse="restore_entity",
    )

    entity: EntityName = Field(validation_alias=ENTITY_ITSELF, description="Its name or id")
    reason: Text | None = Field(None, description="The reason")
    force: Force = Field(False, description="Archive it even if it is pinned")

    def sentence(self, reader: Reader) -> str:
        name = wording.quoted(self.subject(reader))
        return f"Archive {name}; its aspects, claims and links stay with it."


def archive_entity(writer: Writer, fields: ArchiveEntity, provenance: Provenance) -> Result:
    """Archive an entity: it no longer appears in lists, the sky and walks, and can be restored.

    Its aspects, claims and links stay as they are. A pinned entity needs `force`.
    """
    row = find_entity(writer, fields.entity, field="entity")
    require_column(writer, "entities", "status", "archive an entity")
    if row["pinned"] and not fields.force:
        raise OperationError(
            409, f"{row['name']} is pinned", field="force", do="Unpin it first, or use force"
        )
    writer.update(
        "entities", row["id"], status="archived",
        **archive_marks(writer, fields.reason, provenance), **provenance.stamp(),
    )
    return {"entityId": row["id"], "archived": True,
            **to_mind(mentioned_still(writer, row["id"], row["name"]))}


def mentioned_still(reader: Reader, entity_id: str, name: str) -> list[str]:
    """That memories which only mention an entity, or name it, are told when it is archived."""
    count = count_mentioning(reader, entity_id, name)
    if not count:
        return []
    verb = "mentions" if count == 1 else "mention"
    still = f"{_memories(count)} that only {verb} it {'is' if count == 1 else 'are'} still told"
    return [Advice(f"{still} until forgotten: recall finds them by its name, forget_memory forgets"
                   " one", f"{still}: choose “Forget” in the menu of each")]


class RestoreEntity(Payload):
    """What `restore_entity` takes."""

    info = OperationInfo(
        line="Restore", past={"Restore": "Restored"}, on_archived=True, inverse="archive_entity",
    )

    entity: EntityName = Field(
        validation_alias=ENTITY_ITSELF, description="The archived entity's name or id",
    )

    def sentence(self, reader: Reader) -> str:
        return f"Restore {wording.quoted(self.subject(reader))} from the archive."

    def subject(self, reader: Reader) -> str:
        rows = match_entities(reader, self.entity, "archived")
        return rows[0]["name"] if len(rows) == 1 else self.entity


def restore_entity(writer: Writer, fields: RestoreEntity, provenance: Provenance) -> Result:
    """Restore an archived entity with its aspects, claims and links."""
    row = find_entity(writer, fields.entity, "archived", field="entity")
    if match_entities(writer, row["name"]):
        raise OperationError(
            409, f"An active entity is called {row['name']}", field="entity",
            do="Rename that one first, or merge them",
        )
    writer.update(
        "entities", row["id"],
        status="active", updated_at=writer.now(), **UNARCHIVED, **provenance.stamp(),
    )
    return {"entityId": row["id"], "restored": True}
