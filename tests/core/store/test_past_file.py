"""A past state of a file that others wrote, read from its rows, its history and its audit log."""

import json
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from datetime import datetime
from pathlib import Path
from unittest.mock import patch

import pytest

from core.errors import NotWritable, OperationError
from core.model.times import parse_time
from core.ontology import control
from core.store.backup import copy_file
from core.store.read_bytes_keeping_locks import raw_bytes
from core.workspace import Workspace
from explorer.knowledge_json import tree
from tests.contracts.files import make

REWRITE = "2026-11-27 23:04:15"


def day(text: str) -> datetime:
    moment = parse_time(text)
    assert moment is not None
    return moment


def put(connection: sqlite3.Connection, table: str, **values: object) -> None:
    connection.execute(f"INSERT INTO {table} ({', '.join(values)})"
                       f" VALUES ({', '.join('?' for _ in values)})", list(values.values()))


def applied(connection: sqlite3.Connection, id: str, at: str, operation: str, **result: object
            ) -> None:
    put(connection, "ontology_proposals", id=id, agent_id="default", operation=operation,
        status="applied", payload="{}", result=json.dumps(result), applied_at=at, created_at=at,
        updated_at=at, created_by="agent", applied_by="agent")


def fill(connection: sqlite3.Connection) -> None:
    """An entity with one claim of three versions, as a rewrite of the file has left them."""
    put(connection, "entities", id="signetai-0001", name="Signet AI (new)",
        canonical_name="signet ai (new)", entity_type="project", agent_id="default",
        created_at=REWRITE, updated_at=REWRITE, pinned=1, pinned_at="2026-06-20T10:00:00.000Z")
    put(connection, "entity_aspects", id="release-0001", entity_id="signetai-0001",
        agent_id="default", name="release", canonical_name="release", created_at=REWRITE,
        updated_at=REWRITE)
    for number, at in enumerate(("2026-03-20T20:00:20.000Z", "2026-04-01 20:00:20",
                                 "2026-05-03T20:00:20.000Z"), 1):
        put(connection, "entity_attributes", id=f"version-000{number}", aspect_id="release-0001",
            agent_id="default", kind="attribute", content=f"{number}.0 is current",
            normalized_content=f"{number}.0 is current", claim_key="current_version",
            group_key="published", status="active" if number == 3 else "superseded",
            superseded_by=f"version-000{number + 1}" if number < 3 else None, version=number,
            version_root_id="version-0001", created_at=REWRITE, updated_at=REWRITE)
        applied(connection, f"proposal-{number}", at, "set_claim_value",
                entityId="signetai-0001", aspectId="release-0001",
                attributeId=f"version-000{number}")
    applied(connection, "rename-1", "2026-04-15T08:00:00.000Z", "rename_entity",
            entityId="signetai-0001", oldName="Signet AI", newName="Signet AI (new)")
    put(connection, "entities", id="spike-000001", name="Sketch", canonical_name="sketch",
        entity_type="concept", agent_id="default", created_at="2026-03-21 08:00:00",
        updated_at=REWRITE, status="archived", archived_at=REWRITE)
    applied(connection, "archive-1", "2026-04-20T08:00:00.000Z", "archive_entity",
            entityId="spike-000001", archived=True)
    put(connection, "ontology_proposals", id="rejected-1", agent_id="default",
        operation="create_entity", status="rejected", payload="{}", created_by="agent",
        created_at="2026-03-25T08:00:00.000Z", updated_at=REWRITE,
        rejected_at="2026-04-25T08:00:00.000Z", rejected_by="you")
    connection.execute("UPDATE entities SET mentions = 2 WHERE id = 'spike-000001'")
    for number, at in enumerate(("2026-03-22 08:00:00", "2026-04-18T08:00:00.000Z")):
        put(connection, "memories", id=f"mention-{number}", content="A sketch", created_at=at,
            updated_at=at)
        put(connection, "memory_entity_mentions", memory_id=f"mention-{number}",
            entity_id="spike-000001", created_at=at)
    connection.execute(
        "CREATE TABLE entity_dependency_history (id TEXT PRIMARY KEY, dependency_id TEXT,"
        " source_entity_id TEXT, target_entity_id TEXT, agent_id TEXT, dependency_type TEXT,"
        " event TEXT, changed_by TEXT, reason TEXT, previous_reason TEXT, metadata TEXT,"
        " created_at TEXT)")
    for event, reason, before, at in (
            ("created", "first", None, "2026-03-22 08:00:00"),
            ("updated", "second", "first", "2026-04-22 08:00:00"),
            ("deleted", "second", None, "2026-05-22 08:00:00")):
        put(connection, "entity_dependency_history", id=f"link-{event}", dependency_id="link-00001",
            source_entity_id="signetai-0001", target_entity_id="spike-000001", agent_id="default",
            dependency_type="uses", event=event, changed_by="db-trigger", reason=reason,
            previous_reason=before, created_at=at)


@pytest.fixture
def graph(tmp_path: Path) -> Iterator[Workspace]:
    path, data = tmp_path / "graph.db", tmp_path / "data"
    make("signet-071", path, data).close()
    with closing(sqlite3.connect(path)) as connection, connection:
        fill(connection)
    with closing(Workspace.open(path, data_dir=data)) as workspace:
        yield workspace


def one(graph: Workspace, moment: str, sql: str) -> list[tuple[object, ...]]:
    with graph.read_as_of(day(moment)) as reader:
        return [tuple(row) for row in reader.rows(sql)]


VALUE = "SELECT content FROM entity_attributes WHERE claim_key = 'current_version'" \
        " AND status = 'active'"


@pytest.mark.parametrize(("moment", "value"), [
    ("2026-03-20T20:00:19.999Z", None), ("2026-03-20T20:00:20Z", "1.0 is current"),
    ("2026-04-01T20:00:19Z", "1.0 is current"), ("2026-04-01T20:00:20Z", "2.0 is current"),
    ("2026-05-03 20:00:20", "3.0 is current"), ("2026-11-28", "3.0 is current"),
])
def test_the_audit_log_knows_better_than_rewritten_rows_and_a_date_counts_its_change(
    graph: Workspace, moment: str, value: str | None
) -> None:
    assert one(graph, moment, VALUE) == ([(value,)] if value else [])


def test_names_archives_pins_and_verdicts_are_as_they_were(graph: Workspace) -> None:
    status = "SELECT name, status, pinned FROM entities WHERE id IN ('signetai-0001'," \
             " 'spike-000001') ORDER BY id"
    assert one(graph, "2026-04-14", status) == [("Signet AI", "active", 0), ("Sketch", "active", 0)]
    assert one(graph, "2026-04-21", status) == [
        ("Signet AI (new)", "active", 0), ("Sketch", "archived", 0)]
    assert one(graph, "2026-06-21", status)[0][2] == 1
    verdict = "SELECT status, rejected_by FROM ontology_proposals WHERE id = 'rejected-1'"
    assert one(graph, "2026-04-24", verdict) == [("pending", None)]
    assert one(graph, "2026-04-26", verdict) == [("rejected", "you")]


def test_later_mentions_are_not_counted(graph: Workspace) -> None:
    mentions = "SELECT mentions FROM entities WHERE id = 'spike-000001'"
    for moment, count in (("2026-03-21 09:00:00", 0), ("2026-04-14", 1), ("2026-04-21", 2)):
        assert one(graph, moment, mentions) == [(count,)]


def test_a_link_deleted_since_is_there_with_the_reason_that_it_had(graph: Workspace) -> None:
    link = "SELECT dependency_type, reason FROM entity_dependencies WHERE id = 'link-00001'"
    assert one(graph, "2026-03-21", link) == []
    assert one(graph, "2026-04-23", link) == [("uses", "second")]
    assert one(graph, "2026-05-23", link) == []


def test_a_past_of_few_rows_has_every_index(graph: Workspace) -> None:
    indexes = "SELECT name, sql FROM main.sqlite_master WHERE type = 'index' ORDER BY name"
    with graph.read() as reader:
        now = [tuple(row) for row in reader.rows(indexes)]
    with patch("core.store.past_by_removal.MUCH", 0.0):
        assert one(graph, "2026-03-21", indexes) == now
    assert one(graph, "2026-03-21", indexes) == now


@pytest.mark.parametrize("logged", [False, True])
def test_a_copy_holds_what_the_log_holds(tmp_path: Path, logged: bool) -> None:
    path, copy = tmp_path / "graph.db", tmp_path / "copy.db"
    with closing(sqlite3.connect(path)) as writer:
        writer.execute("PRAGMA journal_mode = WAL")
        with writer:
            writer.execute("CREATE TABLE t AS SELECT 1 AS x")
        if not logged:
            writer.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        with patch("core.store.backup.raw_bytes", wraps=raw_bytes) as reads:
            copy_file(path, copy, passing=True)
    assert reads.called
    with closing(sqlite3.connect(copy)) as reader:
        assert reader.execute("SELECT x FROM t").fetchall() == [(1,)]
        assert reader.execute("PRAGMA journal_mode").fetchone() == ("delete",)


def test_a_log_that_begins_anew_while_it_is_copied_is_copied_by_sqlite(tmp_path: Path) -> None:
    path, copy = tmp_path / "graph.db", tmp_path / "copy.db"
    with closing(sqlite3.connect(path)) as writer:
        writer.execute("PRAGMA journal_mode = WAL")
        with writer:
            writer.execute("CREATE TABLE t AS SELECT 1 AS x")
        with patch("core.store.backup._log_header", side_effect=(b"one", b"another")):
            copy_file(path, copy, passing=True)
    with closing(sqlite3.connect(copy)) as reader:
        assert reader.execute("SELECT x FROM t").fetchall() == [(1,)]


def test_nothing_can_be_written_while_the_past_is_shown(graph: Workspace) -> None:
    graph.allow_writing()
    before = graph.path.read_bytes()
    assert graph.show_as_of(day("2026-04-14")) is graph.past
    with graph.read() as reader:
        assert [claim["preview"] for aspect in tree(reader, "Signet AI")["items"]
                for group in aspect["groups"] for claim in group["claims"]] == ["2.0 is current"]
    graph.sidecar.remember("seen", "then")
    with pytest.raises(NotWritable, match="as of 14 Apr 2026"):
        graph.write("Do", lambda w: control.apply(w, "pin_entity", {"entity": "Sketch"}))
    graph.show_as_of(None)
    assert "seen" not in graph.sidecar.meta()
    with graph.read() as reader, pytest.raises(OperationError):
        tree(reader, "Signet AI")
    assert graph.path.read_bytes() == before


def test_who_still_looks_beside_the_past_is_not_cut_off(graph: Workspace) -> None:
    graph.show_as_of(day("2026-04-14"))
    beside = graph.sidecar
    graph.show_as_of(day("2026-04-20"))
    assert isinstance(beside.meta(), dict)
    assert beside is not graph.sidecar


def test_what_is_not_recorded_is_said(graph: Workspace) -> None:
    past = graph.show_as_of(day("2026-04-14"))
    assert past is not None
    assert any("changed later" in line for line in past.unknown)
