"""Brings the sky's columns up to date by reading again only what was written.

The result is what `sky_rows.sky` would read. What can't be told from the changes alone is left to
it: `patched` then gives None.
"""

from collections.abc import Collection, Iterable, Mapping, Sequence
from itertools import compress
from typing import Any

import numpy as np
from msgspec import Struct
from msgspec.structs import replace

from core.constellation import sky_rows
from core.constellation.plain_numbers import distinct
from core.constellation.spliced_columns import (
    Splice,
    by_owner,
    is_same,
    recoded,
    rows_of,
    spliced,
)
from core.model.changes import Changes
from core.model.sky_columns import SkyRows
from core.review.proposal_queue import pending_targets
from core.store.database import Row
from core.store.reader_and_writer import Reader

MOST = 2_000
"""Rows written up to which a sky is patched; with more, reading all of it is no slower."""
FEW = 8
"""Entities written up to which each is put among the others, each time against some of them."""
READ = ("entities", "task_meta", "muted_entities", "entity_aspects", "entity_attributes",
        "memories", "memory_entity_mentions", "entity_dependencies")
"""The tables whose rows are read again by their ids."""
_WHOLE = ("entity_communities", "agents")
"""After a change of these the whole sky is read: each of their rows says something of many."""

_ORDER = f"SELECT e.id FROM entities e WHERE e.agent_id = :agent ORDER BY {sky_rows.ORDER}"
_COUNT = "SELECT COUNT(*) FROM entities WHERE agent_id = :agent"
_RANK = f"""
SELECT SUM(CASE r.id WHEN :id THEN r.rank ELSE -r.rank END) FROM (
SELECT e.id, RANK() OVER (ORDER BY {sky_rows.ORDER}) AS rank FROM entities e
WHERE e.id IN (:id, :other) AND +e.agent_id = :agent) r"""
"""Below 0 where one entity goes before the other, 0 where nothing tells."""
_IDS = "FROM json_each(:ids) f CROSS JOIN"
_ENTITIES = f"""
SELECT {sky_rows.ENTITY} {_IDS} entities e ON e.id = f.value
LEFT JOIN task_meta t ON t.entity_id = e.id WHERE +e.agent_id = :agent"""
_ASPECTS = f"""
SELECT {sky_rows.ASPECT} {_IDS} entity_aspects s ON s.entity_id = f.value
WHERE +s.agent_id = :agent AND +s.status = 'active'"""
_ATTRIBUTES = f"""
SELECT {sky_rows.ATTRIBUTE} {_IDS} entity_attributes v ON v.aspect_id = f.value
WHERE +v.agent_id = :agent AND +v.status = 'active' ORDER BY v.rowid"""
_ENTITY_OF = f"""
SELECT s.entity_id AS id {_IDS} entity_aspects s ON s.id = f.value WHERE +s.agent_id = :agent"""
_ASPECT_OF = f"""
SELECT v.aspect_id AS id {_IDS} entity_attributes v ON v.id = f.value
WHERE +v.agent_id = :agent"""
_MEMORIES = f"""
SELECT {sky_rows.MEMORY} {_IDS} memories m ON m.id = f.value
WHERE {sky_rows.SHOWN_MEMORY} ORDER BY m.rowid"""
_MENTIONS = f"""
SELECT {sky_rows.MENTION} {_IDS} memory_entity_mentions n ON n.memory_id = f.value"""
_MENTIONING = f"""
SELECT n.memory_id AS id {_IDS} memory_entity_mentions n ON n.entity_id = f.value"""
_LINKS = f"""
SELECT {sky_rows.DEPENDENCY} {_IDS} entity_dependencies d ON d.id = f.value
WHERE +d.agent_id = :agent AND +d.status = 'active' ORDER BY d.rowid"""
_LINKED = f"""
SELECT d.id {_IDS} entity_dependencies d ON d.source_entity_id = f.value
WHERE +d.agent_id = :agent
UNION SELECT d.id {_IDS} entity_dependencies d ON d.target_entity_id = f.value
WHERE +d.agent_id = :agent"""

_IN_RANGES = {table: f"""
SELECT t.{key} AS id FROM json_each(:ranges) f CROSS JOIN {table} t
ON t.rowid BETWEEN json_extract(f.value, '$[0]') AND json_extract(f.value, '$[1]')
LIMIT {MOST + 1}""" for table, key in (
    ("entities", "id"), ("task_meta", "entity_id"), ("entity_aspects", "id"),
    ("entity_attributes", "id"), ("memories", "id"), ("memory_entity_mentions", "memory_id"),
    ("entity_dependencies", "id"))}
"""The rows of a table whose numbers lie in some ranges, by the ids that it is read again by."""

Ids = frozenset[str]


def can_patch(changes: Changes) -> bool:
    """True if the changes tell all that has to be read again, and it is little."""
    if changes.external or changes.tables.intersection(_WHOLE):
        return False
    touched = [table for table in READ if table in changes.tables]
    return all(map(changes.tells_rows, touched)) and sum(
        len(changes.ids.get(table, ())) for table in touched) <= MOST


def patched(
    reader: Reader, before: SkyRows, changes: Changes, *, archived: bool = False,
    muted: bool = True, index: Mapping[str, int] | None = None,
) -> SkyRows | None:
    """The sky after these changes; None where the whole of it has to be read.

    Args:
        before: a sky that was read with its values, and with the same options.
        changes: everything that was committed since, in one.
        index: where each entity is in it, if that is known.
    """
    if not can_patch(changes):
        return None
    ids = _ids_of(reader, before, changes)
    if ids is None:
        return None
    index = {id: row for row, id in enumerate(before.entity_ids)} if index is None else index
    patch = _Patch(reader, before, index, ids, archived=archived, muted=muted)
    return patch.rows() if patch.is_numbered() else None


def _ids_of(reader: Reader, before: SkyRows, changes: Changes) -> dict[str, Ids] | None:
    """The rows that are to be read again, by table; None where they are many."""
    found = {table: changes.ids.get(table, Ids()) for table in READ if table in changes.tables}
    for table in found.keys() & changes.ranges.keys():
        if table not in _IN_RANGES:
            return None
        ranges = changes.ranges[table]
        now = reader.rows(_IN_RANGES[table], ranges=[list(each) for each in ranges])
        found[table] |= Ids(row["id"] for row in now) | _known_in(before, table, ranges)
    return found if sum(map(len, found.values())) <= MOST else None


def _known_in(before: SkyRows, table: str, ranges: Iterable[tuple[int, int]]) -> Ids:
    """The rows that were in these ranges, and may be gone."""
    if table == "task_meta":
        return Ids(before.entity_ids[row] for row in np.flatnonzero(before.entity_task).tolist())
    if table not in _NUMBERED:
        return Ids()  # Which entities there are is read as a whole.
    ids, number, at = _NUMBERED[table]
    numbers = getattr(before, number)
    rows = [np.flatnonzero((numbers >= first) & (numbers <= last)) for first, last in ranges]
    every = distinct(np.concatenate(rows))[:MOST + 1]
    owners = every if at is None else getattr(before, at)[every]
    known = getattr(before, ids)
    return Ids(known[row] for row in owners.tolist())


_NUMBERED = {
    "entity_aspects": ("aspect_ids", "aspect_number", None),
    "entity_attributes": ("attribute_ids", "attribute_number", None),
    "memories": ("memory_ids", "memory_number", None),
    "memory_entity_mentions": ("memory_ids", "mention_number", "mention_memory"),
    "entity_dependencies": ("dependency_ids", "dependency_number", None),
}
"""The columns of the ids and of the numbers of rows, and of what a row belongs to where that is
what is read again."""


class _Moved(Struct, frozen=True):
    """How the entities' order has changed."""

    ids: list[str]
    number: np.ndarray
    """The new index of each entity that was there, -1 for none."""
    indices: Mapping[str, int]
    hidden: Ids
    appeared: Ids
    """Shown now and not before."""
    other: Ids
    """Shown, hidden or gone, and not so before."""

    @property
    def nothing(self) -> bool:
        """True if each entity has the index it had."""
        return not self.other and is_same(self.number, len(self.ids))


class _Shown(Struct, frozen=True):
    """The entities that are shown now."""

    read: sky_rows.Columns
    hidden: Ids
    fresh: list[str]
    """Those that were read again and are shown."""
    order: np.ndarray
    """For each one its row before, or how many there were and its row in `fresh`."""


class _Patch:
    """One patch: the columns before, and what is read again."""

    def __init__(
        self, reader: Reader, before: SkyRows, index: Mapping[str, int],
        touched: Mapping[str, Ids], *, archived: bool, muted: bool,
    ) -> None:
        self._reader, self._before, self._index, self._touched = reader, before, index, touched
        self._archived, self._muted = archived, muted

    def rows(self) -> SkyRows | None:
        columns, moved = self._entities()
        names = columns.get("community_ids", self._before.community_ids)
        if names != self._before.community_ids:
            return None
        columns |= self._aspects(moved)
        columns |= self._memories(moved)
        columns |= self._dependencies(moved)
        pending = pending_targets(self._reader)
        columns |= sky_rows.proposals(pending, moved.indices)
        columns["entity_pending"] = sky_rows.pending_counts(pending, moved.indices)
        rows = replace(self._before, **columns)
        columns["entity_constraints"] = sky_rows.constraint_counts(
            rows.aspect_entity, rows.attribute_aspect, rows.attribute_constraint,
            len(rows.entity_ids))
        return self._with(columns)

    def _with(self, columns: Mapping[str, Any]) -> SkyRows:
        """The sky with these columns; the old one itself where none of them is other."""
        other = {name: column for name, column in columns.items()
                 if not _is_as(column, getattr(self._before, name))}
        return replace(self._before, **other) if other else self._before

    def is_numbered(self) -> bool:
        """True if rows have the numbers they had: a VACUUM may give them others."""
        before = self._before
        return (self._has_number("memories", before.memory_ids, before.memory_number)
                and self._has_number("entity_dependencies", before.dependency_ids,
                                     before.dependency_number))

    def _has_number(self, table: str, ids: Sequence[str], numbers: np.ndarray) -> bool:
        touched = self._ids(table)
        for row in range(len(ids) - 1, -1, -1):
            if ids[row] not in touched:
                now = self._reader.value(f"SELECT rowid FROM {table} WHERE id = :id", id=ids[row])
                return bool(now == numbers[row])
        return True

    def _ids(self, *tables: str) -> Ids:
        return Ids().union(*(self._touched.get(table, ()) for table in tables))

    def _read(self, statement: str, ids: Collection[str]) -> list[Row]:
        return self._reader.rows(statement, ids=list(ids)) if ids else []

    def _read_columns(self, statement: str, ids: Collection[str]) -> sky_rows.Columns:
        return self._reader.rows_by_column(statement, ids=list(ids))

    def _merged(
        self, fresh: Mapping[str, Any], order: np.ndarray, names: Collection[str]
    ) -> dict[str, Any]:
        columns = {name: getattr(self._before, name) for name in names}
        splice = Splice(order, len(next(iter(columns.values()))))
        return {name: splice.of(column, fresh[name]) for name, column in columns.items()}

    # -- entities --------------------------------------------------------------------------------

    def _entities(self) -> tuple[dict[str, Any], _Moved]:
        before, touched = self._before, self._ids("entities", "task_meta", "muted_entities")
        known = self._index
        if self._touched.keys().isdisjoint(("entities", "task_meta", "muted_entities")):
            nothing: Ids = frozenset()
            return {}, _Moved(before.entity_ids, np.arange(len(known)), known, before.hidden_ids,
                              nothing, nothing)
        shown = self._placed(touched) or self._sorted(touched)
        place = {id: row for row, id in enumerate(shown.read["id"])}
        columns = sky_rows.entities(
            shown.read, np.array([place[id] for id in shown.fresh], np.int64),
            self._reader.rows(sky_rows.COMMUNITIES))
        return self._entity_columns(columns, shown.order) | {
            "hidden_ids": shown.hidden}, self._moved(shown)

    def _placed(self, touched: Ids) -> "_Shown | None":
        """Few entities put among the others, whose order is known; None where it can't be told."""
        before, known = self._before, self._index
        if len(touched) > FEW:
            return None
        read = self._read_columns(_ENTITIES, touched)
        were = [known[id] for id in touched if id in known]
        hidden = before.hidden_ids - touched
        if self._reader.value(_COUNT) != len(known) - len(were) + len(hidden) + len(read["id"]):
            return None  # Others have come or gone.
        hidden |= self._hidden(read)
        fresh = [id for id in read["id"] if id not in hidden]
        order: np.ndarray | None = np.delete(np.arange(len(known)), were)
        for row in range(len(fresh)):
            order = None if order is None else self._with_one(order, fresh, row)
        return None if order is None else _Shown(read, hidden, fresh, order)

    def _with_one(self, order: np.ndarray, fresh: list[str], row: int) -> np.ndarray | None:
        """The order with one more fresh entity in its place; None where another goes as it does."""
        before = self._before.entity_ids
        first, last = 0, len(order)
        while first < last:
            middle = (first + last) // 2
            at = int(order[middle])
            other = before[at] if at < len(before) else fresh[at - len(before)]
            rank = self._reader.value(_RANK, id=fresh[row], other=other)
            if not rank:
                return None
            first, last = (first, middle) if rank < 0 else (middle + 1, last)
        return np.insert(order, first, len(before) + row)

    def _sorted(self, touched: Ids) -> "_Shown":
        """All entities in the order that the file sorts them in."""
        before, known = self._before, self._index
        every = [row["id"] for row in self._reader.rows(_ORDER)]
        touched |= {id for id in every if id not in known and id not in before.hidden_ids}
        read = self._read_columns(_ENTITIES, touched)
        hidden = before.hidden_ids.intersection(every) - touched | self._hidden(read)
        there = touched.intersection(read["id"])
        ids = [id for id in every if id not in hidden and (id not in touched or id in there)]
        fresh = [id for id in ids if id in touched]
        places = {**known} | {id: len(known) + row for row, id in enumerate(fresh)}
        return _Shown(read, hidden, fresh, np.fromiter((places[id] for id in ids), np.int64,
                                                       len(ids)))

    def _hidden(self, read: sky_rows.Columns) -> Ids:
        hidden = sky_rows.are_hidden(read, archived=self._archived, muted=self._muted)
        return frozenset(compress(read["id"], hidden))

    def _entity_columns(self, fresh: dict[str, Any], order: np.ndarray) -> dict[str, Any]:
        before = self._before
        words, types = recoded((before.type_words, before.entity_type),
                               (fresh["type_words"], fresh["entity_type"]), order)
        return {"type_words": words, "entity_type": types,
                "community_ids": fresh["community_ids"]} | self._merged(fresh, order, (
                    "entity_ids", "entity_names", "entity_mentions", "entity_pinned",
                    "entity_muted", "entity_archived", "entity_task", "entity_community"))

    def _moved(self, shown: "_Shown") -> _Moved:
        before, known, fresh = self._before, self._index, shown.fresh
        number = np.full(len(known) + len(fresh), -1, np.int64)
        number[shown.order] = np.arange(len(shown.order))
        for row, id in enumerate(fresh):
            if id in known:
                number[known[id]] = number[len(known) + row]
        number = number[:len(known)]
        if is_same(number, len(shown.order)):
            other = shown.hidden ^ before.hidden_ids
            return _Moved(before.entity_ids, number, known, shown.hidden, Ids(), other)
        ids: list[str] = spliced(before.entity_ids, fresh, shown.order)
        appeared = frozenset(id for id in fresh if id not in known)
        gone = {before.entity_ids[row] for row in np.flatnonzero(number < 0).tolist()}
        return _Moved(ids, number, dict(zip(ids, range(len(ids)), strict=True)), shown.hidden,
                      appeared, appeared | gone | (shown.hidden ^ before.hidden_ids))

    # -- aspects and values ----------------------------------------------------------------------

    def _aspects(self, moved: _Moved) -> dict[str, Any]:
        """Each entity whose aspects were written has all of them read again."""
        before, touched = self._before, self._ids("entity_aspects")
        if not touched and moved.nothing:
            return self._values(before.aspect_ids, np.arange(len(before.aspect_ids)))
        was = before.aspect_entity[rows_of(before.aspect_ids, touched)]
        again = moved.appeared.union(
            (before.entity_ids[row] for row in was.tolist()),
            (row["id"] for row in self._read(_ENTITY_OF, touched))) & moved.indices.keys()
        fresh: dict[str, Any] = sky_rows.aspects(self._read_columns(_ASPECTS, again), moved.indices)
        owner = moved.number[before.aspect_entity]
        numbers = np.fromiter((moved.indices[id] for id in again), np.int64, len(again))
        kept = np.flatnonzero((owner >= 0) & ~np.isin(owner, numbers))
        pool = np.concatenate((kept, np.arange(len(fresh["aspect_ids"])) + len(owner)))
        owners = np.concatenate((owner[kept], fresh["aspect_entity"])).astype(np.int32)
        sort = by_owner(owners)
        order = pool[sort]
        columns = self._merged(fresh, order, (
            "aspect_ids", "aspect_names", "aspect_weight", "aspect_number"))
        columns["aspect_entity"] = owners[sort]
        number = self._new_numbers(order, fresh["aspect_ids"])
        return columns | self._values(columns["aspect_ids"], number)

    def _new_numbers(self, order: np.ndarray, fresh: list[str]) -> np.ndarray:
        """The new index of each aspect that was there, -1 for none."""
        before, count = self._before, len(self._before.aspect_ids)
        number = np.full(count + len(fresh), -1, np.int64)
        number[order] = np.arange(len(order))
        same = {id: number[count + row] for row, id in enumerate(fresh)}
        rows = rows_of(before.aspect_ids, same.keys())
        number[rows] = [same[before.aspect_ids[row]] for row in rows.tolist()]
        return number[:count]

    def _values(self, aspects: list[str], number: np.ndarray) -> dict[str, Any]:
        """Each aspect that is new or whose values were written has all of them read again."""
        before, touched = self._before, self._ids("entity_attributes")
        if not touched and aspects is before.aspect_ids:
            return {}
        was = number[before.attribute_aspect[rows_of(before.attribute_ids, touched)]]
        there = np.zeros(len(aspects), bool)
        there[number[number >= 0]] = True
        now = {row["id"] for row in self._read(_ASPECT_OF, touched)}
        again = distinct(np.concatenate(
            (was[was >= 0], np.flatnonzero(~there), rows_of(aspects, now))))
        chosen = {aspects[row]: row for row in again.tolist()}
        fresh: dict[str, Any] = sky_rows.attributes(
            [self._read_columns(_ATTRIBUTES, chosen)], chosen)
        owner = number[before.attribute_aspect]
        kept = np.flatnonzero((owner >= 0) & ~np.isin(owner, again))
        pool = np.concatenate((kept, np.arange(len(fresh["attribute_ids"])) + len(owner)))
        owners = np.concatenate((owner[kept], fresh["attribute_aspect"])).astype(np.int32)
        sort = by_owner(owners)
        columns = self._merged(fresh, pool[sort], (
            "attribute_ids", "attribute_constraint", "attribute_importance", "attribute_number"))
        return columns | {"attribute_aspect": owners[sort]}

    # -- memories --------------------------------------------------------------------------------

    def _memories(self, moved: _Moved) -> dict[str, Any]:
        before = self._before
        touched = self._ids("memories", "memory_entity_mentions").union(
            row["id"] for row in self._read(_MENTIONING, moved.appeared))
        fresh: dict[str, Any] = sky_rows.memories(
            self._read_columns(_MEMORIES, touched), self._read_columns(_MENTIONS, touched),
            moved.indices)
        gone = rows_of(before.memory_ids, touched)
        if moved.nothing and not len(gone) and not fresh["memory_ids"]:
            return {}  # Most are memories of values, which no sky shows.
        kept = np.delete(np.arange(len(before.memory_ids)), gone)
        order = _by_number(before.memory_number, kept, fresh["memory_number"])
        number = np.full(len(before.memory_ids) + len(fresh["memory_ids"]), -1, np.int64)
        number[order] = np.arange(len(order))
        columns = self._merged(fresh, order, ("memory_ids", "memory_importance", "memory_number"))
        memory = np.concatenate((number[before.mention_memory],
                                 number[len(before.memory_ids) + fresh["mention_memory"]]))
        entity = np.concatenate((moved.number[before.mention_entity], fresh["mention_entity"]))
        numbers = np.concatenate((before.mention_number, fresh["mention_number"]))
        rows = np.flatnonzero((memory >= 0) & (entity >= 0))
        rows = rows[by_owner(memory[rows])]
        return columns | {"mention_memory": memory[rows].astype(np.int32),
                          "mention_entity": entity[rows].astype(np.int32),
                          "mention_number": numbers[rows]}

    # -- links -----------------------------------------------------------------------------------

    def _dependencies(self, moved: _Moved) -> dict[str, Any]:
        """Links that were written, and those of entities that came, went or were hidden."""
        before = self._before
        touched = self._ids("entity_dependencies").union(
            row["id"] for row in self._read(_LINKED, moved.other))
        if moved.nothing and not touched:
            return {}
        fresh: dict[str, Any] = sky_rows.dependencies(
            self._read_columns(_LINKS, touched), moved.indices, moved.hidden)
        ends = [np.where(column < 0, -1, moved.number[column]) if len(moved.number) else column
                for column in (before.dependency_source, before.dependency_target)]
        gone = rows_of(before.dependency_ids, touched)
        kept = np.delete(np.arange(len(before.dependency_ids)), gone)
        order = _by_number(before.dependency_number, kept, fresh["dependency_number"])
        words, types = recoded(
            (before.dependency_words, before.dependency_type),
            (fresh["dependency_words"], fresh["dependency_type"]), order)
        source, target = (
            np.concatenate((end, fresh[name])).astype(np.int32)[order] for end, name in
            zip(ends, ("dependency_source", "dependency_target"), strict=True))
        return {"dependency_words": words, "dependency_type": types,
                "dependency_source": source, "dependency_target": target} | self._merged(
                    fresh, order, ("dependency_ids", "dependency_strength",
                                   "dependency_confidence", "dependency_number"))


def _is_as(column: Any, before: Any) -> bool:
    """True if a column holds what it held; one of other objects takes long to compare."""
    if isinstance(column, np.ndarray):
        return column is before or np.array_equal(column, before)
    return column is before or type(column) is type(before) and bool(column == before)


def _by_number(old: np.ndarray, kept: np.ndarray, new: np.ndarray) -> np.ndarray:
    """The rows that are left of the old ones, and the new ones, in the order of their numbers."""
    pool = np.concatenate((kept, np.arange(len(new)) + len(old)))
    order: np.ndarray = pool[by_owner(np.concatenate((old[kept], new)))]
    return order
