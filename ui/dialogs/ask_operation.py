"""Opens the form of an operation."""

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING

from ui.context import Context

if TYPE_CHECKING:
    from core.ontology.proposals import Outcome


def ask_operation(
    context: Context,
    operation: str,
    given: Mapping[str, object] | None = None,
    shown: Mapping[str, object] | None = None,
    *,
    title: str = "",
    verb: str = "",
    only: tuple[str, ...] = (),
    first: Sequence[tuple[str, Mapping[str, object]]] = (),
    done: "Callable[[Outcome], None] | None" = None,
) -> None:
    """Show the form over the window without stopping anything; the arguments are the form's."""
    # All operations take long to load: the window stands before one is asked for.
    from ui.dialogs.operation import OperationDialog  # noqa: PLC0415

    OperationDialog(context, operation, given, shown, title=title, verb=verb, only=only,
                    first=first, done=done).open()
