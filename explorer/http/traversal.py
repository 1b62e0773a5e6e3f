"""What the agent would see for a question, without memories being searched."""

from explorer.graph_for_caller import Door
from explorer.http.endpoint import Endpoint
from explorer.model_json import walk_json
from explorer.question_walk import Start, walked


def traverse(door: Door, given: Start) -> object:
    """Walk the graph from a question or entities: focal entities, constraints, memories and the
    paths to them."""
    return walk_json(walked(door, given))


TRAVERSAL = (
    Endpoint("POST", "/api/knowledge/traverse", traverse, Start, refuses=(404, 409),
             example={"query": "Who looks after the harbor?", "asOf": "2026-05-03"}),
)
