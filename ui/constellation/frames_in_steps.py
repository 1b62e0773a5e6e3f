"""Paints the frames of a large sky beside the window, one step in each turn of the event loop."""

from collections.abc import Callable, Iterator
from time import perf_counter

from PySide6.QtCore import QObject, Signal
from PySide6.QtGui import QImage, QPainter
from PySide6.QtWidgets import QWidget

from ui.turns import NextTurn


class FramesInSteps(QObject):
    """The last frame that is whole, and the one that is being painted.

    The sky of 100,000 entities takes longer to paint than a window may stand still, above all
    together with the lists that are painted in the same turn.

    Args:
        steps: paints the widget's frame, and yields where others may have their turn.
        widget: whose size and pixel ratio the frames have.
    """

    ready = Signal(float)
    """Another frame is whole; carries the milliseconds that it took."""

    def __init__(self, steps: Callable[[QPainter], Iterator[None]], widget: QWidget) -> None:
        super().__init__(widget)
        self._steps, self._widget = steps, widget
        self._shown, self._next = QImage(), QImage()
        self._painter: QPainter | None = None
        self._left: Iterator[None] = iter(())
        self._begun = self._again = False
        self._took = 0.0
        self._next_step = NextTurn(self)
        self._next_step.timeout.connect(self._go_on)

    @property
    def image(self) -> QImage | None:
        """The last whole frame; None if there is none of the widget's size."""
        return self._shown if _fits(self._shown, self._widget) else None

    def ask(self) -> None:
        """Paint another frame; if one has been begun, after it."""
        if self._painter is None:
            self._begin()
        elif self._begun:
            self._again = True

    def forget(self) -> None:
        """Give up what is shown and what is being painted: the widget paints itself."""
        if self._painter is not None or not self._shown.isNull():
            self._next_step.stop()
            self.close()
            self._shown, self._next = QImage(), QImage()

    def close(self) -> None:
        """Give up what is being painted."""
        self._left = iter(())
        if self._painter is not None:
            self._painter.end()
            self._painter = None

    def _begin(self) -> None:
        if not _fits(self._next, self._widget):
            ratio = self._widget.devicePixelRatioF()
            self._next = QImage(self._widget.size() * ratio, QImage.Format.Format_RGB32)
            self._next.setDevicePixelRatio(ratio)
        self._begun = self._again = False
        self._took = 0.0
        self._painter = QPainter(self._next)
        self._left = self._steps(self._painter)
        self._next_step.start()

    def _go_on(self) -> None:
        began, self._begun = perf_counter(), True
        try:
            whole = next(self._left, self) is self
        except BaseException:
            self.close()
            raise
        self._took += (perf_counter() - began) * 1000
        if whole:
            self._show()
        else:
            self._next_step.start()

    def _show(self) -> None:
        self.close()
        self._shown, self._next = self._next, self._shown
        self.ready.emit(self._took)
        if self._again:
            self._begin()


def _fits(image: QImage, widget: QWidget) -> bool:
    ratio = widget.devicePixelRatioF()
    return image.devicePixelRatioF() == ratio and image.size() == widget.size() * ratio
