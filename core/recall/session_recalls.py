"""Notes what a session found, so that its end can tell what was of use."""

from core.learning.feedback import note_hits
from core.model.recall import Recall
from core.store.handles import Writer


def note_recall(writer: Writer, session_key: str, found: Recall) -> int:
    """Note every hit under the session, once, with the path that brought it; returns how many.

    Raises OperationError without a key, and where the file can't keep this agent's sessions.
    """
    paths = {hit.memory.id: hit.path for hit in found.hits if hit.path is not None}
    return note_hits(writer, session_key, [hit.memory.id for hit in found.hits], paths)
