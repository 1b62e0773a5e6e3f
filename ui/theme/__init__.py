"""The look: named colours, glyphs, icons, fonts and the stylesheet made from them."""

from ui.theme.apply_theme import body_font, dress, fixed_font
from ui.theme.icons import icon
from ui.theme.theme import THEMES, Theme, contrast, load_theme

__all__ = ["THEMES", "Theme", "body_font", "contrast", "dress", "fixed_font", "icon", "load_theme"]
