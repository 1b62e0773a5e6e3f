"""What would be otherwise: a pin, a mute, a link, a weight or an edit, with it and without it."""

from collections.abc import Callable, Mapping
from typing import Any, TypeVar

from msgspec import Struct

from core.model.claims_and_assertions import Aspect, Value
from core.model.link import Link
from core.model.proposal import Proposal
from core.model.text_formatting import one_line
from core.ontology import control
from core.ontology.memory_for_every_value import keep_in_step
from core.ontology.operation_catalog import CATALOG
from core.ontology.proposals import apply_proposal
from core.queries.claims import get_value
from core.queries.entities import row_of_entity
from core.queries.knowledge import get_aspect
from core.queries.links import get_link
from core.review.proposal_queue import get_proposal
from core.store.reader_and_writer import Reader, Writer
from core.workspace import Workspace
from ui.widgets.labels import isolate

T = TypeVar("T")


class Step(Struct, frozen=True):
    """An operation of the catalogue, and its words on a button."""

    words: str
    operation: str
    payload: Mapping[str, object]


class Thing(Struct, frozen=True):
    """A condition of the graph that can be on or off, and the steps to change it.

    Attributes:
        key: identifies the thing, independent of its state.
        word: its name in a mark: `pin`.
        name: its name on a chip: `★ Ines Duarte`.
        holds: whether it is currently on.
        make, undo: the steps; None if it can't be undone.
    """

    key: str
    word: str
    name: str
    holds: Callable[[Reader], bool]
    make: Step
    undo: Step | None = None

    @property
    def entering(self) -> Step | None:
        """The step that includes something: to set it; for a mute, to remove it."""
        return self.undo if self.word == "mute" else self.make

    def step(self, holds: bool) -> Step | None:
        """What would change it from this state."""
        return self.undo if holds else self.make


def pin(entity_id: str, name: str) -> Thing:
    """Pinned or not."""
    return Thing(f"pin {entity_id}", "pin", f"★ {_short(name)}",
                 _now(row_of_entity, entity_id, lambda row: row.pinned),
                 *_both_ways("pin_entity", _short(name), {"entity_id": entity_id}))


def mute(entity_id: str, name: str) -> Thing:
    """Muted or not."""
    return Thing(f"mute {entity_id}", "mute", f"{_short(name)} muted",
                 _now(row_of_entity, entity_id, lambda row: row.muted),
                 *_both_ways("mute_entity", _short(name), {"entity_id": entity_id}))


def back_from_archive(entity_id: str, name: str) -> Thing:
    """In force or in the archive."""
    return Thing(f"archive {entity_id}", "it", _short(name),
                 _now(row_of_entity, entity_id, _in_force),
                 *_both_ways("restore_entity", _short(name), {"entity_id": entity_id}))


def restored_link(link: Link, name: str) -> Thing:
    """A link in force or in the archive."""
    return Thing(f"link {link.id}", "link", f"the link to {_short(name)}",
                 _now(get_link, link.id, _in_force),
                 *_both_ways("restore_link", "the link", {"id": link.id}))


def firmer_link(link: Link, name: str, strength: float, confidence: float) -> Thing:
    """A link with more strength, and surer where it has to be."""
    new: dict[str, object] = {"id": link.id, "strength": strength}
    words = f"Raise its strength to {strength:.2f}"
    if confidence > link.confidence:
        new["confidence"] = confidence
        words = f"Raise its confidence to {confidence:.2f}" if strength == link.strength else (
            f"{words}, {confidence:.2f} sure")
    old = {"id": link.id, "strength": link.strength, "confidence": link.confidence}
    return Thing(f"link {link.id} {strength} {confidence}", "link",
                 f"a stronger link to {_short(name)}",
                 _now(get_link, link.id, lambda now: (
                     now.strength >= strength and now.confidence >= confidence)),
                 Step(words, "update_link", new),
                 Step("Restore the link's values", "update_link", old))


def heavier_aspect(aspect: Aspect, weight: float) -> Thing:
    """An aspect with more weight."""
    fields = {"entity_id": aspect.entity_id, "aspect_id": aspect.id}
    return Thing(f"weight {aspect.id} {weight}", "weight", f"{_short(aspect.name)} heavier",
                 _now(get_aspect, aspect.id, lambda now: now.weight >= weight),
                 Step(f"Raise its weight to {weight:.2f}", "weigh_aspect",
                      {**fields, "weight": weight}),
                 Step(f"Restore its weight of {aspect.weight:.2f}", "weigh_aspect",
                      {**fields, "weight": aspect.weight}))


def restored_aspect(aspect: Aspect) -> Thing:
    """An aspect in force or in the archive."""
    fields = {"entity_id": aspect.entity_id, "aspect_id": aspect.id}
    return Thing(f"aspect {aspect.id}", "aspect", _short(aspect.name),
                 _now(get_aspect, aspect.id, _in_force),
                 *_both_ways("restore_aspect", "the aspect", {**fields, "force": True}))


def value_in_force(value: Value, instead: Value | None) -> Thing:
    """A version of a claim being active, instead of the current version or none."""
    words = "Restore this version" if value.status == "superseded" else "Restore this value"
    back = Step("Archive it again", "archive_claim_value",
                {"attribute_id": value.id, "force": value.kind == "constraint"})
    if instead is not None:
        back = Step("Restore the current version", "restore_claim_version",
                    {"attribute_id": instead.id})
    return Thing(f"value {value.id}", "it", f"“{_short(value.content)}”",
                 _now(get_value, value.id, _in_force),
                 Step(words, "restore_claim_version", {"attribute_id": value.id}), back)


def edit(proposal: Proposal, title: str) -> Thing:
    """A proposed edit, applied or not."""
    def holds(reader: Reader) -> bool:
        now = get_proposal(reader, proposal.id)
        return now is None or now.status != "pending"

    return Thing(f"proposal {proposal.id}", "edit", _short(title, 60), holds,
                 Step("Review the edit", "", {"proposal_id": proposal.id}))


def rehearsed(workspace: Workspace, thing: Thing, see: Callable[[Reader], T]) -> tuple[bool, T]:
    """Whether the thing is currently on, and the session start if it were changed.

    Raises OperationError if the change would be refused.
    """
    def change(writer: Writer) -> tuple[bool, T]:
        holds = thing.holds(writer)
        step = thing.step(holds)
        if step is not None and step.operation:
            control.apply(writer, step.operation, step.payload)
        elif step is not None:
            apply_proposal(writer, str(step.payload["proposal_id"]))
        # A commit would do so before anybody is told of the change.
        keep_in_step(writer)
        return holds, see(writer)

    return workspace.rehearse(change).result


def _both_ways(operation: str, noun: str, payload: Mapping[str, object]) -> tuple[Step, Step]:
    """An operation and the one that takes it back, as `Pin Harbor Ledger`."""
    make, undo = (Step(f"{next(iter(CATALOG[name].info.past))} {noun}", name, payload)
                  for name in (operation, CATALOG[operation].info.inverse))
    return make, undo


def _now(
    get: Callable[[Reader, str], Any], id: str, test: Callable[[Any], bool]
) -> Callable[[Reader], bool]:
    """Whether a row is there and passes a test when it is asked for."""
    def holds(reader: Reader) -> bool:
        row = get(reader, id)
        return row is not None and test(row)

    return holds


def _in_force(row: Any) -> bool:
    return bool(row.status == "active")


def _short(name: str, most: int = 40) -> str:
    return isolate(one_line(name, most) or "an unnamed item")
