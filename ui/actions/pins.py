"""Pin and unpin an entity."""

from collections.abc import Callable

from ui.actions.apply_operation import operate
from ui.actions.registry import Action
from ui.context import Context


def set_pinned(
    context: Context, entity_id: str, pinned: bool, done: Callable[[], None] | None = None
) -> None:
    """Pin or unpin, as one undoable step."""
    operation = "pin_entity" if pinned else "unpin_entity"
    operate(context, operation, {"entity_id": entity_id},
            done=None if done is None else lambda _: done())


def toggle_pin(context: Context) -> None:
    row = context.selection.entity
    if row is not None:
        set_pinned(context, row.id, not row.pinned)


def words(context: Context) -> str:
    row = context.selection.entity
    return "Unpin" if row is not None and row.pinned else "Pin"


def can_pin(context: Context) -> bool:
    row = context.selection.entity
    return row is not None and row.status == "active"


ACTIONS = (
    Action("pins.toggle", words, toggle_pin, ("P",), "pin", "Graph", "steer", enabled=can_pin),
)
