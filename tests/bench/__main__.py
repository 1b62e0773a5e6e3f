"""The benchmark: `make bench`, or `python -m tests.bench lists frames start --small`.

Prints one table; medians of several runs, with the budgets of the design beside them. Nothing
here is a test: a slow machine misses a budget and breaks nothing.
"""

import argparse
import os
import platform
import shutil
import sys
import tempfile
from pathlib import Path

from core.workspace import Workspace
from tests.bench.beside_signet import beside_signet
from tests.bench.big import build
from tests.bench.duplicates import of_duplicates
from tests.bench.figures import Figure, table
from tests.bench.healths import of_health
from tests.bench.http_load import of_http
from tests.bench.pasts import of_pasts
from tests.bench.pending import build_pending
from tests.bench.programs import measured
from tests.bench.reads import of_import, of_lists, of_writes
from tests.bench.recalls import of_recall
from tests.bench.remembering import of_maintenance, of_remember
from tests.bench.side_by_side import side_by_side
from tests.bench.walks import of_hubs, of_walks

PARTS = ("start", "frames", "asking", "lists", "import", "walk", "recall", "http", "remember",
         "health", "past", "review", "beside")


def of_start(folder: Path, entities: int, values: int, memories: int, runs: int) -> list[Figure]:
    """A real window, first on a file never seen, then again from the saved sky."""
    path = build(folder / "start.db", folder / "data", entities=entities, values=values,
                 memories=memories)
    first = _window(path, folder, 300)
    again = [_window(path, folder, 120) for _ in range(runs)]
    size = f"{entities:,} entities, {values:,} values"

    def figure(name: str, key: str, must: float | None = None, aim: float | None = None) -> Figure:
        return Figure(name, tuple(run[key] for run in again), "s", must, aim)

    return [
        figure(f"window painted ({size})", "window", 0.5, 0.3),
        figure("list usable", "list", 1.0, 0.6),
        figure("sky from saved places", "sky", 1.5, 1.0),
        Figure("GUI thread, longest stall", tuple(run["stall"] * 1000 for run in again), "ms", 50,
               16),
        Figure("GUI thread, its own work in the longest turn",
               tuple(run["turn"] * 1000 for run in again), "ms", 50, 16),
        Figure("memory", tuple(run["memory"] for run in again), "MB", 400, 250),
        Figure(f"unseen file, first picture ({memories:,} memories)", (first["sky"],), "s", 1.0,
               0.5),
        Figure("unseen file, everything in its place", (first.get("settled", 300.0),), "s", 15, 10),
    ]


def of_asking(folder: Path, entities: int, memories: int) -> list[Figure]:
    """The two panels that answer as one types."""
    path = build(folder / "asking.db", folder / "data", entities=entities, values=10 * entities,
                 memories=memories, remembered=True)
    found = measured("tests.bench.asking", folder / "data", str(path))
    return [Figure(f"{words}, from key to answer", tuple(found[name]), "ms", 100, 50)
            for name, words in (("agent_view", "what the agent sees"), ("recall", "recall"))]


def of_review(folder: Path, count: int) -> list[Figure]:
    """Proposals worked off by keys, of five times as many that wait."""
    path = build_pending(folder / "review.db", folder / "data", entities=3 * count,
                         pending=5 * count)
    worked = measured("tests.bench.verdicts", folder / "data", str(path), str(count))
    return [
        Figure("verdicts", (worked["verdicts"] / worked["seconds"] * 60,), "per minute"),
        Figure("keys for a verdict", (worked["keys"] / worked["verdicts"],), "keys"),
        Figure("from a verdict to the next card", tuple(worked["waits"]), "ms", 50, 30, tail=True),
        Figure("of that the window's thread computes", tuple(worked["busy"]), "ms"),
        Figure("the same, with a look at each card", tuple(worked["calm"]), "ms", 50, 30,
               tail=True),
        Figure("verdicts on a card that was not shown", (len(worked["wrong"]),), "cards", 0),
    ]


def _window(path: Path, folder: Path, patience: int) -> dict[str, float]:
    return measured("tests.bench.window", folder / "data", str(path), str(patience))


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m tests.bench", description=__doc__)
    parser.add_argument("parts", nargs="*", help=f"of {', '.join(PARTS)}; all without any")
    parser.add_argument("--small", action="store_true", help="a tenth of the size, for a look")
    arguments = parser.parse_args()
    parts, scale = arguments.parts or PARTS, 10 if arguments.small else 1
    sys.stdout.write(f"{platform.system()} {platform.machine()}, {os.cpu_count()} cores, "
                     f"Python {platform.python_version()}\n\n")
    folder = Path(tempfile.mkdtemp(prefix="constellation-bench-"))
    try:
        for part in parts:
            for title, figures in _figures(part, folder, scale):
                sys.stdout.write(table(title, figures) + "\n\n")
                sys.stdout.flush()
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def _figures(  # noqa: C901 - one branch for each part
    part: str, folder: Path, scale: int
) -> list[tuple[str, list[Figure]]]:
    if part == "start":
        return [("Start", of_start(folder, 10_000 // scale, 500_000 // scale, 10_000 // scale, 5))]
    if part == "health":
        return [(f"Health at {30_000 // scale:,} entities", of_health(folder, 30_000 // scale)),
                ("Duplicates told from look-alikes", of_duplicates())]
    if part == "past":
        return [(f"The past at {size // scale:,} entities", of_pasts(folder, size // scale))
                for size in (1_000, 10_000, 100_000)]
    if part == "asking":
        return [(f"Asking at {10_000 // scale:,} entities, {20_000 // scale:,} memories",
                 of_asking(folder, 10_000 // scale, 20_000 // scale))]
    if part == "frames":
        # Qt is loaded only where it is measured.
        from tests.bench.frames import of_frames  # noqa: PLC0415

        budgets = ((2_000, None, None), (20_000, 16.0, 8.0), (100_000, 33.0, 16.0))
        return [("Frames at 1280x800",
                 [f for nodes, *rest in budgets for f in of_frames(nodes // scale, *rest)])]
    if part == "beside":
        return list(side_by_side(folder, scale))
    if part == "import":
        return [("Import", of_import(folder, 100_000 // scale))]
    if part == "review":
        return [(f"Review of {1000 // scale:,} of {5000 // scale:,} proposals by keys",
                 of_review(folder, 1000 // scale))]
    if part == "walk":
        sizes = [size // scale for size in (10_000, 100_000, 1_000_000)]
        return [*((f"Walks at {size:,} values", of_walks(folder, size)) for size in sizes),
                (f"Beside Signet's own SQL at {sizes[-1]:,} values", beside_signet(
                    folder / f"walks{sizes[-1]}.db", sizes[-1] // 10)),
                (f"A hub of {50_000 // scale:,} links", of_hubs(folder, 50_000 // scale))]
    if part == "recall":
        return [(f"Recall at {100_000 // scale:,} memories", of_recall(folder, 100_000 // scale))]
    if part == "http":
        return [(f"HTTP at {100_000 // scale:,} memories", of_http(folder, 100_000 // scale))]
    entities, values = 100_000 // scale, 1_000_000 // scale
    path = build(folder / "lists.db", folder / "data", entities=entities, values=values,
                 memories=10_000 // scale)
    workspace = Workspace.open(path, data_dir=folder / "data")
    try:
        title = f"{entities:,} entities, {values:,} values"
        if part == "remember":
            return [(f"Remembering at {title}", of_remember(workspace)),
                    (f"Maintenance at {title}", of_maintenance(workspace))]
        return [(f"Reads at {title}", of_lists(workspace, entities)),
                (f"Writes at {title}", of_writes(workspace, entities))]
    finally:
        workspace.close()


if __name__ == "__main__":
    main()
