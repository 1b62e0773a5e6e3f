"""Merges duplicate active values of an aspect (seed 002)."""

from collections import defaultdict
from collections.abc import Iterable, Iterator

from msgspec import Struct

from core.learning.automatic_change_log import record, recorded
from core.model.names import canonical, slot_key
from core.queries.rows_to_model import same_words
from core.store.database import Row
from core.store.reader_and_writer import Reader, Writer

BY = "pipeline:duplicates"
COLLAPSED = "attribute_collapsed"
_COLUMNS = ("v.rowid AS number, v.id, v.aspect_id, v.kind, v.content,"
            f" {same_words('v')} AS words,"
            " v.group_key, v.claim_key, v.confidence, v.importance,"
            " NULLIF(v.memory_id, v.id) AS memory_id,"
            " v.version")


class DuplicateValues(Struct, frozen=True):
    """Duplicate values: their text, the id of the one to keep, and of those to retire."""

    content: str
    kept_id: str
    gone_ids: tuple[str, ...]


def find(reader: Reader) -> tuple[DuplicateValues, ...]:
    """Active values with the same words and kind in one aspect.

    One without a claim key yields to one with a key; values of two claims are never one. The
    best supported one stays. What a person has undone is left out.
    """
    groups = [group for rows in _same_words(reader) for group in _by_claim(rows)
             if len(group) > 1]
    done = {(item.get("kept_attribute_id"), item.get("old_attribute_id"))
            for item in recorded(reader, COLLAPSED, (row["id"] for group in groups
                                                     for row in group[1:]))}
    twins = (DuplicateValues(str(group[0]["content"]), group[0]["id"], tuple(
        row["id"] for row in group[1:] if (group[0]["id"], row["id"]) not in done))
        for group in groups)
    return tuple(one for one in twins if one.gone_ids)


def _same_words(reader: Reader) -> Iterator[list[Row]]:
    rows = reader.rows(
        f"SELECT {_COLUMNS} FROM entity_attributes v WHERE v.agent_id = :agent"
        " AND v.status = 'active' AND v.aspect_id IN ("
        "   SELECT d.aspect_id FROM entity_attributes d WHERE d.agent_id = :agent"
        "   AND d.status = 'active' AND d.aspect_id IS NOT NULL"
        f"   GROUP BY d.aspect_id, d.kind, {same_words('d')}"
        "   HAVING count(*) > 1)")
    same: defaultdict[tuple[str, str, str], list[Row]] = defaultdict(list)
    for row in rows:
        same[row["aspect_id"], row["kind"], canonical(str(row["words"]))].append(row)
    yield from (rows for rows in same.values() if len(rows) > 1)


def collapse(writer: Writer, groups: Iterable[DuplicateValues]) -> tuple[str, ...]:
    """Retire duplicates; the remaining one gets the highest confidence and importance of all.

    Returns the ids of the retired values. Values that have changed since are left alone.
    """
    gone: list[str] = []
    for group in groups:
        rows = {row["id"]: row for row in writer.rows(
            f"SELECT {_COLUMNS} FROM entity_attributes v WHERE v.agent_id = :agent"
            " AND v.status = 'active' AND v.id IN (SELECT value FROM json_each(:ids))",
            ids=[group.kept_id, *group.gone_ids])}
        kept = rows.pop(group.kept_id, None)
        if kept is None or not rows:
            continue
        for row in rows.values():
            _retire(writer, row, kept)
        _strengthen(writer, kept, list(rows.values()))
        gone.extend(rows)
    return tuple(gone)


def _by_claim(rows: list[Row]) -> list[list[Row]]:
    claims: defaultdict[tuple[str, str], list[Row]] = defaultdict(list)
    for row in rows:
        claim = slot_key(row["claim_key"])
        claims[(slot_key(row["group_key"], "general") or "", claim) if claim else ("", "")].append(
            row)
    loose = claims.pop(("", ""), [])
    groups = [sorted(group, key=_standing) for group in claims.values()]
    loose.sort(key=_standing)
    if len(groups) == 1:
        groups[0].extend(loose)
    elif loose:
        groups.append(loose)
    return groups


def _standing(row: Row) -> tuple[int, float, float, int, int]:
    """Best founded first: with a memory, surer, more important, with a history, older."""
    return (row["memory_id"] is None, -(row["confidence"] or 0), -(row["importance"] or 0),
            -(row["version"] or 1), row["number"] or 0)


def _retire(writer: Writer, row: Row, kept: Row) -> None:
    writer.update("entity_attributes", row["id"], status="superseded",
                  superseded_by=kept["id"], updated_at=writer.now())
    record(writer, COLLAPSED, row["id"], old=row["content"], new=kept["content"], by=BY,
           reason="the same value twice",
           metadata={"old_attribute_id": row["id"], "kept_attribute_id": kept["id"],
                     "aspect_id": row["aspect_id"]})


def _strengthen(writer: Writer, kept: Row, others: list[Row]) -> None:
    most = {column: max(row[column] or 0 for row in (kept, *others))
            for column in ("confidence", "importance")}
    memory = kept["memory_id"] or next(
        (row["memory_id"] for row in others if row["memory_id"]), None)
    if (kept["confidence"], kept["importance"], kept["memory_id"]) != (*most.values(), memory):
        writer.update("entity_attributes", kept["id"], memory_id=memory,
                      updated_at=writer.now(), **most)
