"""Memories: asked for, and taken in."""

from typing import Annotated

from pydantic import Field

from core.recall.filters import ANY_SCOPE, Filters, read_signs
from core.recall.hybrid import recall as find
from core.session import question_log
from core.traversal import last_walk
from explorer.caller_arguments import Anything, Arguments, Dated, Json
from explorer.graph_for_caller import Door
from explorer.http.endpoint import MOST, Endpoint, within
from explorer.http.operations import Flag
from explorer.mcp import changing_tools
from explorer.model_json import plain, recall_json


class Question(Dated):
    """A question to the memories; not needed with a filter."""

    query: str = Field("", description="The question; `[tag]`, `type:`, `since:` are read")
    limit: Annotated[int, within(1, 1000), Field(
        description="The most memories, 1 to 1000")] | None = None
    types: tuple[str, ...] = Field((), description="Only these types, such as decision")
    tags: tuple[str, ...] = Field((), description="Only memories with all of these tags")
    who: str = Field("", description="Only memories from this person")
    project: str = Field("", description="Only memories of this project")
    since: str = Field("", description="Only from this day on, such as 2026-03-14")
    until: str = Field("", description="Only up to this day")
    importance: float = Field(0.0, ge=0, le=1, description="The least importance")
    pinned: Flag = Field(False, description="Only pinned memories")
    scope: str = Field(ANY_SCOPE, description="Only of this scope; empty: those without one")
    explain: Flag = Field(False, description="With near misses of the walk")


class Search(Question):
    """The same as a query string, where the question may also be called q."""

    q: str = Field("", description="The same as `query`")


def recall(door: Door, given: Question) -> object:
    """Search the memories for a question, best first, with why each was found; merged with what
    a walk of the graph from the entities in the question comes to. In `lines` the links and
    assertions that answer it stand among the memories."""
    settings = door.engine.settings
    limited = settings.recall if given.limit is None else settings.recall.model_copy(
        update={"limit": given.limit})
    filters = Filters(given.types, given.tags, given.who, given.project, given.since, given.until,
                      given.importance, given.pinned or None, given.scope or None)
    with door.read() as reader:
        query, filters = read_signs(reader, given.query, filters)
        result = find(reader, query, limited, door.engine.embedder, filters=filters,
                      explain=given.explain, traversal=settings.traversal)
    if result.walk is not None:
        door.keep_walk(last_walk.RECALL, result.walk)
    door.note(question_log.recalled(given.query, result))
    return recall_json(result)


def search(door: Door, given: Search) -> object:
    """The same as a GET: search the memories, with what the entities in the question are."""
    return recall(door, given.model_copy(update={"query": given.query or given.q}))


class LastAsked(Arguments):
    """How much of the record."""

    limit: Annotated[int, within(1, 1000), Field(
        description="The most questions, 1 to 1000")] = 50
    after: Annotated[int, within(0, MOST), Field(
        description="Only those with a higher number")] = 0


def list_asked(door: Door, given: LastAsked) -> Json:
    """List what was asked of the graph, the newest first: who asked what, from which entities the
    answer started, and the ids of what was told."""
    items = question_log.last_asked(
        door.workspace.sidecar, door.workspace.agent, given.limit, given.after)
    return {"items": items, "count": len(items)}


def remember(door: Door, given: Anything) -> Json:
    """Store a memory with its entities, relations and claims. What is known already is not
    stored again; what steers others, such as `pinned`, a person alone sets."""
    report = plain(changing_tools.remember(door, given).structured)
    assert isinstance(report, dict)
    return report


MEMORY = (
    Endpoint("POST", "/api/memory/recall", recall, Question,
             example={"query": "Which editor does Alice use?", "limit": 5}),
    Endpoint("GET", "/api/memory/search", search, Search,
             example={"q": "Which editor does Alice use?", "limit": 5}),
    Endpoint("GET", "/api/memory/asked", list_asked, LastAsked, example={"limit": 20}),
    Endpoint("POST", "/api/memory/remember", remember, Anything, "modify", refuses=(404, 409),
             shape=changing_tools.memory_schema, example={
                 "content": "Alice uses Helix as her editor since March.", "who": "Alice",
                 "entities": ["Alice"]}),
)
