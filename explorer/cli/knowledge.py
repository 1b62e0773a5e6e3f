"""`knowledge`: what the graph holds, from the list of entities down to one claim's values."""

from typing import Annotated

import typer

from core.errors import OperationError
from core.model.claim import Group
from core.model.entity import Entity, EntityRow
from core.queries import entities as entity_queries
from core.queries import links, navigation
from core.store.handles import Reader
from explorer.cli import output, shapes, slots
from explorer.cli.graphs import reading
from explorer.cli.options import EVERYONE, AgentName, Json, Limit, Offset, Store
from explorer.cli.slots import EntityName

app = typer.Typer(help="Look at what the graph holds.", no_args_is_help=True)



@app.command()
def entities(
    query: Annotated[
        str, typer.Option("--query", "-q", help="Words of the name, an alias or a fact.")
    ] = "",
    entity_type: Annotated[str, typer.Option("--type", help="Only this type.")] = "",
    limit: Limit = 50, offset: Offset = 0, store: Store = None, agent: AgentName = EVERYONE,
    as_json: Json = False,
) -> None:
    """Entities: pinned first, then by how often they are mentioned."""
    types = [entity_type] if entity_type else []
    with reading(store, agent) as workspace, workspace.read() as reader:
        rows = entity_queries.list_entities(reader, text=query, types=types, limit=limit,
                                            offset=offset)
        total = entity_queries.count_entities(reader, text=query, types=types)
        if as_json:
            items = [shapes.entity_item(_in_full(reader, row)) for row in rows]
            output.answer_json({"items": items, "limit": limit, "offset": offset, "count": total})
            return
    output.table(("name", "type", "mentions", "", "fact"),
                 ((row.name, row.entity_type, row.mentions, _marks(row), row.fact)
                  for row in rows), empty="No entity is found.")
    if total > offset + len(rows):
        output.note(f"{len(rows)} of {total}; --offset {offset + len(rows)} goes on")


def _marks(row: EntityRow) -> str:
    return " ".join(word for word, is_so in (("pinned", row.pinned), ("muted", row.muted)) if is_so)


def _in_full(reader: Reader, row: EntityRow) -> Entity:
    found = entity_queries.get_entity(reader, row.id)
    if found is None:
        raise OperationError(404, f"Entity not found: {row.id}")
    return found


@app.command()
def entity(
    name: EntityName, store: Store = None, agent: AgentName = EVERYONE, as_json: Json = False
) -> None:
    """One entity: what it is, what hangs on it, its constraints, its links."""
    with reading(store, agent) as workspace, workspace.read() as reader:
        row = entity_queries.find_entity(reader, name, archived=True)
        found = _in_full(reader, row)
        constraints = navigation.constraints_of(reader, row.id)
        linked = links.links_of(reader, row.id)
    if as_json:
        output.answer_json(shapes.entity_detail(found))
        return
    output.say(f"{found.name} ({found.entity_type})  {_marks(row)}".rstrip())
    if found.description:
        output.say(found.description)
    output.table(("", ""), _about(found), empty="")
    for constraint in constraints:
        output.say(f"! {constraint.content}")
    for link in linked:
        arrow = "->" if link.direction == "out" else "<-"
        output.say(f"{arrow} {link.dependency_type} {link.other_name or link.other_id}")


def _about(found: Entity) -> list[tuple[str, object]]:
    return [row for row in (
        ("id", found.id), ("status", found.status), ("also called", ", ".join(found.aliases)),
        ("aspects", found.aspects), ("attributes", found.attributes),
        ("constraints", found.constraints), ("links", found.links_in + found.links_out),
        ("memories", found.memories), ("mentions", found.mentions), ("pending", found.pending),
        ("task", found.task.status if found.task else ""),
    ) if row[1] not in ("", None)]


@app.command()
def tree(
    name: Annotated[
        str, typer.Argument(metavar="[ENTITY]", help="Its name or id; all entities without it.")
    ] = "",
    depth: Annotated[
        int, typer.Option("--depth", min=1, max=3, help="1 aspects, 2 groups, 3 claims.")
    ] = 3,
    max_aspects: Annotated[int, typer.Option("--max-aspects", min=1)] = 20,
    max_groups: Annotated[int, typer.Option("--max-groups", min=1)] = 20,
    max_claims: Annotated[int, typer.Option("--max-claims", min=1)] = 50,
    store: Store = None, agent: AgentName = EVERYONE, as_json: Json = False,
) -> None:
    """An entity's aspects, groups and claims as a tree."""
    if not name:
        entities(store=store, agent=agent, as_json=as_json)
        return
    with reading(store, agent) as workspace, workspace.read() as reader:
        row = entity_queries.find_entity(reader, name, archived=True)
        found = _in_full(reader, row)
        aspects_found = navigation.aspects_of(reader, row.id)[:max_aspects]
    if as_json:
        output.answer_json({
            "entity": shapes.entity_item(found)["entity"],
            "items": [shapes.aspect_tree(aspect, depth, max_groups, max_claims)
                      for aspect in aspects_found],
        })
        return
    output.say(found.name)
    for aspect in aspects_found:
        output.say(f"- {aspect.name}  {aspect.weight:.2f}")
        for group in aspect.groups[:max_groups] if depth > 1 else ():
            _tell_group(group, depth, max_claims)


def _tell_group(group: Group, depth: int, most: int) -> None:
    output.say(f"  - {group.key}")
    for claim in group.claims[:most] if depth > 2 else ():
        mark = "!" if claim.kind == "constraint" else "-"
        key = f"{claim.claim_key}: " if claim.claim_key else ""
        more = f"  ({claim.versions} versions)" if claim.versions > 1 else ""
        output.say(f"    {mark} {key}{'; '.join(v.content for v in claim.values)}{more}")


for _command in (slots.aspects, slots.groups, slots.claims, slots.attributes):
    app.command()(_command)
