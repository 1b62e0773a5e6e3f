"""Draws the rows of the inspector's tree."""

from PySide6.QtCore import (
    QEvent,
    QModelIndex,
    QObject,
    QPersistentModelIndex,
    QPointF,
    QRect,
    QRectF,
    QSize,
    Qt,
)
from PySide6.QtGui import (
    QFont,
    QFontMetrics,
    QKeyEvent,
    QPainter,
    QResizeEvent,
    QTextLayout,
)
from PySide6.QtWidgets import (
    QAbstractItemDelegate,
    QPlainTextEdit,
    QStyle,
    QStyleOptionViewItem,
    QTreeView,
    QWidget,
)

from core.model.claims_and_assertions import Assertion
from core.model.link import Link
from core.model.text_formatting import one_line
from ui.context import Context
from ui.models.claim_history import is_version_of
from ui.models.inspector_tree import InspectorTree, Node
from ui.theme import body_font
from ui.theme.apply_theme import CAPTION_PIXELS, HEAD_PIXELS
from ui.widgets.glyph_paths import draw_diamond, draw_fold, draw_meter, draw_trend
from ui.widgets.labels import label
from ui.widgets.row_delegate import RIGHT, RowDelegate
from ui.widgets.toned_text_layout import Part, lay_out

MARGIN = 16
INDENT = 15
FACT_LEFT = 92
SHOWN_CHARACTERS = 240
HINT = "Enter saves, Esc cancels"
HINT_HEIGHT = 18


class InlineEditor(QPlainTextEdit):
    """An editor over the value's row, which reports how it was closed."""

    def __init__(self, what: str, parent: QWidget) -> None:
        super().__init__(parent)
        self.setTabChangesFocus(True)
        self.setAccessibleName(f"New text for {what}")
        self.setAccessibleDescription(HINT)
        self.setVerticalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAsNeeded)
        # Its lines wrap; while it opens a bar would hide the hint.
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setViewportMargins(0, 0, 0, HINT_HEIGHT)
        self._hint = label(HINT, "caption")
        self._hint.setParent(self)
        self._hint.setAlignment(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)

    def resizeEvent(self, event: QResizeEvent) -> None:  # noqa: N802
        super().resizeEvent(event)
        self._hint.setGeometry(8, self.height() - HINT_HEIGHT - 3, self.width() - 18, HINT_HEIGHT)


HEIGHTS = {"section": 32, "aspect": 25, "group": 23, "link": 25, "more": 24}
"""Rows of one line; every other row is as high as its words."""
PADDING = {"words": 4, "constraint": 3, "claim": 3, "memory": 6, "voice": 5, "fact": 3}
GROWING = ("constraints", "aspects", "links", "voices")
"""Sections whose head offers, at its right end, to add to them."""
VOICE_TONES = {"denies": "bad", "questions": "proposal"}
METER = 50
KEPT_LAYOUTS = 5000
EDITOR_HEIGHT = 76

Index = QModelIndex | QPersistentModelIndex


class InspectorDelegate(RowDelegate):
    """Each kind of row in its own way, all of it plain text; values can be edited in place."""

    def __init__(self, context: Context, view: QTreeView) -> None:
        super().__init__(context.theme, view)
        self._context = context
        self._laid_out: dict[tuple[int, tuple[Part, ...]], QTextLayout] = {}
        context.theme.changed.connect(self.forget)

    def forget(self) -> None:
        """The colours are others now."""
        self._laid_out.clear()

    # -- size ------------------------------------------------------------------------------------

    def sizeHint(self, _option: QStyleOptionViewItem, index: Index) -> QSize:  # noqa: N802
        node = self._node(index)
        if node is None:
            return QSize(100, 0)
        height = HEIGHTS.get(node.kind)
        if height is None:
            height = round(self._words(node).boundingRect().height()) + 2 * PADDING[node.kind]
        return QSize(100, height)

    def _words(self, node: Node) -> QTextLayout:
        width = self.view.viewport().width() - left_of(node) - MARGIN
        key = (width, tuple(parts_of(node)))
        found = self._laid_out.get(key)
        if found is None:
            if len(self._laid_out) >= KEPT_LAYOUTS:
                self._laid_out.clear()
            found = self._laid_out[key] = lay_out(self.theme, key[1], width)
        return found

    # -- paint -----------------------------------------------------------------------------------

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        node = self._node(index)
        if node is None:
            return
        painter.save()
        self._paint_ground(painter, option, node)
        draw = getattr(self, f"_paint_{node.kind}", None)
        if draw is None:
            self._paint_words(painter, option, node)
        else:
            draw(painter, option, node)
        painter.restore()

    def _paint_ground(
        self, painter: QPainter, option: QStyleOptionViewItem, node: Node
    ) -> None:
        slot = self._context.selection.slot
        over = option.state & QStyle.StateFlag.State_MouseOver
        self.ground(painter, option,
                    selected=node.value is not None and is_version_of(node.value, slot),
                    hovered=bool(over) and node.kind not in ("section", "words", "fact"))

    def _paint_words(self, painter: QPainter, option: QStyleOptionViewItem, node: Node) -> None:
        rect = option.rect
        at = QPointF(rect.left() + left_of(node), rect.top() + PADDING[node.kind])
        self._words(node).draw(painter, at)

    def _paint_constraint(
        self, painter: QPainter, option: QStyleOptionViewItem, node: Node
    ) -> None:
        self._paint_words(painter, option, node)
        line = self._words(node).lineAt(0).height()
        top = option.rect.top() + PADDING["constraint"]
        box = QRectF(option.rect.left() + MARGIN, top, 9, line)
        draw_diamond(painter, box, self.theme.color("constraint"))

    def _paint_fact(self, painter: QPainter, option: QStyleOptionViewItem, node: Node) -> None:
        self._paint_words(painter, option, node)
        line = round(self._words(node).lineAt(0).height())
        box = QRect(option.rect.left() + MARGIN, option.rect.top() + PADDING["fact"],
                    FACT_LEFT - MARGIN - 6, line)
        self.text(painter, box, node.label, self.body, "text.soft")

    def _paint_section(
        self, painter: QPainter, option: QStyleOptionViewItem, node: Node
    ) -> None:
        box = option.rect.adjusted(MARGIN, 8, -MARGIN, 0)
        used = self.text(painter, box, node.text, self.head, "text.soft")
        closed = not option.state & QStyle.StateFlag.State_Open
        over = bool(option.state & QStyle.StateFlag.State_MouseOver)
        if closed or over:
            self._fold(painter, QPointF(box.left() + used + 11, box.center().y() + 0.5), closed)
        if over and node.key in GROWING:
            self.text(painter, box.adjusted(0, 0, 2, -2), "+", body_font(HEAD_PIXELS),
                       "text.soft", 0, RIGHT)

    def _paint_aspect(
        self, painter: QPainter, option: QStyleOptionViewItem, node: Node
    ) -> None:
        rect = option.rect
        closed = not option.state & QStyle.StateFlag.State_Open
        if node.children:
            self._fold(painter, QPointF(rect.left() + MARGIN + 4, rect.center().y() + 0.5), closed)
        box = rect.adjusted(left_of(node), 0, -MARGIN, 0)
        pending = f"{node.pending} pending" if node.pending and closed else ""
        if pending:
            self.text(painter, box, pending, self.small, "proposal", 0, RIGHT)
        number = f"{node.weight:.2f}"
        line = METER + 10 if len(node.line) > 1 else 0
        room = (line + METER + 22 + self._width(number, self.body)
                + self._width(pending, self.small))
        box.setRight(box.right() - room)
        font = self.body if node.gone else self.bold
        tone = "text.soft" if node.gone else "text"
        used = self.text(painter, box, one_line(node.text), font, tone)
        meter = QRectF(box.left() + used + 8, rect.top(), METER, rect.height())
        draw_meter(painter, meter, self.theme, node.weight)
        after = QRect(round(meter.right()) + 6, rect.top(), 60, rect.height())
        used = self.text(painter, after, number, self.body, "text.soft")
        if line:
            draw_trend(painter, QRectF(after.left() + used + 10, rect.top() + 6, METER,
                                       rect.height() - 12), self.theme, node.line)

    def _paint_group(self, painter: QPainter, option: QStyleOptionViewItem, node: Node) -> None:
        closed = not option.state & QStyle.StateFlag.State_Open
        left = left_of(node)
        middle = option.rect.center().y() + 0.5
        self._fold(painter, QPointF(option.rect.left() + left - 9, middle), closed)
        box = option.rect.adjusted(left, 0, -MARGIN, 0)
        self.text(painter, box, one_line(node.text), self.body, "text.soft")

    def _paint_link(self, painter: QPainter, option: QStyleOptionViewItem, node: Node) -> None:
        link = node.thing
        assert isinstance(link, Link)
        rect = option.rect
        over = bool(option.state & QStyle.StateFlag.State_MouseOver)
        number = f"{node.weight:.2f}" if over else node.held
        held = not over and bool(node.held)
        box = rect.adjusted(MARGIN, 0, -MARGIN - METER - 10, 0)
        if over:
            box.setRight(box.right() - self._width("0.00", self.body) - 6)
        elif held:
            box.setRight(box.right() - self._width(number, self.small) - 6)
        dead = not link.other_name or node.gone
        tone = "text.soft" if dead else "text"
        arrow = "→" if link.direction == "out" else "←"
        lead = f"{arrow} {one_line(node.label, 40)} "
        self.text(painter, box, lead, self.body, tone)
        box.setLeft(box.left() + self._width(lead, self.body))
        used = self.text(painter, box, one_line(node.text),
                          self.body if dead else self.bold, tone)
        meter = QRectF(box.left() + used + 8, rect.top(), METER, rect.height())
        draw_meter(painter, meter, self.theme, node.weight)
        after = QRect(round(meter.right()) + 6, rect.top(), 60, rect.height())
        self.text(painter, after, number, self.small if held else self.body,
                  "proposal" if held else "text.soft")

    def _paint_more(self, painter: QPainter, option: QStyleOptionViewItem, node: Node) -> None:
        box = option.rect.adjusted(left_of(node), 0, -MARGIN, 0)
        self.text(painter, box, node.text, self.body, "accent")

    def _fold(self, painter: QPainter, middle: QPointF, closed: bool) -> None:
        draw_fold(painter, middle, self.theme.color("text.soft"), closed=closed)

    def _width(self, text: str, font: QFont) -> int:
        return QFontMetrics(font).horizontalAdvance(text)

    def _node(self, index: Index) -> Node | None:
        model = self.view.model()
        return model.node(index) if isinstance(model, InspectorTree) else None

    # -- edit ------------------------------------------------------------------------------------

    def createEditor(  # noqa: N802
        self, parent: QWidget, _option: QStyleOptionViewItem, index: Index
    ) -> QWidget:
        node = self._node(index)
        return InlineEditor(node.label if node is not None and node.label else "the value", parent)

    def setEditorData(self, editor: QWidget, index: Index) -> None:  # noqa: N802
        node = self._node(index)
        if isinstance(editor, QPlainTextEdit) and node is not None and node.value is not None:
            editor.setPlainText(node.value.content)
            editor.selectAll()

    def setModelData(self, editor: QWidget, _model: object, index: Index) -> None:  # noqa: N802
        node = self._node(index)
        if isinstance(editor, QPlainTextEdit) and node is not None:
            self.view.edited.emit(node, editor.toPlainText().strip())  # type: ignore[attr-defined]

    def updateEditorGeometry(  # noqa: N802
        self, editor: QWidget, option: QStyleOptionViewItem, index: Index
    ) -> None:
        node = self._node(index)
        left = left_of(node) - 8 if node is not None else MARGIN
        height = max(EDITOR_HEIGHT, option.rect.height() + 8)
        top = min(option.rect.top() - 2, self.view.viewport().height() - height)
        editor.setGeometry(left, max(0, top), option.rect.width() - left - 8, height)

    def eventFilter(self, editor: QObject, event: QEvent) -> bool:  # noqa: N802
        if isinstance(event, QKeyEvent) and event.type() == QEvent.Type.KeyPress:
            plain = not event.modifiers() & Qt.KeyboardModifier.ShiftModifier
            if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter) and plain:
                self.commitData.emit(editor)
                self.closeEditor.emit(editor, QAbstractItemDelegate.EndEditHint.NoHint)
                return True
            if event.key() in (Qt.Key.Key_Tab, Qt.Key.Key_Backtab):
                self.commitData.emit(editor)
                self.closeEditor.emit(editor, QAbstractItemDelegate.EndEditHint.NoHint)
                return True
        return super().eventFilter(editor, event)


def left_of(node: Node) -> int:
    """Where a row's words begin."""
    if node.kind == "fact":
        return FACT_LEFT
    if node.kind in ("constraint", "aspect"):
        return MARGIN + INDENT
    if node.kind in ("claim", "group") or (node.kind == "more" and node.depth):
        return MARGIN + INDENT * node.depth + (INDENT if node.kind == "group" else 0)
    return MARGIN


def parts_of(node: Node) -> list[Part]:
    """A row's words in their tones."""
    words = one_line(node.text, SHOWN_CHARACTERS)
    if node.kind == "words":
        return [Part(one_line(node.text, 400), "text.soft")]
    if node.kind == "memory":
        return [Part(words), Part("\u2028" + node.label, "text.soft", pixels=CAPTION_PIXELS),
                *_held(node, " · ")]
    if node.kind == "fact":
        return [Part(words)]
    if isinstance(node.thing, Assertion):
        return _of_voice(node, node.thing, words)
    tone = "text.soft" if node.gone else "constraint" if node.kind == "constraint" else "text"
    parts = [Part(f"{one_line(node.label, 60)} · ", "text.soft")] if node.label else []
    parts.append(Part(words, tone))
    if node.versions > 1:
        number = node.value.version if node.value is not None else node.versions
        parts.append(Part(f"  v{number}", "text.soft", pixels=CAPTION_PIXELS))
    if node.gone:
        parts.append(Part("  archived", "text.soft", pixels=CAPTION_PIXELS))
    if node.pending:
        parts.append(Part(f"  {node.pending} pending", "proposal"))
    if node.voices:
        parts.append(Part(f"  {node.voices}", "text.soft", pixels=CAPTION_PIXELS))
    if node.review:
        parts.append(Part(f"  {node.review}", "proposal" if node.due else "text.soft",
                          pixels=CAPTION_PIXELS))
    return [*parts, *_held(node, "  ")]


def _held(node: Node, between: str) -> list[Part]:
    return [Part(between + node.held, "proposal", pixels=CAPTION_PIXELS)] if node.held else []


def _of_voice(node: Node, voice: Assertion, words: str) -> list[Part]:
    """What is said, and who says it: denied in rose, doubted in amber."""
    state = f"  {voice.status}" if node.gone else ""
    tone = "text.soft" if node.gone else VOICE_TONES.get(voice.predicate, "text.soft")
    return [Part(words, "text.soft" if node.gone else "text"),
            Part(f"\u2028{node.label}{state}", tone, pixels=CAPTION_PIXELS)]
