"""What was decided in this sitting, and the functions that write a verdict."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Literal

from core.errors import ConstellationError
from core.ontology.proposals import apply_proposal, reject_proposal
from core.store.handles import Writer

Word = Literal["applied", "rejected"]
State = Literal["writing", "done", "failed", "taken back"]


@dataclass(slots=True)
class Verdict:
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


@dataclass(frozen=True, slots=True)
class Item:
    """What became of one proposal of a batch; `error` is empty when it was decided."""

    id: str
    error: str = ""


@dataclass(frozen=True, slots=True)
class Report:
    """What became of a batch."""

    items: tuple[Item, ...]

    @property
    def done(self) -> tuple[str, ...]:
        return tuple(item.id for item in self.items if not item.error)

    @property
    def failed(self) -> dict[str, str]:
        return {item.id: item.error for item in self.items if item.error}


Decide = Callable[[Writer, str], object]


def applying(payload: dict[str, object] | None = None, *, force: bool = False) -> Decide:
    """A decision to apply, with what the person made of the payload."""

    def decide(writer: Writer, proposal_id: str) -> object:
        return apply_proposal(writer, proposal_id, payload=payload, force=force).or_raise()

    return decide


def rejecting(reason: str) -> Decide:
    """A decision to reject, with the person's words."""

    def decide(writer: Writer, proposal_id: str) -> object:
        return reject_proposal(writer, proposal_id, reason)

    return decide


def decide_all(writer: Writer, ids: Sequence[str], decide: Decide) -> Report:
    """All or nothing: the first refusal is raised. For a verdict on a single proposal."""
    for key in ids:
        decide(writer, key)
    return Report(tuple(Item(key) for key in ids))


def decide_each(writer: Writer, ids: Sequence[str], decide: Decide) -> Report:
    """Each on its own within one transaction: one that is refused stops no other."""
    items = []
    for key in ids:
        try:
            with writer.savepoint():
                decide(writer, key)
            items.append(Item(key))
        except ConstellationError as error:
            items.append(Item(key, str(error)))
    return Report(tuple(items))
