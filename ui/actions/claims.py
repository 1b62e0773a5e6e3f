"""Actions on claims: set or replace a value, restore a version, archive a value."""

from functools import partial

from core.errors import OperationError
from core.model.claims_and_assertions import Value
from core.queries.claims import get_value
from core.store.reader_and_writer import Reader
from ui.action import Action
from ui.actions.entities import is_active, why_not_active
from ui.apply_operation import operate
from ui.context import Context
from ui.dialogs.ask_operation import ask_operation

ASKED = ("aspect", "group_key", "claim_key", "value", "kind", "confidence")


def new_claim(context: Context) -> None:
    """Set a claim of the selected entity, in the selected slot if there is one."""
    row, slot = context.selection.entity, context.selection.slot
    if row is None:
        return
    given: dict[str, object] = {"entity": row.id}
    if slot is not None and slot.claim_key is not None:
        given |= {"aspect": slot.aspect_id, "claim_key": slot.claim_key, "kind": slot.kind}
        given |= {"group_key": slot.group_key} if slot.group_key else {}
    ask_operation(context, "set_claim_value", given, title="Set a claim", only=ASKED)


def replace_value(context: Context, value: Value, text: str, *, alone: bool) -> None:
    """Give a claim other words in the place of one of its values.

    Args:
        alone: False if the claim has other values, which stay beside the new one.
    """
    force = value.kind == "constraint"
    check = partial(_check_value, value, text)
    if not value.claim_key:
        operate(context, "supersede_claim_value", {
            **_slot_fields(value), "attribute_id": value.id, "new_value": text},
            force=force, check=check)
        return
    slot = _slot_fields(value) | {"claim_key": value.claim_key}
    if alone:
        operate(context, "set_claim_value", {**slot, "value": text}, force=force, check=check)
        return
    operate(context, "add_claim_value", {**slot, "value": text}, force=force, check=check,
            first=[("supersede_claim_value", {**slot, "attribute_id": value.id})])


def _check_value(shown: Value, text: str, reader: Reader) -> None:
    """Refuse other words for a value that is no longer what was edited; they are not lost."""
    now = get_value(reader, shown.id)
    if now is None or (now.status, now.content) != (shown.status, shown.content):
        raise OperationError(409, f"This value has changed since it was shown, so “{text}” was "
                                  "not saved", do="Copy it from here if you still want it")


def give_key(context: Context, value: Value) -> None:
    """Ask what a value without a claim key is about; the claim takes its place."""
    ask_operation(
        context, "set_claim_value", _slot_fields(value), {"value": value.content},
        title="Turn into a claim", only=("claim_key", "value"),
        first=[("archive_claim_value", {"attribute_id": value.id, "force": True})])


def _slot_fields(value: Value) -> dict[str, object]:
    return {"entity": value.entity_id, "aspect": value.aspect_id, "kind": value.kind,
            "group_key": value.group_key or "general"}


ACTIONS = (
    Action("claims.set", "Set a claim…", new_claim, ("Ctrl+E",), "edit", "Graph", "hang",
           enabled=is_active, why=why_not_active),
)
