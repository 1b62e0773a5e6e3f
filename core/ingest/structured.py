"""Persists aspects and their values as the caller gave them (seed 001, structured remember)."""

from collections.abc import Sequence

from msgspec import Struct

from core.ingest.payload import AspectIn, AttributeIn
from core.ingest.propose_instead_of_writing import (
    propose_aspect,
    propose_replacement,
    propose_value,
)
from core.ingest.remember_state import KnownEntity, RememberState
from core.model.contradiction import Verdict
from core.model.names import canonical, name_key, slot_key
from core.model.times import later, not_ahead
from core.model.vocabulary import CO_OCCURRED
from core.ontology import disputes
from core.ontology.keyless_values import beside_keyless
from core.queries.archived_by_person import archived_value, by_whom, is_of_person
from core.queries.authors import is_person
from core.store.database import Row
from core.store.reader_and_writer import new_id

GENERAL = "general"
"""The group of values that name none."""
_BY_AN_AGENT = Verdict("slot", 1.0, "it is the same claim, and an agent says so")


class _Aspect(Struct, frozen=True):
    """An aspect with the values it has, whatever their status."""

    id: str
    name: str
    values: list[Row]

    @property
    def active(self) -> list[Row]:
        return [row for row in self.values if row["status"] == "active"]


def persist_structured(state: RememberState, aspects: Sequence[AspectIn], decision: bool) -> None:
    """Write aspects with their values, and the weak links between entities mentioned together."""
    entities: dict[str, KnownEntity] = {}
    for place, block in enumerate(aspects):
        path = f"$.aspects[{place}]"
        if not state.usable(block.entity_name, block.entity_type, path):
            continue
        known = state.entity(block.entity_name, block.entity_type, path)
        entities.setdefault(known.id, known)
        state.mention(known, block.entity_name, state.settings.aspect_mention_confidence,
                       f"{path}.entityName")
        aspect = _aspect(state, known, block, decision, path)
        if aspect is None:
            continue
        for number, item in enumerate(block.attributes):
            _persist_value(state, known, aspect, item, decision, f"{path}.attributes[{number}]")
    if state.settings.co_occurrence:
        _link_pairs(state, list(entities.values())[:state.settings.co_occurrence_entities])


def _aspect(
    state: RememberState, known: KnownEntity, block: AspectIn, decision: bool, path: str
) -> _Aspect | None:
    """The entity's aspect of this name, made if there is none; None where it may not be used."""
    writer, name = state.writer, block.aspect
    row = writer.row(
        "SELECT id, name, status FROM entity_aspects WHERE entity_id = :entity"
        " AND canonical_name = :name AND +agent_id = :agent",
        entity=known.id, name=name_key(name))
    if row is None:
        return _new_aspect(state, known, block, decision, path)
    if row["status"] != "active":
        state.skip(path, row["name"], "aspect_archived", f"The aspect “{row['name']}” is archived",
                    "Restore it first")
        return None
    values = writer.rows(
        "SELECT rowid AS number, * FROM entity_attributes WHERE aspect_id = :aspect"
        " AND +agent_id = :agent", aspect=row["id"])
    return _Aspect(row["id"], row["name"], values)


def _new_aspect(
    state: RememberState, known: KnownEntity, block: AspectIn, decision: bool, path: str
) -> _Aspect | None:
    writer, most, name = state.writer, state.settings.max_aspects_per_entity, block.aspect
    have = writer.value(
        "SELECT count(*) FROM entity_aspects WHERE entity_id = :entity AND status = 'active'"
        " AND +agent_id = :agent", entity=known.id)
    if have >= most:
        propose_aspect(state, known, block, decision, path)
        return None
    aspect = _Aspect(new_id(), " ".join(name.split()), [])
    writer.insert(
        "entity_aspects", id=aspect.id, entity_id=known.id, agent_id=writer.agent,
        name=aspect.name, canonical_name=writer.stored_key(name), weight=0.5, status="active",
        created_at=state.at, updated_at=writer.now())
    state.count["aspects_inserted"] += 1
    state.touched.add(aspect.id)
    return aspect


# -- values ----------------------------------------------------------------------------------


def _persist_value(
    state: RememberState, known: KnownEntity, aspect: _Aspect, item: AttributeIn, decision: bool,
    path: str,
) -> None:
    """Add a value; what its claim had before it is replaced.

    Where a claim is named the new value is meant to replace the old one. A constraint in force is
    replaced by a person's own word only: what an agent says beside it is stored, and the person
    decides which of the two holds. Nor does it replace what a person wrote or applied: there it
    waits as a proposal.
    """
    kind = item.kind or ("constraint" if decision else "attribute")
    weaker = _weaker_twin(aspect, item, kind)
    if weaker is None and (_is_known(state, aspect, item, path)
                           or _is_kept_out(state, known, item, path)):
        return
    before = [weaker] if weaker is not None else _before(state, aspect, item, kind)
    gone = [row for row in before if row["kind"] == "attribute" or is_person(state.writer)]
    said = "" if is_person(state.writer) else next(
        (row["content"] for row in gone if is_of_person(state.writer, row["id"])), "")
    if said:
        propose_replacement(state, known, aspect.id, item, kind, path, said)
        return
    most, have = state.settings.max_attributes_per_aspect, len(aspect.active)
    if have - len(before) >= most:
        propose_value(state, known, aspect.id, aspect.name, item, kind, path)
        return
    if item.claim_key:
        state.warn(beside_keyless(state.writer, known.id, kind, item.claim_key, item.content))
    new = _insert(state, aspect, item, kind, before, path)
    state.touch(aspect.id)
    for row in gone:
        _supersede(state, aspect, row, new["id"])
        if row["kind"] == "constraint":
            state.replaced_constraints.append(row["content"])
        why = "it is the same claim" if weaker is None else "it is a constraint now"
        state.note(path, item.content, f"replaces “{row['content']}”: {why}")
    state.disputes.extend(disputes.ask(
        state.writer, [row["id"] for row in before if row not in gone], new["id"], _BY_AN_AGENT))
    _overtake(state, aspect, item, new, path)


def _overtake(
    state: RememberState, aspect: _Aspect, item: AttributeIn, new: Row, path: str
) -> None:
    """A value from an earlier time than what its claim has now is history at once."""
    newer = [row for row in _slot(state, aspect, item, new["kind"])
             if row["kind"] == new["kind"] and _is_newer(state, row)]
    if newer:
        _supersede(state, aspect, new, newer[0]["id"])
        state.note(path, item.content, f"is superseded already: “{newer[0]['content']}” is newer")


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
    twins = [row for row in _twins(aspect, item) if row["status"] == "active"]
    if kind == "constraint" and twins and all(row["kind"] == "attribute" for row in twins):
        return twins[0]
    return None


def _is_known(state: RememberState, aspect: _Aspect, item: AttributeIn, path: str) -> bool:
    """True if the value is there already, or was taken away by someone.

    What this memory brought before and something newer has replaced since does not come back.
    """
    twins = _twins(aspect, item)
    if any(row["status"] == "active" or row["memory_id"] == state.memory_id for row in twins
           if row["status"] != "deleted"):
        state.count["attributes_known"] += 1
        state.note(path, item.content, "is known already")
        return True
    if any(row["status"] == "deleted" for row in twins):
        state.skip(path, item.content, "deleted_before", "This value was archived before",
                    "Restore it in the claim's history")
        return True
    return False


def _is_kept_out(state: RememberState, known: KnownEntity, item: AttributeIn, path: str) -> bool:
    """True if an agent says under another aspect what a person has archived or corrected."""
    gone = None if is_person(state.writer) else archived_value(
        state.writer, known.id, item.content, item.claim_key, item.group_key)
    if gone is None:
        return False
    state.skip(path, item.content, "deleted_before", f"This value was {by_whom(gone)} before",
               "Propose to restore it")
    return True


def _before(state: RememberState, aspect: _Aspect, item: AttributeIn, kind: str) -> list[Row]:
    """The values in force that the claim has from before; what this memory says at once stays."""
    return [row for row in _slot(state, aspect, item, kind)
            if row["memory_id"] != state.memory_id and not _is_newer(state, row)]


def _is_newer(state: RememberState, row: Row) -> bool:
    """True if a value is of a later time than what is remembered."""
    return later(not_ahead(row["created_at"], state.writer.now()), state.at)


def _slot(state: RememberState, aspect: _Aspect, item: AttributeIn, kind: str) -> list[Row]:
    """The active values of this kind in the value's claim; none where it names no claim.

    A constraint takes the place of the mere attributes of its claim, too.
    """
    if item.claim_key is None or not state.settings.supersede_slots:
        return []
    return [row for row in aspect.active if kind in (row["kind"], "constraint")
            and slot_key(row["claim_key"]) and _same_claim(row, item)]


def _insert(
    state: RememberState, aspect: _Aspect, item: AttributeIn, kind: str, gone: Sequence[Row],
    path: str,
) -> Row:
    """Write the value; its version follows what it replaces."""
    writer, settings, id = state.writer, state.settings, new_id()
    before = max(gone, key=lambda row: row["version"] or 1, default=None)
    usual = settings.decision_importance if kind == "constraint" else settings.importance
    keyed = {} if item.claim_key is None else {"claim_key": item.claim_key}
    writer.insert(
        "entity_attributes", id=id, aspect_id=aspect.id, agent_id=writer.agent,
        memory_id=state.memory_id, kind=kind, content=item.content,
        normalized_content=canonical(item.content),
        confidence=settings.confidence if item.confidence is None else item.confidence,
        importance=usual if item.importance is None else item.importance,
        status="active", group_key=item.group_key or GENERAL, **keyed,
        version=1 if before is None else (before["version"] or 1) + 1,
        version_root_id=id if before is None else before["version_root_id"] or before["id"],
        previous_attribute_id=None if before is None else before["id"],
        created_at=state.at, updated_at=writer.now())
    row = writer.row(
        "SELECT rowid AS number, * FROM entity_attributes WHERE id = :id AND agent_id = :agent",
        id=id)
    assert row is not None
    aspect.values.append(row)
    state.places[id] = path
    state.note(path, item.content, " · ".join((
        f"a new {kind} of {aspect.name}", row["group_key"] or GENERAL,
        row["claim_key"] or "no claim")))
    _tell_slot(state, item, path)
    return row


def _tell_slot(state: RememberState, item: AttributeIn, path: str) -> None:
    """Say where a file from before groups and claims keeps the value without its slot."""
    lost = [(name, key) for column, name, key in (
        ("group_key", "groupKey", item.group_key), ("claim_key", "claimKey", item.claim_key))
        if key is not None and not state.writer.has_column("entity_attributes", column)]
    if lost:
        state.not_kept(f"{path}.{lost[-1][0]}", " · ".join(key for _, key in lost),
                        "groups and claims: the value is stored, but not its group and claim key")


def _supersede(state: RememberState, aspect: _Aspect, row: Row, by: str) -> None:
    state.writer.update("entity_attributes", row["id"], status="superseded", superseded_by=by,
                         updated_at=state.writer.now())
    aspect.values.remove(row)
    state.superseded_ids.append(row["id"])


# -- weak links ------------------------------------------------------------------------------


def _link_pairs(state: RememberState, entities: Sequence[KnownEntity]) -> None:
    """Link each pair, in the order of the blocks, unless something links it already."""
    writer = state.writer
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
                strength=state.settings.co_occurrence_strength,
                confidence=state.settings.co_occurrence_confidence,
                reason=f"{CO_OCCURRED} {state.memory_id}",
                created_at=writer.now(), updated_at=writer.now())
            state.count["co_occurrences"] += 1
            state.note("$.aspects", f"{source.name} — {target.name}",
                        "mentioned together: a weak link, not walked until it is strengthened")
