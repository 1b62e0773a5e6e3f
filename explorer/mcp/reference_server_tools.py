"""The nine tools of the MCP reference memory server, with its arguments and answers.

They act at once, as its clients expect. What they delete is archived and can be undone.
"""

from collections.abc import Callable, Sequence
from typing import Any

from msgspec.structs import replace
from pydantic import BaseModel, Field

from core.model.secret_wording import secret_warnings
from core.model.text_formatting import counted, one_line
from core.ontology.proposals import Outcome
from core.queries.authors import name_alone
from core.queries.hide_writes_of_held_agents import WAITS, hands_held
from core.session import question_log
from core.transfer import reference_server_tool_calls
from core.transfer.archived_rows_stated_again import KeptOut
from core.transfer.reference_server_nodes import Edge, Node, Nodes
from explorer.caller_arguments import Json
from explorer.graph_for_caller import Answer, Door
from explorer.mcp.tool import Tolerant, Tool

_NAMED = 3
"""Names that a step of the history is told by; of more it says how many."""


class EntityGiven(Tolerant):
    """An entity."""

    name: str = Field(description="Its name")
    entity_type: str = Field(alias="entityType", description="What it is, such as person")
    observations: list[str] = Field(description="Facts about it, one each")


class RelationGiven(Tolerant):
    """A relation."""

    source: str = Field(alias="from", description="The entity that it begins at")
    target: str = Field(alias="to", description="The entity that it ends at")
    words: str = Field(alias="relationType", description="What the first does, in active voice")

    @property
    def edge(self) -> Edge:
        """It as core has it."""
        return Edge(self.source, self.target, self.words)


class Entities(Tolerant):
    """Entities."""

    entities: list[EntityGiven]


class Relations(Tolerant):
    """Relations."""

    relations: list[RelationGiven]


class Addition(Tolerant):
    """New observations of one entity."""

    entity_name: str = Field(alias="entityName", description="The entity")
    contents: list[str] = Field(description="The new observations")


class Additions(Tolerant):
    """New observations."""

    observations: list[Addition]


class Added(BaseModel):
    """What was new."""

    entityName: str  # noqa: N815 - the name on the wire
    addedObservations: list[str]  # noqa: N815


class AllAdded(BaseModel):
    """What was new of each."""

    results: list[Added]


class Names(Tolerant):
    """Names of entities to delete."""

    names: list[str] = Field(alias="entityNames", description="Names of the entities")


class Deletion(Tolerant):
    """Observations of one entity to delete."""

    entity_name: str = Field(alias="entityName", description="The entity")
    observations: list[str] = Field(description="The observations to delete")


class Deletions(Tolerant):
    """Observations to delete."""

    deletions: list[Deletion]


class Done(BaseModel):
    """What became of a delete."""

    success: bool
    message: str


class NoArguments(Tolerant):
    """Nothing."""


class Query(Tolerant):
    """A search."""

    query: str = Field(description="Text to look for in names, types and observations")


class NodeNames(Tolerant):
    """Names of entities to read."""

    names: list[str] = Field(description="Names of the entities")


class Graph(BaseModel):
    """Entities, and the relations that begin or end at one of them."""

    entities: list[EntityGiven]
    relations: list[RelationGiven]


def create_entities(door: Door, given: Entities) -> Answer:
    """Create entities in the knowledge graph; those that exist stay as they are."""
    nodes = [Node(each.name, each.entity_type, tuple(each.observations)) for each in given.entities]
    kept: list[KeptOut] = []
    made = door.write(
        lambda made: _label("Create", [node.name for node in made], kept=kept),
        lambda writer: reference_server_tool_calls.create_entities(writer, nodes, kept))
    items = [_entity(node) for node in made]
    return _told(door, Answer.of({"entities": items}, items), kept, made)


def create_relations(door: Door, given: Relations) -> Answer:
    """Create relations between entities, in active voice."""
    edges = [each.edge for each in given.relations]
    kept: list[KeptOut] = []
    made = door.write(
        lambda made: _label("Relate", [_worded(edge) for edge in made], "relation", kept),
        lambda writer: reference_server_tool_calls.create_relations(writer, edges, kept))
    items = [_relation(edge) for edge in made]
    return _told(door, Answer.of({"relations": items}, items), kept, made)


def add_observations(door: Door, given: Additions) -> Answer:
    """Add observations to entities that exist; returns those that are new."""
    nodes = [Node(each.entity_name, "", tuple(each.contents)) for each in given.observations]
    kept: list[KeptOut] = []
    made = door.write(
        lambda made: _label("Observe", [words for node in made for words in node.observations],
                            "observation", kept),
        lambda writer: reference_server_tool_calls.add_observations(writer, nodes, kept))
    items = [{"entityName": node.name, "addedObservations": list(node.observations)}
             for node in made]
    return _told(door, Answer.of({"results": items}, items), kept, made)


def delete_entities(door: Door, given: Names) -> Answer:
    """Delete entities with their relations. A person can take it back."""
    return _deleted(door, "entity", given.names,
                    reference_server_tool_calls.delete_entities, given.names)


def delete_observations(door: Door, given: Deletions) -> Answer:
    """Delete observations of entities. A person can take it back."""
    nodes = [Node(each.entity_name, "", tuple(each.observations)) for each in given.deletions]
    gone = [words for node in nodes for words in node.observations]
    return _deleted(door, "observation", gone,
                    reference_server_tool_calls.delete_observations, nodes)


def delete_relations(door: Door, given: Relations) -> Answer:
    """Delete relations. A person can take it back."""
    edges = [each.edge for each in given.relations]
    return _deleted(door, "relation", list(map(_worded, edges)),
                    reference_server_tool_calls.delete_relations, edges)


def read_graph(door: Door, given: NoArguments) -> Answer:
    """Read the whole knowledge graph."""
    with door.read() as reader:
        return graph_answer(reference_server_tool_calls.read_graph(reader))


def search_nodes(door: Door, given: Query) -> Answer:
    """Search entities for a text in their name, type or observations."""
    with door.read() as reader:
        nodes = reference_server_tool_calls.search_nodes(reader, given.query)
    door.note(question_log.sought(given.query, nodes.ids))
    return graph_answer(nodes)


def open_nodes(door: Door, given: NodeNames) -> Answer:
    """Read entities by their names, with all their relations."""
    with door.read() as reader:
        nodes = reference_server_tool_calls.open_nodes(reader, given.names)
    door.note(question_log.browsed([node.name for node in nodes.entities], nodes.ids))
    return graph_answer(nodes)


def graph_answer(nodes: Nodes) -> Answer:
    """A part of the graph in the reference server's shape."""
    return Answer.of({"entities": [_entity(node) for node in nodes.entities],
                      "relations": [_relation(edge) for edge in nodes.relations]})


def _told(
    door: Door, answer: Answer, kept: Sequence[KeptOut], made: Sequence[Node | Edge]
) -> Answer:
    """The answer, with what was not stored since a person took it away, what looks secret, and
    that it waits where the agent is held back."""
    secret = secret_warnings((
        *((f"An observation of “{one_line(node.name, 60)}”", words)
          for node in made if isinstance(node, Node) for words in node.observations),
        *((f"What a person {one.how}", one.words) for one in kept)))
    return replace(answer, note="\n".join((
        *map(_kept_out_words, kept), *secret, *_waiting(door, made))))


def _waiting(door: Door, made: Sequence[Node | Edge]) -> Sequence[str]:
    """That what was written waits for a person, if it does."""
    if not any(isinstance(one, Edge) or one.entity_type or one.observations for one in made):
        return ()
    with door.read() as reader:
        return (WAITS,) if name_alone(door.actor) in hands_held(reader) else ()


def _kept_out_words(one: KeptOut) -> str:
    then = (f"this is proposed and the person decides ({one.proposal_id})" if one.proposal_id
            else "only the person can bring it back")
    return f"Not stored: a person {one.how} “{one_line(one.words, 120)}”; {then}"


_MANY = {"entity": "Entities", "observation": "Observations", "relation": "Relations"}


def _deleted(
    door: Door, noun: str, asked: Sequence[str],
    delete: Callable[..., list[Outcome]], given: Sequence[object],
) -> Answer:
    """What a delete came to; what waits for a person, and what was not found, is said."""
    missing: list[str] = []

    def label(outcomes: Sequence[Outcome]) -> str:
        """What was deleted, and none of what was not found or waits."""
        there = [name for name in asked if name not in missing]
        waiting = sum(not _is_done(outcome) for outcome in outcomes)
        if waiting == len(outcomes) > 0:
            return f"Propose: {_label('Delete', there, noun)}"
        if waiting:
            done = len(outcomes) - waiting
            return f"Delete {done} of {counted(len(there), noun)}, propose the rest"
        return _label("Delete", there, noun)

    outcomes = door.write(label, lambda writer: delete(writer, given, missing=missing))
    waiting = [outcome.proposal_id for outcome in outcomes if not _is_done(outcome)]
    if not waiting and not missing:
        return _done(True, f"{_MANY[noun]} deleted successfully")
    # Of a relation that shares its link with others no outcome tells, and words may be of two.
    rest = max(sum(map(_is_done, outcomes)), len(asked) - len(missing) - len(waiting))
    parts = [f"{rest} deleted"]
    if waiting:
        parts.append(f"{len(waiting)} not deleted: a rule in force, a pinned entity or what a"
                     " person said would go, so this is proposed and a person decides"
                     f" ({', '.join(waiting)})")
    if missing:
        names = ", ".join(f"“{one_line(name, 60)}”" for name in missing[:_NAMED])
        more = f" and {len(missing) - _NAMED} more" if len(missing) > _NAMED else ""
        parts.append(f"{len(missing)} not found: {names}{more}")
    return _done(rest > 0 and not waiting, ". ".join(parts))


def _is_done(outcome: Outcome) -> bool:
    return outcome.status != "pending"


def _done(success: bool, message: str) -> Answer:
    return Answer({"success": success, "message": message}, message)


def _entity(node: Node) -> Json:
    return {"name": node.name, "entityType": node.entity_type,
            "observations": list(node.observations)}


def _relation(edge: Edge) -> Json:
    return {"from": edge.source, "to": edge.target, "relationType": edge.words}


def _worded(edge: Edge) -> str:
    return f"{edge.source} {edge.words} {edge.target}"


def _label(
    verb: str, names: Sequence[str] | Any, noun: str = "entity", kept: Sequence[KeptOut] = ()
) -> str:
    """`Create Alice, Bob`, `Delete 12 relations`: the step as the history tells it."""
    listed = list(names)
    if kept and not listed:
        return f"Propose: {_label('Restore', [one.words for one in kept], 'thing')}"
    if len(listed) > _NAMED:
        return f"{verb} {counted(len(listed), noun)}"
    return f"{verb} {', '.join(one_line(name, 60) for name in listed)}".rstrip()


MEMORY_TOOLS = (
    Tool(create_entities, Entities, Entities),
    Tool(create_relations, Relations, Relations),
    Tool(add_observations, Additions, AllAdded),
    Tool(delete_entities, Names, Done, destructive=True, idempotent=True),
    Tool(delete_observations, Deletions, Done, destructive=True, idempotent=True),
    Tool(delete_relations, Relations, Done, destructive=True, idempotent=True),
    Tool(read_graph, NoArguments, Graph, reads=True),
    Tool(search_nodes, Query, Graph, reads=True),
    Tool(open_nodes, NodeNames, Graph, reads=True),
)
"""In the order of the reference server."""
