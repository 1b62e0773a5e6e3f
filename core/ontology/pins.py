"""Operations that steer what the agent is told: pin, unpin, mute, unmute."""

from pydantic import Field

from core.ontology import phrases
from core.ontology.generations import require_column
from core.ontology.payloads import Payload, Text, called
from core.ontology.provenance import Provenance
from core.ontology.selectors import find_entity
from core.store.handles import Reader, Writer

Result = dict[str, object]


class _Steer(Payload):
    """One entity; the four operations differ in their words."""

    entity: Text = Field(
        validation_alias=called("entity", "entity_id", "id", "name"), description="Its name or id"
    )

    def target(self, reader: Reader) -> str | None:
        return phrases.entity_id(reader, self.entity)

    def _name(self, reader: Reader) -> str:
        return phrases.entity_name(reader, self.entity)


class PinEntity(_Steer):
    """What `pin_entity` takes."""

    def title(self, reader: Reader) -> str:
        return f"Pin {phrases.short(self._name(reader))}"

    def sentence(self, reader: Reader) -> str:
        return f"Pin {phrases.quoted(self._name(reader))}: the agent always has it in mind."


def pin_entity(writer: Writer, fields: PinEntity, provenance: Provenance) -> Result:
    """Pin an entity: every session starts with it."""
    return _set_pin(writer, fields.entity, writer.now(), provenance)


class UnpinEntity(_Steer):
    """What `unpin_entity` takes."""

    def title(self, reader: Reader) -> str:
        return f"Unpin {phrases.short(self._name(reader))}"

    def sentence(self, reader: Reader) -> str:
        return f"Unpin {phrases.quoted(self._name(reader))}: it counts like any other again."


def unpin_entity(writer: Writer, fields: UnpinEntity, provenance: Provenance) -> Result:
    """Unpin an entity: it counts like any other again."""
    return _set_pin(writer, fields.entity, None, provenance)


def _set_pin(writer: Writer, selector: str, at: str | None, provenance: Provenance) -> Result:
    row = find_entity(writer, selector, field="entity")
    require_column(writer, "entities", "pinned", "keep pins")
    writer.update(
        "entities", row["id"], pinned=int(at is not None), pinned_at=at,
        updated_at=writer.now(), **provenance.stamp(),
    )
    return {"entityId": row["id"], "pinned": at is not None, "pinnedAt": at}


class MuteEntity(_Steer):
    """What `mute_entity` takes."""

    def title(self, reader: Reader) -> str:
        return f"Mute {phrases.short(self._name(reader))}"

    def sentence(self, reader: Reader) -> str:
        return (
            f"Mute {phrases.quoted(self._name(reader))}:"
            " the agent is not told of it unless it asks by name."
        )


def mute_entity(writer: Writer, fields: MuteEntity, provenance: Provenance) -> Result:
    """Mute an entity: it never comes up unless it is asked for by name."""
    return _set_mute(writer, fields.entity, writer.now(), provenance)


class UnmuteEntity(_Steer):
    """What `unmute_entity` takes."""

    def title(self, reader: Reader) -> str:
        return f"Unmute {phrases.short(self._name(reader))}"

    def sentence(self, reader: Reader) -> str:
        return f"Unmute {phrases.quoted(self._name(reader))}: it may come up again."


def unmute_entity(writer: Writer, fields: UnmuteEntity, provenance: Provenance) -> Result:
    """Unmute an entity: it may come up again."""
    return _set_mute(writer, fields.entity, None, provenance)


def _set_mute(writer: Writer, selector: str, at: str | None, provenance: Provenance) -> Result:
    """Mutes are this program's own: in a Signet file they are kept beside it, not in it."""
    row = find_entity(writer, selector, field="entity")
    writer.mute(row["id"], at)
    if writer.kind == "native":
        writer.update("entities", row["id"], updated_at=writer.now(), **provenance.stamp())
    return {"entityId": row["id"], "muted": at is not None, "mutedAt": at}
