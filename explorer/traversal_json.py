"""A walk, its status and a neighbourhood as JSON: our own fields with the seeds' names beside."""

from collections.abc import Mapping
from typing import Any

from core.model.neighborhood import Edge, Neighbor, Neighborhood
from core.model.walk import Walk, WalkStatus
from explorer.to_json import plain

Json = dict[str, Any]


def walk_json(walk: Walk) -> Json:
    """Every field of a walk, and the fields of the seeds' `TraversalResult`."""
    return {
        **_fields(walk),
        "shares": plain(walk.shares),
        "focalEntityIds": list(walk.focal.ids),
        "memoryIds": [memory.id for memory in walk.memories],
        "memoryScores": {memory.id: memory.score for memory in walk.memories},
        "memoryPaths": {memory.id: plain(memory.path) for memory in walk.memories},
    }


def status_json(status: WalkStatus | None) -> Json:
    """The result of the last walk, as `/api/knowledge/traversal/status` gives it."""
    return {"status": None if status is None else {
        **_fields(status), "focalEntityNames": list(status.focal_names),
        "memoryCount": status.memories, "constraintCount": status.constraints}}


def neighborhood_json(neighborhood: Neighborhood) -> Json:
    """The nodes and edges, each also in the words of seed 004 (`type`, `from_id`, `label`, …)."""
    return {"nodes": [node_json(node) for node in neighborhood.nodes],
            "edges": [_edge(edge) for edge in neighborhood.edges],
            "leftOut": plain(neighborhood.left_out)}


def node_json(node: Neighbor) -> Json:
    """An entity of a neighbourhood."""
    return {**_fields(node), "type": node.entity_type, "mention_count": node.mentions}


def _edge(edge: Edge) -> Json:
    """`mention_count` is None: how often a link was extracted is not recorded."""
    return {**_fields(edge), "from_id": edge.source_id, "to_id": edge.target_id,
            "label": edge.dependency_type, "notes": edge.reason, "mention_count": None}


def _fields(thing: object) -> Mapping[str, Any]:
    fields = plain(thing)
    assert isinstance(fields, dict)
    return fields
