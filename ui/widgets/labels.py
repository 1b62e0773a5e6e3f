"""Labels that show text from the graph as plain text, whatever is in it."""

import html
import re

from PySide6.QtCore import QSize, Qt
from PySide6.QtGui import (
    QFontMetrics,
    QPainter,
    QPaintEvent,
    QResizeEvent,
    QTextDocument,
    QTextOption,
)
from PySide6.QtWidgets import QLabel, QSizePolicy, QStyle, QStyleOption, QWidget

from core.model.text_formatting import clip, one_line, unturned

SHOWN_CHARACTERS = 4000
TIP_CHARACTERS = 600
LEAST = 36
"""Pixels below which a text that ends in an ellipsis says nothing."""
LONG_WORD, PIECE = re.compile(r"\S{24,}"), 8
"""A word that may be longer than a line, and after how many characters it may be broken."""
TAG = re.compile(r"<[^>]*>")
SELECTABLE = Qt.TextInteractionFlag.TextSelectableByMouse
ANYWHERE = QTextOption.WrapMode.WrapAtWordBoundaryOrAnywhere
FIRST_STRONG, POP = "\u2068", "\u2069"


def isolate(text: str) -> str:
    """A name inside a sentence of ours, so that right-to-left text keeps to its own place."""
    return f"{FIRST_STRONG}{unturned(text)}{POP}"


def tip(text: str) -> str:
    """The words of a tooltip, so that they are never taken for markup and wrap by themselves."""
    escaped = html.escape(clip(unturned(text), TIP_CHARACTERS)).replace("\n", "<br>")
    return f"<qt>{escaped}</qt>" if text else ""


def set_tip(widget: QWidget, text: str) -> None:
    """A plain tooltip."""
    widget.setToolTip(tip(text))


class PlainLabel(QLabel):
    """A label that takes nothing in its text for markup, nor turns it round."""

    def __init__(self) -> None:
        super().__init__()
        self.setTextFormat(Qt.TextFormat.PlainText)

    def setText(self, text: str) -> None:  # noqa: N802
        super().setText(unturned(text))


class WrappingLabel(PlainLabel):
    """Plain words on several lines; one that is longer than a line is broken anywhere.

    Qt's own label would cut it. Where its text can be copied nothing may be put into it, so the
    document that Qt lays it out with is told to break; Qt tells it the opposite after each change
    of size, font or text.
    """

    def __init__(self) -> None:
        super().__init__()
        self.setWordWrap(True)
        self._breaks = False

    def setText(self, text: str) -> None:  # noqa: N802
        text = unturned(text)
        rich = self.textFormat() == Qt.TextFormat.RichText
        self._breaks = bool(LONG_WORD.search(TAG.sub("", text) if rich else text))
        policy = self.sizePolicy()
        # As wide as there is room, however long the word is.
        policy.setHorizontalPolicy(QSizePolicy.Policy.Ignored if self._breaks
                                   else QSizePolicy.Policy.Preferred)
        self.setSizePolicy(policy)
        copied = rich or self.textInteractionFlags() & SELECTABLE
        super().setText(text if copied else LONG_WORD.sub(_breakable, text))

    def heightForWidth(self, width: int) -> int:  # noqa: N802
        height = super().heightForWidth(width)
        return super().heightForWidth(width) if self._break_words() else height

    def paintEvent(self, event: QPaintEvent) -> None:  # noqa: N802
        if self._breaks:
            super().heightForWidth(self.width())  # Lays it out, which painting would do.
            self._break_words()
        super().paintEvent(event)

    def _break_words(self) -> bool:
        """Have words broken; False where they are, or none is so long."""
        document = self.findChild(QTextDocument) if self._breaks else None
        option = document.defaultTextOption() if document is not None else QTextOption()
        if document is None or option.wrapMode() == ANYWHERE:
            return False
        option.setWrapMode(ANYWHERE)
        document.setDefaultTextOption(option)
        return True


def _breakable(word: re.Match[str]) -> str:
    """The word with places to break it that take no room."""
    return "\u200b".join(word[0][at:at + PIECE] for at in range(0, len(word[0]), PIECE))


def label(
    text: str = "", role: str = "", *, wrap: bool = False, selectable: bool = False
) -> QLabel:
    """A plain label in one of the stylesheet's roles (`caption`, `soft`, `head`, `name` …)."""
    made = WrappingLabel() if wrap else PlainLabel()
    if selectable:
        made.setTextInteractionFlags(
            Qt.TextInteractionFlag.TextSelectableByMouse
            | Qt.TextInteractionFlag.TextSelectableByKeyboard
        )
    made.setText(clip(text, SHOWN_CHARACTERS))
    made.setIndent(0)
    if role:
        made.setProperty("role", role)
    return made


def set_role(widget: QWidget, **properties: str) -> None:
    """Change what the stylesheet looks at, and have it look again."""
    for name, value in properties.items():
        widget.setProperty(name, value)
    widget.style().unpolish(widget)
    widget.style().polish(widget)
    widget.update()


class ElidedLabel(QLabel):
    """One line that ends in an ellipsis where it does not fit; the whole text is its tooltip."""

    def __init__(
        self,
        text: str = "",
        role: str = "",
        *,
        mode: Qt.TextElideMode = Qt.TextElideMode.ElideRight,
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(parent)
        self.setTextFormat(Qt.TextFormat.PlainText)
        self.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Fixed)
        if role:
            self.setProperty("role", role)
        self._mode = mode
        self._more = ""
        self.setText(text)

    def set_more(self, text: str) -> None:
        """Words for the tooltip, below the whole text where that is cut."""
        self._more = text
        self._tell()

    def setText(self, text: str) -> None:  # noqa: N802
        super().setText(one_line(text))
        self.setAccessibleName(one_line(text))
        self._tell()

    def minimumSizeHint(self) -> QSize:  # noqa: N802
        return QSize(min(LEAST, self.sizeHint().width()), super().minimumSizeHint().height())

    def sizeHint(self) -> QSize:  # noqa: N802
        metrics = QFontMetrics(self.font())
        margins = self.contentsMargins()
        width = metrics.horizontalAdvance(self.text()) + margins.left() + margins.right() + 2
        return QSize(width, super().sizeHint().height())

    def resizeEvent(self, event: QResizeEvent) -> None:  # noqa: N802
        super().resizeEvent(event)
        self._tell()

    def paintEvent(self, _event: QPaintEvent) -> None:  # noqa: N802
        painter = QPainter(self)
        option = QStyleOption()
        option.initFrom(self)
        self.style().drawPrimitive(QStyle.PrimitiveElement.PE_Widget, option, painter, self)
        shown = self.fontMetrics().elidedText(
            self.text(), self._mode, self.contentsRect().width()
        )
        painter.setPen(option.palette.color(self.foregroundRole()))
        painter.drawText(self.contentsRect(), int(self.alignment()), shown)

    def _tell(self) -> None:
        cut = self.fontMetrics().horizontalAdvance(self.text()) > self.contentsRect().width()
        set_tip(self, "\n".join(part for part in (self.text() if cut else "", self._more) if part))


class SectionHead(QLabel):
    """A small head over a part of a panel."""

    def __init__(self, text: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setTextFormat(Qt.TextFormat.PlainText)
        self.setText(text)
        self.setProperty("role", "section")
        self.setIndent(0)
        self.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Fixed)


class KeyCap(QLabel):
    """A key as it is printed on a keyboard."""

    def __init__(self, key: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setTextFormat(Qt.TextFormat.PlainText)
        self.setText(key)
        self.setProperty("role", "keycap")
        self.setAlignment(Qt.AlignmentFlag.AlignCenter)
        self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)


class Badge(QLabel):
    """A short word or number in a pill; `tone` is `""`, proposal, good, bad, accent, pin."""

    def __init__(self, text: str = "", tone: str = "", parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setTextFormat(Qt.TextFormat.PlainText)
        self.setProperty("role", "badge")
        self.setProperty("tone", tone)
        self.setAlignment(Qt.AlignmentFlag.AlignCenter)
        self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)
        self.setText(text)

    def set_badge(self, text: str, tone: str = "") -> None:
        self.setText(text)
        if self.property("tone") != tone:
            set_role(self, tone=tone)
