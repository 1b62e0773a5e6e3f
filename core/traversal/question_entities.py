"""Finds the entities that a question matches: by whole names, by words, by parts of words."""

from core.errors import ConstellationError, DeadlinePassed
from core.model.language import STOP_WORDS
from core.queries.names_in_text import names_in_text
from core.queries.rows import text
from core.queries.search import needs_substring
from core.store.database import Row
from core.store.handles import Reader
from core.traversal.focal_signals import COLUMNS, FocalMatch, Signals, holding, match_of, words_in
from core.traversal.query_words import words_of

LONGEST_NAME = 5
"""Words of a name that is looked for as a whole."""
MOST_NAMES = 2000
"""Stretches of a question that are looked up as names."""
COMMON = 1000
"""Names with a word from which it is too common to mean one of them by itself."""
LOOKED = 2000
"""Names that are ranked, so that no question takes longer in a larger graph."""
SHORTEST = 3
"""Letters of a word that is looked for inside names: shorter ones are in too many."""
PARTS = 3
"""Words that are looked for inside names, the longest: each is a pass over all of them."""
PARTS_ALONE = 12
"""The same where the file has no full text, so that this is the only way."""

# A whole name or alias that stands in the question.
_NAMED = f"""
SELECT {COLUMNS}, MAX(alias) AS alias, MAX(length(name_in_use)) AS size FROM (
  SELECT n.rowid AS place, '' AS alias, n.canonical_name AS name_in_use FROM entities n
  WHERE n.agent_id = :agent AND n.canonical_name IN (SELECT value FROM json_each(:names))
  UNION ALL
  SELECT n.rowid, a.alias, a.canonical_alias FROM entity_aliases a
  CROSS JOIN entities n ON n.id = a.entity_id
  WHERE a.agent_id = :agent AND a.status = 'active'
    AND a.canonical_alias IN (SELECT value FROM json_each(:names))
) CROSS JOIN entities e ON e.rowid = place WHERE {{filter}} AND +e.agent_id = :agent
GROUP BY e.id ORDER BY size DESC, e.mentions DESC, e.name LIMIT :limit"""

_HOW_COMMON = """
SELECT f.value AS word, (SELECT COUNT(*) FROM (
  SELECT 1 FROM entities_fts WHERE entities_fts MATCH f.value LIMIT :common)) AS names
FROM json_each(:words) f"""

_BY_WORD = f"""
SELECT {COLUMNS} FROM (
  SELECT rowid AS place, rank AS score FROM entities_fts
  WHERE entities_fts MATCH :query LIMIT :looked)
CROSS JOIN entities e ON e.rowid = place WHERE +e.agent_id = :agent AND {{filter}}
ORDER BY score, e.mentions DESC, e.name LIMIT :limit"""


def entities_in_question(
    reader: Reader, given: Signals, filter: str, limit: int, faults: list[str]
) -> list[FocalMatch]:
    """The entities that the question refers to.

    First those whose whole name or alias stands in it, then those whose name has one of its
    words, by rank; if there is none, those whose name holds part of a word. A full text that
    can't be asked is done without, and `faults` says so.
    """
    words, names = words_of(given.query), _whole_names(reader, given.query)
    if not words and not names:
        return []
    shown, indexed = filter.format(e="e"), reader.has_table("entities_fts")
    rows = reader.rows(_NAMED.format(filter=shown), names=names, limit=limit)
    matches = {row["id"]: match_of(row, row["alias"] or text(row["name"])) for row in rows}
    if words and indexed and len(matches) < limit:
        try:
            for row in _by_full_text(reader, words, shown, limit):
                matches.setdefault(row["id"], match_of(row, words_in(row, words)))
        except DeadlinePassed:
            raise
        except ConstellationError as error:
            # If it is the whole file that can't be read, looking through the names says so.
            indexed = False
            faults.append(f"The full-text index of names can't be read ({error.what.lower()});"
                          " the names were scanned instead")
    if not matches or not indexed:
        inside = [word for word in words if len(word) >= SHORTEST or needs_substring((word,))]
        inside.sort(key=len, reverse=True)
        for each in holding(reader, inside[:PARTS if indexed else PARTS_ALONE], filter, limit):
            matches.setdefault(each.id, each)
    return list(matches.values())[:limit]


def _whole_names(reader: Reader, question: str) -> list[str]:
    """The whole names and aliases that stand in the question, as names are compared."""
    return [name.key for name in names_in_text(
        reader, question, most_words=LONGEST_NAME, most=MOST_NAMES,
        wanted=lambda name: name.key not in STOP_WORDS)]


def _by_full_text(reader: Reader, words: tuple[str, ...], shown: str, limit: int) -> list[Row]:
    """Entities by full text, the best match first."""
    quoted = [f'"{word}"' for word in words]
    rows = reader.rows(_HOW_COMMON, words=quoted, common=COMMON + 1)
    common = [row["word"] for row in rows if row["names"] > COMMON]
    telling = [row["word"] for row in rows if 0 < row["names"] <= COMMON]
    if len(common) > 1:
        telling.append(f"({' AND '.join(common)})")
    for query in filter(None, (" OR ".join(telling), " OR ".join(common))):
        rows = reader.rows(_BY_WORD.format(filter=shown), query=query, looked=LOOKED, limit=limit)
        if rows:
            return rows
    return []
