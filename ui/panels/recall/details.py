"""One hit in full: its text, its score by channel, and its path in the graph."""

from PySide6.QtCore import QRectF, QSize, Qt, Signal
from PySide6.QtGui import QPainter, QPaintEvent
from PySide6.QtWidgets import QSizePolicy, QWidget

from core.model.graph_statement import Statement
from core.model.recall import Hit
from ui.models.recall_results import Bar, bars_of, facts_of_line, steps_of
from ui.theme import Theme
from ui.theme.icons import icon
from ui.widgets.buttons import on_click
from ui.widgets.filter_chips import chip_button
from ui.widgets.glyph_paths import draw_meter
from ui.widgets.labels import SectionHead, label
from ui.widgets.layouts import put, row_layout
from ui.widgets.scroll_column import ScrollColumn

NAME_WIDTH, BAR_WIDTH = 92, 96


class ChannelBar(QWidget):
    """A channel, its bar, its number."""

    def __init__(self, theme: Theme, bar: Bar) -> None:
        super().__init__()
        self._theme, self.bar = theme, bar
        self.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Fixed)
        self.setAccessibleName(f"{bar.name} {bar.value:.2f}")

    def sizeHint(self) -> QSize:  # noqa: N802
        return QSize(200, 22)

    def paintEvent(self, _event: QPaintEvent) -> None:  # noqa: N802
        painter = QPainter(self)
        box, middle = QRectF(self.rect()), int(Qt.AlignmentFlag.AlignVCenter)
        painter.setPen(self._theme.color("text"))
        painter.drawText(box, middle, self.bar.name)
        draw_meter(painter, QRectF(NAME_WIDTH, box.top(), BAR_WIDTH, box.height()), self._theme,
                   self.bar.value)
        painter.setPen(self._theme.color("text.soft"))
        painter.drawText(box.adjusted(NAME_WIDTH + BAR_WIDTH + 8, 0, 0, 0), middle,
                         f"{self.bar.value:.2f}")


class HitView(ScrollColumn):
    """The hit that is looked at."""

    rated = Signal(str, int)
    """The person found a memory helpful (1) or not (-1)."""

    def __init__(self, theme: Theme) -> None:
        super().__init__("The memory in full", margins=(18, 10, 16, 8))
        self._theme = theme
        self.shown: Hit | Statement | None = None

    def show_hit(self, hit: Hit | Statement | None, path: str = "", rating: float = 0.0) -> None:
        """Show it, with its path in the graph and the person's rating."""
        self.shown = hit
        with self.filling() as column:
            if hit is None:
                column.addWidget(label("Select a memory to see why it was found.", "soft",
                                       wrap=True))
                return
            put(column, label(hit.marked_text, wrap=True, selectable=True),
                label(facts_of_line(hit), "caption", wrap=True))
            if isinstance(hit, Hit):
                column.addWidget(self._thumbs(hit, rating))
            put(column, SectionHead(f"Found by · {hit.score:.2f}"),
                *(ChannelBar(self._theme, bar) for bar in bars_of(hit)),
                *(label(step, "soft", wrap=True) for step in steps_of(hit)))
            if hit.why:
                put(column, SectionHead("Why"),
                    label(hit.why, "soft", wrap=True, selectable=True))
            if path:
                put(column, SectionHead("Through the graph"), label(path, wrap=True))

    def _thumbs(self, hit: Hit, rating: float) -> QWidget:
        box = QWidget()
        row = row_layout(box, (0, 2, 0, 0), 6)
        for value, sign, words in ((1, "helpful", "helpful"), (-1, "unhelpful", "not helpful")):
            chosen = rating * value > 0
            thumb = chip_button(words, checkable=True)
            thumb.setChecked(chosen)
            thumb.setIcon(icon(self._theme, sign, "text" if chosen else "text.soft"))
            # What was said is told by the graph: a write may be refused or wait for permission.
            on_click(thumb, thumb.setChecked, chosen)
            on_click(thumb, self.rated.emit, hit.memory.id, value)
            row.addWidget(thumb)
        row.addStretch(1)
        return box
