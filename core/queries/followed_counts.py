"""Counts over an agent's whole graph that follow what is written: only the parts of the large
tables are counted again in which rows may be other."""

from collections.abc import Mapping

from msgspec import Struct
from msgspec.structs import replace

from core.model.changes import Changes
from core.model.entity import Counts
from core.queries.stats import COUNT_MEMORIES, HIDDEN_ASPECTS, counts
from core.store.reader_and_writer import Reader

BITS = 10
"""A part is of 1,024 row numbers."""
MOST_PARTS = 100_000
"""Of rows whose numbers lie further apart no parts are made."""
MOST_HIDDEN = 20_000
"""Aspects that are kept in mind because their values are not seen; of more no parts are made."""

_IN_PART = "BETWEEN p.value << :bits AND (p.value << :bits) + (1 << :bits) - 1"
_ACTIVE = f"""(SELECT COUNT(*) FROM entity_attributes v WHERE v.agent_id = :agent
  AND v.status = 'active' AND v.kind = '{{kind}}' AND v.rowid {_IN_PART})"""
_IN_PARTS = {
    "entity_attributes": f"""
SELECT p.value, {_ACTIVE.format(kind="attribute")}, {_ACTIVE.format(kind="constraint")}
FROM json_each(:parts) p""",
    "memories": f"""
SELECT p.value, ({COUNT_MEMORIES} AND m.rowid {_IN_PART}) FROM json_each(:parts) p""",
}
"""The numbers of some parts of a table: its active values, seen or not; its memories."""
_SIZE = """
SELECT (SELECT MIN(rowid) FROM {table}) AS first, (SELECT MAX(rowid) FROM {table}) AS last,
  (SELECT COUNT(*) FROM {table}) AS many"""
_PARTS_OF = """
SELECT DISTINCT t.rowid >> :bits AS part FROM json_each(:ids) f
CROSS JOIN {table} t ON t.id = f.value"""
_ASPECTS_AMONG = """
SELECT value AS id FROM json_each(:aspects) UNION SELECT s.id FROM json_each(:entities) f
CROSS JOIN entity_aspects s ON s.entity_id = f.value WHERE +s.agent_id = :agent"""
_HIDDEN_AMONG = """
SELECT s.id FROM json_each(:ids) f CROSS JOIN entity_aspects s ON s.id = f.value
WHERE +s.agent_id = :agent AND (s.status <> 'active' OR NOT EXISTS (
  SELECT 1 FROM entities e
  WHERE e.id = s.entity_id AND +e.agent_id = :agent AND +e.status = 'active'))"""
_NOT_SEEN = """
SELECT COALESCE(SUM(kind = 'attribute'), 0), COALESCE(SUM(kind = 'constraint'), 0) FROM (
  SELECT v.kind FROM entity_attributes v WHERE v.aspect_id IN (
    SELECT value FROM json_each(:hidden)) AND +v.agent_id = :agent AND v.status = 'active'
  UNION ALL SELECT kind FROM entity_attributes
  WHERE aspect_id IS NULL AND +agent_id = :agent AND status = 'active')"""
"""The active values that are taken off: of aspects and entities that were archived or are gone."""
_LARGE = ("entity_attributes", "memories")
_FOLLOWED = frozenset((*_LARGE, "entity_aspects", "entities"))
"""The tables on which it rests how many values and memories are seen."""


class Parted(Struct, frozen=True):
    """A table whose rows are counted in parts.

    Attributes:
        rows: how many it has, of all agents.
        last: the greatest number of a row.
        parts: what is counted in each part.
    """

    rows: int
    last: int
    parts: Mapping[int, tuple[int, ...]]

    def total(self, column: int) -> int:
        """One of the numbers, of all parts together."""
        return sum(numbers[column] for numbers in self.parts.values())


class Parts(Struct, frozen=True):
    """The large tables in parts, and the aspects whose values are not seen."""

    tables: Mapping[str, Parted]
    hidden: frozenset[str]


class Followed(Struct, frozen=True):
    """The counts of a moment, and what later ones can be told from."""

    counts: Counts
    parts: Parts | None = None


def followed_counts(reader: Reader, before: Followed | None, since: Changes) -> Followed:
    """The counts of each kind of row in the agent's graph.

    Args:
        before: those that were known last; None at the first time.
        since: all that was committed after those were read, in one; more of it does no harm.
    """
    if before is None:
        return Followed(counts(reader))
    known = None if since.external else before.counts
    if not since.touches(*_FOLLOWED, "agents"):
        return Followed(counts(reader, known, since.tables), before.parts)
    parts = _parts(reader, before.parts if _is_told(since) else None, since)
    if parts is None:
        return Followed(counts(reader, known, since.tables))
    rest = counts(reader, known, since.tables, apart=_LARGE)
    values, memories = (parts.tables[table] for table in _LARGE)
    attributes, constraints = reader.rows(_NOT_SEEN, hidden=list(parts.hidden))[0]
    return Followed(replace(
        rest, attributes=values.total(0) - attributes, constraints=values.total(1) - constraints,
        memories=memories.total(0)), parts)


def _is_told(since: Changes) -> bool:
    """Whether it is known which rows of the large tables may be other."""
    return not since.touches("agents") and all(
        since.tells_rows(table) for table in since.tables.intersection(_LARGE))


def _parts(reader: Reader, before: Parts | None, since: Changes) -> Parts | None:
    """The parts as they are now; None of a graph that has none."""
    hidden = _hidden(reader, before, since)
    if len(hidden) > MOST_HIDDEN:
        return None
    tables: dict[str, Parted] = {}
    for table in _LARGE:
        parted = _parted(reader, table, before.tables[table] if before else None, since)
        if parted is None:
            return None
        tables[table] = parted
    return Parts(tables, hidden)


def _parted(
    reader: Reader, table: str, before: Parted | None, since: Changes
) -> Parted | None:
    """A table in parts; None where its rows have no numbers, or such as lie far apart."""
    if before is not None and table not in since.tables:
        return before
    first, last, rows = reader.rows(_SIZE.format(table=table))[0]
    if not rows:
        return Parted(0, 0, {})
    if not isinstance(last, int):
        return None
    known = before.parts if before is not None else {}
    every = range(min((first >> BITS, *known)), max((last >> BITS, *known)) + 1)
    if len(every) > MOST_PARTS:
        return None
    again = _written(reader, table, before, since, rows, every) if before is not None else None
    counted = reader.rows(_IN_PARTS[table], bits=BITS,
                          parts=list(every if again is None else again))
    fresh = {row[0]: tuple(row)[1:] for row in counted}
    return Parted(rows, last, fresh if again is None else {**known, **fresh})


def _written(
    reader: Reader, table: str, before: Parted, since: Changes, rows: int, every: range
) -> set[int] | None:
    """The parts in which rows may be other; None where that is not known.

    A row that is gone, and may be back under another number, is not found by its id. New rows get
    the greatest numbers: where there are more rows only by those after the last one, none is gone.
    """
    ids, ranges = since.ids.get(table, ()), since.ranges.get(table, ())
    if not ids:
        return {part for first, last in ranges for part in range(
            max(first >> BITS, every.start), min(last >> BITS, every.stop - 1) + 1)}
    after = reader.value(f"SELECT COUNT(*) FROM {table} WHERE rowid > :last", last=before.last)
    if ranges or not before.rows or before.rows + after != rows:
        return None
    rows_now = reader.rows(_PARTS_OF.format(table=table), ids=list(ids), bits=BITS)
    return {row["part"] for row in rows_now}


def _hidden(reader: Reader, before: Parts | None, since: Changes) -> frozenset[str]:
    """The aspects whose values are not seen: archived ones, and those of entities that are archived
    or gone."""
    owners = since.tables.intersection(("entities", "entity_aspects"))
    if before is not None and not owners:
        return before.hidden
    if before is None or not all(since.ids.get(table) for table in owners) or (
            owners & since.ranges.keys()):
        return _ids(reader, f"{HIDDEN_ASPECTS} LIMIT {MOST_HIDDEN + 1}")
    touched = _ids(reader, _ASPECTS_AMONG, aspects=list(since.ids.get("entity_aspects", ())),
                   entities=list(since.ids.get("entities", ())))
    return before.hidden - touched | _ids(reader, _HIDDEN_AMONG, ids=list(touched))


def _ids(reader: Reader, statement: str, **given: object) -> frozenset[str]:
    return frozenset(row["id"] for row in reader.rows(statement, **given))
