"""Operations on links between entities (dependencies): create, update, archive, restore."""

from typing import Annotated

from pydantic import AfterValidator, Field, model_validator

from core.errors import OperationError
from core.model.did_you_mean import choices
from core.model.link import own_words
from core.model.names import slot_key, spoken
from core.model.vocabulary import DEPENDENCY_TYPES
from core.ontology import wording
from core.ontology.change_provenance import UNARCHIVED, Provenance, archive_marks
from core.ontology.older_file_refusals import require_column
from core.ontology.payload_base import (
    OperationInfo,
    Payload,
    Result,
    Share,
    Text,
    called,
    clamped,
)
from core.ontology.resolve_or_create import resolve_entity
from core.ontology.row_reference_fields import EntityName, LinkId
from core.queries.find_by_name_or_id import entity_by_id, find_link, link_or_none
from core.store.database import Row
from core.store.reader_and_writer import Reader, Writer, new_id

_REASON_LIMIT = 300


def _known_type(value: str) -> str:
    key = slot_key(value)
    if key not in DEPENDENCY_TYPES:
        raise ValueError(f"must be a supported dependency type, not {wording.short(value)}."
                         f" {choices(value, DEPENDENCY_TYPES)}")
    return key


LinkType = Annotated[
    Text, AfterValidator(_known_type), Field(json_schema_extra={"enum": list(DEPENDENCY_TYPES)})
]


class CreateLink(Payload):
    """What `create_link` takes."""

    info = OperationInfo(
        line="Link: {link} {other}", past={"Link": "Linked"}, effect="link", label="{link_type}",
        makes=True, arguments=("source_entity", "link_type", "target_entity"),
        entity=("source_entity_id", "source_entity"), other=("target_entity_id", "target_entity"),
        entity_type=("source_type",),
    )

    source_entity: EntityName | None = Field(
        None, validation_alias=called("source_entity", "source", "entity"),
        description="The source entity",
    )
    target_entity: EntityName | None = Field(
        None, validation_alias=called("target_entity", "target"), description="The target entity"
    )
    source_entity_id: EntityName | None = Field(None, description="The source entity, by id")
    target_entity_id: EntityName | None = Field(None, description="The target entity, by id")
    link_type: LinkType = Field(
        validation_alias=called("link_type", "dependency_type", "type"),
        description="How the source depends on the target",
    )
    source_type: Text | None = Field(None, description="The source's type, if it is new")
    target_type: Text | None = Field(None, description="The target's type, if it is new")
    reason: Text | None = Field(
        None, description="The reason; needed where the type is “related to”"
    )
    strength: Share = Field(None, description="Strength, 0 to 1")
    confidence: Share = Field(None, description="Confidence, 0 to 1")

    @model_validator(mode="after")
    def _has_two_ends(self) -> "CreateLink":
        if not (self.source_entity or self.source_entity_id):
            raise ValueError("source_entity is required")
        if not (self.target_entity or self.target_entity_id):
            raise ValueError("target_entity is required")
        return self

    def title(self, reader: Reader) -> str:
        source, target = (
            f"{wording.short(wording.entity_name(reader, end), 30)}"
            f"{' (new entity)' if wording.is_new_entity(reader, end) else ''}"
            for end in self._ends())
        return f"Link {source} {spoken(self.link_type)} {target}"

    def sentence(self, reader: Reader) -> str:
        source, target = (wording.named(reader, end) for end in self._ends())
        why = f", because: {wording.short(self.reason, 120)}" if self.reason else ""
        return f"Link {source} {spoken(self.link_type)} {target}{why}."

    def _ends(self) -> tuple[str | None, str | None]:
        return (self.source_entity_id or self.source_entity,
                self.target_entity_id or self.target_entity)


def create_link(writer: Writer, fields: CreateLink, provenance: Provenance) -> Result:
    """Link two entities, or update their link of this type.

    Missing entities are made. An archived link comes back. A link that is there keeps a strength
    that nobody names and is not made less sure: Signet sets both anew, so that saying a link once
    more weakens it. Signet answers a `related_to` without
    a reason with status 500; here it is 400, because the input is at fault. It also takes a link
    from an entity to itself, which has no meaning and is not drawn; here that is 400, too.
    """
    reason = _reason(fields.link_type, fields.reason or provenance.rationale)
    source = _end(
        writer, fields.source_entity_id, fields.source_entity, fields.source_type, provenance
    )
    target = _end(
        writer, fields.target_entity_id, fields.target_entity, fields.target_type, provenance
    )
    if source == target:
        raise OperationError(400, "An entity can't be linked to itself",
                             field="target_entity")
    ends: Result = {"sourceId": source, "targetId": target}
    old = _between(writer, source, target, fields.link_type)
    values = {
        **_weights(fields, provenance, old), "reason": reason, "status": "active",
        "updated_at": writer.now(), **provenance.origin(),
    }
    if old is None:
        link_id = new_id()
        writer.insert(
            "entity_dependencies",
            id=link_id, agent_id=writer.agent, source_entity_id=source, target_entity_id=target,
            dependency_type=fields.link_type, created_at=writer.now(), **values,
        )
        return {"dependencyId": link_id, **ends, "updated": False}
    writer.update("entity_dependencies", old["id"], **values, **UNARCHIVED)
    result: Result = {"dependencyId": old["id"], **ends, "updated": True}
    return {**result, "reactivated": True} if old["status"] == "archived" else result


def _weights(fields: CreateLink, provenance: Provenance, old: Row | None) -> Result:
    """How strong and how sure a link becomes; `old` is the one between its ends."""
    strength, confidence = fields.strength, fields.confidence
    if strength is None:
        strength = (old and clamped(old["strength"])) or 0.5
    if confidence is None:
        confidence = max(provenance.confidence, (old and clamped(old["confidence"])) or 0.0)
    return {"strength": strength, "confidence": confidence}


def _end(
    writer: Writer,
    entity_id: str | None,
    name: str | None,
    entity_type: str | None,
    provenance: Provenance,
) -> str:
    if entity_id:
        return str(entity_by_id(writer, entity_id)["id"])
    return resolve_entity(writer, name or "", provenance, entity_type)[0]


def _between(reader: Reader, source: str, target: str, link_type: str) -> Row | None:
    return reader.row(
        "SELECT id, status, strength, confidence FROM entity_dependencies WHERE +agent_id = :agent"
        " AND source_entity_id = :source AND target_entity_id = :target"
        " AND dependency_type = :type ORDER BY status, id",
        source=source, target=target, type=link_type,
    )


def _reason(link_type: str, text: str | None) -> str | None:
    """One line of at most 300 characters; required for `related_to`, which says nothing alone."""
    reason = " ".join((text or "").split())[:_REASON_LIMIT]
    if link_type == "related_to" and not reason:
        raise OperationError(400, "A link “related to” needs a reason", field="reason")
    return reason or None


class _OneLink(Payload):
    """An input about one existing link."""

    id: LinkId = Field(
        validation_alias=called("id", "dependency_id", "link_id"), description="The link's id"
    )

    def title(self, reader: Reader) -> str:
        row = link_or_none(reader, self.id)
        if row is None:
            return f"{self.verb} a deleted link"
        source, target = (wording.short(name, 30) for name in _end_names(row))
        return f"{self.verb} {source} {_spoken(row)} {target}"

    def _words(self, reader: Reader) -> str:
        row = link_or_none(reader, self.id)
        if row is None:
            return "that was deleted"
        source, target = map(wording.quoted, _end_names(row))
        return f"{source} {_spoken(row)} {target}"


def _spoken(row: Row) -> str:
    """The link's words; those of the imported file where no type fits."""
    return wording.short(own_words(row["dependency_type"], row["reason"], row["source_kind"])
                         or spoken(row["dependency_type"]), 60)


def _end_names(row: Row) -> tuple[str, str]:
    gone = "a deleted entity"
    return row["source_name"] or gone, row["target_name"] or gone


class UpdateLink(_OneLink):
    """What `update_link` takes."""

    info = OperationInfo(
        line="Change link: {link} {other}", past={"Change": "Changed"}, label="{link_type}",
        link=("id",),
    )

    link_type: LinkType | None = Field(
        None,
        validation_alias=called("link_type", "dependency_type", "type"),
        description="Its new type",
    )
    reason: Text | None = Field(None, description="Its new reason")
    strength: Share = Field(None, description="Its new strength, 0 to 1")
    confidence: Share = Field(None, description="Its new confidence, 0 to 1")

    def sentence(self, reader: Reader) -> str:
        new = [
            self.link_type and f"type {spoken(self.link_type)}",
            self.strength is not None and f"strength {self.strength:g}",
            self.confidence is not None and f"confidence {self.confidence:g}",
            self.reason and f"reason {wording.quoted(self.reason, 120)}",
        ]
        changes = ", ".join(part for part in new if part) or "nothing"
        return f"Change the link {self._words(reader)}: {changes}."


def update_link(writer: Writer, fields: UpdateLink, provenance: Provenance) -> Result:
    """Change a link's type, reason, strength or confidence; other fields stay as they are.

    Signet answers with a raw SQLite error when the two entities already have a link of the new
    type; here it is 409.
    """
    row = find_link(writer, fields.id)
    link_type = fields.link_type or row["dependency_type"]
    if link_type != row["dependency_type"]:
        other = _between(writer, row["source_entity_id"], row["target_entity_id"], link_type)
        if other is not None:
            raise OperationError(
                409, f"These two entities already have a {spoken(link_type)} link"
                f"{' in the archive' if other['status'] == 'archived' else ''}",
                field="link_type", do="Change that one instead",
            )
    given: Result = {"strength": fields.strength, "confidence": fields.confidence}
    if fields.reason or fields.link_type:
        given["reason"] = _reason(link_type, fields.reason or row["reason"])
    for column in ("confidence", "reason"):
        if getattr(fields, column) is not None:
            require_column(writer, "entity_dependencies", column, f"store a link's {column}")
    writer.update(
        "entity_dependencies", row["id"], dependency_type=link_type, updated_at=writer.now(),
        **{column: value for column, value in given.items() if value is not None},
        **provenance.origin(),
    )
    return {"dependencyId": row["id"], "updated": True}


class ArchiveLink(_OneLink):
    """What `archive_link` takes."""

    info = OperationInfo(
        line="Archive link: {link} {other}", past={"Archive": "Archived"}, effect="go",
        label="{link_type}", link=("id",), inverse="restore_link",
    )

    reason: Text | None = Field(None, description="The reason")

    def sentence(self, reader: Reader) -> str:
        return f"Archive the link {self._words(reader)}."


def archive_link(writer: Writer, fields: ArchiveLink, provenance: Provenance) -> Result:
    """Archive a link: it is no longer walked, and can be restored."""
    row = find_link(writer, fields.id)
    require_column(writer, "entity_dependencies", "status", "archive a link")
    if row["status"] == "archived":
        return {"dependencyId": row["id"], "archived": True}
    writer.update(
        "entity_dependencies", row["id"], status="archived",
        **archive_marks(writer, fields.reason, provenance), **provenance.stamp(),
    )
    return {"dependencyId": row["id"], "archived": True}


class RestoreLink(_OneLink):
    """What `restore_link` takes."""

    info = OperationInfo(
        line="Restore link: {link} {other}", past={"Restore": "Restored"}, label="{link_type}",
        link=("id",), inverse="archive_link",
    )

    def sentence(self, reader: Reader) -> str:
        return f"Restore the link {self._words(reader)} from the archive."


def restore_link(writer: Writer, fields: RestoreLink, provenance: Provenance) -> Result:
    """Restore an archived link."""
    row = find_link(writer, fields.id)
    if row["status"] != "archived":
        raise OperationError(409, "The link is not archived", field="id")
    writer.update(
        "entity_dependencies", row["id"],
        status="active", updated_at=writer.now(), **UNARCHIVED, **provenance.stamp(),
    )
    return {"dependencyId": row["id"], "restored": True}
