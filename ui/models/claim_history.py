"""The history of a claim: versions of its slot, their evidence, assertions about it."""

from collections.abc import Mapping
from functools import partial
from operator import attrgetter
from types import MappingProxyType

from msgspec import Struct, field
from msgspec.structs import replace

from core.model.claims_and_assertions import (
    Aspect,
    Assertion,
    Claim,
    Group,
    Slot,
    Value,
    Version,
    key_of_group,
)
from core.model.names import name_key, slot_key, spoken
from core.model.proposal import Evidence, Proposal
from core.queries.authors import told_name
from core.queries.claims import evidence_of, lineage_of, voices
from core.queries.entities import row_of_entity
from core.queries.knowledge import aspects_of
from core.queries.lazy_claim_versions import Lineage
from core.review.as_shown import changed_since_shown
from core.review.proposal_queue import get_proposal, pending_of, pending_slots
from core.store.reader_and_writer import Reader
from ui.models.review_queue import risk_words
from ui.models.time_wording import day, day_and_time

FIRST_CLAIMS = 200
"""Claims of one aspect or group that are read and listed before a row that offers more."""
STATUSES = {"active": ("current", "good"), "superseded": ("superseded", ""),
            "deleted": ("archived", "bad")}
"""How a status is called and toned."""


class Tree(Struct, frozen=True):
    """An entity's aspects with their claims; `name` is empty if the entity was deleted."""

    entity_id: str
    name: str
    aspects: tuple[Aspect, ...]


class History(Struct, frozen=True):
    """A slot's versions, newest first, assertions about them, and pending changes."""

    slot: Slot
    versions: Lineage
    voices: tuple[Assertion, ...]
    pending: tuple[str, ...]
    """Proposals that would change this slot."""
    ground: "VersionEvidence | None" = None
    """What the version to show rests on, where that was asked for."""
    _places: dict[str, int] = field(default_factory=dict)

    def __post_init__(self) -> None:
        for place, (id, _, _) in enumerate(self.versions.told):
            self._places.setdefault(id, place)

    def place_of(self, attribute_id: str) -> int | None:
        """The place of a version in the list; None if it is not in it."""
        return self._places.get(attribute_id)

    def version(self, attribute_id: str) -> Version | None:
        place = self._places.get(attribute_id)
        return None if place is None else self.versions[place]

    def before(self, version: Version) -> Version | None:
        """The version that a version replaced; parallel values replace nothing."""
        known = self.version(version.value.previous_attribute_id or "")
        if known is not None and known is not version:
            return known
        after = range(self._places.get(version.value.id, 0), len(self.versions))
        return next((self.versions[place] for place in after
                     if self.versions[place].value.version < version.value.version), None)

    def to_restore(self, version: Version) -> Version | None:
        """What the restore button is for: the version itself, or the one before the current."""
        return self.before(version) if version.value.status == "active" else version


    def exchanged(self, version: Version) -> Version | None:
        """What the restore button exchanges with this version: the one in force, or where that is
        this one, what would be restored."""
        if version.value.status == "active":
            return self.before(version)
        return self.version(version_to_show(self.versions, ""))


class VersionEvidence(Struct, frozen=True):
    """What one version rests on: its evidence, and the proposal that made it."""

    attribute_id: str
    evidence: tuple[Evidence, ...]
    proposal: Proposal | None


def load_tree(
    reader: Reader, entity_id: str, shown: Mapping[str, int] = MappingProxyType({}),
    slot: Slot | None = None,
) -> Tree:
    """The claims of an entity, archived ones too: their history is still there.

    Args:
        shown: how many claims to read of the group with this key, where that is more than at first.
        slot: its claim is read wherever it stands.
    """
    row = row_of_entity(reader, entity_id)
    if row is None:
        return Tree(entity_id, "", ())
    pending = pending_slots(pending_of(reader, entity_id), entity_id)
    return Tree(entity_id, row.name,
                aspects_of(reader, entity_id, archived=True, pending=pending,
                           most=partial(_most, shown), also=[slot] if slot else ()))


def _most(shown: Mapping[str, int], aspect_id: str, group: str, _binds: bool) -> int:
    return shown.get(key_of_group(aspect_id, group), FIRST_CLAIMS)


def load_claims(
    reader: Reader, entity_id: str, shown: Mapping[str, int], slot: Slot | None, chosen: str
) -> tuple[Tree, History | None]:
    """The claims of an entity with the history of one of them, in one answer.

    Args:
        shown: as in `load_tree`.
        slot: the claim whose history is read; else the one with most versions.
        chosen: the version to show, if it is one of that claim.
    """
    tree = load_tree(reader, entity_id, shown, slot)
    slot = slot or richest(tree)
    if slot is None:
        return tree, None
    return tree, load_shown_history(reader, slot, name_of_aspect(tree, slot), chosen)


def load_shown_history(reader: Reader, slot: Slot, aspect: str, chosen: str) -> History:
    """Every version of a slot, and what the version to show rests on."""
    history = load_history(reader, slot, aspect)
    version = history.version(version_to_show(history.versions, chosen))
    if version is None:
        return history
    return replace(history, ground=load_evidence(reader, version.value))


def name_of_aspect(tree: Tree, slot: Slot) -> str:
    """What the aspect of a slot is called; empty if the tree lacks it."""
    return next((aspect.name for aspect in tree.aspects if aspect.id == slot.aspect_id), "")


def load_history(reader: Reader, slot: Slot, aspect: str) -> History:
    """Every version of a slot; `aspect` is the aspect's name."""
    key = (slot.entity_id, name_key(aspect), slot_key(slot.group_key, "general"),
           slot_key(slot.claim_key) or "")
    waiting = tuple(item.id for item in pending_of(reader, slot.entity_id)
                    if slot.claim_key and item.target.slot == key)
    return History(slot, lineage_of(reader, slot), voices(reader, slot), waiting)


def check_history(shown: History, reader: Reader) -> None:
    """Refuse by an error if the slot has other versions than were shown."""
    if lineage_of(reader, shown.slot).told != shown.versions.told:
        raise changed_since_shown()


def load_evidence(reader: Reader, value: Value) -> VersionEvidence:
    """The evidence of a version, and the proposal that made it."""
    proposal = get_proposal(reader, value.proposal_id) if value.proposal_id else None
    pieces = evidence_of(reader, value.id)
    evidence = tuple(piece for piece in pieces if piece.kind != "ontology_proposal")
    return VersionEvidence(value.id, evidence, proposal)


def claim_title(claim: Claim) -> str:
    """The claim's key as it is read; the words of the value where it has none."""
    if claim.claim_key:
        return spoken(claim.claim_key)
    return f"“{claim.values[0].content}”" if claim.values else "a value"


def slot_in(claim: Claim) -> Slot | None:
    """The slot of a claim in the tree."""
    return claim.values[0].slot if claim.values else None


def same_slot(one: Slot | None, other: Slot | None) -> bool:
    """True if both are the same slot, whichever spelling their keys have."""
    if one is None or other is None:
        return one is other
    return (one.aspect_id, one.kind, slot_key(one.group_key, "general"),
            slot_key(one.claim_key), one.attribute_id if not one.claim_key else None) == (
            other.aspect_id, other.kind, slot_key(other.group_key, "general"),
            slot_key(other.claim_key), other.attribute_id if not other.claim_key else None)


def is_version_of(value: Value, slot: Slot | None) -> bool:
    """True for a value of the slot, also where it has replaced the value without a claim key that
    the slot was named by."""
    if same_slot(value.slot, slot):
        return True
    return (slot is not None and not value.claim_key and not slot.claim_key
            and value.aspect_id == slot.aspect_id and slot.attribute_id is not None
            and slot.attribute_id in (value.version_root_id, value.previous_attribute_id))


def place_of(tree: Tree, slot: Slot) -> tuple[Aspect, Group, int] | None:
    """Where a slot stands in the tree: its aspect, its group and its place in that."""
    key = slot_key(slot.group_key, "general")
    near = [(aspect, group) for aspect in tree.aspects if aspect.id == slot.aspect_id
            for group in aspect.groups if slot_key(group.key, "general") == key]
    # As it is spelled first: to compare every claim's key takes long among thousands.
    for is_of in (_is_spelled_as, _is_of):
        for aspect, group in near:
            for place, claim in enumerate(group.claims):
                if is_of(claim, slot):
                    return aspect, group, place
    return None


def _is_spelled_as(claim: Claim, slot: Slot) -> bool:
    if claim.kind != slot.kind or claim.claim_key != slot.claim_key:
        return False
    return bool(claim.claim_key) or any(
        value.id == slot.attribute_id for value in claim.values[:1])


def _is_of(claim: Claim, slot: Slot) -> bool:
    return any(is_version_of(value, slot) for value in claim.values[:1])


def richest(tree: Tree) -> Slot | None:
    """The claim to show when none was chosen: the one with most versions."""
    claims = [claim for aspect in tree.aspects for group in aspect.groups
              for claim in group.claims if claim.values]
    return slot_in(max(claims, key=attrgetter("versions"))) if claims else None


def byline(version: Version) -> str:
    """`24 Nov · claude-code, agent · 0.91`."""
    who = told_name(version.who)
    if version.by in ("agent", "pipeline", "import") and version.by not in who:
        who = f"{who}, {version.by}"
    return " · ".join(part for part in (day(version.when), who,
                                        f"{version.value.confidence:.2f}") if part)


def proposal_line(proposal: Proposal) -> str:
    """`proposal 0.91, low risk · applied by you 24 Nov 18:02`."""
    risk = f", {risk_words(proposal.risk)}" if proposal.risk else ""
    line = f"proposal {proposal.confidence:.2f}{risk}"
    if proposal.applied_at:
        by = f" by {told_name(proposal.applied_by)}" if proposal.applied_by else ""
        line += f" · applied{by} {day_and_time(proposal.applied_at)}"
    return line


def stance(voice: Assertion) -> tuple[str, str]:
    """The word for what a voice does, and its role: denies in rose, questions in amber."""
    if voice.predicate == "denies":
        return "denies", "bad"
    if voice.predicate == "questions":
        return "questions", "proposal"
    return voice.predicate or "says", "good"


def valid_words(version: Version) -> str:
    """`Valid 24 Nov 2026 → now`, `Valid 3 May → 9 Jun · in force again since 24 Nov 2026`."""
    spans = [f"{day(span.since)} → {day(span.until) if span.until else 'now'}"
             for span in version.spans]
    if version.again_since:
        spans[-1:] = [f"in force again since {day(version.again_since)}"]
    return f"Valid {' · '.join(spans)}"


def version_to_show(versions: Lineage, wanted: str) -> str:
    """The version to show: the wanted one while it is there, else the one in force."""
    ids = [id for id, _, _ in versions.told]
    if wanted in ids:
        return wanted
    current = [id for id, status, _ in versions.told if status == "active"]
    return (current or ids or [""])[0]
