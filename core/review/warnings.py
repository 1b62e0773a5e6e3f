"""Warnings for a person who decides on a proposal."""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import partial

from core.model.names import canonical, name_key, spoken
from core.model.proposal import Proposal
from core.model.secret_wording import secret_warnings
from core.model.text_formatting import one_line
from core.model.times import later
from core.ontology.entities import mentioned_still
from core.ontology.followed_names import follow, given_up
from core.ontology.keyless_values import beside_keyless
from core.ontology.request_descriptions import Target, targets
from core.ontology.wording import in_force
from core.queries.rows_to_model import CLAIM_KEY, GROUP_KEY, text
from core.review.proposal_queue import rivals_of
from core.store.database import Row
from core.store.reader_and_writer import Reader

CHANGED = "It changed after this was proposed"
_GIVE_A_VALUE = ("add_claim_value", "set_claim_value")
_BRING = ("restore_", "promote_")
"""How operations begin that have the graph say what is stored already."""
QUOTED = 80
"""Characters of a value that a warning quotes."""

Slots = Mapping[tuple[str, ...], Sequence[Row]]
"""The values in force by kind, entity, aspect, group and claim."""


def warnings(reader: Reader, proposal: Proposal) -> tuple[str, ...]:
    """Warnings for the card, most important first; none if nothing has changed since.

    Only a pending proposal has any: the others are decided.
    """
    if proposal.status != "pending":
        return ()
    if not proposal.payload:
        return ("Its payload can't be read",)
    target = target_of(reader, proposal)
    return (*_missing(target), *risks(reader, proposal, target, values_in_slots(reader, [target])),
            *_rivals(reader, proposal, target), *_keyless(reader, proposal, target),
            *_mentioned(reader, proposal, target), *secret_warnings(_texts(proposal, target)))


def _texts(proposal: Proposal, target: Target) -> Iterator[tuple[str, str]]:
    """What it would have the graph say, with what a warning calls each."""
    for name, said in proposal.payload.items():
        if isinstance(said, str):
            yield f"Its {spoken(name)}", said
    if proposal.operation.startswith(_BRING):
        yield "What it brings back", target.content


def target_of(reader: Reader, proposal: Proposal) -> Target:
    """What a proposal is about, also where that was renamed or merged since."""
    payload = follow(reader, proposal.operation, proposal.payload, proposal.created_at)
    return targets(reader, [(proposal.operation, payload)])[0]


def targets_of(reader: Reader, proposals: Iterable[Proposal]) -> list[Target]:
    """The same of many, in a fixed number of statements unless something was renamed or merged."""
    if reader.once(f"given up of {reader.agent}", partial(given_up, reader)):
        return [target_of(reader, proposal) for proposal in proposals]
    return targets(reader, [(one.operation, one.payload) for one in proposals])


def values_in_slots(reader: Reader, targets: Iterable[Target]) -> Slots:
    """The values in force in the slots that these are about, read at once."""
    slots = {target.slot for target in targets if target.slot is not None and target.entity}
    found: defaultdict[tuple[str, ...], list[Row]] = defaultdict(list)
    rows = reader.rows(
        _IN_FORCE, entities=sorted({slot[0] for slot in slots}),
        aspects=sorted({slot[1] for slot in slots}), claims=sorted({slot[3] for slot in slots}),
    ) if slots else []
    for row in rows:
        found[row["kind"], row["entity_id"], row["canonical_name"], row["group_place"],
              row["claim_place"]].append(row)
    return found


def risks(
    reader: Reader, proposal: Proposal, target: Target, slots: Slots
) -> tuple[str, ...]:
    """What a person has to mind in the graph as it is now, other proposals left out."""
    return (*_pinned(target), *_constrained(target, slots), *_type(target),
            *stale(reader, proposal, target, slots))


def _mentioned(reader: Reader, proposal: Proposal, target: Target) -> list[str]:
    """What is told of an entity also when it is archived."""
    if proposal.operation != "archive_entity" or target.entity is None:
        return []
    return mentioned_still(reader, target.entity.id, target.entity.name)


def _keyless(reader: Reader, proposal: Proposal, target: Target) -> list[str]:
    """What says about the same as a new value of a claim, and is superseded by none."""
    if (proposal.operation not in _GIVE_A_VALUE or target.slot is None or not target.value
            or target.entity is None):
        return []
    return beside_keyless(reader, target.entity.id, target.kind, target.claim_key, target.value)


def _missing(target: Target) -> list[str]:
    if not target.found:
        what = "assertion" if target.assertion_id else "link" if target.link_id else "value"
        return [f"The {what} it refers to is no longer in the graph"]
    if target.entity is None:
        if target.info.makes or not target.name:
            return []
        return [f"There is no entity “{target.name}”"]
    if target.entity.status == "archived" and not target.info.on_archived:
        return [f"“{target.entity.name}” is archived"]
    if target.other is not None and target.other.status == "archived":
        return [f"“{target.other.name}” is archived"]
    return []


def _pinned(target: Target) -> list[str]:
    if not target.info.pin_matters:
        return []
    return [f"“{end.name}” is pinned" for end in (target.entity, target.other)
            if end is not None and end.pinned]


def _constrained(target: Target, slots: Slots) -> list[str]:
    if (not target.value or target.slot is None or target.entity is None
            or target.kind != "attribute"):
        return []
    wanted = canonical(target.value)
    return [in_force(text(row["content"]))
            for row in slots.get(("constraint", *target.slot), ())
            if canonical(text(row["content"])) != wanted]


def _type(target: Target) -> list[str]:
    if target.entity is None:
        return []
    wanted = canonical(target.entity_type)
    sentences = []
    if wanted and wanted != target.entity.entity_type:
        sentences.append(f"It treats “{target.entity.name}” as a {spoken(wanted)},"
                         f" but it is a {spoken(target.entity.entity_type)}")
    if (target.info.other_goes and target.other is not None
            and target.other.entity_type != target.entity.entity_type):
        sentences.append(f"“{target.other.name}” is a {spoken(target.other.entity_type)},"
                         f" “{target.entity.name}” a {spoken(target.entity.entity_type)}")
    return sentences


# An index has the keys of all claims: of an aspect with thousands only these are read.
_IN_CLAIMS = f"""
v.id IN (SELECT v.id FROM entity_aspects s CROSS JOIN entity_attributes v ON v.aspect_id = s.id
  WHERE s.entity_id IN (SELECT value FROM json_each(:entities)) AND +s.agent_id = :agent
    AND s.canonical_name IN (SELECT value FROM json_each(:aspects)) AND v.agent_id = :agent
    AND v.claim_key IS NOT NULL AND {CLAIM_KEY} IN (SELECT value FROM json_each(:claims)))"""
_BEFORE = f"""
SELECT v.content, v.created_at, v.status FROM entity_attributes v
WHERE {_IN_CLAIMS} AND v.kind = :kind AND {GROUP_KEY} = :group ORDER BY v.version DESC"""
_IN_FORCE = f"""
SELECT v.kind, s.entity_id, s.canonical_name, {GROUP_KEY} AS group_place,
  {CLAIM_KEY} AS claim_place, v.content, v.updated_at
FROM entity_attributes v CROSS JOIN entity_aspects s ON s.id = v.aspect_id
WHERE {_IN_CLAIMS} AND v.status = 'active' ORDER BY v.importance DESC, v.rowid DESC"""


def stale(
    reader: Reader, proposal: Proposal, target: Target, slots: Slots
) -> list[str]:
    """The target has changed since; never decided by comparing the two time forms as text."""
    changed = [row for row in _touched(reader, target, slots)
               if later(row["updated_at"], proposal.created_at)]
    if not changed:
        return []
    wanted = canonical(target.value)
    if wanted and any(canonical(text(row["content"])) == wanted for row in changed):
        return ["The claim already has this value: it was set after the proposal"]
    return [f"{CHANGED}{_what_changed(reader, proposal, target, changed)}"]


def _what_changed(
    reader: Reader, proposal: Proposal, target: Target, changed: Sequence[Row]
) -> str:
    """`: “Starts at 01:00” became “Starts at 02:00”`, as far as both are known."""
    now = one_line(text(changed[0]["content"]), QUOTED)
    if (target.slot is None or target.entity is None or target.attribute_id
            or target.assertion_id):
        named = not (target.attribute_id or target.assertion_id or target.link_id)
        told = {one_line(text(each), QUOTED) for each in proposal.payload.values()}
        if not now or now in told or named and not target.aspect and _by_id(target, told):
            return ""
        return f": it is called “{now}” now" if named else f": it says “{now}” now"
    entity, aspect, group, claim = target.slot
    versions = reader.rows(_BEFORE, entities=[entity], aspects=[aspect], claims=[claim],
                           kind=target.kind, group=group)
    before = next((one_line(text(row["content"]), QUOTED) for row in versions
                   if row["status"] != "active"
                   and not later(row["created_at"], proposal.created_at)), "")
    if canonical(before) == canonical(now):
        return ""  # Its weight or its source: no word of it.
    if not before:
        return f": it says “{now}” now"
    return f": “{before}” became “{now}”"


def _by_id(target: Target, told: set[str]) -> bool:
    """True if the proposal says which entity it means without its name: that can't be news."""
    return target.entity is not None and target.entity.id in told


def _touched(reader: Reader, target: Target, slots: Slots) -> Sequence[Row]:
    """The rows that the proposal would change: assertion, value, slot, link, aspect or entity."""
    if target.assertion_id:
        return reader.rows("SELECT content, updated_at FROM epistemic_assertions"
                           " WHERE id = :id AND agent_id = :agent", id=target.assertion_id)
    if target.attribute_id:
        return reader.rows("SELECT content, updated_at FROM entity_attributes"
                           " WHERE id = :id AND agent_id = :agent", id=target.attribute_id)
    if target.link_id:
        return reader.rows("SELECT reason AS content, updated_at FROM entity_dependencies"
                           " WHERE id = :id AND agent_id = :agent", id=target.link_id)
    if target.entity is None:
        return []
    if target.slot is not None:
        return slots.get((target.kind, *target.slot), ())
    if target.info.beside or target.info.effect in ("appear", "link"):
        return []
    if target.aspect:
        return reader.rows("SELECT name AS content, updated_at FROM entity_aspects"
                           " WHERE entity_id = :entity AND canonical_name = :aspect"
                           " AND +agent_id = :agent",
                           entity=target.entity.id, aspect=name_key(target.aspect))
    return reader.rows("SELECT name AS content, updated_at FROM entities"
                       " WHERE id = :id AND agent_id = :agent", id=target.entity.id)


def _rivals(reader: Reader, proposal: Proposal, target: Target) -> list[str]:
    """Other pending proposals for the same slot, or for the whole entity where no slot is meant."""
    if target.assertion_id:
        what = "this assertion"
    elif target.slot is not None:
        what = "this claim"
    elif target.info.beside or target.entity is None or target.aspect or target.link_type:
        return []
    else:
        what = f"“{target.entity.name}”"
    same = rivals_of(reader, proposal.id, target)
    if not same:
        return []
    count = "Another pending proposal touches" if len(same) == 1 else (
        f"{len(same)} other pending proposals touch")
    return [f"{count} {what}"]
