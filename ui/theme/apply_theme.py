"""Dresses the application in a theme: palette, font and stylesheet."""

import re
from importlib.resources import files

from PySide6.QtGui import QFont, QFontDatabase, QPalette
from PySide6.QtWidgets import QApplication

from ui.theme.sheet_change import change_sheet
from ui.theme.theme import Theme

BODY_PIXELS = 13
CAPTION_PIXELS = 11
HEAD_PIXELS = 15
PREFERRED_FAMILY = "Inter"
COLOR = re.compile(r"@([a-z]+(?:\.[a-z]+)*)(?:/(\d+))?")

Role = QPalette.ColorRole
ROLES = {
    Role.Window: "surface", Role.Base: "surface", Role.AlternateBase: "raised",
    Role.Button: "raised", Role.ToolTipBase: "raised", Role.WindowText: "text", Role.Text: "text",
    Role.ButtonText: "text", Role.ToolTipText: "text", Role.BrightText: "text",
    Role.Highlight: "selected", Role.HighlightedText: "text", Role.Link: "accent",
    Role.LinkVisited: "accent", Role.PlaceholderText: "text.soft", Role.Light: "line",
    Role.Midlight: "line", Role.Mid: "line", Role.Dark: "line", Role.Accent: "accent",
}


def dress(app: QApplication, theme: Theme) -> None:
    """Give every widget of the application the theme's look."""
    app.setFont(body_font())
    app.setPalette(palette(theme))
    change_sheet(app, stylesheet(theme))


def stylesheet(theme: Theme) -> str:
    """`assets/style.qss` with the theme's colours in it."""
    template = files("assets").joinpath("style.qss").read_text(encoding="utf-8")

    def put(match: re.Match[str]) -> str:
        token, share = match.groups()
        if share is None:
            return theme.color(token).name()
        return theme.mix("surface", token, int(share) / 100).name()

    return COLOR.sub(put, template)


def palette(theme: Theme) -> QPalette:
    """The palette for what the stylesheet does not reach, such as native dialogs drawn by Qt."""
    made = QPalette()
    for role, token in ROLES.items():
        made.setColor(role, theme.color(token))
    for role in (Role.WindowText, Role.Text, Role.ButtonText):
        made.setColor(QPalette.ColorGroup.Disabled, role, theme.color("text.faint"))
    made.setColor(Role.Shadow, theme.color("shadow"))
    return made


def body_font(pixels: int = BODY_PIXELS, *, weight: QFont.Weight = QFont.Weight.Normal) -> QFont:
    """The interface font with figures of one width."""
    if PREFERRED_FAMILY in QFontDatabase.families():
        font = QFont(PREFERRED_FAMILY)
    else:
        font = QFontDatabase.systemFont(QFontDatabase.SystemFont.GeneralFont)
    font.setPixelSize(pixels)
    font.setWeight(weight)
    font.setFeature(QFont.Tag("tnum"), 1)
    return font


def fixed_font(pixels: int = BODY_PIXELS - 1) -> QFont:
    """The font for paths, keys and code-like values."""
    font = QFontDatabase.systemFont(QFontDatabase.SystemFont.FixedFont)
    font.setPixelSize(pixels)
    return font
