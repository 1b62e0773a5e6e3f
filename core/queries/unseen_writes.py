"""What agents and programs wrote by themselves, as rows of a file of any generation.

Cost follows what was written last, not the size of the file: of each table the newest rows are
read by their number, which is the order of writing in every generation of file. Proposals are not
in it, nor what a person has applied; marks of what was seen are kept beside the file.
"""

from collections.abc import Collection

from core.model.inbox import ASSERTION, ENTITY, LINK, MEMORY, OTHER, VALUE, InboxItem
from core.model.link import link_in_words, own_sentence, own_words
from core.model.memory_text_of_value import DERIVED_HASH
from core.model.names import spoken
from core.model.text_formatting import one_line
from core.queries.authors import PERSON, VIA_MCP, is_import, kind_of, name_alone
from core.queries.rows_to_model import text
from core.store.database import Row
from core.store.reader_and_writer import Reader

QUOTED = 400
_NEWEST = "(SELECT rowid AS place FROM {table} ORDER BY rowid DESC LIMIT :most) f"
_NEW = "replace({row}.created_at, ' ', 'T') > :since"
_UNSEEN = ("(:seen OR NOT EXISTS (SELECT 1 FROM side.inbox_seen s WHERE s.id = '{kind} ' ||"
           " {row}.id AND s.agent_id = :agent))")
# What the tools of the memory server have written says so by its source.
_BY_TOOL = f"CASE WHEN {{row}}.source_path LIKE '%{VIA_MCP}' THEN {{row}}.source_path END"
# What an agent's proposal brought is seen by whoever applied it: only its own deeds are new.
_HAND = """
LEFT JOIN ontology_proposals p ON p.id = {row}.proposal_id AND p.agent_id = :agent"""


def _query(kind: str, table: str, row: str, columns: str, rest: str, where: str) -> str:
    source = _NEWEST.format(table=table)
    return (f"SELECT {row}.id, {row}.created_at, {columns} FROM {source} CROSS JOIN {table} {row}"
            f" ON {row}.rowid = f.place {rest} WHERE +{row}.agent_id = :agent AND {where}"
            f" AND {_NEW.format(row=row)} AND {_UNSEEN.format(row=row, kind=kind)}")


_MEMORIES = _query(
    MEMORY, "memories", "m",
    "m.content, m.updated_by AS hand, m.who, m.source_type AS brought,"
    " m.source_id AS session, m.id AS source, e.id AS entity_id, e.name AS entity, 0 AS rule",
    "LEFT JOIN entities e ON e.id = (SELECT n.entity_id FROM memory_entity_mentions n"
    " WHERE n.memory_id = m.id ORDER BY n.confidence DESC, n.entity_id LIMIT 1)",
    f"m.is_deleted = 0 AND COALESCE(m.content_hash, '') NOT LIKE '{DERIVED_HASH}%'"
    " AND COALESCE(m.source_type, '') <> 'claim' AND"
    " NOT EXISTS (SELECT 1 FROM entity_attributes d WHERE d.id = m.id)")
_VALUES = _query(
    VALUE, "entity_attributes", "v",
    "v.content, COALESCE(p.applied_by, m.updated_by) AS hand, m.who,"
    " v.source_kind AS brought, m.source_id AS session, v.memory_id AS source, e.id AS entity_id,"
    " e.name AS entity, v.kind = 'constraint' AS rule",
    _HAND.format(row="v") + " LEFT JOIN memories m ON m.id = v.memory_id AND m.id <> v.id"
    " LEFT JOIN entity_aspects a ON a.id = v.aspect_id LEFT JOIN entities e ON e.id = a.entity_id",
    "(v.status = 'active' OR (:former AND v.status = 'superseded'))")
_LINKS = _query(
    LINK, "entity_dependencies", "d",
    "e.name AS content, d.dependency_type, d.reason, o.name AS target,"
    f" COALESCE(p.applied_by, m.updated_by, {_BY_TOOL.format(row='d')}) AS hand, m.who,"
    " d.source_kind AS brought,"
    " m.source_id AS session, m.id AS source, e.id AS entity_id, e.name AS entity, 0 AS rule",
    _HAND.format(row="d") + " LEFT JOIN memories m ON m.id = d.source_id"
    " JOIN entities e ON e.id = d.source_entity_id JOIN entities o ON o.id = d.target_entity_id",
    "d.status = 'active'")
_ENTITIES = _query(
    ENTITY, "entities", "e",
    "'New ' || e.entity_type || ' “' || e.name || '”' AS content,"
    f" COALESCE(p.applied_by, m.updated_by, {_BY_TOOL.format(row='e')}) AS hand, m.who,"
    " e.source_kind AS brought,"
    " m.source_id AS session, m.id AS source, e.id AS entity_id, e.name AS entity, 0 AS rule",
    _HAND.format(row="e") + " LEFT JOIN memories m ON m.id = (SELECT n.memory_id"
    " FROM memory_entity_mentions n WHERE n.entity_id = e.id ORDER BY n.created_at LIMIT 1)",
    "e.status = 'active'")
_ASSERTIONS = _query(
    ASSERTION, "epistemic_assertions", "s",
    "COALESCE(s.speaker, 'Someone') || ' ' || s.predicate || ': ' || s.content AS content,"
    " s.created_by AS hand, NULL AS who, s.source_kind AS brought, NULL AS session,"
    " m.id AS source, e.id AS entity_id, e.name AS entity, 0 AS rule",
    "JOIN entities e ON e.id = s.subject_entity_id LEFT JOIN memories m ON m.id = s.source_id",
    "(s.status = 'active' OR (:former AND s.status = 'superseded'))")
_KINDS = ((MEMORY, _MEMORIES), (VALUE, _VALUES), (LINK, _LINKS), (ENTITY, _ENTITIES),
          (ASSERTION, _ASSERTIONS))


def unseen(
    reader: Reader, since: str, most: int, *, agent: str = "", held: Collection[str] = (),
    seen: bool = False, former: bool = False,
) -> tuple[list[InboxItem], bool]:
    """What was written after `since`, and whether there may be more.

    Args:
        most: the newest rows of each table that are looked through.
        agent: whose graph; the reader's own without it.
        held: the hands that are held back: what they write is new, whatever they are called.
        seen: with what a person has seen.
        former: with values that others have replaced.
    """
    rows = [(kind, row) for kind, sql in _KINDS for row in reader.rows(
        sql, since=since.replace(" ", "T"), most=most, agent=agent or reader.agent,
        seen=int(seen), former=int(former))]
    items = (_item(kind, row, agent or reader.agent, held) for kind, row in rows)
    return [item for item in items if item is not None], len(rows) >= most


def _content(kind: str, row: Row) -> str:
    """What was written; a link in its own words."""
    if kind != LINK:
        return text(row["content"])
    link = row["dependency_type"], row["reason"], row["brought"]
    return link_in_words(text(row["content"]), own_words(*link) or spoken(row["dependency_type"]),
                         text(row["target"]), "", own_sentence(*link))


def _item(kind: str, row: Row, agent: str, held: Collection[str]) -> InboxItem | None:
    """The item of a row; None where a person wrote it."""
    hand = text(row["hand"]) or text(row["who"])
    waits, imported = name_alone(hand or OTHER) in held, is_import(text(row["brought"]))
    # An agent's tools write what they are given as an import would.
    if (imported and not hand.endswith(VIA_MCP)) or (kind_of(hand, agent) == PERSON and not waits):
        return None
    at = text(row["created_at"]).replace(" ", "T")
    return InboxItem(
        kind, row["id"], one_line(_content(kind, row), QUOTED), hand or OTHER, at,
        at[:10] if imported else text(row["session"]) or at[:10], text(row["entity_id"]),
        text(row["entity"]), text(row["source"]), bool(row["rule"]), waits,
        imported and kind == MEMORY)
