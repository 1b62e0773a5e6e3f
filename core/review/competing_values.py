"""Two values for one place: one holds, both become one, or both are kept as what was said."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Literal

from msgspec import Struct

from core.errors import OperationError
from core.model.claims_and_assertions import Value, Version
from core.model.names import canonical, slot_key, spoken
from core.model.proposal import Evidence, Proposal
from core.model.text_formatting import one_line
from core.ontology import control
from core.ontology.change_provenance import Source
from core.ontology.claims import AddClaimValue
from core.ontology.create_and_supersede_assertions import OF_A_CLAIM
from core.ontology.followed_names import follow
from core.ontology.proposals import apply_proposal, reject_proposal
from core.queries.authors import NOBODY
from core.queries.claims import evidence_of, get_value, versions
from core.queries.disputes import dispute_of
from core.queries.find_by_name_or_id import proposal_id, value_id
from core.queries.rows_to_model import json_array, text
from core.review.as_shown import changed_since_shown
from core.review.proposal_queue import evidence, get_proposal
from core.store.reader_and_writer import Reader, Writer

Decision = Literal["first", "second", "combined", "assertions"]
SETTING = ("set_claim_value", "add_claim_value")
"""Proposals of a value for a claim that may have one."""
_WORDS_OF_A_KEY = 4
AS_SAID = "kept as an assertion, beside the value in force"


class Side(Struct, frozen=True):
    """One of the two.

    Attributes:
        text: what it says.
        who: who said it; empty where that is not known.
        said_at: when.
        value_id: the value in force; empty for one that is only proposed.
        evidence: what it rests on, as an operation takes it.
    """

    text: str
    who: str
    said_at: str
    kind: str
    value_id: str = ""
    confidence: float = 0.0
    evidence: tuple[object, ...] = ()
    source: Source = Source()


class TwoValues(Struct, frozen=True):
    """Two that do not say the same.

    Attributes:
        where: `delivery · release · rhythm`.
        first: the one in force, or the older of two in force.
        second: what is proposed, or the newer one.
        proposal_id: the pending proposal that asks, if one does.
    """

    entity_id: str
    entity_name: str
    aspect_id: str
    group_key: str
    claim_key: str
    where: str
    first: Side
    second: Side
    proposal_id: str = ""

    @property
    def proposed(self) -> bool:
        """Whether the second one is only proposed."""
        return not self.second.value_id

    @property
    def combined(self) -> str:
        """Both in one text, to begin with: the longer one where it says the other, too."""
        one, other = self.first.text.strip(), self.second.text.strip()
        for longer, shorter in ((one, other), (other, one)):
            if canonical(shorter) in canonical(longer):
                return longer
        return f"{one.rstrip('.;')}; {other}"


# -- reading ------------------------------------------------------------------------------------


def of_proposal(reader: Reader, id: str) -> TwoValues | None:
    """What a pending proposal puts in the place of a value, or which two it asks about.

    None where nothing is in force there, or it says the same.
    """
    dispute = dispute_of(reader, id)
    if dispute is not None:
        return of_values(reader, dispute.older_id, dispute.newer_id, id)
    proposal = get_proposal(reader, id)
    if proposal is None or proposal.status != "pending" or proposal.operation not in SETTING:
        return None
    payload = follow(reader, proposal.operation, proposal.payload, proposal.created_at)
    try:
        fields = AddClaimValue.read(payload)
    except OperationError:
        return None
    return _against(reader, proposal, fields)


def _against(reader: Reader, proposal: Proposal, fields: AddClaimValue) -> TwoValues | None:
    rows = fields.now(reader)
    if not rows or any(canonical(text(row["content"])) == canonical(fields.value) for row in rows):
        return None
    value = get_value(reader, rows[0]["id"])
    assert value is not None, "a row of the slot"
    kept = reader.row("SELECT evidence, source_kind, source_id, source_path, source_root"
                      " FROM ontology_proposals WHERE id = :id AND agent_id = :agent",
                      id=proposal.id)
    assert kept is not None, "the proposal that was read"
    source = Source(kept["source_kind"], kept["source_id"], kept["source_path"],
                    kept["source_root"])
    who = _speaker(evidence(reader, proposal.id), proposal.created_by)
    wish = Side(fields.value, who, proposal.created_at, fields.kind, "",
                proposal.confidence, tuple(json_array(kept["evidence"])),
                source if source != Source() else Source("ontology_proposal", proposal.id))
    return _pair(reader, value, _side(reader, value), wish, proposal.id)


def of_values(
    reader: Reader, older_id: str, newer_id: str, asked_by: str = ""
) -> TwoValues | None:
    """Two values in force of one entity; None where either is not any more.

    Args:
        asked_by: the pending proposal that asks about them.
    """
    older, newer = get_value(reader, older_id), get_value(reader, newer_id)
    if older is None or newer is None or {older.status, newer.status} != {"active"}:
        return None
    if older.id == newer.id or older.entity_id != newer.entity_id:
        return None
    return _pair(reader, newer, _side(reader, older), _side(reader, newer), asked_by)


def _pair(
    reader: Reader, place: Value, first: Side, second: Side, asked_by: str
) -> TwoValues:
    row = reader.row(
        "SELECT s.name AS aspect, e.name FROM entity_aspects s JOIN entities e"
        " ON e.id = s.entity_id AND e.agent_id = :agent"
        " WHERE s.id = :aspect AND +s.agent_id = :agent", aspect=place.aspect_id)
    name, aspect = (text(row["name"]), text(row["aspect"])) if row else ("", "")
    group, claim = place.group_key or "general", place.claim_key or ""
    parts = (aspect, "" if group == "general" else spoken(group), spoken(claim))
    return TwoValues(place.entity_id, name, place.aspect_id or "", group, claim,
                     " · ".join(part for part in parts if part), first, second, asked_by)


def _side(reader: Reader, value: Value) -> Side:
    version = next((one for one in versions(reader, value.slot) if one.value.id == value.id),
                   Version(value, "", "", value.created_at, 0))
    quoted = [{"memory_id": value.memory_id, "quote": value.content}] if value.memory_id else []
    who = _speaker(evidence_of(reader, value.id), "" if version.who == NOBODY else version.who)
    return Side(value.content, who, version.when, value.kind, value.id, value.confidence,
                (*value.proposal_evidence, *quoted), Source(OF_A_CLAIM, value.id))


def _speaker(pieces: Iterable[Evidence], author: str) -> str:
    """Who is on record as having said it in a memory, else who wrote it down."""
    return next((one.label for one in pieces
                 if one.kind == "memory" and one.label not in ("", spoken(one.kind))), author)


def find(reader: Reader, ids: Sequence[str]) -> TwoValues:
    """The two that the id of a pending proposal names, or the ids of two values in force.

    Raises OperationError: 404 where there are no such two, 400 for another number of ids.
    """
    if len(ids) not in (1, 2):
        raise OperationError(400, "Name one proposal, or two values", field="ids")
    found = (of_proposal(reader, proposal_id(reader, ids[0])) if len(ids) == 1
             else of_values(reader, *(value_id(reader, one) for one in ids)))
    if found is None:
        raise OperationError(
            404, "This proposal stands against no value in force" if len(ids) == 1
            else "These are not two values in force of one entity", field="ids")
    return found


# -- deciding -----------------------------------------------------------------------------------


def settle(writer: Writer, shown: TwoValues, decision: Decision, value: str = "") -> str:
    """Carry a decision out; returns how the history names the step.

    Args:
        value: what both say in one.
    """
    words = one_line(shown.where, 60)
    if decision in ("first", "second"):
        side = shown.second if decision == "second" else shown.first
        hold(writer, shown, second=decision == "second")
        return f"Keep “{one_line(side.text, 60)}”: {words}"
    if decision == "combined":
        combine(writer, shown, value)
        return f"Combine: {words}"
    keep_as_said(writer, shown)
    return f"Keep both as assertions: {words}"


def hold(writer: Writer, shown: TwoValues, *, second: bool) -> None:
    """One of the two holds, and the other goes: to the earlier versions, or is turned down."""
    _check(writer, shown)
    if shown.proposal_id and second:
        apply_proposal(writer, shown.proposal_id, force=True).or_raise()
    elif shown.proposal_id:
        reject_proposal(writer, shown.proposal_id, "the value in force holds")
    else:
        one, other = shown.first, shown.second
        _retire(writer, shown, *((one, other.value_id) if second else (other, one.value_id)))


def combine(writer: Writer, shown: TwoValues, value: str) -> None:
    """Both in one text, which takes the place of what is in force."""
    _check(writer, shown)
    if not value.strip():
        raise OperationError(400, "The combined value is empty", field="value")
    if shown.proposed:
        proposal = get_proposal(writer, shown.proposal_id)
        payload = {**(proposal.payload if proposal else {}), "value": value.strip()}
        apply_proposal(writer, shown.proposal_id, payload=payload, force=True).or_raise()
        return
    _write_combined(writer, shown, value.strip())
    if shown.proposal_id:
        reject_proposal(writer, shown.proposal_id, "both are in one value now", both_hold=True)


def _write_combined(writer: Writer, shown: TwoValues, value: str) -> None:
    sides = (shown.first, shown.second)
    rule = any(side.kind == "constraint" for side in sides)
    place = {"entity": shown.entity_id, "aspect": shown.aspect_id, "group_key": shown.group_key,
             "value": value, "kind": "constraint" if rule else "attribute", "force": True,
             "confidence": max(side.confidence for side in sides)}
    made = control.apply(
        writer, "set_claim_value" if shown.claim_key else "add_claim_value",
        {**place, "claim_key": shown.claim_key or _key(value)}, reason="Combined from two values",
        evidence=_unique((*shown.first.evidence, *shown.second.evidence)))
    new_id = str((made.result or {})["attributeId"])
    for side in sides:
        value_now = get_value(writer, side.value_id)
        if value_now is not None and value_now.status == "active" and value_now.id != new_id:
            _retire(writer, shown, side, new_id)


def _key(value: str) -> str:
    """The claim of values that had none: the first words of what they say now."""
    return slot_key("_".join(value.split()[:_WORDS_OF_A_KEY])) or "combined"


def _unique(items: tuple[object, ...]) -> list[object]:
    return [one for at, one in enumerate(items) if one not in items[:at]]


def keep_as_said(writer: Writer, shown: TwoValues) -> None:
    """Each is kept as what somebody said; one stays in force, and both are linked to it.

    What is proposed does not become the claim; of two in force the newer one holds, and a
    constraint before an attribute.
    """
    _check(writer, shown)
    stays = shown.first if shown.proposed else shown.second
    goes = shown.second if shown.proposed else shown.first
    for side in (shown.first, shown.second):
        _record(writer, shown, side, stays.value_id)
    if shown.proposed:
        reject_proposal(writer, shown.proposal_id, AS_SAID)
    elif shown.proposal_id:
        apply_proposal(writer, shown.proposal_id, force=True).or_raise()
    else:
        _retire(writer, shown, goes, stays.value_id)


def _record(writer: Writer, shown: TwoValues, side: Side, attribute_id: str) -> None:
    payload: dict[str, object] = {
        "entity": shown.entity_id, "predicate": "claims", "content": side.text,
        "speaker": side.who or None, "asserted_at": side.said_at or None,
        "attribute_id": attribute_id, "evidence": _unique(side.evidence)}
    if 0 < side.confidence <= 1:
        payload["confidence"] = side.confidence
    control.apply(writer, "create_assertion",
                  {name: value for name, value in payload.items() if value is not None},
                  reason="Kept as what was said", source=side.source)


def _retire(writer: Writer, shown: TwoValues, side: Side, by: str) -> None:
    value = get_value(writer, side.value_id)
    assert value is not None, "checked by `_check`"
    payload: Mapping[str, object] = {
        "entity": value.entity_id, "aspect": value.aspect_id, "kind": side.kind,
        "attribute_id": side.value_id, "superseded_by": by, "force": True}
    control.apply(writer, "supersede_claim_value", payload, reason=f"Decided: {shown.where}")


def _check(writer: Writer, shown: TwoValues) -> None:
    """Refuse where the two say something else by now than was shown."""
    now = (of_proposal(writer, shown.proposal_id) if shown.proposal_id
           else of_values(writer, shown.first.value_id, shown.second.value_id))
    if now != shown:
        raise changed_since_shown()
