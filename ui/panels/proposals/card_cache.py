"""The cards that have been read: the one that is looked at, and those that will be next."""

from collections.abc import Sequence
from functools import partial

from msgspec.structs import replace
from PySide6.QtCore import QObject, QTimer, Signal

from core.expectations.forecast import NOTHING, Forecast
from ui.context import Context
from ui.models.review_card import Card, apply_whole, load_card

KEPT = 12
LIVE_MS = 300
FORESEE_MS = 400
"""How long a card is looked at before the expectations are tried on it."""
COPYING_MS = 4000
"""A file that may not be written is copied for each rehearsal, so that is done rarely."""


class Cards(QObject):
    """Reads cards ahead and again, each with its rehearsal, never on the GUI thread."""

    changed = Signal(str)
    """The card of this proposal has been read, or could not be."""

    gone = Signal(str)
    """This proposal waits no longer."""

    def __init__(self, context: Context, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._context = context
        self._found: dict[str, Card | BaseException] = {}
        self._fresh: set[str] = set()
        self._asked: set[str] = set()
        self._open = ""
        self._following: tuple[str, ...] = ()
        self._pause = QTimer(self, singleShot=True)
        self._pause.timeout.connect(self._read_again)
        self._look_ahead = QTimer(self, singleShot=True, interval=FORESEE_MS)
        self._look_ahead.timeout.connect(self._foresee)
        context.expectations.changed.connect(self._look_ahead.start)

    def get(self, proposal_id: str) -> Card | BaseException | None:
        """The card, the error of reading it, or None while it is being read."""
        return self._found.get(proposal_id)

    def open(self, proposal_id: str, following: Sequence[str] = ()) -> None:
        """Show this card; the following ones are preloaded.

        A preloaded card is shown at once and reloaded once it has been looked at for a moment, so
        that it delays neither the decision before it nor the cards of one who decides fast.
        """
        if proposal_id != self._open:
            self._context.expectations.stop_trial()
        self._open, self._following = proposal_id, tuple(following)
        if proposal_id not in self._found:
            self._ask(proposal_id)
        for key in self._following if self._context.runner.may_write else ():
            if key not in self._found:  # Who decides fast does not wait for the pause.
                self._ask(key)
        self._look_ahead.start()
        self._pause.stop()
        self._read_soon()

    def outdate(self) -> None:
        """The graph has changed: reload the shown card soon, the rest when needed."""
        self._fresh.clear()
        self._read_soon()

    def forget(self) -> None:
        """Another agent's proposals are shown."""
        self._found.clear()
        self._fresh.clear()
        self._open, self._following = "", ()

    def _read_soon(self) -> None:
        if not self._pause.isActive():
            self._pause.start(LIVE_MS if self._context.runner.may_write else COPYING_MS)

    def _read_again(self) -> None:
        self._ask(self._open)
        for key in self._following if self._context.runner.may_write else ():
            self._ask(key)

    def _ask(self, proposal_id: str) -> None:
        if not proposal_id or proposal_id in self._fresh or proposal_id in self._asked:
            return
        self._asked.add(proposal_id)
        self._fresh.add(proposal_id)
        workspace = self._context.workspace
        got = partial(self._got, proposal_id)
        self._context.runner.job(lambda _job: load_card(workspace, proposal_id), got, got)

    def _got(self, proposal_id: str, card: Card | BaseException | None) -> None:
        self._asked.discard(proposal_id)
        if proposal_id not in self._fresh:
            self._read_soon()  # Something was written while it was being read.
        if card is None:
            self._found.pop(proposal_id, None)
            self.gone.emit(proposal_id)
        elif self._found.get(proposal_id) != card:
            self._found[proposal_id] = card
            self.changed.emit(proposal_id)
        if proposal_id == self._open:
            self._look_ahead.start()
        for old in list(self._found)[:-KEPT]:
            if old != self._open:
                del self._found[old]
                self._fresh.discard(old)

    def _foresee(self) -> None:
        """Try the expectations on the open card, which has been looked at for a moment."""
        card = self._found.get(self._open)
        if isinstance(card, Card) and (not card.blocked or card.forceable):
            got = partial(self._foreseen, self._open, card)
            self._context.expectations.foresee(
                partial(apply_whole, proposal_id=self._open, force=card.forceable), got, got)

    def _foreseen(
        self, proposal_id: str, seen: Card, forecast: Forecast | BaseException
    ) -> None:
        card = self._found.get(proposal_id)
        if isinstance(card, Card) and card == seen and isinstance(forecast, Forecast):
            before = card.forecast or NOTHING
            self._found[proposal_id] = replace(card, forecast=forecast)
            if before.words != forecast.words or before.breaks != forecast.breaks or (
                    before.mends != forecast.mends):
                self.changed.emit(proposal_id)
