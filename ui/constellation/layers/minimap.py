"""The whole sky in a corner, with the window's frame on it."""

import numpy as np
from PySide6.QtCore import QPointF, QRectF
from PySide6.QtGui import QImage, QPainter, QPen, QPixmap

from core.constellation.scene import Scene
from ui.constellation.camera import Camera
from ui.constellation.layers.paint_context import Canvas, draw_plate
from ui.constellation.layers.picture_cache import Still
from ui.constellation.sky_colors import Palette
from ui.widgets.glyph_paths import transparent

WIDTH, HEIGHT, EDGE = 128.0, 98.0, 12.0
_ROOM = 9.0
_LEAST_WINDOW = (520.0, 360.0)


def card_rect(width: float, height: float) -> QRectF | None:
    """The minimap's card in a window of this size; None where it would be in the way."""
    if width < _LEAST_WINDOW[0] or height < _LEAST_WINDOW[1]:
        return None
    return QRectF(width - EDGE - WIDTH, height - EDGE - HEIGHT, WIDTH, HEIGHT)


def chart(scene: Scene) -> Camera:
    """The camera that shows the whole scene on the card."""
    inner = Camera(width=WIDTH - 2 * _ROOM, height=HEIGHT - 2 * _ROOM, low=1e-9, high=1e9)
    return inner.fitted(*scene.bounds(), margin=0.0).resized(WIDTH, HEIGHT)


class Minimap:
    """Caches the picture of the scene's points; only the frame on it changes."""

    def __init__(self) -> None:
        self._still = Still()
        self._scene: Scene | None = None

    def paint(self, canvas: Canvas, palette: Palette) -> None:
        """Draw the card, bottom right."""
        card = card_rect(canvas.width, canvas.height)
        if card is None or canvas.scene.entities < 2:
            return
        if self._scene is not canvas.scene:
            # Kept, so that no other scene can have the same identity.
            self._scene = canvas.scene
        self._still.paint(canvas, card, (id(canvas.scene), palette.key),
                          lambda canvas: _draw(canvas, palette, card))
        self._window(canvas, card)

    def _window(self, canvas: Canvas, card: QRectF) -> None:
        small = chart(canvas.scene)
        left, top, right, bottom = canvas.frame.viewpoint.camera.sees()
        x1, y1 = small.to_screen(left, top)
        x2, y2 = small.to_screen(right, bottom)
        inner = QRectF(4, 4, WIDTH - 8, HEIGHT - 8)
        box = QRectF(QPointF(x1, y1), QPointF(x2, y2)).intersected(inner)
        sky_left, sky_top, sky_right, sky_bottom = canvas.scene.bounds()
        if (left <= sky_left and top <= sky_top
                and right >= sky_right and bottom >= sky_bottom):
            return  # A window that shows all is nothing to point out.
        canvas.painter.setPen(QPen(canvas.theme.color("accent"), 1.2))
        canvas.painter.setBrush(canvas.theme.color("accent", 0.09))
        if box.width() < 4 or box.height() < 4:
            canvas.painter.drawEllipse(box.center() + card.topLeft(), 3.0, 3.0)
        else:
            canvas.painter.drawRoundedRect(box.translated(card.topLeft()), 3, 3)


def _draw(canvas: Canvas, palette: Palette, card: QRectF) -> None:
    draw_plate(canvas.painter, canvas.theme, card)
    canvas.painter.drawPixmap(card.topLeft(), _points(canvas.scene, palette, canvas.dpr))


def _points(scene: Scene, palette: Palette, dpr: float) -> QPixmap:
    width, height = int(WIDTH * dpr), int(HEIGHT * dpr)
    pixels = np.zeros((height, width), np.uint32)
    small = chart(scene)
    count = scene.entities
    x = ((scene.x[:count] - small.x) * small.scale + WIDTH / 2) * dpr
    y = ((scene.y[:count] - small.y) * small.scale + HEIGHT / 2) * dpr
    color = palette.glow[np.maximum(scene.type_code[:count], 0)] | np.uint32(0xFF000000)
    if count > 4000:
        # Many points are drawn as a haze.
        color = (color >> np.uint32(1)) & np.uint32(0x7F7F7F7F)
    side = int(round((2 if count < 4000 else 1) * dpr))
    for dy in range(side):
        for dx in range(side):
            column = (x - side / 2 + dx + 0.5).astype(int).clip(0, width - 1)
            row = (y - side / 2 + dy + 0.5).astype(int).clip(0, height - 1)
            pixels[row[::-1], column[::-1]] = color[::-1]
    image = QImage(pixels.data, width, height, width * 4,
                   QImage.Format.Format_ARGB32_Premultiplied)
    image.setDevicePixelRatio(dpr)
    picture = transparent(width, height, dpr)
    painter = QPainter(picture)
    painter.drawImage(QPointF(0, 0), image)
    painter.end()
    return picture
