"""The look: named colours, glyphs, icons, fonts and the stylesheet made from them."""

from ui.theme.theme import THEMES, Theme, load_theme

__all__ = ["THEMES", "Theme", "load_theme"]
