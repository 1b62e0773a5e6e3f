"""What a person does with an item of the inbox: keep, forget, pin, correct; each one step."""

from collections.abc import Iterable, Sequence

from core.errors import OperationError
from core.model.inbox import ASSERTION, ENTITY, LINK, MEMORY, OTHER, VALUE, InboxItem
from core.ontology.control import apply
from core.queries.authors import is_person, name_alone, names_a_person
from core.queries.find_by_name_or_id import find_value
from core.queries.hide_writes_of_held_agents import first_moment, hands_held, since_of
from core.review.unseen_writes_inbox import inbox
from core.store.reader_and_writer import Writer

_FORGET = {VALUE: ("archive_claim_value", "attribute_id"), LINK: ("archive_link", "id"),
           ENTITY: ("archive_entity", "entity"), MEMORY: ("forget_memory", "memory_id"),
           ASSERTION: ("archive_assertion", "id")}


def keep(writer: Writer, items: Iterable[InboxItem]) -> int:
    """Mark items as seen; returns how many were not yet.

    Raises OperationError (403) where an agent asks for something that is held back.
    """
    items, new = tuple(items), 0
    _refuse_agents(writer, items)
    for one in items:
        if not _seen(writer, one):
            writer.insert("inbox_seen", id=one.key, agent_id=writer.agent, seen_at=writer.now())
            new += 1
    return new


def keep_all(writer: Writer) -> int:
    """Mark everything until now as seen; returns how many items that were."""
    items = inbox(writer).items
    _refuse_agents(writer, items)
    _look_from(writer, writer.now())
    writer.delete_where("inbox_seen", "agent_id = :agent")
    return len(items)


def _look_from(writer: Writer, moment: str) -> None:
    writer.delete_where("inbox_since", "agent_id = :agent")
    writer.insert("inbox_since", agent_id=writer.agent, since=moment)


def hold(writer: Writer, by: str) -> int:
    """Hold back what a hand writes until the person has seen it; returns how many items wait.

    What is in the inbox from this hand already is held, too. Raises OperationError: 400 for a
    person's name, 403 where it is not a person who asks.
    """
    hand = _hand(writer, by)
    if names_a_person(hand):
        raise OperationError(400, f"{by.strip()} is a person", field="by",
                             do="Only what an agent or another program writes is held back")
    if hand not in hands_held(writer):
        if not since_of(writer):  # What is new now stays new, however long nobody looks.
            _look_from(writer, first_moment())
        writer.insert("inbox_holds", hand=hand, agent_id=writer.agent, since=writer.now())
    return sum(name_alone(one.by) == hand for one in inbox(writer).items)


def release(writer: Writer, by: str) -> int:
    """Tell what a hand writes at once again; returns how many items waited. Raises as `hold`."""
    hand = _hand(writer, by)
    waited = sum(one.waits and name_alone(one.by) == hand for one in inbox(writer).items)
    writer.delete_where("inbox_holds", "agent_id = :agent AND hand = :hand", hand=hand)
    return waited


def _refuse_agents(writer: Writer, items: Sequence[InboxItem] | None = None) -> None:
    """Raise OperationError where an agent would release what is held back."""
    if not is_person(writer) and (items is None or any(one.waits for one in items)):
        raise OperationError(403, "Only a person decides about what is held back", field="id")


def _hand(writer: Writer, by: str) -> str:
    """The hand that is meant, as it is stored."""
    _refuse_agents(writer)
    hand = name_alone(by)
    if not hand:
        raise OperationError(400, "Nobody is named", field="by",
                             do=f"Use a name from the inbox, such as “{OTHER}”")
    return hand


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
