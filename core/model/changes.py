"""What one commit touched, the message that panels decide on; and what was done, as a history."""

from collections.abc import Iterable, Mapping

from msgspec import Struct, field

from core.model.entity import Counts
from core.model.memory_text_of_value import DERIVED_HASH

IMPORT = "Import "
"""How the label of an import begins, in the history and for what reads it."""
SESSION_START = "Start the session "
"""How the label begins of what is noted when a session starts: undo without a number passes it
over, since nobody means it who takes their last change back."""


class Step(Struct, frozen=True):
    """What undo or redo would do next.

    Attributes:
        moved: its place in the order in which entries of the history were done and undone.
    """

    label: str
    moved: int


class RestoreStep(Struct, frozen=True):
    """A restore as an entry of the history; `at` is when it was first done, `state` what it is now.
    """

    label: str
    at: str
    who: str
    state: str = "done"


class RowChange(Struct, frozen=True):
    """One row before and after a commit; None where the row did not exist.

    Values are Python values by column name. A row that was changed several times in one
    transaction appears once, with its first `before` and its last `after`.
    """

    table: str
    key: tuple[object, ...]
    before: Mapping[str, object] | None
    after: Mapping[str, object] | None

    @property
    def columns(self) -> tuple[str, ...]:
        """The columns whose value differs, in table order; all of them for a new or gone row."""
        if self.before is None or self.after is None:
            return tuple(self.before or self.after or ())
        return tuple(c for c in self.after if self.before.get(c) != self.after[c])


def without_derived(changes: Iterable[RowChange]) -> tuple[RowChange, ...]:
    """The changes without those of memories that follow from values (`ontology.claim_memories`).

    Nobody decides on them, so nobody is shown them beside what makes them.
    """
    changes = tuple(changes)
    derived = {change.key[0] for change in changes if change.table == "memories"
               and str((change.after or change.before or {}).get("content_hash") or ""
                       ).startswith(DERIVED_HASH)}
    return tuple(change for change in changes if not (
        change.table in ("memories", "memory_entity_mentions") and change.key[0] in derived
        or change.columns == ("memory_id",) and change.key[0] in derived))


class CountChange(Struct, frozen=True):
    """What commits of this process have added to each count of the agent's graph.

    Attributes:
        first: how many had been made before.
        last: how many had been made with them.
        by: the numbers; None where only counting anew tells.
    """

    first: int
    last: int
    by: Counts | None = None


class Changes(Struct, frozen=True):
    """Tables and primary keys that one commit touched, and who started it.

    `external` is True when another process wrote: `tables` is then every table and `ids` is
    empty, because SQLite only reports that something changed. Where it is known that what another
    process wrote lies in some `ranges` of the numbers of rows (`rowid`, first and last), the rows
    of such a table are told by those instead of ids.
    """

    tables: frozenset[str]
    ids: Mapping[str, frozenset[str]] = field(default_factory=dict)
    initiator: str = ""
    label: str = ""
    external: bool = False
    ranges: Mapping[str, tuple[tuple[int, int], ...]] = field(default_factory=dict)
    counted: CountChange | None = None
    """None of what another process wrote."""

    def tells_rows(self, table: str) -> bool:
        """True if it is known which rows of a touched table may be other."""
        return bool(self.ids.get(table) or self.ranges.get(table))

    def touches(self, *tables: str) -> bool:
        """True if any of `tables` was changed, or may have been by another process."""
        return self.external or bool(self.tables.intersection(tables))


class Activity(Struct, frozen=True):
    """One commit or one decided proposal.

    `undo_id` is the entry's number in the undo log; None for changes by others, which cannot be
    taken back from here. `state` is `done`, `undone` or `abandoned` (an undone entry that a
    newer change has replaced), or the proposal's status.
    """

    when: str
    label: str
    who: str
    state: str
    undo_id: int | None
    rows: int = 0
    tables: tuple[str, ...] = ()
    entity_ids: tuple[str, ...] = ()
    proposal_id: str | None = None
