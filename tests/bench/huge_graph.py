"""A graph in which some things are huge: links of one entity, values of an aspect, versions."""

import sqlite3
from collections.abc import Iterator
from pathlib import Path

from tests.bench.big import AT, WORDS
from tests.bench.pending import build_pending

LINKS, VALUES, VERSIONS, PENDING = 50_000, 20_000, 5_000, 20_000
HUB, WIDE, LONG = "e11", "e12", "e13"
"""The entities with so many links, values of one aspect, and versions of one claim."""
SUBJECTS = {HUB: f"{LINKS:,} links", WIDE: f"{VALUES:,} values of one aspect",
            LONG: f"{VERSIONS:,} versions of one claim"}


def build_huge(path: Path, data: Path, values: int) -> Path:
    """Such a graph with this many values in all, ten of an entity."""
    entities = max(100, values // 10)
    return build_pending(path, data, entities=entities, values=values, pending=PENDING,
                         more=lambda connection: _add(connection, entities))


def _add(connection: sqlite3.Connection, entities: int) -> None:
    connection.executemany(
        "INSERT OR IGNORE INTO entity_dependencies (id, source_entity_id, target_entity_id,"
        " dependency_type, strength, confidence, created_at, updated_at)"
        " VALUES (?, ?, ?, ?, ?, 0.8, ?, ?)", _links(entities))
    connection.executemany(
        "INSERT INTO entity_aspects (id, entity_id, name, canonical_name, weight, created_at,"
        " updated_at) VALUES (?, ?, ?, ?, 0.9, ?, ?)",
        [("wide", WIDE, "wide side", "wide side", AT, AT),
         ("long", LONG, "long side", "long side", AT, AT)])
    connection.executemany(
        "INSERT INTO entity_attributes (id, aspect_id, kind, content, normalized_content,"
        " importance, confidence, group_key, claim_key, version, version_root_id,"
        " previous_attribute_id, superseded_by, status, created_at, updated_at)"
        " VALUES (?, ?, 'attribute', ?, ?, ?, 0.8, 'general', ?, ?, ?, ?, ?, ?, ?, ?)",
        [*_values(), *_versions()])


def _links(entities: int) -> Iterator[tuple]:
    for n in range(LINKS):
        there = f"e{(n * 7 + 17) % entities}"
        ends = (HUB, there) if n % 2 else (there, HUB)
        kind = f"kind {n // entities}" if n >= entities else "knows"
        if there != HUB:
            yield (f"hub{n}", *ends, kind, 0.1 + n % 90 / 100, AT, AT)


def _values() -> Iterator[tuple]:
    for n in range(VALUES):
        text = f"{_words(n)} number {n}"
        id = f"wide{n}"
        yield (id, "wide", text, text, n % 100 / 100, f"claim {n}", 1, id, None, None, "active",
               AT, AT)


def _versions() -> Iterator[tuple]:
    for n in range(VERSIONS):
        text = f"{_words(n)} version {n + 1}"
        last = n == VERSIONS - 1
        at = f"2026-0{1 + n // 1400}-{1 + n // 50 % 28:02d}T10:{n % 50:02d}:00.000Z"
        yield (f"long{n}", "long", text, text, 0.5, "told", n + 1, "long0",
               f"long{n - 1}" if n else None, None if last else f"long{n + 1}",
               "active" if last else "superseded", at, at)


def _words(n: int) -> str:
    return " ".join(WORDS[(n * step + step) % len(WORDS)] for step in (1, 3, 7, 11, 13))
