"""The door to the positions process: names its tasks without loading what they need here.

`core.projection.worker_main` loads numba and networkx, which the window's process is spared.
"""

from multiprocessing.connection import Connection
from typing import Any

from core.jobs import Report, ignore


def serve(connection: "Connection[Any, Any]") -> None:
    """Answer tasks until the window's end of the pipe is closed."""
    from core.projection.worker_main import serve as answer  # noqa: PLC0415 - only in the child

    answer(connection)


def warm_up(*, report: Report = ignore) -> None:
    """Load and compile what projections and layouts need."""
    from core.projection.worker_main import warm_up as compile_all  # noqa: PLC0415 - only in the child

    compile_all(report=report)
