"""Buttons, some with the key that does the same, and a box to choose from."""

from collections.abc import Callable

from PySide6.QtCore import QPointF, QSize, Qt
from PySide6.QtGui import QAction, QPainter, QPaintEvent
from PySide6.QtWidgets import (
    QAbstractButton,
    QComboBox,
    QPushButton,
    QSizePolicy,
    QToolButton,
    QWidget,
)

from ui.theme import Theme, icon
from ui.widgets.glyph_paths import draw_fold
from ui.widgets.labels import KeyCap, label, set_tip
from ui.widgets.layouts import row_layout


def on_click(part: QAction | QAbstractButton, act: Callable[..., object], *given: object) -> None:
    """Call `act` with what is given at each click; whether it is checked then is left out."""
    signal = part.triggered if isinstance(part, QAction) else part.clicked
    signal.connect(lambda: act(*given))


def push_button(
    words: str, act: Callable[[], object], kind: str = "", *, default: bool = False
) -> QPushButton:
    """A button; of a dialog's Enter presses the default one. `kind` as of a `KeyButton`."""
    button = QPushButton(words)
    button.setProperty("kind", kind)
    button.setAutoDefault(False)
    button.setDefault(default)
    on_click(button, act)
    return button


class IconButton(QToolButton):
    """A button with an icon in the theme's colours; `name` is for screen readers."""

    def __init__(
        self, theme: Theme, sign: str, words: str, act: Callable[[], object], *, name: str = "",
        pixels: int = 16,
    ) -> None:
        super().__init__()
        self._theme = theme
        self.setAccessibleName(name or words)
        self.setIconSize(QSize(pixels, pixels))
        set_tip(self, words)
        on_click(self, act)
        self.setIcon(icon(theme, sign))

    def set_sign(self, sign: str, words: str) -> None:
        """Another icon, with what it does now."""
        self.setIcon(icon(self._theme, sign))
        self.setAccessibleName(words)
        set_tip(self, words)


class KeyButton(QPushButton):
    """A verb, and its key as a key cap; `kind` is `""`, primary, good, bad or link."""

    def __init__(
        self, text: str, key: str = "", kind: str = "", parent: QWidget | None = None
    ) -> None:
        super().__init__(parent)
        self.setProperty("kind", kind)
        self.setAutoDefault(False)
        self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)
        self._words = label()
        self._cap = KeyCap("")
        self._tight = False
        row = self._row = row_layout(self, (12, 0, 10, 0), 8)
        for part in (self._words, self._cap):
            row.addWidget(part, 0, Qt.AlignmentFlag.AlignCenter)
            part.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        self.set_words(text, key)

    def set_words(self, text: str, key: str | None = None) -> None:
        """Change the verb, and the key unless it is None."""
        self._words.setText(text)
        if key is not None:
            self._cap.setText(key)
            self._cap.setVisible(bool(key))
        self.setAccessibleName(text)
        self._set_margins()

    def reserve(self, *words: str) -> None:
        """Take the room of the longest of these words, so that nothing moves when they change."""
        self._words.ensurePolished()
        metrics = self._words.fontMetrics()
        self._words.setMinimumWidth(max(map(metrics.horizontalAdvance, words)))
        self._words.setAlignment(Qt.AlignmentFlag.AlignCenter)

    def show_cap(self, shown: bool) -> None:
        """Show the key, or hide it where there is little room."""
        if self._cap.text() and self._cap.isHidden() == shown:
            self._cap.setVisible(shown)
            self._set_margins()

    def set_tight(self, tight: bool) -> None:
        """Take less room, with the words and the key nearer to each other."""
        self._tight = tight
        self._row.setSpacing(5 if tight else 8)
        self._set_margins()

    def _set_margins(self) -> None:
        side, key_side = (7, 5) if self._tight else (12, 8)
        self._row.setContentsMargins(side, 0, side if self._cap.isHidden() else key_side, 0)
        self.updateGeometry()

    def dim_cap(self, dimmed: bool) -> None:
        """Show that the key does nothing at the moment, because the keyboard is elsewhere."""
        self._cap.setEnabled(not dimmed)

    def sizeHint(self) -> QSize:  # noqa: N802
        return QSize(self._row.sizeHint().width(), 28)

    def minimumSizeHint(self) -> QSize:  # noqa: N802
        return self.sizeHint()


class ActionButton(KeyButton):
    """A button for a catalogue action: follows its words and whether it can be done."""

    def __init__(
        self, action: QAction, kind: str = "", *, text: str = "", parent: QWidget | None = None
    ) -> None:
        key = action.shortcut().toString() if not action.shortcut().isEmpty() else ""
        super().__init__(text or action.text(), key, kind, parent)
        self._action = action
        self._fixed_text = text
        on_click(self, action.trigger)
        action.changed.connect(self._follow)
        self._follow()

    def _follow(self) -> None:
        self.setEnabled(self._action.isEnabled())
        if not self._fixed_text:
            self.set_words(self._action.text().replace("&&", "&"))


FROM_RIGHT = 13


class ComboBox(QComboBox):
    """A combo box that draws its arrow in the colour of its words.

    Qt draws none once a stylesheet has touched the box, unless an image is named there.
    """

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setMaxVisibleItems(16)

    def paintEvent(self, event: QPaintEvent) -> None:  # noqa: N802
        super().paintEvent(event)
        color = self.palette().color(self.foregroundRole())
        color.setAlphaF(0.7 if self.isEnabled() else 0.35)
        draw_fold(QPainter(self), QPointF(self.width() - FROM_RIGHT, self.height() / 2), color,
                  closed=False)
