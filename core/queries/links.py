"""Reads an entity's dependencies, from both ends."""

from collections.abc import Collection

from core.model.link import Link
from core.model.proposal import Evidence
from core.queries.evidence_as_text import resolve
from core.queries.rows_to_model import json_array, link_of
from core.store.database import Row
from core.store.reader_and_writer import Reader

_LINK = ("d.id, d.dependency_type, d.source_entity_id, d.target_entity_id, d.aspect_id,"
         " d.strength, d.confidence, d.reason, d.status, d.source_kind, d.source_path,"
         " d.proposal_id, d.created_at, d.updated_at")

# The far end is looked up within the agent: the name of another agent's row never leaks.
_ONE_WAY = """
SELECT {columns}, '{direction}' AS direction, d.{far}_entity_id AS other_id,
 o.name AS other_name, o.entity_type AS other_type
FROM entity_dependencies d
LEFT JOIN entities o ON o.id = d.{far}_entity_id AND +o.agent_id = :agent
WHERE {where} AND +d.agent_id = :agent
 AND (:archived OR (+d.status = 'active' AND COALESCE(o.status, 'active') = 'active'))"""
_OUT = _ONE_WAY.format(columns=_LINK, direction="out", far="target",
                       where="d.source_entity_id = :entity")
# A link from an entity to itself is listed once, as going out.
_IN = _ONE_WAY.format(columns=_LINK, direction="in", far="source",
                      where="d.target_entity_id = :entity AND d.source_entity_id <> :entity")

# Of thousands of links those of one type are found along an index, without their rows.
_PART_OF = _ONE_WAY.format(
    columns=_LINK, direction="out", far="target",
    where="d.rowid IN (SELECT p.rowid FROM entity_dependencies p"
          " WHERE p.source_entity_id = :entity AND p.dependency_type = 'part_of')")
_BY_ID = _ONE_WAY.format(columns=_LINK, direction="out", far="target",
                         where="d.id IN (SELECT value FROM json_each(:ids))")

_ORDER = "{d}strength DESC, other_name, {d}dependency_type, {d}id"


def links_of(
    reader: Reader, entity_id: str, *, archived: bool = False, limit: int = -1
) -> tuple[Link, ...]:
    """The links that leave and reach the entity, strongest first, those that leave before others.

    A link to an archived entity is hidden with it; one whose far end is not in the file is
    listed, with an empty name. `archived` shows the hidden ones too.

    Args:
        limit: at most so many; all if negative.
    """
    if limit < 0:
        rows = reader.rows(f"SELECT * FROM ({_OUT} UNION ALL {_IN})"
                           f" ORDER BY direction DESC, {_ORDER.format(d='')}", entity=entity_id,
                           archived=archived)
    else:
        rows = _strongest(reader, _OUT, limit, entity=entity_id, archived=archived)
        rows += _strongest(reader, _IN, limit - len(rows), entity=entity_id, archived=archived)
    return tuple(link_of(row) for row in rows)


def _strongest(reader: Reader, one_way: str, limit: int, **given: object) -> list[Row]:
    """The first of the links of one direction, of which there may be thousands.

    How strong the last of them is, is found along the index; names are compared for no weaker ones.
    """
    if limit <= 0:
        return []
    least = reader.value(
        f"SELECT MIN(strength) FROM (SELECT strength FROM ({one_way}) ORDER BY strength DESC"
        " LIMIT :limit)", limit=limit, **given)
    return reader.rows(f"{one_way} AND d.strength >= :least"
                       f" ORDER BY {_ORDER.format(d='d.')} LIMIT :limit",
                       least=least, limit=limit, **given)


def count_links_of(reader: Reader, entity_id: str, *, archived: bool = False) -> int:
    """How many links `links_of` lists without a limit."""
    many = has_many_links(reader, entity_id)
    return int(reader.value(f"SELECT ({_count('source', 'target', many)}) + "
                            f"({_count('target', 'source', many)}"
                            " AND d.source_entity_id <> :entity)", entity=entity_id,
                            archived=archived))


def count_loops_of(reader: Reader, entity_id: str) -> int:
    """How many active links lead from the entity to itself."""
    return int(reader.value(
        "SELECT COUNT(*) FROM entity_dependencies d WHERE d.source_entity_id = :entity"
        " AND d.target_entity_id = :entity AND +d.agent_id = :agent AND +d.status = 'active'",
        entity=entity_id))


MANY = 2_000
"""From so many links of an entity on, archived entities are looked up all at once."""
_HAS_MANY = """
SELECT EXISTS (SELECT 1 FROM entity_dependencies WHERE source_entity_id = :entity
  AND +agent_id = :agent LIMIT 1 OFFSET :many) OR EXISTS (
SELECT 1 FROM entity_dependencies WHERE target_entity_id = :entity
  AND +agent_id = :agent LIMIT 1 OFFSET :many)"""


def has_many_links(reader: Reader, entity_id: str) -> bool:
    """True if an entity has so many links that their ends are not looked up one by one."""
    return bool(reader.value(_HAS_MANY, entity=entity_id, many=MANY))


def leads_to_archived(far: str, many: bool) -> str:
    """SQL that is true of a link `d` whose end (`source` or `target`) is archived."""
    # Along the index of the status, in which hardly any are not active.
    return ("d.{far}_entity_id IN (SELECT o.id FROM entities o WHERE o.agent_id = :agent"
            " AND (o.status < 'active' OR o.status > 'active'))" if many else
            "EXISTS (SELECT 1 FROM entities o WHERE o.id = d.{far}_entity_id"
            " AND +o.agent_id = :agent AND o.status <> 'active')").format(far=far)


def in_force(many: bool) -> str:
    """SQL that is true of an active link `d`."""
    # Along an index, as above: with it the links that leave are counted without their rows.
    return ("d.rowid NOT IN (SELECT l.rowid FROM entity_dependencies l WHERE l.agent_id = :agent"
            " AND (l.status < 'active' OR l.status > 'active'))" if many else
            "+d.status = 'active'")


def _count(near: str, far: str, many: bool) -> str:
    """SQL for the number of links of one direction."""
    return (f"SELECT COUNT(*) FROM entity_dependencies d WHERE d.{near}_entity_id = :entity"
            f" AND +d.agent_id = :agent AND (:archived OR (+d.status = 'active'"
            f" AND NOT {leads_to_archived(far, many)}))")


def whole_of(reader: Reader, entity_id: str) -> str:
    """The name of what the entity is part of, by its strongest such link; empty if of nothing."""
    row = reader.row(f"SELECT * FROM ({_PART_OF})"
                     " WHERE other_name <> '' ORDER BY strength DESC, other_name, id LIMIT 1",
                     entity=entity_id, archived=False)
    return row["other_name"] if row is not None else ""


def get_link(reader: Reader, link_id: str) -> Link | None:
    """One link as read from its source, whatever its status; None if not found."""
    return links_by_id(reader, (link_id,)).get(link_id)


def links_by_id(reader: Reader, ids: Collection[str]) -> dict[str, Link]:
    """The agent's links among `ids`, each as read from its source, whatever its status."""
    return {row["id"]: link_of(row) for row in reader.rows(_BY_ID, ids=list(ids), archived=True)}


def evidence_of(reader: Reader, link_id: str) -> tuple[Evidence, ...]:
    """What a link rests on: its evidence, else that of its proposal, and its own source."""
    row = reader.row(
        "SELECT d.proposal_evidence, d.source_kind, d.source_id, d.source_path, p.evidence"
        " FROM entity_dependencies d LEFT JOIN ontology_proposals p"
        " ON p.id = d.proposal_id AND p.agent_id = :agent"
        " WHERE d.id = :id AND +d.agent_id = :agent", id=link_id)
    if row is None:
        return ()
    source = {key: row[key] for key in ("source_kind", "source_id", "source_path")}
    return resolve(reader, json_array(row["proposal_evidence"]) or json_array(row["evidence"]),
                   source)
