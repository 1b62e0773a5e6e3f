"""Line icons by the words the window uses, tinted by a token."""

import json
from functools import cache
from importlib.util import find_spec
from pathlib import Path

from PySide6.QtCore import QPointF, QRect, QRectF, QSize, Qt
from PySide6.QtGui import QColor, QFont, QFontDatabase, QIcon, QIconEngine, QPainter, QPen, QPixmap

from ui.theme.theme import Theme, load_theme

# Phosphor's regular weight throughout: one line weight, permissive licence. `qtawesome` ships the
# font; importing it would load ten others, a quarter of a second before the window is there.
ICONS = {
    "entities": "hexagon", "pins": "star", "pin": "star", "pinned": "star-fill",
    "mute": "eye-slash", "unmute": "eye", "inspector": "list-bullets",
    "proposals": "tray", "history": "clock-counter-clockwise", "activity": "activity",
    "health": "heartbeat",
    "past": "clock-clockwise", "changes": "plus-minus", "play": "play", "pause": "pause",
    "undo": "arrow-u-up-left", "redo": "arrow-u-up-right", "search": "magnifying-glass",
    "palette": "terminal-window", "open": "folder-open", "new": "file-plus",
    "import": "download-simple", "export": "export", "demo": "sparkle", "close": "x",
    "quit": "sign-out",
    "copy": "copy", "apply": "check", "reject": "x", "skip": "arrow-right",
    "flag": "flag", "edit": "pencil-simple", "rename": "pencil-simple",
    "archive": "archive", "link": "link", "add": "plus", "merge": "git-merge",
    "weigh": "scales", "claim": "tag", "restore": "arrow-u-up-left",
    "evidence": "quotes", "memory": "note", "agent": "user",
    "keys": "keyboard", "about": "info", "warning": "warning",
    "unlock": "lock-simple-open", "back": "arrow-left", "forward": "arrow-right",
    "fit": "corners-out", "dive": "magnifying-glass-plus", "sky": "share-network",
    "float": "arrow-square-out", "more": "dots-three",
    "right": "caret-right", "theme": "moon", "light": "sun", "recent": "clock",
    "helpful": "thumbs-up", "unhelpful": "thumbs-down", "settings": "sliders-horizontal",
    "expect": "check-square", "inbox": "envelope-simple", "external": "arrow-up-right",
    "refresh": "arrows-clockwise",
}

LIT = (QIcon.Mode.Active, QIcon.Mode.Selected)


class GlyphEngine(QIconEngine):
    """Draws one sign of the icon font, sharp at every size, in the colours that the theme has then.

    So nobody has to give anything another icon when the theme becomes another one.
    """

    def __init__(self, sign: str, theme: Theme, token: str, active: str) -> None:
        super().__init__()
        self._sign, self._theme, self._token, self._active = sign, theme, token, active

    def clone(self) -> QIconEngine:
        return GlyphEngine(self._sign, self._theme, self._token, self._active)

    def _color(self, mode: QIcon.Mode) -> QColor:
        if mode == QIcon.Mode.Disabled:
            return self._theme.color("text.faint", 0.55)
        return self._theme.color(self._active if mode in LIT else self._token)

    def paint(
        self, painter: QPainter, rect: QRect, mode: QIcon.Mode, state: QIcon.State
    ) -> None:
        font = QFont(_font()[0])
        font.setPixelSize(max(1, rect.height()))
        font.setHintingPreference(QFont.HintingPreference.PreferNoHinting)
        painter.save()
        painter.setRenderHint(QPainter.RenderHint.TextAntialiasing)
        painter.setFont(font)
        painter.setPen(self._color(mode))
        painter.drawText(rect, int(Qt.AlignmentFlag.AlignCenter), self._sign)
        painter.restore()

    def pixmap(self, size: QSize, mode: QIcon.Mode, state: QIcon.State) -> QPixmap:
        made = QPixmap(size)
        made.fill(Qt.GlobalColor.transparent)
        painter = QPainter(made)
        self.paint(painter, QRect(0, 0, size.width(), size.height()), mode, state)
        painter.end()
        return made


def icon(theme: Theme, name: str, token: str = "text.soft", active: str = "text") -> QIcon:
    """The icon for a word of `ICONS`, in a token's colour."""
    return QIcon(GlyphEngine(sign(name), theme, token, active))


def sign(name: str) -> str:
    """The character of the icon font for a word of `ICONS`."""
    return chr(int(_font()[1][ICONS[name]], 16))


@cache
def _font() -> tuple[str, dict[str, str]]:
    """The icon font's family, and the code of each of its signs."""
    spec = find_spec("qtawesome")
    assert spec is not None
    assert spec.submodule_search_locations
    folder = Path(spec.submodule_search_locations[0]) / "fonts"
    number = QFontDatabase.addApplicationFont(str(next(folder.glob("phosphor-[0-9]*.ttf"))))
    codes = json.loads(next(folder.glob("phosphor-charmap-*.json")).read_text(encoding="utf-8"))
    return QFontDatabase.applicationFontFamilies(number)[0], codes


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
