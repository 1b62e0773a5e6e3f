"""Persists what is said to have to do with what (seed 000, `txPersistEntities`)."""

from collections.abc import Sequence

from core.ingest.payload import Entity, Named, Triple
from core.ingest.remember_state import KnownEntity, RememberState
from core.model.names import slot_key
from core.model.vocabulary import CO_OCCURRED, EXTRACTED
from core.store.database import Row
from core.store.reader_and_writer import new_id

_LONGEST_TYPE = 80


def persist_entities(state: RememberState, entities: Sequence[Entity]) -> None:
    """Write triples and named entities, each with its link to the memory.

    A triple is written whole or not at all: where one name is refused, the other gets no mention.
    """
    for place, item in enumerate(entities):
        path = f"$.entities[{place}]"
        if isinstance(item, Named):
            _persist_named(state, item, path)
        else:
            _persist_triple(state, item, path)


def _persist_named(state: RememberState, item: Named, path: str) -> None:
    if state.usable(item.name, item.entity_type, path):
        known = state.entity(item.name, item.entity_type, path)
        state.mention(known, item.name, state.settings.confidence, path)


def _persist_triple(state: RememberState, item: Triple, path: str) -> None:
    usable = [state.usable(item.source, item.source_type, f"{path}.source"),
              state.usable(item.target, item.target_type, f"{path}.target")]
    if not all(usable):
        return
    source = state.entity(item.source, item.source_type, f"{path}.source")
    target = state.entity(item.target, item.target_type, f"{path}.target")
    sure = state.settings.confidence if item.confidence is None else item.confidence
    if source.id == target.id:
        state.skip(path, source.name, "self_relation", "It relates an entity to itself")
        state.mention(source, item.source, sure, f"{path}.source")
        return
    _relate(state, source, target, item.relationship, sure)
    _link(state, source, target, item.relationship, sure, path)
    state.mention(source, item.source, sure, f"{path}.source")
    state.mention(target, item.target, sure, f"{path}.target")


def _relate(
    state: RememberState, source: KnownEntity, target: KnownEntity, word: str, confidence: float
) -> None:
    """The older kind of edge, by its words as they were said and how often they were."""
    writer = state.writer
    if not writer.has_table("relations"):
        return
    old = writer.row(
        "SELECT id, mentions, confidence FROM relations WHERE source_entity_id = :source"
        " AND target_entity_id = :target AND relation_type = :word"
        " ORDER BY rowid", source=source.id, target=target.id, word=word)
    now = writer.now()
    if old is None:
        writer.insert(
            "relations", id=new_id(), source_entity_id=source.id, target_entity_id=target.id,
            relation_type=word, strength=state.settings.triple_strength, mentions=1,
            confidence=confidence, created_at=now, updated_at=now)
        state.count["relations_inserted"] += 1
    elif state.fresh:
        times = int(old["mentions"] or 1)
        writer.update(
            "relations", old["id"], mentions=times + 1, updated_at=now,
            confidence=_mean(old["confidence"], times, confidence))
        state.count["relations_updated"] += 1


def _mean(old: object, times: int, new: float) -> float:
    """The running average of a confidence that was heard `times` before."""
    before = float(old) if isinstance(old, int | float) else 0.5
    return min(1.0, max(0.0, (before * times + new) / (times + 1)))


def _link(
    state: RememberState, source: KnownEntity, target: KnownEntity, word: str, confidence: float,
    path: str,
) -> None:
    """The dependency of this kind between the two, made or made surer.

    A link that a person or an operation has stated keeps its numbers, an archived one stays
    archived, and one that was only guessed from co-occurrence becomes a stated one.
    """
    writer, kind = state.writer, (slot_key(word) or "related_to")[:_LONGEST_TYPE]
    counted = not writer.has_table("relations")
    old = writer.row(
        "SELECT * FROM entity_dependencies WHERE source_entity_id = :source"
        " AND target_entity_id = :target AND dependency_type = :kind AND +agent_id = :agent",
        source=source.id, target=target.id, kind=kind)
    if old is None:
        writer.insert(
            "entity_dependencies", id=new_id(), source_entity_id=source.id,
            target_entity_id=target.id, agent_id=writer.agent, dependency_type=kind,
            strength=state.settings.triple_strength, confidence=confidence, status="active",
            reason=f"{EXTRACTED} {state.memory_id}", created_at=writer.now(),
            updated_at=writer.now())
        state.count["relations_inserted"] += counted
    elif old["status"] != "active":
        state.skip(path, f"{source.name} {word} {target.name}", "link_archived",
                    "This link is archived", "Restore it first")
    elif state.fresh and _is_ours(old):
        writer.update("entity_dependencies", old["id"], updated_at=writer.now(),
                      **_surer(state, old, confidence))
        state.count["relations_updated"] += counted


def _is_ours(old: Row) -> bool:
    reason = str(old["reason"] or "")
    return not old["proposal_id"] and reason.startswith((EXTRACTED, CO_OCCURRED))


def _surer(state: RememberState, old: Row, confidence: float) -> dict[str, object]:
    if str(old["reason"]).startswith(CO_OCCURRED):
        return {"strength": state.settings.triple_strength, "confidence": confidence,
                "reason": f"{EXTRACTED} {state.memory_id}"}
    return {"confidence": _mean(old["confidence"], 1, confidence)}
