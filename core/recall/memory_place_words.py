"""The words of a memory's place in the graph: the entity, aspect, claim and value that it states.

"Postgres 16.9 in production" says neither "database" nor "version", nor that Harbor Ledger uses it.
The graph does: it is the value of a version of Postgres, the one database, part of Harbor Ledger.
A value may be worded in another way than the memory that it was drawn from.
"""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache, partial
from typing import NamedTuple

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
SELECT v.memory_id, replace(COALESCE(v.claim_key, ''), '_', ' ') AS claim, a.name AS aspect,
  e.name || ' ' || COALESCE(e.description, '') || ' ' || v.content || ' ' || COALESCE((
    SELECT group_concat(k.alias, ' ') FROM entity_aliases k
    WHERE k.entity_id = e.id AND k.agent_id = :agent AND k.status = 'active'), '') AS entity,
  e.id AS entity_id
FROM entity_attributes v JOIN entity_aspects a ON a.id = v.aspect_id
JOIN entities e ON e.id = a.entity_id
WHERE {resting} AND +v.agent_id = :agent
  AND (+v.status = 'active' OR :past AND +v.status = 'superseded')"""


class _Place(NamedTuple):
    """The place of a value: `entity` is what the entity is called and described by, and the value.
    """

    claim: str
    aspect: str
    entity: str
    entity_id: str

    @property
    def heading(self) -> str:
        return f"{self.claim} {self.aspect}"


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
    places = _of(reader, (memory.id for memory in every), past=past)
    said = np.zeros((len(matches.terms), len(every)))
    for column, memory in enumerate(every):
        own = places.get(memory.id, ())
        if not own:
            continue
        if len(own) > MOST_VALUES:
            known, joined = _spoken(" ".join(place.claim for place in own))
        else:
            whole = walked[memory.id][1].belongs if memory.id in walked else ""
            linked = (word for place in own for word in called.get(place.entity_id, ()))
            known, joined = _spoken(" ".join((
                *(f"{place.heading} {place.entity}" for place in own), whole, *linked)))
        for number, term in enumerate(matches.terms):
            said[number, column] = term.is_in(known, joined)
    return said


def headings(reader: Reader, ids: Iterable[str], *, past: bool = False) -> dict[str, str]:
    """Under which claims and aspects memories stand, by their ids: `birthday` says what the text
    below it, “3 May 1988”, is."""
    return {id: " ".join(place.heading for place in own[:MOST_VALUES])
            for id, own in _of(reader, ids, past=past).items()}


def _of(reader: Reader, ids: Iterable[str], *, past: bool) -> Mapping[str, list[_Place]]:
    """By memory the place of each value that rests on it; looked for once after each change."""
    return reader.each_once(f"places for {reader.agent}, {past=}", ids,
                            partial(_read, reader, past))


def _read(reader: Reader, past: bool, ids: list[str]) -> Mapping[str, list[_Place]]:
    places: dict[str, list[_Place]] = defaultdict(list)
    statement = _PLACES.format(resting=resting_on(reader, "v", "SELECT value FROM json_each(:ids)"))
    for memory_id, claim, aspect, entity, entity_id in reader.rows(statement, ids=ids, past=past):
        places[memory_id].append(_Place(text(claim), text(aspect), text(entity), entity_id))
    return places


@lru_cache(maxsize=10_000)
def _spoken(place: str) -> tuple[frozenset[str], str]:
    """The words of a place, as a set and in order: places come again with each question."""
    spoken = words(place)
    return frozenset(spoken), " ".join(spoken)
