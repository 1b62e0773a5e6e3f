"""Looks up in the graph the rows that were written for the statements of notes."""

from collections.abc import Iterable, Mapping

from core.model.watched_folder import LastStep, WrittenRow
from core.store.reader_and_writer import Reader
from core.transfer.note_statements_to_compare import ENTITY, FACT, LINK, kind_of

TABLES = {FACT: "entity_attributes", LINK: "entity_dependencies", ENTITY: "entities"}
"""The table that has the row of a statement, by its kind."""
_RECORDS = "ontology_proposals"
_FOUND = """
SELECT t.id, t.status = 'active' AS active FROM json_each(:ids) f CROSS JOIN {table} t
ON t.id = f.value WHERE +t.agent_id = :agent"""
_UNDONE = """
SELECT p.id FROM ontology_proposals p WHERE p.agent_id = :agent AND p.operation = 'undo'
  AND p.status = 'applied' AND json_valid(p.payload)
  AND json_extract(p.payload, '$.entry') = :entry ORDER BY p.rowid DESC LIMIT 1"""


def newest_rows(reader: Reader) -> dict[str, str]:
    """The row that came last into each table that a step for notes may write to.

    Empty for a file that keeps no record of what is undone.
    """
    if not reader.has_table(_RECORDS):
        return {}
    newest = {table: reader.value(f"SELECT t.id FROM {table} t WHERE t.rowid ="
                                  f" (SELECT MAX(u.rowid) FROM {table} u)")
              for table in (_RECORDS, *TABLES.values())}
    return {table: str(id) for table, id in newest.items() if id}


def has_row(reader: Reader, step: LastStep) -> bool:
    """True if the graph has the row of a step."""
    return reader.row(
        f"SELECT 1 FROM {step.table} t WHERE t.id = :id", id=step.row_id) is not None


def record_of_undo(reader: Reader, entry: int) -> str:
    """The record in the graph that a step was taken back; empty where there is none."""
    return str(reader.value(_UNDONE, entry=entry) or "")


def states(reader: Reader, rows: Mapping[str, WrittenRow]) -> dict[str, bool]:
    """Whether the row of each statement is in force; without those that the graph lacks."""
    found: dict[str, bool] = {}
    for kind, table in TABLES.items():
        ids = {said: row.id for said, row in rows.items() if kind_of(said) == kind}
        active = _active(reader, table, ids.values())
        found |= {said: active[id] for said, id in ids.items() if id in active}
    return found


def _active(reader: Reader, table: str, ids: Iterable[str]) -> dict[str, bool]:
    return {str(row["id"]): bool(row["active"])
            for row in reader.rows(_FOUND.format(table=table), ids=sorted(set(ids)))}
