"""What a proposal is about: its entity, and the claim that it would change with its versions."""


from msgspec import Struct
from msgspec.structs import replace

from core.model.claims_and_assertions import Slot
from core.ontology.request_descriptions import Target
from core.queries.claims import get_value
from core.queries.find_by_name_or_id import match_aspects
from core.review.proposal_queue import get_proposal
from core.review.warnings import target_of
from core.store.reader_and_writer import Reader
from ui.models.claim_history import History, load_history


class SlotPast(Struct, frozen=True):
    """Of one proposal; without a history where it is about no claim that has been set before."""

    proposal_id: str
    entity_id: str = ""
    history: History | None = None


def load_past(reader: Reader, proposal_id: str) -> SlotPast:
    """Read the entity and the claim that a proposal is about."""
    proposal = get_proposal(reader, proposal_id)
    if proposal is None:
        return SlotPast(proposal_id)
    target = target_of(reader, proposal)
    slot = _slot(reader, target)
    history = load_history(reader, slot, target.aspect) if slot is not None else None
    return SlotPast(proposal_id, target.entity.id if target.entity is not None else "",
                    replace(history, pending=()) if history and history.versions else None)


def _slot(reader: Reader, target: Target) -> Slot | None:
    if target.attribute_id:
        value = get_value(reader, target.attribute_id)
        return value.slot if value is not None else None
    if target.entity is None or not target.aspect or not target.claim_key:
        return None
    aspects = match_aspects(reader, target.entity.id, target.aspect, "active")
    return Slot(target.entity.id, aspects[0]["id"], target.kind, target.group_key,
                target.claim_key) if aspects else None
