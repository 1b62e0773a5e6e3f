"""Reads the first values of each group under an entity, and counts the rest."""

from collections import Counter
from collections.abc import Callable, Collection, Iterable, Mapping
from typing import NamedTuple

from core.model.names import slot_key
from core.queries.rows_to_model import (
    CLAIM_KEY,
    CLAIM_ORDER,
    GROUP_KEY,
    VALUE_COLUMNS,
    json_array,
    text,
)
from core.store.database import Row
from core.store.reader_and_writer import Reader

Most = Callable[[str, str, bool], int]
"""How many values to read of an aspect (its id) and group, of those that bind or of the others."""

_OF_ENTITY = """
FROM entity_aspects s CROSS JOIN entity_attributes v ON v.aspect_id = s.id
WHERE s.entity_id = :entity AND +s.agent_id = :agent AND +v.agent_id = :agent"""
_IN_STATUS = " AND +v.status IN (SELECT value FROM json_each(:statuses))"


def _of_first(column: str) -> str:
    """SQL for what the first version of a value has there: most are their own first version, and
    only others are looked up."""
    return (f"COALESCE(CASE WHEN v.version_root_id <> v.id THEN (SELECT r.{column}"
            " FROM entity_attributes r WHERE r.id = v.version_root_id AND +r.agent_id = :agent)"
            f" END, v.{column})")


_FIRST_ORDER = f"{_of_first('importance')} DESC, {_of_first('rowid')}, v.rowid"
"""`CLAIM_ORDER` of thousands of values."""
# In the order of an index: to sort thousands by their groups, of which there mostly is one, takes
# longer than to read them.
_COUNTS = """
SELECT v.aspect_id, MIN(COALESCE(v.group_key, '')) AS group_key,
  MAX(COALESCE(v.group_key, '')) AS last_group, v.kind = 'constraint' AS binds,
  v.status = 'active' AS active, COUNT(*) AS count, SUM(COALESCE(v.claim_key, '') = '') AS unkeyed
FROM entity_attributes v
WHERE v.aspect_id IN (
    SELECT id FROM entity_aspects WHERE entity_id = :entity AND +agent_id = :agent)
  AND v.status IN (SELECT value FROM json_each(:statuses)) AND +v.agent_id = :agent
GROUP BY v.aspect_id, v.status, v.kind"""
_COUNTS_BY_GROUP = f"""
SELECT v.aspect_id, v.group_key, v.kind = 'constraint' AS binds, v.status = 'active' AS active,
  COUNT(*) AS count, SUM(COALESCE(v.claim_key, '') = '') AS unkeyed
{_OF_ENTITY}{_IN_STATUS} AND s.id IN (SELECT value FROM json_each(:aspects)) GROUP BY 1, 2, 3, 4"""
_FIRST_OF_ONE = f"""
SELECT v.id {_OF_ENTITY} AND s.id = :aspect
  AND COALESCE(v.group_key, '') IN (SELECT value FROM json_each(:groups))
  AND (v.kind = 'constraint') = :binds{_IN_STATUS}
ORDER BY {_FIRST_ORDER} LIMIT :most"""
_FIRST_OF_EACH = f"""
SELECT id FROM (SELECT v.id, ROW_NUMBER() OVER (
  PARTITION BY v.aspect_id, {GROUP_KEY}, v.kind = 'constraint' ORDER BY {_FIRST_ORDER}) AS place
{_OF_ENTITY}{_IN_STATUS}) WHERE place <= :most"""
_SMALL = f"""
SELECT v.id {_OF_ENTITY}
  AND s.id IN (SELECT value FROM json_each(:aspects)) AND NOT (s.id = :aspect
  AND COALESCE(v.group_key, '') IN (SELECT value FROM json_each(:groups))
  AND (v.kind = 'constraint') = :binds){_IN_STATUS}"""
_ROWS = f"""
SELECT {VALUE_COLUMNS}, {GROUP_KEY} AS group_place, {CLAIM_KEY} AS claim_place
FROM json_each(:ids) f CROSS JOIN entity_attributes v ON v.id = f.value
LEFT JOIN entity_attributes r ON r.id = v.version_root_id AND +r.agent_id = :agent
WHERE +v.agent_id = :agent ORDER BY {CLAIM_ORDER}"""
# An index has the keys of all claims: only the rows with these are read.
_SLOTS = f"""
SELECT v.aspect_id, v.kind, {GROUP_KEY} AS group_place, {CLAIM_KEY} AS claim_place, v.claim_key,
  COUNT(*) AS versions, json_group_array(v.id) FILTER (
    WHERE v.status IN (SELECT value FROM json_each(:statuses))) AS ids
FROM entity_attributes v WHERE v.id IN (
  SELECT v.id FROM entity_aspects s CROSS JOIN entity_attributes v ON v.aspect_id = s.id
  WHERE s.entity_id = :entity AND +s.agent_id = :agent AND v.agent_id = :agent
    AND v.claim_key IS NOT NULL AND {CLAIM_KEY} IN (SELECT value FROM json_each(:keys)))
GROUP BY 1, 2, 3, 4, 5"""

_Place = tuple[str, str, str, str]
"""A slot as SQL tells it: aspect, kind, group and claim."""


class Part(NamedTuple):
    """Where values stand: their aspect's id, their group, and whether they bind."""

    aspect: str
    group: str
    binds: bool


class FirstValues(NamedTuple):
    """What was read of an entity's values.

    Attributes:
        rows: rows of `VALUE_COLUMNS`, the first ones of each part, with all of their claims.
        versions: rows of how many versions each of those claims with a key has.
        counts: how many values there are in each part.
        active: how many of them are active.
        unkeyed: whether any have no claim key.
    """

    rows: list[Row]
    versions: list[Row]
    counts: Mapping[Part, int]
    active: Mapping[Part, int]
    unkeyed: bool


def first_values(
    reader: Reader, entity_id: str, statuses: Collection[str], most: Most,
    also: Collection[tuple[str, str, str]], ids: Iterable[str] = (),
) -> FirstValues | None:
    """The first values of each part; None if no part has more than `most` says.

    Args:
        also: aspects, groups and claims (their keys) that are read wherever they stand.
        ids: values that are, too.
    """
    asked: dict[str, object] = {"entity": entity_id, "statuses": list(statuses)}
    key = (entity_id, tuple(statuses))
    counted = reader.each_once(f"numbers of values of {reader.agent}", [key],
                               lambda _: {key: _counted(reader, asked)})[key]
    counts, active = Counter[Part](), Counter[Part]()
    for row in counted:
        counts[_part(row)] += row["count"]
        active[_part(row)] += row["count"] * row["active"]
    large = [part for part, count in counts.items() if count > most(*part)]
    if not large:
        return None
    chosen = {row["id"] for row in _chosen(reader, asked, counted, large, most)}
    rows, versions = _with_claims(reader, asked, chosen.union(ids), also)
    return FirstValues(rows, versions, counts, active, any(row["unkeyed"] for row in counted))


def _counted(reader: Reader, asked: dict[str, object]) -> list[Row]:
    """How many values there are, by aspect, group, status and whether they bind."""
    rows = reader.rows(_COUNTS, **asked)
    mixed = {row["aspect_id"] for row in rows if row["group_key"] != row["last_group"]}
    if not mixed:
        return rows
    return [*(row for row in rows if row["aspect_id"] not in mixed),
            *reader.rows(_COUNTS_BY_GROUP, **asked, aspects=sorted(mixed))]


def _part(row: Row) -> Part:
    return Part(row["aspect_id"], slot_key(row["group_key"], "general") or "general",
                bool(row["binds"]))


def _chosen(
    reader: Reader, asked: dict[str, object], counted: list[Row], large: list[Part], most: Most
) -> list[Row]:
    """The ids of the first values of each part."""
    if len(large) > 1:
        each = max(most(*_part(row)) for row in counted)
        return reader.rows(_FIRST_OF_EACH, **asked, most=each)
    part = large[0]
    one = {"aspect": part.aspect, "binds": part.binds,
           "groups": sorted({row["group_key"] or "" for row in counted if _part(row) == part})}
    rows = reader.rows(_FIRST_OF_ONE, **asked, **one, most=most(*part))
    others = {row["aspect_id"] for row in counted if _part(row) != part}
    return rows + (reader.rows(_SMALL, **asked, **one, aspects=sorted(others)) if others else [])


def _with_claims(
    reader: Reader, asked: dict[str, object], chosen: set[str],
    also: Collection[tuple[str, str, str]],
) -> tuple[list[Row], list[Row]]:
    """The rows of what was chosen, with the other values of the same claims; and the versions."""
    rows = reader.rows(_ROWS, ids=sorted(chosen))
    here = {_place(row) for row in rows if row["claim_place"]}
    keys = {place[3] for place in here} | {claim for _, _, claim in also}
    versions = reader.rows(_SLOTS, **asked, keys=sorted(keys)) if keys else []
    whole = set(chosen)
    for row in versions:
        aspect, _, *keys_of = place = _place(row)
        if place in here or (aspect, *keys_of) in also:
            whole.update(map(text, json_array(row["ids"])))
    return (rows if whole == chosen else reader.rows(_ROWS, ids=sorted(whole))), versions


def _place(row: Row) -> _Place:
    return row["aspect_id"], row["kind"], row["group_place"], row["claim_place"]
