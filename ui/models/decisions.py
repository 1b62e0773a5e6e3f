"""The decisions of this session, and what came of them."""

from collections.abc import Callable, Collection, Iterable, Sequence
from typing import Literal

from msgspec import Struct

from core.errors import ConstellationError
from core.store.reader_and_writer import Writer
from ui.error_words import words_of

Word = Literal["applied", "rejected"]
State = Literal["writing", "done", "undone"]
Decide = Callable[[Writer, str], object]
"""Decides on the proposal with that id; raises ConstellationError where that is refused."""


class Decision(Struct):
    """One decision, on one proposal or on several at once."""

    ids: tuple[str, ...]
    word: Word
    label: str
    state: State = "writing"
    entry: int | None = None
    """Its step in the history, once it is written."""
    settled: int = -1
    """The last read of the queue that may not know of it yet."""
    unwanted: bool = False
    """Taken back while it was still being written."""

    @property
    def counts(self) -> bool:
        """True unless it was undone."""
        return self.state != "undone" and not self.unwanted


class Item(Struct, frozen=True):
    """What became of one proposal of a batch; `error` is empty when it was decided."""

    id: str
    error: str = ""


class Report(Struct, frozen=True):
    """What became of a batch."""

    items: tuple[Item, ...]

    @property
    def done(self) -> tuple[str, ...]:
        return tuple(item.id for item in self.items if not item.error)

    @property
    def failed(self) -> dict[str, str]:
        return {item.id: item.error for item in self.items if item.error}


def decide_each(writer: Writer, ids: Sequence[str], decide: Decide) -> Report:
    """Each on its own within one transaction: one that is refused stops no other."""
    items = []
    for key in ids:
        try:
            with writer.savepoint():
                decide(writer, key)
            items.append(Item(key))
        except ConstellationError as error:
            items.append(Item(key, words_of(error)))
    return Report(tuple(items))


class Decisions:
    """The decisions of this session, and why some were refused."""

    def __init__(self) -> None:
        self._all: list[Decision] = []
        self._begun: list[Decision] = []
        """Those that may still be being written."""
        self.skipped: set[str] = set()
        """Passed over in this session; some may have been decided since."""
        self.refusals: dict[str, str] = {}
        """Why a proposal that was decided on came back."""
        self.errors: dict[str, BaseException] = {}
        """The same as errors, where a decision on a single proposal was refused."""

    def add(self, decision: Decision) -> None:
        self._all.append(decision)
        self._begun.append(decision)

    def refuse(self, decision: Decision, error: BaseException) -> None:
        """It could not be written."""
        for decisions in (self._all, self._begun):
            if decision in decisions:
                decisions.remove(decision)
        self.refusals.update(dict.fromkeys(decision.ids, words_of(error)))
        self.errors.update(dict.fromkeys(decision.ids, error))

    def clear(self) -> None:
        """Forget all decisions: another agent's proposals are shown."""
        self._all.clear()
        self._begun.clear()
        self.skipped.clear()
        self.refusals.clear()
        self.errors.clear()

    @property
    def writing(self) -> set[str]:
        """Proposals whose decision is being written."""
        self._begun = [decision for decision in self._begun if decision.state == "writing"]
        return {key for decision in self._begun for key in decision.ids}

    def unknown_to(self, read: int) -> set[str]:
        """Proposals whose decision was written since, so that this read may still list them."""
        return {key for decision in self._all for key in decision.ids
                if decision.state == "done" and read <= decision.settled}

    def notice_undone(self, waiting: Iterable[str], known_to: int) -> list[str]:
        """Mark decisions that were undone elsewhere (Ctrl+Z, the Activity panel); returns the
        proposals that wait again by it."""
        ids = set(waiting)
        again: list[str] = []
        for decision in self._all:
            if (decision.state == "done" and known_to > decision.settled
                    and not ids.isdisjoint(decision.ids)):
                decision.state = "undone"
                again += [id for id in decision.ids if id in ids]
        return again

    @property
    def last(self) -> Decision | None:
        """The decision that would be undone."""
        return next((decision for decision in reversed(self._all) if decision.counts), None)

    def counts(self) -> tuple[int, int]:
        """How many proposals were applied and rejected in this session."""
        sums = {"applied": 0, "rejected": 0}
        for decision in filter(lambda decision: decision.counts, self._all):
            sums[decision.word] += len(decision.ids)
        return sums["applied"], sums["rejected"]

    def summary(self, waiting: Collection[str] = ()) -> str:
        """`Applied 3 · rejected 2 · skipped 1`; skipped are those that still wait."""
        applied, rejected = self.counts()
        skipped = len(self.skipped.intersection(waiting))
        return f"Applied {applied} · rejected {rejected}" + (
            f" · skipped {skipped}" if skipped else "")
