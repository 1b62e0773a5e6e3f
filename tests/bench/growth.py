"""How the cost of what a person or an agent waits for grows with the graph: an exponent for each.

Run as `python -m tests.bench.growth [ENTITIES ...]`, three sizes without any. 0 is flat, 1 grows as
the graph does: only what goes through all of it may. Times are of the processor: what other
programs take of the machine is left out; writes are by the clock.
"""

import math
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import closing
from pathlib import Path
from statistics import median

import numpy as np

from core.constellation import sky_rows
from core.health.report import report
from core.recall.hybrid import recall
from core.review.proposal_queue import list_proposals
from core.session.start import start
from core.settings import Settings
from core.store.reader_and_writer import Reader
from core.traversal.focal_signals import Signals
from core.workspace import Workspace
from tests.bench.figures import Figure, timed
from tests.bench.reads import of_lists, of_writes
from tests.bench.walks import of_walks

SIZES = (1_000, 10_000, 100_000)
VALUES = 10
"""Values of an entity."""
WHOLE = "the whole sky", "the whole health report"
"""What is asked for is the whole graph, so that it grows with it."""
CPU = time.process_time
FLAT, LEAST_MS = 0.25, 0.05
"""The exponent up to which a line counts as flat, and what is too short to tell."""


def _figures(folder: Path, entities: int) -> Iterator[Figure]:
    yield from of_walks(folder, VALUES * entities, CPU)
    settings = Settings()
    graph = folder / f"walks{VALUES * entities}.db"
    with closing(Workspace.open(graph, data_dir=folder / "data")) as workspace:
        yield from of_lists(workspace, entities, CPU)

        def read(ask: Callable[[Reader], object]) -> Callable[[], object]:
            def run() -> object:
                with workspace.read() as reader:
                    return ask(reader)
            return run

        yield timed("recall", read(lambda r: recall(r, "what about the harbor lantern")),
                    clock=CPU)
        yield timed("a session's start",
                    read(lambda r: start(r, Signals("harbor lantern"), settings)), clock=CPU)
        yield timed("the queue's first page", read(lambda r: list_proposals(r, limit=100)))
        yield timed("history, first page", lambda: workspace.history(20))
        yield from of_writes(workspace, entities)
        yield timed(WHOLE[0], read(sky_rows.sky), runs=3, clock=CPU)
        yield timed(WHOLE[1], read(lambda r: report(r, limit=200)), runs=3,
                    clock=CPU)


def exponent(times: Mapping[int, float]) -> float:
    """The slope of the time over the size, both as logarithms."""
    return float(np.polyfit([math.log(size) for size in times],
                            [math.log(max(each, LEAST_MS)) for each in times.values()], 1)[0])


def main(sizes: tuple[int, ...] = SIZES) -> None:
    times: dict[str, dict[int, float]] = {}
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as name:
        for size in sizes:
            for figure in _figures(Path(name), size):
                times.setdefault(figure.name, {})[size] = median(figure.values)
    width = max(map(len, times))
    heads = "".join(f"{size:>12,}" for size in sizes)
    sys.stdout.write(f"{'median ms':<{width}}{heads}    exponent\n")
    for line, by_size in times.items():
        slope = exponent(by_size)
        grows = "" if slope <= FLAT else "of the whole" if line in WHOLE else "grows"
        sys.stdout.write(f"{line:<{width}}" + "".join(f"{each:>12.2f}" for each in by_size.values())
                         + f"{slope:>12.2f}  {grows}".rstrip() + "\n")


if __name__ == "__main__":
    main(tuple(int(size) for size in sys.argv[1:]) or SIZES)
