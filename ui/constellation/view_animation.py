"""The view's behaviour over time: camera moves, fades, loading of texts."""

from collections.abc import Callable
from time import monotonic

from PySide6.QtCore import QObject, Qt, QTimer, Signal
from PySide6.QtWidgets import QWidget

from ui.constellation.camera import Camera
from ui.constellation.layers import visible_counts
from ui.constellation.view_state import ViewState

_TICK_MS = 8
_REST_MS = 140
_TEXTS_MS = 120


class Motion(QObject):
    """Moves a view's camera at once or over time, and repaints the widget meanwhile.

    Args:
        widget: the widget to repaint.
        settled: False while the picture still fades by itself.
    """

    rested = Signal(str)
    """The view has come to rest; carries the sentence that says how much is in sight."""
    texts_wanted = Signal(object)
    """Ids of values that are near enough to be read, as a tuple."""

    def __init__(self, state: ViewState, widget: QWidget, settled: Callable[[], bool]) -> None:
        super().__init__(widget)
        self._state, self._widget, self._settled = state, widget, settled
        self._tick_time = 0.0
        self._ticker = QTimer(self, interval=_TICK_MS)
        self._ticker.setTimerType(Qt.TimerType.PreciseTimer)
        self._ticker.timeout.connect(self._tick)
        self._rest = QTimer(self, interval=_REST_MS, singleShot=True)
        self._rest.timeout.connect(self._come_to_rest)
        self._asking = QTimer(self, interval=_TEXTS_MS, singleShot=True)
        self._asking.timeout.connect(self._ask_for_texts)

    def travel(self, end: Camera) -> None:
        """Move the camera over time; at once with reduced motion, or while hidden."""
        if self._state.reduced or not self._widget.isVisible():
            self.move_to(end)
            return
        self._state.travel(end, monotonic())
        self.animate()

    def move_to(self, camera: Camera) -> None:
        """Move the camera at once."""
        self._state.look_from(camera)
        self._rest.start()
        self._widget.update()

    def stop(self) -> None:
        """End a camera move where it is."""
        if self._state.travelling:
            self._state.stop()
            self._rest.start()

    def animate(self) -> None:
        """Paint frame after frame until nothing moves any more."""
        if not self._ticker.isActive():
            self._tick_time = monotonic()
            self._ticker.start()
        self._widget.update()

    def ask_soon(self) -> None:
        """Load the visible texts, after a moment."""
        self._asking.start()

    def _tick(self) -> None:
        now = monotonic()
        elapsed, self._tick_time = now - self._tick_time, now
        travelled = self._state.travelling
        going = self._state.tick(now, elapsed)
        if travelled and not self._state.travelling:
            self._rest.start()
        if not going and self._settled():
            self._ticker.stop()
        self._widget.update()

    def _come_to_rest(self) -> None:
        if self._state.travelling:
            return
        self._state.moving = False
        self._state.renew()
        self._widget.update()
        self.ask_soon()
        self.rested.emit(visible_counts.sentence(self._state.frame))

    def _ask_for_texts(self) -> None:
        missing = self._state.missing_texts()
        if missing:
            self.texts_wanted.emit(missing)
