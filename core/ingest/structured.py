"""Persists aspects and their values as the caller gave them (seed 001, structured remember)."""

from collections.abc import Sequence
from dataclasses import dataclass

from core.ingest.payload import AspectIn, AttributeIn
from core.ingest.remember_state import Known, Record
from core.ingest.triples import CO_OCCURRED
from core.ingest.update_wording import is_update
from core.model.names import canonical, slot_key
from core.model.times import later
from core.store.database import Row
from core.store.handles import new_id

GENERAL = "general"
"""The group of values that name none."""


@dataclass(frozen=True, slots=True)
class _Aspect:
    """An aspect with the values it has, whatever their status."""

    id: str
    name: str
    values: list[Row]

    @property
    def active(self) -> list[Row]:
        return [row for row in self.values if row["status"] == "active"]


def persist_structured(record: Record, aspects: Sequence[AspectIn], decision: bool) -> None:
    """Write aspects with their values, and the weak links between entities told of together."""
    entities: dict[str, Known] = {}
    for place, block in enumerate(aspects):
        path = f"$.aspects[{place}]"
        if not record.usable(block.entity_name, block.entity_type, path):
            continue
        known = record.entity(block.entity_name, block.entity_type)
        entities.setdefault(known.id, known)
        record.mention(known, block.entity_name, record.settings.aspect_mention_confidence,
                       f"{path}.entityName")
        aspect = _aspect(record, known, block.aspect, path)
        if aspect is None:
            continue
        for number, item in enumerate(block.attributes):
            _persist_value(record, aspect, item, decision, f"{path}.attributes[{number}]")
    if record.settings.co_occurrence:
        _link_pairs(record, list(entities.values())[:record.settings.co_occurrence_entities])


def _aspect(record: Record, known: Known, name: str, path: str) -> _Aspect | None:
    """The entity's aspect of this name, made if there is none; None where it may not be used."""
    writer = record.writer
    row = writer.row(
        "SELECT id, name, status FROM entity_aspects WHERE entity_id = :entity"
        " AND canonical_name = :name AND +agent_id = :agent",
        entity=known.id, name=canonical(name))
    if row is None:
        return _new_aspect(record, known, name, path)
    if row["status"] != "active":
        record.skip(path, row["name"], "aspect_archived", f"The aspect “{row['name']}” is archived",
                    "Restore it first")
        return None
    values = writer.rows(
        "SELECT rowid AS number, * FROM entity_attributes WHERE aspect_id = :aspect"
        " AND +agent_id = :agent", aspect=row["id"])
    return _Aspect(row["id"], row["name"], values)


def _new_aspect(record: Record, known: Known, name: str, path: str) -> _Aspect | None:
    writer, most = record.writer, record.settings.max_aspects_per_entity
    have = writer.value(
        "SELECT count(*) FROM entity_aspects WHERE entity_id = :entity AND status = 'active'"
        " AND +agent_id = :agent", entity=known.id)
    if have >= most:
        record.skip(path, name, "aspect_over_cap", f"“{known.name}” has {have} aspects of {most}",
                    "Merge two of its aspects, or archive one")
        return None
    aspect = _Aspect(new_id(), " ".join(name.split()), [])
    writer.insert(
        "entity_aspects", id=aspect.id, entity_id=known.id, agent_id=writer.agent,
        name=aspect.name, canonical_name=canonical(name), weight=0.5, status="active",
        created_at=record.at, updated_at=writer.now())
    record.count["aspects_inserted"] += 1
    record.touched.add(aspect.id)
    return aspect


# -- values ----------------------------------------------------------------------------------


def _persist_value(
    record: Record, aspect: _Aspect, item: AttributeIn, decision: bool, path: str
) -> None:
    """Add a value, and retire what it replaces in its slot."""
    kind = item.kind or ("constraint" if decision else "attribute")
    weaker = _weaker_twin(aspect, item, kind)
    if weaker is None and _is_known(record, aspect, item, path):
        return
    gone = [weaker] if weaker is not None else _replaced(record, aspect, item, kind)
    most, have = record.settings.max_attributes_per_aspect, len(aspect.active)
    if have - len(gone) >= most:
        record.skip(path, item.content, "attribute_over_cap",
                    f"The aspect “{aspect.name}” has {have} values of {most}",
                    "Give it a claim key so that it supersedes a value, merge aspects, or archive "
                    "a value")
        return
    new = _insert(record, aspect, item, kind, gone, path)
    record.touch(aspect.id)
    for row in gone:
        _supersede(record, aspect, row, new["id"])
        why = "it reads like an update" if weaker is None else "it is a constraint now"
        record.note(path, item.content, f"replaces “{row['content']}”: {why}")
    if kind == "attribute":
        _overtake(record, aspect, item, new, path)


def _overtake(record: Record, aspect: _Aspect, item: AttributeIn, new: Row, path: str) -> None:
    """A value from an earlier time that the slot has an update of already is history at once."""
    newer = [row for row in _slot(record, aspect, item) if later(row["created_at"], record.at)
             and is_update(str(row["content"]), item.content)]
    if newer:
        _supersede(record, aspect, new, newer[0]["id"])
        record.note(path, item.content, f"is history at once: “{newer[0]['content']}” is newer")


def _same_claim(row: Row, item: AttributeIn) -> bool:
    """The same slot, or one of the two names none."""
    claim = slot_key(row["claim_key"])
    if claim is None or item.claim_key is None:
        return True
    return claim == item.claim_key and (
        slot_key(row["group_key"], GENERAL) == (item.group_key or GENERAL))


def _twins(aspect: _Aspect, item: AttributeIn) -> list[Row]:
    same = canonical(item.content)
    return [row for row in aspect.values
            if canonical(str(row["content"])) == same and _same_claim(row, item)]


def _weaker_twin(aspect: _Aspect, item: AttributeIn, kind: str) -> Row | None:
    """The same words as a mere attribute, where they are a constraint now."""
    found = [row for row in _twins(aspect, item) if row["status"] == "active"]
    if kind == "constraint" and found and all(row["kind"] == "attribute" for row in found):
        return found[0]
    return None


def _is_known(record: Record, aspect: _Aspect, item: AttributeIn, path: str) -> bool:
    """True if the value is there already, or was taken away by someone.

    What this memory brought before and something newer has replaced since does not come back.
    """
    twins = _twins(aspect, item)
    if any(row["status"] == "active" or row["memory_id"] == record.memory_id for row in twins
           if row["status"] != "deleted"):
        record.count["attributes_known"] += 1
        record.note(path, item.content, "is known already")
        return True
    if any(row["status"] == "deleted" for row in twins):
        record.skip(path, item.content, "deleted_before", "This value was archived before",
                    "Restore it in the claim's history")
        return True
    return False


def _replaced(record: Record, aspect: _Aspect, item: AttributeIn, kind: str) -> list[Row]:
    """The active values of the slot that the new one reads like an update of."""
    if kind != "attribute":
        return []
    return [row for row in _slot(record, aspect, item)
            if not later(row["created_at"], record.at)
            and is_update(item.content, str(row["content"]))]


def _slot(record: Record, aspect: _Aspect, item: AttributeIn) -> list[Row]:
    """The active attributes of the value's claim; none where it names no claim."""
    if item.claim_key is None or not record.settings.supersede_slots:
        return []
    return [row for row in aspect.active if row["kind"] == "attribute"
            and slot_key(row["claim_key"]) and _same_claim(row, item)]


def _insert(
    record: Record, aspect: _Aspect, item: AttributeIn, kind: str, gone: Sequence[Row], path: str
) -> Row:
    """Write the value; its version follows what it replaces."""
    writer, settings, id = record.writer, record.settings, new_id()
    before = max(gone, key=lambda row: row["version"] or 1, default=None)
    usual = settings.decision_importance if kind == "constraint" else settings.importance
    keyed = {} if item.claim_key is None else {"claim_key": item.claim_key}
    writer.insert(
        "entity_attributes", id=id, aspect_id=aspect.id, agent_id=writer.agent,
        memory_id=record.memory_id, kind=kind, content=item.content,
        normalized_content=canonical(item.content),
        confidence=settings.confidence if item.confidence is None else item.confidence,
        importance=usual if item.importance is None else item.importance,
        status="active", group_key=item.group_key or GENERAL, **keyed,
        version=1 if before is None else (before["version"] or 1) + 1,
        version_root_id=id if before is None else before["version_root_id"] or before["id"],
        previous_attribute_id=None if before is None else before["id"],
        created_at=record.at, updated_at=writer.now())
    row = writer.row(
        "SELECT rowid AS number, * FROM entity_attributes WHERE id = :id AND agent_id = :agent",
        id=id)
    assert row is not None
    aspect.values.append(row)
    record.places[id] = path
    record.note(path, item.content, " · ".join((
        f"a new {kind} of {aspect.name}", row["group_key"] or GENERAL,
        row["claim_key"] or "no claim")))
    _tell_slot(record, item, path)
    return row


def _tell_slot(record: Record, item: AttributeIn, path: str) -> None:
    """Say where a file from before groups and claims keeps the value without its slot."""
    lost = [(name, key) for column, name, key in (
        ("group_key", "groupKey", item.group_key), ("claim_key", "claimKey", item.claim_key))
        if key is not None and not record.writer.has_column("entity_attributes", column)]
    if lost:
        record.not_kept(f"{path}.{lost[-1][0]}", " · ".join(key for _, key in lost),
                        "groups and claims: the value is kept, its slot is not")


def _supersede(record: Record, aspect: _Aspect, row: Row, by: str) -> None:
    record.writer.update("entity_attributes", row["id"], status="superseded", superseded_by=by,
                         updated_at=record.writer.now())
    aspect.values.remove(row)
    record.superseded_ids.append(row["id"])


# -- weak links ------------------------------------------------------------------------------


def _link_pairs(record: Record, entities: Sequence[Known]) -> None:
    """Link each pair, in the order of the blocks, unless something links it already."""
    writer = record.writer
    for place, source in enumerate(entities):
        for target in entities[place + 1:]:
            if writer.value(
                "SELECT 1 FROM entity_dependencies WHERE source_entity_id = :source"
                " AND target_entity_id = :target AND dependency_type = 'related_to'"
                " AND +agent_id = :agent", source=source.id, target=target.id,
            ):
                continue
            writer.insert(
                "entity_dependencies", id=new_id(), source_entity_id=source.id,
                target_entity_id=target.id, agent_id=writer.agent,
                dependency_type="related_to", status="active",
                strength=record.settings.co_occurrence_strength,
                confidence=record.settings.co_occurrence_confidence,
                reason=f"{CO_OCCURRED} {record.memory_id}",
                created_at=writer.now(), updated_at=writer.now())
            record.count["co_occurrences"] += 1
            record.note("$.aspects", f"{source.name} — {target.name}",
                        "told of together: a weak link, not walked until it is strengthened")
