"""Does the memory of the window grow while a person clicks? Thousands of clicks at random.

Run as `python -m tests.bench.clicks [VALUES] [CLICKS] [FOLDER]`; a graph that lies in the folder
from before is taken (`tests.bench.huge` makes the same). Clicks into lists and the sky, scrolls and
changes the panel in front, and prints what the memory is made of. At the end it tells how much each
thousand clicks added in the second half, by a line through the points.
"""

import os
import random
import sys
import tempfile
from pathlib import Path

import numpy as np

from tests.bench.huge import Huge, say
from tests.bench.huge_graph import build_huge
from tests.bench.memory_kinds import Memory, memory_kinds
from ui.panels import PANELS

EVERY = 250
PANEL_EVERY = 20
"""Clicks between two changes of the panel in front."""
FLAT_MB = 10.0
"""Megabytes that a thousand clicks may add and still count as nothing."""


def clicks(huge: Huge, count: int, seed: int = 7) -> list[tuple[int, Memory]]:
    """Click at random; the memory after every so many clicks."""
    chance, points = random.Random(seed), [(0, memory_kinds())]
    stalls = huge.watch.fresh()
    say(f"0 clicks: {points[0][1]}")
    for number in range(1, count + 1):
        if number % PANEL_EVERY == 1:
            huge.window.show_panel(chance.choice(PANELS).name)
        huge.click(chance)
        huge.app.processEvents()
        if number % EVERY == 0:
            huge.rest()
            points.append((number, memory_kinds()))
            say(f"{number:,} clicks: {points[-1][1]}; {stalls.words()}")
            stalls = huge.watch.fresh()
    return points


def growth(points: list[tuple[int, Memory]]) -> float:
    """Megabytes of its own that a thousand clicks added in the second half."""
    late = points[len(points) // 2:]
    if len(late) < 2:
        return 0.0
    return float(np.polyfit([number / 1000 for number, _ in late],
                            [memory.own for _, memory in late], 1)[0])


def main(values: int = 100_000, count: int = 5_000, kept: str = "") -> None:
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as name:
        folder = Path(kept or name)
        os.environ["CONSTELLATION_DATA"] = str(folder / "data")
        path = folder / "huge.db"
        if not path.exists():
            build_huge(path, folder / "data", values)
        huge = Huge(path)
        points = clicks(huge, count)
        more = growth(points)
        say(f"each thousand clicks of the second half added {more:.1f} MB: "
            f"{'flat' if more <= FLAT_MB else 'it grows'}")
        huge.close()


if __name__ == "__main__":
    given = sys.argv[1:]
    main(*(int(each) for each in given[:2]), *given[2:3])
