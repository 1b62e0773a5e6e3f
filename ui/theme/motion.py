"""How long things move, and whether they may."""

from PySide6.QtWidgets import QApplication, QStyle

from ui.preferences import Preferences

FEEDBACK_MS = 120


def duration(preferences: Preferences, full: int) -> int:
    """`full` milliseconds, or 0 when the person or the system asks for less motion."""
    if preferences.motion == "reduced":
        return 0
    if preferences.motion == "full":
        return full
    hint = QApplication.style().styleHint(QStyle.StyleHint.SH_Widget_Animation_Duration)
    return full if hint > 0 else 0
