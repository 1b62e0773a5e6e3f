"""Actions on entities: pin, mute, new, rename, archive, restore, and what hangs on them."""


from core.ontology.proposals import Outcome
from ui.action import Action
from ui.apply_operation import operate
from ui.context import Context
from ui.dialogs.operation import OperationDialog, ask


def set_pinned(context: Context, entity_id: str, pinned: bool) -> None:
    """Pin or unpin, as one undoable step."""
    operate(context, "pin_entity" if pinned else "unpin_entity", {"entity_id": entity_id})


def toggle_pin(context: Context) -> None:
    row = context.selection.entity
    if row is not None:
        set_pinned(context, row.id, not row.pinned)


def pin_words(context: Context) -> str:
    row = context.selection.entity
    return "Unpin" if row is not None and row.pinned else "Pin"


def toggle_mute(context: Context) -> None:
    row = context.selection.entity
    if row is not None:
        operate(context, "unmute_entity" if row.muted else "mute_entity", {"entity_id": row.id})


def mute_words(context: Context) -> str:
    row = context.selection.entity
    return "Unmute" if row is not None and row.muted else "Mute"


def new_entity(context: Context) -> None:
    """It is selected when it is there: one goes on with it."""

    def select(outcome: Outcome) -> None:
        context.selection.select_entity(str((outcome.result or {}).get("entityId", "")))

    ask(OperationDialog(context, "create_entity", title="New entity", done=select))


def rename(context: Context) -> None:
    row = context.selection.entity
    if row is not None:
        ask(OperationDialog(context, "rename_entity", {"entity": row.id},
                            {"new_name": row.name}))


def archive(context: Context) -> None:
    """A pinned entity is refused without force; the menu's own words are the force."""
    row = context.selection.entity
    if row is not None:
        operate(context, "archive_entity", {"entity": row.id}, force=row.pinned)


def restore(context: Context) -> None:
    row = context.selection.entity
    if row is not None:
        operate(context, "restore_entity", {"entity": row.id})


def add_aspect(context: Context) -> None:
    row = context.selection.entity
    if row is not None:
        ask(OperationDialog(context, "create_aspect", {"entity": row.id}, title="New aspect"))


def link_to(context: Context) -> None:
    row = context.selection.entity
    if row is not None:
        ask(OperationDialog(context, "create_link", {"source": row.id}, title="Link to…",
                            verb="Link"))


def is_active(context: Context) -> bool:
    row = context.selection.entity
    return row is not None and row.status == "active"


def is_archived(context: Context) -> bool:
    row = context.selection.entity
    return row is not None and row.status == "archived"


def archive_words(context: Context) -> str:
    row = context.selection.entity
    return "Archive the pinned entity" if row is not None and row.pinned else "Archive"


ACTIONS = (
    Action("pins.toggle", pin_words, toggle_pin, ("P",), "pin", "Graph", "steer",
           enabled=is_active),
    Action("mutes.toggle", mute_words, toggle_mute, ("M",), "mute", "Graph", "steer",
           enabled=is_active),
    Action("entities.new", "New entity…", new_entity, ("Ctrl+Shift+N",), "add", "Graph", "new"),
    Action("entities.rename", "Rename…", rename, ("F2",), "rename", "Graph", "change",
           enabled=is_active),
    Action("entities.archive", archive_words, archive, ("Ctrl+Delete",), "archive", "Graph",
           "change", enabled=is_active),
    Action("entities.restore", "Restore from the archive", restore, (), "restore", "Graph",
           "change", enabled=is_archived),
    Action("aspects.new", "New aspect…", add_aspect, (), "add", "Graph", "hang",
           enabled=is_active),
    Action("links.new", "Link to…", link_to, ("Ctrl+L",), "link", "Graph", "hang",
           enabled=is_active),
)
