"""`traverse` and `neighborhood`: what the agent would see, and what lies around an entity."""

from collections.abc import Iterable, Iterator, Mapping
from enum import StrEnum
from pathlib import Path
from typing import Annotated

import typer

from core.errors import OperationError
from core.model.neighborhood import LeftOut, Neighborhood
from core.model.plurals import counted
from core.model.walk import Ground, Miss, Walk, WalkedConstraint
from core.queries.neighborhood import context_text, neighbors
from core.queries.neighborhood import neighborhood as read_neighborhood
from core.traversal.focal import Signals, resolve
from core.traversal.last_walk import last
from core.traversal.walk import ANY, walk
from explorer.cli import engine, output
from explorer.cli.engine import Explain, Set
from explorer.cli.open_graph import reading
from explorer.cli.options import EVERYONE, AgentName, Json, Store


def traverse(
    query: Annotated[str, typer.Option("--query", "-q", help="A question.")] = "",
    project: Annotated[str, typer.Option("--project", help="The folder that is worked in.")] = "",
    session: Annotated[
        str, typer.Option("--session", help="A session, for where it stood last.")] = "",
    entity: Annotated[
        list[str] | None, typer.Option("--entity", help="An entity to begin at; may be repeated.")
    ] = None,
    checkpoint: Annotated[list[str] | None, typer.Option(
        "--checkpoint", metavar="ID",
        help="An entity that a checkpoint carried forward; may be repeated.")] = None,
    pinned: Annotated[
        bool, typer.Option("--pinned/--no-pinned", help="Begin at the pinned entities, too.")
    ] = True,
    scope: Annotated[str | None, typer.Option(
        "--scope", help="Only memories of this scope; an empty one means those without any.")]
    = None,
    aspect: Annotated[
        str, typer.Option("--aspect", help="Only aspects with this in their name.")] = "",
    status: Annotated[bool, typer.Option(
        "--status", help="Walk nowhere: tell what the last one for this agent came to.")] = False,
    change: Set = None, explain: Explain = False, store: Store = None,
    agent: AgentName = EVERYONE, as_json: Json = False,
) -> None:
    """What the agent would see: where it begins, the constraints, the memories and their ways."""
    if status:
        _tell_last(store, agent, as_json)
        return
    settings = engine.settings_with("traversal", change).traversal
    with reading(store, agent) as workspace, workspace.read() as reader:
        given = Signals(query, project, session, tuple(checkpoint or ()),
                        engine.ids_of(reader, entity), pinned)
        focal = resolve(reader, given, settings, explain=explain)
        found = walk(reader, focal, settings, scope=ANY if scope is None else scope or None,
                     aspect_filter=aspect, explain=explain)
    if as_json:
        output.answer_json(found)
    else:
        _tell(found)


def _tell_last(store: Path | None, agent: str, as_json: bool) -> None:
    """What the last session start or recall walked."""
    with reading(store, agent) as workspace:
        found = last(workspace.sidecar, agent)
    if as_json:
        output.answer_json({"status": found})
    elif found is None:
        output.say("No session start and no recall has walked this graph for this agent yet.")
    else:
        output.table(("", ""), ((name, _plain(value)) for name, value in output.fields(found)),
                     empty="")


def _plain(value: object) -> object:
    if isinstance(value, bool):
        return "yes" if value else "no"
    return ", ".join(map(str, value)) if isinstance(value, tuple) else value


def _tell(found: Walk) -> None:
    output.table(("focal", "type", "why", "by"),
                 ((e.name or e.id, e.entity_type, e.reason, e.detail)
                  for e in found.focal.entities),
                 empty="No entity was found in time." if found.focal.timed_out else
                 "No entity is meant.")
    explained = found.misses is not None
    for constraint in found.constraints:
        output.say(f"! [{constraint.entity_name}] {constraint.content}")
        if explained:
            output.say(f"  {_let_in(constraint, found)}")
    heads = ("score", "by", "id", "memory", *(("way", "let in by") if explained else ()))
    output.table(heads, (
        (f"{m.score:.2f}", m.via, output.short_id(m.id), m.content,
         *((engine.way(m.path, found.labels, m.slot), _rules(m.grounds)) if explained else ()))
        for m in found.memories),
                 empty="No memory was found in time." if found.timed_out else
                 "No memory is found.")
    if found.misses:
        output.say("Not in:")
        output.table(("", "what", "rule", "number"),
                     ((miss.kind, miss.label, miss.rule, _number(miss)) for miss in found.misses),
                     empty="")
    memories = counted(len(found.memories), "memory")
    constraints = counted(len(found.constraints), "constraint")
    entities = counted(found.entity_count, "entity")
    output.note(f"{memories} and {constraints} of {entities} in {found.milliseconds:.1f} ms")
    for shortfall in found.shortfalls:
        output.note(shortfall)


def _let_in(constraint: WalkedConstraint, found: Walk) -> str:
    """The way to a constraint and what was asked of it: of one at the start nothing is."""
    way = engine.way(constraint.path, found.labels, constraint.slot)
    return f"{way}  ({_rules(constraint.grounds) or 'always'})"


def _rules(grounds: Iterable[Ground]) -> str:
    return ", ".join(f"{g.rule} {g.value:g} of {g.limit:g}" for g in grounds)


def _number(miss: Miss) -> str:
    if miss.value is None:
        return ""
    return f"{miss.value:.3g}" if miss.limit is None else f"{miss.value:.3g} of {miss.limit:g}"


class Way(StrEnum):
    """Which links are followed."""

    both = "both"
    out = "out"
    into = "in"


def neighborhood(
    entities: Annotated[list[str], typer.Argument(
        metavar="ENTITY", help="Its name or id; of several all that is one link away.")],
    depth: Annotated[
        int | None, typer.Option("--depth", min=1, max=3, help="Links away; 1 unless set.")
    ] = None,
    direction: Annotated[Way, typer.Option("--direction", help="The links to follow.")] = Way.both,
    project: Annotated[str, typer.Option(
        "--project", help="Begin only at those that this project's memories mention.")] = "",
    text: Annotated[bool, typer.Option("--text", help="As a prompt would tell it.")] = False,
    change: Set = None, store: Store = None, agent: AgentName = EVERYONE, as_json: Json = False,
) -> None:
    """What lies around an entity: those near it, and every link among them."""
    settings = engine.settings_with("neighborhood", change).neighborhood
    together = len(entities) > 1 or bool(project)
    if together and (depth or 1, direction) != (1, Way.both):
        raise OperationError(400, "Around several entities, or those of a project, one link is "
                                  "followed, both ways", field="depth",
                             do="Name one entity to look further or one way")
    limits = {"max_nodes": settings.max_nodes, "max_edges": settings.max_edges,
              "promotion_threshold": settings.promotion_threshold}
    with reading(store, agent) as workspace, workspace.read() as reader:
        ids = engine.ids_of(reader, entities)
        found = (neighbors(reader, ids, project=project, **limits) if together else
                 read_neighborhood(reader, ids[0], depth or settings.depth, direction.value,
                                   **limits))
    if as_json:
        around = {"nodes": found.nodes, "edges": found.edges, "leftOut": found.left_out}
        output.answer_json(around if together else {
            "entity": found.nodes[0], "neighborhood": around})
    elif text:
        for line in context_text(found).splitlines():
            typer.echo(output.one_line(line))
    else:
        _tell_around(found)


def _tell_around(found: Neighborhood) -> None:
    names = {node.id: node.name for node in found.nodes}
    output.table(("away", "entity", "type", "mentions", "memories", "notes"),
                 ((n.depth, n.name, n.entity_type, n.mentions, n.episodes, n.notes)
                  for n in found.nodes), empty="None of these is in the project's memories.")
    for edge in found.edges:
        output.say(f"{names[edge.source_id]} -> {edge.dependency_type} {names[edge.target_id]}"
                   f"  {edge.strength:.2f}")
    for line in _left_out(found.left_out, names):
        output.note(line)


def _left_out(left: LeftOut, names: Mapping[str, str]) -> Iterator[str]:
    """What is not shown, a line each."""
    if left.nodes:
        yield counted(left.nodes, "more entity is near", "more entities are near")
    if left.edges:
        yield counted(left.edges, "more link is among these", "more links are among these")
    for hub, links in left.hubs:
        yield output.one_line(f"{names.get(hub, hub)} has {counted(links, 'link')}; "
                              "not all were followed")
    if left.dangling:
        yield counted(left.dangling, "link leads", "links lead") + " to what is gone"
    if left.deeper:
        yield "There was no room to look as deep as asked; --set maxNodes=N makes room"
