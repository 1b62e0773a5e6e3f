"""A past state reads the same whether later rows were taken out or left out of sight."""

import sqlite3
from collections.abc import Iterator
from contextlib import closing
from datetime import datetime
from pathlib import Path
from unittest.mock import patch

import pytest

from core.constellation.sky_rows import sky
from core.health.report import report
from core.model.times import parse_time
from core.queries.comparison_snapshot import contents_of
from core.queries.entities import list_entities
from core.recall.config import RecallSettings
from core.recall.hybrid import recall
from core.store.database import quoted
from core.store.hide_later_rows import leave_out
from core.store.reader_and_writer import Reader
from core.transfer.bundle import bundle_lines
from core.workspace import Workspace
from tests.contracts.files import KINDS, WORLD, make

SPREAD = {"entities": 5, "entity_aspects": 11, "entity_attributes": 11, "entity_dependencies": 11,
          "memories": 11, "memory_entity_mentions": 11}
"""Over how many days the rows of each table came."""
LATE = {"id": "a-late", "entity_id": "e-anna", "name": "Late", "canonical_name": "late",
        "created_at": "2026-04-10", "updated_at": "2026-04-10"}
DAYS = (2, 5, 9)
FEW = "core.store.past_by_removal.FEW"
PATIENT = RecallSettings(deadline_ms=60_000)
"""A busy machine would otherwise be told less."""


def day(number: int) -> datetime:
    moment = parse_time(f"2026-04-{number:02d}T12:00:00Z")
    assert moment is not None
    return moment


@pytest.fixture(params=KINDS)
def graph(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Workspace]:
    """The small world, its rows of one day after another; a memory was deleted and said again."""
    path, data = tmp_path / "graph.db", tmp_path / "data"
    make(request.param, path, data).close()
    with closing(sqlite3.connect(path)) as connection, connection:
        for table, days in SPREAD.items():
            connection.execute(f"UPDATE {table} SET created_at ="
                               f" printf('2026-04-%02dT08:00:00.000Z', 1 + rowid * 5 % {days})")
        connection.execute(
            f"INSERT INTO entity_aspects ({', '.join(LATE)}) VALUES (?, ?, ?, ?, ?, ?)",
            list(LATE.values()))
        columns = {row[1] for row in connection.execute("PRAGMA table_info(memories)")}
        if {"content_hash", "deleted_at"} <= columns:
            for id, made, gone in (("m-said", "2026-04-01", "2026-04-08"),
                                   ("m-said-again", "2026-04-10", None)):
                connection.execute(
                    "INSERT INTO memories (id, content, content_hash, created_at, updated_at,"
                    " is_deleted, deleted_at) VALUES (?, 'Tea at four', 'h', ?, ?, ?, ?)",
                    (id, made, made, int(gone is not None), gone))
    with closing(Workspace.open(path, data_dir=data)) as workspace:
        yield workspace


def told(reader: Reader) -> dict[str, object]:
    """What everybody who asks is told."""
    tables = {table: sorted(map(tuple, reader.rows(
        f"SELECT {', '.join(map(quoted, sorted(reader.columns(table))))} FROM {quoted(table)}")),
        key=repr) for table in WORLD if reader.has_table(table)}
    return {**tables, "contents": contents_of(reader), "sky": repr(sky(reader)),
            "list": list_entities(reader), "health": list(report(reader).findings),
            "recall": recall(reader, "when does Harbor Ledger run", PATIENT).hits,
            "bundle": list(bundle_lines(reader, None))[1:]}


def past(graph: Workspace, number: int, few: int, *, ready: bool = False) -> dict[str, object]:
    if ready:
        graph.make_past_ready()
    with patch(FEW, few), graph.read_as_of(day(number)) as reader:
        return told(reader)


@pytest.mark.parametrize("number", DAYS)
def test_rows_left_out_of_sight_are_seen_by_nobody(graph: Workspace, number: int) -> None:
    taken_out, left_out = past(graph, number, 10**9), past(graph, number, -1)
    cut = past(graph, number, 10**9, ready=True)
    for name, what in taken_out.items():
        assert left_out[name] == what, name
        assert cut[name] == what, name


def test_a_change_rehearsed_in_the_past_does_not_meet_what_came_later(graph: Workspace) -> None:
    with patch(FEW, -1):
        graph.show_as_of(day(6))
    made = graph.rehearse(lambda writer: writer.insert("entity_aspects", **{**LATE, "id": "other"}))
    assert [change.table for change in made.changes] == ["entity_aspects"]


def test_a_graph_that_is_no_past_state_has_no_views_for_it(graph: Workspace) -> None:
    with graph.read() as reader:
        assert not leave_out(reader.connection)
