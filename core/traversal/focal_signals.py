"""Finds the entities for each signal of a session: pins, ids, a project's path, a checkpoint."""

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from msgspec import Struct

from core.queries.entity_search import like
from core.queries.rows_to_model import json_array, text
from core.store.database import Row
from core.store.reader_and_writer import Reader
from core.traversal.query_words import folders_of
from core.traversal.search_inside_entity_names import NameList, name_list

ACTIVE = "{e}.status = 'active'"
SHOWN = f"({ACTIVE} AND +{{e}}.muted = 0)"
HIDDEN = f"NOT {SHOWN}"
"""Conditions on the entity `{e}`: in force, may be focal, may not."""


class Signals(Struct, frozen=True):
    """The signals of a session; all optional.

    Attributes:
        query: the question in the person's words.
        project: the folder that is worked in.
        session_key: the session, whose last checkpoint may tell where it stood.
        checkpoint_ids: entities that a checkpoint carried forward.
        entity_ids: entities that are named outright; these may be muted ones.
        pinned: with the pinned entities.
    """

    query: str = ""
    project: str = ""
    session_key: str = ""
    checkpoint_ids: tuple[str, ...] = ()
    entity_ids: tuple[str, ...] = ()
    pinned: bool = True


class FocalMatch(NamedTuple):
    """An entity that matches a signal; `detail` is the matching part."""

    id: str
    name: str
    entity_type: str
    archived: bool
    muted: bool
    detail: str = ""


class Held(NamedTuple):
    """The entities whose name or alias holds one of some words, as lines of a list of names."""

    names: NameList
    lines: list[int]

    @property
    def places(self) -> list[int]:
        """The numbers of their rows."""
        return [self.names.places[line] for line in self.lines]

    def aliases(self, words: Sequence[str]) -> list[str]:
        """An alias of each that holds one of the words; empty without one."""
        return [self.names.alias(line, words) for line in self.lines]


_NO_NAMES = NameList("", "", ())

COLUMNS = "e.id, e.name, e.entity_type, e.status, e.muted, e.mentions"

_PINNED = f"""
SELECT {COLUMNS} FROM entities e WHERE e.agent_id = :agent AND e.pinned = 1 AND {{filter}}
ORDER BY e.pinned_at DESC, e.updated_at DESC, e.name LIMIT :limit"""

_BY_ID = f"""
SELECT {COLUMNS} FROM json_each(:ids) f CROSS JOIN entities e ON e.id = f.value
WHERE +e.agent_id = :agent AND {{filter}} ORDER BY f.key LIMIT :limit"""

# What a list of names has may be focal.
_AT = """
SELECT e.id, e.name, e.entity_type, 'active' AS status, 0 AS muted, e.canonical_name
FROM json_each(:places) f CROSS JOIN entities e ON e.rowid = f.value
WHERE +e.agent_id = :agent ORDER BY f.key"""
_MUTED_PLACES = """
SELECT e.rowid AS place FROM side.muted_entities k CROSS JOIN entities e ON e.id = k.entity_id"""

# A name, or an alias, that holds one of the words anywhere, of the few that are hidden.
_HIDDEN_HOLDING = f"""
SELECT {COLUMNS}, e.canonical_name, MAX(alias) AS alias FROM (
  SELECT n.rowid AS place, '' AS alias FROM entities n
  WHERE n.agent_id = :agent AND {{kind}} AND ({{names}})
  UNION ALL
  SELECT n.rowid, a.alias FROM entity_aliases a CROSS JOIN entities n ON n.id = a.entity_id
  WHERE a.agent_id = :agent AND a.status = 'active' AND {{kind}} AND ({{aliases}})
) CROSS JOIN entities e ON e.rowid = place WHERE {{filter}} AND +e.agent_id = :agent
GROUP BY e.id ORDER BY e.mentions DESC, e.name LIMIT :limit"""


def pinned(reader: Reader, given: Signals, filter: str, limit: int) -> list[FocalMatch]:
    """The pinned entities, the last pinned first."""
    rows = reader.rows(_PINNED.format(filter=filter.format(e="e")), limit=limit)
    return [match_of(row) for row in rows]


def by_id(reader: Reader, ids: Iterable[str], filter: str, limit: int) -> list[FocalMatch]:
    """The agent's entities with these ids, in their order."""
    rows = reader.rows(_BY_ID.format(filter=filter.format(e="e")), ids=list(ids), limit=limit)
    return [match_of(row) for row in rows]


def by_entity_id(reader: Reader, given: Signals, filter: str, limit: int) -> list[FocalMatch]:
    """The entities that are named outright."""
    return by_id(reader, given.entity_ids, filter, limit)


def checkpoint(reader: Reader, given: Signals, filter: str, limit: int) -> list[FocalMatch]:
    """The entities that a checkpoint carried forward.

    An id that the agent has no entity of stays, without a name: it may be another agent's.
    """
    shown = {each.id: each for each in by_id(reader, given.checkpoint_ids, filter, limit)}
    if filter == HIDDEN:
        return list(shown.values())
    known = {each.id for each in by_id(reader, given.checkpoint_ids, "TRUE", limit)}
    return [shown.get(id) or FocalMatch(id, "", "", False, False)
            for id in dict.fromkeys(given.checkpoint_ids)
            if id in shown or (id and id not in known)]


def projects(reader: Reader, given: Signals, filter: str, limit: int) -> list[FocalMatch]:
    """The projects whose name contains one of the last two folders, the most mentioned first."""
    folders, kind = folders_of(given.project), "n.entity_type = 'project'"
    if filter == HIDDEN:
        found = [(row, row["alias"]) for row in hidden_holding(reader, folders, limit, kind)]
    else:
        held = holding(reader, folders, limit, kind)
        found = list(zip(rows_at(reader, held.places), held.aliases(folders), strict=True))
    return [match_of(row, alias or words_in(row, folders)) for row, alias in found]


def session(reader: Reader, given: Signals, filter: str, limit: int) -> list[FocalMatch]:
    """The entities of the session's last checkpoint."""
    stored = reader.value(
        "SELECT focal_entity_ids FROM session_checkpoints WHERE session_key = :key"
        " AND focal_entity_ids IS NOT NULL ORDER BY created_at DESC LIMIT 1",
        key=given.session_key)
    ids = [id for id in json_array(stored) if isinstance(id, str)]
    return by_id(reader, ids, filter, limit) if ids else []


def holding(
    reader: Reader, words: Sequence[str], limit: int, kind: str = "TRUE"
) -> Held:
    """The first entities that may be focal whose name or alias holds one of the words.

    Args:
        kind: a further condition on the entity `n`.
    """
    if not words:
        return Held(_NO_NAMES, [])
    names = name_list(reader, kind)
    return Held(names, names.holding(words, limit, _muted_places(reader)))


def rows_at(reader: Reader, places: list[int]) -> list[Row]:
    """The rows of the entities with these row numbers, from a list of names, for `match_of`."""
    return reader.rows(_AT, places=places) if places else []


def _muted_places(reader: Reader) -> frozenset[int]:
    """The places of those that are muted beside the file, which the list of names has."""
    if reader.has_column("entities", "muted"):
        return frozenset()
    return reader.once("places muted beside", lambda: frozenset(
        row["place"] for row in reader.rows(_MUTED_PLACES)), beside=True)


def hidden_holding(
    reader: Reader, words: Sequence[str], limit: int, kind: str = "TRUE"
) -> list[Row]:
    """The rows of those that may not be focal whose name or alias holds one of the words, their
    wildcards taken literally."""
    if not words:
        return []
    patterns = {f"word{n}": like(word) for n, word in enumerate(words)}

    def holds(*columns: str) -> str:
        return " OR ".join(f"{column} LIKE :{word} ESCAPE '\\'"
                           for word in patterns for column in columns)

    # Old files lack some canonical names, and their names are as they were written.
    names = ("n.canonical_name",) if reader.kind == "native" else ("n.canonical_name", "n.name")
    return reader.rows(
        _HIDDEN_HOLDING.format(names=holds(*names), aliases=holds("a.canonical_alias"), kind=kind,
                               filter=HIDDEN.format(e="e")), limit=limit, **patterns)


def words_in(row: Row, words: Iterable[str]) -> str:
    """The words of a signal in the entity's name."""
    name = text(row["canonical_name"]) or text(row["name"]).lower()
    return ", ".join(word for word in words if word in name)


def match_of(row: Row, detail: str = "") -> FocalMatch:
    """A row of `COLUMNS`, but for the mentions."""
    return FocalMatch(row["id"], text(row["name"]), text(row["entity_type"]) or "unknown",
                 row["status"] != "active", bool(row["muted"]), detail)
