"""The pending proposals, sorted and grouped as chosen."""

from collections import Counter
from collections.abc import Iterable, Sequence

from msgspec import Struct
from msgspec.structs import replace

from core.model.names import spoken
from core.model.proposal import Proposal
from core.model.text_formatting import one_line
from core.model.times import ago
from core.queries.disputes import keeps_proposals
from core.review.proposal_queue import count_proposals, list_proposals, pending_place
from core.review.queue_order import GroupBy, SortBy, Weighed, in_groups, in_order, waiting
from core.review.risk_levels import RISKS
from core.store.reader_and_writer import Reader

GROUPS: dict[GroupBy, str] = {
    "none": "Not grouped", "entity": "By entity", "kind": "By kind", "actor": "By author",
    "day": "By day",
}
SORTS: dict[SortBy, str] = {
    "newest": "Newest first", "worth": "Most worth first",
    "confidence": "Lowest confidence first", "risk": "Highest risk first",
}
PAGE = 500
"""Proposals that are read at a time; the rest move up as these are decided."""
ARRANGED = 5000
"""The same where they are sorted, grouped or filtered: what is worth most may be an old one."""
WISHES = ("value", "new_value", "new_name")
"""Fields of a payload that hold what a proposal wants to be said."""
WISH_CHARACTERS = 120


class QueueRow(Struct, frozen=True):
    """One pending proposal as a line of the queue."""

    id: str
    title: str
    target: str
    confidence: float
    risk: str
    when: str
    operation: str
    source: str
    flagged: bool = False
    wish: str = ""
    """What it would say, or why it is wanted."""
    worth: float = 0.0
    """What a decision on it is worth (`core.review.worth`)."""

    @property
    def about(self) -> str:
        """Its second line and tooltip: risk, age, author."""
        parts = [risk_words(self.risk), ago(self.when),
                 f"by {self.source}" if self.source else ""]
        return " · ".join(part for part in parts if part)


class Queue(Struct, frozen=True):
    """What was read at one moment."""

    rows: tuple[QueueRow, ...] = ()
    total: int = 0
    """All that wait, also those beyond the rows that were loaded."""
    kept: bool = True
    """False of a file that can keep no proposals."""


class Heading(Struct, frozen=True):
    """The head of a group, with its count."""

    text: str
    count: int


class Arrangement(Struct, frozen=True):
    """How the queue is to be shown."""

    group: GroupBy = "none"
    sort: SortBy = "newest"
    operations: tuple[str, ...] = ()
    """Only these; empty for all."""


    @property
    def plain(self) -> bool:
        """True for all of them as they came."""
        return self == Arrangement()


Line = QueueRow | Heading


def risk_words(risk: str) -> str:
    """`low risk`; other words than the four are shown unchanged."""
    words = spoken(one_line(risk, 40)) if risk else ""
    return f"{words} risk" if words in RISKS else words


def state_of_queue(reader: Reader) -> tuple[object, ...]:
    """Differs if pending proposals have changed; constant time."""
    newest = list_proposals(reader, status="pending", limit=1)
    return (count_proposals(reader, "pending"), reader.agent,
            *((proposal.id, proposal.updated_at) for proposal in newest))


def load_queue(
    reader: Reader, flagged: frozenset[str], most: int = PAGE, through: str = ""
) -> Queue:
    """The newest pending proposals; so many that the one with the id `through` is among them."""
    most = max(most, pending_place(reader, through)) if through else most
    items = waiting(reader, most=most)
    total = len(items) if len(items) < most else count_proposals(reader, "pending")
    return Queue(tuple(_row(item, flagged) for item in items), total,
                 keeps_proposals(reader))


def _row(item: Weighed, flagged: frozenset[str]) -> QueueRow:
    proposal = item.proposal
    return QueueRow(
        id=proposal.id, title=proposal.summary or spoken(proposal.operation).capitalize(),
        target=item.target, confidence=item.confidence, risk=item.risk, when=item.when,
        operation=item.operation, source=item.source, flagged=proposal.id in flagged,
        wish=_wish(proposal), worth=item.worth,
    )


def _wish(proposal: Proposal) -> str:
    """The words that it wants in the graph, else its reason."""
    words = next((text for name in WISHES if (text := proposal.payload.get(name))), "")
    if isinstance(words, str) and words:
        return f"“{one_line(words, WISH_CHARACTERS)}”"
    return one_line(proposal.rationale or str(proposal.payload.get("reason") or ""),
                    WISH_CHARACTERS)


def operation_chips(counts: Counter[str]) -> list[tuple[str, str]]:
    """The operations of the queue for filter chips, the commonest first: (name, `set claim 3`)."""
    return [(name, f"{spoken(name)} {count}") for name, count in counts.most_common()]


def arrange(rows: Iterable[QueueRow], how: Arrangement) -> tuple[Line, ...]:
    """Filter, sort and group; groups are in the order of their first row."""
    shown = in_order((row for row in rows if not how.operations
                      or row.operation in how.operations), how.sort)
    if how.group == "none":
        return tuple(shown)
    lines: list[Line] = []
    for text, members in in_groups(shown, how.group).items():
        lines += [Heading(text, len(members)), *members]
    return tuple(lines)


def without_one(line: Line) -> Heading | None:
    """The head of a group that one has left; None if it was the last."""
    assert isinstance(line, Heading)
    return replace(line, count=line.count - 1) if line.count > 1 else None


def key_of(line: Line) -> str:
    """The id of a proposal; empty for a head."""
    return line.id if isinstance(line, QueueRow) else ""


def spoken_line(line: Line) -> str:
    """A line in words, for a screen reader."""
    if isinstance(line, Heading):
        return f"{line.text}, {line.count}"
    flag = ", flagged" if line.flagged else ""
    wish = f", {line.wish}" if line.wish else ""
    return (f"{line.title}, {line.target}{wish}, confidence {line.confidence:.2f}, "
            f"{line.about}{flag}")


def ids_in(lines: Iterable[Line]) -> list[str]:
    """The proposals of an arrangement, in its order."""
    return [line.id for line in lines if isinstance(line, QueueRow)]


def next_after(order: Sequence[str], gone: Iterable[str]) -> str:
    """Where to go when some are decided: the next one that stays, else the one before, else ''."""
    leaving = set(gone)
    if not leaving:
        return ""
    gone_at = [at for at, key in enumerate(order) if key in leaving]
    start = gone_at[-1] + 1 if gone_at else 0
    after = [key for key in order[start:] if key not in leaving]
    before = [key for key in order[:start] if key not in leaving]
    return after[0] if after else before[-1] if before else ""
