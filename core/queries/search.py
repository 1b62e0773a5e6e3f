"""Builds the statement that finds entities by name, alias and fact."""

from core.model.names import canonical
from core.queries.matching import full_text, like, needs_substring, starts_with
from core.store.handles import Reader

FACTS = 4000
"""Matching facts that are looked at, so that a common word costs no more than a rare one."""

_NAMES_FULL_TEXT = """
SELECT e.id AS id, CASE WHEN e.canonical_name = :exact THEN 0 ELSE 1 END AS tier, NULL AS fact
FROM entities_fts f CROSS JOIN entities e ON e.rowid = f.rowid
WHERE entities_fts MATCH :query AND e.agent_id = :agent"""

_NAMES_LIKE = """
SELECT e.id AS id, CASE WHEN e.canonical_name = :exact THEN 0 ELSE 1 END AS tier, NULL AS fact
FROM entities e WHERE e.agent_id = :agent AND {matches}"""

_ALIASES = """
SELECT a.entity_id AS id, 1 AS tier, NULL AS fact FROM entity_aliases a
WHERE a.agent_id = :agent AND a.status = 'active' AND {matches}"""

_FACTS_FULL_TEXT = """
SELECT * FROM (
  SELECT s.entity_id AS id, 2 AS tier, v.id AS fact
  FROM attributes_fts f CROSS JOIN entity_attributes v ON v.rowid = f.rowid
  CROSS JOIN entity_aspects s ON s.id = v.aspect_id
  WHERE attributes_fts MATCH :query AND +v.agent_id = :agent AND +v.status = 'active'
    AND +s.status = 'active'
  LIMIT :facts)"""

_FACTS_LIKE = """
SELECT * FROM (
  SELECT s.entity_id AS id, 2 AS tier, v.id AS fact
  FROM entity_attributes v CROSS JOIN entity_aspects s ON s.id = v.aspect_id
  WHERE v.agent_id = :agent AND v.status = 'active' AND +s.status = 'active' AND {matches}
  LIMIT :facts)"""


def matches(reader: Reader, words: tuple[str, ...]) -> tuple[str, dict[str, object]]:
    """A common table `best(id, tier, fact)` of the entities that hold every word.

    Exact names come before other names and aliases, those before facts: `tier` 0, 1, 2. Full text
    is asked where the file has it, else LIKE. Returns the SQL and its parameters.
    """
    parameters: dict[str, object] = {
        "exact": canonical(" ".join(words)), "query": full_text(words), "facts": FACTS,
    }
    substring = needs_substring(words)
    parts = [
        _NAMES_LIKE.format(matches=_all("e.canonical_name", words, "like", parameters))
        if substring or not reader.has_table("entities_fts") else _NAMES_FULL_TEXT,
        _ALIASES.format(matches=_all("(' ' || a.canonical_alias)", words, "begin", parameters)),
        _FACTS_LIKE.format(matches=_all("v.normalized_content", words, "like", parameters))
        if substring or not reader.has_table("attributes_fts") else _FACTS_FULL_TEXT,
    ]
    found = "\nUNION ALL".join(parts)
    return (f"WITH found AS ({found}),\nbest AS (SELECT id, MIN(tier) AS tier,"
            " MIN(fact) AS fact FROM found GROUP BY id)", parameters)


def _all(column: str, words: tuple[str, ...], name: str, parameters: dict[str, object]) -> str:
    """`column` holds every word: anywhere for `like`, at the start of a word for `begin`."""
    terms = []
    for place, word in enumerate(words):
        key = f"{name}{place}"
        folded = word.lower()
        parameters[key] = like(folded) if name == "like" else "% " + starts_with(folded)
        terms.append(f"{column} LIKE :{key} ESCAPE '\\'")
    return " AND ".join(terms)
