"""The inbox's types: what agents and programs wrote by themselves, unseen so far."""

from msgspec import Struct

MEMORY, VALUE, LINK, ENTITY = "memory", "value", "link", "entity"
ASSERTION = "assertion"
KINDS = (MEMORY, VALUE, LINK, ENTITY, ASSERTION)
OTHER = "another program"
"""Who wrote what has no author on record."""


class InboxItem(Struct, frozen=True):
    """One thing that was written by a hand that is not the person's.

    Attributes:
        by: who wrote it.
        session: what it was written in, where that is known; else the day.
        source_id: the memory that it rests on; of a memory itself.
        constraint: it is a rule that is told in every session about its entity.
        waits: it is held back: nobody is told it until the person has seen it.
        turned_down: what a person has decided holds instead: this is told to nobody, kept or not.
        restated: a memory of which a value says just the same: that one is looked at.
    """

    kind: str
    id: str
    text: str
    by: str
    written_at: str
    session: str = ""
    entity_id: str = ""
    entity_name: str = ""
    source_id: str = ""
    constraint: bool = False
    waits: bool = False
    restated: bool = False
    turned_down: str = ""

    @property
    def key(self) -> str:
        """What it is known by: `value 3f2a…`; a value and its memory may share an id."""
        return f"{self.kind} {self.id}"

    @property
    def group(self) -> tuple[str, str, str]:
        """Who wrote it, in which session, about what."""
        return self.by, self.session, self.entity_name


class Inbox(Struct, frozen=True):
    """The items, grouped, the newest group first.

    Attributes:
        since: what was written before counts as seen.
        partial: true if more than is looked through was written since.
        held: who is held back: what they write is told to nobody until the person has seen it.
    """

    items: tuple[InboxItem, ...] = ()
    since: str = ""
    partial: bool = False
    held: tuple[str, ...] = ()
