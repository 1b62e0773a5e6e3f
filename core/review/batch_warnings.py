"""What a person should know before several proposals are applied at once."""

from collections import defaultdict
from collections.abc import Mapping, Sequence

from core.errors import OperationError
from core.model.names import canonical
from core.model.proposal import Proposal
from core.ontology.proposals import Outcome, apply_proposals
from core.ontology.request_descriptions import Target
from core.review.proposal_queue import get_proposal
from core.review.risk_levels import is_high, risk_of
from core.review.warnings import risks, stale, target_of
from core.store.reader_and_writer import Reader, Writer

DISAGREE = "Another of these wants something else for the same claim"
GOES = "Another of these takes its entity away"


def batch_risks(reader: Reader, ids: Sequence[str]) -> Mapping[str, tuple[str, ...]]:
    """What speaks against applying each of these unseen, most important first.

    The graph has changed since, an entity is pinned, a constraint is in force, the risk is high;
    and within the batch: two want different values for one claim, or one archives what another
    is about.
    """
    targets = {one.id: (one, target_of(reader, one))
               for id in ids if (one := get_proposal(reader, id)) is not None}
    wishes: defaultdict[object, set[str]] = defaultdict(set)
    going: defaultdict[str, set[str]] = defaultdict(set)
    for id, (_, target) in targets.items():
        if target.slot is not None:
            wishes[target.slot].add(canonical(target.value))
        if target.entity is not None and _takes_away(target):
            going[target.entity.id].add(id)
    return {id: (*([DISAGREE] if len(wishes.get(target.slot, ())) > 1 else []),
                 *([GOES] if target.entity and going.get(target.entity.id, {id}) - {id} else []),
                 *risks(reader, proposal, target), *_high(proposal))
            for id, (proposal, target) in targets.items()}


def _takes_away(target: Target) -> bool:
    """Whether the whole entity goes."""
    return target.info.effect == "go" and not (
        target.aspect or target.link_type or target.link_id or target.attribute_id)


def _high(proposal: Proposal) -> list[str]:
    return [f"It is of {risk_of(proposal)} risk"] if is_high(proposal) else []


def apply_unless_outdated(
    writer: Writer, ids: Sequence[str], *, force: bool = False
) -> tuple[Outcome, ...]:
    """Apply proposals; without `force` none over what was changed after it was proposed.

    Such a one stays pending and comes back with an error (409). What others of the batch change
    does not count: it is looked at before the first is applied.
    """
    refused: dict[str, Outcome] = {}
    for id in ids if not force else ():
        proposal = get_proposal(writer, id)
        reasons = stale(writer, proposal, target_of(writer, proposal)) if proposal else []
        if proposal is not None and proposal.status == "pending" and reasons:
            refused[id] = Outcome(id, proposal.operation, "pending", error=OperationError(
                409, reasons[0], field="force", do="Use force to apply it over the newer one"))
    applied = iter(apply_proposals(writer, [id for id in ids if id not in refused], force=force))
    return tuple(refused[id] if id in refused else next(applied) for id in ids)
