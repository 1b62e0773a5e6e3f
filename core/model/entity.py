"""Entities: what the graph knows about, as a list row and in full."""

from msgspec import Struct


class EntityRow(Struct, frozen=True):
    """One line of an entity list, in the seeds' order: pinned first, then mentions, then name."""

    id: str
    name: str
    entity_type: str
    mentions: int
    pinned: bool
    pinned_at: str | None
    muted: bool
    status: str
    updated_at: str
    fact: str = ""
    """The fact that matched a search, empty when the name matched or nothing was searched."""
    fact_id: str = ""
    """The value which says that fact."""
    held: bool = False
    """True if it, or that fact, waits until a person has seen it: no agent is told it before."""


class Task(Struct, frozen=True):
    """The lifecycle of an entity that is a task (`task_meta`)."""

    status: str
    expires_at: str | None
    retention_until: str | None
    completed_at: str | None


class Entity(Struct, frozen=True):
    """An entity in full, with the counts of its parts (active rows only)."""

    id: str
    name: str
    canonical_name: str
    entity_type: str
    agent_id: str
    description: str
    mentions: int
    pinned: bool
    pinned_at: str | None
    muted: bool
    status: str
    archived_at: str | None
    archived_by: str | None
    archive_reason: str | None
    source_kind: str | None
    source_id: str | None
    source_path: str | None
    proposal_id: str | None
    community: str
    created_at: str
    updated_at: str
    aliases: tuple[str, ...] = ()
    task: Task | None = None
    aspects: int = 0
    attributes: int = 0
    constraints: int = 0
    links_out: int = 0
    links_in: int = 0
    memories: int = 0
    proposal_evidence: tuple[object, ...] = ()
    held: bool = False
    """True if it waits until a person has seen it: no agent is told it before."""


class Agent(Struct, frozen=True):
    """An agent with rows in the file."""

    id: str
    name: str
    entities: int


class Counts(Struct, frozen=True):
    """Counts of the agent's graph (active rows)."""

    entities: int = 0
    aspects: int = 0
    attributes: int = 0
    constraints: int = 0
    dependencies: int = 0
    memories: int = 0
    pending: int = 0
    assertions: int = 0
    tasks: int = 0
    pinned: int = 0
    muted: int = 0
    archived: int = 0
