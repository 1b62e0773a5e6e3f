"""The strip with which a person goes through the time of a graph."""

from datetime import UTC, date, datetime, time, timedelta

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QMouseEvent
from PySide6.QtWidgets import (
    QFrame,
    QSlider,
    QStyle,
    QStyleOptionSlider,
    QToolButton,
    QWidget,
)

from core.model.times import day_words
from ui.theme import Theme
from ui.widgets.buttons import IconButton, push_button
from ui.widgets.labels import label, set_tip
from ui.widgets.layouts import put, row_layout

SPEEDS = (1, 2, 4)
LEAST_SLIDER = 120
_WORDS = 150
"""The room of the date, so that the slider does not move while it is dragged."""


class DaySlider(QSlider):
    """A slider that goes to the day that is clicked, instead of some days towards it."""

    def mousePressEvent(self, event: QMouseEvent) -> None:  # noqa: N802
        """Put the handle under the pointer, which can then drag it."""
        option = QStyleOptionSlider()
        self.initStyleOption(option)
        handle = self.style().subControlRect(
            QStyle.ComplexControl.CC_Slider, option, QStyle.SubControl.SC_SliderHandle, self)
        at = event.position().toPoint()
        if event.button() == Qt.MouseButton.LeftButton and not handle.contains(at):
            self.setValue(QStyle.sliderValueFromPosition(
                self.minimum(), self.maximum(), at.x() - handle.width() // 2,
                self.width() - handle.width(), option.upsideDown))
        super().mousePressEvent(event)


class TimeBar(QFrame):
    """A slider from the first day of the graph to now, and what plays it.

    Nothing is read here: it says which moment is wanted.
    """

    wanted = Signal(object)
    """A moment in UTC, None for now."""
    play_clicked = Signal()
    since_clicked = Signal()
    left = Signal()
    """Back to now, and away with the strip."""

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setProperty("role", "banner")
        self._first = datetime.now(UTC).date()
        self.words = label("Now", "strong")
        self.words.setMinimumWidth(_WORDS)
        self.slider = DaySlider(Qt.Orientation.Horizontal)
        self.slider.setMinimumWidth(LEAST_SLIDER)
        self.slider.setAccessibleName("Date")
        set_tip(self.slider, "The day as of which the graph is shown")
        self.play = IconButton(theme, "play", "Play the time from here", self.play_clicked.emit)
        self.speed = QToolButton()
        self.speed.setAccessibleName("Speed")
        set_tip(self.speed, "Speed of the time-lapse")
        self.speed.clicked.connect(self._next_speed)
        self.since = push_button("Since your last visit", self.since_clicked.emit, "link")
        self.now = push_button("Now", self.left.emit)
        set_tip(self.now, "Show the graph as it is now (Esc)")
        self._speed = 0
        self._show_speed()
        put(row_layout(self, (14, 5, 10, 5), 10), self.words, (self.slider, 1), self.play,
            self.speed, self.since, self.now)
        self.slider.valueChanged.connect(self._moved)
        self.hide()

    @property
    def factor(self) -> int:
        """How many times as fast the time-lapse runs."""
        return SPEEDS[self._speed]

    @property
    def is_now(self) -> bool:
        """True if the slider is at its end."""
        return self.slider.value() == self.slider.maximum()

    def set_span(self, first: date) -> None:
        """The days that can be chosen; the slider goes to now without asking for anything."""
        self._first = first
        days = max(1, (datetime.now(UTC).date() - first).days)
        self.slider.blockSignals(True)
        self.slider.setRange(0, days)
        self.slider.setPageStep(max(1, days // 20))
        self.slider.setValue(days)
        self.slider.blockSignals(False)
        self._say()

    def moment(self) -> datetime | None:
        """The moment that the slider stands at: the end of its day; None at now."""
        if self.is_now:
            return None
        day = self._first + timedelta(days=self.slider.value())
        return datetime.combine(day, time(23, 59, 59, 999000), UTC)

    def go_to(self, moment: datetime) -> None:
        """Move the slider to a day."""
        self.slider.setValue((moment.date() - self._first).days)

    def show_playing(self, playing: bool) -> None:
        """Whether the time-lapse runs."""
        self.play.set_sign(*(("pause", "Stop here") if playing
                             else ("play", "Play the time from here")))

    def _moved(self, _day: int) -> None:
        self._say()
        self.wanted.emit(self.moment())

    def _say(self) -> None:
        moment = self.moment()
        self.words.setText(f"As of {day_words(moment.isoformat())}" if moment else "Now")

    def _next_speed(self) -> None:
        self._speed = (self._speed + 1) % len(SPEEDS)
        self._show_speed()

    def _show_speed(self) -> None:
        self.speed.setText(f"{self.factor}×")
