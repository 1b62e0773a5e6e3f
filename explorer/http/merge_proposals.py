"""Proposes merges, of duplicates or of named entities: planned first, written on request."""

from typing import Annotated, Any

from pydantic import ConfigDict, Field

from core.errors import OperationError
from core.health.merge_plans import (
    Repairs,
    duplicate_plans,
    plan_of,
    propose_plan,
    propose_repairs,
)
from core.review import proposal_queue as queue
from core.store.reader_and_writer import Writer
from explorer.caller_arguments import Arguments, Json
from explorer.graph_for_caller import Door
from explorer.http.endpoint import NOT_BLANK, Endpoint, within
from explorer.http.operations import Flag
from explorer.model_json import plain


class Duplicates(Arguments):
    """How many, and whether to propose them."""

    limit: Annotated[int, within(1, 100), Field(description="The most merges, 1 to 100")] = 25
    write_proposals: Flag = Field(False, description="Propose them; else nothing is written")
    created_by: str | None = Field(None, description="Not read: the headers say who asks")


def duplicates(door: Door, given: Duplicates) -> Json:
    """Plan the merges that make one entity of those with one name, and propose them on request."""
    if given.write_proposals:
        repairs = door.write("Propose merges of what has one name",
                             lambda writer: propose_repairs(writer, given.limit))
    else:
        with door.read() as reader:
            repairs = Repairs(duplicate_plans(reader, given.limit))
    with door.read() as reader:
        proposals = [queue.get_proposal(reader, id) for id in repairs.proposed]
    return {"items": plain(repairs.items), "proposals": plain(proposals),
            "count": len(repairs.items), "writtenCount": len(proposals),
            "skippedCount": len(repairs.refused), "dryRun": not proposals}


class Plan(Arguments):
    """Which entities become one."""

    model_config = ConfigDict(json_schema_extra={"anyOf": [
        {"required": ["target_entity", "source_entities"]},
        {"required": ["target_entity_id", "source_entity_ids"]}]})

    target_entity: str = Field("", description="Merge into it, by name",
                               json_schema_extra=NOT_BLANK)
    target_entity_id: str = Field("", description="Merge into it, by id",
                                  json_schema_extra=NOT_BLANK)
    source_entities: list[str] = Field([], description="The others, by name", max_length=100)
    source_entity_ids: list[str] = Field([], description="The others, by id", max_length=100)
    force: Flag = Field(False, description="Also what is pinned or of another type")
    write_proposal: Flag = Field(False, description="Propose it, unless it is blocked")
    rationale: str = Field("", description="Why")
    evidence: list[Any] = Field([], description="What it rests on")
    created_by: str | None = Field(None, description="Not read: the headers say who asks")


def merge_plan(door: Door, given: Plan) -> Json:
    """Plan a merge: what it moves and what speaks against it; propose it on request."""
    target = given.target_entity_id or given.target_entity
    sources = given.source_entity_ids or given.source_entities
    if not target.strip() or not any(source.strip() for source in sources):
        raise OperationError(404, "target_entity and source_entities are required",
                             field="target_entity")
    by_id = bool(given.target_entity_id)
    with door.read() as reader:
        plan = plan_of(reader, target, sources, force=given.force, by_id=by_id)
    proposal = None
    if given.write_proposal and not plan.blocked:
        def propose(writer: Writer) -> str:
            return propose_plan(writer, plan, rationale=given.rationale, evidence=given.evidence)

        id = door.write(f"Propose: Merge into {plan.target.name}", propose)
        with door.read() as reader:
            proposal = queue.get_proposal(reader, id)
    answer = plain(plan)
    assert isinstance(answer, dict)
    return {**answer, "proposal": plain(proposal), "dryRun": proposal is None}


REPAIR = (
    Endpoint("POST", "/api/ontology/proposals/repair/duplicates", duplicates, Duplicates,
             "modify", refuses=(404, 409), example={"limit": 10, "write_proposals": False}),
    Endpoint("POST", "/api/ontology/proposals/repair/merge-plan", merge_plan, Plan, "modify",
             refuses=(404, 409),
             example={"target_entity": "Alice", "source_entities": ["Alice Smith"]}),
)
