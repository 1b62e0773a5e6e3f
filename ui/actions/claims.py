"""Actions on claims: set a value, restore a version, archive a value."""

from ui.actions.operate import operate
from ui.actions.registry import Action
from ui.context import Context
from ui.dialogs.operation import OperationDialog, ask

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
    ask(OperationDialog(context, "set_claim_value", given, title="Set a claim", only=ASKED))


def restore_version(context: Context, attribute_id: str) -> None:
    """Make an older version of a claim the current one again."""
    operate(context, "restore_claim_version", {"attribute_id": attribute_id})


def archive_value(context: Context, attribute_id: str) -> None:
    """Take a value out of the graph's present; its history stays."""
    operate(context, "archive_claim_value", {"attribute_id": attribute_id})


def can_set(context: Context) -> bool:
    row = context.selection.entity
    return row is not None and row.status == "active"


ACTIONS = (
    Action("claims.set", "Set a claim…", new_claim, ("Ctrl+E",), "edit", "Graph", "hang",
           enabled=can_set),
)
