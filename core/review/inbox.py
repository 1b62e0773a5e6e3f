"""The inbox: what was written by a hand that is not yours, since you last looked.

Cost follows what was written last, not the size of the file: of each table the newest rows are
read by their number, which is the order of writing in every generation of file. Proposals are not
in it, nor what a person has applied; marks of what was seen are kept beside the file.
"""

from collections.abc import Iterator, Sequence
from datetime import UTC, datetime, timedelta

from core.errors import OperationError
from core.model.claim_memory import DERIVED_HASH
from core.model.inbox import ENTITY, LINK, MEMORY, VALUE, Inbox, InboxItem
from core.model.text_format import one_line
from core.queries.authors import PERSON, is_import, kind_of
from core.queries.rows import text
from core.store.database import Row
from core.store.handles import Reader, stamp

MOST = 5000
"""The newest rows of each table that are looked through."""
EVER = "0"
"""A time before all."""
FIRST_DAYS = 7
"""Where nobody has looked yet, what was written in so many days is new."""
QUOTED = 400
_NEWEST = "(SELECT rowid AS place FROM {table} ORDER BY rowid DESC LIMIT :most) f"
_NEW = "replace({row}.created_at, ' ', 'T') > :since"
_UNSEEN = ("NOT EXISTS (SELECT 1 FROM side.inbox_seen s WHERE s.id = '{kind} ' || {row}.id"
           " AND s.agent_id = :agent)")
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
    " AND COALESCE(m.source_type, '') <> 'claim'")
_VALUES = _query(
    VALUE, "entity_attributes", "v",
    "v.content, COALESCE(p.applied_by, m.updated_by) AS hand, m.who,"
    " v.source_kind AS brought, m.source_id AS session, v.memory_id AS source, e.id AS entity_id,"
    " e.name AS entity, v.kind = 'constraint' AS rule",
    _HAND.format(row="v") + " LEFT JOIN memories m ON m.id = v.memory_id AND m.id <> v.id"
    " LEFT JOIN entity_aspects a ON a.id = v.aspect_id LEFT JOIN entities e ON e.id = a.entity_id",
    "v.status = 'active'")
_LINKS = _query(
    LINK, "entity_dependencies", "d",
    "e.name || ' ' || replace(d.dependency_type, '_', ' ') || ' ' || o.name AS content,"
    " COALESCE(p.applied_by, m.updated_by) AS hand, m.who, d.source_kind AS brought,"
    " m.source_id AS session, m.id AS source, e.id AS entity_id, e.name AS entity, 0 AS rule",
    _HAND.format(row="d") + " LEFT JOIN memories m ON m.id = d.source_id"
    " JOIN entities e ON e.id = d.source_entity_id JOIN entities o ON o.id = d.target_entity_id",
    "d.status = 'active'")
_ENTITIES = _query(
    ENTITY, "entities", "e",
    "'New ' || e.entity_type || ' “' || e.name || '”' AS content,"
    " COALESCE(p.applied_by, m.updated_by) AS hand, m.who, e.source_kind AS brought,"
    " m.source_id AS session, m.id AS source, e.id AS entity_id, e.name AS entity, 0 AS rule",
    _HAND.format(row="e") + " LEFT JOIN memories m ON m.id = (SELECT n.memory_id"
    " FROM memory_entity_mentions n WHERE n.entity_id = e.id ORDER BY n.created_at LIMIT 1)",
    "e.status = 'active'")
_KINDS = ((MEMORY, _MEMORIES), (VALUE, _VALUES), (LINK, _LINKS), (ENTITY, _ENTITIES))


def inbox(reader: Reader, *, since: str = "", now: datetime | None = None) -> Inbox:
    """What is new, grouped by who wrote it in which session about what, the newest group first.

    Args:
        since: look at what was written after this time, instead of since the person last looked.
    """
    after = since or since_of(reader) or stamp((now or datetime.now(UTC)) -
                                               timedelta(days=FIRST_DAYS))
    rows = [(kind, row) for kind, sql in _KINDS
            for row in reader.rows(sql, since=after.replace(" ", "T"), most=MOST)]
    items = [item for kind, row in rows if (item := _item(reader, kind, row)) is not None]
    return Inbox(tuple(_grouped(items)), after, len(rows) >= MOST)


def since_of(reader: Reader) -> str:
    """What was written until then counts as seen; empty where the person has never looked."""
    return text(reader.value("SELECT since FROM side.inbox_since WHERE agent_id = :agent"))


def find_item(reader: Reader, id: str) -> InboxItem:
    """The item whose id begins so, or whose kind and id do; 404 for none, 409 for several.

    One that was listed from an earlier day is found, too.
    """
    start = id.strip()
    items = [one for one in inbox(reader, since=EVER).items
             if start and (one.id.startswith(start) or one.key.startswith(start))]
    exact = [one for one in items if start in (one.id, one.key)] or items
    if not exact:
        raise OperationError(404, f"Nothing in the inbox has the id {id}", field="id",
                             do="“constellation inbox” lists what is new")
    if len(exact) > 1:
        raise OperationError(409, f"Several items have an id that starts with {id}", field="id",
                             do=f"Use “{exact[0].key}”")
    return exact[0]


def _item(reader: Reader, kind: str, row: Row) -> InboxItem | None:
    """The item of a row; None where a person wrote it."""
    hand = text(row["hand"]) or text(row["who"])
    if kind_of(hand, reader.agent) == PERSON or is_import(text(row["brought"])):
        return None
    at = text(row["created_at"]).replace(" ", "T")
    return InboxItem(
        kind, row["id"], one_line(text(row["content"]), QUOTED), hand or "another program", at,
        text(row["session"]) or at[:10], text(row["entity_id"]), text(row["entity"]),
        text(row["source"]), bool(row["rule"]))


def _grouped(items: Sequence[InboxItem]) -> Iterator[InboxItem]:
    """Those of one group together, rules before the rest; the newest group first."""
    newest: dict[tuple[str, str, str], str] = {}
    for one in items:
        newest[one.group] = max(newest.get(one.group, ""), one.written_at)
    ordered = sorted(items, key=lambda one: one.written_at, reverse=True)
    ordered.sort(key=lambda one: one.constraint, reverse=True)
    ordered.sort(key=lambda one: (newest[one.group], one.group), reverse=True)
    return iter(ordered)
