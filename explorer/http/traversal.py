"""What the agent would see for a question, without memories being searched."""

from explorer.caller_access import Door
from explorer.http.endpoint import Endpoint
from explorer.question_walk import Start, walked
from explorer.to_json import walk_json


def traverse(door: Door, given: Start) -> object:
    """Walk the graph from a question or entities: focal entities, constraints, memories and the
    paths to them."""
    return walk_json(walked(door, given))


TRAVERSAL = (
    Endpoint("POST", "/api/knowledge/traverse", traverse, Start, refuses=(404, 409),
             example={"query": "Who looks after the harbor?", "asOf": "2026-05-03"}),
)
