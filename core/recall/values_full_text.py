"""A full text of the values that no memory says, kept in step with the file by each connection.

No full text of the file knows them. They are few in most files, but may be all values of a large
one: so they are listed newest first, in steps between which the clock is looked at, and after a
change of the file only what differs is written. A question that has no time left searches what is
listed so far, and the next one goes on from there.
"""

from collections.abc import Sequence

import numpy as np
from msgspec import Struct

from core.errors import DeadlinePassed
from core.model.search_words import Term, cores
from core.queries.entity_search import like
from core.recall.keyword import Rows, WordMatches, full_text_query, row_numbers, spellings
from core.store.reader_and_writer import Reader

AT_ONCE = 2_000
"""Values that are looked at between two looks at the clock; some ten milliseconds."""

# A row number is twice the value's, and one more for a value in force.
_TABLES = ("""
CREATE VIRTUAL TABLE IF NOT EXISTS temp.untold_values USING fts5(
  content, tokenize='unicode61 remove_diacritics 2')""", """
CREATE TEMP TABLE IF NOT EXISTS untold_now (place INTEGER PRIMARY KEY, content TEXT NOT NULL)""")
_FIRST = """
SELECT MIN(place) FROM (SELECT v.rowid AS place FROM entity_attributes v
  WHERE v.rowid < :before ORDER BY v.rowid DESC LIMIT :most)"""
_STEP = ("DELETE FROM temp.untold_now", """
INSERT INTO temp.untold_now SELECT 2 * v.rowid + (v.status = 'active'),
  e.name || ' ' || s.name || ' ' || COALESCE(v.claim_key, '') || ' ' || v.content
FROM entity_attributes v CROSS JOIN entity_aspects s ON s.id = v.aspect_id
CROSS JOIN entities e ON e.id = s.entity_id
WHERE v.rowid >= :first AND v.rowid < :before AND +v.agent_id = :agent
  AND v.status IN (SELECT value FROM json_each(:listed))
  AND s.status = 'active' AND e.status = 'active'
  AND NOT EXISTS (SELECT 1 FROM memories m WHERE m.id = v.id)
  AND NOT EXISTS (SELECT 1 FROM memories m WHERE m.id = v.memory_id)""", """
DELETE FROM temp.untold_values WHERE rowid IN (SELECT rowid FROM (
  SELECT u.rowid, u.content FROM temp.untold_values u
  WHERE u.rowid >= 2 * :first AND u.rowid < 2 * :before
  EXCEPT SELECT place, content FROM temp.untold_now))""", """
INSERT INTO temp.untold_values (rowid, content) SELECT place, content FROM temp.untold_now
WHERE place NOT IN (SELECT u.rowid FROM temp.untold_values u
  WHERE u.rowid >= 2 * :first AND u.rowid < 2 * :before)""")
_HOLDING = """
SELECT group_concat(u.rowid) FROM temp.untold_values u WHERE {holds} AND u.rowid >= 2 * :first"""
_HIGHEST = 1 << 61


class _Listing(Struct):
    """How far the list is true to the file: down to the value of row number `first`."""

    agent: str
    first: int = _HIGHEST
    done: bool = False


def list_values(reader: Reader, *, past: bool = False) -> bool:
    """List the values as far as there is time; True if that is all of them.

    Args:
        past: superseded values are asked for, too; a native file lists no others.
    """
    if reader.kind == "native" and not past:
        return True
    return _listed(reader).done


def matching_values(
    reader: Reader, terms: Sequence[Term], *, past: bool, most: int
) -> list[int]:
    """The row numbers of the values that hold the most words, the newest of equals."""
    if reader.kind == "native" and not past:
        return []  # Each value in force has a memory there.
    listing = _listed(reader)
    with reader.uninterrupted():
        if not reader.value("SELECT 1 FROM temp.untold_values u LIMIT 1"):
            return []  # As in most files: each value has its memory.
    try:
        rows = tuple(_holding(reader, term, listing.first) for term in terms)
    except DeadlinePassed:
        return []
    if not past:
        rows = tuple(places[places % 2 == 1] for places in rows)
    matches = WordMatches(tuple(terms), tuple(places // 2 for places in rows), (1.0,) * len(rows))
    return [int(row) for row in matches.best(most)]


def _listed(reader: Reader) -> _Listing:
    """The list, brought on as far as there is time."""
    listing = reader.once("untold values", lambda: _begun(reader))
    if listing.agent != reader.agent:
        listing.agent, listing.first, listing.done = reader.agent, _HIGHEST, False
    while not listing.done and not reader.out_of_time:
        # A statement that writes is not stopped halfway: that would end the whole transaction.
        with reader.uninterrupted(), reader.noting():
            _step(reader, listing)
    return listing


def _begun(reader: Reader) -> _Listing:
    with reader.uninterrupted():
        for statement in _TABLES:
            reader.rows(statement)
    return _Listing(reader.agent)


def _step(reader: Reader, listing: _Listing) -> None:
    first = reader.value(_FIRST, before=listing.first, most=AT_ONCE)
    statuses = ["superseded"] if reader.kind == "native" else ["active", "superseded"]
    lowest = -_HIGHEST if first is None else int(first)
    for statement in _STEP:
        reader.rows(statement, first=lowest, before=listing.first, listed=statuses)
    listing.first, listing.done = lowest, first is None


def _holding(reader: Reader, term: Term, first: int) -> Rows:
    """The rows of the list that hold a word, in order."""
    if term.anywhere:
        patterns = {f"t{n}": like(text) for n, text in enumerate(sorted(
            {text for core in cores(term.forms) for text in spellings(core)}))}
        holds = " OR ".join(f"u.content LIKE :{name} ESCAPE '\\'" for name in patterns)
        numbers = reader.value(_HOLDING.format(holds=f"({holds})"), first=first, **patterns)
    else:
        with reader.uninterrupted():  # Quick: late, too, what is listed so far is searched.
            numbers = reader.value(_HOLDING.format(holds="untold_values MATCH :query"),
                                   first=first, query=full_text_query(term))
    return np.sort(row_numbers(numbers))
