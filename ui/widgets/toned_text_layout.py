"""Lays out a line of differently toned words that may wrap, as plain text."""

from collections.abc import Sequence

from msgspec import Struct
from msgspec.structs import replace
from PySide6.QtCore import QPointF, Qt
from PySide6.QtGui import QFont, QTextCharFormat, QTextLayout, QTextOption

from core.model.text_formatting import unturned
from ui.theme import Theme, body_font


class Part(Struct, frozen=True):
    """Some words in a tone; `pixels` 0 is the size of the line."""

    text: str
    token: str = "text"
    bold: bool = False
    pixels: int = 0


def lay_out(
    theme: Theme, parts: Sequence[Part], width: float, font: QFont | None = None
) -> QTextLayout:
    """The words side by side, wrapped at `width`."""
    parts = [replace(part, text=unturned(part.text)) for part in parts]
    layout = QTextLayout("".join(part.text for part in parts), font or body_font())
    option = QTextOption(Qt.AlignmentFlag.AlignLeft)
    option.setWrapMode(QTextOption.WrapMode.WrapAtWordBoundaryOrAnywhere)
    layout.setTextOption(option)
    layout.setFormats(_formats(theme, parts))
    layout.setCacheEnabled(True)
    layout.beginLayout()
    top = 0.0
    while (line := layout.createLine()).isValid():
        line.setLineWidth(max(20.0, width))
        line.setPosition(QPointF(0, top))
        top += line.height()
    layout.endLayout()
    return layout


def _formats(theme: Theme, parts: Sequence[Part]) -> list[QTextLayout.FormatRange]:
    formats, start = [], 0
    for part in parts:
        length = len(part.text.encode("utf-16-le", "surrogatepass")) // 2
        shape = QTextCharFormat()
        shape.setForeground(theme.color(part.token))
        if part.bold:
            shape.setFontWeight(QFont.Weight.DemiBold)
        if part.pixels:
            shape.setProperty(QTextCharFormat.Property.FontPixelSize, part.pixels)
        piece = QTextLayout.FormatRange()
        piece.start, piece.length, piece.format = start, length, shape
        formats.append(piece)
        start += length
    return formats
