"""Buttons that look like links."""

from collections.abc import Callable

from PySide6.QtCore import QSize, Qt
from PySide6.QtGui import QPaintEvent, QResizeEvent
from PySide6.QtWidgets import QPushButton, QStyle, QStyleOptionButton, QStylePainter

from ui.widgets.buttons import on_click
from ui.widgets.labels import LEAST, set_tip


class LinkButton(QPushButton):
    """Words that are cut at their end only, never at both; all of them are then its tooltip."""

    _is_cut = False

    def minimumSizeHint(self) -> QSize:  # noqa: N802
        hint = super().minimumSizeHint()
        return QSize(min(LEAST, hint.width()), hint.height())

    def resizeEvent(self, event: QResizeEvent) -> None:  # noqa: N802
        super().resizeEvent(event)
        is_cut = self.width() < self.sizeHint().width()
        if is_cut != self._is_cut:
            self._is_cut = is_cut
            set_tip(self, self.text().replace("&&", "&") if is_cut else "")

    def paintEvent(self, _event: QPaintEvent) -> None:  # noqa: N802
        option = QStyleOptionButton()
        self.initStyleOption(option)
        room = self.style().subElementRect(
            QStyle.SubElement.SE_PushButtonContents, option, self).width()
        option.text = self.fontMetrics().elidedText(
            option.text, Qt.TextElideMode.ElideRight, room, Qt.TextFlag.TextShowMnemonic.value)
        QStylePainter(self).drawControl(QStyle.ControlElement.CE_PushButton, option)


def link_button(words: str, act: Callable[[], object]) -> QPushButton:
    """A button that looks like a link; it ends in an ellipsis where it does not fit."""
    button = LinkButton(words)
    button.setProperty("kind", "link")
    button.setAutoDefault(False)
    on_click(button, act)
    button.setCursor(Qt.CursorShape.PointingHandCursor)
    return button
