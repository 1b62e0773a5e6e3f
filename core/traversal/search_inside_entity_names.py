"""The names of an agent's active entities as one text, in which parts of words are looked for.

No index of SQLite finds what stands inside a name. To try each name anew for every question costs
as much as there are names; here they are read once after each change of the file, those that are
mentioned most first, and a search ends with the first that it needs.
"""

from array import array
from bisect import bisect_right
from collections.abc import Iterable, Iterator, Sequence
from heapq import merge
from itertools import accumulate

from core.queries.known_by_name import list_spellings
from core.queries.rows_to_model import text
from core.store.reader_and_writer import Reader

_BETWEEN = "\x1f"
"""Between the names of one entity: it has one spelling or more, and aliases."""

# In one text each: to make a row of each name would take three times as long.
_NAMES = f"""
SELECT group_concat(place) AS places, group_concat(line, char(10)) AS lines FROM (
  SELECT n.rowid AS place, replace(CASE WHEN lower(n.name) = n.canonical_name
    THEN n.canonical_name ELSE lower(COALESCE(n.canonical_name, '')) || char({ord(_BETWEEN)})
    || lower(COALESCE(n.name, '')) END, char(10), ' ') AS line
  FROM {{entities}} n WHERE n.agent_id = :agent AND {{active}} AND {{kind}}
  ORDER BY n.mentions DESC, n.name)"""
_ALIASES = """
SELECT n.rowid AS place, a.canonical_alias AS key, a.alias
FROM entity_aliases a CROSS JOIN entities n ON n.id = a.entity_id
WHERE a.agent_id = :agent AND a.status = 'active' AND +n.agent_id = :agent
  AND n.status = 'active' AND {kind}"""
_SPELLINGS = """
SELECT k.place, k.key, '' AS alias FROM temp.other_spellings k WHERE k.by_name = 0"""


class NameList:
    """Names in the order of their entities' mentions, a line for each entity.

    Attributes:
        places: the row numbers of the entities, in order.
    """

    def __init__(self, places: str, lines: str, others: Iterable[tuple[int, str, str]]) -> None:
        self.places = array("q", map(int, places.split(",") if places else ()))
        names = lines.split("\n") if places else []
        self._others: dict[int, list[tuple[str, str]]] = {}
        for place, key, alias in others:
            self._others.setdefault(place, []).append((key.replace("\n", " "), alias))
        if self._others:
            names = [self._with_others(place, name)
                     for place, name in zip(self.places, names, strict=True)]
        self._starts = array("q", accumulate((len(name) + 1 for name in names), initial=0))
        self._text = "\n".join(names)

    def _with_others(self, place: int, name: str) -> str:
        return _BETWEEN.join((name, *(key for key, _ in self._others.get(place, ()))))

    def holding(self, words: Sequence[str]) -> Iterator[tuple[int, str]]:
        """The entities whose name or alias holds one of the words, each with such an alias."""
        last = -1
        for line in merge(*map(self._lines, words)):
            if line != last:
                last, place = line, self.places[line]
                yield place, max((alias for key, alias in self._others.get(place, ())
                                  if any(word in key for word in words)), default="")

    def count(self, word: str, most: int) -> int:
        """In how many of the lines a word stands, counted up to `most`."""
        return sum(1 for _, _ in zip(range(most), self._lines(word), strict=False))

    def _lines(self, word: str) -> Iterator[int]:
        at = self._text.find(word)
        while at >= 0:
            line = bisect_right(self._starts, at) - 1
            yield line
            at = self._text.find(word, self._starts[line + 1])


def name_list(reader: Reader, kind: str = "TRUE") -> NameList:
    """The names of the entities `n` that meet a further condition."""
    return reader.once(f"names {reader.agent} {kind}", lambda: _read(reader, kind))


def _read(reader: Reader, kind: str) -> NameList:
    others = reader.rows(_ALIASES.format(kind=kind))
    entities, active = "entities", "n.status = 'active'"
    if reader.kind != "native":
        # The file's own table is read in a fifth of the time; what it spells otherwise is a list.
        stored = list_spellings(reader)
        others += reader.rows(_SPELLINGS)
        entities = "main.entities" if stored else entities
        active = active if reader.has_column("entities", "status") else "TRUE"
    names = reader.rows(_NAMES.format(entities=entities, active=active, kind=kind))[0]
    return NameList(text(names["places"]), text(names["lines"]), (
        (row["place"], text(row["key"]), text(row["alias"])) for row in others))
