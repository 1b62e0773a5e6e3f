"""A graph in which thousands of proposals wait, of many kinds, by several agents, on many days."""

import json
import random
import sqlite3
from collections.abc import Callable, Iterator
from pathlib import Path

from tests.bench.big import WORDS, build

ACTORS = ("claude-code", "dreaming", "codex", "importer")


def build_pending(
    path: Path, data: Path, *, entities: int, pending: int, values: int | None = None,
    more: Callable[[sqlite3.Connection], None] = lambda _: None,
) -> Path:
    """A graph of this size with this many pending proposals; the same content each time.

    Every fifth wants another value for a claim than the one before it, so there are conflicts.
    `more` adds rows of its own.
    """
    build(path, data, entities=entities, values=values or 10 * entities, memories=0, more=more)
    connection = sqlite3.connect(path)
    with connection:
        slots = connection.execute(
            "SELECT e.name, s.name, v.claim_key FROM entity_attributes v"
            " JOIN entity_aspects s ON s.id = v.aspect_id JOIN entities e ON e.id = s.entity_id"
            " WHERE v.status = 'active' AND v.claim_key IS NOT NULL ORDER BY v.id").fetchall()
        names = [row[0] for row in connection.execute("SELECT name FROM entities ORDER BY id")]
        connection.executemany(
            "INSERT INTO ontology_proposals (id, operation, payload, confidence, rationale, risk,"
            " created_by, created_at, updated_at, status)"
            " VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, 'pending')",
            _rows(random.Random(pending), pending, names, slots))
    connection.close()
    return path


def _rows(chance: random.Random, pending: int, names: list[str], slots: list) -> Iterator[tuple]:
    slot = slots[0]
    for n in range(pending):
        slot = slot if n % 5 == 4 else chance.choice(slots)
        operation, payload = _wish(chance, n, names, slot)
        at = f"2026-05-{1 + n % 28:02d}T{n // 28 % 24:02d}:{n // 700 % 60:02d}:00.000Z"
        yield (f"p{n:05d}", operation, json.dumps(payload), round(chance.random(), 2),
               f"Seen in session {n // 40}", chance.choice(("low", "low", "medium", "high")),
               ACTORS[n // 40 % len(ACTORS)], at, at)


def _wish(chance: random.Random, n: int, names: list[str], slot: tuple) -> tuple[str, dict]:
    entity, aspect, claim = slot
    if n % 10 == 6:
        return "create_entity", {"name": f"newcomer {n}", "entity_type": "system"}
    if n % 10 == 7:
        return "create_link", {"source": names[n % len(names)], "link_type": "depends_on",
                               "target": names[(n * 13 + 5) % len(names)]}
    words = " ".join(chance.choice(WORDS) for _ in range(6))
    return "set_claim_value", {"entity": entity, "aspect": aspect, "claim_key": claim,
                               "value": f"Now {words} {n}"}
