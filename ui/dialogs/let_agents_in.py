"""Lets agents in: opens and closes the doors, says how clients come in, and who is there."""

from collections.abc import Callable
from functools import partial

from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QButtonGroup, QLineEdit, QPushButton, QWidget

from core.errors import ConstellationError
from core.model.text_formatting import one_line
from ui.context import Context
from ui.mcp_and_http_doors import Doors
from ui.models.asked_wording import visit_lines
from ui.models.client_setups import client_setups
from ui.preferences import Preferences
from ui.theme import fixed_font
from ui.widgets.buttons import on_click, push_button
from ui.widgets.dialogs import Dialog, read_only_text
from ui.widgets.filter_chips import chip_button
from ui.widgets.flow_layout import FlowLayout
from ui.widgets.labels import SectionHead, label
from ui.widgets.layouts import column_layout, put, row_layout
from ui.widgets.scroll_column import scrolling
from ui.widgets.tick_box import TickBox

WIDTH, HEIGHT, TEXT_HEIGHT = 640, 740, 150
WHAT = ("Agents on this machine can use this graph as their memory while they are let in: they "
        "remember, ask and propose. What deletes something or steers them waits for you "
        "in Proposals.")
TOKENS = ("A program sends a token to be let in. Each is shown only once; “constellation token” "
          "lists and revokes them.")


class LetAgentsIn(Dialog):
    """Beside it the window can be used; closing it leaves the doors as they are."""

    def __init__(self, context: Context, doors: Doors, parent: QWidget | None = None) -> None:
        super().__init__("Let agents in", parent)
        self._context, self._doors = context, doors
        self._setup = ""
        self.state = label(wrap=True)
        self.toggle = push_button("Let agents in", doors.toggle, "primary", default=True)
        self.clients = QWidget()
        self._flow = FlowLayout(self.clients, spacing=5)
        self._group = QButtonGroup(self)
        self.chips: dict[str, QPushButton] = {}
        self.setup = read_only_text("What to paste into the client")
        self.address, self.token = _line("The address for programs"), _line("The new token")
        self.recall = push_button("New token: recall", partial(self._make_token, "recall"))
        self.modify = push_button("New token: modify", partial(self._make_token, "modify"))
        self.there = label(role="soft", wrap=True)
        preferences = context.preferences
        self.lights = _tick("Light up in the sky what agents ask", preferences, "asked_lights")
        self.notices = _tick("Notify me when something waits for me", preferences,
                             "waiting_notices")
        self._lay_out()
        doors.changed.connect(self._show)
        self._show()
        self.toggle.setFocus()

    def _lay_out(self) -> None:
        self.setup.setFixedHeight(TEXT_HEIGHT)
        copy = push_button("Copy", partial(_copy, self.setup.toPlainText))
        self.copy_address = push_button("Copy", partial(_copy, self.address.text))
        self.copy_token = push_button("Copy", partial(_copy, self.token.text))
        self.address.setPlaceholderText("The address, while agents are let in")
        self.token.setPlaceholderText("A token, once")
        name = one_line(self._context.workspace.path.name, 60)
        inside = QWidget()
        put(column_layout(inside, (22, 18, 22, 4), 8),
            label(f"Let agents into {name}", "head", wrap=True), label(WHAT, "soft", wrap=True),
            put(row_layout(spacing=12), self.toggle, (self.state, 1)),
            SectionHead("Clients (MCP)"), self.clients, self.setup,
            put(row_layout(), copy, None),
            SectionHead("Other programs (HTTP)"),
            put(row_layout(spacing=6), (self.address, 1), self.copy_address),
            put(row_layout(spacing=6), self.recall, self.modify, (self.token, 1), self.copy_token),
            label(TOKENS, "soft", wrap=True),
            SectionHead("Who is there"), self.there, self.lights, self.notices, None)
        put(column_layout(self, (0, 0, 0, 0), 0),
            (scrolling(inside, "How agents come in, and who is there"), 1),
            put(row_layout(margins=(22, 6, 22, 16)), None, push_button("Close", self.accept)))
        self.resize(WIDTH, HEIGHT)

    def _show(self) -> None:
        doors, opened = self._doors, self._doors.open
        self.toggle.setText("Let nobody in" if opened is not None else "Let agents in")
        self.toggle.setEnabled(not doors.busy and (opened is not None or not doors.elsewhere))
        self.state.setText(self._state_words())
        self._show_setups()
        self.address.setText(opened.http if opened is not None else "")
        for part in (self.address, self.copy_address, self.recall, self.modify):
            part.setEnabled(opened is not None)
        for part in (self.token, self.copy_token):
            part.setEnabled(bool(self.token.text()))
        self.there.setText("\n".join(visit_lines(*doors.watch.visits)) or "Nobody yet.")

    def _state_words(self) -> str:
        doors = self._doors
        if doors.busy:
            return "One moment…"
        if doors.open is not None:
            return f"Open for the memory of {one_line(doors.agent, 40)}, until you close the graph"
        if doors.elsewhere:
            return f"Open already in another process: {doors.elsewhere[0].address}"
        return "Closed. Clients that start “constellation mcp” themselves come in all the same."

    def _show_setups(self) -> None:
        opened, workspace = self._doors.open, self._context.workspace
        elsewhere = next((door.address for door in self._doors.elsewhere if door.door == "MCP"), "")
        address = opened.mcp if opened is not None else elsewhere
        self._setups = client_setups(workspace.path, workspace.agent, address)
        if list(self._setups) != list(self.chips):
            self._put_chips()
        self._choose(self._setup if self._setup in self._setups else next(iter(self._setups)))

    def _put_chips(self) -> None:
        self._flow.clear()
        self.chips.clear()
        for name in self._setups:
            chip = chip_button(name, checkable=True)
            on_click(chip, self._choose, name)
            self._group.addButton(chip)
            self._flow.addWidget(chip)
            self.chips[name] = chip
        self._setup = next(iter(self._setups))

    def _choose(self, name: str) -> None:
        self._setup = name
        self.chips[name].setChecked(True)
        if self.setup.toPlainText() != self._setups[name]:
            self.setup.setPlainText(self._setups[name])

    def _make_token(self, may: str) -> None:
        if self._doors.open is None:
            return
        try:
            self.token.setText(self._doors.open.new_token(may))
            self.token.setCursorPosition(0)
        except ConstellationError as error:
            self._context.shell.show_error(error)
        self._show()


def _line(name: str) -> QLineEdit:
    made = QLineEdit()
    made.setReadOnly(True)
    made.setFont(fixed_font(12))
    made.setAccessibleName(name)
    return made


def _tick(words: str, preferences: Preferences, name: str) -> TickBox:
    box = TickBox(words)
    box.setChecked(getattr(preferences, name))
    box.toggled.connect(lambda chosen: setattr(preferences, name, chosen))
    return box


def _copy(text: Callable[[], str]) -> None:
    QGuiApplication.clipboard().setText(text())
