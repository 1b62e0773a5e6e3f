"""What it costs the window's process when another program changes a row of a large graph.

Run as `python -m tests.bench.foreign_writes [ENTITIES] [VALUES]`: a connection of its own changes
rows, as Signet's daemon does; each line tells the processor time until the sky has followed.
"""

import os
import sqlite3
import sys
import tempfile
import time
from contextlib import closing
from pathlib import Path
from statistics import median

from core.constellation.reread_changed_sky_rows import patched
from core.constellation.sky_rows import sky
from core.model.changes import Changes
from core.model.sky_columns import SkyRows
from core.workspace import Workspace
from tests.bench.big import AT, build

TIMES = 5
CHANGES = {
    "a value's weight": "UPDATE entity_attributes SET importance = {n} / 10.0 WHERE id = 'v{n}'",
    "an entity's mentions": "UPDATE entities SET mentions = mentions + 1 WHERE id = 'e{n}'",
    "a new entity": "INSERT INTO entities (id, name, canonical_name, entity_type, created_at,"
                    " updated_at) VALUES ('new{n}', 'new {n}', 'new {n}', 'tool', '" + AT + "', '"
                    + AT + "')",
    "a link less": "DELETE FROM entity_dependencies WHERE id = 'd{n}'",
}


def measure(path: Path) -> None:
    """Print what following each kind of change costs, and reading all of it anew."""
    with closing(Workspace.open(path)) as workspace, closing(sqlite3.connect(path)) as other:
        heard: list[Changes] = []
        workspace.events.subscribe(heard.append)
        with workspace.read() as reader:
            rows, spent = _timed(lambda: sky(reader))
        say(f"all of it anew: {spent:.0f} ms")
        workspace.poll()
        for name, sql in CHANGES.items():
            times, whole = [], 0
            for n in range(1, TIMES + 1):
                with other:
                    other.execute(sql.format(n=n))
                rows, spent, read = _follow(workspace, heard, rows)
                times.append(spent)
                whole += read
            say(f"{name}: median {median(times):.0f} ms, {whole} of {TIMES} read as a whole")


def _follow(
    workspace: Workspace, heard: list[Changes], rows: SkyRows
) -> tuple[SkyRows, float, bool]:
    began = time.process_time()
    workspace.poll()
    with workspace.read() as reader:
        fresh = patched(reader, rows, heard[-1])
        whole = fresh is None
        rows = sky(reader) if fresh is None else fresh
    return rows, (time.process_time() - began) * 1000, whole


def _timed(read):
    began = time.process_time()
    result = read()
    return result, (time.process_time() - began) * 1000


def say(line: str) -> None:
    sys.stdout.write(f"{line}\n")
    sys.stdout.flush()


def main(entities: int = 10_000, values: int = 100_000) -> None:
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as name:
        folder = Path(name)
        os.environ["CONSTELLATION_DATA"] = str(folder / "data")
        path = build(folder / "graph.db", folder / "data", entities=entities, values=values,
                     memories=entities)
        say(f"{entities:,} entities, {values:,} values")
        measure(path)


if __name__ == "__main__":
    main(*map(int, sys.argv[1:3]))
