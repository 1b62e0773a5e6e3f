"""Shows how far long work has come: a bar on a terminal, nothing elsewhere."""

from collections.abc import Iterator
from contextlib import contextmanager

from rich.console import Console
from rich.progress import BarColumn, Progress, TextColumn, TimeElapsedColumn

from core.jobs import Report


@contextmanager
def progress() -> Iterator[Report]:
    """What takes the finished share, 0 to 1; the bar comes with the first one, and goes."""
    console = Console(stderr=True)
    with Progress(TextColumn("{task.percentage:>3.0f} %"), BarColumn(), TimeElapsedColumn(),
                  console=console, transient=True, disable=not console.is_terminal) as bar:
        task = bar.add_task("", total=1.0, visible=False)

        def report(share: float) -> None:
            bar.update(task, completed=share, visible=True)

        yield report
