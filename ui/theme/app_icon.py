"""The program's own sign: three stars and their lines in a night sky."""

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QIcon, QPainter, QPen, QPixmap

from ui.theme.theme import Theme, load_theme

SIZES = (16, 24, 32, 48, 64, 128, 256)
STARS = ((0.28, 0.66, 0.10), (0.50, 0.30, 0.14), (0.76, 0.58, 0.08))
"""Where they are and how large, as shares of the side."""


def app_icon() -> QIcon:
    """The window's icon; the same in both themes."""
    theme = load_theme("dusk")
    made = QIcon()
    for size in SIZES:
        made.addPixmap(_draw(theme, size))
    return made


def _draw(theme: Theme, size: int) -> QPixmap:
    picture = QPixmap(size, size)
    picture.fill(Qt.GlobalColor.transparent)
    painter = QPainter(picture)
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    painter.setPen(Qt.PenStyle.NoPen)
    painter.setBrush(theme.color("surface"))
    painter.drawRoundedRect(QRectF(0, 0, size, size), size * 0.22, size * 0.22)
    points = [QPointF(x * size, y * size) for x, y, _ in STARS]
    painter.setPen(QPen(theme.color("edge"), max(1.0, size * 0.025)))
    painter.drawPolyline(points)
    painter.setPen(Qt.PenStyle.NoPen)
    for point, (_, _, radius), token in zip(
        points, STARS, ("accent", "pin", "constraint"), strict=True
    ):
        painter.setBrush(theme.color(token))
        painter.drawEllipse(point, radius * size, radius * size)
    painter.end()
    return picture
