"""Notes what of the records of a file could not be taken, became one, or is kept aside."""

from collections import Counter
from collections.abc import Iterable, Sequence

from msgspec import Struct

from core.model.ingest_results import MergedName
from core.model.names import canonical, storable
from core.model.secret_wording import FoundSecret, kinds_of_secrets
from core.model.text_formatting import one_line
from core.store import disk_backed_collections
from core.store.disk_backed_collections import LongDict, LongList, TemporaryDatabase
from core.transfer.damaged_json import Partial, TooDeep
from core.transfer.line_places import Places
from core.transfer.mcp_records import KEPT, TOO_DEEP, McpProblem
from core.transfer.record_field_reader import Fields, as_json

_OF_ONE_LINE = 100
"""Problems of one field of one line that are listed; the rest is counted."""


class _KeptField(Struct):
    """A field that nothing takes: its name, the first line that has it, how many have."""

    name: str
    line: int
    count: int = 0


def problem_list(database: TemporaryDatabase | None = None) -> LongList[McpProblem]:
    """An empty list of problems or remarks, that can be sorted by their lines."""
    return LongList(database or TemporaryDatabase(), McpProblem, lambda each: each.line)


def by_line(*lists: Iterable[McpProblem]) -> Sequence[McpProblem]:
    """Several lists as one, sorted by line."""
    every = problem_list()
    for some in lists:
        every.extend(some)
    return every.in_order()


class RecordNotes:
    """What is said of the records of one file."""

    def __init__(self, database: TemporaryDatabase, *, is_text: bool = False) -> None:
        """Nothing yet.

        Args:
            is_text: the lines of a fact are lines of the file.
        """
        self._is_text = is_text
        self._problems, self._remarks = problem_list(database), problem_list(database)
        self._counts: Counter[tuple[int, str]] = Counter()
        """How many problems a field of a line has."""
        self._merged = LongDict(database, MergedName)
        self._kept = LongDict(database, _KeptField)
        self._secrets: dict[tuple[int, int, int, str], str] = {}
        """By the number of an entity, line, number of the observation and kind of secret its name.
        """

    def problem(self, line: int, where: str, what: str) -> None:
        """Note what could not be taken; of very many of one line only how many there are."""
        if len(self._counts) > disk_backed_collections.IN_MEMORY:
            self._tell_counts(line)
        self._counts[line, where] += 1
        if self._counts[line, where] <= _OF_ONE_LINE:
            self._problems.append(McpProblem(line, where, storable(what)))

    def is_listed(self, line: int, where: str) -> bool:
        """Count one more problem, without its words where there are many of them already."""
        many = self._counts[line, where] >= _OF_ONE_LINE
        self._counts[line, where] += many
        return many

    def _tell_counts(self, but: int = 0) -> None:
        """Say of which fields there are more problems than are listed, except for one line."""
        for (line, where), count in self._counts.items():
            if count > _OF_ONE_LINE and line != but:
                self._problems.append(McpProblem(
                    line, where, f"and {count - _OF_ONE_LINE:,} more like these"))
        self._counts = Counter({at: count for at, count in self._counts.items() if at[0] == but})

    def remark(self, line: int, where: str, what: str) -> None:
        """Note what is taken, but not as it stands there."""
        self._remarks.append(McpProblem(line, where, storable(what)))

    def keep_rest(self, line: int, fields: Fields, **more: object) -> str:
        """The fields that nothing has taken as JSON, noted by their names; empty for none."""
        rest = dict(more)
        for name, value in fields.left():
            if isinstance(value, TooDeep | Partial) or as_json({name: value}) is None:
                self.problem(line, storable(name), TOO_DEEP)
            else:
                rest[name] = value
                self._note_kept(line, storable(name))
        return as_json(rest) or "" if rest else ""

    def _note_kept(self, line: int, name: str) -> None:
        kept = self._kept.get(name) or self._kept.add(name, _KeptField(name, line))
        kept.count += 1

    def merge(self, name: str, into: str, kind: str, kind_kept: str, line: int) -> None:
        """Say once that a name is an earlier one, spelled otherwise or with another type."""
        if name == into and kind in ("", kind_kept):
            return
        lost = kind if kind and canonical(kind) != canonical(kind_kept) else ""
        if not lost and name.split() == into.split():
            return
        key = f"{name}\0{lost}"
        if self._merged.get(key) is None:
            self._merged.add(key, MergedName(
                name, into, lost, kind_kept if lost else "", line=line))

    def secret(
        self, number: int, name: str, line: int, text: str, observation: int = 0
    ) -> None:
        """Note what a text of an entity, of this number, looks like, and where.

        Args:
            observation: which of its record it is, from 1; 0 where that is the only one.
        """
        kinds = kinds_of_secrets(text)
        if not kinds:
            return
        lines = text.split("\n") if self._is_text else ()
        places = {(line + below, kind): None for below, words in enumerate(lines)
                  for kind in kinds_of_secrets(words)}
        for at, kind in places or dict.fromkeys((line, kind) for kind in kinds):
            self._secrets.setdefault((number, at, observation, kind), name)

    def secrets(self, places: Places) -> tuple[FoundSecret, ...]:
        """What looks like a key or a password, in the order of the entities."""
        found = sorted(self._secrets.items(), key=lambda each: each[0][0])
        return tuple(dict.fromkeys(
            FoundSecret(f"“{one_line(name, 60)}”, {places.where(line)}"
                        f"{f', observation {which:,}' if which else ''}", kind)
            for (_, line, which, kind), name in found))

    def problems(self) -> Sequence[McpProblem]:
        """What could not be taken over, by line."""
        self._tell_counts()
        return self._problems.in_order()

    def remarks(self) -> Sequence[McpProblem]:
        """What became one with something else, and the fields kept as source data, by line."""
        return by_line(self._remarks, (
            McpProblem(each.line, each.name, KEPT + (
                f" ({each.count:,} records)" if each.count > 1 else ""))
            for each in self._kept.values()))

    def merged(self) -> Sequence[MergedName]:
        """Which names became one, in the order of the file."""
        return self._merged.values()
