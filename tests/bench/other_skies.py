"""The same scene drawn by pyqtgraph and by Qt's own QGraphicsView, without names."""

import time

import numpy as np
from PySide6.QtCore import QLineF, QRectF
from PySide6.QtGui import QColor, QImage, QPainter, QPen
from PySide6.QtWidgets import QGraphicsScene, QGraphicsView, QWidget

from core.constellation.scene import Scene

RADIUS = 3.0


def pyqtgraph_frames(scene: Scene, size: tuple[int, int], rounds: int) -> list[float]:
    """Milliseconds of each frame while panning; links as one path, stars as one scatter.

    Raises:
        ModuleNotFoundError: pyqtgraph is not installed: nothing else here needs it.
    """
    import pyqtgraph  # noqa: PLC0415

    plot = pyqtgraph.PlotWidget()
    plot.resize(*size)
    ends = _ends(scene).reshape(-1, 2)
    plot.addItem(pyqtgraph.PlotCurveItem(
        ends[:, 0], ends[:, 1], connect="pairs", pen=pyqtgraph.mkPen("#405070")))
    plot.addItem(pyqtgraph.ScatterPlotItem(
        pos=_spots(scene), size=2 * RADIUS, pen=None, brush="#d0d8ff"))
    plot.show()
    box = plot.getViewBox()
    box.autoRange()
    step = box.viewPixelSize()[0] * 3
    return _frames(plot, size, rounds,
                   lambda n: box.translateBy(x=step if n % 2 else -step, y=0))


def graphics_view_frames(scene: Scene, size: tuple[int, int], rounds: int) -> list[float]:
    """Milliseconds of each frame while panning; an item for each star and each link."""
    items = QGraphicsScene()
    items.setItemIndexMethod(QGraphicsScene.ItemIndexMethod.NoIndex)
    pen, brush = QPen(QColor("#405070"), 0), QColor("#d0d8ff")
    for (x1, y1), (x2, y2) in _ends(scene).tolist():
        items.addLine(QLineF(x1, y1, x2, y2), pen)
    width = float(np.ptp(_spots(scene)[:, 0])) / size[0] * RADIUS
    for x, y in _spots(scene).tolist():
        items.addEllipse(QRectF(x - width, y - width, 2 * width, 2 * width), QPen(), brush)
    view = QGraphicsView(items)
    view.setViewportUpdateMode(QGraphicsView.ViewportUpdateMode.FullViewportUpdate)
    view.resize(*size)
    view.show()
    view.fitInView(items.itemsBoundingRect())
    view.scale(1.02, 1.02)  # so that there is something to pan to
    bar = view.horizontalScrollBar()
    return _frames(view, size, rounds, lambda n: bar.setValue(bar.value() + (3 if n % 2 else -3)))


def _spots(scene: Scene) -> np.ndarray:
    stars = len(scene.touch_starts) - 1
    return np.column_stack((scene.x[:stars], scene.y[:stars])).astype(np.float64)


def _ends(scene: Scene) -> np.ndarray:
    """Where each link begins and ends: (links, 2, 2)."""
    return _spots(scene)[np.column_stack((scene.edge_source, scene.edge_target))]


def _frames(widget: QWidget, size: tuple[int, int], rounds: int, move) -> list[float]:
    target, times = QImage(*size, QImage.Format.Format_RGB32), []
    for step in range(rounds + 2):
        move(step)
        began = time.perf_counter()
        painter = QPainter(target)
        widget.render(painter)
        painter.end()
        times.append((time.perf_counter() - began) * 1000)
    widget.close()
    widget.deleteLater()
    return times[2:]
