"""Walks for tests, and the small graphs that they go through."""

from core.model.walk import Focal, FocalEntity, Walk
from core.traversal.config import TraversalSettings
from core.traversal.walk import walk
from core.workspace import Workspace
from tests.core.graphs import Graph

USUAL = TraversalSettings(timeout_ms=60_000)
"""A slow machine must not cut a walk short."""


def start(*ids: str) -> Focal:
    return Focal(tuple(FocalEntity(id, "", "", "asked") for id in ids))


def walked(workspace: Workspace, *ids: str, settings: TraversalSettings = USUAL,
           **asked: object) -> Walk:
    with workspace.read() as reader:
        return walk(reader, start(*ids), settings, **asked)  # type: ignore[arg-type]


def ids(found: Walk) -> list[str]:
    return [memory.id for memory in found.memories]


def three(graph: Graph) -> None:
    """Alpha uses Beta; a third entity is another agent's."""
    for id, name, agent in (("e1", "Alpha", "default"), ("e2", "Beta", "default"),
                            ("e3", "Other", "other")):
        graph.entity(name, id=id, agent_id=agent)
        graph.aspect(id, "general", id=f"a{id[1]}", agent_id=agent)
    for aspect, memory, importance, agent in (
            ("a1", "m1", 0.9, "default"), ("a2", "m2", 0.7, "default"),
            ("a2", "m3", 0.6, "default"), ("a3", "m-other", 0.9, "other")):
        graph.memory(f"text of {memory}", id=memory, agent_id=agent)
        graph.value(aspect, f"fact of {memory}", id=f"v-{memory}", importance=importance,
                    memory_id=memory, agent_id=agent)
    graph.link("e1", "e2", id="d12", strength=0.8, confidence=0.9)


def many_memories(graph: Graph, aspect: str, prefix: str, count: int, **columns: object) -> None:
    for n in range(count):
        graph.memory(f"{prefix} {n}", id=f"{prefix}{n}")
        graph.value(aspect, f"{prefix} {n}", **{
            "memory_id": f"{prefix}{n}", "importance": 1 - n / 1000, **columns})
