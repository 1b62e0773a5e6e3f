"""What a dry run says of expectations: which the change would break, and which it would mend."""

from collections.abc import Callable, Iterable

from core.expectations.store import KEPT_IN, any_expectations
from core.model.changes import RowChange
from core.store.reader_and_writer import Writer
from core.workspace import Workspace
from explorer.cli import output


def note_expectations(
    workspace: Workspace, change: Callable[[Writer], object], changes: Iterable[RowChange]
) -> None:
    """Note the expectations that a change would break or mend, where there are any.

    Args:
        changes: the rows that its dry run touched.
    """
    if all(each.table == KEPT_IN for each in changes):
        return
    with workspace.read() as reader:
        if not any_expectations(reader):
            return
    # Here, because few graphs have expectations, and asking their questions loads much.
    from core.embedding.choose_embedder import choose  # noqa: PLC0415
    from core.expectations.forecast import forecast  # noqa: PLC0415
    from core.settings import load  # noqa: PLC0415

    settings = load().settings
    seen = forecast(workspace, change, settings, choose(settings.embedding))
    for verb, these in (("break", seen.breaks), ("mend", seen.mends)):
        for each in these:
            output.note(f"It would {verb} an expectation: {each.line}")
