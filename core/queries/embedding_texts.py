"""Texts of the sky's things to embed, and the vectors already in the file."""

from collections.abc import Sequence

from core.queries.rows_to_model import MEMORY_VISIBLE, VALUE_ORDER
from core.store.reader_and_writer import Reader

FACTS = 12
"""Facts that speak for an entity: its most important active ones."""
LONGEST = 2000
"""Characters of one text that count; more would only be cut by the embedder."""

_ENTITIES = f"""
SELECT e.id, e.name, COALESCE(e.description, '') AS description,
  (SELECT group_concat(fact, '. ') FROM (
     SELECT substr(v.content, 1, 300) AS fact
     FROM (SELECT v.rowid AS place
           FROM entity_aspects a CROSS JOIN entity_attributes v ON v.aspect_id = a.id
           WHERE a.entity_id = e.id AND +a.agent_id = :agent AND a.status = 'active'
             AND v.status = 'active'
           ORDER BY {VALUE_ORDER} LIMIT -1) AS best
     CROSS JOIN entity_attributes v ON v.rowid = best.place
     WHERE v.agent_id = :agent LIMIT :facts)) AS facts
FROM (SELECT e.id FROM json_each(:ids) AS wanted JOIN entities e ON e.id = wanted.value
      ORDER BY e.rowid LIMIT -1) AS filed CROSS JOIN entities e ON e.id = filed.id
WHERE e.agent_id = :agent"""
"""In the order of the file, in which values that were written together lie on the same pages: in
another one each page of a large file is read time and again. An entity's values are put in order
by an index alone, and only the best are read. The limits keep SQLite to both.
"""

_MEMORIES = f"""
SELECT m.id, substr(m.content, 1, :longest) AS content
FROM json_each(:ids) AS wanted JOIN memories m ON m.id = wanted.value
WHERE {MEMORY_VISIBLE} ORDER BY wanted.key"""

_OF_ROWS = f"""
SELECT m.rowid AS place, substr(m.content, 1, :longest) AS content
FROM json_each(:rows) AS wanted CROSS JOIN memories m ON m.rowid = wanted.value
WHERE {MEMORY_VISIBLE}"""

_VECTORS = """
SELECT source_id, vector, dimensions, COALESCE(model, '') AS model FROM embeddings
WHERE source_type = :kind AND vector IS NOT NULL AND COALESCE(agent_id, 'default') = :agent
ORDER BY created_at, id"""


def entity_texts(reader: Reader, ids: Sequence[str]) -> dict[str, str]:
    """For each entity its name, description and most important facts as one text."""
    rows = reader.rows(_ENTITIES, ids=list(ids), facts=FACTS)
    return {r["id"]: ". ".join(t for t in (r["name"], r["description"], r["facts"]) if t)[:LONGEST]
            for r in rows}


def memory_texts(reader: Reader, ids: Sequence[str]) -> dict[str, str]:
    """The text of each memory."""
    return {r["id"]: r["content"]
            for r in reader.rows(_MEMORIES, ids=list(ids), longest=LONGEST)}


def texts_of_rows(reader: Reader, rows: Sequence[int]) -> dict[int, str]:
    """The texts of memories by their row numbers."""
    return {r["place"]: r["content"]
            for r in reader.rows(_OF_ROWS, rows=list(rows), longest=LONGEST)}


def stored_vectors(reader: Reader, kind: str = "memory") -> dict[str, tuple[bytes, int, str]]:
    """Stored vectors by source id: bytes, dimensions, model; the newest of each."""
    return {r["source_id"]: (r["vector"], r["dimensions"], r["model"])
            for r in reader.rows(_VECTORS, kind=kind)}


def texts_by_id(reader: Reader, ids: Sequence[str]) -> dict[str, str]:
    """Texts of values and memories, each cut to fit next to a dot of the sky."""
    rows = reader.rows(
        "SELECT v.id, substr(v.content, 1, 200) AS content FROM entity_attributes v "
        "WHERE v.agent_id = :agent AND v.id IN (SELECT value FROM json_each(:ids)) "
        "UNION ALL SELECT m.id, substr(m.content, 1, 200) FROM memories m "
        f"WHERE {MEMORY_VISIBLE} "
        "AND m.id IN (SELECT value FROM json_each(:ids))", ids=list(ids))
    return {r["id"]: r["content"] for r in rows}
