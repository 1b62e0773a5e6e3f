"""The names of an agent's active entities as one text, in which parts of words are looked for.

No index of SQLite finds what stands inside a name. To try each name anew for every question costs
as much as there are names; here they are read once after each change of the file, those that are
mentioned most first, and a search ends with the first that it needs.
"""

import math
from array import array
from collections.abc import Collection, Iterable, Sequence
from itertools import accumulate

from msgspec import Struct, field

from core.queries.known_by_name import list_spellings
from core.queries.rows_to_model import text
from core.store.reader_and_writer import Reader
from core.traversal.shared_words import Word, word_of

_BETWEEN = "\x1f"
"""Between the names of one entity: it has one spelling or more, and aliases."""
_MOST_KNOWN = 1000
"""Words of which it is kept where they stand: many questions have the same."""
_BEYOND = 10
"""Names with a word that are looked for beyond an equal share of all."""

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


class _Found(Struct):
    """Where a word stands, as far as it has been looked for.

    Attributes:
        lines: the lines that hold it, in order.
        starts: where it begins in each of them.
        sharing: those of them whose name shares it (`Word.is_in`).
        judged: how many of the lines have been asked for that.
        ended: True if it stands nowhere behind them.
    """

    lines: "array[int]" = field(default_factory=lambda: array("q"))
    starts: "array[int]" = field(default_factory=lambda: array("q"))
    sharing: "array[int]" = field(default_factory=lambda: array("q"))
    judged: int = 0
    ended: bool = False


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
        self._accented = frozenset() if self._text.isascii() else frozenset(
            n for n, name in enumerate(names) if not name.isascii())
        self._is_plain = self._text.isascii() and _BETWEEN not in self._text
        self._known: dict[str, _Found] = {}

    def _with_others(self, place: int, name: str) -> str:
        return _BETWEEN.join((name, *(key for key, _ in self._others.get(place, ()))))

    def holding(
        self, words: Sequence[str], most: int, without: Collection[int] = ()
    ) -> list[int]:
        """The first lines in which one of the words stands, in a name or an alias, but for those
        of some places."""
        self._forget()
        lines = self._first_lines(words, most + len(without))
        if without:
            lines = [line for line in lines if self.places[line] not in without]
        return lines[:most]

    def sharing(self, word: str, lines: frozenset[int], *, held: bool) -> frozenset[int]:
        """Those of the lines whose name shares a word with the question, or begins with it.

        Args:
            held: the lines come from `holding` with this word, so that it is known where it is.
        """
        asked = word_of(word)
        if not (held and asked.is_whole):
            return frozenset(line for line in lines if asked.is_in(self.name(line), prefixes=True))
        found = self._known[word]
        self._judge(asked, found)
        shared = lines.intersection(found.sharing)
        if not self._accented:
            return shared
        # Without accents a word may be in a name in which it does not stand.
        return shared.union(line for line in self._accented.intersection(lines)
                            if asked.is_in(self.name(line), prefixes=True))

    def _judge(self, word: Word, found: _Found) -> None:
        """Ask the lines that were found since the last time whether their names share the word:
        nearly always it is enough to look at the signs before and after it."""
        text, size = self._text, len(word.text)
        for line, at in zip(found.lines[found.judged:], found.starts[found.judged:], strict=True):
            if (self._is_plain and not text[at - 1].isalnum()
                    and (word.begins or not text[at + size:at + size + 1].isalnum())
                    or word.is_in(self.name(line), prefixes=True)):
                found.sharing.append(line)
        found.judged = len(found.lines)

    def count(self, word: str, most: int) -> int:
        """In how many of the lines a word stands, counted up to `most`."""
        self._forget()
        return len(self._lines(word, most))

    def _forget(self) -> None:
        if len(self._known) > _MOST_KNOWN:
            self._known.clear()

    def name(self, line: int) -> str:
        """The name in a line, in small letters."""
        return self._text[self._starts[line]:self._starts[line + 1] - 1].partition(_BETWEEN)[0]

    def alias(self, line: int, words: Sequence[str]) -> str:
        """An alias of the entity in a line that holds one of the words; empty without one."""
        return max((alias for key, alias in self._others.get(self.places[line], ())
                    if any(word in key for word in words)), default="")

    def _first_lines(self, words: Sequence[str], most: int) -> list[int]:
        """The first lines in which any of the words stands, at most so many.

        Words that are in as many names need be looked for only as far as all together are enough.
        """
        each = min(most // len(words) + _BEYOND, most)
        while True:
            found = [self._lines(word, each) for word in words]
            last = min((lines[-1] for lines in found if len(lines) >= each), default=math.inf)
            lines = sorted(set().union(*found))
            if len(lines) >= most and lines[most - 1] <= last or each >= most or last == math.inf:
                return lines[:most]
            each = min(2 * each, most)

    def _lines(self, word: str, most: int) -> Sequence[int]:
        """The first lines in which a word stands, at most so many; known ones are gone on from."""
        if (found := self._known.get(word)) is None:
            found = self._known[word] = _Found()
        if len(found.lines) < most and not found.ended:
            self._go_on(word, found, most - len(found.lines))
        return found.lines[:most]

    def _go_on(self, word: str, found: _Found, missing: int) -> None:
        find, count, starts = self._text.find, self._text.count, self._starts
        line = found.lines[-1] + 1 if found.lines else 0
        here = starts[line]
        at = find(word, here)
        while at >= 0 and missing:
            line += count("\n", here, at)
            found.lines.append(line)
            found.starts.append(at)
            missing -= 1
            line += 1
            here = starts[line]
            at = find(word, here)
        found.ended = at < 0


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
