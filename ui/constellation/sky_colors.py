"""The theme's colours as the kernels take them: packed numbers, one row per entity type."""

import numpy as np
from msgspec import Struct
from PySide6.QtGui import QColor

from ui.theme import Theme, contrast

SHADES = 16
"""Steps between a dim and a full hexagon."""
_SEEN = 3.0
"""The least contrast of a sign with its hexagon."""


def packed(color: QColor) -> int:
    """0x00RRGGBB."""
    return int(color.rgb() & 0xFFFFFF)


class Palette(Struct, frozen=True, eq=False):
    """Colours by type code and by role; `top` and `bottom` are the background's channels."""

    key: tuple
    top: np.ndarray
    bottom: np.ndarray
    fill: np.ndarray
    """Type by shade, from hardly there to the full hue."""
    rim: np.ndarray
    glow: np.ndarray
    aspect: np.ndarray
    spoke: np.ndarray
    edge: int
    accent: int
    value: int
    constraint: int
    dust: int
    muted: int
    light: float
    """How strongly glow tints the background."""


def palette_key(theme: Theme, type_words: tuple[str, ...]) -> tuple:
    """What a palette depends on."""
    return (theme.name, tuple(theme.tokens.values()), type_words,
            tuple(map(theme.type_number, type_words)))


def make_palette(theme: Theme, type_words: tuple[str, ...]) -> Palette:
    """The palette of a theme for these entity types."""
    top, bottom, ground = theme.color("sky.top"), theme.color("sky.bottom"), _ground(theme)
    hues = [theme.type_color(word) for word in type_words] or [theme.color("text.faint")]
    text_color = theme.color("text")
    # In the dark a thing is lit from within, on paper it is drawn: the rim is lighter there and
    # a shade deeper here.
    rim_share = 0.38 if theme.dark else 0.22
    return Palette(
        key=palette_key(theme, type_words),
        top=_channels(top), bottom=_channels(bottom),
        fill=np.array([[packed(fill_color(theme, hue, shade)) for shade in range(SHADES)]
                       for hue in hues], np.uint32),
        rim=_column(theme.mix(hue, text_color, rim_share) for hue in hues),
        glow=_column(hues),
        aspect=_column(theme.mix(hue, ground, 0.15) for hue in hues),
        spoke=_column(theme.mix(hue, theme.color("edge"), 0.5) for hue in hues),
        edge=packed(theme.color("edge")), accent=packed(theme.color("accent")),
        value=packed(theme.color("text.soft")), constraint=packed(theme.color("constraint")),
        dust=packed(theme.color("dust")), muted=packed(theme.color("text.faint")),
        light=1.0 if theme.dark else 0.62,
    )


def shade_of(presence: np.ndarray) -> np.ndarray:
    """The step of each thing's fill, 0 to `SHADES` - 1."""
    return (presence * (SHADES - 1) + 0.5).astype(np.int64)


def fill_color(theme: Theme, hue: QColor, shade: int) -> QColor:
    """What a hexagon of a hue is filled with at a step."""
    faintest, full = (0.52, 0.98) if theme.dark else (0.50, 1.0)
    return theme.mix(_ground(theme), hue, faintest + (full - faintest) * shade / (SHADES - 1))


def sign_color(theme: Theme, hue: QColor, shade: int) -> QColor:
    """What a sign in such a hexagon is drawn in: 3:1 at least, and the same for a type if it can.
    """
    fill = fill_color(theme, hue, shade)
    inks = (theme.mix("text", hue, 0.2), theme.mix("sky.bottom", hue, 0.06)) if theme.dark else (
        theme.color("raised"), theme.mix("text", hue, 0.06))
    full = fill_color(theme, hue, SHADES - 1)
    usual = max(inks, key=lambda ink: contrast(ink, full))
    return usual if contrast(usual, fill) >= _SEEN else max(
        inks, key=lambda ink: contrast(ink, fill))


def _ground(theme: Theme) -> QColor:
    return theme.mix("sky.top", "sky.bottom", 0.4)


def _channels(color: QColor) -> np.ndarray:
    return np.array([color.red(), color.green(), color.blue()], np.float32)


def _column(colors: object) -> np.ndarray:
    return np.array([packed(color) for color in colors], np.uint32)  # type: ignore[attr-defined]
