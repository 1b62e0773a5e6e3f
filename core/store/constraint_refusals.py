"""Says in words which rule of the schema a change ran into."""

import sqlite3

from core.errors import OperationError


def refusal(error: sqlite3.IntegrityError, table: str) -> OperationError:
    """The error for a violated constraint of the schema."""
    text = str(error)
    if text.startswith("UNIQUE"):
        columns = text.partition(": ")[2]
        return OperationError(409, "Another row already has this value", where=columns,
                              do="Choose another, or change that row instead", detail=text)
    if text.startswith("FOREIGN KEY"):
        return OperationError(409, "This refers to something that is not in the file",
                              where=table, detail=text)
    if text.startswith(("CHECK", "NOT NULL")):
        return OperationError(400, "A value is not allowed here", where=text.partition(": ")[2],
                              detail=text)
    return OperationError(400, text, where=table, detail=text)
