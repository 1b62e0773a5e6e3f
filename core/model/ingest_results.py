"""The results of remembering and forgetting."""

from unicodedata import normalize

from msgspec import Struct

from core.model.dispute import Dispute
from core.model.names import seen


class Skipped(Struct, frozen=True):
    """A part of the input that was skipped, and what can be done about it.

    Attributes:
        path: its position, as a JSON path: `$.aspects[0].attributes[2]`.
        name: the entity, aspect or value.
        reason: a word for programs: `too_short`, `attribute_over_cap`.
        what: the same as a sentence.
        do: the remedy; empty where there is none.
    """

    path: str
    name: str
    reason: str
    what: str
    do: str = ""


class Note(Struct, frozen=True):
    """An explanation: the place or thing, its name, the reason."""

    path: str
    name: str
    why: str


class Proposed(Struct, frozen=True):
    """A value that waits for a decision: there was no room for it, or a person said otherwise.

    Attributes:
        path: its position in the input, as a JSON path.
        name: the value.
        proposal_id: the pending proposal that would add it.
        what: which limit is reached, or what a person said.
        could_go: what weighs least of what is there, the weakest first.
    """

    path: str
    name: str
    proposal_id: str
    what: str
    could_go: tuple[str, ...] = ()


class MergedName(Struct, frozen=True):
    """A name that is another one's: spelled otherwise, an alias, or of an entity that was merged.

    Attributes:
        name: as it was given.
        into: what the entity is called.
        type_lost: its type there, if that was not taken; then `type_kept` is the entity's.
        line: the line of the file, from 1; 0 where it stands in no file.
        path: the position as a JSON path, where it stands in a payload.
    """

    name: str
    into: str
    type_lost: str = ""
    type_kept: str = ""
    line: int = 0
    path: str = ""

    @property
    def words(self) -> str:
        """`“Redis” was merged into “redis”; its type “tool” was not taken, it stays “folder”`."""
        lost = f"its type “{self.type_lost}” was not taken, it stays “{self.type_kept}”"
        if self.name.split() == self.into.split():
            return f"“{self.name}”: {lost}"
        composed, other = [normalize("NFC", each) for each in (self.name, self.into)], ""
        if composed[0] == composed[1]:
            other = " (the same letters, stored in another way)"
        elif seen(composed[0]).split() == seen(composed[1]).split():
            other = " (the same but for signs that are not seen)"
        return (f"“{self.name}” was merged into “{self.into}”{other}"
                f"{f'; {lost}' if self.type_lost else ''}")


class RememberReport(Struct, frozen=True):
    """The result of remembering one memory.

    `memory_id` is empty where it was not stored, since it says again what a person took away.
    `duplicate` is `content` or `idempotency_key` if the memory existed already, else empty.
    `notes` are filled only on request.
    """

    memory_id: str
    duplicate: str = ""
    decision: bool = False
    entities_inserted: int = 0
    entities_updated: int = 0
    relations_inserted: int = 0
    relations_updated: int = 0
    mentions_linked: int = 0
    aspects_inserted: int = 0
    attributes_inserted: int = 0
    attributes_known: int = 0
    attributes_superseded: int = 0
    co_occurrences: int = 0
    entity_ids: tuple[str, ...] = ()
    """The entities that the memory is linked with now."""
    attribute_ids: tuple[str, ...] = ()
    superseded_ids: tuple[str, ...] = ()
    replaced_constraints: tuple[str, ...] = ()
    """The words of the rules that a person's own have taken the place of."""
    disputes: tuple[Dispute, ...] = ()
    """What it seems to take back: both values are in force until a person decides."""
    proposed: tuple[Proposed, ...] = ()
    """What is over a cap: it waits for a decision."""
    skipped: tuple[Skipped, ...] = ()
    warnings: tuple[str, ...] = ()
    """What looks like a key or a password, and what stands beside it without a claim key, and what
    to do about it."""
    notes: tuple[Note, ...] = ()
    merged: tuple[MergedName, ...] = ()
    """Names that were known under another spelling or as an alias, and types that were lost."""
    waits: str = ""
    """That nobody is told it yet, in words, where what its author writes is held back."""


class ForgetReport(Struct, frozen=True):
    """What forgetting a memory removed; `notes` give the reason for each thing."""

    memory_id: str
    mentions_removed: int
    entities_orphaned: int
    orphans: tuple[str, ...]
    """Names of the entities that nothing else told of, which are gone with it."""
    attributes_retired: int
    notes: tuple[Note, ...] = ()
