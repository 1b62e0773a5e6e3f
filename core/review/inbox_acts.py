"""What a person does with an item of the inbox: keep, forget, pin, correct; each one step."""

from collections.abc import Iterable

from core.errors import OperationError
from core.model.inbox import ENTITY, LINK, MEMORY, VALUE, InboxItem
from core.ontology.control import apply
from core.queries.selectors import find_value
from core.review.inbox import inbox, since_of
from core.store.handles import Writer

_FORGET = {VALUE: ("archive_claim_value", "attribute_id"), LINK: ("archive_link", "id"),
           ENTITY: ("archive_entity", "entity"), MEMORY: ("forget_memory", "memory_id")}


def keep(writer: Writer, items: Iterable[InboxItem]) -> int:
    """Mark items as seen; returns how many were not yet."""
    new = 0
    for one in items:
        if not _seen(writer, one):
            writer.insert("inbox_seen", id=one.key, agent_id=writer.agent, seen_at=writer.now())
            new += 1
    return new


def keep_all(writer: Writer) -> int:
    """Mark everything until now as seen; returns how many items that were."""
    count = len(inbox(writer).items)
    if since_of(writer):
        writer.delete_where("inbox_since", "agent_id = :agent")
    writer.insert("inbox_since", agent_id=writer.agent, since=writer.now())
    writer.delete_where("inbox_seen", "agent_id = :agent")
    return count


def forget(writer: Writer, item: InboxItem) -> None:
    """Take it out of the graph: archived, or forgotten where it is a memory."""
    operation, field = _FORGET[item.kind]
    apply(writer, operation, {field: item.id, "force": True, "reason": "not kept"}, force=True)
    keep(writer, (item,))


def pin(writer: Writer, item: InboxItem) -> None:
    """Have it always told: its entity is pinned; a memory without one is pinned itself."""
    if item.entity_id:
        apply(writer, "pin_entity", {"entity": item.entity_id})
    elif item.kind == MEMORY:
        writer.update("memories", item.id, pinned=1, updated_at=writer.now())
    keep(writer, (item,))


def correct(writer: Writer, item: InboxItem, value: str) -> None:
    """Give a value other words, as its next version.

    Raises OperationError (400) where the item is no value, or the words are empty.
    """
    if item.kind != VALUE:
        raise OperationError(400, "Only a value can be corrected here", field="id",
                             do="Forget it, and write down what is right")
    row = find_value(writer, item.id)
    apply(writer, "set_claim_value", {
        "entity": row["entity_id"], "aspect": row["aspect_id"], "kind": row["kind"],
        "group_key": row["group_key"] or "general", "claim_key": row["claim_key"],
        "value": value, "force": True}, force=True)
    keep(writer, (item,))


def _seen(writer: Writer, item: InboxItem) -> bool:
    return bool(writer.value("SELECT 1 FROM side.inbox_seen WHERE id = :id AND agent_id = :agent",
                             id=item.key))
