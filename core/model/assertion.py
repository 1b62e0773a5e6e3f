"""Epistemic assertions: who claims what, without making it a fact."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Assertion:
    """A row of `epistemic_assertions` with its subject's name."""

    id: str
    subject_entity_id: str
    subject_name: str
    claim_attribute_id: str | None
    predicate: str
    content: str
    speaker: str | None
    asserted_at: str
    confidence: float
    evidence: tuple[object, ...]
    source_kind: str | None
    source_path: str | None
    status: str
    created_by: str
