"""Mute and unmute an entity."""

from ui.actions.apply_operation import operate
from ui.actions.registry import Action
from ui.context import Context


def set_muted(context: Context, entity_id: str, muted: bool) -> None:
    """Mute or unmute, as one undoable step."""
    operate(context, "mute_entity" if muted else "unmute_entity", {"entity_id": entity_id})


def toggle_mute(context: Context) -> None:
    row = context.selection.entity
    if row is not None:
        set_muted(context, row.id, not row.muted)


def words(context: Context) -> str:
    row = context.selection.entity
    return "Unmute" if row is not None and row.muted else "Mute"


def can_mute(context: Context) -> bool:
    row = context.selection.entity
    return row is not None and row.status == "active"


ACTIONS = (
    Action("mutes.toggle", words, toggle_mute, ("M",), "mute", "Graph", "steer",
           enabled=can_mute),
)
