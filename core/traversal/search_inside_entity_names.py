"""The names of an agent's active entities as one text, in which parts of words are looked for.

No index of SQLite finds what stands inside a name. To try each name anew for every question costs
as much as there are names; here they are read once after each change of the file, those that are
mentioned most first, and a search ends with the first that it needs.
"""

import math
from array import array
from collections.abc import Collection, Iterable, Sequence
from itertools import accumulate
from typing import NamedTuple

from core.queries.known_by_name import list_spellings
from core.queries.rows_to_model import text
from core.store.reader_and_writer import Reader

_BETWEEN = "\x1f"
"""Between the names of one entity: it has one spelling or more, and aliases."""
_MOST_KNOWN, _MOST_NAMES = 1000, 20_000
"""Words of which it is kept where they stand, and names that are kept apart from the others: many
questions have the same."""

# In one text each: to make a row of each name would take three times as long.
_NAMES = f"""
SELECT group_concat(place) AS places, group_concat(line, char(10)) AS lines FROM (
  SELECT n.rowid AS place, replace(CASE WHEN lower(n.name) = n.canonical_name
    THEN replace(n.canonical_name, char({ord(_BETWEEN)}), ' ')
    ELSE replace(lower(COALESCE(n.name, '')), char({ord(_BETWEEN)}), ' ')
    || char({ord(_BETWEEN)}) || lower(COALESCE(n.canonical_name, '')) END, char(10), ' ') AS line
  FROM {{entities}} n WHERE n.agent_id = :agent AND {{shown}}
  ORDER BY n.mentions DESC, n.name)"""
_ALIASES = """
SELECT n.rowid AS place, a.canonical_alias AS key, a.alias
FROM entity_aliases a CROSS JOIN entities n ON n.id = a.entity_id
WHERE a.agent_id = :agent AND a.status = 'active' AND +n.agent_id = :agent
  AND n.status = 'active' AND {kind}"""
_SPELLINGS = """
SELECT k.place, k.key, '' AS alias FROM temp.other_spellings k WHERE k.by_name = 0"""


class Held(NamedTuple):
    """Entities whose name or alias holds a word that was looked for: a list for each thing that is
    told of them, since they are often two hundred.

    Attributes:
        places: the numbers of their rows.
        names: their names in small letters.
        aliases: an alias of each that holds one of the words; empty without one.
    """

    places: list[int]
    names: list[str]
    aliases: list[str]


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
        self._known: dict[str, array[int]] = {}
        self._ended: set[str] = set()
        """Words that stand nowhere behind the lines that are known."""
        self._names: dict[int, str] = {}

    def _with_others(self, place: int, name: str) -> str:
        return _BETWEEN.join((name, *(key for key, _ in self._others.get(place, ()))))

    def holding(
        self, words: Sequence[str], most: int, without: Collection[int] = ()
    ) -> Held:
        """The first entities whose name or alias holds one of the words, but for some places."""
        lines = self._first_lines(words, most + len(without))
        if without:
            lines = [line for line in lines if self.places[line] not in without]
        return self._held(lines[:most], words)

    def count(self, word: str, most: int) -> int:
        """In how many of the lines a word stands, counted up to `most`."""
        return len(self._lines(word, most))

    def _held(self, lines: Sequence[int], words: Sequence[str]) -> Held:
        if len(self._names) > _MOST_NAMES:
            self._names.clear()
        known, every = self._names.get, self.places
        places = [every[line] for line in lines]
        return Held(places, [known(line) or self._name(line) for line in lines],
                    [self._alias(place, words) for place in places] if self._others
                    else [""] * len(places))

    def _alias(self, place: int, words: Sequence[str]) -> str:
        return max((alias for key, alias in self._others.get(place, ())
                    if any(word in key for word in words)), default="")

    def _name(self, line: int) -> str:
        start, end = self._starts[line], self._starts[line + 1] - 1
        name = self._names[line] = self._text[start:end].partition(_BETWEEN)[0]
        return name

    def _first_lines(self, words: Sequence[str], most: int) -> list[int]:
        """The first lines in which any of the words stands, at most so many.

        Words that are in as many names need be looked for only as far as all together are enough.
        """
        each = most // len(words) + 1
        while True:
            found = [self._lines(word, each) for word in words]
            last = min((lines[-1] for lines in found if len(lines) >= each), default=math.inf)
            lines = sorted(set().union(*found))
            if len(lines) >= most and lines[most - 1] <= last or each >= most or last == math.inf:
                return lines[:most]
            each = min(2 * each, most)

    def _lines(self, word: str, most: int) -> Sequence[int]:
        """The first lines in which a word stands, at most so many; known ones are gone on from."""
        if len(self._known) > _MOST_KNOWN:
            self._known.clear()
            self._ended.clear()
        lines = self._known.setdefault(word, array("q"))
        if len(lines) < most and word not in self._ended:
            self._go_on(word, lines, most)
        return lines[:most]

    def _go_on(self, word: str, lines: "array[int]", most: int) -> None:
        find, count, starts = self._text.find, self._text.count, self._starts
        line = lines[-1] + 1 if lines else 0
        here, missing = starts[line], most - len(lines)
        at = find(word, here)
        while at >= 0 and missing:
            line += count("\n", here, at)
            lines.append(line)
            missing -= 1
            line += 1
            here = starts[line]
            at = find(word, here)
        if at < 0:
            self._ended.add(word)


def name_list(reader: Reader, kind: str = "TRUE") -> NameList:
    """The names of the entities `n` that may be focal and meet a further condition, also of those
    that are muted beside the file."""
    return reader.once(f"names {reader.agent} {kind}", lambda: _read(reader, kind))


def _read(reader: Reader, kind: str) -> NameList:
    others = reader.rows(_ALIASES.format(kind=kind))
    entities, shown = "entities", ["n.status = 'active'", "n.muted = 0"]
    if reader.kind != "native":
        # The file's own table is read in a fifth of the time; what it spells otherwise is a list.
        stored = list_spellings(reader)
        others += reader.rows(_SPELLINGS)
        if stored and not reader.hidden:
            entities = reader.stored("entities", "rowid, *")
        shown = [each for each, column in zip(shown, ("status", "muted"), strict=True)
                 if reader.has_column("entities", column)]
    names = reader.rows(_NAMES.format(entities=entities, shown=" AND ".join((*shown, kind))))[0]
    return NameList(text(names["places"]), text(names["lines"]), (
        (row["place"], text(row["key"]), text(row["alias"])) for row in others))
