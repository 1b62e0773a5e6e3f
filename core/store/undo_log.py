"""Stores every commit's reverse next to the file, so that undo is unlimited and survives a restart.

An entry's steps are always those that, reversed, move it to its other state: undoing records the
steps of the redo in their place.

SQLite does not commit two files at once, so an entry is written ahead: intended before the graph
commits, confirmed after. What a killed process left open is settled by looking at the rows
themselves, under the graph's write lock.
"""

import json
import sqlite3
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from itertools import chain, islice
from pathlib import Path

from msgspec.structs import replace

from core.errors import UndoRefused
from core.model.changes import SESSION_START, Activity, RestoreStep, RowChange
from core.model.text_formatting import one_line
from core.store.database import Row, in_words
from core.store.journal_blocks import block_of
from core.store.read_undo_steps import (
    backwards,
    changes,
    columns_changed,
    is_import,
    net,
    number,
    steps_of,
    times_of,
    went_with_a_backup,
)
from core.store.reader_and_writer import Writer
from core.store.recreate_deleted_file import KeptFile
from core.store.sidecar_file import prepare

SCHEMA = """
CREATE TABLE IF NOT EXISTS entries (
    id INTEGER PRIMARY KEY AUTOINCREMENT, at TEXT NOT NULL, agent_id TEXT NOT NULL,
    label TEXT NOT NULL, who TEXT NOT NULL, initiator TEXT NOT NULL DEFAULT '',
    state TEXT NOT NULL CHECK (state IN ('new', 'done', 'undone', 'abandoned')),
    intent TEXT CHECK (intent IN ('done', 'undone')),
    turn INTEGER NOT NULL DEFAULT 0, moved INTEGER NOT NULL DEFAULT 0,
    rows INTEGER NOT NULL, columns TEXT NOT NULL, proposal_id TEXT);
CREATE INDEX IF NOT EXISTS entries_state ON entries(agent_id, state, moved);
CREATE INDEX IF NOT EXISTS entries_open ON entries(intent) WHERE intent IS NOT NULL;
CREATE TABLE IF NOT EXISTS steps (
    entry INTEGER NOT NULL REFERENCES entries(id) ON DELETE CASCADE, turn INTEGER NOT NULL,
    seq INTEGER NOT NULL, tbl TEXT NOT NULL, key TEXT NOT NULL, before TEXT, after TEXT,
    PRIMARY KEY (entry, turn, seq));
CREATE INDEX IF NOT EXISTS steps_table ON steps(entry, tbl);
CREATE TABLE IF NOT EXISTS blocks (
    entry INTEGER NOT NULL REFERENCES entries(id) ON DELETE CASCADE, turn INTEGER NOT NULL,
    seq INTEGER NOT NULL, tbl TEXT NOT NULL, before BLOB, after BLOB, rows INTEGER NOT NULL,
    PRIMARY KEY (entry, turn, seq));
CREATE TABLE IF NOT EXISTS moves (
    entry INTEGER NOT NULL REFERENCES entries(id) ON DELETE CASCADE, turn INTEGER NOT NULL,
    at TEXT NOT NULL, PRIMARY KEY (entry, turn)) WITHOUT ROWID;
CREATE INDEX IF NOT EXISTS moves_at ON moves(at);
CREATE TABLE IF NOT EXISTS restores (
    entry INTEGER PRIMARY KEY REFERENCES entries(id) ON DELETE CASCADE, back TEXT NOT NULL);
"""
# Steps have rowids: in an index that holds the rows themselves, every search past a row with a huge
# text reads all of that text, and taking back 10,000 entities took 40 seconds instead of 4.
MANY = 2_000
"""Rows that a change of another process may have touched to be told one by one."""
EVERY_AGENT = ""
"""Whose entry a restore is: it gives every agent other contents."""
NAMED = 8
"""Entities named with an entry of the history, for the jump to them."""


class UndoLog(KeptFile):
    """The undo entries of one graph file, in a file of their own; usable from any thread."""

    def __init__(self, path: Path) -> None:
        prepare(path, SCHEMA)
        super().__init__(path, ["synchronous = NORMAL", "foreign_keys = ON"])

    @contextmanager
    def _transaction(self) -> Iterator[sqlite3.Connection]:
        with self.turn() as run:
            run.execute("BEGIN IMMEDIATE")
            try:
                yield run
                run.execute("COMMIT")
            finally:
                if run.in_transaction:
                    run.execute("ROLLBACK")

    # -- writing ahead -------------------------------------------------------------------------

    def intend(self, writer: Writer, label: str, initiator: str) -> int | None:
        """Record what the open transaction is about to commit; None if it changes nothing."""
        rows = writer.journal.count()
        if not rows:
            return None
        with self._transaction() as run:
            entry = int(run.execute(
                "INSERT INTO entries (at, agent_id, label, who, initiator, state, intent, rows, "
                "columns, proposal_id) VALUES (?, ?, ?, ?, ?, 'new', 'done', ?, ?, ?) "
                "RETURNING id",
                (writer.now(), writer.agent, label, writer.actor, initiator, rows,
                 writer.journal.columns(), writer.audit_id)).fetchone()[0])
            _keep(run, writer, entry, 1)
        return entry

    def move(self, writer: Writer, entry: Row, state: str, *, force: bool = False) -> str:
        """Reverse an entry's steps in the open transaction, leave an audit row there and write
        the move down; returns the entry's label. `force` as for `Journal.reverse`.

        Raises UndoRefused when a row has changed since.
        """
        self.reverse(writer, entry, state, force=force)
        with self._transaction() as run:
            run.execute("UPDATE entries SET intent = ? WHERE id = ?", (state, entry["id"]))
            _keep(run, writer, entry["id"], number(entry, "turn") + 1)
        word = "undo" if state == "undone" else "redo"
        writer.audit(operation=word, payload={"label": entry["label"], "entry": entry["id"]},
                     rationale=f"{word.capitalize()}: {entry['label']}")
        return str(entry["label"])

    def reverse(self, writer: Writer, entry: Row, state: str, *, force: bool = False) -> None:
        """The rows alone, as for `move`: the log stays as it is."""
        if writer.kind == "native":
            writer.connection.execute("PRAGMA defer_foreign_keys = ON")
        with self.turn() as run:
            columns = columns_changed(entry)
            steps = steps_of(run, entry, columns, last_first=True)
            first = next(steps, None)
            if first is None:
                raise UndoRefused("No data was stored for this step", where=entry["label"])
            try:
                with in_words(writer.path):
                    writer.journal.reverse(chain((first,), steps), columns, force=force)
            except UndoRefused as error:
                error.entry = int(entry["id"])
                if state != "undone":
                    error.by_force = False
                    raise
                raise in_the_way(run, writer, entry, error) from error

    def confirm(self, entry: int) -> None:
        """The graph has committed: the entry is in the state that was intended."""
        with self._transaction() as run:
            row = run.execute(
                "SELECT * FROM entries WHERE id = ? AND intent IS NOT NULL", (entry,)).fetchone()
            if row is None:
                return  # another process has settled it
            if row["state"] == "new":
                run.execute("UPDATE entries SET state = 'abandoned' "
                            "WHERE state = 'undone' AND agent_id IN (?, ?)",
                            (row["agent_id"], EVERY_AGENT))
            run.execute(
                "UPDATE entries SET state = intent, intent = NULL, turn = turn + 1, "
                "moved = (SELECT max(moved) + 1 FROM entries) WHERE id = ?", (entry,))
            for table in _KEPT_IN:
                run.execute(f"DELETE FROM {table} WHERE entry = ? AND turn <= ?",
                            (entry, row["turn"]))

    def drop(self, entry: int) -> None:
        """Delete the intended entry: the graph has not committed it."""
        with self._transaction() as run:
            run.execute("DELETE FROM entries WHERE id = ? AND state = 'new'", (entry,))
            for table in (*_KEPT_IN, "moves"):
                run.execute(f"DELETE FROM {table} WHERE entry = ? AND turn > "
                            "(SELECT turn FROM entries WHERE id = ?)", (entry, entry))
            run.execute("UPDATE entries SET intent = NULL WHERE id = ?", (entry,))

    def settle(self, writer: Writer) -> None:
        """Decide what a killed process left open, by the rows of the graph.

        Call it under the graph's write lock, so that no living process is half-way.
        """
        with self.turn() as run:
            left = run.execute("SELECT * FROM entries WHERE intent IS NOT NULL").fetchall()
        for entry in left:
            happened = False
            # What is damaged can't be taken back, so it need not be kept.
            with self.turn() as run, suppress(UndoRefused):
                happened = writer.journal.holds([*steps_of(
                    run, entry, columns_changed(entry), later=1)])
            if happened:
                self.confirm(entry["id"])
            else:
                self.drop(entry["id"])

    def abandon_since(self, moment: str) -> None:
        """The graph is as it was at this moment: what was done later is neither done nor undone."""
        with self._transaction() as run:
            run.execute("UPDATE entries SET state = 'abandoned' WHERE at > ?", (moment,))

    def note_restore(self, step: RestoreStep, back: Path) -> int:
        """A backup has been put in the graph's place, or what was there before: the newest entry.

        Args:
            back: the backup of what was there, which moving the entry puts back.
        """
        with self.turn() as run:
            run.executescript(SCHEMA)  # The log of an earlier version may have come with it.
        with self._transaction() as run:
            run.execute("DELETE FROM entries WHERE at = ? AND id IN (SELECT entry FROM restores)",
                        (step.at,))
            entry = int(run.execute(
                "INSERT INTO entries (at, agent_id, label, who, state, turn, moved, rows, columns) "
                "VALUES (?, ?, ?, ?, ?, ?, (SELECT coalesce(max(moved), 0) + 1 FROM entries), 0, "
                "'{}') RETURNING id",
                (step.at, EVERY_AGENT, step.label, step.who, step.state,
                 1 if step.state == "done" else 2)).fetchone()[0])
            run.execute("INSERT INTO restores VALUES (?, ?)", (entry, str(back)))
        return entry

    # -- reading -------------------------------------------------------------------------------

    def open_entry(self) -> int | None:
        """The entry that was intended last and is not settled, if there is one."""
        with self.turn() as run:
            row = run.execute(
                "SELECT id FROM entries WHERE intent IS NOT NULL ORDER BY id DESC").fetchone()
        return None if row is None else int(row[0])

    def moved(self) -> int | None:
        """How many times entries were done, undone and redone; None while one is half-way."""
        with self.turn() as run:
            moved, half = run.execute(
                "SELECT COALESCE(max(moved), 0), EXISTS (SELECT 1 FROM entries"
                " WHERE intent IS NOT NULL) FROM entries").fetchone()
        return moved if not half and isinstance(moved, int) else None

    def touched_since(self, moved: int) -> dict[str, frozenset[str]] | None:
        """The rows of each table that were changed since `moved` was this; None if they are many.

        The changes of all agents are among them.
        """
        with self.turn() as run:
            if run.execute("SELECT 1 FROM entries WHERE moved > ? AND (agent_id = ?"
                           " OR id IN (SELECT entry FROM blocks))",
                           (moved, EVERY_AGENT)).fetchone():
                return None
            keys = run.execute(
                "SELECT DISTINCT tbl, key FROM steps WHERE entry IN"
                " (SELECT id FROM entries WHERE moved > ?) LIMIT ?", (moved, MANY + 1)).fetchall()
            if len(keys) > MANY:
                return None
            ids: dict[str, set[str]] = {}
            if not all(isinstance(row["key"], str) for row in keys):
                return None  # Damaged: it may be any row.
            for row in keys:
                first = run.execute("SELECT " + row["key"]).fetchone()[0]
                ids.setdefault(row["tbl"], set()).add(str(first))
        return {table: frozenset(keys) for table, keys in ids.items()}

    def find(self, agent: str, states: tuple[str, ...], entry: int | None = None,
             before: int | None = None) -> Row | None:
        """The entry to move next (the one moved last), or the given one if its state allows it.

        The note of a session's start (`SESSION_START`) is none to undo next.

        Args:
            before: leave out this entry and what was moved after it.
        """
        marks = ", ".join("?" for _ in states)
        with self.turn() as run:
            row: Row | None = run.execute(
                f"SELECT * FROM entries WHERE agent_id IN (?, ?) AND state IN ({marks}) "
                "AND (? IS NULL OR id = ?) "
                "AND (? IS NOT NULL OR state <> 'done' OR instr(label, ?) <> 1) "
                "AND (? IS NULL OR moved < (SELECT moved FROM entries WHERE id = ?)) "
                "ORDER BY moved DESC LIMIT 1",
                (agent, EVERY_AGENT, *states, entry, entry, entry, SESSION_START, before,
                 before)).fetchone()
        return row

    def way_back(self, entry: Row) -> Path | None:
        """The backup that moving a restore puts back; None for any other entry."""
        if entry["agent_id"] != EVERY_AGENT:
            return None  # Nor does a log of an earlier version have the table.
        with self.turn() as run:
            row = run.execute("SELECT back FROM restores WHERE entry = ?",
                              (entry["id"],)).fetchone()
        return None if row is None else Path(str(row["back"]))

    def first_after(self, entry: Row) -> Row | None:
        """What anybody did first after an entry, sessions that started left out."""
        with self.turn() as run:
            row: Row | None = run.execute(
                "SELECT * FROM entries WHERE state = 'done' AND moved > ?"
                " AND instr(label, ?) <> 1 ORDER BY moved LIMIT 1",
                (number(entry, "moved"), SESSION_START)).fetchone()
        return row

    def entry(self, agent: str, entry: int | None) -> Row | None:
        """One of the agent's entries, in any state."""
        with self.turn() as run:
            row: Row | None = run.execute(
                "SELECT * FROM entries WHERE agent_id IN (?, ?) AND id = ? AND state <> 'new'",
                (agent, EVERY_AGENT, entry)).fetchone()
        return row

    def history(self, agent: str, limit: int, offset: int) -> list[Activity]:
        """The agent's entries, newest first."""
        with self.turn() as run:
            rows = run.execute(
                "SELECT * FROM entries WHERE agent_id IN (?, ?) AND state <> 'new' "
                "ORDER BY id DESC LIMIT ? OFFSET ?",
                (agent, EVERY_AGENT, limit, offset)).fetchall()
            return [_activity(run, row) for row in rows]

    def times(self, agent: str) -> list[str]:
        """When each of the agent's entries was made."""
        with self.turn() as run:
            return [row["at"] for row in run.execute(
                "SELECT at FROM entries WHERE agent_id IN (?, ?) AND state <> 'new'",
                (agent, EVERY_AGENT))]

    def changes_of(self, entry: int, limit: int) -> tuple[RowChange, ...]:
        """The rows that an entry changed, as it changed them, also if it has been undone since."""
        with self.turn() as run:
            row = run.execute("SELECT * FROM entries WHERE id = ?", (entry,)).fetchone()
            if row is None:
                return ()
            values = net(islice(changes(run, row, columns_changed(row)), limit))
            # What has been undone is kept as the steps of that undoing: the other way round.
            back = row["state"] != "done"
            return tuple(replace(change, before=change.after, after=change.before) if back
                         else change for change in values)

    def changes_since(self, moment: str, audit: Mapping[int, Sequence[str]], *,
                      as_seen: bool = False) -> Iterator[RowChange]:
        """What to take back, in this order, to have the rows as they were at a moment.

        Args:
            moment: as `stamp` of the store writes it; a change of that moment has happened.
            audit: when entries were undone and redone, in order; older logs do not know it.
            as_seen: what an import has brought in later goes, too, however old it is; else it
                stays where its own times are older.
        """
        late = [entry for entry, times in audit.items() if times[-1] > moment]
        with self.turn() as run:
            # What was done before a step of that time was, too: a clock that ran ahead dated it.
            settled = run.execute("SELECT MAX(id) FROM entries WHERE state <> 'new'"
                                  " AND at <= :moment", {"moment": moment}).fetchone()[0] or 0
            entries = run.execute(
                "SELECT * FROM entries WHERE state <> 'new' AND (at > :moment OR id IN"
                " (SELECT entry FROM moves WHERE at > :moment) OR id IN"
                " (SELECT value FROM json_each(:late))) ORDER BY moved DESC",
                {"moment": moment, "late": json.dumps(late)}).fetchall()
            for entry in entries:
                first, *others = times_of(run, entry, audit)
                happened = first <= moment or entry["id"] < settled
                then = (happened + sum(at <= moment for at in others)) % 2 == 1
                if then == (entry["state"] == "done") or went_with_a_backup(entry):
                    continue
                brought = not as_seen and not happened and is_import(entry)
                yield from backwards(run, entry, moment if brought else "")


_KEPT_IN = ("steps", "blocks")
"""The tables with what an entry did."""


def _keep(run: sqlite3.Connection, writer: Writer, entry: int, turn: int) -> None:
    run.execute("INSERT INTO moves VALUES (?, ?, ?) ON CONFLICT (entry, turn) DO UPDATE"
                " SET at = excluded.at", (entry, turn, writer.now()))
    steps = writer.connection.execute(
        "SELECT seq, tbl, key, before, after FROM temp.journal WHERE key IS NOT NULL")
    run.executemany("INSERT INTO steps VALUES (?, ?, ?, ?, ?, ?, ?)",
                    ((entry, turn, *step) for step in steps))
    blocks = writer.connection.execute(
        "SELECT seq, tbl, before, after, rows FROM temp.journal WHERE key IS NULL")
    run.executemany("INSERT INTO blocks VALUES (?, ?, ?, ?, ?, ?, ?)",
                    ((entry, turn, *block) for block in blocks))


def _activity(run: sqlite3.Connection, row: Row) -> Activity:
    from core.model.secret_wording import without_secrets  # noqa: PLC0415  a start reads no history

    columns: dict[str, list[str]] = {}
    with suppress(UndoRefused):  # Undo says what is wrong with it.
        columns = columns_changed(row)
    return Activity(
        # What earlier versions wrote down has them in its words.
        when=row["at"], label=without_secrets(row["label"]), who=row["who"], state=row["state"],
        undo_id=row["id"], rows=row["rows"], tables=tuple(columns),
        entity_ids=_entities(run, row, columns.get("entities")), proposal_id=row["proposal_id"])


def _entities(
    run: sqlite3.Connection, entry: Row, columns: list[str] | None
) -> tuple[str, ...]:
    """The first entities that an entry changed."""
    keys = [row["key"].strip("'") for row in run.execute(
        "SELECT DISTINCT key FROM steps WHERE entry = ? AND tbl = 'entities'"
        " AND typeof(key) = 'text' LIMIT ?",
        (entry["id"], NAMED))]
    block = run.execute("SELECT before, after, rows FROM blocks WHERE entry = ?"
                        " AND tbl = 'entities' ORDER BY seq LIMIT 1", (entry["id"],)).fetchone()
    if block is not None and columns and "id" in columns:
        place = columns.index("id")
        with suppress(UndoRefused, LookupError):  # Undo says what is wrong with it.
            keys += [str(row[place]) for row in block_of(block).unpacked[:NAMED]]
    return tuple(dict.fromkeys(keys))[:NAMED]


_NAMED_BY = {"entities": "name", "entity_aspects": "name", "entity_attributes": "content",
             "memories": "content"}
_SPOKEN = {"entities": "the entity", "entity_aspects": "the aspect",
           "entity_attributes": "the value", "memories": "the memory"}
_LONGEST = 60
_TOLD = 5
"""Steps in the way that are named."""


def not_there(row: Row | None, entry: int | None, word: str) -> UndoRefused:
    """The error if there is nothing to `undo` or `redo`: no step at all, or not this one.

    Args:
        row: the requested entry, in any state; None if not found.
    """
    if entry is None:
        return UndoRefused(f"Nothing to {word}")
    if row is None:
        return UndoRefused(f"Step {entry} not found", do="The history lists the step numbers")
    done = "undone" if word == "undo" else "done"
    return UndoRefused(f"Step {entry}, “{row['label']}”, is {done} already")


def in_the_way(
    log: sqlite3.Connection, writer: Writer, entry: Row, refused: UndoRefused
) -> UndoRefused:
    """The refusal of an undo, with the row by its name and the later steps that changed it."""
    if refused.row is None:
        return refused
    table, key = refused.row
    later = log.execute(
        "SELECT e.id, e.label FROM entries e WHERE e.agent_id = ? AND e.state = 'done'"
        " AND e.moved > ? AND EXISTS (SELECT 1 FROM steps s WHERE s.entry = e.id"
        " AND s.turn = e.turn AND s.tbl = ? AND s.key = ?) ORDER BY e.moved DESC LIMIT ?",
        (entry["agent_id"], entry["moved"], table, key, _TOLD)).fetchall()
    steps = ", then ".join(f"“{row['label']}” (step {row['id']})" for row in later)
    return UndoRefused(
        refused.what, where=_named(writer, table, key) or refused.where, row=refused.row,
        entry=refused.entry, by_force=refused.by_force and not steps, detail=refused.detail,
        do=f"Undo {steps} first" if steps else refused.do)


def _named(writer: Writer, table: str, key: str) -> str:
    """`the entity “NAS”`; empty where the row is gone or has no name."""
    column = _NAMED_BY.get(table)
    if column is None:
        return ""
    row = writer.connection.execute(
        f"SELECT {column} FROM main.{table} WHERE id = {key}").fetchone()
    name = one_line(str(row[0] if row else ""), _LONGEST)
    return f"{_SPOKEN[table]} “{name}”" if name else ""
