"""`knowledge`: reads the graph, from the list of entities down to one claim's values."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from enum import StrEnum
from pathlib import Path
from typing import Annotated, Any

import typer

from core.model.entity import Entity, EntityRow
from core.model.names import spoken
from core.model.vocabulary import HELD
from core.queries import knowledge, links
from core.queries.claims import slot_of
from core.queries.entities import (
    count_entities,
    entity_in_full,
    find_entity,
    list_entities,
    understood,
)
from core.queries.hide_writes_of_held_agents import waiting_rows
from core.queries.search_syntax import corrections
from core.store.reader_and_writer import Reader
from explorer import knowledge_json
from explorer.cli import health_commands, merge_plan_command, output
from explorer.cli.claim_or_value import (
    AspectOrWords,
    ClaimOfGroup,
    GroupOfClaim,
    Whose,
    named_value,
)
from explorer.cli.open_graph import dated, reading
from explorer.cli.options import (
    EVERYONE,
    SIGNS,
    AgentName,
    AsOf,
    Commands,
    Json,
    Limit,
    Offset,
    Store,
)

app = Commands(help="Read the graph.", no_args_is_help=True)

EntityName = Annotated[str, typer.Argument(metavar="ENTITY", help="Its name or id.")]
AspectName = Annotated[str, typer.Argument(metavar="ASPECT", help="Its name or id.")]
GroupName = Annotated[str, typer.Argument(metavar="GROUP", help="Its key, such as general.")]
ClaimName = Annotated[str, typer.Argument(metavar="CLAIM", help="Its key.")]


class Kind(StrEnum):
    """What a value is: something known, or something that binds the agent."""

    attribute = "attribute"
    constraint = "constraint"


class Status(StrEnum):
    """Which values of a claim."""

    active = "active"
    superseded = "superseded"
    deleted = "deleted"
    all = "all"


@app.command()
def entities(
    query: Annotated[
        str, typer.Option("--query", "-q", help="Words in names, aliases and facts, each in any of "
                                                f"them; {SIGNS}.")
    ] = "",
    entity_type: Annotated[str, typer.Option("--type", help="Only this type.")] = "",
    limit: Limit = 50, offset: Offset = 0, store: Store = None, agent: AgentName = EVERYONE,
    as_of: AsOf = "", as_json: Json = False,
) -> None:
    """List entities: pinned first, then by number of mentions."""
    types = [entity_type] if entity_type else []
    with reading(store, agent, as_of) as workspace, workspace.read() as reader:
        search = understood(reader, query)
        rows = list_entities(reader, text=search, types=types, limit=limit, offset=offset)
        total = count_entities(reader, text=search, types=types)
        if as_json:
            output.answer_json(dated(workspace, {
                "items": _items(reader, rows, query), "limit": limit, "offset": offset,
                "count": total}))
            return
    for correction in corrections(search):
        output.note(correction)
    output.table(("name", "type", "mentions", "", "fact"),
                 ((row.name, row.entity_type, row.mentions, _marks(row), row.fact)
                  for row in rows), empty="No entity found.")
    if total > offset + len(rows):
        output.note(f"{len(rows)} of {total}; --offset {offset + len(rows)} shows more")


def _items(reader: Reader, rows: Sequence[EntityRow], query: str) -> list[knowledge_json.Json]:
    """The entities as JSON; of a search each with the fact that matched."""
    items = knowledge_json.entities(reader, [row.id for row in rows])
    return [{**item, "fact": row.fact} for item, row in zip(items, rows, strict=True)
            ] if query else items


def _marks(row: EntityRow | Entity) -> str:
    if row.pinned and row.muted:
        return "pinned, but muted takes precedence"
    return " ".join(word for word, is_so in (
        ("pinned", row.pinned), ("muted", row.muted), (HELD, row.held)) if is_so)


@app.command()
def entity(
    entity: EntityName, store: Store = None, agent: AgentName = EVERYONE,
    as_of: AsOf = "", as_json: Json = False
) -> None:
    """Show an entity: its type, aspects, constraints and links."""
    with reading(store, agent, as_of) as workspace, workspace.read() as reader:
        if as_json:
            output.answer_json(dated(workspace, knowledge_json.entity(reader, entity)))
            return
        # Here, because it loads every operation, which no other command of the group needs.
        from core.review.proposal_queue import pending_of  # noqa: PLC0415

        id = find_entity(reader, entity).id
        whole = entity_in_full(reader, id, entity)
        constraints = knowledge.constraints_of(reader, id)
        linked = links.links_of(reader, id)
        pending = len(pending_of(reader, id))
        waiting = waiting_rows(reader).links
    output.say(f"{whole.name} ({whole.entity_type})  {_marks(whole)}".rstrip())
    if whole.description:
        output.say(whole.description)
    output.table(("", ""), _about(whole, pending), empty="")
    for constraint in constraints:
        output.say(f"! {constraint.content}{f' ({HELD})' if constraint.held else ''}", whole=True)
    for link in linked:
        arrow = "->" if link.direction == "out" else "<-"
        own = link.words != spoken(link.dependency_type)
        word = f"{link.words} ({link.dependency_type})" if own else link.dependency_type
        held = f" ({HELD})" if link.id in waiting else ""
        said = f": {link.sentence}" if link.sentence else ""
        output.say(f"{arrow} {word} {link.other_name or link.other_id}{held}{said}")


def _about(entity: Entity, pending: int) -> list[tuple[str, object]]:
    return [row for row in (
        ("id", entity.id), ("also called", ", ".join(entity.aliases)),
        ("aspects", entity.aspects), ("attributes", entity.attributes),
        ("constraints", entity.constraints), ("links", entity.links_in + entity.links_out),
        ("memories", entity.memories), ("mentions", entity.mentions), ("pending", pending),
        ("task", entity.task.status if entity.task else ""),
    ) if row[1] != ""]


@app.command()
def tree(
    entity: Annotated[
        str, typer.Argument(metavar="ENTITY", help="Its name or id; without it all entities.")
    ] = "",
    depth: Annotated[
        int, typer.Option("--depth", min=1, max=3, help="1 for aspects, 2 for groups, 3 for "
                                                        "claims.")
    ] = 3,
    max_aspects: Annotated[int, typer.Option("--max-aspects", min=1)] = 20,
    max_groups: Annotated[int, typer.Option("--max-groups", min=1)] = 20,
    max_claims: Annotated[int, typer.Option("--max-claims", min=1)] = 50,
    store: Store = None, agent: AgentName = EVERYONE,
    as_of: AsOf = "", as_json: Json = False,
) -> None:
    """Show an entity's aspects, groups and claims as a tree."""
    if not entity:
        entities(store=store, agent=agent, as_of=as_of, as_json=as_json)
        return
    with reading(store, agent, as_of) as workspace, workspace.read() as reader:
        answer = dated(workspace, knowledge_json.tree(
            reader, entity, max_aspects=max_aspects, max_groups=max_groups,
            max_claims=max_claims, depth=depth))
    if output.answered(as_json, answer):
        return
    for line in tree_lines(answer):
        output.say(line, whole=True)


def tree_lines(tree: knowledge_json.Json) -> Iterator[str]:
    """The answer of `knowledge_json.tree` for a person, a line each."""
    yield tree["entity"]["name"]
    for item in tree["items"]:
        weight = item["aspect"]["weight"]  # None where the file holds no number.
        yield f"- {item['aspect']['name']}" + ("" if weight is None else f"  {weight:.2f}")
        for group in item.get("groups", ()):
            yield f"  - {group['groupKey']}"
            for claim in group.get("claims", ()):
                yield f"    {_claim_line(claim)}"


def _claim_line(claim: knowledge_json.Json) -> str:
    mark = "!" if claim["kind"] == "constraint" else "-"
    key = f"{claim['claimKey']}: " if claim["claimKey"] else ""
    more = f"  ({claim['versions']} versions)" if claim["versions"] > 1 else ""
    id = _id_without_key(claim)
    return f"{mark} {key}{_contents(claim)}{more}{f'  [{id}]' if id else ''}"


def _id_without_key(claim: knowledge_json.Json) -> str:
    """What names a value that no claim key does; empty where one does."""
    return output.short_id(claim["values"][0]["id"]) if (
        claim["values"] and not claim["claimKey"]) else ""


def _contents(claim: knowledge_json.Json) -> str:
    """The values in force; what was said last where none is."""
    return "; ".join(f"{value['content']} ({HELD})" if value["held"] else value["content"]
                     for value in claim["values"]) or claim["preview"]


@app.command()
def aspects(
    entity: EntityName, store: Store = None, agent: AgentName = EVERYONE,
    as_of: AsOf = "", as_json: Json = False
) -> None:
    """List an entity's aspects, highest weight first."""
    _answer(
        store, agent, as_of, as_json, lambda reader: knowledge_json.aspects(reader, entity),
        ("aspect", "weight", "attributes", "constraints"),
        lambda item: (item["aspect"]["name"], round(item["aspect"]["weight"], 2),
                      item["attributeCount"], item["constraintCount"]),
    )


@app.command()
def groups(
    entity: EntityName, aspect: AspectName, store: Store = None, agent: AgentName = EVERYONE,
    as_of: AsOf = "", as_json: Json = False,
) -> None:
    """List the groups of an aspect."""
    _answer(
        store, agent, as_of, as_json, lambda reader: knowledge_json.groups(reader, entity, aspect),
        ("group", "attributes", "constraints", "claims", "updated"),
        lambda item: (item["groupKey"], item["attributeCount"], item["constraintCount"],
                      item["claimCount"], item["latestUpdatedAt"]),
    )


@app.command()
def claims(
    entity: EntityName, aspect: AspectName, group: GroupName, limit: Limit = 50,
    offset: Offset = 0, store: Store = None, agent: AgentName = EVERYONE,
    as_of: AsOf = "", as_json: Json = False,
) -> None:
    """List the claims of a group, with their active values."""
    _answer(
        store, agent, as_of, as_json,
        lambda reader: knowledge_json.claims(reader, entity, aspect, group, limit=limit,
                                             offset=offset),
        ("claim", "active", "superseded", "value", "id"),
        lambda item: (item["claimKey"], item["activeCount"], item["supersededCount"],
                      _contents(item), _id_without_key(item)),
    )


@app.command()
def attributes(
    entity: EntityName, aspect: AspectName, group: GroupName, claim: ClaimName,
    status: Annotated[Status, typer.Option("--status", help="Which values.")] = Status.active,
    kind: Annotated[Kind | None, typer.Option("--kind", help="Only this kind.")] = None,
    limit: Limit = 50, offset: Offset = 0, store: Store = None, agent: AgentName = EVERYONE,
    as_of: AsOf = "", as_json: Json = False,
) -> None:
    """List the values of a claim, newest first."""
    _answer(
        store, agent, as_of, as_json,
        lambda reader: knowledge_json.attributes(
            reader, entity, aspect, group, claim, kind=kind.value if kind else "",
            status=status.value, limit=limit, offset=offset),
        ("value", "kind", "status", "version", "confidence", "id"),
        lambda item: (item["content"], item["kind"],
                      f"{item['status']}, {HELD}" if item["held"] else item["status"],
                      item["version"],
                      item["confidence"], item["id"]),
    )


def versions(
    entity: Whose, aspect: AspectOrWords = "", group: GroupOfClaim = "", claim: ClaimOfGroup = "",
    kind: Annotated[Kind, typer.Option("--kind", help="Attribute or constraint.")] = Kind.attribute,
    store: Store = None, agent: AgentName = EVERYONE,
    as_of: AsOf = "", as_json: Json = False,
) -> None:
    """List the versions of a claim, newest first; or of a fact by what it says."""
    def read(reader: Reader) -> dict[str, Any]:
        id = named_value(reader, entity, aspect, group, claim)
        if id:
            return knowledge_json.versions_in(reader, slot_of(reader, id))
        return knowledge_json.versions(reader, entity, aspect, group, claim, kind=kind.value)

    _answer(
        store, agent, as_of, as_json, read,
        ("version", "status", "value", "in force", "id"),
        lambda item: (item["version"], item["status"], item["content"], _in_force(item),
                      item["id"]),
    )


def _in_force(version: Mapping[str, Any]) -> str:
    """`2026-01-05 to 2026-03-14, in force again since 2026-04-01`."""
    spans = [(str(span["since"])[:10], str(span["until"])[:10]) for span in version["inForce"]]
    parts = [f"{since} to {until}" if until else f"since {since}" for since, until in spans]
    if version["againSince"]:
        parts[-1] = f"in force again {parts[-1]}"
    return ", ".join(parts)


def _answer(
    store: Path | None, agent: str, as_of: str, as_json: bool,
    read: Callable[[Reader], dict[str, Any]],
    heads: Sequence[str], row: Callable[[dict[str, Any]], Sequence[object]],
) -> None:
    """Print what is read, whole as JSON or its items as a table."""
    with reading(store, agent, as_of) as workspace, workspace.read() as reader:
        answer = dated(workspace, read(reader))
    if not output.answered(as_json, answer):
        output.table(heads, map(row, answer["items"]), empty="Nothing found.")


app.command("merge-plan")(merge_plan_command.merge_plan)
health_commands.add_to(app)
