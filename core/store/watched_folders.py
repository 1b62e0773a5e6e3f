"""What is remembered of watched folders, in the sidecar of a graph.

It is no part of what undo takes back: a step that a person has undone is not done again. A backup
has what the notes said then, so that a restored graph is compared with that.
"""

import json
from collections.abc import Collection, Mapping

from core.model.watched_folder import LastStep, Stamp, WatchedFolder, WatchedNote, WrittenRow
from core.store.reader_and_writer import new_id
from core.store.sidecar import Sidecar


def add(sidecar: Sidecar, agent: str, path: str, since: str) -> None:
    """Watch a folder for an agent; one that is watched already stays as it is."""
    with sidecar.turn() as run:
        run.execute("INSERT OR IGNORE INTO watched_folders (id, agent_id, path, since)"
                    " VALUES (?, ?, ?, ?)", (new_id(), agent, path, since))


def remove(sidecar: Sidecar, id: str) -> None:
    """Forget a folder and what its notes said; the graph stays as it is."""
    with sidecar.turn() as run:
        for table, key in (("watched_rows", "folder_id"), ("watched_notes", "folder_id"),
                           ("watched_steps", "folder_id"), ("watched_folders", "id")):
            run.execute(f"DELETE FROM {table} WHERE {key} = ?", (id,))


def folders(sidecar: Sidecar, agent: str) -> list[WatchedFolder]:
    """The folders that are watched for an agent, by their paths."""
    with sidecar.turn() as run:
        rows = run.execute(
            "SELECT id, agent_id, path, since, changed_at, changes, fault FROM watched_folders"
            " WHERE agent_id = ? ORDER BY path", (agent,)).fetchall()
    return [WatchedFolder(str(id), str(owner), str(path), str(since), str(at), int(steps), str(why))
            for id, owner, path, since, at, steps, why in rows]


def stamps(sidecar: Sidecar, id: str) -> dict[str, Stamp]:
    """The file of each note as it was when it was read."""
    with sidecar.turn() as run:
        rows = run.execute("SELECT place, modified, size FROM watched_notes WHERE folder_id = ?",
                           (id,)).fetchall()
    return {str(row[0]): (int(row[1]), int(row[2])) for row in rows}


def notes(sidecar: Sidecar, id: str) -> dict[str, WatchedNote]:
    """Each note by its place, in the order in which they came."""
    with sidecar.turn() as run:
        rows = run.execute("SELECT place, modified, size, title, permalink, said"
                           " FROM watched_notes WHERE folder_id = ? ORDER BY number",
                           (id,)).fetchall()
    return {str(row[0]): WatchedNote((int(row[1]), int(row[2])), str(row[3]), str(row[4]),
                                     tuple(json.loads(row[5]))) for row in rows}


def written_rows(sidecar: Sidecar, id: str, said: Collection[str]) -> dict[str, WrittenRow]:
    """The rows that were written for these statements."""
    with sidecar.turn() as run:
        rows = run.execute(
            "SELECT said, row_id, archived FROM watched_rows WHERE folder_id = ?"
            " AND said IN (SELECT value FROM json_each(?))",
            (id, json.dumps(list(said)))).fetchall()
    return {str(row[0]): WrittenRow(str(row[1]), bool(row[2])) for row in rows}


def every_written_row(sidecar: Sidecar, id: str) -> dict[str, WrittenRow]:
    """The rows that were written for any statement."""
    with sidecar.turn() as run:
        rows = run.execute("SELECT said, row_id, archived FROM watched_rows WHERE folder_id = ?",
                           (id,)).fetchall()
    return {str(row[0]): WrittenRow(str(row[1]), bool(row[2])) for row in rows}


def last_step(sidecar: Sidecar, id: str) -> LastStep | None:
    """The step that was written last; None before the first."""
    with sidecar.turn() as run:
        row = run.execute("SELECT entry, tbl, row_id FROM watched_steps WHERE folder_id = ?",
                          (id,)).fetchone()
    return None if row is None else LastStep(int(row[0]), str(row[1]), str(row[2]))


def note_last_step(sidecar: Sidecar, id: str, step: LastStep) -> None:
    """Remember the step that was written last."""
    with sidecar.turn() as run:
        run.execute("INSERT INTO watched_steps VALUES (?, ?, ?, ?) ON CONFLICT (folder_id) DO"
                    " UPDATE SET entry = excluded.entry, tbl = excluded.tbl,"
                    " row_id = excluded.row_id", (id, step.entry, step.table, step.row_id))


def replace_all(
    sidecar: Sidecar, id: str, notes: Mapping[str, WatchedNote], rows: Mapping[str, WrittenRow]
) -> None:
    """Remember these notes and rows instead of all others, and no last step."""
    with sidecar.turn() as run:
        for table in ("watched_notes", "watched_rows", "watched_steps"):
            run.execute(f"DELETE FROM {table} WHERE folder_id = ?", (id,))
    keep(sidecar, id, notes, (), rows)


def keep(
    sidecar: Sidecar, id: str, read: Mapping[str, WatchedNote], gone: Collection[str],
    rows: Mapping[str, WrittenRow],
) -> None:
    """Remember what was read of notes, which are gone, and what was written for statements."""
    with sidecar.turn() as run:
        run.execute("BEGIN IMMEDIATE")
        try:
            if run.execute("SELECT 1 FROM watched_folders WHERE id = ?", (id,)).fetchone():
                run.executemany("DELETE FROM watched_notes WHERE folder_id = ? AND place = ?",
                                [(id, place) for place in gone])
                run.executemany(
                    "INSERT INTO watched_notes (folder_id, place, modified, size, title, permalink,"
                    " said) VALUES (?, ?, ?, ?, ?, ?, ?) ON CONFLICT (folder_id, place) DO UPDATE"
                    " SET modified = excluded.modified, size = excluded.size, title ="
                    " excluded.title, permalink = excluded.permalink, said = excluded.said",
                    [(id, place, *note.stamp, note.title, note.permalink, json.dumps(note.said))
                     for place, note in read.items()])
                run.executemany(
                    "INSERT INTO watched_rows VALUES (?, ?, ?, ?) ON CONFLICT (folder_id, said) DO"
                    " UPDATE SET row_id = excluded.row_id, archived = excluded.archived",
                    [(id, said, row.id, int(row.archived)) for said, row in rows.items()])
            run.execute("COMMIT")
        finally:
            if run.in_transaction:
                run.execute("ROLLBACK")


def note_steps(sidecar: Sidecar, id: str, steps: int, at: str) -> None:
    """Count steps that were written; the count begins anew each day."""
    with sidecar.turn() as run:
        run.execute("UPDATE watched_folders SET changes = ? + CASE WHEN substr(changed_at, 1, 10)"
                    " = substr(?, 1, 10) THEN changes ELSE 0 END, changed_at = ? WHERE id = ?",
                    (steps, at, at, id))


def note_fault(sidecar: Sidecar, id: str, fault: str) -> None:
    """Remember why a folder can't be looked at; empty once it can."""
    with sidecar.turn() as run:
        run.execute("UPDATE watched_folders SET fault = ? WHERE id = ?", (fault, id))
