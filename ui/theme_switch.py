"""Keeps the theme as the person or the system wants it."""

from PySide6.QtCore import QObject, Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QApplication

from ui.preferences import Preferences
from ui.theme import THEMES, Theme, dress, load_theme


class ThemeSwitch(QObject):
    """Follows the preference, and the system while the preference says so."""

    def __init__(
        self, theme: Theme, preferences: Preferences, parent: QObject | None = None
    ) -> None:
        super().__init__(parent)
        self._theme, self._preferences = theme, preferences
        preferences.changed.connect(self._follow)
        QGuiApplication.styleHints().colorSchemeChanged.connect(self._follow)
        self._follow()

    def close(self) -> None:
        """Stop listening to the system, which outlives the window."""
        QGuiApplication.styleHints().colorSchemeChanged.disconnect(self._follow)

    def theme_name(self) -> str:
        """The name of the theme that should be shown now."""
        if self._preferences.theme in THEMES:
            return self._preferences.theme
        scheme = QGuiApplication.styleHints().colorScheme()
        return "paper" if scheme == Qt.ColorScheme.Light else "dusk"

    def _follow(self, *_: object) -> None:
        name = self.theme_name()
        if name != self._theme.name:
            self._theme.become(load_theme(name))
            app = QApplication.instance()
            assert isinstance(app, QApplication)
            dress(app, self._theme)
