"""Medians and tails of repeated measurements, and the table they are printed in."""

import statistics
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Figure:
    """One line of the table; `must` and `aim` are the budgets of the design, None for none.

    With `tail` they are budgets for the 95th percentile, else for the median.
    """

    name: str
    values: tuple[float, ...]
    unit: str = "ms"
    must: float | None = None
    aim: float | None = None
    tail: bool = False

    @property
    def median(self) -> float:
        return statistics.median(self.values)

    @property
    def worst(self) -> float:
        """The 95th percentile, the largest where there are fewer than 20."""
        ordered = sorted(self.values)
        return ordered[min(len(ordered) - 1, int(0.95 * len(ordered)))]

    @property
    def verdict(self) -> str:
        if self.must is None:
            return ""
        judged = self.worst if self.tail else self.median
        if judged > self.must:
            return "MISSED"
        return "ok" if self.aim is None or judged > self.aim else "ok, aim met"


def timed(name: str, work: Callable[[], object], *, runs: int = 20, warm: int = 2,
          must: float | None = None, aim: float | None = None, tail: bool = False,
          clock: Callable[[], float] = time.perf_counter) -> Figure:
    """Milliseconds of `work`, run several times after a warm-up.

    Args:
        clock: tells seconds; `time.process_time` leaves out what other programs take.
    """
    for _ in range(warm):
        work()
    values = []
    for _ in range(runs):
        began = clock()
        work()
        values.append((clock() - began) * 1000)
    return Figure(name, tuple(values), must=must, aim=aim, tail=tail)


def table(title: str, figures: Sequence[Figure]) -> str:
    """A plain table: median, p95, runs, budget, verdict."""
    rows = [("", "median", "p95", "runs", "must", "aim", "")]
    for f in figures:
        rows.append((f.name, f"{f.median:.1f} {f.unit}", f"{f.worst:.1f}", str(len(f.values)),
                     "" if f.must is None else f"{f.must:g}", "" if f.aim is None else f"{f.aim:g}",
                     f.verdict))
    widths = [max(len(row[k]) for row in rows) for k in range(len(rows[0]))]
    lines = [title, "-" * len(title)]
    for row in rows:
        cells = [row[0].ljust(widths[0])]
        cells += [cell.rjust(width) for cell, width in zip(row[1:6], widths[1:6], strict=True)]
        lines.append("  ".join([*cells, row[6]]).rstrip())
    return "\n".join(lines)
