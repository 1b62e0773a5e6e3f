"""Asks a person which of two opposite values in force holds; until then the older is marked.

A dispute is a pending proposal to retire the older value for the newer one, with both texts as
evidence. Approved, the older is retired and no longer told. Rejected, the older holds and the
newer is retired: of two opposites one is told. Where the two are no opposites at all, the person
says so (`both_hold`): both stay, unmarked, and the pair is not asked about again.
"""

from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator

from core.errors import OperationError
from core.learning.rule_reversal_wording import reverses, states_rule
from core.model.contradiction import Contradiction, Verdict
from core.model.dispute import Dispute
from core.model.names import slot_key
from core.model.times import later
from core.ontology import wording
from core.ontology.change_provenance import Source
from core.ontology.claim_slots import GENERAL, supersede
from core.ontology.operation_request import OperationRequest
from core.ontology.payload_base import Result
from core.ontology.store_proposal import create_proposal
from core.queries.disputes import OPERATION, asked_before, keeps_proposals
from core.queries.rows_to_model import json_object, text
from core.store.database import Row
from core.store.reader_and_writer import Reader, Writer, new_id

BY = "pipeline:disputes"
"""Who the proposals are from: nobody has asked for them."""
_COLUMNS = ("v.id, v.kind, v.content, v.memory_id, v.created_at, v.aspect_id, v.group_key,"
            " v.claim_key, v.version, v.version_root_id, s.entity_id")
_IN_FORCE = ("+v.agent_id = :agent AND v.status = 'active' AND +s.agent_id = :agent"
             " AND +s.status = 'active'")
_VALUES = f"""
SELECT {_COLUMNS} FROM json_each(:ids) f CROSS JOIN entity_attributes v ON v.id = f.value
CROSS JOIN entity_aspects s ON s.id = v.aspect_id WHERE {_IN_FORCE}"""
_OF_ENTITIES = f"""
SELECT {_COLUMNS} FROM json_each(:ids) f CROSS JOIN entity_aspects s ON s.entity_id = f.value
CROSS JOIN entity_attributes v ON v.aspect_id = s.id
WHERE {_IN_FORCE} AND (v.kind = 'constraint' OR :facts)"""
_RULES = f"""
SELECT {_COLUMNS}, e.entity_type FROM entity_attributes v
JOIN entity_aspects s ON s.id = v.aspect_id JOIN entities e ON e.id = s.entity_id
WHERE v.agent_id = :agent AND v.status = 'active' AND v.kind = 'constraint'
  AND +s.status = 'active' AND +e.status = 'active' AND +e.agent_id = :agent"""

Opposites = tuple[Row, Row, Verdict]
"""The older value, the newer one, and why they seem to be opposites."""


def rules_in_force(reader: Reader) -> list[Row]:
    """Every constraint of the agent, with the type of its entity."""
    return reader.rows(_RULES)


def check(writer: Writer, ids: Collection[str], *, newest: bool = False) -> tuple[Dispute, ...]:
    """Compare values that have just been written with the rules of their entity, and ask.

    Args:
        newest: they count as the newer ones, whatever their time: somebody has just decided so.
    """
    return propose(writer, _find(writer, ids, newest))


def find_all(reader: Reader) -> list[Opposites]:
    """What the rules in force seem to take back or are taken back by, if nobody was asked yet."""
    rules = [row["id"] for row in rules_in_force(reader)]
    return _unasked(reader, _find(reader, rules, newest=False))


def to_decide(reader: Reader, contradictions: Iterable[Contradiction]) -> list[Opposites]:
    """Contradictions that a person is to decide, if nobody was asked yet."""
    wanted = list(contradictions)
    ids = {id for one in wanted for id in (one.old_id, one.new_id)}
    rows = {row["id"]: row for row in reader.rows(_VALUES, ids=sorted(ids))} if ids else {}
    return _unasked(reader, [(rows[one.old_id], rows[one.new_id], one.verdict) for one in wanted
                             if one.old_id in rows and one.new_id in rows])


def _unasked(reader: Reader, pairs: list[Opposites]) -> list[Opposites]:
    asked = asked_before(reader)
    return [pair for pair in pairs
            if asked.isdisjoint(((pair[0]["id"], pair[1]["id"]), (pair[1]["id"], pair[0]["id"])))]


def _find(reader: Reader, ids: Collection[str], newest: bool) -> list[Opposites]:
    """The pairs of opposites that these values are part of.

    A rule among them is also compared with what the entity's other values allow or forbid. What
    was said at once is no reversal.
    """
    written = reader.rows(_VALUES, ids=sorted(ids)) if ids else []
    written = [row for row in written if _speaks(row)]
    rules = any(row["kind"] == "constraint" for row in written)
    by_entity: defaultdict[str, list[Row]] = defaultdict(list)
    entities = sorted({row["entity_id"] for row in written})
    for row in reader.rows(_OF_ENTITIES, ids=entities, facts=rules) if written else ():
        if _speaks(row):
            by_entity[row["entity_id"]].append(row)
    return [pair for row in written for pair in _opposites(row, by_entity[row["entity_id"]],
                                                           newest)]


def _speaks(row: Row) -> bool:
    return row["kind"] == "constraint" or states_rule(text(row["content"]))


def _opposites(row: Row, others: list[Row], newest: bool) -> Iterator[Opposites]:
    """The older and the newer value of each pair that this one is part of."""
    for other in others:
        at_once = row["memory_id"] is not None and row["memory_id"] == other["memory_id"]
        if row["id"] == other["id"] or at_once or "constraint" not in (row["kind"], other["kind"]):
            continue
        overtaken = not newest and later(other["created_at"], row["created_at"])
        older, newer = (row, other) if overtaken else (other, row)
        verdict = reverses(text(newer["content"]), text(older["content"]))
        if verdict is not None:
            yield older, newer, verdict


def ask(
    writer: Writer, older_ids: Collection[str], newer_id: str, verdict: Verdict
) -> tuple[Dispute, ...]:
    """Ask which holds: one of the older values, or the newer one, which has been written beside."""
    if not older_ids:
        return ()
    rows = {row["id"]: row for row in writer.rows(_VALUES, ids=[*older_ids, newer_id])}
    return propose(writer, ((rows[id], rows[newer_id], verdict) for id in older_ids))


def propose(writer: Writer, pairs: Iterable[Opposites]) -> tuple[Dispute, ...]:
    """A dispute for each pair that nobody has decided yet, each pair once."""
    asked: dict[frozenset[str], Dispute] = {}
    for older, newer, verdict in pairs:
        pair = frozenset((older["id"], newer["id"]))
        if pair not in asked and (dispute := _propose(writer, older, newer, verdict)):
            asked[pair] = dispute
    return tuple(asked.values())


def _propose(writer: Writer, older: Row, newer: Row, verdict: Verdict) -> Dispute | None:
    """None where the person has said before that both hold."""
    proposal = ""
    if not keeps_proposals(writer):
        _note_beside(writer, older["id"], newer["id"])
    else:
        try:
            proposal = create_proposal(writer, _draft(older, newer, verdict))
        except OperationError as error:
            if error.status != 409:
                raise
            return None
    return Dispute(older["id"], text(older["content"]), newer["id"], text(newer["content"]),
                   text(newer["created_at"]), proposal)


def _note_beside(writer: Writer, older_id: str, newer_id: str) -> None:
    """Mark the older value where no proposal can wait: until one of the two is out of force."""
    if (older_id, newer_id) not in asked_before(writer):
        writer.insert("disputed_values", id=new_id(), agent_id=writer.agent, older_id=older_id,
                      newer_id=newer_id, asked_at=writer.now())


def _draft(older: Row, newer: Row, verdict: Verdict) -> OperationRequest:
    old, new = wording.quoted(older["content"]), wording.quoted(newer["content"])
    payload = {
        "entity": older["entity_id"], "aspect": older["aspect_id"], "kind": older["kind"],
        "group_key": slot_key(older["group_key"]) or GENERAL,
        "claim_key": slot_key(older["claim_key"]), "attribute_id": older["id"],
        "superseded_by": newer["id"], "force": True}
    return OperationRequest(
        OPERATION, {name: value for name, value in payload.items() if value is not None},
        rationale=f"{new} seems to take back {old}: {verdict.reasoning}.",
        evidence=(_evidence(newer), _evidence(older)), confidence=verdict.confidence,
        source=Source("memory", newer["memory_id"]) if newer["memory_id"] else Source(),
        created_by=BY)


def _evidence(row: Row) -> dict[str, object]:
    """Its words, and the memory that says them (a value's own has its id)."""
    return {"memory_id": row["memory_id"] or row["id"], "quote": text(row["content"]),
            "captured_at": row["created_at"]}


def retire_newer(writer: Writer, operation: str, payload: object) -> Result:
    """What rejecting a proposal retires: the newer value of a dispute, if both are in force."""
    if operation != OPERATION:
        return {}
    fields = json_object(payload)
    ids = [fields.get("attribute_id"), fields.get("superseded_by")]
    standing = {row["id"] for row in writer.rows(_VALUES, ids=[id for id in ids if id])}
    if not standing.issuperset(ids):
        return {}
    older, newer = map(str, ids)
    supersede(writer, newer, older)
    return {"supersededAttributeIds": [newer]}
