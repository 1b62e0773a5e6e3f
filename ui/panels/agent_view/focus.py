"""The entities that a walk starts from, each with its reason."""

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QHBoxLayout, QPushButton

from core.model.walk import Focal, FocalEntity
from ui.models.walk_words import reason_words
from ui.theme import Theme
from ui.widgets.column import Column, shrinking
from ui.widgets.labels import ElidedLabel, label, one_line
from ui.widgets.marks import TypeSign

MOST_SHOWN = 40
NOTHING_ASKED = ("Nothing yet. Give a folder, a question or an entity, or pin what should always "
                 "be in mind.")
NOTHING_MEANT = "No entity is meant by this: memories come by importance, age and meaning alone."


class FocalRow(QPushButton):
    """One of them; a click selects it."""

    def __init__(self, theme: Theme, entity: FocalEntity) -> None:
        super().__init__()
        self.setProperty("kind", "row")
        self.setAutoDefault(False)
        self.setFixedHeight(24)
        self.setCursor(Qt.CursorShape.PointingHandCursor)
        self.setAccessibleName(f"{one_line(entity.name)}, {reason_words(entity)}")
        line = QHBoxLayout(self)
        line.setContentsMargins(3, 0, 3, 0)
        line.setSpacing(7)
        pinned = entity.reason == "pinned"
        parts = (TypeSign(theme, "pin" if pinned else entity.entity_type),
                 shrinking(entity.name or "an entity of another agent", ""),
                 ElidedLabel(reason_words(entity), "soft"))
        for part in parts:
            part.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
            line.addWidget(part, int(part is parts[-1]))


class FocusList(Column):
    """All of them."""

    chosen = Signal(str)

    def __init__(self, theme: Theme) -> None:
        super().__init__("In focus", margins=(11, 0, 10, 4))
        self._theme = theme
        self._shown: Focal | None = None

    @property
    def lines(self) -> list[FocalRow]:
        """The rows, from the top."""
        inside = self.widget()
        return inside.findChildren(FocalRow) if inside is not None else []

    def show_focal(self, focal: Focal, *, asked: bool) -> None:
        """Show them; `asked` is whether anything was asked at all."""
        if self._shown is not None and focal.entities == self._shown.entities != ():
            return
        self._shown = focal
        with self.filling() as column:
            column.setSpacing(0)
            for entity in focal.entities[:MOST_SHOWN]:
                row = FocalRow(self._theme, entity)
                row.clicked.connect(lambda _=False, id=entity.id: self.chosen.emit(id))
                column.addWidget(row)
            more = len(focal.entities) - MOST_SHOWN
            if more > 0:
                column.addWidget(label(f"and {more} more", "soft"))
            if not focal.entities:
                column.addWidget(label(NOTHING_MEANT if asked else NOTHING_ASKED, "soft",
                                       wrap=True))
