"""`knowledge hygiene`: the report in its shape, and its fixes as one step that undo takes back."""

import json
from pathlib import Path

import pytest

from core.store.reader_and_writer import Writer
from core.workspace import Workspace
from explorer.cli.dispatch import dispatch
from tests.core.graphs import Graph, build


@pytest.fixture
def store(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("CONSTELLATION_DATA", str(tmp_path / "data"))

    def fill(g: Graph) -> None:
        g.entity("Husk one")
        g.entity("Husk two")
        g.value(g.aspect(g.entity("Harbor Ledger", mentions=4), "crew"), "Mara keeps it", "keeper")
        g.value(g.aspect(g.entity("harbor-ledger"), "crew"), "In the old harbor", "place")

    path = tmp_path / "graph.db"
    build(path, fill).close()
    return path


def told(capsys: pytest.CaptureFixture[str], store: Path, *words: str) -> dict:
    assert dispatch(["knowledge", "hygiene", *words, "--json", "--store", str(store)]) == 0
    return dict(json.loads(capsys.readouterr().out))


def test_the_report_has_findings_counts_and_fixes(
    store: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    report = told(capsys, store)
    assert set(report) == {"findings", "counts"}
    assert report["counts"]["no_facts"] == 2
    finding = next(each for each in report["findings"] if each["kind"] == "duplicate_entities")
    assert set(finding) == {"id", "kind", "severity", "entityId", "entityName", "text", "fix"}
    assert finding["entityName"] == "Harbor Ledger"
    assert finding["fix"]["operation"] == "merge_entities"
    assert finding["fix"]["payload"]["target_entity_id"] == finding["entityId"]


def test_what_is_left_out_is_said(store: Path, capsys: pytest.CaptureFixture[str]) -> None:
    report = told(capsys, store, "--limit", "1", "--kind", "no_facts")
    assert len(report["findings"]) == 1
    assert report["counts"] == {"no_facts": 2}
    assert report["partial"] is True


def test_a_kind_is_mended_as_one_step_that_undo_takes_back(
    store: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    before = told(capsys, store)
    tried = told(capsys, store, "--fix", "no_facts", "--dry-run")
    assert len(tried["done"]) == 2
    assert told(capsys, store) == before, "a dry run changes nothing"
    assert len(told(capsys, store, "--fix", "no_facts")["done"]) == 2
    assert "no_facts" not in told(capsys, store)["counts"]
    assert dispatch(["undo", "--store", str(store)]) == 0
    capsys.readouterr()
    assert told(capsys, store) == before


def test_one_finding_is_mended_by_its_id(store: Path, capsys: pytest.CaptureFixture[str]) -> None:
    [merge] = [each for each in told(capsys, store)["findings"]
               if each["kind"] == "duplicate_entities"]
    assert told(capsys, store, "--fix", merge["id"])["done"][0]["id"] == merge["id"]
    assert "duplicate_entities" not in told(capsys, store)["counts"]
    assert dispatch(["knowledge", "hygiene", "--fix", merge["id"], "--store", str(store)]) == 2


def test_an_agents_fix_waits_for_a_person(store: Path, capsys: pytest.CaptureFixture[str]) -> None:
    before = told(capsys, store)["counts"]
    asked = told(capsys, store, "--fix", "no_facts", "--actor", "agent:claude")
    assert (len(asked["proposed"]), asked["done"]) == (2, [])
    assert told(capsys, store)["counts"] == before


def test_a_report_writes_nothing(store: Path, capsys: pytest.CaptureFixture[str]) -> None:
    def rows(writer: Writer) -> list:
        return [tuple(row) for row in writer.rows("SELECT * FROM memory_entity_mentions")]

    before = store.read_bytes()
    told(capsys, store)
    assert store.read_bytes() == before
    Workspace.open(store, data_dir=store.parent / "data").close()


def test_the_kinds_are_listed_in_the_help(capsys: pytest.CaptureFixture[str]) -> None:
    assert dispatch(["knowledge", "hygiene", "--help"]) == 0
    help_text = " ".join(capsys.readouterr().out.split())
    assert all(kind in help_text for kind in ("duplicate_entities", "suspicious_name", "no_facts"))


def test_a_finding_is_left_as_it_is_until_it_is_asked_for_again(
    store: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    before = told(capsys, store)
    id = next(each["id"] for each in before["findings"] if each["kind"] == "no_facts")
    left = told(capsys, store, "--leave", id)
    assert (left["counts"]["no_facts"], left["left"]) == (1, 1)
    assert len(told(capsys, store, "--fix", "no_facts", "--dry-run")["done"]) == 1
    assert told(capsys, store, "--again") == before
