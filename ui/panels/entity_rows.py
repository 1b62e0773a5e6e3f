"""Draws the rows of entity lists: star, sign, name, and one more fact at the right."""

from datetime import UTC, datetime

from PySide6.QtCore import (
    QModelIndex,
    QPersistentModelIndex,
    QPointF,
    QRect,
    QRectF,
    Qt,
)
from PySide6.QtGui import QFont, QFontMetrics, QPainter, QPen
from PySide6.QtWidgets import QStyleOptionViewItem

from core.model.entity import EntityRow
from core.model.text_formatting import one_line
from core.model.text_matches import densest, match_spans
from core.model.times import age, parse_time
from core.model.vocabulary import HELD
from ui.models.entity_list import EntityRole
from ui.panels.entity_list_view import ROW_HEIGHT, EntityView
from ui.widgets.glyph_paths import draw_glyph, draw_star, painting
from ui.widgets.row_delegate import MARGIN, RIGHT, RowDelegate
from ui.widgets.toned_text_layout import Part, lay_out

FOUND_HEIGHT = 42
"""The height of every row while something is searched: what matched stands below the name."""
STAR = QRect(13, 0, 13, 0)
SIGN = QRect(34, 0, 10, 0)
NAME_LEFT = 51
DAY_SECONDS = 86_400
SHADES = (0.62, 0.44, 0.7, 0.52, 0.38)
"""How much of the room the bars of unread rows take, by turns."""

Index = QModelIndex | QPersistentModelIndex


class EntityDelegate(RowDelegate):
    """Paints an entity's row; hovered and selected ones as in the sky."""

    def __init__(self, view: EntityView) -> None:
        super().__init__(view.context.theme, view)
        self._view = view
        self.words: tuple[str, ...] = ()

    def search(self, words: tuple[str, ...]) -> None:
        """The search text; empty if there is none."""
        if bool(words) != bool(self.words):
            self._view.set_row_height(FOUND_HEIGHT if words else ROW_HEIGHT)
        self.words = words

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        painter.save()
        row = index.data(EntityRole)
        if isinstance(row, EntityRow):
            selection = self._view.context.selection
            marked = {selection.entity_id, selection.second.id if selection.second else ""}
            self.ground(painter, option, selected=row.id in marked,
                        hovered=True if row.id == selection.hover_id else None)
            self._paint_row(painter, option.rect, index, row)
        else:
            self._paint_unread(painter, option.rect, index.row())
        painter.restore()

    def right_words(self, row: EntityRow) -> tuple[str, QFont]:
        """The text at the right end of a row."""
        if row.status == "archived":
            return "archived", self.small
        if row.held:
            return HELD, self.small
        return f"{row.mentions:,}", self.body

    def below(self, row: EntityRow) -> str:
        """The text below the name during a search."""
        return one_line(row.fact or row.entity_type, 200) if self.words else ""

    def _paint_row(
        self, painter: QPainter, rect: QRect, index: Index, row: EntityRow
    ) -> None:
        self._paint_star(painter, rect, index, row)
        sign = QRectF(rect.left() + SIGN.left(), rect.top(), SIGN.width(), rect.height())
        quiet = row.muted or row.status != "active"
        if quiet:
            self._paint_hollow(painter, sign)
        else:
            draw_glyph(painter, sign, self.theme, row.entity_type)
        words, font = self.right_words(row)
        room = rect.adjusted(NAME_LEFT, 0, -MARGIN, 0)
        width = self.text(painter, room, words, font,
                          self.theme.mix("surface", "text.soft", 0.88), 0, RIGHT)
        self._paint_words(painter, room.adjusted(0, 0, -width - 10, 0), row, quiet)

    def _paint_words(self, painter: QPainter, room: QRect, row: EntityRow, quiet: bool) -> None:
        below = self.below(row)
        name = QRect(room)
        if below:
            name = QRect(room.left(), room.top() + 4, room.width(), 18)
            line = QRect(room.left(), room.top() + 22, room.width(), 15)
            self._paint_below(painter, line, below, row)
        self.text(painter, name, row.name, self.body, "text.soft" if quiet else "text")

    def _paint_below(
        self, painter: QPainter, line: QRect, below: str, row: EntityRow
    ) -> None:
        """The matched fact, moved so that the matches can be seen, and each lit."""
        metrics = QFontMetrics(self.small)
        room = line.width() * len(below) // max(1, metrics.horizontalAdvance(below))
        pieces = lit_parts(below, self.words if row.fact else (), room)
        shown = metrics.elidedText(
            "".join(text for text, _ in pieces), Qt.TextElideMode.ElideRight, line.width())
        parts, start = [], 0
        for text, lit in pieces:
            parts.append(Part(shown[start:start + len(text)], "text" if lit else "text.soft"))
            start += len(text)
        words = lay_out(self.theme, parts, line.width() + 40, self.small)
        words.draw(painter, QPointF(line.left(), line.top()))

    def _paint_star(self, painter: QPainter, rect: QRect, index: Index, row: EntityRow) -> None:
        filled = row.pinned
        lit = row.status == "active" and self._view.star_lit(self._view.model().index(
            index.row(), 0))
        if not filled and not lit:
            return
        box = QRectF(rect.left() + STAR.left(), rect.top() - 0.5, STAR.width(), rect.height())
        color = self.theme.color("pin", 0.6 if filled and lit else 1.0)
        draw_star(painter, box, color, filled=filled)

    def _paint_hollow(self, painter: QPainter, box: QRectF) -> None:
        side = box.width() - 2
        square = QRectF(box.left() + 1, box.center().y() - side / 2, side, side)
        with painting(painter, pen=QPen(self.theme.color("text.faint"), 1.2)):
            painter.drawRoundedRect(square, 2, 2)

    def _paint_unread(self, painter: QPainter, rect: QRect, row: int) -> None:
        """A quiet bar in the place of a name that is being read."""
        room = rect.width() - NAME_LEFT - MARGIN - 30
        width = room * SHADES[row % len(SHADES)]
        bar = QRectF(rect.left() + NAME_LEFT, rect.center().y() - 3.5, width, 7)
        with painting(painter, self.theme.color("line", 0.6)):
            painter.drawRoundedRect(bar, 3.5, 3.5)


def lit_parts(fact: str, words: tuple[str, ...], room: int) -> list[tuple[str, bool]]:
    """The text in pieces, with whether each is a match.

    The start of the fact is cut where the matches would be beyond `room` characters.
    """
    spans, most = match_spans(fact, words), room * 2 // 3
    first = densest(fact, spans, most)
    cut = 0
    if any(first <= at and end <= first + most and end > room - 2 for at, end in spans):
        start = max(0, min(first - room // 3, len(fact) - room))
        cut = fact.find(" ", start, first) + 1 or start
    pieces, last = [("…", False)] if cut else [], cut
    for at, end in spans:
        if at >= cut:
            pieces += [(fact[last:at], False), (fact[at:end], True)]
            last = end
    return [piece for piece in (*pieces, (fact[last:], False)) if piece[0]]


class PinDelegate(EntityDelegate):
    """A pinned entity and since when it is pinned."""

    def right_words(self, row: EntityRow) -> tuple[str, QFont]:
        return since(row.pinned_at), self.small


def spoken_pin(row: EntityRow) -> str:
    """A pinned entity for a screen reader: `Harbor Ledger, pinned 2 d`."""
    return f"{one_line(row.name)}, pinned {since(row.pinned_at)}".strip()


def since(pinned_at: str | None, now: datetime | None = None) -> str:
    """`today`, `2 d`, `3 mo`; empty if unknown."""
    moment = parse_time(pinned_at)
    if moment is None:
        return ""
    seconds = ((now or datetime.now(UTC)) - moment).total_seconds()
    return "today" if seconds < DAY_SECONDS else age(pinned_at, now)
