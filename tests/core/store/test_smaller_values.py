"""A graph from before values took less room loses nothing by being brought up to date."""

import sqlite3
from pathlib import Path

import pytest

from core.ontology.change_provenance import Provenance
from core.ontology.claims import AddClaimValue, add_claim_value
from core.queries.entities import list_entities
from core.store import migrate
from core.workspace import Workspace

BEFORE = 12
"""The version before this step."""
TEXTS = ["Deploys on Monday", "Läuft in Zürich", "deploys   on monday"]


@pytest.fixture
def old(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A graph as version 12 wrote it, with one step that can be taken back."""
    path = tmp_path / "old.db"
    every = migrate.steps()
    with monkeypatch.context() as then:
        then.setattr(migrate, "steps", lambda: every[:BEFORE])
        workspace = Workspace.open(path, data_dir=tmp_path / "data", create=True)
        for number, text in enumerate(TEXTS):
            fields = AddClaimValue(entity="Vega", aspect=f"schedule {number}",
                                   claim_key="day", value=text)
            workspace.write(
                "add", lambda w, fields=fields: add_claim_value(w, fields, Provenance("p")))
        workspace.close()
    return path


def _open(path: Path) -> Workspace:
    return Workspace.open(path, data_dir=path.parent / "data")


def _version(path: Path) -> int:
    connection = sqlite3.connect(path)
    try:
        return int(connection.execute("PRAGMA user_version").fetchone()[0])
    finally:
        connection.close()


def test_what_was_done_before_can_still_be_taken_back(old: Path) -> None:
    assert _version(old) == BEFORE
    workspace = _open(old)
    assert _version(old) == migrate.newest()
    for _ in TEXTS:
        assert workspace.undo() == "add"
    with workspace.read() as reader:
        assert not reader.rows("SELECT 1 FROM entity_attributes")
    for _ in TEXTS:
        workspace.redo()
    with workspace.read() as reader:
        assert [row["content"] for row in reader.rows(
            "SELECT content FROM entity_attributes ORDER BY rowid")] == TEXTS
    workspace.close()


@pytest.mark.parametrize("words", ["dep", "depl mond", "zurich", "läuft"])
def test_its_facts_are_found_by_the_beginnings_of_their_words(old: Path, words: str) -> None:
    workspace = _open(old)
    with workspace.read() as reader:
        assert [row.name for row in list_entities(reader, text=words)] == ["Vega"]
    workspace.close()


def test_the_file_is_whole(old: Path) -> None:
    workspace = _open(old)
    with workspace.read() as reader:
        assert reader.value("PRAGMA integrity_check") == "ok"
    workspace.write("check", lambda w: w.connection.execute(
        "INSERT INTO attributes_fts(attributes_fts) VALUES ('integrity-check')"))
    workspace.close()
