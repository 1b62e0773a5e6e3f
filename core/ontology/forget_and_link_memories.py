"""Operations on memories: forget one, with what only it supports, or link it to an entity."""

from collections import Counter
from collections.abc import Sequence

from pydantic import Field

from core.errors import OperationError
from core.learning.automatic_change_log import record_of_memory
from core.learning.retire_orphaned_values import resting_on, retire_values_of
from core.model.ingest_results import ForgetReport, Note
from core.model.text_formatting import counted
from core.model.vocabulary import CO_OCCURRED, EXTRACTED
from core.ontology import wording
from core.ontology.change_provenance import Provenance
from core.ontology.payload_base import ENTITY, Force, OperationInfo, Payload, Result, Text, called
from core.ontology.row_reference_fields import EntityName, MemoryId
from core.queries.find_by_name_or_id import find_entity
from core.queries.find_by_name_or_id import memory_id as whole_id
from core.queries.rows_to_model import text
from core.store.database import Row
from core.store.reader_and_writer import Reader, Writer

OWN_MENTION = 1.0
"""The confidence of a mention that somebody has asked for by name."""
_STAYS = (
    ("e.mentions > 0 OR EXISTS (SELECT 1 FROM memory_entity_mentions n WHERE n.entity_id = e.id"
     " AND NOT EXISTS (SELECT 1 FROM entity_attributes v WHERE v.id = n.memory_id))",
     "other memories mention it"),
    ("e.pinned <> 0", "it is pinned"), ("e.muted <> 0", "it is muted"),
    ("e.status <> 'active'", "it is archived"),
    ("e.proposal_id IS NOT NULL OR COALESCE(e.description, '') <> ''", "it was created or "
                                                                       "described explicitly"),
    *((f"EXISTS (SELECT 1 FROM {table} x WHERE x.{column} = e.id)", f"it has {what}")
      for table, column, what in (
          ("entity_aspects", "entity_id", "aspects"),
          ("task_meta", "entity_id", "the dates of a task"),
          ("epistemic_assertions", "subject_entity_id", "assertions"),
          ("entity_aliases", "entity_id", "other names"), ("skill_meta", "entity_id", "a skill"))),
    ("e.entity_type = 'task'", "it is a task"),
    ("EXISTS (SELECT 1 FROM entity_dependencies d WHERE d.proposal_id IS NOT NULL"
     " AND (d.source_entity_id = e.id OR d.target_entity_id = e.id))", "one of its links was "
                                                                       "stated explicitly"),
)
"""What makes an entity more than a name that was mentioned, and how that is said."""

_OF_OTHERS = """
SELECT 1 FROM memory_entity_mentions n JOIN entities e ON e.id = n.entity_id
WHERE n.memory_id = :id AND e.agent_id <> :agent
UNION ALL
SELECT 1 FROM entity_attributes v WHERE v.memory_id = :id AND v.agent_id <> :agent
  AND v.status = 'active'
LIMIT 1"""


class ForgetMemory(Payload):
    """What `forget_memory` takes."""

    info = OperationInfo(
        line="Forget {content}", past={"Forget": "Forgot"}, label="{content}", entity=(),
        memory=("memory_id",),
    )

    memory_id: MemoryId = Field(
        validation_alias=called("memory_id", "memory", "id"),
        description="The memory's id, or its first six or more characters",
    )
    reason: Text | None = Field(None, description="The reason")
    force: Force = Field(
        False, description="Forget it even if it is pinned or a constraint rests on it")

    def title(self, reader: Reader) -> str:
        return f"Forget {wording.quoted(self._words(reader), 60)}"

    def sentence(self, reader: Reader) -> str:
        resting = len(resting_on(reader, whole_id(reader, self.memory_id)))
        values = counted(resting, "value that rests on it", "values that rest on it")
        also = f", and {values}" if resting else ""
        return f"Forget {wording.quoted(self._words(reader))}{also}."

    def _words(self, reader: Reader) -> str:
        """What the memory says; its id where there is none."""
        row = memory_row(reader, whole_id(reader, self.memory_id))
        return self.memory_id if row is None else text(row["content"])


def forget_memory(writer: Writer, fields: ForgetMemory, provenance: Provenance) -> Result:
    """Forget a memory: it is told no more, nor are the values that rest on it alone.

    Entities and links that only this memory brought go with it. A pinned memory, and one that a
    constraint in force rests on, need `force`.
    """
    done = forget(writer, whole_id(writer, fields.memory_id),
                  fields.reason or provenance.rationale, force=fields.force)
    return {"memoryId": done.memory_id, "forgotten": True, "orphans": list(done.orphans),
            "attributesRetired": done.attributes_retired}


class LinkMemory(Payload):
    """What `link_memory` takes."""

    info = OperationInfo(
        line="Link a memory", past={"Link": "Linked"}, arguments=("memory_id", "entity"),
    )

    memory_id: MemoryId = Field(
        validation_alias=called("memory_id", "memory"),
        description="The memory's id, or its first six or more characters",
    )
    entity: EntityName = Field(validation_alias=ENTITY, description="The entity, by name or id")
    mention_text: Text | None = Field(None, description="How the memory calls it")

    def title(self, reader: Reader) -> str:
        return f"Link a memory with {wording.short(self.subject(reader))}"

    def sentence(self, reader: Reader) -> str:
        row = memory_row(reader, whole_id(reader, self.memory_id))
        words = self.memory_id if row is None else text(row["content"])
        return (f"Link the memory {wording.quoted(words, 120)} with"
                f" {wording.quoted(self.subject(reader))}, which it mentions.")


def link_memory(writer: Writer, fields: LinkMemory, provenance: Provenance) -> Result:
    """Link a memory with an entity that it mentions: it is told where the entity is in focus."""
    memory = _memory(writer, whole_id(writer, fields.memory_id))
    entity = find_entity(writer, fields.entity, field="entity")
    ids: Result = {"memoryId": memory["id"], "entityId": entity["id"]}
    if writer.value("SELECT 1 FROM memory_entity_mentions WHERE memory_id = :memory"
                    " AND entity_id = :entity", memory=memory["id"], entity=entity["id"]):
        return {**ids, "linked": True}
    writer.insert(
        "memory_entity_mentions", memory_id=memory["id"], entity_id=entity["id"],
        mention_text=fields.mention_text or entity["name"], confidence=OWN_MENTION,
        created_at=writer.now())
    writer.update("entities", entity["id"], mentions=int(entity["mentions"] or 0) + 1,
                  updated_at=writer.now(), **provenance.stamp())
    return {**ids, "linked": True}


def forget(
    writer: Writer, memory_id: str, reason: str = "", *, force: bool = False,
    explain: bool = False,
) -> ForgetReport:
    """Mark a memory as deleted, remove its mentions, and retire the values based on it.

    Raises:
        OperationError: 404 if the agent has no such memory; without `force` 409 for a pinned one,
            for one that a constraint in force rests on, and for one that another agent's graph
            rests on in a file that keeps no owners.
    """
    row = _memory(writer, memory_id)
    if not force:
        _refuse_kept(writer, row)
    with writer.savepoint():
        mentioned = [row["entity_id"] for row in writer.rows(
            "SELECT n.entity_id FROM memory_entity_mentions n JOIN entities e"
            " ON e.id = n.entity_id AND e.agent_id = :agent WHERE n.memory_id = :id",
            id=memory_id)]
        writer.update("memories", memory_id, is_deleted=1, deleted_at=writer.now(),
                      updated_at=writer.now(), updated_by=writer.actor)
        writer.delete_where(
            "memory_entity_mentions",
            "memory_id = :id AND entity_id IN (SELECT value FROM json_each(:entities))",
            id=memory_id, entities=mentioned)
        # Values first: an entity that still has some is more than a name.
        notes = [Note("value", str(value["content"]), "it is based on this memory")
                 for value in (resting_on(writer, memory_id) if explain else ())]
        retired = retire_values_of(writer, memory_id)
        links = _remove_links(writer, memory_id, mentioned)
        fates = take_mentions(writer, mentioned)
        orphans = tuple(str(fate["name"]) for fate in fates if not fate["why"])
        if explain:
            notes += [Note("link", link, "no other memory supports it") for link in links]
            notes += [_fate(fate) for fate in fates]
        record_of_memory(writer, "deleted", memory_id, old=row["content"], by=writer.actor,
               reason=reason or "forgotten",
               metadata={"mentions": len(mentioned), "attributes": retired})
        return ForgetReport(memory_id, len(mentioned), len(orphans), orphans, retired,
                            tuple(notes))


def memory_row(reader: Reader, memory_id: str) -> Row | None:
    """The agent's memory with this id, unless it is forgotten."""
    return reader.row(
        "SELECT id, content, pinned FROM memories"
        " WHERE id = :id AND is_deleted = 0 AND (agent_id = :agent OR NOT :own)",
        id=memory_id, own=reader.has_column("memories", "agent_id"))


def _memory(writer: Writer, memory_id: str) -> Row:
    row = memory_row(writer, memory_id)
    if row is None:
        raise OperationError(404, f"Memory not found: {memory_id}", field="memory_id")
    return row


def _refuse_kept(writer: Writer, row: Row) -> None:
    """Leave pinned memory, and one that is another agent's as well, to who insists."""
    if row["pinned"]:
        raise OperationError(409, "This memory is pinned", field="force",
                             do="Use force to forget it")
    if any(value["kind"] == "constraint" for value in resting_on(writer, row["id"])):
        raise OperationError(409, "A constraint in force rests on this memory",
                             field="force", do="Use force to forget both")
    if not writer.has_column("memories", "agent_id") and writer.value(_OF_OTHERS, id=row["id"]):
        raise OperationError(
            409, "Another agent's graph uses this memory too", field="force",
            do="This file does not record owners of memories; use force to forget it for every "
               "agent")


def _fate(row: Row) -> Note:
    """What became of an entity, and why."""
    stays = row["why"]
    return Note("entity", str(row["name"]),
                f"stays: {stays}" if stays else "removed: no other memory mentions it")


def _remove_links(writer: Writer, memory_id: str, mentioned: Sequence[str]) -> list[str]:
    """Remove links that remembering made from this memory and that no other memory bears out."""
    alone = writer.rows(
        "SELECT d.id, s.name || ' ' || d.dependency_type || ' ' || t.name AS words"
        " FROM entity_dependencies d LEFT JOIN entities s ON s.id = d.source_entity_id"
        " LEFT JOIN entities t ON t.id = d.target_entity_id"
        " WHERE d.source_entity_id IN (SELECT value FROM json_each(:ids))"
        " AND +d.agent_id = :agent AND +d.proposal_id IS NULL AND d.reason IN (:stated, :guessed)"
        " AND NOT EXISTS (SELECT 1 FROM memory_entity_mentions a"
        "   CROSS JOIN memory_entity_mentions b ON b.memory_id = a.memory_id"
        "   WHERE a.entity_id = d.source_entity_id AND b.entity_id = d.target_entity_id)",
        ids=list(mentioned), stated=f"{EXTRACTED} {memory_id}",
        guessed=f"{CO_OCCURRED} {memory_id}")
    for row in alone:
        writer.delete_where("entity_dependencies", "id = :id", id=row["id"])
    return [str(row["words"] or row["id"]) for row in alone]


def take_mentions(writer: Writer, entity_ids: Sequence[str]) -> list[Row]:
    """Take one mention off for each id given; returns each entity's name, and why it stays.

    That is empty for one that went. An entity whose mentions reach 0 is deleted only if it is
    one of these, belongs to the agent and is nothing but a name: pinned and muted ones, those
    that an operation made, and those with aspects, aliases, assertions, a task or a stated link
    stay. Upstream deleted every entity of every agent that had no mention.
    """
    times = Counter(entity_ids)
    for row in writer.rows(
        "SELECT e.id, e.mentions FROM entities e WHERE +e.agent_id = :agent"
        " AND e.entity_type <> 'task' AND e.id IN (SELECT value FROM json_each(:ids))",
        ids=list(times),
    ):
        writer.update("entities", row["id"], updated_at=writer.now(),
                      mentions=max(0, int(row["mentions"] or 0) - times[row["id"]]))
    reasons = " ".join(f"WHEN {stays} THEN '{why}'"
                       for stays, why in _STAYS)
    fates = writer.rows(
        f"SELECT e.id, e.name, CASE {reasons} ELSE '' END AS why FROM entities e"
        " WHERE +e.agent_id = :agent AND e.id IN (SELECT value FROM json_each(:ids))"
        " ORDER BY e.name", ids=list(times))
    for row in fates:
        if not row["why"]:
            _delete(writer, row["id"])
    return fates


def _delete(writer: Writer, entity_id: str) -> None:
    """Remove the entity with its links; their other ends stay."""
    for table in ("relations", "entity_dependencies"):
        writer.delete_where(
            table, "source_entity_id = :id OR target_entity_id = :id", id=entity_id)
    writer.delete_where("memory_entity_mentions", "entity_id = :id", id=entity_id)
    writer.delete_where("entities", "id = :id", id=entity_id)
