"""The entities that a walk starts from, each with its reason."""

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QPushButton

from core.model.text_formatting import one_line
from core.model.walk import Focal, FocalEntity
from ui.models.walk_wording import reason_words
from ui.theme import Theme
from ui.widgets.labels import ElidedLabel, label, set_tip
from ui.widgets.layouts import row_layout
from ui.widgets.lines_of_text import shrinking
from ui.widgets.meter_and_type_glyph import TypeGlyph
from ui.widgets.scroll_column import VerticalScrollArea

MOST_SHOWN = 40
NOTHING_ASKED = ("Nothing yet. Choose a folder, a question or an entity, or pin what should "
                 "always be included.")
NOTHING_MEANT = "No focal entity: memories are chosen by importance, age and meaning."


class FocalRow(QPushButton):
    """One of them; a click selects it. The same row shows another one later."""

    chosen = Signal(str)

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self._entity: FocalEntity | None = None
        self.setProperty("kind", "row")
        self.setAutoDefault(False)
        self.setFixedHeight(22)
        self.setCursor(Qt.CursorShape.PointingHandCursor)
        self.sign, self.name = TypeGlyph(theme), shrinking("", "")
        self.reason = ElidedLabel(role="soft")
        line = row_layout(self, (3, 0, 3, 0), 7)
        for part in (self.sign, self.name, self.reason):
            part.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
            line.addWidget(part, int(part is self.reason))
        self.clicked.connect(lambda: self.chosen.emit(self._entity.id if self._entity else ""))

    def show_entity(self, entity: FocalEntity) -> None:
        """Show this one from now on."""
        if entity == self._entity:
            return
        self._entity = entity
        name, reason = entity.name or "an entity of another agent", reason_words(entity)
        self.sign.set_type("pin" if entity.reason == "pinned" else entity.entity_type)
        self.name.setText(name)
        self.reason.setText(reason)
        self.setAccessibleName(f"{one_line(name)}, {reason}")
        set_tip(self, f"{one_line(name)}: {reason}")


class FocalList(VerticalScrollArea):
    """All of them."""

    chosen = Signal(str)

    def __init__(self, theme: Theme) -> None:
        super().__init__("Focal entities")
        self._theme = theme
        self._made: list[FocalRow] = []
        self._count = 0
        self.more, self.nothing = label(role="soft"), label(role="soft", wrap=True)
        self._column = self.hold((11, 0, 10, 4))
        for at, part in enumerate((self.more, self.nothing)):
            self._column.insertWidget(at, part)

    @property
    def lines(self) -> list[FocalRow]:
        """The rows that are shown, from the top."""
        return self._made[:self._count]

    def show_focal(self, focal: Focal, *, asked: bool) -> None:
        """Show them; `asked` is True if there is any signal."""
        shown = focal.entities[:MOST_SHOWN]
        self._count = len(shown)
        while len(self._made) < len(shown):
            row = FocalRow(self._theme)
            row.chosen.connect(self.chosen)
            self._column.insertWidget(len(self._made), row)
            self._made.append(row)
        for row, entity in zip(self._made, shown, strict=False):
            row.show_entity(entity)
        for at, row in enumerate(self._made):
            row.setVisible(at < len(shown))
        more = len(focal.entities) - len(shown)
        self.more.setText(f"and {more} more")
        self.more.setVisible(more > 0)
        self.nothing.setText(NOTHING_MEANT if asked else NOTHING_ASKED)
        self.nothing.setVisible(not shown)
