"""Another program that writes 50 rows a second into a graph, as an agent at work would.

Run as `python -m tests.soak.neighbour FILE SECONDS`. Says how many rows it wrote and how often it
had to wait for a lock longer than its patience.
"""

import random
import sqlite3
import sys
import time
import uuid

RATE = 50


def write_one(connection: sqlite3.Connection, chance: random.Random, entities: list[str]) -> None:
    """One row: a memory with its mention, a fact, or a new mention count."""
    now = time.strftime("%Y-%m-%dT%H:%M:%S.000Z", time.gmtime())
    entity = chance.choice(entities)
    kind = chance.random()
    if kind < 0.4:
        connection.execute("UPDATE entities SET mentions = mentions + 1, updated_at = ? "
                           "WHERE id = ?", (now, entity))
    elif kind < 0.7:
        memory = str(uuid.uuid4())
        connection.execute(
            "INSERT INTO memories (id, content, created_at, updated_at) VALUES (?, ?, ?, ?)",
            (memory, f"Seen in passing {chance.random()}", now, now))
        connection.execute(
            "INSERT INTO memory_entity_mentions (memory_id, entity_id, created_at) "
            "VALUES (?, ?, ?)", (memory, entity, now))
    else:
        aspect = connection.execute(
            "SELECT id FROM entity_aspects WHERE entity_id = ? LIMIT 1", (entity,)).fetchone()
        if aspect is not None:
            text = f"Noted by the neighbour {chance.random()}"
            connection.execute(
                "INSERT INTO entity_attributes (id, aspect_id, kind, content, normalized_content, "
                "created_at, updated_at) VALUES (?, ?, 'attribute', ?, ?, ?, ?)",
                (str(uuid.uuid4()), aspect[0], text, text.lower(), now, now))


def main(file: str, seconds: float) -> None:
    """Write until the time is over."""
    connection = sqlite3.connect(file, timeout=5, isolation_level=None)
    chance = random.Random(11)
    entities = [r[0] for r in connection.execute(
        "SELECT id FROM entities WHERE agent_id = 'default'")]
    rows = failures = 0
    began = time.monotonic()
    while time.monotonic() - began < seconds:
        try:
            connection.execute("BEGIN IMMEDIATE")
            write_one(connection, chance, entities)
            connection.execute("COMMIT")
            rows += 1
        except sqlite3.OperationalError:
            failures += 1
            if connection.in_transaction:
                connection.execute("ROLLBACK")
        time.sleep(max(0.0, began + (rows + failures) / RATE - time.monotonic()))
    connection.close()
    sys.stdout.write(f"{rows} {failures}\n")


if __name__ == "__main__":
    main(sys.argv[1], float(sys.argv[2]))
