"""One quiet line over the first sky a person sees; it goes once something is looked at."""

from PySide6.QtCore import QEvent, QObject, QRect, Qt, QTimer, Signal
from PySide6.QtWidgets import QLabel, QWidget

from ui.preferences import Preferences
from ui.selection import Selection
from ui.widgets.labels import label

WORDS = "Click a star to read it · press / to search · scroll to zoom"
SHOWN_MS = 60_000
TOP = 42
"""Pixels below the upper edge: below the path and the counts."""
_SEEN = "hint.seen"
_BETWEEN = " · "


class FirstHint(QObject):
    """Shows the hint over `over` until a person has done what it says, or a minute has passed."""

    placed = Signal(QRect)
    """Where it covers what is beneath; an empty rectangle when it has gone."""

    def __init__(self, over: QWidget, preferences: Preferences) -> None:
        super().__init__(over)
        self._over, self._preferences = over, preferences
        self.words: QLabel = label(WORDS, "plate")
        self.words.setParent(over)
        self.words.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        self.words.hide()
        self._timer = QTimer(self, singleShot=True, interval=SHOWN_MS)
        self._timer.timeout.connect(self.hide)
        over.installEventFilter(self)

    def offer(self, selection: Selection, stars: int = 1) -> None:
        """Show it, if no sky with a star in it was ever shown before."""
        if not stars or self._preferences.text(_SEEN):
            return
        self._preferences.put_text(_SEEN, "yes")
        selection.entity_changed.connect(self.hide)
        self._timer.start()
        self.words.show()
        self._place()

    def hide(self, _entity_id: str = "") -> None:
        self._timer.stop()
        if not self.words.isHidden():
            self.words.hide()
            self._tell()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:  # noqa: N802
        if event.type() == QEvent.Type.Resize:
            self._place()
        return False

    def _place(self) -> None:
        parts = WORDS.split(_BETWEEN)
        self.words.setText(WORDS)
        # A narrow sky has room for the first of it, never for words that are cut.
        while len(parts) > 1 and self.words.sizeHint().width() > self._over.width() - 24:
            parts.pop()
            self.words.setText(_BETWEEN.join(parts))
        size = self.words.sizeHint()
        width = min(size.width(), self._over.width() - 24)
        self.words.setGeometry((self._over.width() - width) // 2, TOP, width, size.height())
        self.words.raise_()
        self._tell()

    def _tell(self) -> None:
        self.placed.emit(QRect() if self.words.isHidden() else self.words.geometry())
