"""Operations that control what the agent sees: pin, unpin, mute, unmute."""

from pydantic import Field

from core.ontology import wording
from core.ontology.change_provenance import Provenance
from core.ontology.older_file_refusals import require_column
from core.ontology.payload_base import ENTITY_ITSELF, OperationInfo, Payload, Result
from core.ontology.row_reference_fields import EntityName
from core.queries.find_by_name_or_id import find_entity
from core.store.database import Row
from core.store.reader_and_writer import Reader, Writer


class _OneEntity(Payload):
    """One entity; the four operations differ in their words."""

    entity: EntityName = Field(validation_alias=ENTITY_ITSELF, description="Its name or id")

    def _row(self, reader: Reader) -> Row | None:
        return wording.the_entity(reader, self.entity)


class PinEntity(_OneEntity):
    """What `pin_entity` takes."""

    info = OperationInfo(line="Pin", past={"Pin": "Pinned"}, inverse="unpin_entity")

    def sentence(self, reader: Reader) -> str:
        row, name = self._row(reader), wording.quoted(self.subject(reader))
        if row and row["pinned"]:
            return f"{name} is pinned already."
        if row and row["muted"]:
            return f"Pin {name}. It is muted, which takes precedence: it is left out until you " \
                   "unmute it."
        return f"Pin {name}: it is always in the agent's context."


def pin_entity(writer: Writer, fields: PinEntity, provenance: Provenance) -> Result:
    """Pin an entity: it is in the context of every session."""
    return _set_pin(writer, fields.entity, writer.now(), provenance)


class UnpinEntity(_OneEntity):
    """What `unpin_entity` takes."""

    info = OperationInfo(line="Unpin", past={"Unpin": "Unpinned"}, inverse="pin_entity")

    def sentence(self, reader: Reader) -> str:
        row, name = self._row(reader), wording.quoted(self.subject(reader))
        if row and not row["pinned"]:
            return f"{name} is not pinned."
        return f"Unpin {name}: it is ranked like any other again."


def unpin_entity(writer: Writer, fields: UnpinEntity, provenance: Provenance) -> Result:
    """Unpin an entity: it is ranked like any other again."""
    return _set_pin(writer, fields.entity, None, provenance)


def _set_pin(writer: Writer, selector: str, at: str | None, provenance: Provenance) -> Result:
    row = find_entity(writer, selector, field="entity")
    require_column(writer, "entities", "pinned", "store pins")
    if bool(row["pinned"]) == (at is not None):
        # Pinned again it would move ahead of those that were pinned since.
        return {"entityId": row["id"], "pinned": at is not None, "pinnedAt": row["pinned_at"]}
    writer.update(
        "entities", row["id"], pinned=int(at is not None), pinned_at=at,
        updated_at=writer.now(), **provenance.stamp(),
    )
    return {"entityId": row["id"], "pinned": at is not None, "pinnedAt": at}


class MuteEntity(_OneEntity):
    """What `mute_entity` takes."""

    info = OperationInfo(
        line="Mute", past={"Mute": "Muted"}, pin_matters=True, inverse="unmute_entity",
    )

    def sentence(self, reader: Reader) -> str:
        row, name = self._row(reader), wording.quoted(self.subject(reader))
        if row and row["muted"]:
            return f"{name} is muted already."
        pin = " It stays pinned, but muting takes precedence." if row and row["pinned"] else ""
        return f"Mute {name}: the agent does not see it unless it asks for it by name.{pin}"


def mute_entity(writer: Writer, fields: MuteEntity, provenance: Provenance) -> Result:
    """Mute an entity: it is left out unless asked for by name.

    Muted overrides pinned (design §6: a muted entity is focal only if it is named).
    """
    return _set_mute(writer, fields.entity, writer.now(), provenance)


class UnmuteEntity(_OneEntity):
    """What `unmute_entity` takes."""

    info = OperationInfo(line="Unmute", past={"Unmute": "Unmuted"}, inverse="mute_entity")

    def sentence(self, reader: Reader) -> str:
        row, name = self._row(reader), wording.quoted(self.subject(reader))
        if row and not row["muted"]:
            return f"{name} is not muted."
        return f"Unmute {name}: it can be included again."


def unmute_entity(writer: Writer, fields: UnmuteEntity, provenance: Provenance) -> Result:
    """Unmute an entity: it can be included again."""
    return _set_mute(writer, fields.entity, None, provenance)


def _set_mute(writer: Writer, selector: str, at: str | None, provenance: Provenance) -> Result:
    """Mutes are this program's own: for a Signet file they are stored next to it, not in it."""
    row = find_entity(writer, selector, field="entity")
    if bool(row["muted"]) == (at is not None):
        return {"entityId": row["id"], "muted": at is not None, "mutedAt": row["muted_at"]}
    writer.mute(row["id"], at)
    if writer.kind == "native":
        writer.update("entities", row["id"], updated_at=writer.now(), **provenance.stamp())
    return {"entityId": row["id"], "muted": at is not None, "mutedAt": at}
