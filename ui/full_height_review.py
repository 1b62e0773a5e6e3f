"""The review in full height: proposals beside their entity's sky and what was so before."""

from functools import partial
from typing import TYPE_CHECKING, cast

from PySide6.QtCore import QObject, Signal
from PySide6.QtWidgets import QWidget

from ui.central_area import CentralArea
from ui.constellation.the_sky import as_sky
from ui.context import Context
from ui.docks import Docks
from ui.theme import Theme
from ui.widgets.labels import SectionHead
from ui.widgets.layouts import column_layout, put

if TYPE_CHECKING:
    from core.store.reader_and_writer import Reader
    from ui.constellation.sky_loader import Sky
    from ui.models.proposal_claim_history import SlotPast
    from ui.panels.claim_history.timeline import Timeline
    from ui.panels.proposals.panel import Proposals

SHARE = 0.79
"""Of the window's width that the review takes; the sky has the rest."""
LEAST_SKY = 250


class Middle(QWidget):
    """The sky, and in a review what the claim said before, below it."""

    def __init__(self, theme: Theme, central: CentralArea) -> None:
        super().__init__()
        self._theme = theme
        self.past: Timeline | None = None
        self._below = QWidget()
        self._below.hide()
        put(column_layout(self, (0, 0, 0, 0), 0), (central, 3), (self._below, 2))

    def show_past(self, past: "SlotPast | None") -> None:
        """Show the versions of a claim; nothing, and the sky as high as can be, without any."""
        history = past.history if past is not None else None
        if history is not None:
            self.past = self.past or self._lay_out()
            self.past.show_history(history, "")
        self._below.setVisible(history is not None)

    def _lay_out(self) -> "Timeline":
        # Only a review needs it, which most windows never see.
        from ui.panels.claim_history.timeline import Timeline  # noqa: PLC0415

        past = Timeline(self._theme)
        put(column_layout(self._below, (0, 0, 0, 0), 0),
            put(column_layout(margins=(16, 10, 16, 2)), SectionHead("This claim so far")),
            (past, 1))
        return past


class FullHeightReview(QObject):
    """Gives the proposals the height of the window, and takes it back."""

    entered = Signal()

    def __init__(
        self, window: QWidget, docks: Docks, theme: Theme, central: CentralArea
    ) -> None:
        super().__init__(window)
        self._window, self._docks, self._central = window, docks, central
        self.middle = Middle(theme, central)
        self._context: Context | None = None
        self._looked_at: tuple[float, ...] = ()

    def bind(self, context: Context | None) -> None:
        """Review this graph from now on; None while no graph is open."""
        self.leave()
        self._context = context
        if context is not None:
            context.selection.proposal_changed.connect(self._follow)

    @property
    def on(self) -> bool:
        return self._docks.alone

    def toggle(self) -> None:
        (self.leave if self.on else self.enter)()

    def enter(self) -> None:
        if self._context is None or self.on or "proposals" not in self._docks.names:
            return
        sky = self._sky()
        if sky is not None:
            self._looked_at, sky.bare = sky.place, True
        width = self._window.width()
        panel = cast("Proposals", self._docks.show_alone(
            "proposals", min(round(width * SHARE), width - LEAST_SKY)))
        panel.stretch(True)
        panel.focus()
        self.entered.emit()
        self._context.actions.refresh()
        self._follow(self._context.selection.proposal_id)

    def leave(self) -> None:
        """Everything is again where it was."""
        if not self.on or self._context is None:
            return
        panel = cast("Proposals", self._docks.panel("proposals"))
        panel.stretch(False)
        self.middle.show_past(None)
        self._docks.put_back()
        sky = self._sky()
        if sky is not None:
            sky.bare = False
            sky.select(self._context.selection.entity_id)
            if self._looked_at:
                sky.look_at(self._looked_at)
            else:
                sky.fit()
        panel.focus()
        self._context.actions.refresh()

    def _sky(self) -> "Sky | None":
        return as_sky(self._central.sky)

    def _follow(self, proposal_id: str) -> None:
        """Show what another proposal is about."""
        if self.on and self._context is not None:
            self._context.runner.read(partial(_load_past, proposal_id), self._show,
                                      key="review.past")

    def _show(self, past: "SlotPast") -> None:
        if not self.on or self._context is None or (
                past.proposal_id != self._context.selection.proposal_id):
            return
        self.middle.show_past(past)
        sky = self._sky()
        if sky is not None:
            # It is there with the sky, and the window stands before that.
            from ui.constellation.neighborhood_camera import surroundings  # noqa: PLC0415

            sky.select(past.entity_id)
            sky.look_at(surroundings(sky.scene, past.entity_id, sky.width(), sky.height()))


def _load_past(proposal_id: str, reader: "Reader") -> "SlotPast":
    # On the reader's thread, at the first review: it loads what all proposals need.
    from ui.models.proposal_claim_history import load_past  # noqa: PLC0415

    return load_past(reader, proposal_id)
