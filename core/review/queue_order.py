"""The order and the groups of what waits for a decision, the same in every door."""

from collections.abc import Callable, Iterable
from typing import Literal, Protocol, TypeVar, get_args

from msgspec import Struct

from core.model.names import spoken
from core.model.proposal import Proposal
from core.review.proposal_queue import count_proposals, pending_with_targets
from core.review.risk_levels import RISKS, risk_of
from core.review.worth import worths
from core.store.reader_and_writer import Reader

GroupBy = Literal["none", "entity", "kind", "actor", "day"]
SortBy = Literal["newest", "worth", "confidence", "risk"]
SORTS: tuple[SortBy, ...] = get_args(SortBy)
GROUPS: tuple[GroupBy, ...] = get_args(GroupBy)
NO_ENTITY, NOBODY, NO_DAY = "No entity", "Unknown author", "Unknown day"
MOST = 10_000
"""Waiting proposals that are put in order; older ones come into it as these are decided."""


class Waiting(Protocol):
    """What an order and a group need to know of a proposal."""

    @property
    def operation(self) -> str: ...
    @property
    def target(self) -> str: ...
    @property
    def source(self) -> str: ...
    @property
    def when(self) -> str: ...
    @property
    def confidence(self) -> float: ...
    @property
    def risk(self) -> str: ...
    @property
    def worth(self) -> float: ...


Item = TypeVar("Item", bound=Waiting)


class Weighed(Struct, frozen=True):
    """A proposal and what a decision on it is worth."""

    proposal: Proposal
    worth: float

    @property
    def operation(self) -> str:
        return self.proposal.operation

    @property
    def target(self) -> str:
        return self.proposal.target_name

    @property
    def source(self) -> str:
        return self.proposal.created_by

    @property
    def when(self) -> str:
        return self.proposal.created_at

    @property
    def confidence(self) -> float:
        return self.proposal.confidence

    @property
    def risk(self) -> str:
        return risk_of(self.proposal)


def waiting(reader: Reader, operation: str | None = None, most: int = MOST) -> list[Weighed]:
    """The pending proposals, last changed first, each with its worth."""
    pairs = pending_with_targets(reader, operation, most)
    return [Weighed(proposal, worth) for (proposal, _), worth
            in zip(pairs, worths(reader, pairs), strict=True)]


class GroupLine(Struct, frozen=True):
    """What is said of one group: its name, what deciding all of it is worth, and its members."""

    name: str
    count: int
    worth: float
    ids: tuple[str, ...]


class Listing(Struct, frozen=True):
    """One page of the pending proposals in order, a group's beside each other.

    `count` and `groups` are of all that wait; without grouping there are no groups.
    """

    items: tuple[Weighed, ...]
    groups: tuple[GroupLine, ...]
    count: int


def listing(
    reader: Reader, operation: str | None = None, sort: SortBy = "newest",
    group: GroupBy = "none", limit: int = 50, offset: int = 0,
) -> Listing:
    """The pending proposals in an order and in groups, one page of them."""
    groups = in_groups(in_order(waiting(reader, operation), sort), group)
    every = [item for members in groups.values() for item in members]
    lines = tuple(
        GroupLine(name, len(members), round(sum(item.worth for item in members), 2),
                  tuple(item.proposal.id for item in members))
        for name, members in groups.items()) if group != "none" else ()
    return Listing(tuple(every[offset:offset + limit]), lines,
                   count_proposals(reader, "pending", operation))


def in_order(items: Iterable[Item], sort: SortBy) -> list[Item]:
    """The items by what is asked for; those that are equal stay as they are, newest first."""
    key = _SORTS.get(sort)
    return sorted(items, key=key) if key else list(items)


def in_groups(items: Iterable[Item], group: GroupBy) -> dict[str, list[Item]]:
    """The items by what they have in common; groups are in the order of their first item."""
    name = _NAMES[group]
    groups: dict[str, list[Item]] = {}
    for item in items:
        groups.setdefault(name(item), []).append(item)
    return groups


def _risk(item: Waiting) -> int:
    """Unnamed risk stands between medium and low: it may be anything."""
    return RISKS.index(item.risk) * 2 if item.risk in RISKS else 5


_SORTS: dict[SortBy, Callable[[Waiting], float]] = {
    "worth": lambda item: -item.worth, "confidence": lambda item: item.confidence, "risk": _risk,
}
_NAMES: dict[GroupBy, Callable[[Waiting], str]] = {
    "none": lambda item: "",
    "entity": lambda item: item.target or NO_ENTITY,
    "kind": lambda item: spoken(item.operation).capitalize(),
    "actor": lambda item: item.source or NOBODY,
    "day": lambda item: item.when[:10] or NO_DAY,
}
