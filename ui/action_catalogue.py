"""Every action of the window: menus, keys, palette and key sheet are made from this list."""

from collections.abc import Callable, Iterator
from functools import partial
from typing import Any

from core.model.entity import EntityRow
from core.ontology.operation_catalog import CATALOG, Operation
from core.ontology.row_reference_fields import row_kind
from core.queries.find_rows_to_choose import RowChoice
from ui.action import Action, declared
from ui.context import Context
from ui.dialogs.ask_operation import ask_operation
from ui.panel import PanelKind
from ui.panels import PANELS
from ui.window_actions import ABOUT_THE_GRAPH, AT_LAST, BEFORE_PANELS, way_to


def _of_panel(at: int, kind: PanelKind) -> Iterator[Action[Any]]:
    """The way to a panel, and what the panel itself declares."""
    yield way_to(at, kind)
    yield from declared((*kind.load().ACTIONS, *kind.in_menus), kind.name)


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
    ask_operation(context, operation.name, shown=shown)


ACTIONS: tuple[Action[Any], ...] = declared((
    *BEFORE_PANELS,
    *(action for at, kind in enumerate(PANELS, start=1) for action in _of_panel(at, kind)),
    *ABOUT_THE_GRAPH, *map(_of_operation, CATALOG.values()), *AT_LAST,
))
