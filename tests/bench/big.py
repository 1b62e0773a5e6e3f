"""Large graph files for the benchmark, brought up to date as the program does when it opens one."""

import random
import sqlite3
from collections.abc import Callable, Iterator
from pathlib import Path

from core.workspace import Workspace

TYPES = ("project", "person", "system", "tool", "concept", "skill", "task", "event")
WORDS = [
    "harbor", "ledger", "night", "batch", "bank", "signed", "holiday", "window", "retry",
    "queue", "export", "schema", "index", "drift", "signal", "anchor", "copper", "meadow",
    "lantern", "orbit", "thicket", "pebble", "saffron", "quartz", "willow", "tide", "ember",
    "cobalt", "juniper", "marble", "raven", "thistle", "velvet", "walnut", "zephyr", "cedar",
]
BEFORE_CLAIM_MEMORIES = 8
"""The last schema version whose values had no memories: opening such a file makes them."""
AT = "2026-05-01T10:00:00.000Z"


def build(path: Path, data: Path, *, entities: int, values: int, memories: int,
          remembered: bool = False,
          more: Callable[[sqlite3.Connection], None] = lambda _: None) -> Path:
    """A graph of this size; the same bytes of content each time.

    Besides these memories there is one for each value, as in any native file. With `remembered`
    four of five values say which memory they come from; `more` adds rows of its own.
    """
    Workspace.open(path, data_dir=data, create=True).close()
    connection = sqlite3.connect(path, isolation_level=None)
    connection.execute("PRAGMA synchronous = OFF")
    connection.execute("BEGIN")
    chance = random.Random(entities)
    aspects = max(1, min(5, values // entities))
    connection.executemany(
        "INSERT INTO entity_communities (id, agent_id, name, created_at, updated_at) "
        "VALUES (?, 'default', ?, ?, ?)",
        ((f"c{n}", f"cluster {n}", AT, AT) for n in range(max(1, entities // 250))))
    connection.executemany(
        "INSERT INTO entities (id, name, canonical_name, entity_type, mentions, pinned, pinned_at, "
        "community_id, created_at, updated_at) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
        _entities(chance, entities))
    connection.executemany(
        "INSERT INTO entity_aspects (id, entity_id, name, canonical_name, weight, created_at, "
        "updated_at) VALUES (?, ?, ?, ?, ?, ?, ?)",
        ((f"a{n}.{k}", f"e{n}", f"{WORDS[k]} side", f"{WORDS[k]} side", chance.random(), AT, AT)
         for n in range(entities) for k in range(aspects)))
    connection.executemany(
        "INSERT INTO memories (id, content, importance, created_at, updated_at) "
        "VALUES (?, ?, ?, ?, ?)",
        ((f"m{n}", _sentence(chance, 14), chance.random(), AT, AT) for n in range(memories)))
    connection.executemany(
        "INSERT INTO memory_entity_mentions (memory_id, entity_id, created_at) VALUES (?, ?, ?)",
        ((f"m{n}", f"e{n * 7 % entities}", AT) for n in range(memories)))
    connection.executemany(
        "INSERT INTO entity_attributes (id, aspect_id, kind, content, normalized_content, "
        "importance, confidence, group_key, claim_key, version_root_id, created_at, updated_at, "
        "memory_id) VALUES (?, ?, ?, ?, ?, ?, 0.8, 'general', ?, ?, ?, ?, ?)",
        _values(chance, entities, values, aspects, memories if remembered else 0))
    connection.executemany(
        "INSERT INTO entity_dependencies (id, source_entity_id, target_entity_id, "
        "dependency_type, strength, confidence, created_at, updated_at) "
        "VALUES (?, ?, ?, 'uses', ?, ?, ?, ?)", _links(chance, entities))
    more(connection)
    connection.execute("COMMIT")
    connection.execute("ANALYZE")
    connection.execute(f"PRAGMA user_version = {BEFORE_CLAIM_MEMORIES}")
    connection.close()
    Workspace.open(path, data_dir=data).close()
    return path


def _entities(chance: random.Random, count: int) -> Iterator[tuple]:
    clusters = max(1, count // 250)
    for n in range(count):
        pinned = int(n % 2500 == 7)
        name = f"{chance.choice(WORDS)} {chance.choice(WORDS)} {n}"
        yield (f"e{n}", name, name, TYPES[n % 8], int(chance.paretovariate(1)) % 400, pinned,
               AT if pinned else None, f"c{n % clusters}", AT, AT)


def _values(
    chance: random.Random, entities: int, count: int, aspects: int, memories: int
) -> Iterator[tuple]:
    for n in range(count):
        text = _sentence(chance, 8)
        kind = "constraint" if n % 12 == 0 else "attribute"
        aspect = f"a{n % entities}.{n // entities % aspects}"
        yield (f"v{n}", aspect, kind, text, text, chance.random(), f"claim_{n // entities}",
               f"v{n}", AT, AT, f"m{n * 7919 % memories}" if memories and n % 5 else None)


def _links(chance: random.Random, entities: int) -> Iterator[tuple]:
    seen = set()
    for n in range(entities * 2):
        source, target = n % entities, (n % entities + chance.randint(1, 250)) % entities
        if source != target and (source, target) not in seen:
            seen.add((source, target))
            yield (f"d{n}", f"e{source}", f"e{target}", chance.random(), chance.random(), AT, AT)


def _sentence(chance: random.Random, words: int) -> str:
    return " ".join(chance.choices(WORDS, k=words))
