"""Refuses a moment before the graph's first row, of which nothing is known."""

from datetime import datetime

from core.errors import OperationError
from core.model.times import day_words
from core.queries.first_moment import first_moment
from core.workspace import Workspace


def moment_within(workspace: Workspace, moment: datetime) -> datetime:
    """The moment, if the graph knows of it. Raises OperationError (404) before its first row."""
    with workspace.read() as reader:
        first = first_moment(reader)
    if first is not None and moment < first:
        raise OperationError(
            404, f"Nothing is known of the time before {day_words(first.isoformat())}",
            field="asOf", do="Name that day or a later one")
    return moment
