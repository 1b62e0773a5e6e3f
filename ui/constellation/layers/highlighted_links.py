"""Highlighted links: accent colour, with an arrow at the target."""

from PySide6.QtCore import QPointF, Qt
from PySide6.QtGui import QPen, QPolygonF

from ui.constellation.layers.paint_context import Canvas

_MOST = 400


def paint(canvas: Canvas) -> None:
    """Arrow heads on the lines of the hovered and the selected entity, and on a walk."""
    scene, frame, painter = canvas.scene, canvas.frame, canvas.painter
    edges = list(dict.fromkeys((*sorted(frame.viewpoint.lighting.edges), *frame.viewpoint.marked)))
    if not edges or frame.step < 18.0:
        return
    accent = canvas.theme.color("accent")
    painter.setPen(QPen(accent, 1.0, Qt.PenStyle.SolidLine, Qt.PenCapStyle.RoundCap,
                        Qt.PenJoinStyle.RoundJoin))
    painter.setBrush(accent)
    for edge in edges[:_MOST]:
        source, target = int(scene.edge_source[edge]), int(scene.edge_target[edge])
        marked = edge in frame.viewpoint.marked
        painter.setOpacity(1.0 if marked else frame.viewpoint.lighting.level)
        _head(canvas, source, target)
    painter.setOpacity(1.0)


def _head(canvas: Canvas, source: int, target: int) -> None:
    frame = canvas.frame
    dx = float(frame.x[target] - frame.x[source])
    dy = float(frame.y[target] - frame.y[source])
    length = (dx * dx + dy * dy) ** 0.5
    rim = float(frame.radius[target]) + 1.5
    if length < rim + float(frame.radius[source]) + 9:
        return
    ux, uy = dx / length, dy / length
    tip = QPointF(frame.x[target] - ux * rim, frame.y[target] - uy * rim)
    size = min(max(frame.step / 16.0, 4.0), 8.0)
    back = QPointF(tip.x() - ux * size, tip.y() - uy * size)
    side = QPointF(-uy * size * 0.42, ux * size * 0.42)
    canvas.painter.drawPolygon(QPolygonF([tip, back + side, back - side]))
