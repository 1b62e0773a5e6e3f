"""Draws a frame as a page, SVG or PDF: lines and outlines that stay sharp at any size."""

from collections.abc import Callable, Iterator
from pathlib import Path

from PySide6.QtCore import QByteArray, QMarginsF, QPointF, QRectF, QSaveFile, QSize, QSizeF, Qt
from PySide6.QtGui import (
    QColor,
    QImageWriter,
    QPageSize,
    QPainter,
    QPainterPath,
    QPdfWriter,
    QPen,
    QPixmap,
)
from PySide6.QtSvg import QSvgGenerator

from core.errors import ConstellationError
from ui.constellation import painter_fallback
from ui.constellation.frame import Frame
from ui.constellation.frame_arrays import compose
from ui.constellation.frame_painter import Picture, paint_image
from ui.constellation.layers import proposal_ghosts
from ui.constellation.layers.legend import Legend
from ui.constellation.layers.paint_context import Canvas, Overlay
from ui.constellation.layers.picture_cache import Still
from ui.constellation.layers.text_cache import TextCache, TextPicture, TextStyle
from ui.constellation.layers.type_glyphs import SharpSigns
from ui.constellation.sky_colors import Palette
from ui.theme import Theme

_HALO = 3.0
_DPI, _POINTS = 96, 72


class _Outline(TextPicture, frozen=True):
    """A text that is drawn as outlines, so that it needs no font where it is looked at."""

    line: str
    style: TextStyle
    color: QColor
    halo: bool


class _Outlines(TextCache):
    """Gives texts as outlines instead of pictures."""

    def picture(
        self, text: str, style: TextStyle, color: QColor, *, halo: bool = True, most: float = 230.0
    ) -> TextPicture:
        line, width, height = self.size(text, style, most)
        return _Outline(QPixmap(), width, height, line, style, QColor(color), halo)

    def draw(self, painter: QPainter, drawn: TextPicture, x: float, y: float) -> None:
        assert isinstance(drawn, _Outline)
        path = QPainterPath()
        path.addText(QPointF(x, y + drawn.style.metrics.ascent()), drawn.style.font, drawn.line)
        if drawn.halo:
            ground = QColor(self._ground)
            ground.setAlphaF(0.8)
            painter.strokePath(path, QPen(ground, _HALO, Qt.PenStyle.SolidLine,
                                          Qt.PenCapStyle.RoundCap, Qt.PenJoinStyle.RoundJoin))
        painter.fillPath(path, drawn.color)


class _Direct(Still):
    """Draws what stands still without a picture of it."""

    def paint(
        self, canvas: Canvas, area: QRectF, key: tuple, draw: Callable[[Canvas], None]
    ) -> None:
        draw(canvas)


class _PagePicture(Picture):
    """A frame for paper: the sky without glow, texts as outlines, the legend."""

    def __init__(self, legend: Legend) -> None:
        legend._still, legend.dashes = _Direct(), False
        super().__init__(legend)
        self._text_cache = _Outlines()
        self._signs = SharpSigns()

    def _paint_ground(self, canvas: Canvas, palette: Palette) -> Iterator[None]:
        painter_fallback.paint(canvas.painter, canvas.width, canvas.height, compose(
            canvas.frame, palette, self._dress(canvas.scene, palette), 1.0))
        proposal_ghosts.paint(canvas)
        yield

    def _paint_chrome(self, canvas: Canvas, palette: Palette) -> None:
        self._legend.paint(canvas, self._text_cache)


def save_picture(
    picture: Picture, frame: Frame, theme: Theme, overlay: Overlay, out: Path, *,
    scale: float = 1.0, title: str = "",
) -> None:
    """Write a frame as PNG, SVG or PDF by the ending of the name; an older one is replaced.

    Args:
        picture: what draws a PNG; a page is drawn by outlines.
        scale: device pixels of a PNG for each pixel of the frame; the size of a page.

    Raises ConstellationError where it can't be written.
    """
    file = QSaveFile(str(out))
    if not file.open(QSaveFile.OpenModeFlag.WriteOnly):
        raise _unwritable(out, file.errorString())
    ending = out.suffix.lower()
    if ending == ".png":
        done = QImageWriter(file, QByteArray(b"png")).write(
            paint_image(picture, frame, theme, overlay, scale))
    else:
        device = (_svg if ending == ".svg" else _pdf)(file, frame, scale, title)
        done = _paint_page(picture.new_legend(), device, frame, theme, overlay, scale)
    if not done or not file.commit():
        raise _unwritable(out, file.errorString())


def _paint_page(
    legend: Legend, device: QSvgGenerator | QPdfWriter, frame: Frame, theme: Theme,
    overlay: Overlay, scale: float,
) -> bool:
    page, painter = _PagePicture(legend), QPainter()
    if not painter.begin(device):
        return False
    try:
        if isinstance(device, QPdfWriter):
            painter.scale(device.resolution() / _DPI * scale, device.resolution() / _DPI * scale)
        camera = frame.viewpoint.camera
        painter.setClipRect(QRectF(0, 0, camera.width, camera.height))
        page.paint(painter, frame, theme, overlay, 1.0, 0.0, fade=False)
    finally:
        painter.end()
        page.close()
    return True


def _svg(file: QSaveFile, frame: Frame, scale: float, title: str) -> QSvgGenerator:
    camera = frame.viewpoint.camera
    device = QSvgGenerator()
    device.setOutputDevice(file)
    device.setResolution(_DPI)
    device.setSize(QSize(round(camera.width * scale), round(camera.height * scale)))
    device.setViewBox(QRectF(0, 0, camera.width, camera.height))
    device.setTitle(title)
    device.setDescription("Drawn by Constellation Explorer")
    return device


def _pdf(file: QSaveFile, frame: Frame, scale: float, title: str) -> QPdfWriter:
    camera = frame.viewpoint.camera
    device = QPdfWriter(file)
    points = _POINTS / _DPI * scale
    device.setPageSize(QPageSize(
        QSizeF(camera.width * points, camera.height * points), QPageSize.Unit.Point, "",
        QPageSize.SizeMatchPolicy.ExactMatch))
    device.setPageMargins(QMarginsF(0, 0, 0, 0))
    device.setTitle(title)
    device.setCreator("Constellation Explorer")
    return device


def _unwritable(out: Path, detail: str) -> ConstellationError:
    return ConstellationError("The picture can't be written", where=str(out), detail=detail,
                              do="Check that the folder exists and is writable")


