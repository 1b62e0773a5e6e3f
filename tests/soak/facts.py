"""What a worker says that it has put into a graph, and whether a file holds it whole.

A fact is a list of JSON: its kind, and the names or texts that only it has.
"""

import json
import sqlite3
from collections.abc import Iterable
from contextlib import closing
from dataclasses import dataclass, field
from pathlib import Path

Fact = list
IMPORTED = 40
"""Entities of one imported file; each has a value and a link to the next."""
_QUERIES = {
    "entity": ("SELECT count(*) FROM entities WHERE name = ?",),
    "value": ("SELECT count(*) FROM entity_attributes WHERE content = ?",),
    "link": ("SELECT count(*) FROM entity_dependencies WHERE reason = ?",),
    "memory": ("SELECT count(*) FROM memories WHERE content = ?",
               "SELECT count(*) FROM memory_entity_mentions WHERE memory_id IN "
               "(SELECT id FROM memories WHERE content = ?)"),
    "import": ("SELECT count(*) FROM entities WHERE name LIKE ? || ' %'",
               "SELECT count(*) FROM entity_attributes WHERE content LIKE ? || ' %'",
               "SELECT count(*) FROM entity_dependencies d JOIN entities e "
               "ON e.id = d.source_entity_id WHERE e.name LIKE ? || ' %'"),
}
_WHOLE = {"import": (IMPORTED, IMPORTED, IMPORTED - 1)}


def state(connection: sqlite3.Connection, fact: Fact) -> str:
    """`whole`, `absent`, or what of the fact is there."""
    kind, *names = fact
    counts = tuple(connection.execute(query, (names[-1],)).fetchone()[0]
                   for query in _QUERIES[kind])
    if counts == _WHOLE.get(kind, (1,) * len(counts)):
        return "whole"
    return "absent" if not any(counts) else f"{fact}: {counts}"


@dataclass(slots=True)
class Said:
    """What one worker has written down, in its order."""

    done: list[Fact] = field(default_factory=list)
    open: list[Fact] = field(default_factory=list)
    """Asked for, but neither acknowledged nor refused when the worker was killed."""
    refused: list[Fact] = field(default_factory=list)
    errors: list[str] = field(default_factory=list)

    @classmethod
    def read(cls, path: Path) -> "Said":
        """The lines of one worker; the last may be cut off by its death."""
        said = cls()
        for line in path.read_text(encoding="utf-8").splitlines() if path.exists() else ():
            try:
                word, thing = json.loads(line)
            except ValueError:
                continue
            {"try": said.open, "done": said.done, "refused": said.refused,
             "error": said.errors}[word].append(thing)
            if word in ("done", "refused"):
                said.open.remove(thing)
        return said


def faults(graph: Path, worlds: Iterable[Said]) -> list[str]:
    """What the file lacks of what was acknowledged, and what it holds a half of."""
    with closing(sqlite3.connect(graph)) as connection:
        problems = [f"damaged: {row[0]}" for row in connection.execute("PRAGMA quick_check")
                    if row[0] != "ok"]
        problems += [f"foreign key: {tuple(row)}"
                     for row in connection.execute("PRAGMA foreign_key_check")]
        for said in worlds:
            for fact, allowed in ((said.done, ("whole",)), (said.open, ("whole", "absent")),
                                  (said.refused, ("absent",))):
                problems += [f"{one} is {found}" for one in fact
                             if (found := state(connection, one)) not in allowed]
    return problems
