"""Line icons by the words the window uses, tinted by a token."""

import qtawesome
from PySide6.QtGui import QIcon

from ui.theme.theme import Theme

# Phosphor's regular weight throughout: one line weight, permissive licence.
ICONS = {
    "entities": "ph.hexagon", "pins": "ph.star", "pin": "ph.star", "pinned": "ph.star-fill",
    "mute": "ph.eye-slash", "unmute": "ph.eye", "inspector": "ph.list-bullets",
    "proposals": "ph.tray", "history": "ph.clock-counter-clockwise", "activity": "ph.activity",
    "undo": "ph.arrow-u-up-left", "redo": "ph.arrow-u-up-right", "search": "ph.magnifying-glass",
    "palette": "ph.command", "open": "ph.folder-open", "new": "ph.file-plus",
    "import": "ph.download-simple", "demo": "ph.sparkle", "close": "ph.x", "quit": "ph.sign-out",
    "copy": "ph.copy", "apply": "ph.check", "reject": "ph.x", "skip": "ph.arrow-right",
    "flag": "ph.flag", "edit": "ph.pencil-simple", "rename": "ph.pencil-simple",
    "archive": "ph.archive", "link": "ph.link", "add": "ph.plus", "restore": "ph.arrow-u-up-left",
    "compare": "ph.git-diff", "evidence": "ph.quotes", "memory": "ph.note", "agent": "ph.user",
    "keys": "ph.keyboard", "about": "ph.info", "warning": "ph.warning", "lock": "ph.lock-simple",
    "unlock": "ph.lock-simple-open", "back": "ph.arrow-left", "forward": "ph.arrow-right",
    "fit": "ph.corners-out", "dive": "ph.magnifying-glass-plus", "sky": "ph.share-network",
    "float": "ph.arrow-square-out", "more": "ph.dots-three", "down": "ph.caret-down",
    "right": "ph.caret-right", "theme": "ph.moon", "light": "ph.sun", "recent": "ph.clock",
    "external": "ph.arrow-up-right", "filter": "ph.funnel", "refresh": "ph.arrows-clockwise",
}


def icon(theme: Theme, name: str, token: str = "text.soft", active: str = "text") -> QIcon:
    """The icon for a word of `ICONS`, in a token's colour."""
    return qtawesome.icon(
        ICONS[name],
        color=theme.color(token),
        color_active=theme.color(active),
        color_disabled=theme.color("text.faint", 0.55),
    )
