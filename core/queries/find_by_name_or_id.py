"""Finds the one row for a name, an id or the start of an id, or explains why there is none."""

import re
from collections.abc import Sequence

from core.errors import OperationError
from core.model.did_you_mean import did_you_mean
from core.model.names import name_key, of_capitals
from core.model.text_formatting import one_line
from core.model.vocabulary import IMPORTED
from core.queries.known_by_name import known_by
from core.queries.rows_to_model import ENTITY_COLUMNS, MEMORY_VISIBLE, json_object, text
from core.store.compat_views import key_sql
from core.store.database import Row
from core.store.reader_and_writer import Reader

ID = re.compile(r"[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}")
"""What is an id and no name."""
_ORDERED = re.compile(r"[0-9a-z]{16}")
_BEGINNING = re.compile(r"(?=.*[0-9])[0-9a-z-]{6,7}|[0-9a-z-]{8,}")
"""What may be the beginning of an id and is hardly a word."""
SHORTEST = 6
"""Signs of an id that are enough where only one begins so."""
ENTITY = f"{ENTITY_COLUMNS}, e.canonical_name, e.muted_at"
ASPECT = (
    "id, entity_id, name, canonical_name, status, archived_at, archived_by, archive_reason,"
    " proposal_id"
)


_CANDIDATES = 3
_SHOWN = 40
"""Characters of a row's words by which one of several is told."""
_COMPARED = 2000
"""Names that a mistyped one is compared with, the most mentioned first."""
_STATUS = "(:status = '' OR +e.status = :status)"
_ALIASED = f"""
SELECT {ENTITY} FROM entities e WHERE e.id IN (SELECT a.entity_id FROM entity_aliases a
  WHERE a.agent_id = :agent AND a.status = 'active' AND a.canonical_alias = :name)
  AND +e.agent_id = :agent AND {_STATUS}"""


def match_entities(reader: Reader, selector: str, status: str = "active") -> list[Row]:
    """The agent's entities that match a selector by id or name, else by alias.

    A native graph keeps `canonical_name` exact; Signet's files have NULL and stale ones, so
    there the names themselves are compared as well. A UNION, so that each way has its index.

    Args:
        status: `active`, `archived`, or empty for either.
    """
    ways = ("+e.agent_id = :agent AND e.id = :id",
            known_by(reader, "e", ":name", or_name=True))
    by_name = " UNION ".join(
        f"SELECT {ENTITY} FROM entities e WHERE {way} AND {_STATUS}" for way in ways)
    for name in map(name_key, (selector, *of_capitals(selector))):
        rows = reader.rows(by_name, status=status, id=selector.strip(), name=name) or reader.rows(
            _ALIASED, status=status, name=name)
        if rows:
            return rows
    return []


def find_entity(reader: Reader, selector: str, status: str = "active", field: str = "") -> Row:
    """Exactly one entity; 400 for an empty name, 404 for none, 409 for several.

    An id does not win over a name: if both hit different entities the selector is ambiguous.
    """
    if not selector.strip():
        raise OperationError(400, "The name of the entity is empty", field=field,
                             do="Use a name or an id")
    rows = match_entities(reader, selector, status)
    begun = "" if rows else beginning_of_entity(reader, selector, field)
    if begun:
        rows = match_entities(reader, begun, status)
    if not rows:
        raise _no_entity_called(reader, begun or selector, field, status)
    return _only(rows, "Entity", selector, field)


def beginning_of_entity(reader: Reader, start: str, field: str = "entity") -> str:
    """The id of the agent's one entity whose id begins so; empty where none does.

    Only ids that are made by programs are meant: another's may be a word, which is a name here.

    Raises OperationError (409) where several begin so.
    """
    start = start.strip()
    if not _BEGINNING.fullmatch(start):
        return ""
    ids = _beginning_so(reader, "entities", "+m.agent_id = :agent", start, "m.name")
    ids = [(id, name) for id, name in ids if ID.fullmatch(id) or _ORDERED.fullmatch(id)]
    return _the_one(ids, start, "entities", field)


def _no_entity_called(
    reader: Reader, selector: str, field: str, status: str
) -> OperationError:
    """That there is no such entity (404), that it is archived, or which are called nearly so."""
    if status == "active" and match_entities(reader, selector, "archived"):
        return OperationError(404, f"Entity not found: {selector}", field=field,
                              do="It is archived; restore it first")
    now = _called_now(reader, selector)
    if now and status != "archived":
        return OperationError(404, f"Entity not found: {selector}", field=field,
                              do=f"It is called “{now}” now")
    return OperationError(404, f"Entity not found: {selector}", field=field,
                          do=entity_meant(reader, selector, status))


def entity_meant(reader: Reader, selector: str, status: str = "active") -> str:
    """`Did you mean “Harbor Ledger”?`, of those that are mentioned most; empty where none is near.
    """
    return did_you_mean(selector, [text(row["name"]) for row in reader.rows(
        f"SELECT e.name FROM entities e WHERE e.agent_id = :agent AND {_STATUS}"
        " ORDER BY e.mentions DESC LIMIT :most", status=status, most=_COMPARED)])


def aspect_meant(reader: Reader, entity_id: str, selector: str) -> str:
    """The same of the aspects of an entity."""
    return did_you_mean(selector, [text(row["name"]) for row in reader.rows(
        "SELECT name FROM entity_aspects WHERE +agent_id = :agent AND entity_id = :entity"
        " AND +status = 'active'", entity=entity_id)])


def _called_now(reader: Reader, former: str) -> str:
    """The name of the entity that was called so before it was renamed; empty without any."""
    ids = []
    if reader.has_column("ontology_proposals", "status"):
        renames = [json_object(row["result"]) for row in reader.rows(
            "SELECT result FROM ontology_proposals WHERE agent_id = :agent"
            " AND operation = 'rename_entity' AND status = 'applied'"
            " ORDER BY updated_at DESC LIMIT :most", most=_COMPARED)]
        ids = [text(one.get("entityId")) for one in renames
               if name_key(text(one.get("oldName"))) == name_key(former)]
    ids += [row["id"] for row in reader.rows(
        "SELECT e.id FROM entities e WHERE e.agent_id = :agent AND e.source_kind = :imported"
        " AND e.source_id = :key AND e.source_id <> e.canonical_name",
        imported=IMPORTED, key=name_key(former))]
    for id in ids:
        row = entity_or_none(reader, id)
        if row is not None and row["status"] == "active":
            return text(row["name"])
    return ""


def entity_by_id(reader: Reader, entity_id: str | None, field: str = "") -> Row:
    """The active entity with this id; 404 otherwise, never a new one."""
    row = entity_or_none(reader, entity_id)
    if row is None or row["status"] != "active":
        raise OperationError(404, f"Entity not found: {entity_id}", field=field)
    return row


def entity_or_none(reader: Reader, entity_id: str | None) -> Row | None:
    """The entity with this id, whatever its status."""
    return reader.row(
        f"SELECT {ENTITY} FROM entities e WHERE e.agent_id = :agent AND e.id = :id", id=entity_id
    )


def match_aspects(
    reader: Reader, entity_id: str, selector: str, status: str = "active"
) -> list[Row]:
    """The entity's aspects that match a selector by id or name."""
    return reader.rows(
        f"SELECT {ASPECT} FROM entity_aspects WHERE +agent_id = :agent AND entity_id = :entity"
        " AND +status = :status"
        f" AND (id = :id OR canonical_name = :name OR {key_sql('name')} = :name)",
        entity=entity_id, status=status, id=selector, name=name_key(selector),
    )


def find_aspect(reader: Reader, entity_id: str, selector: str, status: str = "active") -> Row:
    """Exactly one aspect of the entity; 404 for none, 409 for several."""
    rows = match_aspects(reader, entity_id, selector, status)
    if not rows:
        raise no_aspect_called(reader, entity_id, selector)
    return _only(rows, "Aspect", selector, "aspect")


def no_aspect_called(reader: Reader, entity_id: str, selector: str) -> OperationError:
    """That the entity has no such aspect (404), and which ones are called nearly so."""
    return OperationError(404, f"Aspect not found: {selector}", field="aspect",
                          do=aspect_meant(reader, entity_id, selector))


def find_value(reader: Reader, attribute_id: str) -> Row:
    """A stored claim value of any status; 404 if the agent has none with this id."""
    row = value_or_none(reader, attribute_id) or value_or_none(
        reader, value_id(reader, attribute_id))
    return _found(row, "Claim value", attribute_id, "attribute_id")


def value_or_none(reader: Reader, attribute_id: str) -> Row | None:
    """A stored claim value with its aspect's name, entity and status."""
    return reader.row(
        "SELECT v.*, a.entity_id, a.name AS aspect, a.status AS aspect_status,"
        " a.archived_at AS aspect_archived_at FROM entity_attributes AS v"
        " LEFT JOIN entity_aspects AS a ON a.id = v.aspect_id AND a.agent_id = :agent"
        " WHERE v.id = :id AND v.agent_id = :agent",
        id=attribute_id,
    )


def find_link(reader: Reader, id: str) -> Row:
    """A dependency of any status; 404 if the agent has none with this id."""
    row = link_or_none(reader, id) or link_or_none(reader, link_id(reader, id))
    return _found(row, "Link", id, "id")


def _found(row: Row | None, what: str, id: str, field: str) -> Row:
    if row is None:
        raise OperationError(404, f"{what} not found: {id}", field=field)
    return row


def link_or_none(reader: Reader, id: str) -> Row | None:
    """A dependency of any status with the names at its two ends."""
    return reader.row(
        "SELECT d.*, s.name AS source_name, t.name AS target_name FROM entity_dependencies AS d"
        " LEFT JOIN entities AS s ON s.id = d.source_entity_id AND s.agent_id = :agent"
        " LEFT JOIN entities AS t ON t.id = d.target_entity_id AND t.agent_id = :agent"
        " WHERE d.id = :id AND d.agent_id = :agent",
        id=id,
    )


def memory_id(reader: Reader, start: str) -> str:
    """The id of the agent's memory that begins so; what begins none is given back as it is.

    Raises OperationError (409) where several begin so.
    """
    return whole_id(reader, "memories", MEMORY_VISIBLE, start, "memories")


def value_id(reader: Reader, start: str) -> str:
    """The id of the agent's stored value that begins so; what begins none is given back as it is.

    Raises OperationError (409) where several begin so.
    """
    return whole_id(reader, "entity_attributes", "+m.agent_id = :agent", start, "values")


def link_id(reader: Reader, start: str) -> str:
    """The id of the agent's link that begins so; what begins none is given back as it is.

    Raises OperationError (409) where several begin so.
    """
    return whole_id(reader, "entity_dependencies", "+m.agent_id = :agent", start, "links",
                    "m.dependency_type")


def proposal_id(reader: Reader, start: str) -> str:
    """The id of the agent's proposal that begins so; what begins none is given back as it is.

    Raises OperationError (409) where several begin so.
    """
    return whole_id(reader, "ontology_proposals", "+m.agent_id = :agent", start, "proposals",
                    "m.operation")


def whole_id(
    reader: Reader, table: str, scope: str, start: str, what: str, words: str = "m.content"
) -> str:
    """The id of the row (called `m` in `scope`) that begins so; as it is where none does.

    Raises OperationError (409) where several of `what` begin so.

    Args:
        words: SQL of what tells such rows apart for a person.
    """
    start = start.strip()
    if len(start) < SHORTEST:
        return start
    return _the_one(_beginning_so(reader, table, scope, start, words), start, what) or start


def _beginning_so(
    reader: Reader, table: str, scope: str, start: str, words: str
) -> list[tuple[str, str]]:
    """The first rows whose ids begin so, with words to tell them apart."""
    rows = reader.rows(
        f"SELECT m.id, {words} AS words FROM {table} m WHERE m.id >= :start AND m.id < :end"
        f" AND {scope} ORDER BY m.id LIMIT :most", start=start, end=f"{start}\U0010ffff",
        most=_CANDIDATES + 1)
    return [(str(row["id"]), text(row["words"])) for row in rows]


def _the_one(
    found: Sequence[tuple[str, str]], start: str, what: str, field: str = "id"
) -> str:
    """The id of the only one, or the one that is meant whole; empty without any."""
    if any(id == start for id, _ in found):
        return start
    if len(found) > 1:
        named = [f"{id} ({one_line(words, _SHOWN)})" for id, words in found[:_CANDIDATES]]
        more = ", and others" if len(found) > _CANDIDATES else ""
        raise OperationError(409, f"Several {what} have an id that starts with {start}",
                             field=field, do=f"Use more characters: {', '.join(named)}{more}")
    return found[0][0] if found else ""


def _only(rows: Sequence[Row], what: str, selector: str, field: str) -> Row:
    if len(rows) > 1:
        raise OperationError(
            409, f"{what} selector is ambiguous: {selector}", field=field, do="Use an id"
        )
    return rows[0]
