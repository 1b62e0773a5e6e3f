"""Operations on values that a claim has: supersede, archive, restore."""

import re
from collections.abc import Mapping

from pydantic import Field, model_validator

from core.errors import OperationError
from core.model.names import slot_key
from core.ontology import wording
from core.ontology.change_provenance import UNARCHIVED, Provenance, archive_marks
from core.ontology.claim_slots import (
    GENERAL,
    SlotKey,
    active,
    insert_value,
    says,
    slot_rows,
    supersede,
)
from core.ontology.claims import (
    SLOT,
    InSlot,
    SetClaimValue,
    constraints_replaced,
    set_claim_value,
    still_linked,
)
from core.ontology.older_file_refusals import require_slots
from core.ontology.payload_base import (
    Force,
    Key,
    OperationInfo,
    Payload,
    Result,
    Share,
    Text,
    called,
    to_mind,
)
from core.ontology.resolve_or_create import reactivate_aspect
from core.ontology.row_reference_fields import ValueId
from core.queries.claims import slot_of, versions
from core.queries.find_by_name_or_id import (
    entity_or_none,
    find_value,
    match_aspects,
    match_entities,
    value_or_none,
)
from core.queries.values_by_words import value_by_words
from core.store.database import Row
from core.store.reader_and_writer import Reader, Writer, new_id


class SupersedeClaimValue(InSlot):
    """What `supersede_claim_value` takes."""

    info = OperationInfo(
        line="Replace in {slot}", past={"Replace": "Replaced", "Retire": "Retired"},
        label="{claim}", arguments=SLOT, value=("new_value",),
    )

    claim_key: Key = Field(
        "", validation_alias=called("claim_key", "claim"),
        description="What the claim is about; not needed where the value is named"
    )
    attribute_id: ValueId | None = Field(None, description="The value to replace, by id")
    old_value: Text | None = Field(None, description="The value to replace, by its text")
    new_value: Text | None = Field(
        None, validation_alias=called("new_value", "value"), description="The new value")
    superseded_by: ValueId | None = Field(None, description="The id of the value that replaced it")
    confidence: Share = Field(None, description="Confidence of the new value, 0 to 1")
    importance: Share = Field(None, description="Importance of the new value, 0 to 1")
    force: Force = Field(False, description="Supersede an active constraint")

    @model_validator(mode="after")
    def _names_one(self) -> "SupersedeClaimValue":
        if not (self.attribute_id or self.old_value):
            raise ValueError("attribute_id or old_value is required")
        if not (self.claim_key or self.attribute_id):
            raise ValueError("claim_key is required")
        return self

    @classmethod
    def completed(
        cls, reader: Reader, payload: Mapping[str, object]
    ) -> Mapping[str, object]:
        """A value that is named by its id, or by what it says, tells of which claim it is."""
        id = payload.get("attribute_id") or cls._said(reader, payload)
        row = value_or_none(reader, id) if isinstance(id, str) else None
        if row is None:
            return payload
        payload = {**payload, "attribute_id": row["id"]}
        own = {"entity": row["entity_id"], "aspect": row["aspect_id"], "kind": row["kind"],
               "group_key": row["group_key"], "claim_key": row["claim_key"]}
        return {**payload, **{
            name: value for name, value in own.items()
            if value and not any(payload.get(key) for key in cls.names_of(name))}}

    @classmethod
    def _said(cls, reader: Reader, payload: Mapping[str, object]) -> str | None:
        """The id of the value of no named claim whose words are given; what is imported has no key.
        """
        whose, words, claim = (next((payload[key] for key in cls.names_of(name)
                                     if payload.get(key)), None)
                               for name in ("entity", "old_value", "claim_key"))
        if claim or not (isinstance(whose, str) and isinstance(words, str)):
            return None
        return str(value_by_words(reader, whose, words, corrected=True)["id"])

    def title(self, reader: Reader) -> str:
        return f"{'Replace' if self.new_value else 'Retire'} {self.spot(reader)}"

    def spot(self, reader: Reader) -> str:
        return _spot(value_or_none(reader, self.attribute_id or "")) if (
            not self.claim_key) else super().spot(reader)

    def sentence(self, reader: Reader) -> str:
        row = value_or_none(reader, self.attribute_id) if self.attribute_id else None
        old = wording.quoted(row["content"] if row else self.old_value or self.attribute_id)
        spot, of = super().spot(reader), self.of(reader)
        if self.new_value:
            return f"Replace {old} by {wording.quoted(self.new_value)} in {spot} of {of}."
        newer = value_or_none(reader, self.superseded_by) if self.superseded_by else None
        instead = f"; {wording.quoted(newer['content'])} holds instead" if newer else ""
        return f"Retire {old} from {spot} of {of}{instead}."


def supersede_claim_value(
    writer: Writer, fields: SupersedeClaimValue, provenance: Provenance
) -> Result:
    """Retire a value of a claim, or replace it with a new one.

    A value without a claim key is replaced by one without: what is imported has none.
    Signet could not replace a constraint this way, because it dropped `force` on the way, and it
    took any id for `superseded_by`; here `force` counts and the id has to exist.
    """
    require_slots(writer)
    aspect_id = _existing_aspect(writer, fields)
    gone = active(_meant(writer, fields, aspect_id))
    _check(writer, fields, gone, aspect_id)
    replacement: object = None
    if fields.new_value:
        replacement = _replace(writer, fields, aspect_id, provenance) if fields.claim_key else (
            _replace_keyless(writer, fields, gone[0], provenance))
    by = str(replacement) if replacement else fields.superseded_by
    for row in gone:
        supersede(writer, row["id"], by)
    return {
        "supersededAttributeIds": [row["id"] for row in gone],
        "replacementAttributeId": replacement,
        **(constraints_replaced(gone) if replacement else {}),
        **to_mind(still_linked(writer, str(replacement)) if replacement else []),
    }


def _existing_aspect(writer: Writer, fields: SupersedeClaimValue) -> str:
    """Unlike add and set, this makes nothing: what is missing is an error of the input (400)."""
    entities = match_entities(writer, fields.entity)
    if len(entities) > 1:
        raise OperationError(
            409, f"Entity selector is ambiguous: {fields.entity}", field="entity", do="Use an id"
        )
    if not entities:
        raise OperationError(400, f"Entity was not found: {fields.entity}", field="entity")
    aspects = match_aspects(writer, entities[0]["id"], fields.aspect)
    if not aspects:
        raise OperationError(400, f"Aspect was not found: {fields.aspect}", field="aspect")
    return str(aspects[0]["id"])


def _meant(writer: Writer, fields: SupersedeClaimValue, aspect_id: str) -> list[Row]:
    """The values of the claim with this id or text; without a claim key, the one with this id."""
    if not fields.claim_key:
        return writer.rows(
            "SELECT v.* FROM entity_attributes v WHERE v.id = :id AND v.aspect_id = :aspect"
            " AND v.kind = :kind AND +v.agent_id = :agent",
            id=fields.attribute_id, aspect=aspect_id, kind=fields.kind)
    rows = slot_rows(writer, fields.slot(aspect_id))
    if fields.attribute_id:
        return [row for row in rows if row["id"] == fields.attribute_id]
    return [row for row in rows if says(row, fields.old_value or "")]


def _without_key(writer: Writer, fields: SupersedeClaimValue, aspect_id: str) -> str:
    """What to do where the value that is meant is of no claim yet; empty where there is none."""
    for row in _keyless(writer, aspect_id, fields.kind):
        if row["id"] == fields.attribute_id or says(row, fields.old_value or ""):
            return f"The value {row['id']} has no claim key yet: move it to one first"
    return ""


def _keyless(reader: Reader, aspect_id: str, kind: str) -> list[Row]:
    """The values in force of an aspect that are of no claim."""
    return reader.rows(
        "SELECT v.* FROM entity_attributes v WHERE v.aspect_id = :aspect AND v.kind = :kind"
        " AND v.status = 'active' AND v.claim_key IS NULL AND +v.agent_id = :agent",
        aspect=aspect_id, kind=kind)


def _check(
    writer: Writer, fields: SupersedeClaimValue, gone: list[Row], aspect_id: str
) -> None:
    if not gone:
        raise OperationError(400, "No active value of this claim matches", field="old_value",
                             do=_without_key(writer, fields, aspect_id))
    if fields.new_value and any(says(row, fields.new_value) for row in gone):
        raise OperationError(400, "The value says this already", field="new_value")
    if fields.kind == "constraint" and not fields.force:
        raise OperationError(
            409, f"The constraint “{wording.short(gone[0]['content'])}” is active",
            field="force", do="Use force to supersede it",
        )
    if fields.superseded_by and (
        value_or_none(writer, fields.superseded_by) is None
        or any(row["id"] == fields.superseded_by for row in gone)
    ):
        raise OperationError(400, "superseded_by must be the id of another value",
                             field="superseded_by")


def _replace(
    writer: Writer, fields: SupersedeClaimValue, aspect_id: str, provenance: Provenance
) -> object:
    setting = SetClaimValue.read({
        "entity": fields.entity, "aspect": aspect_id, "kind": fields.kind,
        "group_key": fields.group_key, "claim_key": fields.claim_key, "value": fields.new_value,
        "confidence": fields.confidence, "importance": fields.importance, "force": fields.force,
    })
    return set_claim_value(writer, setting, provenance)["attributeId"]


def _replace_keyless(
    writer: Writer, fields: SupersedeClaimValue, old: Row, provenance: Provenance
) -> str:
    """The next version of a value of no claim, unless another one says the same already."""
    for row in _keyless(writer, old["aspect_id"], old["kind"]):
        if says(row, fields.new_value or ""):
            return str(row["id"])
    return insert_value(
        writer, SlotKey(old["aspect_id"], old["kind"], old["group_key"] or GENERAL, ""),
        fields.new_value or "", provenance, confidence=fields.confidence,
        importance=fields.importance, previous=old, version=(old["version"] or 1) + 1)[0]


_LIKE_A_KEY = re.compile(r"(?=\S*\d)\S{16,}")


def _spot(row: Row | None) -> str:
    """`schedule · start time`; of a value without a claim key its words: `observations · Sails`."""
    if row is None:
        return "a deleted claim"
    if key := slot_key(row["claim_key"]):
        return wording.slot(row["aspect"], key)
    aspect = wording.slot(row["aspect"], None)
    if _LIKE_A_KEY.search(str(row["content"])):
        return aspect  # A title is shown in many places: no password stands in one.
    return f"{aspect} · {wording.short(row['content'], 40)}"


class _OneValue(Payload):
    """An input about one stored value."""

    attribute_id: ValueId = Field(description="The value's id")

    def title(self, reader: Reader) -> str:
        return f"{self.verb} {_spot(value_or_none(reader, self.attribute_id))}"

    def _words(self, reader: Reader) -> tuple[str, str, str, int]:
        """Where it is, whose it is, what it says, which version."""
        row = value_or_none(reader, self.attribute_id)
        if row is None:
            return "a deleted claim", "a deleted entity", self.attribute_id, 1
        owner = entity_or_none(reader, row["entity_id"])
        name = owner["name"] if owner else "a deleted entity"
        spot = wording.slot(row["aspect"], slot_key(row["claim_key"]))
        return spot, wording.quoted(name), wording.quoted(row["content"]), row["version"] or 1


class ArchiveClaimValue(_OneValue):
    """What `archive_claim_value` takes."""

    info = OperationInfo(
        line="Archive {slot}", past={"Archive": "Archived"}, label="{claim}", arguments=(),
    )

    reason: Text | None = Field(None, description="The reason")
    force: Force = Field(False, description="Archive a constraint")

    def sentence(self, reader: Reader) -> str:
        spot, of, content, _ = self._words(reader)
        return f"Archive {content} in {spot} of {of}."


def archive_claim_value(
    writer: Writer, fields: ArchiveClaimValue, provenance: Provenance
) -> Result:
    """Archive a value: it is no longer used, but stays in its history.

    A constraint needs `force`. The archive columns name who archived it; the proposal and
    evidence that the value came from stay with it.
    """
    row = find_value(writer, fields.attribute_id)
    if row["status"] == "deleted":
        return {"attributeId": row["id"], "archived": True}
    if row["kind"] == "constraint" and not fields.force:
        raise OperationError(
            409, f"“{wording.short(row['content'])}” is a constraint", field="force",
            do="Use force to archive it",
        )
    writer.update(
        "entity_attributes", row["id"], status="deleted",
        **archive_marks(writer, fields.reason, provenance),
    )
    return {"attributeId": row["id"], "archived": True}


class RestoreClaimVersion(_OneValue):
    """What `restore_claim_version` takes."""

    info = OperationInfo(
        line="Restore {slot}", past={"Restore": "Restored"}, label="{claim}", arguments=(),
    )

    def sentence(self, reader: Reader) -> str:
        spot, of, content, version = self._words(reader)
        return f"Restore version {version} of {spot} of {of}: {content}."


def restore_claim_version(
    writer: Writer, fields: RestoreClaimVersion, provenance: Provenance
) -> Result:
    """Restore an old version of a claim; the current one is superseded.

    No new version number is made, but a validity of its own: the history says from when to when
    it was in force before, and since when it is again. Signet leaves the successors of a value
    without a claim key active, so that both would count; here they are found along the chain of
    versions and superseded too. An archived aspect comes back with its claim, as it does for a
    new value; under an archived entity the claim would stay hidden, so that is 409.
    """
    row = find_value(writer, fields.attribute_id)
    owner = entity_or_none(writer, row["entity_id"])
    if owner and owner["status"] != "active":
        raise OperationError(409, f"{owner['name']} is archived", do="Restore the entity first")
    if row["aspect_id"] and row["aspect_status"] == "archived":
        reactivate_aspect(writer, row["aspect_id"], provenance)
    if row["status"] != "active":
        _note_restore(writer, row["id"])
    for other in _rivals(writer, row):
        supersede(writer, other["id"], row["id"])
    writer.update(
        "entity_attributes", row["id"], status="active", superseded_by=None,
        updated_at=writer.now(), **UNARCHIVED,
    )
    return {
        "attributeId": row["id"],
        "versionRootId": row["version_root_id"] or row["id"],
        "restored": True,
    }


def _note_restore(writer: Writer, attribute_id: str) -> None:
    """Write down the time in which it was in force, before it comes to be in force again."""
    held = next(version.spans[-1] for version in versions(writer, slot_of(writer, attribute_id))
                if version.value.id == attribute_id)
    writer.insert(
        "claim_restores", id=new_id(), agent_id=writer.agent, attribute_id=attribute_id,
        held_from=held.since, held_until=held.until, restored_at=writer.now())


def _rivals(writer: Writer, row: Row) -> list[Row]:
    """The other active rows of the slot; of the chain where the value has no claim key."""
    claim = slot_key(row["claim_key"])
    if claim and row["aspect_id"]:
        group = slot_key(row["group_key"], GENERAL) or GENERAL
        rows = slot_rows(writer, SlotKey(row["aspect_id"], row["kind"], group, claim))
    else:
        rows = _chain(writer, row)
    return [other for other in active(rows) if other["id"] != row["id"]]


def _chain(writer: Writer, row: Row) -> list[Row]:
    """Whatever replaced an unkeyed value, step by step, and what shares its first version."""
    return writer.rows(
        "WITH RECURSIVE chain(id) AS ("
        " SELECT :start UNION SELECT v.superseded_by FROM entity_attributes AS v"
        " JOIN chain ON v.id = chain.id WHERE v.superseded_by IS NOT NULL"
        " AND v.agent_id = :agent)"
        " SELECT v.* FROM entity_attributes AS v WHERE v.agent_id = :agent"
        " AND v.claim_key IS NULL AND (v.id IN (SELECT id FROM chain)"
        " OR v.version_root_id = :root)",
        start=row["id"], root=row["version_root_id"] or row["id"],
    )
