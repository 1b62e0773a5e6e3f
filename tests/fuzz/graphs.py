"""Files of every generation, mutated: by their bytes, their schema or their rows."""

import random
import re
import sqlite3
from collections.abc import Callable
from contextlib import closing
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np

from core.ontology import control
from core.store.database import ordinary_tables
from core.store.sidecar_file import sidecar_path
from core.workspace import Workspace
from tests.contracts.files import KINDS, make
from tests.fuzz.values import ODD_SQL, harm_bytes, harm_database
from tests.templates import Template

FULL_TEXT = """
CREATE VIRTUAL TABLE IF NOT EXISTS memories_fts
    USING fts5(content, content='memories', content_rowid='rowid');
INSERT INTO memories_fts(memories_fts) VALUES ('rebuild');
CREATE TRIGGER IF NOT EXISTS memories_ai AFTER INSERT ON memories BEGIN
    INSERT INTO memories_fts(rowid, content) VALUES (new.rowid, new.content); END;
CREATE TRIGGER IF NOT EXISTS memories_ad AFTER DELETE ON memories BEGIN
    INSERT INTO memories_fts(memories_fts, rowid, content)
    VALUES ('delete', old.rowid, old.content); END;
CREATE TRIGGER IF NOT EXISTS memories_au AFTER UPDATE ON memories BEGIN
    INSERT INTO memories_fts(memories_fts, rowid, content)
    VALUES ('delete', old.rowid, old.content);
    INSERT INTO memories_fts(rowid, content) VALUES (new.rowid, new.content); END;
"""
STEPS = (
    ("set_claim_value", {"entity": "Harbor Ledger", "aspect": "Schedule", "group_key": "nightly",
                         "claim_key": "start_time", "value": "The run starts at eight"}),
    ("create_entity", {"name": "Quay Monitor", "entity_type": "tool"}),
    ("create_link", {"source": "Quay Monitor", "target": "Tide API", "link_type": "uses"}),
    ("pin_entity", {"entity": "Harbor Ledger"}),
    ("mute_entity", {"entity": "Tides API"}),
    ("rename_entity", {"entity": "Anna", "new_name": "Anna Lind"}),
)


@cache
def template(kind: str) -> Template:
    """A file with a history of its own and everything that is kept beside it."""
    with TemporaryDirectory() as name:
        path, folder = Path(name, "graph.db"), Path(name, "data")
        made = make(kind, path, folder)
        made.close()
        if kind != "native":
            with closing(sqlite3.connect(path)) as connection:
                connection.executescript(FULL_TEXT)
        workspace = Workspace.open(path, data_dir=folder)
        for operation, payload in STEPS[kind == "signet-030":]:  # that one has no claims
            workspace.write(operation, lambda w, o=operation, p=payload: control.apply(w, o, p))
        workspace.undo()
        with workspace.read() as reader:
            ids = [row["id"] for row in reader.rows("SELECT id FROM entities")]
        line = np.linspace(0, 1, 2 * len(ids)).reshape(-1, 2)
        workspace.sidecar.save_positions(ids, line.tolist())
        workspace.close()
        return Template.of(path, folder)


def mutate(chance: random.Random, path: Path, folder: Path) -> list[str]:
    """Write a mutated file at `path` and what is kept beside it; returns what was done."""
    kind = chance.choice(KINDS)
    template(kind).copy_to(path, folder)
    done = [kind]
    ways = chance.choices(tuple(WAYS), (30, 20, 30, 10, 4), k=chance.choice((1, 1, 1, 2, 3)))
    for way in sorted(ways, key=tuple(WAYS).index, reverse=True):
        try:
            done.append(f"{way}: {WAYS[way](chance, path, folder)}")
        except (sqlite3.Error, ValueError) as error:
            done.append(f"{way}: not possible ({str(error)[:80]})")
    return done


# -- bytes ---------------------------------------------------------------------------------------


def _bytes(chance: random.Random, path: Path, _folder: Path) -> str:
    harm = chance.choice((harm_database, harm_database, harm_bytes))
    before = path.read_bytes()
    path.write_bytes(after := harm(before, chance))
    both = min(len(before), len(after))
    changed = np.flatnonzero(np.frombuffer(before, np.uint8, both)
                             != np.frombuffer(after, np.uint8, both))
    first = changed[0] if changed.size else len(after)
    return f"{harm.__name__}, first at {first} of {len(before)}, {len(after)} left"


def _logs(chance: random.Random, path: Path, _folder: Path) -> str:
    name = f"{path.name}{chance.choice(('-wal', '-journal', '-shm'))}"
    whole = path.read_bytes()
    body = chance.choice((b"", chance.randbytes(5000), whole[:9000],
                          bytes.fromhex("377f068200 2de218".replace(" ", "")) + whole[:8192],
                          bytes.fromhex("d9d505f920a163d7") + whole[:8192]))
    path.with_name(name).write_bytes(body)
    return f"{name} of {len(body)} bytes"


def _beside(chance: random.Random, path: Path, folder: Path) -> str:
    side = sidecar_path(path, folder)
    file = chance.choice((side, side.with_name(f"{side.stem}-undo.db")))
    if chance.random() < 0.4:
        file.write_bytes(harm_database(file.read_bytes(), chance))
        return f"{file.name[-8:]} bytes"
    with closing(sqlite3.connect(file)) as connection:
        words = chance.choice((_row, _row, _row, _table))(connection, chance)
        connection.commit()
    return f"{file.name[-8:]} {words}"


# -- schema --------------------------------------------------------------------------------------


def _schema(chance: random.Random, path: Path, _folder: Path) -> str:
    if chance.random() < 0.1:
        return _encoding(path, chance)
    with closing(sqlite3.connect(path)) as connection:
        words = chance.choice((_table, _table, _trigger, _trigger, _text_of_schema, _page_size,
                               _full_text))(connection, chance)
        connection.commit()
    return words


def _tables(connection: sqlite3.Connection) -> list[str]:
    return [name for name in ordinary_tables(connection) if not name.startswith("sqlite_")]


def _table(connection: sqlite3.Connection, chance: random.Random) -> str:
    connection.execute("PRAGMA legacy_alter_table = ON")
    table = chance.choice(_tables(connection))
    columns = [row[1] for row in connection.execute(f'PRAGMA table_info("{table}")')]
    column = chance.choice(columns)
    names = ", ".join(f'"{name}"' for name in columns)
    rest = ", ".join(f'"{name}"' for name in columns if name != column)
    odd = chance.choice(ODD_SQL)
    statements = {
        "a view": f'ALTER TABLE "{table}" RENAME TO moved; '
                  f'CREATE VIEW "{table}" AS SELECT * FROM moved',
        "a view of itself": f'ALTER TABLE "{table}" RENAME TO moved; '
                            f'CREATE VIEW "{table}" AS SELECT * FROM "{table}"',
        "an endless view": f'ALTER TABLE "{table}" RENAME TO moved; CREATE VIEW "{table}" AS WITH '
                           f'RECURSIVE n(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM n) '
                           f'SELECT moved.* FROM n, moved',
        "dropped": f'DROP TABLE "{table}"',
        "without a column": f'ALTER TABLE "{table}" RENAME TO moved; '
                            f'CREATE TABLE "{table}" AS SELECT {rest or "1 AS x"} FROM moved; '
                            f'DROP TABLE moved',
        "a renamed column": f'ALTER TABLE "{table}" RENAME COLUMN "{column}" TO renamed',
        "without rules": f'ALTER TABLE "{table}" RENAME TO moved; '
                         f'CREATE TABLE "{table}" AS SELECT * FROM moved; DROP TABLE moved',
        "WITHOUT ROWID": f'ALTER TABLE "{table}" RENAME TO moved; CREATE TABLE "{table}" ({names}, '
                         f'PRIMARY KEY ("{columns[0]}")) WITHOUT ROWID; '
                         f'INSERT OR IGNORE INTO "{table}" SELECT * FROM moved; DROP TABLE moved',
        "a generated column": f'ALTER TABLE "{table}" RENAME TO moved; CREATE TABLE "{table}" '
                              f'({rest or "x"}, "{column}" GENERATED ALWAYS AS ({odd}) VIRTUAL); '
                              f'INSERT INTO "{table}" ({rest or "x"}) SELECT {rest or "1"} '
                              f'FROM moved; DROP TABLE moved',
        "one more column": f'ALTER TABLE "{table}" ADD COLUMN extra DEFAULT {odd}',
        "empty": f'DELETE FROM "{table}"',
    }
    name = chance.choice(tuple(statements))
    connection.executescript(statements[name])
    return f"{table} {name} ({column}, {odd})"


def _trigger(connection: sqlite3.Connection, chance: random.Random) -> str:
    tables = _tables(connection)
    table, other = chance.choice(tables), chance.choice(tables)
    shadows = [row[0] for row in connection.execute(
        "SELECT name FROM pragma_table_list WHERE schema = 'main' AND type = 'shadow'")]
    if shadows and chance.random() < 0.3:
        table = chance.choice(shadows)
    event = chance.choice(("INSERT", "UPDATE", "DELETE"))
    body = chance.choice((
        f'DELETE FROM "{other}"', f'UPDATE "{other}" SET rowid = -rowid',
        f'INSERT INTO "{other}" SELECT * FROM "{other}"', "SELECT RAISE(IGNORE)",
        "SELECT RAISE(ROLLBACK, 'no')", "SELECT RAISE(FAIL, 'no')", "SELECT RAISE(ABORT, '')",
        "SELECT nowhere()", "SELECT load_extension('x')", "SELECT 1 FROM nowhere",
        "INSERT INTO memories_fts(memories_fts) VALUES ('delete-all')",
        "INSERT INTO memories_fts(memories_fts) VALUES ('integrity-check')",
        "DELETE FROM memories_fts_data", f'DELETE FROM "{table}"',
        "WITH RECURSIVE n(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM n LIMIT 100000) "
        "SELECT count(*) FROM n",
    ))
    when = chance.choice(("BEFORE", "AFTER"))
    connection.execute(f'CREATE TRIGGER harm {when} {event} ON "{table}" BEGIN {body}; END')
    return f"{when} {event} ON {table}: {body}"


def _text_of_schema(connection: sqlite3.Connection, chance: random.Random) -> str:
    rows = connection.execute("SELECT rowid, name, sql, rootpage FROM sqlite_master"
                              " ORDER BY rowid").fetchall()
    rowid, name, sql, _ = chance.choice(rows)
    sql = sql or ""
    change = chance.choice((
        lambda: re.sub(r"NOT NULL|CHECK ?\([^()]*\)", "", sql), lambda: sql[:len(sql) // 2],
        lambda: sql.replace("TEXT", chance.choice(("BLOB", "INTEGER", "ANY", ""))),
        lambda: sql.replace("id", "id COLLATE nowhere", 1), lambda: "garbage", lambda: "",
        lambda: sql.replace("fts5", "nowhere5"), lambda: harm_bytes(
            sql.encode() or b"x", chance).decode("utf-8", "replace"),
        lambda: sql.replace("REAL", "TEXT CHECK (nowhere(1))", 1),
        lambda: sql.replace("CREATE TABLE", "CREATE VIEW"), lambda: None))
    what = chance.choice(("sql", "sql", "rootpage", "name", "type", "tbl_name"))
    value: object = change()
    if what == "rootpage":
        value = chance.choice([row[3] for row in rows] + [0, -1, 99999])
    elif what in ("name", "tbl_name"):
        value = chance.choice([row[1] for row in rows] + ["sqlite_x", "", "Ä b\n"])
    elif what == "type":
        value = chance.choice(("view", "index", "trigger", "table", "thing"))
    connection.execute("PRAGMA writable_schema = ON")
    connection.execute(f"UPDATE sqlite_master SET {what} = ? WHERE rowid = ?", (value, rowid))
    return f"{what} of {name} = {str(value)[:60]!r}"


def _encoding(path: Path, chance: random.Random) -> str:
    """The same rows in a database of another encoding."""
    wide, copy = chance.choice(("UTF-16le", "UTF-16be")), path.with_name("wide.db")
    with closing(sqlite3.connect(path)) as connection, closing(sqlite3.connect(copy)) as target:
        target.execute(f"PRAGMA encoding = '{wide}'")
        for pragma in ("application_id", "user_version"):
            number = connection.execute(f"PRAGMA {pragma}").fetchone()[0]
            target.execute(f"PRAGMA {pragma} = {number}")
        virtual = [row[0] for row in connection.execute(
            "SELECT name FROM sqlite_master WHERE sql LIKE 'CREATE VIRTUAL%'")]
        for kind, name, sql in connection.execute(
                "SELECT type, name, sql FROM sqlite_master WHERE sql IS NOT NULL"
                " ORDER BY type = 'trigger', rowid").fetchall():
            if name.startswith(("sqlite_", *(f"{one}_" for one in virtual))) and kind == "table":
                continue
            target.execute(sql)
            if kind == "table" and name not in virtual:
                for row in connection.execute(f'SELECT * FROM "{name}"').fetchall():
                    marks = ", ".join("?" * len(row))
                    target.execute(f'INSERT INTO "{name}" VALUES ({marks})', tuple(row))
        for name in virtual:
            target.execute(f"INSERT INTO {name}({name}) VALUES ('rebuild')")
        target.commit()
    copy.replace(path)
    return wide


def _page_size(connection: sqlite3.Connection, chance: random.Random) -> str:
    size = chance.choice((512, 1024, 8192, 65536))
    connection.execute("PRAGMA journal_mode = DELETE")
    connection.execute(f"PRAGMA page_size = {size}")
    vacuum = chance.choice((0, 1, 2))
    connection.execute(f"PRAGMA auto_vacuum = {vacuum}")
    connection.execute("VACUUM")
    if chance.random() < 0.5:
        connection.execute("PRAGMA journal_mode = WAL")
    return f"pages of {size}, auto_vacuum {vacuum}"


def _full_text(connection: sqlite3.Connection, chance: random.Random) -> str:
    shadows = [row[0] for row in connection.execute(
        "SELECT name FROM pragma_table_list WHERE schema = 'main' AND type = 'shadow'")]
    if not shadows:
        return "no full text left"
    table = chance.choice(shadows)
    columns = [row[1] for row in connection.execute(f'PRAGMA table_info("{table}")')]
    odd, column = chance.choice(ODD_SQL), chance.choice(columns)
    sql = chance.choice((f'UPDATE "{table}" SET "{column}" = {odd}', f'DELETE FROM "{table}"',
                         f'UPDATE "{table}" SET "{columns[-1]}" = randomblob(60)',
                         "DROP TABLE memories_fts"))
    connection.execute(sql)
    return sql


# -- rows ----------------------------------------------------------------------------------------


def _rows(chance: random.Random, path: Path, _folder: Path) -> str:
    with closing(sqlite3.connect(path)) as connection:
        words = [_row(connection, chance) for _ in range(chance.choice((1, 1, 2, 8)))]
        connection.commit()
    return "; ".join(words)


def _row(connection: sqlite3.Connection, chance: random.Random) -> str:
    connection.execute("PRAGMA ignore_check_constraints = ON")
    filled = [table for table in _tables(connection)
              if connection.execute(f'SELECT 1 FROM "{table}" LIMIT 1').fetchone()]
    table = chance.choice(filled)
    columns = [row[1] for row in connection.execute(f'PRAGMA table_info("{table}")')]
    column, odd = chance.choice(columns), chance.choice(ODD_SQL)
    value = odd if chance.random() < 0.8 else f'"{chance.choice(columns)}"'
    where = chance.choice(("", " WHERE rowid = (SELECT max(rowid) FROM \"" + table + "\")",
                           " WHERE random() % 2"))
    try:
        connection.execute(f'UPDATE OR REPLACE "{table}" SET "{column}" = {value}{where}')
    except sqlite3.IntegrityError:
        _loosen(connection, table)
        connection.execute(f'UPDATE OR IGNORE "{table}" SET "{column}" = {value}{where}')
    return f"{table}.{column} = {value}{where and ' (some)'}"


def _loosen(connection: sqlite3.Connection, table: str) -> None:
    """Take the table's rules away, so that it can hold anything."""
    connection.execute("PRAGMA legacy_alter_table = ON")
    for (trigger,) in connection.execute(
            "SELECT name FROM sqlite_master WHERE type = 'trigger' AND tbl_name = ?",
            (table,)).fetchall():
        connection.execute(f'DROP TRIGGER "{trigger}"')
    connection.execute("PRAGMA writable_schema = ON")
    sql = connection.execute("SELECT sql FROM sqlite_master WHERE name = ?", (table,)).fetchone()[0]
    connection.execute("UPDATE sqlite_master SET sql = ? WHERE name = ?",
                       (re.sub(r"NOT NULL", "", sql), table))
    connection.execute("PRAGMA writable_schema = RESET")


WAYS: dict[str, Callable[[random.Random, Path, Path], str]] = {
    "bytes": _bytes, "schema": _schema, "rows": _rows, "beside": _beside, "logs": _logs}
"""Later ones first, so that a file is still whole when its rows are changed."""
