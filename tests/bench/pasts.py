"""Measures past states of a large graph whose rows came to be over 400 days.

What is made ready in the background, while a person looks at the state before, has lines of its
own: once after the graph was opened or written, then for each next state.
"""

import sqlite3
import sys
import tempfile
import time
from collections.abc import Callable
from contextlib import closing
from datetime import UTC, datetime, timedelta
from pathlib import Path

from core.constellation.sky_rows import sky
from core.queries.entities import list_entities
from core.recall.hybrid import recall
from core.workspace import Workspace
from tests.bench.big import build
from tests.bench.figures import Figure, table, timed

DAYS = 400
FIRST = datetime(2025, 10, 1, tzinfo=UTC)
AGES = (1, 30, 200, 380)
"""Days back from the youngest row."""
RUNS = 7
AIM = 100
"""Milliseconds, at 10,000 entities."""


def spread(path: Path) -> None:
    """Have what `build` has made come to be evenly over `DAYS`, nothing before what it is of; of
    eight values one has been replaced."""
    with closing(sqlite3.connect(path, isolation_level=None)) as run:
        run.execute("PRAGMA synchronous = OFF")
        run.execute("BEGIN")
        triggers = run.execute(
            "SELECT name, sql FROM sqlite_master WHERE type = 'trigger'").fetchall()
        for name, _ in triggers:
            run.execute(f"DROP TRIGGER {name}")
        for statement in _statements(run):
            run.execute(statement)
        for _, text in triggers:
            run.execute(text)
        run.execute("COMMIT")
        run.execute("ANALYZE")


def _statements(run: sqlite3.Connection) -> list[str]:
    count = run.execute("SELECT count(*) FROM entities").fetchone()[0]
    many = run.execute("SELECT count(*) FROM entity_attributes").fetchone()[0]

    def at(days: str) -> str:
        return (f"strftime('%Y-%m-%dT%H:%M:%S.000Z', '{FIRST:%Y-%m-%d}',"
                f" '+' || ({days}) || ' days')")

    def of_entity(id: str, times: int = 1) -> str:
        number = f"CAST(substr({id}, 2) AS INTEGER) * {times} % {count}"
        return f"(({number}) * {DAYS}.0 / {count})"

    birth = of_entity("id")
    later = f"{birth} + ({DAYS} - {birth}) * CAST(substr(id, 2) AS INTEGER) / {many}"
    linked = f"max({of_entity('source_entity_id')}, {of_entity('target_entity_id')})"
    same = "created_at = {0}, updated_at = {0}"
    return [
        f"UPDATE entities SET {same.format(at(birth))}",
        f"UPDATE entity_aspects SET {same.format(at(birth))}",
        f"UPDATE entity_attributes SET {same.format(at(later))}",
        f"UPDATE entity_dependencies SET {same.format(at(linked))}",
        "UPDATE entity_dependency_history SET created_at = (SELECT created_at FROM"
        " entity_dependencies d WHERE d.id = dependency_id)",
        "UPDATE memories SET created_at = COALESCE((SELECT v.created_at FROM entity_attributes v"
        " WHERE v.id = memories.id), " + at(of_entity("id", 7)) + ")",
        "UPDATE memory_entity_mentions SET created_at = (SELECT created_at FROM memories m"
        " WHERE m.id = memory_id)",
        "UPDATE entity_attributes AS v SET status = 'superseded', superseded_by = n.id,"
        " updated_at = n.created_at FROM entity_attributes n WHERE v.seq % 8 = 0"
        f" AND n.id = 'v' || (CAST(substr(v.id, 2) AS INTEGER) + {count})"]


def of_pasts(folder: Path, entities: int) -> list[Figure]:
    """The first past state and the next ones, and what reading them costs beside reading now."""
    path = build(folder / f"past{entities}.db", folder / "data", entities=entities,
                 values=5 * entities, memories=2 * entities)
    spread(path)
    must = AIM if entities <= 10_000 else None
    with closing(Workspace.open(path, data_dir=folder / "data")) as workspace:
        began = time.process_time()
        workspace.make_past_ready()
        figures = [_first(path, folder), Figure(
            "made ready once, in the background", ((time.process_time() - began) * 1000,))]
        for days in AGES:
            figures += _next(workspace, days, must)
        workspace.show_as_of(FIRST + timedelta(days=DAYS - 200))
        figures += _reads(workspace, "200 days back")
        workspace.show_as_of(None)
        figures += _reads(workspace, "now")
    return figures


def _next(workspace: Workspace, days: int, must: float | None) -> list[Figure]:
    """A past state by the CPU and by the clock, and what is made ready for the next one."""
    moment = FIRST + timedelta(days=DAYS - days)
    cpu, clock, ready = list[float](), list[float](), list[float]()
    for _ in range(RUNS):
        began = time.process_time()
        workspace.make_past_ready()
        ready.append((time.process_time() - began) * 1000)
        began, looked = time.process_time(), time.perf_counter()
        workspace.show_as_of(moment)
        cpu.append((time.process_time() - began) * 1000)
        clock.append((time.perf_counter() - looked) * 1000)
    return [Figure(f"past state {days} days back, CPU", tuple(cpu), must=must),
            Figure(f"past state {days} days back, clock", tuple(clock)),
            Figure("made ready for the next, background", tuple(ready))]


def _first(path: Path, folder: Path) -> Figure:
    """The first past state of a graph that was opened just now, with nothing ready."""
    values = []
    for _ in range(3):
        with closing(Workspace.open(path, data_dir=folder / "data")) as workspace:
            began = time.process_time()
            workspace.show_as_of(FIRST + timedelta(days=DAYS - 30))
            values.append((time.process_time() - began) * 1000)
    return Figure("first past state without that, 30 days back", tuple(values))


def _reads(workspace: Workspace, words: str) -> list[Figure]:
    def read(name: str, query: Callable[..., object]) -> Figure:
        def work() -> None:
            with workspace.read() as reader:
                query(reader)
        return timed(f"{name}, {words}", work, runs=5, clock=time.process_time)

    return [read("list", list_entities), read("sky", sky),
            read("recall", lambda reader: recall(reader, "harbor ledger of the night batch"))]


if __name__ == "__main__":
    with tempfile.TemporaryDirectory(prefix="constellation-bench-") as place:
        for size in map(int, sys.argv[1:]):
            sys.stdout.write(table(f"The past at {size:,} entities",
                                   of_pasts(Path(place), size)) + "\n\n")
            sys.stdout.flush()
