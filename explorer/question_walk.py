"""What the agent would see for a question: one walk, as HTTP and MCP ask for it."""

from pydantic import Field

from core.model.walk import Walk
from core.queries.entities import find_entity
from core.session import question_log
from core.traversal import last_walk
from core.traversal.focal import Signals, resolve
from core.traversal.walk import ANY, walk
from explorer.caller_arguments import Dated
from explorer.graph_for_caller import Door


class Start(Dated):
    """Where a walk starts."""

    query: str = Field("", description="The question; not needed with another start")
    entities: tuple[str, ...] = Field(
        (), max_length=50, description="Names or ids of entities to start from")
    project: str = Field("", description="The project's folder")
    session: str = Field("", description="A session, to start from its checkpoint")
    pinned: bool = Field(True, description="Also start from pinned entities")
    aspect: str = Field("", description="Only aspects with this in their names")
    scope: str | None = Field(
        None, description="Only memories of this scope; empty: those without one")


def walked(door: Door, given: Start) -> Walk:
    """Walk from a question; kept as the last look, and shown to the window."""
    settings = door.engine.settings.traversal
    with door.read() as reader:
        ids = tuple(find_entity(reader, name).id for name in given.entities)
        signals = Signals(given.query, given.project, given.session, entity_ids=ids,
                          pinned=given.pinned)
        found = walk(reader, resolve(reader, signals, settings), settings,
                     scope=ANY if given.scope is None else given.scope or None,
                     aspect_filter=given.aspect)
    door.keep_walk(last_walk.LOOK, found)
    door.note(question_log.walked_from(given.query or ", ".join(given.entities), found))
    return found
