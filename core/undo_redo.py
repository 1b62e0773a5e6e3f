"""Undo and redo: an entry of the history is taken back, or done again."""

from pathlib import Path

from msgspec import Struct

from core.error_advice import BACKUPS, back_to
from core.errors import UndoRefused
from core.model.changes import RestoreStep, Step
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
    _refuse_unseen(row, way, entry, shown)
    label = log.move(writer, row, way.leads_to, force=force)
    refuse_changed_rules(writer)
    keep_in_step(writer, moved=True)
    return label, int(row["id"]), f"{way.word.capitalize()}: {label}"


def try_entry(
    writer: Writer, log: UndoLog, way: Way, entry: int | None, before: int | None, *, force: bool
) -> str:
    """Move the rows of one entry, and not the entry, for a look that is rolled back; its label."""
    row = _chosen(writer, log, way, entry, before)
    if _backup_to_put_back(log, row) is None:
        log.reverse(writer, row, way.leads_to, force=force)
    return str(row["label"])


def restore_to_move(
    agent: str, log: UndoLog, way: Way, entry: int | None, shown: Step | None, before: int | None
) -> tuple[RestoreStep, Path] | None:
    """Where the entry to move is a restore: what it will be, and the backup to put back for it.

    Raises UndoRefused as `move_entry`, and where it would take away more than the restore.
    """
    row = log.find(agent, way.nexts if entry is None else way.named, entry, before)
    if row is None:
        return None
    backup = _backup_to_put_back(log, row)
    if backup is None:
        return None
    _refuse_unseen(row, way, entry, shown)
    return RestoreStep(str(row["label"]), row["at"], row["who"], way.leads_to), backup


def _backup_to_put_back(log: UndoLog, row: Row) -> Path | None:
    backup = log.way_back(row)
    if backup is None:
        return None
    later = log.first_after(row)
    if not backup.exists():
        raise UndoRefused("The backup that this step goes back to is gone", where=str(backup),
                          do=BACKUPS)
    if later is not None or row["state"] == "abandoned":
        first = f"“{later['label']}” (step {later['id']})" if later else "What"
        raise UndoRefused(
            f"{first} came after this restore, and would go with it", where=str(row["label"]),
            do=back_to(str(backup)))
    return backup


def _refuse_unseen(row: Row, way: Way, entry: int | None, shown: Step | None) -> None:
    if entry is None and shown is not None and number(row, "moved") > shown.moved:
        raise UndoRefused(f"“{row['label']}” came in between",
                          do=f"To {way.word} that instead, do it once more")


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
