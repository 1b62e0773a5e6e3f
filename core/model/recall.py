"""What a recall brings: memories with their scores, the channels that brought them, and why."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime

from core.model.memory import Memory
from core.model.walk import Path, Walk


@dataclass(frozen=True, slots=True)
class DateSpan:
    """A time that a text speaks of, from `start` up to and without `end`.

    One that begins in 1970 has no beginning.
    """

    text: str
    start: datetime
    end: datetime

    def __str__(self) -> str:
        if self.start.year <= 1970:
            return f"before {self.end:%Y-%m-%d}"
        if (self.end - self.start).total_seconds() <= 86_400:
            return f"{self.start:%Y-%m-%d}"
        return f"{self.start:%Y-%m-%d} to {self.end:%Y-%m-%d}"


@dataclass(frozen=True, slots=True)
class Hit:
    """A recalled memory.

    Attributes:
        score: 0 to 1, all channels together.
        channels: what each channel gave it, 0 to 1, before its weight: `keyword` its words,
            `semantic` its meaning, `neighbor` what was said next to it, `traversal` the walk of
            the graph, `mention` an entity that the question names, `hint` a question it was
            stored for, `date` its time, `listed` a filter alone.
        path: how the walk came to it, None if it did not.
        why: the same in words.
        steps: what changed the score after the channels were put together, in order, as factors
            or new scores (`rehearsal`, `gravity`, `currentness`, `reranker`).
    """

    memory: Memory
    score: float
    channels: Mapping[str, float]
    path: Path | None = None
    why: str = ""
    steps: Mapping[str, float] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Recall:
    """The answer to one question.

    Attributes:
        hits: best first.
        query_dates: the times that the question speaks of.
        timed_out: True if a channel was cut off by the deadline.
        notes: what went wrong or was left out, each in one sentence; empty when all is well.
        walk: what the walk brought, None where no entity was meant.
        considered: memories that were scored.
    """

    hits: tuple[Hit, ...] = ()
    query_dates: tuple[DateSpan, ...] = ()
    timed_out: bool = False
    notes: tuple[str, ...] = ()
    milliseconds: float = 0.0
    walk: Walk | None = None
    considered: int = 0
