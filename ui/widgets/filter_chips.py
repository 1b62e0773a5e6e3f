"""Chips to filter by, in rows."""

from collections.abc import Callable, Sequence

from PySide6.QtCore import QEvent, QSize, Signal
from PySide6.QtGui import QAction, QIcon, QResizeEvent
from PySide6.QtWidgets import QMenu, QPushButton, QSizePolicy, QWidget

from core.model.text_formatting import one_line
from ui.widgets.buttons import on_click
from ui.widgets.labels import set_tip

GAP = 5
HEIGHT = 24
"""Of a row."""
CHIP_HEIGHT = 20
SIGN = QSize(14, 11)
MORE = "…"

Sign = Callable[[str], QIcon]
"""The glyph of the thing that a chip stands for, in its colour."""


class ChipRow(QWidget):
    """Chips of which any number may be chosen; none chosen means all.

    The first chip, `all`, takes every choice back. What does not fit into the rows is in the menu
    of the last chip, `…`, which is lit while something in it is chosen. `extras` are actions that
    stand in that menu after a line.

    Args:
        every: the words of the first chip.
        sign: what stands before a chip's words.
        rows: the most rows that the chips take.
    """

    chosen = Signal(tuple)

    def __init__(
        self, every: str = "all", parent: QWidget | None = None, *, sign: Sign | None = None,
        rows: int = 3,
    ) -> None:
        super().__init__(parent)
        self._sign, self._rows = sign, rows
        self._chips: dict[str, QPushButton] = {}
        self._words: tuple[tuple[str, str], ...] = ()
        self._every = every
        self._more = chip_button(MORE, self, checkable=True)
        self._more.setAccessibleName("More filters")
        self._menu = QMenu(self._more)
        self._menu.aboutToShow.connect(self._fill_menu)
        self._more.setMenu(self._menu)
        self._hidden: list[str] = []
        self._extras: tuple[QAction, ...] = ()
        self.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Fixed)
        self.set_chips(())

    @property
    def keys(self) -> tuple[str, ...]:
        """What is chosen; empty for all."""
        return tuple(key for key, chip in self._chips.items() if key and chip.isChecked())

    def set_rows(self, rows: int) -> None:
        """Take at most this many rows."""
        self._rows = rows
        self._arrange()

    def set_chips(self, chips: Sequence[tuple[str, str]], tips: Sequence[str] = ()) -> None:
        """Show a chip for each (key, text), most useful first, and keep what was chosen."""
        if tuple(chips) == self._words and self._chips:
            return
        before = set(self.keys)
        same = [key for key, _ in chips] == [key for key, _ in self._words]
        self._words = tuple(chips)
        if same and self._chips:
            # A chip under the mouse stays the same chip while its number changes.
            for at, (key, text) in enumerate(chips):
                self._chips[key].setText(one_line(text, 40).replace("&", "&&"))
                set_tip(self._chips[key], tips[at] if at < len(tips) else "")
            self._arrange()
            return
        for chip in self._chips.values():
            chip.hide()
            chip.deleteLater()
        self._chips = {}
        for at, (key, text) in enumerate([("", self._every), *chips]):
            chip = self._chips[key] = chip_button(
                one_line(text, 40).replace("&", "&&"), self, checkable=True)
            chip.setChecked(key in before)
            on_click(chip, self._clicked, key)
            set_tip(chip, tips[at - 1] if 0 < at <= len(tips) else "")
        self.retint()

    def choose(self, *keys: str) -> None:
        """Choose exactly these."""
        for key, chip in self._chips.items():
            chip.setChecked(key in keys)
        self._mark()
        self._arrange()
        self.chosen.emit(self.keys)

    def retint(self) -> None:
        """Draw the glyphs again, in the colours of now."""
        for key, chip in self._chips.items():
            if key and self._sign is not None:
                chip.setIcon(self._sign(key))
                chip.setIconSize(SIGN)
        self._arrange()

    def set_every(self, text: str) -> None:
        """Change the words of the first chip, which stands for all."""
        self._every = text
        self._chips[""].setText(text)
        self._arrange()

    def set_extras(self, actions: Sequence[QAction]) -> None:
        """Actions for the menu of the last chip, which is then always there."""
        self._extras = tuple(actions)
        for action in actions:
            action.toggled.connect(self._mark)
        self._arrange()

    def sizeHint(self) -> QSize:  # noqa: N802
        width = sum(chip.sizeHint().width() + GAP for chip in self._chips.values())
        return QSize(width, self.height())

    def minimumSizeHint(self) -> QSize:  # noqa: N802
        return QSize(60, HEIGHT)

    def resizeEvent(self, event: QResizeEvent) -> None:  # noqa: N802
        super().resizeEvent(event)
        self._arrange()

    def changeEvent(self, event: QEvent) -> None:  # noqa: N802
        super().changeEvent(event)
        if event.type() in (QEvent.Type.StyleChange, QEvent.Type.FontChange):
            self._arrange()

    def _arrange(self) -> None:
        """Put the chips side by side in rows; what does not fit into the last one is hidden."""
        shown, more_at = self._places()
        self._hidden = [key for key in self._chips if key not in shown]
        for key, chip in self._chips.items():
            chip.setVisible(key in shown)
            if key in shown:
                _place(chip, *shown[key], self.width())
        needed = bool(self._hidden or self._extras)
        self._more.setVisible(needed)
        _place(self._more, *more_at, self.width())
        rows = 1 + max(row for _, row in [*shown.values(), *([more_at] if needed else ())])
        self.setFixedHeight(rows * HEIGHT)
        self._mark()

    def _places(self) -> tuple[dict[str, tuple[int, int]], tuple[int, int]]:
        """The left edge and the row of each chip that fits, and of the last one."""
        more = self._more.sizeHint().width()
        widths = {key: chip.sizeHint().width() for key, chip in self._chips.items()}
        extra = [more] if self._extras else []
        places = _flow([*widths.values(), *extra], self.width())
        count = len(widths)
        if places[-1][1] >= self._rows:
            count = sum(row < self._rows for _, row in places[:count])
            while (places := _flow([*list(widths.values())[:count], more], self.width())
                   )[-1][1] >= self._rows and count > 1:
                count -= 1
        return dict(zip(list(widths)[:count], places, strict=False)), places[-1]

    def _fill_menu(self) -> None:
        self._menu.clear()
        for key, text in self._words:
            if key in self._hidden:
                action = self._menu.addAction(one_line(text, 60).replace("&", "&&"))
                action.setIcon(self._chips[key].icon())
                action.setCheckable(True)
                action.setChecked(self._chips[key].isChecked())
                on_click(action, self._toggle, key)
        if self._extras:
            self._menu.addSeparator()
            self._menu.addActions(list(self._extras))

    def _toggle(self, key: str) -> None:
        self._chips[key].toggle()
        self._clicked(key)

    def _clicked(self, key: str) -> None:
        if not key:
            for chip in self._chips.values():
                chip.setChecked(False)
        self._mark()
        self.chosen.emit(self.keys)

    def _mark(self, *_: object) -> None:
        keys = self.keys
        if self._chips:
            self._chips[""].setChecked(not keys)
        self._more.setChecked(any(key in self._hidden for key in keys)
                              or any(action.isChecked() for action in self._extras))


def _flow(widths: Sequence[int], room: int) -> list[tuple[int, int]]:
    """The left edge and the row of things of these widths, side by side within `room`."""
    places: list[tuple[int, int]] = []
    x = row = 0
    for width in widths:
        if x and x + width > room:
            x, row = 0, row + 1
        places.append((x, row))
        x += width + GAP
    return places


def _place(chip: QPushButton, x: int, row: int, room: int) -> None:
    width = min(chip.sizeHint().width(), max(room - x, 0))
    chip.setGeometry(x, row * HEIGHT + (HEIGHT - CHIP_HEIGHT) // 2, width, CHIP_HEIGHT)


def chip_button(
    text: str = "", parent: QWidget | None = None, *, checkable: bool = False
) -> QPushButton:
    """A small rounded button."""
    chip = QPushButton(text, parent)
    chip.setCheckable(checkable)
    chip.setProperty("role", "chip")
    chip.setAutoDefault(False)
    return chip
