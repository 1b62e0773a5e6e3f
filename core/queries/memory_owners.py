"""Tells whose a memory is, where its own text does not say so.

An imported observation rests on a text such as “Lives in Leipzig”: in its entity's section that is
enough, alone on a line it is not.
"""

import re
from collections.abc import Iterable, Mapping
from functools import lru_cache

from msgspec import Struct, field

from core.model.memory_text_of_value import place
from core.model.names import canonical, name_key
from core.model.text_formatting import one_line
from core.model.unspaced_scripts import HAN_AND_KANA, HANGUL, SOUTH_EAST_ASIAN
from core.model.vocabulary import OBSERVATIONS
from core.queries.rows_to_model import text
from core.store.database import Row
from core.store.reader_and_writer import Reader

LONGEST_NAME = 80
MOST_NAMES = 3
"""Names that are told before a text; of what more entities say alike it is said that they do."""
_LOOKED_AT = 8
"""Values that rest on one memory, of those that are looked at."""
_LONGEST_TEXT = 20_000
_MOST_KNOWN = 20_000
"""Memories of which it is kept whose they are: a walk, recall and a session ask for the same."""
_SHORTEST_PART = 3
"""Letters of one of a person's names: “de” names nobody."""
_MENTIONED = """
SELECT f.value AS memory_id, e.id, e.name, e.entity_type, e.muted, 0 AS rests,
  n.mention_text AS said,
  NULL AS aspect, NULL AS claim_key, NULL AS content
FROM json_each(:ids) f CROSS JOIN memory_entity_mentions n ON n.rowid IN (
  SELECT k.rowid FROM memory_entity_mentions k WHERE k.memory_id = f.value LIMIT :most)
CROSS JOIN entities e ON e.id = n.entity_id
WHERE +e.agent_id = :agent AND +e.status = 'active'"""
# Signet's files have no index over what rests on a memory, and what Signet writes mentions whose
# it is.
_RESTING = """
SELECT f.value, e.id, e.name, e.entity_type, e.muted, 1, NULL, s.name, v.claim_key, v.content
FROM json_each(:ids) f CROSS JOIN entity_attributes v ON v.rowid IN (
  SELECT r.rowid FROM entity_attributes r WHERE r.memory_id = f.value LIMIT :most)
CROSS JOIN entity_aspects s ON s.id = v.aspect_id CROSS JOIN entities e ON e.id = s.entity_id
WHERE +v.agent_id = :agent AND +e.status = 'active'"""
_ALIASES = """
SELECT a.entity_id, a.alias FROM json_each(:ids) f CROSS JOIN entity_aliases a
ON a.entity_id = f.value WHERE +a.agent_id = :agent AND +a.status = 'active'"""


class Owner(Struct, frozen=True):
    """Whose a memory is.

    Attributes:
        entity: the names of the entities that it is of: `Mia`.
        before: what is told before its text: `Mia, home`; empty where the text names one of them.
    """

    entity: str = ""
    before: str = ""


NOBODY = Owner()


class _Entity(Struct):
    """An entity that a memory is of."""

    name: str
    entity_type: str
    muted: bool
    told_as: set[str] = field(default_factory=set)
    """What the memory calls it, where that is on record."""
    values: dict[tuple[str, str], str] = field(default_factory=dict)
    """The values that rest on the memory, by aspect and claim key."""


def owners(reader: Reader, texts: Mapping[str, str]) -> dict[str, Owner]:
    """Whose these memories are, by their ids; those of nobody are left out.

    A memory is of the entities whose values rest on it, else of the only one that it mentions.

    Args:
        texts: what each memory says, by its id.
    """
    if reader.kind != "native":  # What is muted there is no part of the file.
        return _found(reader, texts) if texts else {}
    known: dict[tuple[str, str], Owner] = reader.once(f"owners for {reader.agent}", dict)
    if len(known) > _MOST_KNOWN:
        known.clear()
    if unknown := {id: said for id, said in texts.items() if (id, said) not in known}:
        found = _found(reader, unknown)
        known.update(((id, said), found.get(id, NOBODY)) for id, said in unknown.items())
    return {id: owner for id, said in texts.items()
            if (owner := known[id, said]) is not NOBODY}


def _found(reader: Reader, texts: Mapping[str, str]) -> dict[str, Owner]:
    """The same, read from the file."""
    found = _entities(reader, list(texts))
    keys = {id: name_key(texts[id][:_LONGEST_TEXT]) for id in found}
    unnamed = {id: entities for id, entities in found.items()
               if not any(_says(keys[id], each) for each in entities.values())}
    aliases = _aliases(reader, {entity for each in unnamed.values() for entity in each})
    without = {id for id, entities in unnamed.items() if not any(
        says_name(keys[id], alias) for entity in entities for alias in aliases.get(entity, ()))}
    return {id: Owner(_names(entities), _before(entities, texts[id]) if id in without else "")
            for id, entities in found.items()}


def says_name(key: str, name: str) -> bool:
    """True if a text, given as `name_key` gives it, has this name in it as a word of its own.

    Not by a pattern of each name: to compile those takes as long as the walk that asks.
    """
    wanted = _key(name)
    at = key.find(wanted) if wanted else -1
    if at >= 0 and _RUN.search(wanted):
        return True
    while at >= 0:
        if not (at and _LETTER.match(key, at - 1)) and _END.match(key, at + len(wanted)):
            return True
        at = key.find(wanted, at + 1)
    return False


_key = lru_cache(10_000)(name_key)
"""Many memories are of the same few entities."""


@lru_cache(10_000)
def _short(name: str) -> str:
    return one_line(name, LONGEST_NAME)


_LETTER, _END = re.compile(r"\w"), re.compile(r"(?:['’]?s)?(?!\w)")
_RUN = re.compile(f"[{SOUTH_EAST_ASIAN}{HAN_AND_KANA}{HANGUL}]")
"""A sign after and before which others of the same word may stand."""


def _says(key: str, entity: _Entity) -> bool:
    """True if a text names the entity; a person is named by one of their names, too."""
    parts = entity.name.split() if entity.entity_type == "person" else ()
    return any(says_name(key, name) for name in (
        entity.name, *entity.told_as, *(part for part in parts if len(part) >= _SHORTEST_PART)))


def _entities(reader: Reader, ids: list[str]) -> dict[str, dict[str, _Entity]]:
    """The entities that each memory is of, by their ids; muted ones only where all of them are."""
    by_values: dict[str, dict[str, _Entity]] = {}
    mentioned: dict[str, dict[str, _Entity]] = {}
    asked = f"{_MENTIONED} UNION ALL {_RESTING}" if reader.kind == "native" else _MENTIONED
    for row in reader.rows(asked, ids=ids, most=_LOOKED_AT):
        if row["rests"]:
            values = _noted(by_values, row).values
            values[text(row["aspect"]), text(row["claim_key"])] = text(row["content"])
        elif said := text(row["said"]):
            _noted(mentioned, row).told_as.add(said)
        else:
            _noted(mentioned, row)
    found = {id: entities for id, entities in mentioned.items() if len(entities) == 1}
    for id, entities in by_values.items():
        for key, each in mentioned.get(id, {}).items():
            if key in entities:
                entities[key].told_as = each.told_as
        found[id] = entities
    return {id: _heard(entities) for id, entities in found.items()}


def _noted(found: dict[str, dict[str, _Entity]], row: Row) -> _Entity:
    entities = found.setdefault(row["memory_id"], {})
    if (known := entities.get(row["id"])) is None:
        known = entities[row["id"]] = _Entity(
            text(row["name"]), text(row["entity_type"]), bool(row["muted"]))
    return known


def _heard(entities: dict[str, _Entity]) -> dict[str, _Entity]:
    return {id: each for id, each in entities.items() if not each.muted} or entities


def _aliases(reader: Reader, ids: Iterable[str]) -> dict[str, list[str]]:
    aliases: dict[str, list[str]] = {}
    wanted = sorted(ids)
    for row in reader.rows(_ALIASES, ids=wanted) if wanted else ():
        aliases.setdefault(row["entity_id"], []).append(text(row["alias"]))
    return aliases


def _names(entities: Mapping[str, _Entity]) -> str:
    """`Mia`, `Mia and Lena`, `Mia, Lena, Otto and others`."""
    names = [_short(each.name) for each in entities.values()]
    names = list(filter(None, dict.fromkeys(names)))
    last = "others" if len(names) > MOST_NAMES else names.pop() if names else ""
    first = ", ".join(names[:MOST_NAMES])
    return f"{first} and {last}" if first else last


def _before(entities: Mapping[str, _Entity], content: str) -> str:
    """What is told before a text that names none of them.

    Where the text is one value and no more, that is where the value stands, as the memories that
    are made from values say it.
    """
    names = _names(entities)
    places = {where: value for each in entities.values() for where, value in each.values.items()}
    if len(entities) > 1 or len(places) != 1:
        return names
    (aspect, key), value = next(iter(places.items()))
    if canonical(value) != canonical(content):
        return names
    return place(names, "" if canonical(aspect) == OBSERVATIONS else one_line(
        aspect, LONGEST_NAME), one_line(key, LONGEST_NAME) or None)
