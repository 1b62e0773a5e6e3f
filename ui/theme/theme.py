"""A theme: every colour by its token, and how an entity type is drawn."""

import tomllib
from collections.abc import Mapping
from importlib.resources import files

from PySide6.QtCore import QObject, Signal
from PySide6.QtGui import QColor

THEMES = ("dusk", "paper")


class Theme(QObject):
    """The colours in use. One object for the window's life; `become` turns it into another theme.

    Colours are asked for when something is painted, never kept without listening to `changed`.
    """

    changed = Signal()

    def __init__(
        self,
        name: str,
        tokens: Mapping[str, str],
        types: Mapping[str, str] | None = None,
        *,
        dark: bool = True,
    ) -> None:
        super().__init__()
        self._set(name, tokens, types or {}, dark)

    def become(self, other: "Theme") -> None:
        """Take over another theme's colours and say so."""
        if (other.name, other.tokens, other.types) != (self.name, self.tokens, self.types):
            self._set(other.name, other.tokens, other.types, other.dark)
            self.changed.emit()

    def color(self, token: str, alpha: float = 1.0) -> QColor:
        """The colour of a token, `alpha` 0..1."""
        known = self._colors.get(token)
        if known is None:
            known = self._colors[token] = QColor(self.tokens[token])
        color = QColor(known)
        if alpha < 1.0:
            color.setAlphaF(alpha)
        return color

    def mix(self, first: str | QColor, second: str | QColor, share: float) -> QColor:
        """A colour between two (tokens or colours): `share` 0 is the first, 1 the second."""
        a = self.color(first) if isinstance(first, str) else first
        b = self.color(second) if isinstance(second, str) else second
        keep = 1.0 - share
        return QColor.fromRgbF(
            a.redF() * keep + b.redF() * share,
            a.greenF() * keep + b.greenF() * share,
            a.blueF() * keep + b.blueF() * share,
            a.alphaF() * keep + b.alphaF() * share,
        )

    def type_color(self, entity_type: str) -> QColor:
        """The hue of an entity type; files may hold types that nobody listed."""
        return QColor(self.types.get(entity_type) or self.types["other"])

    def _set(
        self, name: str, tokens: Mapping[str, str], types: Mapping[str, str], dark: bool
    ) -> None:
        self.name = name
        self.dark = dark
        self.tokens = dict(tokens)
        self.types = {"other": self.tokens["text.faint"], **types}
        self._colors: dict[str, QColor] = {}


def load_theme(name: str) -> Theme:
    """Read `assets/themes/<name>.toml`."""
    text = files("assets").joinpath("themes", f"{name}.toml").read_text(encoding="utf-8")
    data = tomllib.loads(text)
    return Theme(data["name"], data["tokens"], data["types"], dark=data["dark"])
