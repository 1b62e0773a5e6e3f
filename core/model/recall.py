"""The result of a recall: memories with scores, channels and reasons."""

from collections.abc import Mapping
from datetime import MAXYEAR, datetime

from msgspec import Struct, field

from core.model.dispute import Dispute, with_dispute
from core.model.graph_statement import MEMORY, Statement
from core.model.memory import Memory
from core.model.memory_text_of_value import with_owner
from core.model.outdated_claim import OutdatedClaim, marked
from core.model.walk import Path, Walk


class DateSpan(Struct, frozen=True):
    """A time mentioned in a text, from `start` up to and excluding `end`.

    A start in 1970 means no lower bound, an end in 9999 no upper one.
    """

    text: str
    start: datetime
    end: datetime

    @property
    def is_before(self) -> bool:
        """True if it has no start: all the time before its end."""
        return self.start.year <= 1970

    def __str__(self) -> str:
        if self.is_before:
            return f"before {self.end:%Y-%m-%d}"
        if self.end.year == MAXYEAR:
            return f"from {self.start:%Y-%m-%d}"
        if (self.end - self.start).total_seconds() <= 86_400:
            return f"{self.start:%Y-%m-%d}"
        return f"{self.start:%Y-%m-%d} to {self.end:%Y-%m-%d}"


class Hit(Struct, frozen=True):
    """A recalled memory.

    Attributes:
        score: 0 to 1, of all channels combined.
        channels: what each channel gave it, 0 to 1, before its weight: `keyword` its words
            and those around it, `semantic` its meaning, `neighbor` the memories next to it,
            `traversal` the walk of the graph, `mention` an entity that the question names, `hint`
            a question it was stored for, `date` its time, `listed` a filter alone.
        path: how the walk came to it, None if it did not.
        why: the same in words.
        steps: what changed the score after the channels were put together, in order, as factors
            (`speaker`, `state`, `rehearsal`, `repeat`, `kind`, `rule`, `gravity`).
        outdated: what the memory says that no longer holds.
        past: nothing of it is known to hold any more; such a hit comes only where the past is
            asked for.
        constraint: it says a constraint in force.
        disputed: the newer value that seems to say the opposite of what it says, until a person
            decides.
        entity: the names of the entities that it is of; empty if that is not known.
        before: what is told before its text; empty where the text itself names one of them.
    """

    memory: Memory
    score: float
    channels: Mapping[str, float]
    path: Path | None = None
    why: str = ""
    steps: Mapping[str, float] = field(default_factory=dict)
    outdated: tuple[OutdatedClaim, ...] = ()
    past: bool = False
    constraint: bool = False
    disputed: Dispute | None = None
    entity: str = ""
    before: str = ""

    @property
    def kind(self) -> str:
        """What line of an answer it is."""
        return MEMORY

    @property
    def id(self) -> str:
        """The memory's id."""
        return self.memory.id

    @property
    def when(self) -> str:
        """When the memory was made."""
        return self.memory.created_at

    @property
    def marked_text(self) -> str:
        """The memory's text with whose it is, with what of it no longer holds, and a constraint
        named as one."""
        return self._marked(with_owner(self.before, self.memory.content))

    @property
    def own_text(self) -> str:
        """The same without whose it is: for a reader who is given the entity beside it."""
        return self._marked(self.memory.content)

    def _marked(self, content: str) -> str:
        return with_dispute(marked(content, self.outdated, past=self.past,
                                   constraint=self.constraint), self.disputed)


NOTHING_FITS = "Nothing fits; the nearest are:"
"""What stands above the hits where none of them fits."""

RULES_MAY_APPLY = "Rules that may apply:"
"""What stands above the rules among such hits: a rule is not told as a poor answer."""


class Recall(Struct, frozen=True):
    """The answer to one question.

    Attributes:
        hits: best first.
        query_dates: the times mentioned in the question.
        timed_out: True if a channel was cut off by the deadline.
        notes: problems and omissions, one sentence each; empty if there are none.
        walk: the walk's result, None if the question refers to no entity.
        considered: memories that were scored.
        fits: False if no memory fits, so that the hits are only the nearest.
        newest_first: the question asks for the newest ("recently", "now"), so that those which fit
            about as well as the best come in the order of their time.
        about: what the entities that the question names are, by their descriptions, one line each.
        statements: what the graph itself says in answer, best first; each knows its place among
            the lines.
    """

    hits: tuple[Hit, ...] = ()
    query_dates: tuple[DateSpan, ...] = ()
    timed_out: bool = False
    notes: tuple[str, ...] = ()
    milliseconds: float = 0.0
    walk: Walk | None = None
    considered: int = 0
    fits: bool = True
    newest_first: bool = False
    about: tuple[str, ...] = ()
    statements: tuple[Statement, ...] = ()

    @property
    def lines(self) -> tuple[Hit | Statement, ...]:
        """The hits and the statements, best first."""
        lines: list[Hit | Statement] = list(self.hits)
        for statement in self.statements:
            lines.insert(statement.place, statement)
        return tuple(lines)

    @property
    def rules_and_rest(self) -> tuple[tuple[Hit | Statement, ...], tuple[Hit | Statement, ...]]:
        """The rules in force among lines that do not fit, and the other lines; where something
        fits all lines are the others."""
        lines = self.lines
        rules = () if self.fits else tuple(
            line for line in lines if isinstance(line, Hit) and line.constraint and not line.past)
        return rules, tuple(line for line in lines if line not in rules)
