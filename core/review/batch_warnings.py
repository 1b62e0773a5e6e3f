"""What a person should know before several proposals are applied at once."""

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence

from core.errors import OperationError
from core.model.names import canonical
from core.model.proposal import Proposal
from core.ontology.proposals import Outcome, apply_proposals
from core.ontology.request_descriptions import Target
from core.review.proposal_queue import get_proposals
from core.review.risk_levels import is_high, risk_of
from core.review.warnings import Slots, risks, stale, targets_of, values_in_slots
from core.store.reader_and_writer import Reader, Writer

DISAGREE = "Another of these wants something else for the same claim"
GOES = "Another of these takes its entity away"
AT_ONCE = 500
"""Proposals that are read together."""


def batch_risks(reader: Reader, ids: Sequence[str]) -> Mapping[str, tuple[str, ...]]:
    """What speaks against applying each of these unseen, most important first.

    The graph has changed since, an entity is pinned, a constraint is in force, the risk is high;
    and within the batch: two want different values for one claim, or one archives what another
    is about.
    """
    looked_at = list(_look_at(reader, ids))
    wishes: defaultdict[object, set[str]] = defaultdict(set)
    going: defaultdict[str, set[str]] = defaultdict(set)
    for proposal, target, _ in looked_at:
        if target.slot is not None:
            wishes[target.slot].add(canonical(target.value))
        if target.entity is not None and _takes_away(target):
            going[target.entity.id].add(proposal.id)
    return {one.id: (*([DISAGREE] if len(wishes.get(target.slot, ())) > 1 else []),
                     *([GOES] if target.entity and going.get(target.entity.id, {one.id}) - {one.id}
                       else []),
                     *risks(reader, one, target, slots), *_high(one))
            for one, target, slots in looked_at}


def _look_at(
    reader: Reader, ids: Sequence[str]
) -> Iterator[tuple[Proposal, Target, Slots]]:
    """Each proposal with what it is about and what is in force there, many read at once."""
    for first in range(0, len(ids), AT_ONCE):
        proposals = get_proposals(reader, ids[first:first + AT_ONCE])
        targets = targets_of(reader, proposals)
        slots = values_in_slots(reader, targets)
        yield from ((*each, slots) for each in zip(proposals, targets, strict=True))


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
    for proposal, target, slots in _look_at(writer, ids) if not force else ():
        reasons = stale(writer, proposal, target, slots)
        if proposal.status == "pending" and reasons:
            refused[proposal.id] = Outcome(
                proposal.id, proposal.operation, "pending", error=OperationError(
                409, reasons[0], field="force", do="Use force to apply it over the newer one"))
    applied = iter(apply_proposals(writer, [id for id in ids if id not in refused], force=force))
    return tuple(refused[id] if id in refused else next(applied) for id in ids)
