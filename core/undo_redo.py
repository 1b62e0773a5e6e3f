"""Undo and redo: an entry of the history is taken back, or done again."""

from msgspec import Struct

from core.errors import UndoRefused
from core.model.changes import Step
from core.ontology.memory_for_every_value import keep_in_step
from core.ontology.person_only_changes import refuse_changed_rules
from core.store.database import Row
from core.store.read_undo_steps import number
from core.store.reader_and_writer import Writer
from core.store.undo_log import UndoLog, not_there


class Way(Struct, frozen=True):
    """One of the two ways.

    Attributes:
        word: its name.
        nexts: the states of entries that are next on it.
        named: the states of those that can be asked for by number.
        leads_to: the state of an entry afterwards.
    """

    word: str
    nexts: tuple[str, ...]
    named: tuple[str, ...]
    leads_to: str


UNDO = Way("undo", ("done",), ("done",), "undone")
REDO = Way("redo", ("undone",), ("undone", "abandoned"), "done")


def move_entry(
    writer: Writer, log: UndoLog, way: Way, entry: int | None, shown: Step | None,
    before: int | None, *, force: bool,
) -> tuple[str, int, str]:
    """Move one entry; returns its label, its number and what to announce.

    Raises UndoRefused when there is none, or when others have changed the same since.
    """
    row = _chosen(writer, log, way, entry, before)
    if entry is None and shown is not None and number(row, "moved") > shown.moved:
        raise UndoRefused(f"“{row['label']}” came in between",
                          do=f"To {way.word} that instead, do it once more")
    label = log.move(writer, row, way.leads_to, force=force)
    refuse_changed_rules(writer)
    keep_in_step(writer, moved=True)
    return label, int(row["id"]), f"{way.word.capitalize()}: {label}"


def try_entry(
    writer: Writer, log: UndoLog, way: Way, entry: int | None, before: int | None, *, force: bool
) -> str:
    """Move the rows of one entry, and not the entry, for a look that is rolled back; its label."""
    row = _chosen(writer, log, way, entry, before)
    log.reverse(writer, row, way.leads_to, force=force)
    return str(row["label"])


def _chosen(
    writer: Writer, log: UndoLog, way: Way, entry: int | None, before: int | None
) -> Row:
    row = log.find(writer.agent, way.nexts if entry is None else way.named, entry, before)
    if row is None:
        raise not_there(log.entry(writer.agent, entry), entry, way.word)
    return row


def next_step(log: UndoLog, agent: str, way: Way) -> Step | None:
    """What would be moved next, None if there is nothing."""
    row = log.find(agent, way.nexts)
    return None if row is None else Step(str(row["label"]), number(row, "moved"))
