"""One proposal with everything that a person needs to decide on it, from a rehearsal."""

from collections.abc import Mapping
from functools import partial

from msgspec import Struct
from msgspec.structs import replace

from core.errors import ConstellationError, OperationError
from core.expectations.forecast import Forecast
from core.model.dispute import Dispute
from core.model.names import spoken
from core.model.partly_compared_struct import PartlyCompared
from core.model.proposal import Evidence, Proposal
from core.ontology.followed_names import follow
from core.ontology.merges import MergeEntities
from core.ontology.proposals import Outcome, apply_proposal
from core.ontology.request_descriptions import Target, describe
from core.queries.disputes import dispute_of
from core.queries.row_names import labels_of
from core.rehearsal import Rehearsal
from core.review.as_shown import RestsOn, rests_on
from core.review.competing_values import TwoValues, of_proposal
from core.review.effects import Effect, effects
from core.review.merge_conflicts import MergePlan, plan_of
from core.review.proposal_queue import evidence, get_proposal, rivals_of
from core.review.row_differences import Difference, differences
from core.review.warnings import target_of, warnings
from core.store.reader_and_writer import Reader, Writer
from core.workspace import Workspace
from ui.error_words import words_of

MOST_DIFFERENCES = 2000
"""Rows of one proposal that are described."""
RIVALS_WORDS = "pending proposal"
"""A warning with these words is said beside, with the rivals themselves."""


class Rival(Struct, frozen=True):
    """Another pending proposal for the same slot, and its change."""

    id: str
    text: str
    confidence: float


class Card(PartlyCompared, frozen=True, eq=False):
    """What the review shows of one proposal; compared to see whether anything has changed."""

    ASIDE = frozenset({"forecast"})

    proposal: Proposal
    head: str
    sentence: str
    destructive: bool
    entity_id: str
    evidence: tuple[Evidence, ...]
    warnings: tuple[str, ...]
    rivals: tuple[Rival, ...]
    differences: tuple[Difference, ...] = ()
    unshown: int = 0
    """Further rows that it would change, too many to show."""
    effects: tuple[Effect, ...] = ()
    blocked: str = ""
    """Why it can't be applied as it is; empty if it can."""
    forceable: bool = False
    """It can be applied if the person says so once more."""
    rests_on: RestsOn = frozenset()
    """What it was seen to change, to be compared when it is applied."""
    merging: tuple[tuple[str, ...], str] | None = None
    """Of a merge the entities that go and the one that stays, by id; the wizard settles it."""
    colliding: int = 0
    """Claims of which the entities of a merge say different things."""
    dispute: Dispute | None = None
    """The two values of which it asks which one holds."""
    two: TwoValues | None = None
    """The value in force and the one that is proposed, or the two of a dispute, side by side."""
    forecast: Forecast | None = None
    """What it would do to the expectations; None while that is being computed."""

    @property
    def speaks_for_itself(self) -> bool:
        """True if one value replaces another: the two are clearer than a sentence."""
        first = self.differences[:1]
        return len(self.differences) == 1 and None not in (first[0].old, first[0].new)


def load_card(workspace: Workspace, proposal_id: str) -> Card | None:
    """Read a pending proposal and dry-run it; None if it is no longer pending."""
    with workspace.read() as reader:
        proposal = get_proposal(reader, proposal_id)
        if proposal is None or proposal.status != "pending":
            return None
        card = _read(reader, proposal)
    try:
        rehearsal = _rehearse(workspace, proposal_id)
    except OperationError as error:
        if error.field != "force":
            return replace(card, blocked=words_of(error))
        card = replace(card, blocked=words_of(error), forceable=True, warnings=tuple(
            text for text in card.warnings if text != error.what))
        try:
            rehearsal = _rehearse(workspace, proposal_id, force=True)
        except ConstellationError as other:
            return replace(card, blocked=words_of(other), forceable=False)
    except ConstellationError as error:
        return replace(card, blocked=words_of(error))
    return _with_effects(workspace, card, rehearsal)


def _rehearse(workspace: Workspace, proposal_id: str, *, force: bool = False) -> Rehearsal:
    return workspace.rehearse(partial(apply_whole, proposal_id=proposal_id, force=force))


def apply_whole(writer: Writer, proposal_id: str, *, force: bool = False) -> Outcome:
    """Apply a proposal; raises why it can't be."""
    return apply_proposal(writer, proposal_id, force=force).or_raise()


def _read(reader: Reader, proposal: Proposal) -> Card:
    target = target_of(reader, proposal)
    payload = follow(reader, proposal.operation, proposal.payload, proposal.created_at)
    description = describe(reader, proposal.operation, payload)
    rivals = _rivals(reader, proposal, target)
    beside = RIVALS_WORDS if rivals else "\0"
    plan = _plan(reader, proposal.operation, payload)
    return Card(
        proposal=proposal, head=head(proposal, target), sentence=description.sentence,
        destructive=description.destructive, entity_id=proposal.target_id or "",
        evidence=evidence(reader, proposal.id), rivals=rivals,
        warnings=tuple(text for text in warnings(reader, proposal) if beside not in text),
        dispute=dispute_of(reader, proposal.id), two=of_proposal(reader, proposal.id),
        colliding=len(plan.claims) if plan else 0,
        merging=(tuple(one.id for one in plan.sources), plan.target.id) if plan else None,
    )


def _plan(reader: Reader, operation: str, payload: Mapping[str, object]) -> MergePlan | None:
    """What a merge would have to settle; None for other operations, and where it can't be done."""
    if operation != "merge_entities":
        return None
    try:
        return plan_of(reader, MergeEntities.read(payload))
    except OperationError:
        return None


def _with_effects(workspace: Workspace, card: Card, rehearsal: Rehearsal) -> Card:
    changes = [change for change in rehearsal.changes if change.table != "ontology_proposals"]
    with workspace.read() as reader:
        labels = labels_of(reader, changes)
    rows = differences(changes, labels)
    return replace(
        card, rests_on=rests_on(rehearsal.changes), differences=rows[:MOST_DIFFERENCES],
        unshown=max(0, len(rows) - MOST_DIFFERENCES), effects=effects(changes, labels),
    )


def head(proposal: Proposal, target: Target) -> str:
    """Its target: `settlement job · schedule · start time`."""
    if not target.name:
        return proposal.summary or spoken(proposal.operation).capitalize()
    if target.other_name and target.info.other_goes:
        return f"{target.name} ← {target.other_name}"
    if target.other_name:
        return f"{target.name} → {target.other_name}"
    claim = spoken(target.claim_key) if target.claim_key else ""
    return " · ".join(part for part in (target.name, target.aspect, claim) if part)


def _rivals(reader: Reader, proposal: Proposal, target: Target) -> tuple[Rival, ...]:
    if target.slot is None:
        return ()
    return tuple(
        Rival(item.id, item.target.value or spoken(item.operation), item.confidence)
        for item in rivals_of(reader, proposal.id, replace(target, assertion_id=""))
    )
