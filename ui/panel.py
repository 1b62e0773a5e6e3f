"""What a panel is: a widget that shows some tables and refreshes when one of them changes."""

import sys
from collections.abc import Callable
from importlib import import_module
from typing import Any, ClassVar, Literal, cast

from msgspec import Struct
from PySide6.QtCore import QSize, Signal
from PySide6.QtGui import QMouseEvent
from PySide6.QtWidgets import QApplication, QStackedLayout, QWidget

from core.model.changes import Changes
from ui.action import Action
from ui.context import Context
from ui.error_words import words_of
from ui.widgets.empty_states import Placeholder

Area = Literal["left", "right", "bottom"]
LEAST = QSize(460, 84)
"""No panel asks for more than this, so that all of them fit a window of 800 × 500."""
Kind = Literal["ready", "empty", "loading", "failed"]


class Panel(QWidget):
    """A dock's content.

    A subclass says what it is by the class attributes below, puts its widgets into `self.body`,
    loads through `self.context.runner` in `refresh`, and then calls `show_state("ready")`. It knows
    no other panel; what it shares is the selection.
    """

    name: ClassVar[str] = ""
    """Stable word for saved places and actions, such as `entities`."""
    shows: ClassVar[frozenset[str]] = frozenset()
    """Tables whose change makes what is shown out of date."""
    ACTIONS: ClassVar[tuple[Action[Any], ...]] = ()
    """What a person can do in it; `run` is given the panel, and the keys work in it alone."""

    badged = Signal(str)
    """The number beside the title has changed; an empty text takes it away."""
    titled = Signal(str)
    """The title has changed, as in `Pins · 3`."""

    def __init__(self, context: Context, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.context = context
        self.setObjectName(f"panel.{self.name}")
        context.actions.know(self.name, self.ACTIONS)
        self.body = QWidget(self)
        self._face: Placeholder | None = None
        self._stack = QStackedLayout(self)
        self._stack.addWidget(self.body)

    def minimumSizeHint(self) -> QSize:  # noqa: N802
        return super().minimumSizeHint().boundedTo(LEAST)

    def lay_out(self) -> None:
        """Put together what was made, a turn of the event loop later.

        A panel of many parts makes them at first and lays them out here, so that the window answers
        in between; the others do both at once.
        """

    def refresh(self, changes: Changes | None) -> None:
        """Load again. `changes` is what was written; None on the first load.

        Called on the GUI thread, only while the panel is visible; several commits arrive as one.
        Here there is nothing to load: every panel has its own.
        """

    def glance(self, changes: Changes | None) -> None:
        """Keep the number on the tab true while the panel is hidden; `changes` as in `refresh`."""

    def focus(self) -> None:
        """Put the keyboard where work in this panel starts."""
        self.body.setFocus()

    @property
    def has_keyboard(self) -> bool:
        """Whether the keyboard is in it, so that its letters work."""
        now = QApplication.focusWidget()
        return now is not None and (now is self or self.isAncestorOf(now))

    def mousePressEvent(self, event: QMouseEvent) -> None:  # noqa: N802
        """A click that nothing in the panel has use for brings the keyboard."""
        super().mousePressEvent(event)
        if not self.has_keyboard:
            self.focus()

    def show_state(
        self,
        kind: Kind,
        text: str = "",
        action: tuple[str, Callable[[], None]] | None = None,
        *,
        detail: str = "",
    ) -> None:
        """Show the content (`ready`) or one of the three faces in its place.

        Args:
            kind: which.
            text: what this place is for, what is being loaded, or what happened.
            action: the one next step: a verb and what it does.
            detail: the technical text of a failure, shown folded.
        """
        if kind == "ready":
            self._stack.setCurrentWidget(self.body)
            return
        if self._face is None:
            self._face = Placeholder(self.context.theme, self)
            self._stack.addWidget(self._face)
        self._face.show_state(kind, text, action, detail=detail)
        self._stack.setCurrentWidget(self._face)

    def show_failure(self, what: str, error: BaseException, again: Callable[[], None]) -> None:
        """Say in the content's place what could not be done and why, with a way to try again."""
        self.show_state("failed", f"{what}: {words_of(error)}", ("Try again", again),
                      detail=getattr(error, "detail", ""))

    @property
    def face(self) -> Kind:
        """Which face is shown; for tests and for the shell."""
        if self._face is None or self._stack.currentWidget() is not self._face:
            return "ready"
        return self._face.kind


class PanelKind(Struct, frozen=True):
    """What the window says of a panel before somebody looks at it, so that it stands without
    loading it.

    Attributes:
        name: as the panel's own.
        icon: a name of `ui.theme.icons`.
        where: the module and the class.
        head: whether the dock draws the title over the panel (tabs never do).
        on_demand: whether its dock is only there once it is asked for.
        in_menus: those of its actions that the menus of the window have, too.
        counts: whether its tab says how much waits for a person; out of sight it is made first.
    """

    name: str
    title: str
    icon: str
    area: Area
    where: str
    head: bool = True
    on_demand: bool = False
    in_menus: tuple[Action[Any], ...] = ()
    counts: bool = False

    @property
    def is_loaded(self) -> bool:
        return self.where.partition(":")[0] in sys.modules

    def load(self) -> type[Panel]:
        """The class, loaded the first time; from any thread."""
        module, _, name = self.where.partition(":")
        return cast(type[Panel], getattr(import_module(module), name))

    def make(self, context: Context) -> Panel:
        """A panel of this kind for an open graph, which is still to be laid out."""
        panel = self.load()(context)
        panel.setAccessibleName(self.title)
        return panel
