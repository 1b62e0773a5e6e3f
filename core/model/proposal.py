"""Proposals: changes that await a decision, with their evidence."""

from collections.abc import Mapping

from msgspec import Struct, field


class Proposal(Struct, frozen=True):
    """A row of `ontology_proposals`; applied rows are the audit of direct operations."""

    id: str
    agent_id: str
    operation: str
    status: str
    payload: Mapping[str, object]
    confidence: float
    rationale: str
    evidence: tuple[object, ...]
    risk: str | None
    source_kind: str | None
    source_id: str | None
    source_path: str | None
    source_root: str | None
    created_by: str
    applied_by: str | None
    rejected_by: str | None
    result: Mapping[str, object] | None
    created_at: str
    updated_at: str
    applied_at: str | None
    rejected_at: str | None
    target_id: str | None = None
    """The entity it would change, where that entity exists."""
    target_name: str = ""
    summary: str = ""
    """One short line for the queue: `Set schedule · start time`."""


class Evidence(Struct, frozen=True):
    """One piece of evidence resolved to text.

    `quote` is the supporting sentence; `text` the source around it, empty if it was deleted.
    """

    kind: str
    quote: str
    text: str = ""
    source_id: str | None = None
    when: str | None = None
    label: str = ""


class Conflict(Struct, frozen=True):
    """Pending proposals that want different values for one slot."""

    entity: str
    aspect: str
    group_key: str
    claim_key: str
    proposal_ids: tuple[str, ...]
    values: tuple[Mapping[str, object], ...] = field(default=())
