"""Small widgets that show one fact: a meter, a type's sign."""

from PySide6.QtCore import QRectF, QSize
from PySide6.QtGui import QPainter, QPaintEvent
from PySide6.QtWidgets import QSizePolicy, QWidget

from ui.theme import Theme
from ui.widgets.glyph_paths import draw_diamond, draw_glyph, draw_meter, draw_star
from ui.widgets.labels import set_tip

METER_WIDTH = 52


class Meter(QWidget):
    """A number between 0 and 1 as a thin bar; the number is shown on hover."""

    def __init__(
        self,
        theme: Theme,
        value: float = 0.0,
        what: str = "",
        *,
        token: str = "accent",
    ) -> None:
        super().__init__()
        self._theme, self._token, self._what, self.value = theme, token, what, value
        self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)
        theme.changed.connect(self.update)
        self.set_value(value)

    def set_value(self, value: float) -> None:
        self.value = value
        text = f"{self._what} {value:.2f}".strip()
        self.setAccessibleName(text)
        set_tip(self, text)
        self.update()

    def sizeHint(self) -> QSize:  # noqa: N802
        return QSize(METER_WIDTH, max(16, self.fontMetrics().height()))

    def paintEvent(self, _event: QPaintEvent) -> None:  # noqa: N802
        painter = QPainter(self)
        bar = QRectF(0, 0, METER_WIDTH, self.height())
        draw_meter(painter, bar, self._theme, self.value, self._token)


class TypeGlyph(QWidget):
    """The sign of an entity type; the constraint's diamond, the star for `constraint`, `pin`."""

    def __init__(self, theme: Theme, entity_type: str = "", parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self._type = entity_type
        self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)
        theme.changed.connect(self.update)
        self.set_type(entity_type)

    def set_type(self, entity_type: str) -> None:
        self._type = entity_type
        self.setAccessibleName(entity_type)
        set_tip(self, entity_type)
        self.update()

    def sizeHint(self) -> QSize:  # noqa: N802
        return QSize(11, 16)

    def paintEvent(self, _event: QPaintEvent) -> None:  # noqa: N802
        painter = QPainter(self)
        rect = QRectF(self.rect())
        if self._type == "constraint":
            draw_diamond(painter, rect, self._theme.color("constraint"))
        elif self._type == "pin":
            draw_star(painter, rect, self._theme.color("pin"))
        else:
            draw_glyph(painter, rect, self._theme, self._type)
