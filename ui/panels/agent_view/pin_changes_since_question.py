"""What was pinned or unpinned since the question was asked: the answer is compared with that."""

from core.traversal.focal_signals import Signals
from ui.models import what_if
from ui.models.agent_view_reading import Answer
from ui.models.what_if import Thing


class PinSinceQuestion:
    """Remembers the pins and names of the first answer to a question."""

    def __init__(self) -> None:
        self.thing: Thing | None = None
        """The newest pin, given or taken away since; None if the pins are as they were."""
        self._given = Signals()
        self._first: frozenset[str] = frozenset()
        self._last: frozenset[str] = frozenset()
        self._names: dict[str, str] = {}

    def note(self, answer: Answer) -> Thing | None:
        """Take another answer; returns `thing`, the same object for the same pin."""
        focal = answer.sight.started.focal
        pins = frozenset(focal.pinned_ids)
        if answer.given != self._given:
            self._given, self._first, self._last, self.thing = answer.given, pins, pins, None
            self._names = {}
        self._names |= {one.id: one.name for one in focal.entities if one.name}
        changed, newest = pins ^ self._first, pins ^ self._last
        self._last = pins
        if answer.given == Signals() or not changed:
            self.thing = None
        elif newest:
            self.thing = self._thing_of(min(newest & changed or changed))
        return self.thing

    def _thing_of(self, entity_id: str) -> Thing | None:
        name = self._names.get(entity_id)
        return what_if.pin(entity_id, name) if name else None
