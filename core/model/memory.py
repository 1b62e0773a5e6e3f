"""Memories, the raw text under the graph."""

from msgspec import Struct

SHARED_AGENT = "default"
"""What it remembers is for all agents; every other one's is its own, where nothing is said."""


def usual_visibility(agent: str) -> str:
    """Who sees what an agent writes where nothing is said: all agents, or only itself."""
    return "global" if agent == SHARED_AGENT else "private"


class Memory(Struct, frozen=True):
    """A memory as it is read; `mention` is how an entity was named in it, if asked by entity."""

    id: str
    type: str
    content: str
    importance: float
    confidence: float
    pinned: bool
    who: str | None
    why: str | None
    project: str | None
    tags: tuple[str, ...]
    source_kind: str | None
    source_id: str | None
    source_path: str | None
    created_at: str
    updated_at: str
    is_deleted: bool = False
    mention: str | None = None
