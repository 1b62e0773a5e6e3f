"""What `knowledge` answers as JSON: Signet's navigation shapes, made from the model."""

from collections.abc import Sequence

from core.model.claim import Aspect, Claim, Group
from core.model.entity import Entity
from explorer import wire

Shape = dict[str, object]
_PREVIEW = 160


def entity_item(entity: Entity) -> Shape:
    """An entity with its counts, as lists give it."""
    counts = {"aspects", "attributes", "constraints", "links_out", "links_in", "memories"}
    told = wire.plain(entity)
    assert isinstance(told, dict)
    return {
        "entity": {key: value for key, value in told.items()
                   if key not in {wire.camel(name) for name in counts}},
        "aspectCount": entity.aspects, "attributeCount": entity.attributes,
        "constraintCount": entity.constraints,
        "dependencyCount": entity.links_in + entity.links_out,
    }


def entity_detail(entity: Entity) -> Shape:
    """The same in full."""
    return {
        **entity_item(entity), "incomingDependencyCount": entity.links_in,
        "outgoingDependencyCount": entity.links_out, "memoryCount": entity.memories,
        "pendingCount": entity.pending,
    }


def aspect_item(aspect: Aspect) -> Shape:
    """An aspect with its counts."""
    return {
        "aspect": {"id": aspect.id, "entityId": aspect.entity_id, "name": aspect.name,
                   "weight": aspect.weight, "status": aspect.status,
                   "updatedAt": aspect.updated_at},
        "attributeCount": aspect.attributes, "constraintCount": aspect.constraints,
    }


def aspect_tree(aspect: Aspect, depth: int, groups: int, claims: int) -> Shape:
    """An aspect with its groups and, at depth 3, their claims."""
    keyed = [claim for group in aspect.groups for claim in group.claims if claim.claim_key]
    found = {**aspect_item(aspect), "groupCount": len(aspect.groups), "claimCount": len(keyed)}
    if depth > 1:
        found["groups"] = [
            {**group_item(group), "claims": [claim_item(claim) for claim in
                                             keyed_claims(group)[:claims]]}
            if depth > 2 else group_item(group) for group in aspect.groups[:groups]
        ]
    return found


def group_item(group: Group) -> Shape:
    """A group with its counts."""
    return {
        "groupKey": group.key, **_kinds(group.claims), "claimCount": len(keyed_claims(group)),
        "latestUpdatedAt": _latest(group.claims),
    }


def claim_item(claim: Claim) -> Shape:
    """A claim slot with its counts and the value that is in force."""
    active = [value for value in claim.values if value.status == "active"]
    return {
        "claimKey": claim.claim_key, "groupKey": claim.group_key, **_kinds([claim]),
        "activeCount": len(active), "supersededCount": max(claim.versions - len(active), 0),
        "latestUpdatedAt": _latest([claim]),
        "preview": claim.values[0].content[:_PREVIEW] if claim.values else "",
    }


def keyed_claims(group: Group) -> list[Claim]:
    """The claims that have a key; a row without one is no claim slot."""
    return [claim for claim in group.claims if claim.claim_key]


def _kinds(claims: Sequence[Claim]) -> Shape:
    values = [value for claim in claims for value in claim.values if value.status == "active"]
    constraints = sum(value.kind == "constraint" for value in values)
    return {"attributeCount": len(values) - constraints, "constraintCount": constraints}


def _latest(claims: Sequence[Claim]) -> str | None:
    return max((value.updated_at for claim in claims for value in claim.values), default=None)
