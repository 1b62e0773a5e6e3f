"""Our work beside what others need for the same, in turns, as ratios: `make bench ARGS=beside`.

The ratios of one run can be laid beside those of another machine, which its times cannot.
"""

import random
import resource
import sqlite3
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing
from functools import partial
from pathlib import Path
from statistics import median

from core.constellation import sky_rows
from core.queries.entities import list_entities
from core.workspace import Workspace
from tests.bench.big import WORDS, build
from tests.bench.figures import Figure
from tests.bench.programs import as_installed, measured

TURNS = 5
SKY_TABLES = {
    "entities": "id, name, entity_type, mentions, pinned, status, community_id",
    "entity_aspects": "id, entity_id, weight",
    "entity_attributes": "id, aspect_id, kind, status, importance",
    "entity_dependencies": "id, source_entity_id, target_entity_id, dependency_type, strength, "
                           "confidence",
    "memories": "id, importance, is_deleted",
    "memory_entity_mentions": "memory_id, entity_id",
}
"""What the sky is drawn from, as columns of the file."""


def of_commands(graph: Path, data: Path) -> Iterator[Figure]:
    """Processor time of commands, in percent of what starting numpy costs."""
    base = [sys.executable, "-c", "import numpy"]
    program = [sys.executable, "-m", "explorer"]
    asked = {"--version": (["--version"], 50), "--help": (["--help"], 50),
             "knowledge entities": (["knowledge", "entities", "--limit", "5", "--store",
                                     str(graph)], 150)}
    for name, (arguments, must) in asked.items():
        ours, theirs = _in_turns(partial(_process_ms, [*program, *arguments], data),
                                 partial(_process_ms, base, data), TURNS * 2)
        yield _percent(f"constellation {name}, of “import numpy”", ours, theirs, must)


def of_start(graph: Path, data: Path, rows: int) -> Iterator[Figure]:
    """The window on a graph whose sky is saved, beside a bare Qt window with as long a list: time
    of the processor that the window's thread took, so that a busy machine tells the same."""
    ours = partial(measured, "tests.bench.window", data, str(graph), "120")
    ours()  # so that its positions are saved
    turns = [(ours(), measured("tests.bench.bare_window", data, str(rows))) for _ in range(TURNS)]
    bare = [other["window own"] for _, other in turns]
    painted = [own["window own"] for own, _ in turns]
    yield _percent("window painted, of a bare Qt window", painted, bare, 300)
    for name, key in (("list usable", "list"), ("sky drawn", "sky")):
        yield _percent(f"{name}, of our window painted", [own[f"{key} own"] for own, _ in turns],
                       painted, 150)


def of_frames(nodes: int, must: float) -> Iterator[Figure]:
    """A frame while panning, names on, beside pyqtgraph and QGraphicsView without names."""
    # Qt is loaded only where it is measured.
    from tests.bench import frames, other_skies  # noqa: PLC0415

    scene, size = frames.scene(nodes), frames.SIZE
    with frames.sky_view(scene) as view:
        ours = frames.pan_frames(view, 20)
        theirs: list[float] = []
        try:
            theirs = other_skies.pyqtgraph_frames(scene, size, 10)
        except ModuleNotFoundError:
            sys.stderr.write("Not measured: frames beside pyqtgraph's (pip install pyqtgraph)\n")
        ours += frames.pan_frames(view, 20)
    links = f"{nodes:,} nodes + {2 * nodes:,} links"
    if theirs:
        yield _percent(f"frame of {links}, of pyqtgraph's", ours, theirs, must)
    yield _percent(f"frame of {links}, of QGraphicsView's", ours,
                   other_skies.graphics_view_frames(scene, size, 3))


def of_reads(graph: Path, data: Path) -> Iterator[Figure]:
    """The rows of the whole sky, a page of the list, and a search, beside plain SQL and FTS5."""
    chance = random.Random(5)
    with closing(sqlite3.connect(graph)) as plain, closing(
            Workspace.open(graph, data_dir=data)) as workspace:
        def read(ask: Callable[..., object]) -> object:
            with workspace.read() as reader:
                return ask(reader)

        def rows() -> None:
            for table, columns in SKY_TABLES.items():
                plain.execute(f"SELECT {columns} FROM {table}").fetchall()

        yield _percent("rows of the whole sky, of plain SQL", *_in_turns(
            partial(_cpu_ms, lambda: read(lambda reader: sky_rows.sky(
                reader, archived=True, muted=True))),
            partial(_cpu_ms, rows), 3))
        yield _percent("first page of the list, of plain SQL", *_in_turns(
            partial(_cpu_ms, lambda: read(lambda reader: list_entities(reader, limit=200))),
            partial(_cpu_ms, lambda: plain.execute(
                "SELECT id, name, entity_type, mentions, pinned FROM entities "
                "ORDER BY pinned DESC, mentions DESC, name LIMIT 200").fetchall()), 20))
        words = [" ".join(chance.sample(WORDS, 2)) for _ in range(20)]
        asked, matched = iter(words * 2), iter(words * 2)
        yield _percent("search of two words, of FTS5 alone", *_in_turns(
            partial(_cpu_ms, lambda: read(lambda reader: list_entities(
                reader, text=next(asked), limit=100))),
            partial(_cpu_ms, lambda: plain.execute(
                "SELECT rowid FROM attributes_fts WHERE attributes_fts MATCH ? "
                "ORDER BY rank LIMIT 100", (next(matched),)).fetchall()), 20))


def side_by_side(folder: Path, scale: int) -> Iterator[tuple[str, Sequence[Figure]]]:
    """The tables, one after another."""
    entities, data = 10_000 // scale, folder / "data"
    graph = build(folder / "beside.db", data, entities=entities, values=10 * entities,
                  memories=entities)
    yield "Commands", [*of_commands(graph, data)]
    yield f"Start at {entities:,} entities", [*of_start(graph, data, entities)]
    yield f"Reads at {entities:,} entities", [*of_reads(graph, data)]
    yield "Frames at 1280x800", [
        *of_frames(20_000 // scale, 20), *of_frames(100_000 // scale, 12.5)]


def _in_turns(
    ours: Callable[[], float], theirs: Callable[[], float], turns: int
) -> tuple[list[float], list[float]]:
    """Both measured so often, one after the other, after a warm-up: what else runs hits both."""
    ours(), theirs()
    pairs = [(ours(), theirs()) for _ in range(turns)]
    return [own for own, _ in pairs], [other for _, other in pairs]


def _percent(
    name: str, ours: Sequence[float], theirs: Sequence[float], must: float | None = None
) -> Figure:
    """Each of ours in percent of the median of theirs."""
    base = median(theirs)
    return Figure(name, tuple(own / base * 100 for own in ours), unit="%", must=must)


def _cpu_ms(work: Callable[[], object]) -> float:
    began = time.process_time()
    work()
    return (time.process_time() - began) * 1000


def _process_ms(command: Sequence[str], data: Path) -> float:
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run(command, env=as_installed(data), stdout=subprocess.DEVNULL,
                   stderr=subprocess.DEVNULL, check=True)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return (after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime) * 1000
