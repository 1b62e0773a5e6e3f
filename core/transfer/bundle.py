"""Writes a whole graph as a bundle: JSON Lines that give back every row of every table."""

import base64
import json
import math
from collections.abc import Iterable, Iterator
from graphlib import TopologicalSorter
from pathlib import Path
from typing import Any

from core.store.database import in_words, quoted, read_tolerantly
from core.store.reader_and_writer import Reader
from core.store.sidecar_file import BESIDE, JOURNALED

FORMAT, VERSION = "constellation-bundle", 1
NOT_GIVEN = frozenset({"graph_identity", "umap_cache", "schema_migrations",
                       "schema_migrations_audit", "api_keys"})
"""What belongs to one file and no other: who it is, what was computed for it, who may enter."""
_TABLES = """
SELECT t.name FROM pragma_table_list t WHERE t.schema = 'main' AND t.type = 'table'
  AND t.name NOT LIKE 'sqlite\\_%' ESCAPE '\\' AND NOT EXISTS (
    SELECT 1 FROM pragma_table_list v WHERE v.schema = 'main' AND v.type = 'virtual'
      AND substr(t.name, 1, length(v.name) + 1) = v.name || '_')
ORDER BY t.name"""
_PARENTS = """
SELECT f."from" AS child, f."table" AS parent, f."to" AS key
FROM pragma_foreign_key_list(:table, 'main') f ORDER BY f.id"""
_AGENT = "agent_id"
_OWNED_BY = {"memory_history": ("memory_id", "memories"),
             "session_summary_memories": ("summary_id", "session_summaries")}
"""Rows that belong to another table's without a foreign key that says so."""

Line = dict[str, Any]


def bundle_lines(reader: Reader, agent: str | None) -> Iterator[Line]:
    """The lines of a bundle: one that says what it is, then one for each row.

    Args:
        agent: the agent whose rows to give; None for those of every agent.
    """
    tables = {table: _rows_of(reader, table, agent)
              for table in parents_first(reader, _tables(reader))}
    if reader.sidecar:
        tables |= {name: _kept_beside(reader, table, agent)
                   for name, table in _beside(reader).items()}
    counts = {table: reader.value(f"SELECT COUNT(*) FROM {source}", of=agent)
              for table, source in tables.items() if source}
    yield {"format": FORMAT, "version": VERSION, "kind": reader.kind, "agent": agent,
           "tables": {table: count for table, count in counts.items() if count}}
    for table, source in tables.items():
        if source and counts[table]:
            for row in _raw_rows(reader, source, agent):
                yield {"table": table, "row": row}


def write_bundle(reader: Reader, path: Path, agent: str | None) -> None:
    """Write the lines of a bundle as UTF-8."""
    with path.open("w", encoding="utf-8", newline="\n") as stream:
        for line in bundle_lines(reader, agent):
            stream.write(json.dumps(line, ensure_ascii=False, separators=(",", ":")) + "\n")


def unpacked(value: object) -> object:
    """What a cell of a bundle stands for: bytes and endless numbers are named, the rest is plain.

    Raises ValueError for a cell that no bundle has.
    """
    match value:
        case {"base64": str(words), **rest} if not rest:
            return base64.b64decode(words, validate=True)
        case {"number": str(words), **rest} if not rest:
            return float(words)
        case None | str() | int() | float():
            return value
    raise ValueError("is no value of a row")


def _packed(value: object) -> object:
    if isinstance(value, bytes):
        return {"base64": base64.b64encode(value).decode()}
    if isinstance(value, float) and not math.isfinite(value):
        return {"number": str(value)}
    return value


def _tables(reader: Reader) -> list[str]:
    """The file's own tables: without full text, which is made of them, and what is of this file."""
    return [row["name"] for row in reader.rows(_TABLES) if row["name"] not in NOT_GIVEN]


def parents_first(reader: Reader, names: Iterable[str]) -> list[str]:
    """The tables, each after those that its rows refer to in this file."""
    parents = {name: {row["parent"] for row in reader.rows(_PARENTS, table=name)} - {name}
               for name in dict.fromkeys(names)}
    return [name for name in TopologicalSorter(parents).static_order() if name in parents]


def _rows_of(reader: Reader, table: str, agent: str | None, depth: int = 3) -> str:
    """A FROM clause for the rows of a table that are the agent's; empty where nothing tells."""
    home = f"{reader.stored(table)} AS t"
    if agent is None:
        return home
    columns = reader.columns(table)
    if table == "agents":
        return f"{home} WHERE t.id = :of"
    if _AGENT in columns:
        return f"{home} WHERE t.{_AGENT} = :of"
    parents = [(row["child"], row["parent"], row["key"] or "id")
               for row in reader.rows(_PARENTS, table=table)]
    if table in _OWNED_BY:
        parents.append((*_OWNED_BY[table], "id"))
    for child, parent, key in parents if depth else ():
        if (owner := _rows_of(reader, parent, agent, depth - 1)):
            return f"{home} WHERE t.{quoted(child)} IN (SELECT t.{quoted(key)} FROM {owner})"
    return ""


def _beside(reader: Reader) -> dict[str, str]:
    """Tables of the sidecar that say something of the graph, by the names that bundles give them.

    What a native graph has in itself goes by that table's name.
    """
    names = {table: name for name, table in BESIDE.items()}
    return {names.get(table, table): table for table in JOURNALED
            if not reader.has_table(names.get(table, table))}


def _kept_beside(reader: Reader, table: str, agent: str | None) -> str:
    home = f"side.{quoted(table)} AS t"
    if agent is None:
        return home
    if table == "muted_entities":
        return f"{home} WHERE t.entity_id IN (SELECT id FROM main.entities WHERE agent_id = :of)"
    if table == "places":
        return f"{home} WHERE t.id IN (SELECT id FROM main.entities WHERE agent_id = :of)"
    return f"{home} WHERE t.agent_id = :of"


def _raw_rows(reader: Reader, source: str, agent: str | None) -> Iterator[Line]:
    with in_words(reader.path):
        read_tolerantly(reader.connection)
        for row in reader.connection.execute(f"SELECT t.* FROM {source}", {"of": agent}):
            yield dict(zip(row.keys(), map(_packed, row), strict=True))
