"""Plans the merges that make one entity of those with one name, and proposes them."""

from collections.abc import Sequence

from msgspec import Struct

from core.errors import OperationError
from core.health.duplicates import same_named
from core.model.names import name_key
from core.ontology.change_provenance import Source
from core.ontology.merges import MergeEntities, merge_warnings, sides
from core.ontology.operation_request import OperationRequest
from core.ontology.payload_base import Result
from core.ontology.store_proposal import create_proposal
from core.queries.rows_to_model import json_object, text, whole
from core.store.database import Row
from core.store.reader_and_writer import Reader, Writer

KIND = "duplicate_entities"
BY = "ontology-repair"
_SURE, _UNSURE = 0.86, 0.72
"""The confidence of a merge without and with warnings (upstream's)."""
_WAITING = """
SELECT payload FROM ontology_proposals WHERE agent_id = :agent AND operation = 'merge_entities'
  AND status = 'pending' AND instr(payload, :kind) > 0"""
_IMPACT = {
    "sourceMentions": "SELECT COALESCE(SUM(mentions), 0) FROM entities"
                      " WHERE agent_id = :agent AND id IN (SELECT value FROM json_each(:ids))",
    "memoryMentions": "SELECT COUNT(*) FROM memory_entity_mentions"
                      " WHERE entity_id IN (SELECT value FROM json_each(:ids))",
    "aspects": "SELECT COUNT(*) FROM entity_aspects WHERE +agent_id = :agent"
               " AND entity_id IN (SELECT value FROM json_each(:ids))",
    "attributes": "SELECT COUNT(*) FROM entity_aspects s JOIN entity_attributes v"
                  " ON v.aspect_id = s.id WHERE +s.agent_id = :agent"
                  " AND s.entity_id IN (SELECT value FROM json_each(:ids))",
    "dependencies": "SELECT COUNT(*) FROM entity_dependencies WHERE agent_id = :agent AND"
                    " (source_entity_id IN (SELECT value FROM json_each(:ids))"
                    " OR target_entity_id IN (SELECT value FROM json_each(:ids)))",
    "relations": "SELECT COUNT(*) FROM relations WHERE"
                 " source_entity_id IN (SELECT value FROM json_each(:ids))"
                 " OR target_entity_id IN (SELECT value FROM json_each(:ids))",
}


class Merged(Struct, frozen=True):
    """One of the entities of a planned merge."""

    id: str
    name: str
    entity_type: str
    mentions: int
    pinned: bool


class RepairPlan(Struct, frozen=True):
    """A merge that would make several entities one.

    Attributes:
        canonical_name: what all are called.
        warnings: what speaks against it.
        blocked: it is not proposed without force.
        impact: how much it would move.
    """

    canonical_name: str
    target: Merged
    sources: tuple[Merged, ...]
    warnings: tuple[str, ...]
    blocked: bool
    risk: str
    confidence: float
    payload: Result
    impact: Result


class Repairs(Struct, frozen=True):
    """What was planned, and what became of it; `refused` says of a plan why it was not proposed."""

    items: tuple[RepairPlan, ...]
    proposed: tuple[str, ...] = ()
    refused: tuple[str, ...] = ()


def plan_of(
    reader: Reader, target: str, sources: Sequence[str], *, force: bool = False, by_id: bool = False
) -> RepairPlan:
    """The plan of one merge, of names or ids; changes nothing.

    Raises OperationError: 404 where one of them is not there, 409 where a name fits several.
    """
    key = "_id" if by_id else ""
    into, rows, _ = sides(reader, MergeEntities.read({
        f"target_entity{key}": target,
        "source_entity_ids" if by_id else "source_entities": list(sources)}))
    if not rows:
        raise OperationError(400, "No distinct source entities to merge", field="source_entities")
    warnings = tuple(merge_warnings(into, rows))
    ids = [row["id"] for row in rows]
    risk = "low" if not warnings else "review_required" if force else "blocked"
    payload: Result = {"target_entity_id": into["id"], "source_entity_ids": ids}
    return RepairPlan(
        name_key(text(into["name"])), _merged(into), tuple(map(_merged, rows)), warnings,
        bool(warnings) and not force, risk, _UNSURE if warnings else _SURE,
        {**payload, **({"force": True} if force and warnings else {})},
        {name: reader.value(sql, ids=ids) for name, sql in _IMPACT.items()})


def _merged(row: Row) -> Merged:
    return Merged(row["id"], text(row["name"]), text(row["entity_type"]), whole(row["mentions"]),
                  bool(row["pinned"]))


def duplicate_plans(reader: Reader, limit: int = 25) -> tuple[RepairPlan, ...]:
    """Plans for entities of one name, those with the most doubles first; changes nothing.

    Names that differ in punctuation alone count as one. The pinned, the most mentioned is the
    target. A group that such a proposal waits for is left out.
    """
    waiting = {json_object(row["payload"]).get("canonical_name")
               for row in reader.rows(_WAITING, kind=KIND)}
    groups = sorted(same_named(reader), key=lambda group: (-len(group.sources), group.target.name))
    plans = (plan_of(reader, group.target.id, [one.id for one in group.sources], by_id=True)
             for group in groups if name_key(group.target.name) not in waiting)
    return tuple(plan for plan, _ in zip(plans, range(limit), strict=False))


def propose_repairs(writer: Writer, limit: int = 25) -> Repairs:
    """Propose the merges of `duplicate_plans`, but for those that are blocked."""
    plans = duplicate_plans(writer, limit)
    proposed, refused = [], []
    for plan in plans:
        if plan.blocked:
            refused.append(f"{plan.target.name}: {'; '.join(plan.warnings)}")
            continue
        try:
            with writer.savepoint():
                proposed.append(propose_plan(writer, plan, repair=True))
        except OperationError as error:
            refused.append(f"{plan.target.name}: {error.what}")
    return Repairs(plans, tuple(proposed), tuple(refused))


def propose_plan(
    writer: Writer, plan: RepairPlan, *, repair: bool = False, rationale: str = "",
    evidence: Sequence[object] = (),
) -> str:
    """Propose a planned merge; returns the proposal's id. Raises 409 where it is blocked."""
    if plan.blocked:
        raise OperationError(409, "; ".join(plan.warnings), field="force",
                             do="Use force to propose it for review")
    names = ", ".join(one.name for one in plan.sources)
    marks = {"repair_kind": KIND, "canonical_name": plan.canonical_name} if repair else {}
    return create_proposal(writer, OperationRequest(
        "merge_entities", {**plan.payload, **marks},
        rationale or f"{names} and {plan.target.name} are one name", tuple(evidence),
        plan.confidence, plan.risk,
        Source("ontology_index", f"entities:{plan.canonical_name}"), BY if repair else None))
