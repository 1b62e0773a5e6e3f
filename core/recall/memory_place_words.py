"""The words of a memory's place in the graph: the entity, aspect, claim and value that it states.

"Postgres 16.9 in production" says neither "database" nor "version", nor that Harbor Ledger uses it.
The graph does: it is the value of a version of Postgres, the one database, part of Harbor Ledger.
A value may be worded in another way than the memory that it was drawn from.
"""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from functools import lru_cache, partial

import numpy as np

from core.model.search_words import words
from core.model.walk import WalkedMemory
from core.queries.rows_to_model import text
from core.queries.values_of_memories import resting_on
from core.recall.candidates import ScoredMemory
from core.recall.fuse import Scores
from core.recall.keyword import WordMatches
from core.store.reader_and_writer import Reader

MOST_VALUES = 3
"""A memory of more values is a summary, which names what each is about: of their places only the
keys of the claims count."""

NOBODY: Mapping[str, frozenset[str]] = {}

_PLACES = """
SELECT v.memory_id, replace(COALESCE(v.claim_key, ''), '_', ' ') AS claim,
  e.name || ' ' || COALESCE(e.description, '') || ' ' || a.name || ' ' || v.content AS place,
  e.id AS entity
FROM entity_attributes v JOIN entity_aspects a ON a.id = v.aspect_id
JOIN entities e ON e.id = a.entity_id
WHERE {resting} AND +v.agent_id = :agent
  AND (+v.status = 'active' OR :past AND +v.status = 'superseded')"""


def placed(
    reader: Reader, matches: WordMatches, every: Sequence[ScoredMemory],
    walked: Mapping[str, tuple[float, WalkedMemory]], *, past: bool = False,
    called: Mapping[str, frozenset[str]] = NOBODY,
) -> Scores:
    """For each term (row) and memory (column) 1 if its place in the graph says the term.

    Args:
        walked: what the walk brought, which says to what an entity belongs.
        past: former values of a memory are its places, too.
        called: by entity what links call it, which its place says, too.
    """
    places = reader.each_once(
        f"places for {reader.agent}, {past=}", (memory.id for memory in every),
        partial(_places, reader, past))
    said = np.zeros((len(matches.terms), len(every)))
    for column, memory in enumerate(every):
        own = places.get(memory.id, ())
        if not own:
            continue
        if len(own) > MOST_VALUES:
            known, joined = _spoken(" ".join(claim for claim, *_ in own))
        else:
            whole = walked[memory.id][1].belongs if memory.id in walked else ""
            linked = (word for *_, entity in own for word in called.get(entity, ()))
            known, joined = _spoken(" ".join((
                *(f"{claim} {place}" for claim, place, _ in own), whole, *linked)))
        for number, term in enumerate(matches.terms):
            said[number, column] = term.is_in(known, joined)
    return said


def _places(reader: Reader, past: bool, ids: list[str]) -> Mapping[str, list[tuple[str, str, str]]]:
    """By memory the claim, the place and the entity of each value that rests on it."""
    places: dict[str, list[tuple[str, str, str]]] = defaultdict(list)
    statement = _PLACES.format(resting=resting_on(reader, "v", "SELECT value FROM json_each(:ids)"))
    for row in reader.rows(statement, ids=ids, past=past):
        places[row["memory_id"]].append((text(row["claim"]), text(row["place"]), row["entity"]))
    return places


@lru_cache(maxsize=10_000)
def _spoken(place: str) -> tuple[frozenset[str], str]:
    """The words of a place, as a set and in order: places come again with each question."""
    spoken = words(place)
    return frozenset(spoken), " ".join(spoken)
