"""Reads a whole graph as the columns that the sky is drawn from."""

from collections.abc import Callable, Container, Iterable, Iterator, Mapping, Sequence
from itertools import chain, repeat
from typing import TYPE_CHECKING, Any, TypeAlias, TypeVar

import numpy as np
from msgspec.structs import replace

from core.constellation.spliced_columns import spliced
from core.garbage_collection import resting_collector
from core.model.entity import EntityRow
from core.model.names import name_key
from core.model.packed_texts import PackedTexts, joined, packed, packed_array
from core.model.sky_columns import APPEAR, CHANGE, GO, LINK, SkyRows
from core.model.text_places import TextPlaces
from core.model.vocabulary import TASK_STATUSES
from core.queries.rows_to_model import MEMORY_VISIBLE, text
from core.review.proposal_queue import Pending, pending_targets
from core.store.database import Row
from core.store.reader_and_writer import Reader

if TYPE_CHECKING:
    from core.ontology.request_descriptions import Target

T = TypeVar("T")
Columns: TypeAlias = Mapping[str, Any]
"""The values of rows, by column: a sky has half a million rows, taken column by column."""
_WHOLE = 1 << 53
"""What a share of 1 is while it is read: SQLite writes a whole number in half the time, and this
many parts are as exact as the share was."""


def _share(column: str, unknown: float) -> str:
    """A column of shares, read as so many parts of `_WHOLE`."""
    share = f"CAST(COALESCE({column}, {unknown}) AS REAL)"
    return f"CAST({share} * {_WHOLE} AS INTEGER)"


ORDER = "e.mentions DESC, e.name, e.id"
"""The sky's order of entities: a pin, and what is written about one, leave each where it is."""
PINNED, MUTED, ARCHIVED, TASK = 1, 2, 4, 8
"""What an entity is, in one number: each column takes its time."""
ENTITY = f"""e.id, e.name, COALESCE(e.entity_type, 'unknown') AS type,
  CAST(COALESCE(e.mentions, 0) AS INTEGER) AS mentions, e.community_id, t.status AS task,
  (e.pinned IS 1) * {PINNED} + (e.muted IS 1) * {MUTED}
    + COALESCE(e.status <> 'active', 0) * {ARCHIVED} + (t.entity_id IS NOT NULL) * {TASK}
    AS marks"""
ASPECT = f"s.rowid AS number, s.id, s.name, s.entity_id, {_share('s.weight', 0.5)} AS weight"
ATTRIBUTE = f"""v.rowid AS number, v.id, v.aspect_id, v.kind = 'constraint' AS rule,
  {_share('v.importance', 0.5)} AS importance"""
MEMORY = f"m.rowid AS number, m.id, {_share('m.importance', 0.5)} AS importance"
SHOWN_MEMORY = f"""COALESCE(m.source_type, '') <> 'claim' AND COALESCE(m.is_deleted, 0) = 0
  AND {MEMORY_VISIBLE} AND typeof(m.id) = 'text'"""
"""What leaves most rows away comes first: each value in force has a memory. In a damaged file an id
may be none."""
MENTION = "n.rowid AS number, n.memory_id, n.entity_id"
DEPENDENCY = f"""d.rowid AS number, d.id, COALESCE(d.dependency_type, '') AS type,
  d.source_entity_id, d.target_entity_id, {_share('d.strength', 0.5)} AS strength,
  {_share('d.confidence', 0.7)} AS confidence"""
_ENTITIES = f"""
SELECT {ENTITY}, e.mentions AS by_mentions
FROM entities e LEFT JOIN task_meta t ON t.entity_id = e.id WHERE e.agent_id = :agent"""
_ASPECTS = f"""
SELECT {ASPECT} FROM entity_aspects s WHERE s.agent_id = :agent AND s.status = 'active'"""
# In the file's own order: nearly every row is wanted, and by an index each would be a jump. To ask
# for that order or a number of rows, or to sort what is sorted, would take half as long again.
_ATTRIBUTES = f"""
SELECT {ATTRIBUTE} FROM entity_attributes v WHERE v.rowid > :after AND v.rowid <= :last
  AND +v.agent_id = :agent AND +v.status = 'active' AND v.aspect_id IS NOT NULL"""
_LAST = """
SELECT MAX(place) FROM (SELECT v.rowid AS place FROM entity_attributes v WHERE v.rowid > :after
  AND +v.agent_id = :agent ORDER BY v.rowid LIMIT :rows)"""
_CONSTRAINTS = """
SELECT s.entity_id, COUNT(*) AS constraints
FROM entity_attributes v CROSS JOIN entity_aspects s ON s.id = v.aspect_id
WHERE v.agent_id = :agent AND v.status = 'active' AND v.kind = 'constraint'
  AND s.agent_id = :agent AND s.status = 'active' GROUP BY s.entity_id"""
_CONSTRAINTS_BY_INDEX = """
SELECT s.entity_id, COUNT(*) AS constraints
FROM entity_aspects s CROSS JOIN entity_attributes v ON v.aspect_id = s.id
WHERE s.agent_id = :agent AND s.status = 'active' AND v.status = 'active'
  AND v.kind = 'constraint' GROUP BY s.entity_id"""
"""The same of a native file where all values are one agent's: no value is read."""
_OTHER_AGENTS = """
SELECT EXISTS (SELECT 1 FROM entity_attributes v WHERE v.agent_id < :agent)
  OR EXISTS (SELECT 1 FROM entity_attributes v WHERE v.agent_id > :agent)"""
MANY_VALUES = 20_000
"""From this many values on, a sky is first read without them."""
_MEMORIES = f"SELECT {MEMORY} FROM memories m WHERE {SHOWN_MEMORY}"
_MENTIONS = f"""
SELECT {MENTION} FROM json_each(:ids) f
CROSS JOIN memory_entity_mentions n ON n.memory_id = f.value"""
_DEPENDENCIES = f"""
SELECT {DEPENDENCY} FROM entity_dependencies d
WHERE +d.agent_id = :agent AND +d.status = 'active'"""
COMMUNITIES = "SELECT id, name FROM entity_communities WHERE agent_id = :agent ORDER BY name, id"

_HIDDEN = -2
"""The end of a link that is there and not shown."""
AT_ONCE = 10_000
"""Attributes fetched at a time, so that the text of a million of them never lies in memory."""
CHUNK = 4_000
"""Numbers that are objects at a time."""
_NO_VALUES: Columns = dict.fromkeys(("number", "id", "aspect_id", "rule", "importance"), ())
"""No row; of a file without values each column still has its type."""

_EFFECTS = {"appear": APPEAR, "change": CHANGE, "go": GO, "link": LINK}


def many_values(reader: Reader) -> bool:
    """True if the values take so long to read that the rest should be shown before."""
    return bool(reader.value(
        "SELECT 1 FROM entity_attributes WHERE agent_id = :agent LIMIT 1 OFFSET :many",
        many=MANY_VALUES))


def sky(
    reader: Reader, *, archived: bool = False, muted: bool = True, values: bool = True,
    alone: bool = False, glance: SkyRows | None = None,
) -> SkyRows:
    """Every row of the agent's graph as parallel columns, in a fixed number of statements.

    Args:
        archived: with the archived entities.
        muted: with the muted entities.
        values: with aspects and their values; without them the sky is there at once, as bright.
        alone: entities, links and proposals, none brightened by constraints, and no memories: what
            a first glance shows.
        glance: what was read so in the same reading: only the rest of it is read.
    """
    with resting_collector():
        rows = _glance(reader, archived=archived, muted=muted) if glance is None else glance
        return rows if alone else replace(rows, **_rest(reader, rows, values=values))


def _glance(reader: Reader, *, archived: bool, muted: bool) -> SkyRows:
    every = reader.rows_by_column(_ENTITIES)
    wanted = ~are_hidden(every, archived=archived, muted=muted)
    order = _in_order(every)
    columns = entities(every, order[wanted[order]], reader.rows(COMMUNITIES))
    hidden = frozenset(_taken(every["id"], np.flatnonzero(~wanted)))
    columns["hidden_ids"] = hidden
    indices = TextPlaces(columns["entity_ids"])
    pending = pending_targets(reader)
    columns["entity_pending"] = pending_counts(pending, indices)
    columns["entity_constraints"] = np.zeros(len(indices), np.int32)
    links = _in_file_order(
        reader, _DEPENDENCIES, ("id", "source_entity_id", "target_entity_id"))
    columns |= dependencies(links, indices, hidden)
    columns |= proposals(pending, indices)
    return SkyRows(**columns)


def _rest(reader: Reader, rows: SkyRows, *, values: bool) -> dict[str, object]:
    """The columns that a glance lacks."""
    columns: dict[str, Any] = {}
    indices = TextPlaces(rows.entity_ids)
    if values:
        columns |= _aspects(reader, indices)
        columns |= _attributes(reader, columns)
        columns["entity_constraints"] = constraint_counts(
            columns["aspect_entity"], columns["attribute_aspect"],
            columns["attribute_constraint"], len(indices))
    else:
        columns["entity_constraints"] = _counted_constraints(reader, indices)
    return columns | _memories(reader, indices)


def are_hidden(column: Columns, *, archived: bool, muted: bool) -> np.ndarray:
    """Which of these entities are not shown, with or without those; one that a damaged file gives
    no id is not, either.
    """
    marks = _numbers(column["marks"], np.int8)
    hidden: np.ndarray = marks & ((0 if archived else ARCHIVED) | (0 if muted else MUTED)) != 0
    if not set(map(type, column["id"])) <= {str}:
        hidden |= np.array([not isinstance(id, str) for id in column["id"]])
    return hidden


def _packed_columns(
    reader: Reader, sql: str, texts: Sequence[str], **params: Any
) -> Columns:
    """Rows by column, with packed columns of texts where all of them are plain ones."""
    columns = reader.rows_by_column(sql, texts, **params)
    rows = len(columns["number"])
    for name in texts:
        if isinstance(columns[name], str):
            columns[name] = packed_array(columns[name], rows)
    if any(columns[name] is None for name in texts):
        return reader.rows_by_column(sql, **params)
    return columns


def _in_file_order(reader: Reader, sql: str, texts: Sequence[str], **params: Any) -> Columns:
    """The same of a statement that reads a table through, sorted if it comes otherwise."""
    columns = _packed_columns(reader, sql, texts, **params)
    numbers = _numbers(columns["number"], np.int64)
    if (numbers[1:] < numbers[:-1]).any():
        return _packed_columns(reader, f"{sql} ORDER BY number", texts, **params)
    return {**columns, "number": numbers}


def _in_order(column: Columns) -> np.ndarray:
    """The rows as `ORDER` has them; the file itself would sort for several times as long."""
    rows = np.arange(len(column["id"]))
    if len(set(column["name"])) < len(rows):
        rows = _sorted(rows, column["id"])
    return _sorted(_sorted(rows, column["name"]), column["by_mentions"], last_first=True)


def _sorted(rows: np.ndarray, values: Sequence[Any], *, last_first: bool = False) -> np.ndarray:
    """Rows by their values as the file would sort them; those of one value stay in their order."""
    if not values or values.count(values[0]) == len(values):
        return rows  # As the times of a graph that was imported.
    kinds = set(map(type, values))
    if kinds == {int}:
        numbers = np.fromiter(values, np.int64, len(values))[rows]
        return rows[np.argsort(~numbers if last_first else numbers, kind="stable")]
    given = rows.tolist()
    ordered = [given] if kinds == {str} else _by_kind(given, values)
    ordered = [sorted(each, key=values.__getitem__, reverse=last_first) for each in ordered]
    if len(given) > sum(map(len, ordered)):
        ordered.insert(0, [row for row in given if values[row] is None])
    return np.array([*chain.from_iterable(reversed(ordered) if last_first else ordered)], np.int64)


def _by_kind(rows: Iterable[int], values: Sequence[Any]) -> list[list[int]]:
    """The rows that have a value, apart by its kind."""
    kinds: tuple[list[int], ...] = ([], [], [])
    for row in [row for row in rows if values[row] is not None]:
        kinds[_kind(values[row])].append(row)
    return [*kinds]


def _kind(value: Any) -> int:
    """Numbers come before texts, these before bytes."""
    return 0 if isinstance(value, int | float) else 1 if isinstance(value, str) else 2


def _numbers(values: Sequence[Any] | np.ndarray, kind: type) -> np.ndarray:
    """A column of numbers, 0 where there is none."""
    if isinstance(values, np.ndarray):
        return values.astype(kind, copy=False)
    try:
        return np.fromiter(values, kind, len(values))
    except TypeError:
        return np.fromiter((value or 0 for value in values), kind, len(values))


def _shares(values: Sequence[Any]) -> np.ndarray:
    """A column that was read by `_share`."""
    return (_numbers(values, np.int64) / _WHOLE).astype(np.float32)


def _texts(values: Sequence[Any]) -> list[str]:
    """A column as text."""
    return list(values) if set(map(type, values)) <= {str} else [text(each) for each in values]


def _indices(
    values: Sequence[Any], indices: Mapping[Any, int], other: int = -1
) -> np.ndarray:
    """The index of each value, `other` for one that has none."""
    if isinstance(indices, TextPlaces):
        if isinstance(values, PackedTexts):
            return indices.rows_of(values, other)
        indices = indices.rows
    return np.fromiter(map(indices.get, values, repeat(other)), np.int32, len(values))


def _taken(values: Sequence[T], rows: np.ndarray) -> list[T]:
    if np.array_equal(rows, np.arange(len(values))):
        return list(values)
    taken: list[T] = []
    for start in range(0, len(rows), CHUNK):  # Each number is an object while it is looked up.
        taken += map(values.__getitem__, rows[start:start + CHUNK].tolist())
    return taken


def _packed_taken(values: Sequence[Any], rows: np.ndarray) -> PackedTexts:
    """These rows of a column of texts."""
    if isinstance(values, PackedTexts):
        taken: PackedTexts = spliced(values, (), rows)
        return taken
    return packed(_texts(_taken(values, rows)))


def _coded(values: Sequence[Any], rows: np.ndarray) -> tuple[tuple[str, ...], np.ndarray]:
    """The words of these rows of a column, sorted, and for each row the index of its word."""
    column = _texts(values)
    words = sorted(set(column))
    codes = {word: number for number, word in enumerate(words)}
    of_row = _indices(column, codes)[rows]
    used = np.flatnonzero(np.bincount(of_row, minlength=len(words)))
    place = np.zeros(len(words), np.int16)
    place[used] = np.arange(len(used))
    return tuple(words[code] for code in used.tolist()), place[of_row]


def pending_counts(pending: Iterable[Pending], indices: Mapping[str, int]) -> np.ndarray:
    """How many pending proposals each entity has, from either end of a link."""
    counts = np.zeros(len(indices), np.int32)
    for item in pending:
        for end in {end.id for end in (item.target.entity, item.target.other) if end}:
            if end in indices:
                counts[indices[end]] += 1
    return counts


def entities(
    column: Columns, rows: np.ndarray, communities: Sequence[Row]
) -> dict[str, Any]:
    """The columns of these rows, without their proposals."""
    words, types = _coded(column["type"], rows)
    what = _numbers(column["marks"], np.int8)[rows]
    community = {row["id"]: index for index, row in enumerate(communities)}
    tasks = {status: 1 + index for index, status in enumerate(TASK_STATUSES)}
    return {
        "entity_ids": _taken(column["id"], rows),
        "entity_names": _texts(_taken(column["name"], rows)),
        "type_words": words, "entity_type": types,
        "entity_mentions": _numbers(column["mentions"], np.int32)[rows],
        "entity_pinned": (what & PINNED) != 0, "entity_muted": (what & MUTED) != 0,
        "entity_archived": (what & ARCHIVED) != 0,
        "entity_task": np.where(
            what & TASK, _indices(column["task"], tasks, 1)[rows], 0).astype(np.int8),
        "entity_community": _indices(column["community_id"], community)[rows],
        "community_names": [text(row["name"]) for row in communities],
        "community_ids": [text(row["id"]) for row in communities],
    }


def _aspects(reader: Reader, indices: Mapping[str, int]) -> dict[str, object]:
    return aspects(_packed_columns(reader, _ASPECTS, ("entity_id",)), indices)


def aspects(column: Columns, indices: Mapping[str, int]) -> dict[str, object]:
    """The columns of those aspects whose entity is shown, those of one weight by name."""
    owners = _indices(column["entity_id"], indices)
    weights = _shares(column["weight"])
    order = _sorted(np.flatnonzero(owners >= 0), column["name"])
    order = order[np.lexsort((-weights[order], owners[order]))]
    return {"aspect_ids": _taken(column["id"], order),
            "aspect_names": _texts(_taken(column["name"], order)),
            "aspect_entity": owners[order], "aspect_weight": weights[order],
            "aspect_number": _numbers(column["number"], np.int64)[order]}


def _attributes(reader: Reader, columns: dict[str, object]) -> dict[str, object]:
    ids_of_aspects: list[str] = columns["aspect_ids"]  # type: ignore[assignment]
    indices = TextPlaces(ids_of_aspects)
    return attributes(_by_chunks(reader), indices)


def _by_chunks(reader: Reader) -> Iterator[Columns]:
    after = -1
    while (last := reader.value(_LAST, after=after, rows=AT_ONCE)) is not None:
        yield _in_file_order(reader, _ATTRIBUTES, ("id", "aspect_id"), after=after, last=last)
        after = last


def attributes(chunks: Iterable[Columns], indices: Mapping[str, int]) -> dict[str, object]:
    """The columns of those values whose aspect is shown, from rows in the order of writing."""
    parts: dict[str, list[Any]] = {}
    for column in chain((_NO_VALUES,), chunks):
        for name, part in _of_chunk(column, indices).items():
            parts.setdefault(name, []).append(part)
    # One after another, so that only one column is there twice.
    columns = {name: _joined(parts.pop(name)) for name in [*parts]}
    order = np.lexsort((-columns["attribute_importance"], columns["attribute_aspect"]))
    for name in columns:
        columns[name] = spliced(columns[name], (), order)
    return columns


def _of_chunk(column: Columns, indices: Mapping[str, int]) -> dict[str, Any]:
    owner = _indices(column["aspect_id"], indices)
    shown = owner >= 0
    return {"attribute_ids": _packed_taken(column["id"], np.flatnonzero(shown)),
            "attribute_aspect": owner[shown],
            "attribute_constraint": _numbers(column["rule"], np.bool_)[shown],
            "attribute_importance": _shares(column["importance"])[shown],
            "attribute_number": _numbers(column["number"], np.int64)[shown]}


def _joined(parts: Sequence[Any]) -> Any:
    return joined(parts) if isinstance(parts[0], PackedTexts) else np.concatenate(parts)


def constraint_counts(
    aspect_entity: np.ndarray, attribute_aspect: np.ndarray, constraint: np.ndarray, entities: int
) -> np.ndarray:
    """How many active constraints each entity has, through its aspects."""
    owners = aspect_entity[attribute_aspect[constraint]]
    return np.bincount(owners, minlength=entities).astype(np.int32)


def _counted_constraints(reader: Reader, indices: Mapping[str, int]) -> np.ndarray:
    """The same without reading the values."""
    counts = np.zeros(len(indices), np.int32)
    by_index = reader.kind == "native" and not reader.value(_OTHER_AGENTS)
    for row in reader.rows(_CONSTRAINTS_BY_INDEX if by_index else _CONSTRAINTS):
        if row["entity_id"] in indices:
            counts[indices[row["entity_id"]]] = row["constraints"]
    return counts


def _memories(reader: Reader, indices: Mapping[str, int]) -> dict[str, object]:
    shown = _in_file_order(reader, _MEMORIES, ())
    mentions = _packed_columns(reader, _MENTIONS, ("memory_id", "entity_id"), ids=shown["id"])
    return memories(shown, mentions, indices)


def memories(
    column: Columns, mention: Columns, indices: Mapping[str, int]
) -> dict[str, object]:
    """The columns of these memories and of what mentions a shown entity in them."""
    memory = _indices(mention["memory_id"], TextPlaces(column["id"]))
    entity = _indices(mention["entity_id"], indices)
    shown = np.flatnonzero((memory >= 0) & (entity >= 0))
    memory, entity = memory[shown], entity[shown]
    order = _by_memory(memory, mention["entity_id"], shown)
    return {"memory_ids": list(column["id"]),
            "memory_importance": _shares(column["importance"]),
            "memory_number": _numbers(column["number"], np.int64),
            "mention_memory": memory[order], "mention_entity": entity[order],
            "mention_number": _numbers(mention["number"], np.int64)[shown][order]}


def _by_memory(memory: np.ndarray, entities: Sequence[Any], rows: np.ndarray) -> np.ndarray:
    """Mentions by their memory, then by the id of their entity; nearly always they lie so.

    Args:
        entities: the ids.
        rows: which of them are of these mentions.
    """
    same = np.flatnonzero(memory[1:] == memory[:-1])
    if (memory[1:] >= memory[:-1]).all() and all(
            text(entities[here]) <= text(entities[after])
            for here, after in zip(rows[same].tolist(), rows[same + 1].tolist(), strict=True)):
        return np.arange(len(memory))
    keys = list(zip(memory.tolist(), _texts(_taken(entities, rows)), strict=True))
    return np.array(sorted(range(len(keys)), key=keys.__getitem__), np.int64)


def dependencies(
    column: Columns, indices: Mapping[str, int], hidden: Container[str]
) -> dict[str, object]:
    """The columns of links between what is shown; an end that is not even hidden is -1."""

    ends = []
    for name in ("source_entity_id", "target_entity_id"):
        end = _indices(column[name], indices, _HIDDEN)
        out = [row for row in np.flatnonzero(end == _HIDDEN).tolist()
               if column[name][row] not in hidden]
        end[out] = -1
        ends.append(end)
    source, target = ends
    rows = np.flatnonzero((source > _HIDDEN) & (target > _HIDDEN) & ((source >= 0) | (target >= 0)))
    words, types = _coded(column["type"], rows)
    return {"dependency_ids": _packed_taken(column["id"], rows),
            "dependency_words": words, "dependency_type": types,
            "dependency_source": source[rows], "dependency_target": target[rows],
            "dependency_strength": _shares(column["strength"])[rows],
            "dependency_confidence": _shares(column["confidence"])[rows],
            "dependency_number": _numbers(column["number"], np.int64)[rows]}


def proposals(pending: Iterable[Pending], indices: Mapping[str, int]) -> dict[str, object]:
    """The pending proposals that are about something shown or would make something."""

    def index(entity: EntityRow | None) -> int:
        return indices.get(entity.id, -1) if entity else -1

    pending = list(pending)
    beside = _beside(pending, index)
    seen: list[tuple[str, str, int, int, int]] = []
    for item in pending:
        target, effect, label = item.target, _effect(item.target), item.target.label()
        here, there = index(target.entity), index(target.other)
        if target.entity is None and effect == APPEAR:
            if not target.info.makes:
                continue  # Of an entity that is not there.
            here = beside.get(name_key(target.name), -1)
        goes = target.info.other_goes
        if goes and there >= 0:
            seen.append((item.id, label, GO, there, -1))
        if here >= 0 or there >= 0 or effect in (APPEAR, LINK):
            seen.append((item.id, label, effect, here, -1 if goes else there))
    return {"proposal_ids": [row[0] for row in seen], "proposal_labels": [row[1] for row in seen],
            "proposal_effect": np.array([row[2] for row in seen], np.int8),
            "proposal_target": np.array([row[3] for row in seen], np.int32),
            "proposal_other": np.array([row[4] for row in seen], np.int32)}


def _beside(pending: Sequence[Pending], index: Callable[[EntityRow | None], int]) -> dict[str, int]:
    """Where the end is that is there already of links to things that are not, by their names."""
    ends: dict[str, int] = {}
    for target in (item.target for item in pending):
        if _effect(target) == LINK and (target.entity is None) != (target.other is None):
            name = target.other_name if target.other is None else target.name
            ends.setdefault(name_key(name), index(target.entity or target.other))
    return ends


def _effect(target: "Target") -> int:
    """What its operation does to the sky as it is: an entity that is there does not appear."""
    info = target.info
    if info.effect != "link" and info.makes and target.entity is None:
        return APPEAR
    if info.effect == "appear" and target.entity is not None and not target.aspect:
        return CHANGE
    return _EFFECTS[info.effect]
