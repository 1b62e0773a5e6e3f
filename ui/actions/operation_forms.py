"""Every operation of the catalogue as a palette entry with its form."""

from functools import partial

from core.ontology.catalog import CATALOG
from ui.action import Action
from ui.context import Context
from ui.dialogs.operation import OperationDialog, ask


def open_form(operation: str, context: Context) -> None:
    """The operation's form, with the selected entity filled in."""
    row = context.selection.entity
    fields = CATALOG[operation].fields.model_fields
    first = next((name for name in ("entity", "source") if name in fields), "")
    shown = {first: row.name} if row is not None and first else {}
    ask(OperationDialog(context, operation, shown=shown))


ACTIONS = tuple(
    Action(f"operation.{name}", f"{operation.label}…", partial(open_form, name))
    for name, operation in CATALOG.items()
)
