"""The bar over everything: brand, menus, search, agent, undo and redo, palette."""


from PySide6.QtCore import QSize, Qt, Signal
from PySide6.QtGui import QAction, QIcon, QKeyEvent, QPainter, QPaintEvent, QResizeEvent
from PySide6.QtWidgets import (
    QLineEdit,
    QMenu,
    QMenuBar,
    QSizePolicy,
    QStyle,
    QStyleOption,
    QToolButton,
    QWidget,
)

from core.model.entity import Agent
from core.model.text_formatting import one_line
from core.queries.search_syntax import SYNTAX
from ui.theme import Theme, icon
from ui.widgets.buttons import on_click
from ui.widgets.labels import KeyCap, label, set_tip, tip
from ui.widgets.layouts import put, row_layout

HEIGHT = 40
HELP = "\n".join((
    "Words in names, aliases and facts, each in any of them, also mistyped. Beside words:",
    *(f"{sign}  –  {meaning}" for sign, meaning in SYNTAX)))
HINTS = "Search names and facts", "Search names", "Search"
"""The first that has room beside the key is shown."""
SEARCH_WIDTHS = 140, 360
"""In a narrow window the search field gives way, not the menus."""


class SearchField(QLineEdit):
    """Searches names and facts; shows its key while it is empty, a cross while it is not."""

    escaped = Signal()
    """Escape: what is searched is cleared, or the keyboard goes on."""
    went_down = Signal()
    """Down: into the list of what was found."""
    entered = Signal()
    """Enter: to the first that was found."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setPlaceholderText(HINTS[0])
        self.setAccessibleName("Search names and facts")
        self.setAccessibleDescription(HELP)
        set_tip(self, HELP)
        self.setMaxLength(400)
        self.cross = self.addAction(QIcon(), QLineEdit.ActionPosition.TrailingPosition)
        self.cross.setToolTip(tip("Clear the search (Esc)"))
        self.cross.setVisible(False)
        self.cross.triggered.connect(self.clear)
        self._cap = KeyCap("/", self)
        self._cap.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        self.textChanged.connect(self._show_cap)

    def resizeEvent(self, event: QResizeEvent) -> None:  # noqa: N802
        super().resizeEvent(event)
        size = self._cap.sizeHint()
        self._cap.setGeometry(
            self.width() - size.width() - 8, (self.height() - size.height()) // 2,
            size.width(), size.height(),
        )
        room = self._cap.x() - 20
        self.setPlaceholderText(next((hint for hint in HINTS if self.fontMetrics()
                                      .horizontalAdvance(hint) <= room), HINTS[-1]))

    def keyPressEvent(self, event: QKeyEvent) -> None:  # noqa: N802
        if event.key() == Qt.Key.Key_Escape:
            self.escaped.emit()
        elif event.key() == Qt.Key.Key_Down:
            self.went_down.emit()
        elif event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            if self.text().strip():
                self.entered.emit()
        else:
            super().keyPressEvent(event)

    def _show_cap(self, text: str) -> None:
        self._cap.setVisible(not text)
        self.cross.setVisible(bool(text))


class AgentButton(QToolButton):
    """Whose memory is shown, and the way to another one's."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setProperty("role", "agent")
        self.setPopupMode(QToolButton.ToolButtonPopupMode.InstantPopup)
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self._lead = label("agent", "soft")
        self._name = label("", "strong")
        self._arrow = label("▾", "soft")
        row = self._row = row_layout(self, (8, 0, 8, 0), 5)
        for part in (self._lead, self._name, self._arrow):
            part.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
            row.addWidget(part)

    def set_agent(self, name: str) -> None:
        self._name.setText(one_line(name, 24))
        self.setAccessibleName(f"Agent {name}")
        set_tip(self, f"Shown: the memory of {name}")
        self.updateGeometry()

    @property
    def full_lead_width(self) -> int:
        """Pixels that the word before the name takes."""
        return self._lead.sizeHint().width() + self._row.spacing()

    @property
    def lead_width(self) -> int:
        """Pixels that it takes now."""
        return 0 if self._lead.isHidden() or self.isHidden() else self.full_lead_width

    def show_lead(self, shown: bool) -> None:
        """Show the word before the name, or only the name where there is little room."""
        self._lead.setVisible(shown)
        self.updateGeometry()

    def sizeHint(self) -> QSize:  # noqa: N802
        return QSize(self._row.sizeHint().width(), 28)


class TopBar(QWidget):
    """Lives in the place of the menu bar, so that menus stay real menus on every system."""

    agent_chosen = Signal(str)

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("TopBar")
        self.setFixedHeight(HEIGHT)
        self.menus = QMenuBar(self)
        self.menus.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Preferred)
        self.search = SearchField(self)
        self.search.setMinimumWidth(SEARCH_WIDTHS[0])
        self.search.setMaximumWidth(SEARCH_WIDTHS[1])
        self.agent = AgentButton(self)
        self._tools: list[QToolButton] = []
        self.brand = label("Constellation", "brand")
        self._row = put(
            row_layout(self, (0, 0, 12, 0), 2), self.brand,
            (self.menus, 0, Qt.AlignmentFlag.AlignVCenter), 20, (self.search, 1000), None,
            self.agent, 8)
        self.search.cross.setIcon(icon(theme, "close"))

    def add_tool(self, action: QAction) -> QToolButton:
        """A small button for a catalogue action, with its key in the tooltip."""
        button = QToolButton(self)
        button.setDefaultAction(action)
        button.setToolButtonStyle(Qt.ToolButtonStyle.ToolButtonIconOnly)
        button.setIconSize(QSize(16, 16))
        button.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self._tools.append(button)
        self._row.addWidget(button)
        return button

    def minimumSizeHint(self) -> QSize:  # noqa: N802
        """The name of the program and the word before the agent need not be there."""
        return QSize(self._least_width(), HEIGHT)

    def resizeEvent(self, event: QResizeEvent) -> None:  # noqa: N802
        super().resizeEvent(event)
        self._fit()

    def _least_width(self) -> int:
        names = self.menus.sizeHint().width()
        if self.menus.minimumWidth() != names:
            self.menus.setMinimumWidth(names)
        brand = 0 if self.brand.isHidden() else self.brand.sizeHint().width() + self._row.spacing()
        return self._row.minimumSize().width() - brand - self.agent.lead_width

    def _fit(self) -> None:
        """Menus stay whole: where room is short, the program's name and the word agent go."""
        spare = self.width() - self._least_width()
        self.agent.show_lead(spare >= self.agent.full_lead_width)
        self.brand.setVisible(
            spare >= self.agent.full_lead_width + self.brand.sizeHint().width())

    def set_open(self, is_open: bool) -> None:
        """Search, agent and undo are of use only while a graph is open."""
        self.search.setVisible(is_open)
        self.agent.setVisible(is_open)
        for button in self._tools:
            button.setVisible(is_open)
        self._fit()

    def set_agents(self, agents: list[Agent], current: str) -> None:
        """The menu of agents."""
        old = self.agent.menu()
        menu = QMenu(self.agent)
        for agent in agents:
            words = f"{agent.name} · {agent.entities:,}"
            action = menu.addAction(one_line(words, 60).replace("&", "&&"))
            action.setCheckable(True)
            action.setChecked(agent.id == current)
            on_click(action, self.agent_chosen.emit, agent.id)
        self.agent.setMenu(menu)
        if old is not None:
            old.deleteLater()
    def paintEvent(self, _event: QPaintEvent) -> None:  # noqa: N802
        # A plain QWidget draws its stylesheet background only if it is asked to.
        option = QStyleOption()
        option.initFrom(self)
        painter = QPainter(self)
        self.style().drawPrimitive(QStyle.PrimitiveElement.PE_Widget, option, painter, self)
