"""The theme's colours as the kernels take them: packed numbers, one row per entity type."""

from dataclasses import dataclass

import numpy as np
from PySide6.QtGui import QColor

from ui.theme import Theme

SHADES = 16
"""Steps between a dim and a full hexagon."""


def packed(color: QColor) -> int:
    """0x00RRGGBB."""
    return int(color.rgb() & 0xFFFFFF)


@dataclass(frozen=True, slots=True, eq=False)
class Palette:
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


def make_palette(theme: Theme, type_words: tuple[str, ...]) -> Palette:
    """The palette of a theme for these entity types."""
    top, bottom = theme.color("sky.top"), theme.color("sky.bottom")
    ground = theme.mix(top, bottom, 0.4)
    hues = [theme.type_color(word) for word in type_words] or [theme.color("text.faint")]
    text_color = theme.color("text")
    # In the dark a thing is lit from within, on paper it is drawn: the rim is lighter there and
    # a shade deeper here.
    rim_share = 0.38 if theme.dark else 0.22
    faintest = 0.40 if theme.dark else 0.36
    shades = np.linspace(faintest, 1.0 if not theme.dark else 0.96, SHADES)
    return Palette(
        key=(theme.name, tuple(theme.tokens.values()), type_words),
        top=_channels(top), bottom=_channels(bottom),
        fill=np.array([[packed(theme.mix(ground, hue, float(share))) for share in shades]
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


def _channels(color: QColor) -> np.ndarray:
    return np.array([color.red(), color.green(), color.blue()], np.float32)


def _column(colors: object) -> np.ndarray:
    return np.array([packed(color) for color in colors], np.uint32)  # type: ignore[attr-defined]
