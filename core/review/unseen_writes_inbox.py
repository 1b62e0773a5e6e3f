"""The inbox: what agents and programs wrote by themselves since the person last looked."""

from collections.abc import Iterator, Sequence
from datetime import datetime

from msgspec.structs import replace

from core import error_advice
from core.errors import OperationError
from core.model.inbox import MEMORY, Inbox, InboxItem
from core.queries.disputes import turned_down
from core.queries.hide_writes_of_held_agents import first_moment, hands_held, since_of
from core.queries.outdated_memories import standing
from core.queries.unseen_writes import unseen
from core.store.reader_and_writer import Reader

MOST = 5000
"""The newest rows of each table that are looked through."""
EVER = "0"
"""A time before all."""


def inbox(reader: Reader, *, since: str = "", now: datetime | None = None) -> Inbox:
    """What is new, grouped by who wrote it in which session about what, the newest group first.

    Args:
        since: look at what was written after this time, instead of since the person last looked.
    """
    after = since or since_of(reader, now) or first_moment(now)
    held = hands_held(reader)
    items, partial = unseen(reader, after, MOST, held=held)
    items = _with_decisions(reader, [one for one in items if not one.restated])
    return Inbox(tuple(_grouped(items)), after, partial, tuple(sorted(held)))


def find_item(reader: Reader, id: str) -> InboxItem:
    """The item whose id begins so, or whose kind and id do; 404 for none, 409 for several.

    One that was listed from an earlier day is found, too.
    """
    start = id.strip()
    items = [one for one in inbox(reader, since=EVER).items
             if start and (one.id.startswith(start) or one.key.startswith(start))]
    exact = [one for one in items if start in (one.id, one.key)] or items
    if not exact:
        raise OperationError(404, f"Nothing in the inbox has the id {id}", field="id",
                             do=error_advice.INBOX)
    if len(exact) > 1:
        raise OperationError(409, f"Several items have an id that starts with {id}", field="id",
                             do=f"Use “{exact[0].key}”")
    return exact[0]


def _with_decisions(reader: Reader, items: Sequence[InboxItem]) -> list[InboxItem]:
    """The items, the memories among them with what a person has decided against all they say."""
    decided = turned_down(reader) if items else {}
    ids = {one.id for one in items if one.kind == MEMORY and one.id in decided}
    past = standing(reader, ids).past
    return [replace(one, turned_down=decided[one.id])
            if one.kind == MEMORY and one.id in past else one for one in items]


def _grouped(items: Sequence[InboxItem]) -> Iterator[InboxItem]:
    """Those of one group together, rules before the rest; the newest group first."""
    newest: dict[tuple[str, str, str], str] = {}
    for one in items:
        newest[one.group] = max(newest.get(one.group, ""), one.written_at)
    ordered = sorted(items, key=lambda one: one.written_at, reverse=True)
    ordered.sort(key=lambda one: one.constraint, reverse=True)
    ordered.sort(key=lambda one: (newest[one.group], one.group), reverse=True)
    return iter(ordered)
