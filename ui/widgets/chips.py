"""A row of chips to filter by."""

from collections.abc import Sequence
from functools import partial

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QPushButton, QWidget

from ui.widgets.flow import FlowLayout
from ui.widgets.labels import one_line, set_tip


class ChipRow(QWidget):
    """Chips of which any number may be chosen; none chosen means all.

    The first chip, `all`, takes every choice back.
    """

    chosen = Signal(tuple)

    def __init__(self, every: str = "all", parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._every = every
        self._chips: dict[str, QPushButton] = {}
        self._words: tuple[tuple[str, str], ...] = ()
        self._flow = FlowLayout(self, spacing=5)
        self.set_chips(())

    @property
    def keys(self) -> tuple[str, ...]:
        """What is chosen; empty for all."""
        return tuple(key for key, chip in self._chips.items() if key and chip.isChecked())

    def set_chips(self, chips: Sequence[tuple[str, str]], tips: Sequence[str] = ()) -> None:
        """Show a chip for each (key, text) and keep what was chosen."""
        if tuple(chips) == self._words and self._chips:
            return
        before = set(self.keys)
        self._words = tuple(chips)
        self._flow.clear()
        self._chips = {}
        self._add("", self._every)
        for at, (key, text) in enumerate(chips):
            chip = self._add(key, text)
            chip.setChecked(key in before)
            set_tip(chip, tips[at] if at < len(tips) else "")
        self._mark_every()

    def choose(self, *keys: str) -> None:
        """Choose exactly these."""
        for key, chip in self._chips.items():
            chip.setChecked(key in keys)
        self._mark_every()
        self.chosen.emit(self.keys)

    def _add(self, key: str, text: str) -> QPushButton:
        chip = QPushButton(one_line(text, 40).replace("&", "&&"), self)
        chip.setCheckable(True)
        chip.setProperty("role", "chip")
        chip.setAutoDefault(False)
        chip.clicked.connect(partial(self._clicked, key))
        self._chips[key] = chip
        self._flow.addWidget(chip)
        chip.show()
        return chip

    def _clicked(self, key: str, _checked: bool = False) -> None:
        if not key:
            for chip in self._chips.values():
                chip.setChecked(False)
        self._mark_every()
        self.chosen.emit(self.keys)

    def _mark_every(self) -> None:
        self._chips[""].setChecked(not self.keys)
