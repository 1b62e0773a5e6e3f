"""`traverse` and `neighborhood`: what the agent would see, and what is near an entity."""

from collections.abc import Iterable, Iterator, Mapping
from enum import StrEnum
from pathlib import Path
from typing import Annotated

import typer

from core.errors import OperationError
from core.model.neighborhood import LeftOut, Neighborhood
from core.model.text_formatting import counted
from core.model.walk import Miss, PassedRule, Walk, WalkedConstraint
from core.queries.neighborhood import context_text, neighbors
from core.queries.neighborhood import neighborhood as read_neighborhood
from core.traversal.focal import Signals, resolve
from core.traversal.last_walk import LOOK, keep, last_of_all
from core.traversal.walk import ANY, walk
from explorer.cli import engine_options, output
from explorer.cli.engine_options import Explain, Set
from explorer.cli.open_graph import dated, reading
from explorer.cli.options import EVERYONE, AgentName, AsOf, Json, Store
from explorer.model_json import neighborhood_json, node_json, status_json, walk_json


def traverse(
    question: Annotated[str, typer.Argument(
        metavar="QUESTION", help="A question; - for standard input. Not needed with another start.",
        show_default=False)] = "",
    query: Annotated[str, typer.Option(
        "--query", "-q", help="The question, too.", show_default=False)] = "",
    project: Annotated[str, typer.Option("--project", help="The project folder.")] = "",
    session: Annotated[
        str, typer.Option("--session", help="A session, to start from its checkpoint.")] = "",
    entity: Annotated[
        list[str] | None, typer.Option("--entity", help="An entity to start from; may be repeated.")
    ] = None,
    checkpoint: Annotated[list[str] | None, typer.Option(
        "--checkpoint", metavar="ID",
        help="An entity carried forward by a checkpoint; may be repeated.")] = None,
    pinned: Annotated[
        bool, typer.Option("--pinned/--no-pinned", help="Also start from pinned entities.")
    ] = True,
    scope: Annotated[str | None, typer.Option(
        "--scope", help="Only memories of this scope; an empty scope selects those without one.")]
    = None,
    aspect: Annotated[
        str, typer.Option("--aspect", help="Only aspects with this in their name.")] = "",
    status: Annotated[bool, typer.Option(
        "--status", help="Do not walk: show the result of this agent's last walk.")] = False,
    change: Set = None, explain: Explain = False, store: Store = None,
    agent: AgentName = EVERYONE, as_of: AsOf = "", as_json: Json = False,
) -> None:
    """Show what the agent would see: focal entities, constraints, memories and their paths."""
    if status:
        _print_status(store, agent, as_json)
        return
    if question and query:
        raise typer.BadParameter("the question is given twice; leave out --query")
    settings = engine_options.settings_with("traversal", change).traversal
    asked = engine_options.question(question or query)
    with reading(store, agent, as_of) as workspace, workspace.read() as reader:
        given = Signals(asked, project, session, tuple(checkpoint or ()),
                        engine_options.ids_of(reader, entity), pinned)
        focal = resolve(reader, given, settings, explain=explain)
        walked = walk(reader, focal, settings, scope=ANY if scope is None else scope or None,
                      aspect_filter=aspect, explain=explain)
        keep(workspace.sidecar, agent, LOOK, walked)
        answer = dated(workspace, walk_json(walked)) if as_json else {}
    if not output.answered(as_json, answer):
        _print_walk(walked)


def _print_status(store: Path | None, agent: str, as_json: bool) -> None:
    """What the last session start, recall or `traverse` walked."""
    with reading(store, agent) as workspace:
        status = last_of_all(workspace.sidecar, agent)
    if as_json:
        output.answer_json(status_json(status))
    elif status is None:
        output.say("No walk has been recorded for this agent yet.")
    else:
        output.table(("", ""), ((name, _plain(value)) for name, value in output.fields(status)),
                     empty="")


def _plain(value: object) -> object:
    if isinstance(value, bool):
        return "yes" if value else "no"
    return ", ".join(map(str, value)) if isinstance(value, tuple) else value


def _print_walk(walk: Walk) -> None:
    output.table(("focal", "type", "why", "by"),
                 ((e.name or e.id, e.entity_type, e.reason, e.detail)
                  for e in walk.focal.entities),
                 empty="No entity found within the time limit." if walk.focal.timed_out else
                 "No focal entity.")
    explained = walk.misses is not None
    for constraint in walk.constraints:
        output.say(f"! [{constraint.entity_name}] {constraint.marked_text}")
        if explained:
            output.say(f"  {_let_in(constraint, walk)}")
    heads = ("score", "by", "id", "memory", *(("path", "passed") if explained else ()))
    output.table(heads, (
        (f"{m.score:.2f}", m.via, output.short_id(m.id), m.marked_text,
         *((engine_options.way(m.path, walk.labels, m.slot), _rules(m.grounds))
           if explained else ()))
        for m in walk.memories),
                 empty="No memory found within the time limit." if walk.timed_out else
                 "No memory found.")
    if walk.misses:
        output.say("Near misses:")
        output.table(("", "what", "rule", "number"),
                     ((miss.kind, miss.label, miss.rule, _number(miss)) for miss in walk.misses),
                     empty="")
    memories = counted(len(walk.memories), "memory")
    constraints = counted(len(walk.constraints), "constraint")
    entities = counted(walk.entity_count, "entity")
    output.note(f"{memories} and {constraints} of {entities} in {walk.milliseconds:.1f} ms")
    if walk.shares.pinned:
        output.note(f"Of at most {counted(walk.budget, 'memory')}: {walk.shares.words}")
    for shortfall in walk.shortfalls:
        output.note(shortfall)


def _let_in(constraint: WalkedConstraint, walk: Walk) -> str:
    """The way to a constraint and what was asked of it: of one at the start nothing is."""
    way = engine_options.way(constraint.path, walk.labels, constraint.slot)
    return f"{way}  ({_rules(constraint.grounds) or 'always'})"


def _rules(grounds: Iterable[PassedRule]) -> str:
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
        metavar="ENTITY", help="Its name or id; for several only direct links are followed.")],
    depth: Annotated[
        int | None, typer.Option("--depth", min=1, max=3, help="Maximum distance in links; 1 "
                                                               "unless set.")
    ] = None,
    direction: Annotated[Way, typer.Option("--direction", help="Direction of the links to "
                                                               "follow.")] = Way.both,
    project: Annotated[str, typer.Option(
        "--project", help="Start only from entities that this project's memories mention.")] = "",
    text: Annotated[bool, typer.Option("--text", help="Format it as text for a prompt.")] = False,
    change: Set = None, store: Store = None, agent: AgentName = EVERYONE, as_json: Json = False,
) -> None:
    """Show the entities near an entity, and the links among them."""
    settings = engine_options.settings_with("neighborhood", change).neighborhood
    together = len(entities) > 1 or bool(project)
    if together and (depth or 1, direction) != (1, Way.both):
        raise OperationError(400, "For several entities or a project, only direct links are "
                                  "followed, in both directions", field="depth",
                             do="Name one entity to set a depth or a direction")
    limits = {"max_nodes": settings.max_nodes, "max_edges": settings.max_edges,
              "promotion_threshold": settings.promotion_threshold}
    with reading(store, agent) as workspace, workspace.read() as reader:
        ids = engine_options.ids_of(reader, entities)
        around = (neighbors(reader, ids, project=project, **limits) if together else
                  read_neighborhood(reader, ids[0], depth or settings.depth, direction.value,
                                    **limits))
    if as_json:
        output.answer_json(neighborhood_json(around) if together else {
            "entity": node_json(around.nodes[0]), "neighborhood": neighborhood_json(around)})
    elif text:
        for line in context_text(around).splitlines():
            output.say(line)
    else:
        _print_neighborhood(around)


def _print_neighborhood(around: Neighborhood) -> None:
    names = {node.id: node.name for node in around.nodes}
    output.table(("away", "entity", "type", "mentions", "memories", "notes"),
                 ((n.depth, n.name, n.entity_type, n.mentions, n.episodes, n.notes)
                  for n in around.nodes), empty="No memory of the project mentions these.")
    for edge in around.edges:
        output.say(f"{names[edge.source_id]} -> {edge.words} {names[edge.target_id]}"
                   f"  {edge.strength:.2f}")
    for line in _left_out(around.left_out, names):
        output.note(line)


def _left_out(left: LeftOut, names: Mapping[str, str]) -> Iterator[str]:
    """What is not shown, a line each."""
    if left.nodes:
        yield counted(left.nodes, "more entity not shown", "more entities not shown")
    if left.edges:
        yield counted(left.edges, "more link not shown", "more links not shown")
    for hub, links in left.hubs:
        yield f"{names.get(hub, hub)} has {counted(links, 'link')}; not all were followed"
    if left.dangling:
        yield counted(left.dangling, "link leads", "links lead") + " to deleted entities"
    if left.deeper:
        yield "The limit of entities was reached before the depth; raise it with --set maxNodes=N"
