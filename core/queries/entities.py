"""Finds entities: lists, search as one types, one in full, one by selector."""

from collections.abc import Collection, Iterable, Sequence
from functools import partial

from msgspec.structs import replace

from core.errors import OperationError
from core.model.entity import Entity, EntityRow, Task
from core.model.names import name_key
from core.queries import find_by_name_or_id
from core.queries.descriptions import own_description
from core.queries.entity_search import Search, snippet
from core.queries.hide_writes_of_held_agents import waiting_rows, with_held
from core.queries.known_by_name import known_by
from core.queries.links import has_many_links, in_force, leads_to_archived
from core.queries.rows_to_model import (
    ENTITY_COLUMNS,
    ENTITY_ORDER,
    MEMORY_VISIBLE,
    entity_row,
    json_array,
    whole,
)
from core.queries.rows_to_model import text as _text
from core.queries.search_syntax import SearchText, read_search, refuse_unknown_types
from core.queries.stats import type_counts
from core.store.database import Row
from core.store.reader_and_writer import Reader


def _detail(many: bool) -> str:
    """SQL for entities in full; `many` for one with thousands of links."""
    return f"""
SELECT e.*, c.name AS community,
 t.status AS task_status, t.expires_at, t.retention_until, t.completed_at,
 (SELECT COUNT(*) FROM entity_aspects s WHERE s.entity_id = e.id AND +s.status = 'active')
   AS aspect_count,
 (SELECT COUNT(*) FROM entity_aspects s CROSS JOIN entity_attributes v ON v.aspect_id = s.id
   WHERE s.entity_id = e.id AND +s.status = 'active' AND v.status = 'active') AS value_count,
 (SELECT COUNT(*) FROM entity_aspects s CROSS JOIN entity_attributes v ON v.aspect_id = s.id
   WHERE s.entity_id = e.id AND +s.status = 'active' AND v.status = 'active'
   AND v.kind = 'constraint') AS constraint_count,
 (SELECT COUNT(*) FROM entity_dependencies d WHERE d.source_entity_id = e.id
   AND +d.agent_id = :agent AND {in_force(many)}
   AND NOT {leads_to_archived("target", many)}) AS out_count,
 (SELECT COUNT(*) FROM entity_dependencies d WHERE d.target_entity_id = e.id
   AND +d.agent_id = :agent AND +d.status = 'active'
   AND NOT {leads_to_archived("source", many)}) AS in_count,
 (SELECT COUNT(*) FROM memory_entity_mentions n CROSS JOIN memories m ON m.id = n.memory_id
   WHERE n.entity_id = e.id AND {MEMORY_VISIBLE}
   AND COALESCE(m.is_deleted, 0) = 0 AND COALESCE(m.source_type, '') <> 'claim') AS memory_count
FROM entities e
LEFT JOIN entity_communities c ON c.id = e.community_id
LEFT JOIN task_meta t ON t.entity_id = e.id
WHERE e.id IN (SELECT value FROM json_each(:ids)) AND +e.agent_id = :agent
"""


def understood(reader: Reader, text: str | SearchText) -> SearchText:
    """What is searched: the text read, and the nearest words in place of mistyped ones.

    Raises:
        OperationError: 400, as `read_search`, and for a type that no entity has.
    """
    search = read_search(text) if isinstance(text, str) else text
    if search.types:
        refuse_unknown_types(search, type_counts(reader, status=""))
    if not search.words:
        return search
    from core.queries.spelling import corrected  # noqa: PLC0415  a list of all needs no speller

    return corrected(reader, search)


def _taken(reader: Reader, text: str | SearchText) -> SearchText:
    """A search that was understood before, as it is."""
    return understood(reader, text) if isinstance(text, str) else text


def list_entities(
    reader: Reader, *, text: str | SearchText = "", types: Collection[str] = (),
    status: str = "active", pinned_only: bool = False, limit: int = 200, offset: int = 0,
) -> list[EntityRow]:
    """Entities in the seeds' order: pinned first, then mentions, then name.

    Args:
        text: words that must each begin a word in the name, an alias, or a fact, be it another
            fact each, and what else `search_syntax` reads. First come those that hold more of
            the words in their names; `EntityRow.fact` is the fact that holds most of them.
        types: only these entity types; all when empty.
        status: `active`, `archived` or `all`.

    Raises:
        OperationError: 400 for a search that can't be read.
    """
    taken = _taken(reader, text)
    search = Search(reader, taken)
    where, given = _filters(types, status, pinned_only)
    where += search.where
    if not search.words:
        rows = reader.rows(
            f"SELECT {ENTITY_COLUMNS} FROM entities e WHERE e.agent_id = :agent{where}"
            f" ORDER BY {ENTITY_ORDER} LIMIT :limit OFFSET :offset",
            limit=limit, offset=offset, **given, **search.parameters)
        return with_held(reader, [entity_row(row) for row in rows])
    named = _named(reader, search.by_name, where, given | search.parameters, offset + limit)
    if len(named) >= offset + limit:
        return with_held(reader, named[offset:])
    # All the names are known here, so the page goes on with entities that only a fact names.
    by_fact = reader.rows(
        f"SELECT {ENTITY_COLUMNS}, b.fact AS fact_id"
        f" FROM {search.by_fact} b CROSS JOIN entities e ON e.id = b.id"
        f" WHERE e.agent_id = :agent{where}"
        " AND e.id NOT IN (SELECT value FROM json_each(:named))"
        f" ORDER BY b.named DESC, {ENTITY_ORDER} LIMIT :limit OFFSET :offset",
        **given, **search.parameters, named=[row.id for row in named],
        offset=max(offset - len(named), 0), limit=limit - max(len(named) - offset, 0))
    facts = {row["id"]: _text(row["content"]) for row in reader.rows(
        "SELECT v.id, v.content FROM json_each(:ids) f CROSS JOIN entity_attributes v"
        " ON v.id = f.value WHERE +v.agent_id = :agent", ids=[row["fact_id"] for row in by_fact])}
    return with_held(reader, named[offset:] + [
        entity_row(row, snippet(facts.get(row["fact_id"], ""), taken.sought),
                   _text(row["fact_id"])) for row in by_fact])


def first_by_name(
    reader: Reader, *, text: str | SearchText, types: Collection[str] = (),
    status: str = "active", limit: int = 200,
) -> list[EntityRow]:
    """The first of `list_entities`, as far as a name or an alias holds every word.

    What only facts hold comes after these, and takes longer to be found. Empty for a search
    without words.
    """
    search = Search(reader, _taken(reader, text))
    where, given = _filters(types, status, False)
    return with_held(reader, _named(
        reader, search.by_name, where + search.where, given | search.parameters, limit,
    )) if search.words else []


def most_telling_entity(reader: Reader) -> str:
    """The id of what to look at first: a pinned entity, else the one with the most links.

    No muted one; empty where there is nothing else.
    """
    row = reader.row(
        "SELECT e.id FROM entities e WHERE e.agent_id = :agent AND e.status = 'active'"
        " AND e.muted = 0 ORDER BY e.pinned DESC, e.pinned_at DESC,"
        " (SELECT COUNT(*) FROM entity_dependencies d WHERE d.source_entity_id = e.id"
        f" AND {in_force(many=False)}) + (SELECT COUNT(*) FROM entity_dependencies d"
        " WHERE d.target_entity_id = e.id AND d.status = 'active') DESC,"
        f" {ENTITY_ORDER} LIMIT 1")
    return "" if row is None else str(row["id"])


def _named(
    reader: Reader, condition: str, where: str, parameters: dict[str, object], limit: int
) -> list[EntityRow]:
    """The first entities whose name or alias matches; one that is named exactly so leads."""
    exact = reader.rows(
        f"SELECT {ENTITY_COLUMNS} FROM entities e"
        f" WHERE {known_by(reader, 'e', ':exact')}{where}", **parameters)
    first = [entity_row(row) for row in exact]
    rest = reader.rows(
        f"SELECT {ENTITY_COLUMNS} FROM entities e WHERE e.agent_id = :agent{where}"
        f" AND {condition} ORDER BY {ENTITY_ORDER} LIMIT :limit", **parameters, limit=limit)
    known = {row.id for row in first}
    return (first + [entity_row(row) for row in rest if row["id"] not in known])[:limit]


def count_entities(
    reader: Reader, *, text: str | SearchText = "", types: Collection[str] = (),
    status: str = "active", pinned_only: bool = False,
) -> int:
    """How many `list_entities` would give with these filters, without a limit.

    While searching, matching facts beyond `search.FACTS` are not counted.
    """
    found, parameters = _found(reader, text, *_filters(types, status, pinned_only))
    return whole(reader.value(f"SELECT COUNT(*) {found}", **parameters))


def matching_ids(
    reader: Reader, *, text: str | SearchText = "", status: str = "active"
) -> list[str]:
    """The ids of all that `list_entities` would give for a search, in no order."""
    found, parameters = _found(reader, text, *_filters((), status, False))
    return [row["id"] for row in reader.rows(f"SELECT e.id {found}", **parameters)]


def _found(
    reader: Reader, text: str | SearchText, where: str, parameters: dict[str, object]
) -> tuple[str, dict[str, object]]:
    """The FROM and WHERE of all entities `e` that a search finds, and what they need bound."""
    search = Search(reader, _taken(reader, text))
    rows = (f"({search.found}) f CROSS JOIN entities e ON e.rowid = f.rowid WHERE +e.agent_id"
            if search.words else "entities e WHERE e.agent_id")
    return (f"FROM {rows} = :agent{where}{search.where}", parameters | search.parameters)


def position_of(
    reader: Reader, entity_id: str, *, types: Collection[str] = (), status: str = "active",
) -> int | None:
    """An entity's position in `list_entities` with these filters, from 0; None if it is not in
    it."""
    where, parameters = _filters(types, status, False)
    other, _ = _filters(types, status, False, "o")
    # Each along the index of this order, which tells how many there are without going through all.
    before = " + ".join(
        "(SELECT COUNT(*) FROM entities o WHERE o.agent_id = :agent"
        f"{''.join(f' AND o.{column} IS e.{column}' for column in same)} AND {first}{other})"
        for same, first in _BEFORE)
    row = reader.row(f"SELECT {before} AS position FROM entities e"
                     f" WHERE e.id = :id AND +e.agent_id = :agent{where}",
                     id=entity_id, **parameters)
    return None if row is None else whole(row["position"])


_BEFORE = (
    ((), "o.pinned > e.pinned"),
    (("pinned",), "o.pinned_at > COALESCE(e.pinned_at, '')"),
    (("pinned", "pinned_at"), "o.mentions > COALESCE(e.mentions, -1)"),
    (("pinned", "pinned_at", "mentions"), "o.updated_at > e.updated_at"),
    (("pinned", "pinned_at", "mentions", "updated_at"), "o.name < e.name"),
)
"""What is the same in entities `o` that `ENTITY_ORDER` puts before `e`, and what is not."""


def _filters(
    types: Collection[str], status: str, pinned_only: bool, table: str = "e"
) -> tuple[str, dict[str, object]]:
    where: list[str] = []
    parameters: dict[str, object] = {}
    if status != "all":
        where.append(f"{table}.status = :status")
        parameters["status"] = status
    if types:
        where.append(f"{table}.entity_type IN (SELECT value FROM json_each(:types))")
        parameters["types"] = list(types)
    if pinned_only:
        where.append(f"{table}.pinned = 1")
    return "".join(f" AND {condition}" for condition in where), parameters


def pinned_entities(reader: Reader) -> list[EntityRow]:
    """The pinned entities, the last pinned first."""
    rows = reader.rows(
        f"SELECT {ENTITY_COLUMNS} FROM entities e"
        " WHERE e.agent_id = :agent AND e.status = 'active' AND e.pinned = 1"
        " ORDER BY e.pinned_at DESC, e.updated_at DESC, e.name")
    return [entity_row(row) for row in rows]


def entities_by_id(reader: Reader, ids: Collection[str]) -> dict[str, EntityRow]:
    """The agent's entities among `ids`, whatever their status."""
    rows = reader.rows(
        f"SELECT {ENTITY_COLUMNS} FROM entities e"
        " WHERE e.id IN (SELECT value FROM json_each(:ids)) AND +e.agent_id = :agent",
        ids=list(ids))
    return {row["id"]: entity_row(row) for row in rows}


def row_of_entity(reader: Reader, entity_id: str) -> EntityRow | None:
    """The agent's entity with this id, whatever its status."""
    return entities_by_id(reader, [entity_id]).get(entity_id)


def get_entity(reader: Reader, entity_id: str) -> Entity | None:
    """An entity in full, with the counts of its parts; None if not found."""
    return next(iter(get_entities(reader, [entity_id])), None)


def entity_in_full(reader: Reader, entity_id: str, asked: str = "") -> Entity:
    """An entity that was found, in full.

    Args:
        entity_id: its id.
        asked: what it was found by, to be named where it can't be read.

    Raises OperationError (404): a damaged index leads to a row that another one does not.
    """
    entity = get_entity(reader, entity_id)
    if entity is None:
        raise OperationError(404, f"Entity not found: {asked or entity_id}: the file finds its"
                             " name, but not its row", field="entity")
    return entity


def get_entities(reader: Reader, ids: Sequence[str]) -> list[Entity]:
    """The agent's entities among `ids` in full and in that order, whatever their status."""
    held = waiting_rows(reader).entities
    known = reader.each_once(f"entities in full of {reader.agent}", ids, partial(_in_full, reader))
    return [replace(known[id], held=id in held) for id in ids if id in known]


def _in_full(reader: Reader, ids: Sequence[str]) -> dict[str, Entity]:
    aliases: dict[str, list[str]] = {}
    for row in reader.rows(
            "SELECT a.entity_id, a.alias FROM json_each(:ids) f CROSS JOIN entity_aliases a"
            " ON a.entity_id = f.value WHERE a.agent_id = :agent AND a.status = 'active'"
            " ORDER BY a.alias", ids=ids):
        aliases.setdefault(row["entity_id"], []).append(_text(row["alias"]))
    many = len(ids) == 1 and has_many_links(reader, ids[0])
    return {row["id"]: _entity(row, aliases.get(row["id"], ()))
            for row in reader.rows(_detail(many), ids=ids)}


def _entity(row: Row, aliases: Iterable[str]) -> Entity:
    name = _text(row["name"])
    return Entity(
        id=row["id"], name=name, canonical_name=_text(row["canonical_name"]) or name_key(name),
        entity_type=_text(row["entity_type"]) or "unknown", agent_id=_text(row["agent_id"]),
        description=own_description(row["description"]), mentions=whole(row["mentions"]),
        pinned=bool(row["pinned"]), pinned_at=_given(row["pinned_at"]), muted=bool(row["muted"]),
        status=_text(row["status"]), archived_at=_given(row["archived_at"]),
        archived_by=_given(row["archived_by"]), archive_reason=_given(row["archive_reason"]),
        source_kind=_given(row["source_kind"]), source_id=_given(row["source_id"]),
        source_path=_given(row["source_path"]), proposal_id=_given(row["proposal_id"]),
        community=_text(row["community"]), created_at=_text(row["created_at"]),
        updated_at=_text(row["updated_at"]), aliases=tuple(aliases),
        task=None if row["task_status"] is None else Task(
            _text(row["task_status"]), *(
                _given(row[time]) for time in ("expires_at", "retention_until", "completed_at"))),
        aspects=row["aspect_count"], attributes=row["value_count"] - row["constraint_count"],
        constraints=row["constraint_count"], links_out=row["out_count"],
        links_in=row["in_count"], memories=row["memory_count"],
        proposal_evidence=json_array(row["proposal_evidence"]),
    )


def _given(value: object) -> str | None:
    """A text that may be missing; where a file holds something else there, that as text."""
    return None if value is None else _text(value)


def find_entity(reader: Reader, selector: str, *, archived: bool = False) -> EntityRow:
    """The one entity that `selector` refers to: its id or its name (seed 001, strict selector),
    else an alias.

    Raises:
        OperationError: 400 for an empty one, 404 if nothing matches, 409 if more than one entity
            does.
    """
    return entity_row(find_by_name_or_id.find_entity(
        reader, selector, "" if archived else "active"))
