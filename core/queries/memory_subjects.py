"""Tells whose a memory is, where its own text does not say so.

An imported observation rests on a text such as “Lives in Leipzig”: in its entity's section that is
enough, alone on a line it is not.
"""

import re
from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache
from typing import NamedTuple

from msgspec import Struct, field

from core.model.memory_text_of_value import place
from core.model.names import canonical, name_key
from core.model.search_words import NO_NAMES, fold
from core.model.text_formatting import one_line
from core.model.unspaced_scripts import HAN_AND_KANA, HANGUL, SOUTH_EAST_ASIAN
from core.model.vocabulary import OBSERVATIONS, WITHDRAWN
from core.queries.rows_to_model import text
from core.store.reader_and_writer import Reader

LONGEST_NAME = 80
MOST_NAMES = 3
"""Names that are told before a text; of what more entities say alike it is said that they do."""
_LOOKED_AT = 8
"""Values that rest on one memory, of those that tell whose it is."""
_READ = 32
"""The same of those that are read, to know whether all are in force: of few memories are more."""
_LONGEST_TEXT = 20_000
_SHORTEST_PART = 3
"""Letters of one of the words of a name: “de” names nobody."""
_MENTIONED = """
SELECT f.value, e.id, e.name, e.entity_type, e.muted, n.mention_text, NULL, NULL, NULL, 1, 0, 0
FROM json_each(:ids) f CROSS JOIN memory_entity_mentions n ON n.rowid IN (
  SELECT k.rowid FROM memory_entity_mentions k WHERE k.memory_id = f.value LIMIT :most)
CROSS JOIN entities e ON e.id = n.entity_id
WHERE +e.agent_id = :agent AND +e.status = 'active'"""
# Signet's files have no index over what rests on a memory, and what Signet writes mentions whose
# it is.
_RESTING = """
SELECT f.value, e.id, e.name, e.entity_type, e.muted, NULL, COALESCE(s.name, ''), v.claim_key,
  v.content, v.agent_id = :agent AND e.status = 'active',
  v.agent_id = :agent AND (v.status <> 'active' OR s.status = 'archived' OR e.status = 'archived'),
  v.archive_reason IS :withdrawn
FROM json_each(:ids) f CROSS JOIN entity_attributes v ON v.rowid IN (
  SELECT r.rowid FROM entity_attributes r WHERE r.memory_id = f.value LIMIT :read)
LEFT JOIN entity_aspects s ON s.id = v.aspect_id LEFT JOIN entities e ON e.id = s.entity_id"""
# A memory made from a value mentions the value's entity, unless somebody has said more of it.
_OF_OTHERS = """
SELECT f.key AS id FROM json_each(:made) f
WHERE EXISTS (SELECT 1 FROM entity_attributes r
    WHERE r.memory_id = f.key AND r.id <> f.key AND +r.agent_id = :agent)
  OR NOT EXISTS (SELECT 1 FROM memory_entity_mentions n
    WHERE n.memory_id = f.key AND n.entity_id = f.value)
  OR EXISTS (SELECT 1 FROM memory_entity_mentions n
    WHERE n.memory_id = f.key AND n.entity_id <> f.value)"""
_ALIASES = """
SELECT a.entity_id, a.alias FROM json_each(:ids) f CROSS JOIN entity_aliases a
ON a.entity_id = f.value WHERE a.agent_id = :agent AND a.status = 'active'"""


class Owner(Struct, frozen=True):
    """Whose a memory is.

    Attributes:
        entity: the names of the entities that it is of: `Mia`.
        before: what is told before its text: `Mia, home`; empty where the text names one of them.
    """

    entity: str = ""
    before: str = ""


NOBODY = Owner()
NONE: Mapping[str, "Said"] = {}


class _Entity(Struct, frozen=True):
    """An entity that memories are of: its name, as it is told, too, and a person's first name."""

    name: str
    told: str
    first_name: str
    muted: bool


class _Memory(Struct):
    """What is on record of a memory, by the ids of entities.

    Attributes:
        said: what it calls those that it mentions; empty where that is not known.
        values: the values of each that rest on it, by aspect and claim key.
        withdrawn: the same of those that the notes no longer say.
        read: how many values that rest on it were read.
        ended: True if one of them is out of force.
    """

    said: dict[str, str] = field(default_factory=dict)
    values: dict[str, dict[tuple[str, str], str]] = field(default_factory=dict)
    withdrawn: dict[str, dict[tuple[str, str], str]] = field(default_factory=dict)
    read: int = 0
    ended: bool = False


class _Told(NamedTuple):
    """Whose a memory is, and whether all values that rest on it are known to be in force."""

    owner: Owner
    in_force: bool


class Said(NamedTuple):
    """An entity whose value a memory was made from."""

    id: str
    name: str
    entity_type: str


def only_of(reader: Reader, made: Mapping[str, Said]) -> dict[str, Said]:
    """Those of memories made from values which mention its entity alone, and no other rests on.

    None in a file that has no index to tell so.
    """
    if reader.kind != "native" or not made:
        return {}
    others = {row["id"] for row in reader.rows(
        _OF_OTHERS, made={id: entity.id for id, entity in made.items()})}
    return {id: entity for id, entity in made.items() if id not in others}


def owners(
    reader: Reader, texts: Mapping[str, str], only: Mapping[str, Said] = NONE
) -> dict[str, Owner]:
    """Whose these memories are, by their ids; those of nobody are left out.

    A memory is of the entities whose values rest on it, else of the only one that it mentions.

    Args:
        texts: what each memory says, by its id.
        only: those that are known to be of one entity, from `only_of`.
    """
    return owners_and_settled(reader, texts, only)[0]


def owners_and_settled(
    reader: Reader, texts: Mapping[str, str], only: Mapping[str, Said] = NONE
) -> tuple[dict[str, Owner], frozenset[str]]:
    """The same, and the memories of which it is known besides that every value that rests on them
    is in force."""
    named = {id: Owner(_short(entity.name)) for id, entity in only.items()
             if id in texts and _tells(texts[id], entity)}
    told = _told(reader, {id: said for id, said in texts.items() if id not in named})
    return (named | {id: each.owner for id, each in told.items()},
            frozenset(id for id, each in told.items() if each.in_force))


def _tells(said: str, entity: Said) -> bool:
    """True if a text made from an entity's value names it: nearly always it begins with that."""
    return (_opens_with(said, entity.name) or names_any(said, (entity.name,))
            or _says_first_name(said, _first_name(entity.name, entity.entity_type)))


def _opens_with(said: str, name: str) -> bool:
    """True if a text begins with a name in plain letters, as a word of its own."""
    if not name or not said.startswith(name):
        return False
    after = said[len(name):len(name) + 1]
    return (not (after.isalnum() or after == "_") and after.isascii() and name.isascii()
            and not name.isspace())


def _told(reader: Reader, texts: Mapping[str, str]) -> dict[str, _Told]:
    """The same of memories of which nothing is known yet."""
    def read(several: list[tuple[str, str]]) -> dict[tuple[str, str], _Told]:
        found = _found(reader, dict(several))
        return {(id, said): found[id] for id, said in several if id in found}

    told = reader.each_once(f"owners for {reader.agent}", texts.items(), read)
    return {id: each for (id, _), each in told.items()}


def _found(reader: Reader, texts: Mapping[str, str]) -> dict[str, _Told]:
    """The same, read from the file."""
    entities, memories = _read(reader, list(texts))
    of = {id: ids for id, memory in memories.items() if (ids := _of(memory, entities))}
    keys = {id: name_key(texts[id][:_LONGEST_TEXT]) for id in of}
    unnamed = [id for id, ids in of.items() if not any(
        _says(keys[id], (entities[each].name, memories[id].said.get(each, "")))
        or _says_first_name(texts[id], entities[each].first_name) for each in ids)]
    aliases = other_names(reader, {each for id in unnamed for each in of[id]})
    without = {id for id in unnamed if not any(
        says_name(keys[id], alias) for each in of[id] for alias in aliases.get(each, ()))}
    names = {id: _names([entities[each].told for each in ids]) for id, ids in of.items()}
    before = {id: _before(names[id], [memories[id].values.get(each, {}) for each in of[id]],
                          texts[id]) for id in without}
    settled = reader.kind == "native"
    return {id: _Told(Owner(name, before.get(id, "")), settled and not memories[id].ended
                      and memories[id].read < _READ) for id, name in names.items()}


def says_name(key: str, name: str) -> bool:
    """True if a text, given as `name_key` gives it, has this name in it as a word of its own.

    Not by a pattern of each name: to compile those takes as long as the walk that asks.
    """
    wanted, is_run = _sought(name)
    at = key.find(wanted) if wanted else -1
    if at >= 0 and is_run:
        return True
    while at >= 0:
        if not (at and _LETTER.match(key, at - 1)) and _END.match(key, at + len(wanted)):
            return True
        at = key.find(wanted, at + 1)
    return False


def names_any(said: str, names: Iterable[str]) -> bool:
    """True if a text has one of these names in it."""
    return _says(name_key(said[:_LONGEST_TEXT]), names)


@lru_cache(10_000)
def _sought(name: str) -> tuple[str, bool]:
    """What is looked for as a name, and whether it is of a script that runs on without spaces.

    Many memories are of the same few entities.
    """
    key = name_key(name)
    return key, bool(_RUN.search(key))


@lru_cache(10_000)
def _short(name: str) -> str:
    return one_line(name, LONGEST_NAME)


_LETTER, _END = re.compile(r"\w"), re.compile(r"(?:['’]?s)?(?!\w)")
_RUN = re.compile(f"[{SOUTH_EAST_ASIAN}{HAN_AND_KANA}{HANGUL}]")
"""A sign after and before which others of the same word may stand."""


def _says(key: str, names: Iterable[str]) -> bool:
    """True if a text has one of these names in it."""
    return any(says_name(key, name) for name in names)


def _read(reader: Reader, ids: list[str]) -> tuple[dict[str, _Entity], dict[str, _Memory]]:
    """What is on record of memories, and the entities that these are of."""
    entities: dict[str, _Entity] = {}
    memories: dict[str, _Memory] = {}
    asked = f"{_MENTIONED} UNION ALL {_RESTING}" if reader.kind == "native" else _MENTIONED
    rows = reader.rows(asked, ids=ids, most=_LOOKED_AT, read=_READ, withdrawn=WITHDRAWN)
    for memory_id, id, name, kind, muted, said, aspect, key, content, counts, ended, gone in rows:
        if (memory := memories.get(memory_id)) is None:
            memory = memories[memory_id] = _Memory()
        memory.read += aspect is not None
        memory.ended = memory.ended or bool(ended)
        if not counts or memory.read > _LOOKED_AT:
            continue
        if id not in entities:
            entities[id] = _Entity(text(name), _short(text(name)),
                                   _first_name(text(name), text(kind)), bool(muted))
        if aspect is None:
            memory.said[id] = text(said)
        else:
            values = memory.withdrawn if gone else memory.values
            values.setdefault(id, {})[text(aspect), text(key)] = text(content)
    for memory in memories.values():
        memory.values = memory.values or memory.withdrawn
    return entities, memories


@lru_cache(10_000)
def _first_name(name: str, entity_type: str) -> str:
    """What a text may call a person, too: `Ana` of `Ana Paris`, `Osei` of `Dr. Osei`.

    Empty where that says nobody: “Will” begins many a text. A surname alone may be a town or a
    game: Ana Paris “moved to Paris”, Lina Chess “plays chess”.
    """
    parts = [part for part in name.split() if not part.endswith(".")]
    if entity_type != "person" or not parts or len(parts[0]) < _SHORTEST_PART:
        return ""
    return "" if fold(parts[0]) in NO_NAMES else parts[0]


def _says_first_name(said: str, name: str) -> bool:
    """True if a text has a first name in it, with its capital: Rose Hill “grows a rose”."""
    if not name or not (name in said or name[0].upper() + name[1:] in said):
        return False
    return names_any(said, (name,))


def name_words(name: str) -> tuple[str, ...]:
    """A name and the words in it that may stand for it."""
    return name, *(part for part in name.split() if len(part) >= _SHORTEST_PART)


def _of(memory: _Memory, entities: Mapping[str, _Entity]) -> list[str]:
    """The entities that a memory is of; muted ones only where all of them are."""
    ids = list(memory.values or (memory.said if len(memory.said) == 1 else ()))
    return [id for id in ids if not entities[id].muted] or ids


def other_names(reader: Reader, ids: Iterable[str]) -> dict[str, list[str]]:
    """The aliases in force of some entities, by their ids."""
    aliases: dict[str, list[str]] = {}
    wanted = sorted(ids)
    for row in reader.rows(_ALIASES, ids=wanted) if wanted else ():
        aliases.setdefault(row["entity_id"], []).append(text(row["alias"]))
    return aliases


def _names(told: Iterable[str]) -> str:
    """`Mia`, `Mia and Lena`, `Mia, Lena, Otto and others`."""
    names = list(filter(None, dict.fromkeys(told)))
    last = "others" if len(names) > MOST_NAMES else names.pop() if names else ""
    first = ", ".join(names[:MOST_NAMES])
    return f"{first} and {last}" if first else last


def _before(
    names: str, values: Sequence[Mapping[tuple[str, str], str]], content: str
) -> str:
    """What is told before a text that names none of the entities that it is of.

    Where the text is one value and no more, that is where the value stands, as the memories that
    are made from values say it.

    Args:
        values: what of each entity rests on the memory.
    """
    if len(values) > 1 or len(values[0]) != 1:
        return names
    (aspect, key), value = next(iter(values[0].items()))
    if canonical(value) != canonical(content):
        return names
    return place(names, "" if canonical(aspect) == OBSERVATIONS else one_line(
        aspect, LONGEST_NAME), one_line(key, LONGEST_NAME) or None)
