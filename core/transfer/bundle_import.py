"""Takes a bundle into a graph: every row as it was, and not one more."""

import json
from collections import Counter, defaultdict
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from itertools import islice
from operator import itemgetter
from pathlib import Path
from typing import Any

from msgspec import Struct, field
from msgspec.structs import replace

from core.errors import OpenError
from core.model.names import canonical, name_key
from core.model.secret_wording import FoundSecret
from core.model.text_formatting import counted, one_line
from core.progress import Report, ignore
from core.store.database import quoted
from core.store.reader_and_writer import Writer
from core.transfer.bundle import FORMAT, NOT_GIVEN, VERSION, parents_first, unpacked
from core.transfer.import_report import ImportReport
from core.transfer.same_rows import REFERRED_TO, SameRows, rows_with
from core.transfer.secrets import note_secrets, texts_of_row

_AT_ONCE, _FIRST_LINE = 5_000, 4096
_AUDIT = "trg_entity_dependencies_audit_insert"
"""Notes each new link in the history of links, which a bundle brings along."""
_NUMBER = "seq"
"""The order of writing. It is given anew where rows are there already."""
_NUMBERS = frozenset({_NUMBER})
_OF_FILE = {"agents": frozenset({"created_at", "updated_at"})}
"""What differs in every file: where a row is in it, and when it first heard of its agents."""
_CANONICAL = {("entities", "canonical_name"): "name", ("entity_aspects", "canonical_name"): "name",
              ("entity_aliases", "canonical_alias"): "alias"}
"""What some files leave empty and others ask for: the key of a name."""

Line = dict[str, Any]


def is_bundle(beginning: bytes) -> bool:
    """True if a file begins as a bundle does."""
    first = beginning[:_FIRST_LINE].split(b"\n", 1)[0]
    return f'"format":"{FORMAT}"'.encode() in first.replace(b'": "', b'":"')


def read_bundle(path: Path | str, report: Report = ignore) -> "Bundle":
    """Check a bundle from the first line to the last; raises OpenError with the line of a fault."""
    bundle = Bundle(Path(path))
    whole = sum(bundle.tables.values()) or 1
    seen: Counter[str] = Counter()
    for number, (table, row) in enumerate(bundle.rows()):
        seen[table] += 1
        for text in texts_of_row(row):
            note_secrets(bundle.secrets, f"row {number + 1:,}, {table}", text)
        if number % _AT_ONCE == 0:
            report(number / whole)
    for table, count in bundle.tables.items():
        if seen[table] != count:
            raise _fault(path, 0, f"{table} has {counted(seen[table], 'row')} instead of {count:,}",
                         "The bundle is not whole: export it again")
    return bundle


class Bundle:
    """A bundle on disk: what its first line says, and its rows, read as they are asked for."""

    def __init__(self, path: Path) -> None:
        self.path = path
        with path.open("rb") as stream:
            head = _parsed(path, 1, stream.readline())
        tables = head.get("tables")
        if head.get("format") != FORMAT or not isinstance(tables, dict):
            raise _fault(path, 1, "is not the first line of a bundle", "Choose another file")
        if head.get("version") != VERSION:
            raise _fault(path, 1, f"is of version {head.get('version')}, this program knows"
                         f" {VERSION}", "Use the program that has written it, or a newer one")
        self.tables = {str(table): int(count) for table, count in tables.items()
                       if table not in NOT_GIVEN and isinstance(count, int)}
        self.secrets: dict[FoundSecret, None] = {}
        """What looks like a key or a password, found by `read_bundle`."""
        self._starts: dict[str, list[tuple[int, int]]] = {}
        """Where the rows of a table begin: byte and line, more than once in a file changed by
        hand; found by the first reading."""

    def rows(self) -> Iterator[tuple[str, Line]]:
        """Each row with the name of its table, in the order of the file."""
        starts: defaultdict[str, list[tuple[int, int]]] = defaultdict(list)
        with self.path.open("rb") as stream:
            stream.readline()
            before, place, number = "", stream.tell(), 2
            while raw := stream.readline():
                table, row = self._row(number, raw)
                if table != before:
                    starts[table].append((place, number))
                before, place, number = table, stream.tell(), number + 1
                yield table, row
        self._starts = dict(starts)

    def rows_of(self, table: str) -> Iterator[Line]:
        """The rows of one table, after `rows` has been read through."""
        with self.path.open("rb") as stream:
            for place, number in self._starts.get(table, ()):
                stream.seek(place)
                while raw := stream.readline():
                    name, row = self._row(number, raw)
                    if name != table:
                        break
                    number += 1
                    yield row

    def _row(self, number: int, raw: bytes) -> tuple[str, Line]:
        line = _parsed(self.path, number, raw)
        table, row = line.get("table"), line.get("row")
        if table not in self.tables or not isinstance(row, dict):
            raise _fault(self.path, number, "is no row of a table of the first line",
                         "The bundle is damaged: export it again")
        try:
            return str(table), {name: unpacked(value) for name, value in row.items()}
        except ValueError as error:
            raise _fault(self.path, number, str(error),
                         "The bundle is damaged: export it again") from None


def import_bundle(writer: Writer, bundle: Bundle, report: Report = ignore) -> ImportReport:
    """Add the rows that the graph does not have, in the transaction that is open.

    A row that is there stays as it is, also where the bundle has another.

    Args:
        report: hears the finished share; raising Cancelled leaves nothing written.
    """
    writer.connection.execute("PRAGMA defer_foreign_keys = ON")
    tally, same = _Tally(), SameRows(writer)
    whole, done = sum(bundle.tables.values()) or 1, 0
    _clear_made_agents(writer, bundle)
    with _without_audit(writer):
        # What others refer to comes first, also where no foreign key says that they do.
        for table in sorted(parents_first(writer, bundle.tables), key=_is_a_leaf):
            waiting = bundle.rows_of(table)
            while rows := same.led(table, islice(waiting, _AT_ONCE)):
                if table in _BY_ENTITY:
                    _BY_ENTITY[table](writer, rows)
                elif (known := writer.stored_columns(table)):
                    tally.note_columns(table, known, rows)
                    _insert(writer, table, same.led(table, tally.sort(writer, table, rows, same)))
                done += len(rows)
                report(done / whole)
    tally.note_tables(writer, bundle.tables)
    return replace(tally.report(), secrets=tuple(bundle.secrets))


class _Tally(Struct):
    """What became of the rows, by table, and what the graph has no place for."""

    new: Counter[str] = field(default_factory=Counter)
    unchanged: Counter[str] = field(default_factory=Counter)
    different: Counter[str] = field(default_factory=Counter)
    left_out: dict[str, None] = field(default_factory=dict)

    def note_columns(self, table: str, known: frozenset[str], rows: list[Line]) -> None:
        self.left_out |= dict.fromkeys(
            f"This graph has no column {column} in {table}: its values are left out"
            for row in rows for column in row.keys() - known if row[column] is not None)

    def note_tables(self, writer: Writer, tables: dict[str, int]) -> None:
        self.left_out |= dict.fromkeys(
            f"This graph has no table {table}: {counted(count, 'row is', 'rows are')} left out"
            for table, count in tables.items()
            if table not in _BY_ENTITY and not writer.stored_columns(table))

    def sort(self, writer: Writer, table: str, rows: list[Line], same: SameRows) -> list[Line]:
        """The rows that are not there yet, in the order of writing after those that are."""
        key = _key(writer, table)
        there = _there(writer, table, key, rows)
        other = []
        for row in map(partial(_completed, table, _never_empty(writer, table)), rows):
            mine = there.get(tuple(row.get(column) for column in key))
            if mine is None:
                other.append(row)
            else:
                agrees = all(mine[column] == value for column, value in row.items()
                             if column in mine and column not in _OF_FILE.get(table, _NUMBERS))
                (self.unchanged if agrees else self.different)[table] += 1
        fresh = same.without_same(table, other, (mine.get("id") for mine in there.values()))
        self.unchanged[table] += len(other) - len(fresh)
        self.new[table] += len(fresh)
        _number_anew(writer, table, fresh)
        return fresh

    def report(self) -> ImportReport:
        """The same report as of any import, with the rows told beside."""
        new, there = self.new, self.unchanged + self.different
        kept = (counted(count, f"row of {table} differs from the bundle's and stays as it is here",
                        f"rows of {table} differ from the bundle's and stay as they are here")
                for table, count in self.different.items())
        return ImportReport(
            new["entities"], there["entities"], new["entity_attributes"],
            there["entity_attributes"], new["entity_dependencies"], there["entity_dependencies"],
            skipped=0, dangling=(), kept_words=(), problems=(), rows_new=new.total(),
            rows_unchanged=there.total(), rows_kept=(*kept, *self.left_out))


def _is_a_leaf(table: str) -> bool:
    return table not in REFERRED_TO


def _clear_made_agents(writer: Writer, bundle: Bundle) -> None:
    """Let a new graph have the bundle's agents in place of those that it was made with."""
    if "agents" in bundle.tables and writer.has_table("agents") and not writer.value(
            "SELECT EXISTS (SELECT 1 FROM main.entities)"
            " OR EXISTS (SELECT 1 FROM main.memories)"):
        writer.delete_where("agents", "id IN (SELECT value FROM json_each(:ids))",
                            ids=[row["id"] for row in bundle.rows_of("agents")])


def _completed(table: str, never_empty: frozenset[str], row: Line) -> Line:
    """The row with the keys of its names and texts, where its file has left them out."""
    for (of, column), name in _CANONICAL.items():
        if of == table and not row.get(column) and row.get(name):
            row[column] = name_key(str(row[name]))
    for column in never_empty:
        if column in row and row[column] is None:
            if column == "normalized_content":
                row[column] = canonical(str(row.get("content")))
            else:
                del row[column]
    return row


def _never_empty(writer: Writer, table: str) -> frozenset[str]:
    """The columns of a foreign file's table that ask for a value, or have a usual one."""
    if writer.kind == "native" or not writer.has_table(table):
        return frozenset()
    return frozenset(row["name"] for row in writer.rows(
        "SELECT c.name FROM pragma_table_info(:table, 'main') c WHERE c.\"notnull\"", table=table))


def _key(writer: Writer, table: str) -> tuple[str, ...]:
    """What a row is known by: its id, else the table's primary key."""
    if "id" in writer.stored_columns(table):
        return ("id",)
    # Of the table itself: over one of a foreign file lies a view, and views have no keys.
    schema, _, place = writer.home(table).partition(".")
    rows = writer.rows(
        "SELECT c.name FROM pragma_table_info(:place, :schema) c WHERE c.pk ORDER BY c.pk",
        place=place.strip('"'), schema=schema)
    return tuple(row["name"] for row in rows) or tuple(sorted(writer.stored_columns(table)))


def _there(
    writer: Writer, table: str, key: tuple[str, ...], rows: list[Line]
) -> dict[tuple[object, ...], Line]:
    """The rows of the file that have the key of one of these."""
    keys = (tuple(row.get(column) for column in key) for row in rows)
    return {tuple(row[column] for column in key): row
            for row in rows_with(writer, writer.home(table), key, keys)}


def _number_anew(writer: Writer, table: str, rows: list[Line]) -> None:
    """Give all rows new numbers of writing, in their order, if other rows have one of theirs."""
    numbered = [row for row in rows if row.get(_NUMBER) is not None]
    if numbered and writer.has_column(table, _NUMBER) and writer.value(
            f"SELECT EXISTS (SELECT 1 FROM main.{quoted(table)} AS t"
            " WHERE t.seq IN (SELECT value FROM json_each(:numbers)))",
            numbers=[row[_NUMBER] for row in numbered]):
        last = writer.value(f"SELECT max(t.seq) FROM main.{quoted(table)} AS t")
        for number, row in enumerate(sorted(numbered, key=itemgetter(_NUMBER)), last + 1):
            row[_NUMBER] = number


def _insert(writer: Writer, table: str, rows: list[Line]) -> None:
    """Insert rows; those with the same columns at once, so that none is given a value."""
    by_columns: defaultdict[tuple[str, ...], list[tuple[object, ...]]] = defaultdict(list)
    for row in rows:
        by_columns[tuple(row)].append(tuple(row.values()))
    for columns, values in by_columns.items():
        writer.insert_rows(table, columns, values)


def _mute(writer: Writer, rows: list[Line]) -> None:
    there = {row["id"] for row in writer.rows(
        "SELECT e.id FROM entities e WHERE e.muted = 0"
        " AND e.id IN (SELECT value FROM json_each(:ids))", ids=[row["entity_id"] for row in rows])}
    for row in rows:
        if row["entity_id"] in there:
            writer.mute(row["entity_id"], str(row["muted_at"]))


def _place(writer: Writer, rows: list[Line]) -> None:
    """Put the nodes where they lay that have no place of the person's own here."""
    taken = {row["id"] for row in writer.rows(
        "SELECT p.id FROM side.places p WHERE p.fixed"
        " AND p.id IN (SELECT value FROM json_each(:ids))", ids=[row["id"] for row in rows])}
    for row in rows:
        if row["fixed"] and row["id"] not in taken:
            writer.place(row["id"], row["x"], row["y"])


_BY_ENTITY = {"muted_entities": _mute, "places": _place}
"""What is kept beside a graph for its entities, in columns or files that differ by its kind."""


@contextmanager
def _without_audit(writer: Writer) -> Iterator[None]:
    """Keep the file from noting the links again whose history comes along."""
    sql = writer.value("SELECT sql FROM main.sqlite_schema WHERE type = 'trigger' AND name = :name",
                       name=_AUDIT)
    if sql:
        writer.connection.execute(f"DROP TRIGGER main.{_AUDIT}")
    yield
    if sql:
        writer.connection.execute(sql)


def _parsed(path: Path | str, number: int, raw: bytes) -> Line:
    try:
        line = json.loads(raw)
    except (ValueError, RecursionError) as error:
        raise _fault(path, number, f"is no JSON: {one_line(str(error), 80)}",
                     "The bundle is damaged: export it again") from None
    if not isinstance(line, dict):
        raise _fault(path, number, "is no object", "The bundle is damaged: export it again")
    return line


def _fault(path: Path | str, number: int, what: str, do: str) -> OpenError:
    return OpenError("damaged", "This bundle can't be imported", where=str(path),
                     detail=f"line {number}: {what}" if number else what,
                     do=f"{do}; nothing was changed")
