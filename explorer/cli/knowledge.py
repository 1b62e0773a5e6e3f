"""`knowledge`: what the graph holds, from the list of entities down to one claim's values."""

from typing import Annotated

import typer

from core.model.claim import Group
from core.model.entity import Entity, EntityRow
from core.model.names import spoken
from core.queries import entities as entity_queries
from core.queries import knowledge, knowledge_json, links
from core.queries.shapes import Json as Shape
from core.review.targets import pending_of
from core.store.handles import Reader
from explorer.cli import knowledge_slots, output
from explorer.cli.commands import Commands
from explorer.cli.knowledge_slots import EntityName
from explorer.cli.open_graph import reading
from explorer.cli.options import EVERYONE, AgentName, Json, Limit, Offset, Store

app = Commands(help="Look at what the graph holds.", no_args_is_help=True)


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
            output.answer_json({"items": _items(reader, rows, query, entity_type, limit, offset),
                                "limit": limit, "offset": offset, "count": total})
            return
    output.table(("name", "type", "mentions", "", "fact"),
                 ((row.name, row.entity_type, row.mentions, _marks(row), row.fact)
                  for row in rows), empty="No entity is found.")
    if total > offset + len(rows):
        output.note(f"{len(rows)} of {total}; --offset {offset + len(rows)} goes on")


def _items(reader: Reader, rows: list[EntityRow], query: str, entity_type: str, limit: int,
           offset: int) -> object:
    if not query:
        return knowledge_json.entities(reader, entity_type=entity_type, limit=limit,
                                        offset=offset)["items"]
    return [{**knowledge_json.entity(reader, row.id), "fact": row.fact} for row in rows]


def _marks(row: EntityRow | Entity) -> str:
    if row.pinned and row.muted:
        return "pinned, but muted wins"
    return " ".join(word for word, is_so in (("pinned", row.pinned), ("muted", row.muted)) if is_so)


@app.command()
def entity(
    entity: EntityName, store: Store = None, agent: AgentName = EVERYONE, as_json: Json = False
) -> None:
    """One entity: what it is, what hangs on it, its constraints, its links."""
    with reading(store, agent) as workspace, workspace.read() as reader:
        if as_json:
            output.answer_json(knowledge_json.entity(reader, entity))
            return
        row = entity_queries.find_entity(reader, entity)
        found = entity_queries.get_entity(reader, row.id)
        constraints = knowledge.constraints_of(reader, row.id)
        linked = links.links_of(reader, row.id)
        pending = len(pending_of(reader, row.id))
    output.say(f"{row.name} ({row.entity_type})  {_marks(row)}".rstrip())
    if found is not None:
        if found.description:
            output.say(found.description)
        output.table(("", ""), _about(found, pending), empty="")
    for constraint in constraints:
        output.say(f"! {constraint.content}")
    for link in linked:
        arrow = "->" if link.direction == "out" else "<-"
        own = link.words != spoken(link.dependency_type)
        word = f"{link.words} ({link.dependency_type})" if own else link.dependency_type
        output.say(f"{arrow} {word} {link.other_name or link.other_id}")


def _about(found: Entity, pending: int) -> list[tuple[str, object]]:
    return [row for row in (
        ("id", found.id), ("also called", ", ".join(found.aliases)),
        ("aspects", found.aspects), ("attributes", found.attributes),
        ("constraints", found.constraints), ("links", found.links_in + found.links_out),
        ("memories", found.memories), ("mentions", found.mentions), ("pending", pending),
        ("task", found.task.status if found.task else ""),
    ) if row[1] != ""]


@app.command()
def tree(
    entity: Annotated[
        str, typer.Argument(metavar="ENTITY", help="Its name or id; all entities without it.")
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
    if not entity:
        entities(store=store, agent=agent, as_json=as_json)
        return
    with reading(store, agent) as workspace, workspace.read() as reader:
        if as_json:
            shape: Shape = knowledge_json.tree(
                reader, entity, max_aspects=max_aspects, max_groups=max_groups,
                max_claims=max_claims, depth=depth)
            output.answer_json(shape)
            return
        row = entity_queries.find_entity(reader, entity)
        aspects = knowledge.aspects_of(reader, row.id)[:max_aspects]
    output.say(row.name)
    for aspect in aspects:
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


for _command in (knowledge_slots.aspects, knowledge_slots.groups, knowledge_slots.claims,
                 knowledge_slots.attributes):
    app.command()(_command)
