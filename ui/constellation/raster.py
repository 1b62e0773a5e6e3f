"""Draws a frame's arrays into one image with two threads; the kernels are loaded in a third."""

import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from types import ModuleType, SimpleNamespace

import numpy as np
from PySide6.QtGui import QImage

from core.constellation.plain_numbers import median
from core.machine_code import Kinds, compiled, functions
from core.projection.worker import Worker
from core.release_memory import give_back_code
from ui.constellation.raster_input import Lines, Marks, Paint

_CELL = 4
Kernels = ModuleType | SimpleNamespace
"""`ui.constellation.pixel_kernels`, or the machine code of its functions."""


class Raster:
    """The picture's pixels. `paint` may be called once `ready()` is true."""

    def __init__(self) -> None:
        self._kernels: Kernels | None = None
        self._broken = False
        self._thread: threading.Thread | None = None
        self._pool: ThreadPoolExecutor | None = None
        self._buffer = np.zeros((0, 0), np.uint32)
        self._noise = _grain()

    def ready(self) -> bool:
        """True when the kernels are loaded."""
        return self._kernels is not None

    def broken(self) -> bool:
        """True when they can't be: this machine has no working compiler for them."""
        return self._broken

    def warm(self, done: Callable[[], None] | None = None) -> None:
        """Load the kernels in a thread of their own; `done` is called there."""
        if self._thread is not None:
            return

        def load() -> None:
            self.load()
            if done is not None:
                done()

        # No daemon: the first time on a machine another process compiles, and is waited for.
        self._thread = threading.Thread(target=load, name="sky-kernels")
        self._thread.start()

    def load(self) -> None:
        """Load the kernels here and now; the first time on a machine they are compiled."""
        if self._kernels is not None or self._broken:
            return
        try:
            kernels = functions("ui.constellation.pixel_kernels", _samples(self._noise),
                                _compiled_elsewhere)
            _draw_sample(kernels, self._noise)
        except Exception:  # noqa: BLE001 - numba missing or broken in any way: QPainter serves
            self._broken = True
            return
        self._kernels = kernels
        give_back_code("llvmlite")  # What loads machine code has no more to do.

    def close(self) -> None:
        """Stop the drawing thread. One that still compiles ends on its own."""
        if self._pool is not None:
            self._pool.shutdown(wait=True)
            self._pool = None

    def paint(self, width: int, height: int, paint: Paint) -> QImage:
        """Draw; the image shares its memory with the next one."""
        if self._buffer.shape != (height, width):
            self._buffer = np.zeros((height, width), np.uint32)
            self._scratch = [_Scratch(width, height) for _ in range(2)]
        middle = _fair_cut(paint, height)
        if self._pool is None:
            self._pool = ThreadPoolExecutor(1, thread_name_prefix="sky-band")
        kernels = self._kernels
        if kernels is None:
            raise RuntimeError("the kernels are not loaded")
        upper = self._pool.submit(_draw_band, kernels, self._buffer, self._scratch[0],
                                  self._noise, 0, middle, paint)
        _draw_band(kernels, self._buffer, self._scratch[1], self._noise, middle, height, paint)
        upper.result()
        return as_image(self._buffer)


class _Scratch:
    """A band's own glow samples."""

    def __init__(self, width: int, height: int) -> None:
        shape = (height // _CELL + 3, width // _CELL + 3)
        self.grid = np.zeros((*shape, 4), np.float32)
        self.mixed = np.zeros((*shape, 3), np.int32)


def as_image(buffer: np.ndarray) -> QImage:
    """The buffer as an image over the same memory."""
    height, width = buffer.shape
    return QImage(buffer.data, width, height, width * 4, QImage.Format.Format_RGB32)


def _grain() -> np.ndarray:
    """A tile of even noise for dithering, the same in every run."""
    across, down = np.meshgrid(np.arange(64), np.arange(64))
    value = np.modf(52.9829189 * np.modf(0.06711056 * across + 0.00583715 * down)[0])[0]
    return (value * 16383).astype(np.int32)


def _fair_cut(paint: Paint, height: int) -> int:
    """The row that halves the work, near the middle; the picture is the same for any row."""
    if not len(paint.marks.y):
        return height // 2
    middle = median(paint.marks.y[:: max(len(paint.marks.y) // 512, 1)])
    return int(min(max(0.5 * middle + 0.25 * height, 0.35 * height), 0.65 * height))


def _compiled_elsewhere(module: str, kinds: dict[str, Kinds]) -> bytes:
    """numba would stay in this process, once loaded."""
    with closing(Worker()) as worker:
        return worker.run(compiled, module, kinds)


def _samples(noise: np.ndarray) -> dict[str, tuple[object, ...]]:
    """What each kernel is called with."""
    seen: dict[str, tuple[object, ...]] = {}
    _draw_sample(_Noted(seen), noise)
    return seen


class _Noted(SimpleNamespace):
    """Kernels that draw nothing: what they are called with is noted in `seen`."""

    def __init__(self, seen: dict[str, tuple[object, ...]]) -> None:
        super().__init__()
        self._seen = seen

    def __getattr__(self, name: str) -> Callable[..., int]:
        def note(*values: object) -> int:
            self._seen[name] = values
            return 0

        return note


def _draw_sample(kernels: Kernels, noise: np.ndarray) -> None:
    """A small picture, with one of each thing."""
    _draw_band(kernels, np.zeros((8, 8), np.uint32), _Scratch(8, 8), noise, 0, 8, Paint.sample())


def _draw_band(
    kernels: Kernels, buffer: np.ndarray, scratch: _Scratch, noise: np.ndarray, y0: int,
    y1: int, paint: Paint,
) -> None:
    if y1 <= y0:
        return
    lights, dust = paint.lights, paint.dust
    kernels.light(scratch.grid, y0, y1, lights.x, lights.y, lights.radius, lights.alpha,
                  lights.color)
    kernels.sky(buffer, scratch.grid, scratch.mixed, noise, y0, y1, paint.top, paint.bottom,
                float(paint.glow))
    kernels.dust(buffer, y0, y1, dust.x, dust.y, dust.radius, dust.alpha, dust.color)
    for lines in paint.lines:
        count = kernels.affordable(lines.x, lines.y, lines.source, lines.target,
                                   lines.width, buffer.shape[1], buffer.shape[0], float(lines.most))
        _lines(kernels, buffer, y0, y1, lines, count, paint.scale)
    _marks(kernels, buffer, y0, y1, paint.marks, paint.scale)


def _lines(
    kernels: Kernels, buffer: np.ndarray, y0: int, y1: int, lines: Lines, count: int,
    scale: float,
) -> None:
    kernels.lines(buffer, buffer.reshape(-1), y0, y1, lines.x, lines.y, lines.rim, lines.source,
                  lines.target, lines.width, lines.alpha, lines.dash, lines.color, count,
                  float(scale), float(lines.far), float(lines.gap))


def _marks(
    kernels: Kernels, buffer: np.ndarray, y0: int, y1: int, marks: Marks, scale: float
) -> None:
    kernels.shapes(buffer, y0, y1, marks.x, marks.y, marks.radius, marks.alpha, marks.fill,
                   marks.rim, marks.shape, float(scale))
