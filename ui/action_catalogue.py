"""Every action of the window: menus, keys, palette and key sheet are made from this list."""

from collections.abc import Callable, Iterator
from functools import partial
from typing import Any

from msgspec.structs import replace

from core.model.entity import EntityRow
from core.ontology.operation_catalog import CATALOG, Operation
from core.ontology.row_reference_fields import row_kind
from core.queries.find_rows_to_choose import RowChoice
from ui.action import Action
from ui.actions import (
    app,
    claims,
    edit,
    entities,
    file,
    maintenance,
    sky_navigation,
    view_and_go,
)
from ui.context import Context
from ui.dialogs.operation import OperationDialog, ask
from ui.panel import Panel
from ui.panels import PANELS


def _of_panel(at: int, kind: type[Panel]) -> Iterator[Action[Any]]:
    """The way to a panel, and what the panel itself declares."""
    yield Action(f"go.{kind.name}", kind.title, partial(_show, kind.name),
                 (f"Ctrl+{at}",) if at < 10 else (), kind.icon, "Go", "panels")
    for action in kind.ACTIONS:
        yield replace(action, panel=kind.name)


_FITS: dict[str, Callable[[EntityRow], bool]] = {
    "restore_entity": lambda row: row.status == "archived",
    "update_task": lambda row: row.entity_type == "task",
}
"""Operations that only some entities are for: no other is filled in."""


def _of_operation(operation: Operation) -> Action[Context]:
    """An operation as an entry of the palette, with its form."""
    return Action(f"operation.{operation.name}", f"{operation.label}…",
                  partial(_open_form, operation))


def _open_form(operation: Operation, context: Context) -> None:
    """The operation's form, with what is selected filled in."""
    selection, fields = context.selection, operation.fields.model_fields
    shown: dict[str, object] = {}
    first = next((name for name in ("entity", "source_entity") if name in fields), "")
    row, about = selection.entity, row_kind(fields[first]) if first else None
    fits = _FITS.get(operation.name)
    if row is not None and (fits is None or fits(row)) and about == "entity" and (
            fields[first].is_required() or first == "source_entity"):
        shown[first] = RowChoice(row.id, row.name)
    for name, chosen in (("attribute_id", selection.attribute_id),
                         ("memory_id", selection.memory_id)):
        if chosen and name in fields and fields[name].is_required():
            shown[name] = chosen
    ask(OperationDialog(context, operation.name, shown=shown))


def _show(panel: str, context: Context) -> None:
    context.shell.show_panel(panel)


_ALL: tuple[Action[Any], ...] = (
    *file.ACTIONS, *edit.ACTIONS, *view_and_go.ACTIONS, *sky_navigation.ACTIONS,
    *(action for at, kind in enumerate(PANELS, start=1) for action in _of_panel(at, kind)),
    *entities.ACTIONS, *claims.ACTIONS, *map(_of_operation, CATALOG.values()), *maintenance.ACTIONS,
    *app.ACTIONS,
)
_WRITE = (
    "operation.", "entities.", "aspects.", "links.", "claims.", "pins.", "mutes.", "graph.",
    "edit.undo", "edit.redo", "file.import", "file.restore", "file.allow", "inspector.edit",
    "proposals.apply", "proposals.anyway", "proposals.reject", "proposals.both", "proposals.edit",
    "proposals.flag", "proposals.compare", "health.compare", "claim_history.restore", "health.fix",
    "health.all", "expectations.remove",
)
"""How the ids of the actions that change the graph begin."""
ACTIONS: tuple[Action[Any], ...] = tuple(
    replace(action, writes=action.writes or action.id.startswith(_WRITE)) for action in _ALL)
