"""The SQL that finds entities by name, alias and fact."""

from core.model.names import canonical
from core.queries.search_patterns import full_text, like, needs_substring, starts_with
from core.store.handles import Reader

FACTS = 4000
"""Matching facts that are looked at, so that a common word costs no more than a rare one."""

_NAMED = """
SELECT f.rowid FROM entities_fts f WHERE entities_fts MATCH :query"""

_NAMED_LIKE = """
SELECT n.rowid FROM entities n WHERE n.agent_id = :agent AND {holds}"""

_ALIASED = """
SELECT n.rowid FROM entity_aliases a CROSS JOIN entities n ON n.id = a.entity_id
WHERE a.agent_id = :agent AND a.status = 'active' AND {holds}"""

_TOLD = """
SELECT s.entity_id AS id, v.id AS fact
FROM attributes_fts f CROSS JOIN entity_attributes v ON v.rowid = f.rowid
CROSS JOIN entity_aspects s ON s.id = v.aspect_id
WHERE attributes_fts MATCH :query AND +v.agent_id = :agent AND +v.status = 'active'
  AND +s.status = 'active' LIMIT :facts"""

_TOLD_LIKE = """
SELECT s.entity_id AS id, v.id AS fact
FROM entity_attributes v CROSS JOIN entity_aspects s ON s.id = v.aspect_id
WHERE v.agent_id = :agent AND v.status = 'active' AND +s.status = 'active' AND {holds}
LIMIT :facts"""


class Search:
    """One search of one reader: every word must begin a word of a name, an alias or a fact.

    Full text is asked where the file has it and can find the words, else LIKE.

    Attributes:
        named: condition on `entities e`: its name or an alias of it holds every word. It is
            checked along the order of the list, so a word that all names hold costs no more
            than one that none holds.
        told: a table `(id, fact)`: entities with an active fact that holds every word.
        parameters: what both need bound.
    """

    def __init__(self, reader: Reader, words: tuple[str, ...]) -> None:
        self.parameters: dict[str, object] = {
            "exact": canonical(" ".join(words)), "query": full_text(words), "facts": FACTS,
        }
        plain = needs_substring(words)
        names = _NAMED
        if plain or not reader.has_table("entities_fts"):
            # The name as it is, too: old files lack some canonical names, and SQLite itself
            # knows the small letters of ASCII only.
            holds = self._anywhere("n.canonical_name", words)
            names = _NAMED_LIKE.format(holds=f"({holds} OR {self._as_typed('n.name', words)})")
        aliases = _ALIASED.format(holds=self._at_word("(' ' || a.canonical_alias)", words))
        self.named = f"+e.rowid IN ({names} UNION {aliases})"
        facts = _TOLD
        if plain or not reader.has_table("attributes_fts"):
            facts = _TOLD_LIKE.format(holds=self._anywhere("v.normalized_content", words))
        self.told = f"(SELECT id, MIN(fact) AS fact FROM ({facts}) GROUP BY id)"

    def _anywhere(self, column: str, words: tuple[str, ...]) -> str:
        return self._all(column, "any", [like(word.lower()) for word in words])

    def _as_typed(self, column: str, words: tuple[str, ...]) -> str:
        return self._all(column, "typed", [like(word) for word in words])

    def _at_word(self, column: str, words: tuple[str, ...]) -> str:
        return self._all(column, "begin", ["% " + starts_with(word.lower()) for word in words])

    def _all(self, column: str, name: str, patterns: list[str]) -> str:
        self.parameters |= {f"{name}{n}": pattern for n, pattern in enumerate(patterns)}
        return " AND ".join(f"{column} LIKE :{name}{n} ESCAPE '\\'" for n in range(len(patterns)))
