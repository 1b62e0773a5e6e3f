"""Actions on entities: pin, mute, new, rename, archive, restore, and what hangs on them."""

from collections.abc import Callable
from typing import TYPE_CHECKING

from core.model.entity import EntityRow
from core.model.text_formatting import one_line
from ui.action import Action
from ui.apply_operation import operate
from ui.context import Context
from ui.dialogs.ask_operation import ask_operation

if TYPE_CHECKING:
    from core.ontology.proposals import Outcome

LINKED = ("target_entity", "link_type", "target_type", "reason", "strength", "confidence")
"""What is asked of a link whose source is known."""


def of_entity(do: Callable[[Context, EntityRow], object]) -> Callable[[Context], None]:
    """Does it with the selected entity, if there is one."""
    def run(context: Context) -> None:
        row = context.selection.entity
        if row is not None:
            do(context, row)

    return run


def set_pinned(context: Context, entity_id: str, pinned: bool) -> None:
    """Pin or unpin, as one undoable step."""
    operate(context, "pin_entity" if pinned else "unpin_entity", {"entity_id": entity_id})


@of_entity
def toggle_pin(context: Context, row: EntityRow) -> None:
    set_pinned(context, row.id, not row.pinned)


@of_entity
def toggle_mute(context: Context, row: EntityRow) -> None:
    operate(context, "unmute_entity" if row.muted else "mute_entity", {"entity_id": row.id})


def new_entity(context: Context) -> None:
    """It is selected when it is there: one goes on with it."""
    def select(outcome: "Outcome") -> None:
        context.selection.select_entity(str((outcome.result or {}).get("entityId", "")))

    ask_operation(context, "create_entity", title="New entity", done=select)


@of_entity
def rename(context: Context, row: EntityRow) -> None:
    ask_operation(context, "rename_entity", {"entity": row.id}, {"new_name": row.name})


@of_entity
def archive(context: Context, row: EntityRow) -> None:
    """A pinned entity is refused without force; the menu's own words are the force."""
    operate(context, "archive_entity", {"entity": row.id}, force=row.pinned)


@of_entity
def restore(context: Context, row: EntityRow) -> None:
    operate(context, "restore_entity", {"entity": row.id})


@of_entity
def add_aspect(context: Context, row: EntityRow) -> None:
    ask_operation(context, "create_aspect", {"entity": row.id}, title="New aspect")


@of_entity
def link_to(context: Context, row: EntityRow) -> None:
    ask_operation(context, "create_link", {"source_entity_id": row.id}, verb="Link",
                        title=f"Link “{one_line(row.name, 40)}” to", only=LINKED)


@of_entity
def merge(context: Context, row: EntityRow) -> None:
    """Merge it into another one, or the one that is marked beside it into it."""
    # The wizard loads the checks of the review with it, which the window stands without.
    from ui.dialogs.merge import merge_into  # noqa: PLC0415

    second = context.selection.second
    if second is not None:
        merge_into(context, [second.id], row.id)
    else:
        merge_into(context, [row.id])


def _merge_words(context: Context) -> str:
    second = context.selection.second
    return f"Merge with “{one_line(second.name, 40)}”…" if second is not None else "Merge into…"


def is_active(context: Context) -> bool:
    row = context.selection.entity
    return row is not None and row.status == "active"


def why_not_active(context: Context) -> str:
    """Why nothing can be done with the selected entity."""
    return "select an entity first" if context.selection.entity is None else "it is archived"


def is_archived(context: Context) -> bool:
    row = context.selection.entity
    return row is not None and row.status == "archived"


def _worded(flag: str, words: str, otherwise: str) -> Callable[[Context], str]:
    """Words for a selected entity that is `flag`, and others."""
    return lambda context: words if getattr(context.selection.entity, flag, False) else otherwise


ACTIONS = (
    Action("pins.toggle", _worded("pinned", "Unpin", "Pin"), toggle_pin, ("P",), "pin", "Graph",
           "steer", enabled=is_active, why=why_not_active, bare="Pin"),
    Action("mutes.toggle", _worded("muted", "Unmute", "Mute"), toggle_mute, ("M",), "mute", "Graph",
           "steer", enabled=is_active, why=why_not_active, bare="Mute"),
    Action("entities.new", "New entity…", new_entity, ("Ctrl+Shift+N",), "add", "Graph", "new"),
    Action("entities.rename", "Rename…", rename, ("F2",), "rename", "Graph", "change",
           enabled=is_active, why=why_not_active),
    Action("entities.merge", _merge_words, merge, ("Ctrl+M",), "merge", "Graph", "change",
           enabled=is_active, why=why_not_active, bare="Merge into…"),
    Action("entities.archive", _worded("pinned", "Archive the pinned entity", "Archive"), archive,
           ("Ctrl+Delete",), "archive", "Graph", "change", enabled=is_active, why=why_not_active,
           bare="Archive"),
    Action("entities.restore", "Restore from the archive", restore, (), "restore", "Graph",
           "change", enabled=is_archived),
    Action("aspects.new", "New aspect…", add_aspect, (), "add", "Graph", "hang",
           enabled=is_active, why=why_not_active),
    Action("links.new", "Link to…", link_to, ("Ctrl+L",), "link", "Graph", "hang",
           enabled=is_active, why=why_not_active),
)
