"""What an agent's client can attach without a question: entities, rules, the graph around them."""

from collections.abc import Callable, Iterator
from urllib.parse import quote, unquote

from msgspec import Struct

from core.errors import OperationError
from core.model.text_formatting import one_line
from core.queries import knowledge
from core.queries.entities import find_entity, list_entities
from core.queries.neighborhood import context_text, neighbors
from core.store.reader_and_writer import Reader
from core.transfer.reference_server_tool_calls import read_graph
from explorer.graph_for_caller import Door
from explorer.mcp.entity_page import entity_page
from explorer.mcp.reference_server_tools import graph_answer

SCHEME = "constellation://"
CONSTRAINTS, CONTEXT, MEMORY = f"{SCHEME}constraints", f"{SCHEME}context", "memory://knowledge-graph"
_ENTITY, _AROUND = f"{SCHEME}entity/", f"{SCHEME}context/"
MARKDOWN, JSON = "text/markdown", "application/json"
_LISTED = 50
"""Entities that are listed as resources: pinned ones, then the most mentioned."""
_FROM = 10
"""Entities that the context of the whole graph begins at."""


class Listed(Struct, frozen=True):
    """A resource, or with `{…}` in its address a kind of resource."""

    uri: str
    title: str
    description: str
    kind: str = MARKDOWN


KINDS = (
    Listed(f"{_ENTITY}{{name}}", "Entity", "What is known of an entity, by its name or id"),
    Listed(f"{_AROUND}{{name}}", "Context", "The entities near an entity, and their links"),
)


def listed(door: Door) -> list[Listed]:
    """The resources that a person can choose from."""
    with door.read() as reader:
        rows = [row for row in list_entities(reader, limit=_LISTED) if not row.muted]
    return [
        Listed(CONSTRAINTS, "Rules", "Every rule that binds the agent"),
        Listed(CONTEXT, "Graph context", "The most important entities and their links"),
        Listed(MEMORY, "Knowledge Graph", "The whole graph, as the memory server gives it", JSON),
        *(Listed(f"{_ENTITY}{quote(row.name, safe='')}", row.name,
                 f"What is known of this {row.entity_type}") for row in rows),
    ]


def read(door: Door, uri: str) -> tuple[str, str]:
    """A resource's text, and what kind of text it is; OperationError (404) where there is none."""
    if uri == MEMORY:
        with door.read() as reader:
            return graph_answer(read_graph(reader)).text, JSON
    for begin, page in _PAGES.items():
        if uri == begin or begin.endswith("/") and uri.startswith(begin):
            name = unquote(uri.removeprefix(begin))
            with door.read() as reader:
                text = page(reader, name)
            if name:
                door.note_browsed(name)
            return "\n\n".join((text, *door.waits)), MARKDOWN
    raise OperationError(404, f"There is no resource {uri}", do="List the resources")


def constraints_text(reader: Reader) -> str:
    """Every rule in force, by entity."""
    by_entity: dict[str, list[str]] = {}
    for name, rule in knowledge.constraints_in_force(reader):
        by_entity.setdefault(name, []).append(f"- {one_line(rule, 1000)}")
    return "\n".join(_under_headings("# Rules", by_entity)) if by_entity else "No rule is in force."


def _under_headings(title: str, lines: dict[str, list[str]]) -> Iterator[str]:
    yield title
    for heading, under in lines.items():
        yield f"## {one_line(heading, 200)}"
        yield from under


def _context(reader: Reader, name: str) -> str:
    ids = ([find_entity(reader, name).id] if name else
           [row.id for row in list_entities(reader, limit=_FROM) if not row.muted])
    return (context_text(neighbors(reader, ids)) if ids else "") or "Nothing is known yet."


_PAGES: dict[str, Callable[[Reader, str], str]] = {
    CONSTRAINTS: lambda reader, _: constraints_text(reader),
    CONTEXT: _context,
    _ENTITY: lambda reader, name: entity_page(reader, name)[1],
    _AROUND: _context,
}
