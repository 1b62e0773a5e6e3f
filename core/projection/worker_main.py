"""What runs inside the worker process."""

import os
import pickle
import signal
import traceback
from collections.abc import Callable
from multiprocessing.connection import Connection
from queue import SimpleQueue
from threading import Thread
from typing import Any

import numpy as np

from core.errors import Cancelled
from core.layout.community_layout import lay_out
from core.layout.layout_graph import Graph
from core.layout.new_entities import place_new
from core.progress import Report, ignore, part
from core.projection.reduce import load_for

Parts = list[bytearray]
"""A task and its arguments, and then what their arrays hold, so that they can be written."""
KINDNESS = 5
"""How far the window's own threads go first when both cores are busy."""


def serve(connection: "Connection[Any, Any]") -> None:
    """Run the tasks that arrive until the window closes the pipe, or is gone."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl+C is the window's to handle
    tasks: SimpleQueue[tuple[int, Parts]] = SimpleQueue()
    cancelled: set[int] = set()
    Thread(target=_listen, args=(connection, tasks, cancelled), daemon=True).start()
    while True:
        number, parts = tasks.get()
        _answer(connection, number, _perform(connection, number, parts, cancelled))


def warm_up(points: int = 0, *, report: Report = ignore) -> None:
    """Import and compile everything that a sky needs, on data that nobody misses.

    Args:
        points: how many the projection will have.
        report: is told the finished share.
    """
    warm_up_layouts(report=part(report, 0, 0.3))
    load_for(points)
    report(1.0)


def warm_up_layouts(*, report: Report = ignore) -> None:
    """What a first picture needs of it, which is half of the time."""
    base = np.random.default_rng(0).normal(size=(64, 2)).astype(np.float32)
    pairs = np.arange(128, dtype=np.int32).reshape(2, 64).T % 64
    ones = np.ones(64, dtype=np.float32)
    sky = lay_out(Graph(base, pairs, ones, ones), report=report)
    sky[0] = np.nan
    place_new(sky, pairs, ones, ones, base)


def begin_to_warm_up(points: int, *, report: Report = ignore) -> None:
    """The same as `warm_up`, beside the next task: a projection can begin meanwhile.

    From now on the window's own threads go first when both cores are busy: a first picture, which
    a person waits for, has been laid out by now.
    """
    if hasattr(os, "nice"):
        os.nice(max(KINDNESS - os.nice(0), 0))
    Thread(target=warm_up, args=(points,), daemon=True).start()


def _listen(
    connection: "Connection[Any, Any]",
    tasks: "SimpleQueue[tuple[int, Parts]]",
    cancelled: set[int],
) -> None:
    """Hear cancellations while a task runs, and leave at once when the window is gone."""
    while True:
        try:
            number, sizes = connection.recv()
            parts = [bytearray(size) for size in sizes]
            for each in parts:
                connection.recv_bytes_into(each)
        except (EOFError, OSError):
            os._exit(0)
        if parts:
            tasks.put((number, parts))
        else:
            cancelled.add(number)


def _perform(
    connection: "Connection[Any, Any]", number: int, parts: Parts, cancelled: set[int]
) -> tuple[str, object]:
    def report(share: float) -> None:
        if number in cancelled:
            raise Cancelled("Stopped")
        connection.send((number, "progress", share))

    try:
        task: Callable[..., object]
        task, args = pickle.loads(parts[0], buffers=parts[1:])
        report(0.0)
        return "result", task(*args, report=report)
    except Exception:
        return "failed", traceback.format_exc()


def _answer(connection: "Connection[Any, Any]", number: int, answer: tuple[str, object]) -> None:
    try:
        connection.send((number, *answer))
    except (BrokenPipeError, ConnectionError):
        os._exit(0)
    except (pickle.PicklingError, AttributeError, TypeError) as error:
        connection.send((number, "failed", repr(error)))
