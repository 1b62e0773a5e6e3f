"""Signet's own file on the command line: read as it is, written only by a write command."""

import sqlite3
from pathlib import Path

import pytest

from tests.contracts import files


@pytest.fixture(params=["signet-030", "signet-071"])
def signet(request: pytest.FixtureRequest, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A Signet database of each generation, nothing allowed yet; also the usual graph."""
    path = tmp_path / "memories.db"
    files.make(request.param, path, tmp_path / "elsewhere").close()
    monkeypatch.setenv("CONSTELLATION_DATA", str(tmp_path / "data"))
    monkeypatch.setenv("CONSTELLATION_STORE", str(path))
    return path


def schema(path: Path) -> list[tuple]:
    connection = sqlite3.connect(f"file:{path}?mode=ro", uri=True)
    try:
        return connection.execute("SELECT type, name, sql FROM sqlite_master ORDER BY 1, 2") \
            .fetchall()
    finally:
        connection.close()


def first(run) -> dict:
    return run("knowledge", "entities", "--json").json["items"][0]["entity"]


def test_reading_makes_no_backup_and_asks_no_permission(run, signet: Path, tmp_path: Path) -> None:
    before = signet.read_bytes()
    told = run("info", "--json").json
    assert (told["kind"], told["allowed"]) == ("signet", False)
    assert first(run)["name"]
    assert signet.read_bytes() == before
    assert not (tmp_path / "data" / "backups").exists()


def test_a_write_command_is_the_permission_and_makes_a_backup_once(
    run, signet: Path, tmp_path: Path
) -> None:
    before = schema(signet)
    entity = first(run)
    verb = "unpin" if entity["pinned"] else "pin"
    done = run("ontology", "entity", verb, entity["id"])
    assert done.code == 0
    assert "A backup was made" in done.err
    assert "backup" not in run("undo").err
    assert len(list((tmp_path / "data" / "backups").rglob("*.db"))) == 1
    assert first(run)["pinned"] == entity["pinned"]
    assert schema(signet) == before


def test_a_dry_run_needs_no_permission(run, signet: Path, tmp_path: Path) -> None:
    before = signet.read_bytes()
    done = run("ontology", "entity", "mute", first(run)["id"], "--dry-run")
    assert done.code == 0
    assert "nothing changed" in done.out
    assert signet.read_bytes() == before
    assert not (tmp_path / "data" / "backups").exists()


@pytest.mark.parametrize("command", [
    ("ontology", "entity", "pin", "Nobody"), ("forget", "nothing"), ("undo",), ("redo",),
    ("ontology", "apply", "nothing"), ("session", "hits", "s1", "m1"),
])
def test_what_is_refused_makes_no_backup_and_allows_nothing(
    run, signet: Path, tmp_path: Path, command: tuple[str, ...]
) -> None:
    before = signet.read_bytes()
    done = run(*command)
    assert done.code == 2
    assert "backup" not in done.err
    assert not (tmp_path / "data" / "backups").exists()
    assert signet.read_bytes() == before
    assert run("info", "--json").json["allowed"] is False


def test_a_file_from_before_proposals_says_what_becomes_of_a_contradiction(
    run, signet: Path, request: pytest.FixtureRequest
) -> None:
    shown = run("ontology", "proposals")
    assert shown.code == 0
    before_proposals = request.node.callspec.params["signet"] == "signet-030"
    assert ("from before proposals" in shown.err + shown.out) is before_proposals
