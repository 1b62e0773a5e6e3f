"""A theme: every colour by its token, and how an entity type is drawn."""

import tomllib
from collections.abc import Mapping, Sequence
from functools import cache
from importlib.resources import files
from typing import Any

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
        hues: Sequence[str] = (),
        dark: bool = True,
    ) -> None:
        super().__init__()
        self.type_numbers: dict[str, int] = {}
        """What the open file's own types are told apart by, see `number_types`."""
        self._set(name, tokens, types or {}, hues, dark)

    def become(self, other: "Theme") -> None:
        """Take over another theme's colours and say so."""
        if (other.name, other.tokens, other.types) != (self.name, self.tokens, self.types):
            self._set(other.name, other.tokens, other.types, other.hues, other.dark)
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
        number = self.type_number(entity_type)
        if number is not None and self.hues:
            return QColor(self.hues[number % len(self.hues)])
        return QColor(self.types.get(entity_type.casefold()) or self.types["other"])

    def type_number(self, entity_type: str) -> int | None:
        """The number of a type of the open file; None for one of the listed types and no type."""
        word = entity_type.casefold()
        return None if word in self.types else self.type_numbers.get(word)

    def number_types(self, numbers: Mapping[str, int]) -> None:
        """Give the open file's own types their colours and signs, by numbers from 0."""
        if numbers != self.type_numbers:
            self.type_numbers = dict(numbers)
            self.changed.emit()

    def _set(
        self, name: str, tokens: Mapping[str, str], types: Mapping[str, str],
        hues: Sequence[str], dark: bool,
    ) -> None:
        self.name = name
        self.dark = dark
        self.tokens = dict(tokens)
        self.types = {"other": self.tokens["text.faint"], **types}
        self.hues = tuple(hues)
        self._colors: dict[str, QColor] = {}


def load_theme(name: str) -> Theme:
    """Read `assets/themes/<name>.toml`."""
    data = _parsed(name)
    return Theme(data["name"], data["tokens"], data["types"], hues=data["hues"],
                 dark=data["dark"])


@cache
def _parsed(name: str) -> dict[str, Any]:
    text = files("assets").joinpath("themes", f"{name}.toml").read_text(encoding="utf-8")
    return tomllib.loads(text)


def contrast(first: QColor, second: QColor) -> float:
    """How far two colours are apart in lightness, 1 to 21 (WCAG 2, contrast ratio)."""
    dark, light = sorted((_luminance(first), _luminance(second)))
    return (light + 0.05) / (dark + 0.05)


def _luminance(color: QColor) -> float:
    red, green, blue = (part / 12.92 if part <= 0.03928 else ((part + 0.055) / 1.055) ** 2.4
                        for part in (color.redF(), color.greenF(), color.blueF()))
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue
