"""Aspects, groups, claim slots and their versioned values; and assertions: who claims what."""

from msgspec import Struct


class Slot(Struct, frozen=True):
    """Where versions of one claim live: aspect + kind + group_key + claim_key (seed 001)."""

    entity_id: str
    aspect_id: str
    kind: str
    group_key: str | None
    claim_key: str | None
    attribute_id: str | None = None
    """The row itself where there is no claim key: such a row stands alone."""


class Value(Struct, frozen=True):
    """One stored value (a row of `entity_attributes`), whatever its status."""

    id: str
    aspect_id: str | None
    entity_id: str
    kind: str
    content: str
    group_key: str | None
    claim_key: str | None
    status: str
    version: int
    version_root_id: str | None
    previous_attribute_id: str | None
    superseded_by: str | None
    confidence: float
    importance: float
    memory_id: str | None
    source_kind: str | None
    source_id: str | None
    source_path: str | None
    proposal_id: str | None
    archived_at: str | None
    archived_by: str | None
    archive_reason: str | None
    created_at: str
    updated_at: str
    agent_id: str = ""
    normalized_content: str = ""
    source_root: str | None = None
    proposal_evidence: tuple[object, ...] = ()
    held: bool = False
    """True if it waits until a person has seen it: no agent is told it before."""

    @property
    def slot(self) -> Slot:
        """The slot that this value is a version of."""
        return Slot(self.entity_id, self.aspect_id or "", self.kind, self.group_key or "general",
                    self.claim_key, None if self.claim_key else self.id)


class Claim(Struct, frozen=True):
    """A claim slot under a group: its values, active ones first, and how many versions it has.

    Rows without a claim key are separate: one `Claim` each with `claim_key` None.
    """

    claim_key: str | None
    group_key: str | None
    kind: str
    values: tuple[Value, ...]
    versions: int
    pending: int = 0

    @property
    def in_force(self) -> tuple[Value, ...]:
        """Its active values, newest first."""
        return tuple(value for value in self.values if value.status == "active")


class Group(Struct, frozen=True):
    """A group of claims under an aspect; `general` for rows without a key.

    Attributes:
        attributes: how many values of it do not bind, also those that were not read.
        constraints: how many bind the agent.
    """

    key: str
    claims: tuple[Claim, ...]
    attributes: int = 0
    constraints: int = 0

    @property
    def unread(self) -> int:
        """How many values have not been read."""
        return max(0, self.attributes + self.constraints
                   - sum(len(claim.values) for claim in self.claims))


def key_of_group(aspect_id: str, group: str) -> str:
    """What tells a group under an entity from all others; general values go with their aspect."""
    return aspect_id if group == "general" else f"{aspect_id}/{group}"


class Aspect(Struct, frozen=True):
    """A named dimension of an entity with its weight and its groups."""

    id: str
    entity_id: str
    name: str
    weight: float
    status: str
    updated_at: str
    groups: tuple[Group, ...] = ()
    attributes: int = 0
    """Active values that do not bind."""
    constraints: int = 0
    """Active values that bind the agent."""
    agent_id: str = ""
    canonical_name: str = ""
    archived_at: str | None = None
    archived_by: str | None = None
    archive_reason: str | None = None
    proposal_id: str | None = None
    created_at: str = ""


class Span(Struct, frozen=True):
    """From when to when a value was in force; `until` is empty while it is."""

    since: str
    until: str = ""


class Version(Struct, frozen=True):
    """One version of a claim with its author and evidence, for the claim history.

    Attributes:
        spans: from when to when it was in force, the oldest first; more than one if restored.
    """

    value: Value
    who: str
    by: str
    """`person`, `agent`, `pipeline` or `import`: what kind of author that is."""
    when: str
    evidence: int
    spans: tuple[Span, ...] = ()

    @property
    def again_since(self) -> str:
        """Since when a restored version is in force again; empty if it was not, or is no more."""
        last = self.spans[-1] if len(self.spans) > 1 else None
        return last.since if last and not last.until else ""


AGAINST = ("denies", "questions")
"""The predicates of a voice that disagrees with what its claim says."""


class Assertion(Struct, frozen=True):
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
    agent_id: str = ""
    normalized_content: str = ""
    source_id: str | None = None
    source_root: str | None = None
    supersedes_assertion_id: str | None = None
    archived_at: str | None = None
    archived_by: str | None = None
    archive_reason: str | None = None
    created_at: str = ""
    updated_at: str = ""

    @property
    def who(self) -> str:
        """Who said it: the speaker, else who wrote it down."""
        return self.speaker or self.created_by

    @property
    def disagrees(self) -> bool:
        """True if it speaks against the claim that it is about, or doubts it."""
        return self.predicate in AGAINST
