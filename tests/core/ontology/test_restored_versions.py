"""A restored version records a validity of its own; the version between keeps its own."""

from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from core.model.claims_and_assertions import Version
from core.ontology import control
from core.queries.claims import slot_of, versions
from core.workspace import Workspace
from tests.contracts.files import make
from tests.contracts.test_catalog_contracts import prepare
from ui.models.claim_history import valid_words

CLAIM = {"entity": "Tide API", "aspect": "Limits", "claim_key": "burst"}
SOON = "2031-0{}-01T08:00:00.000Z"


@pytest.fixture(params=["native", "signet-071"])
def graph(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Workspace]:
    with closing(make(request.param, tmp_path / "graph.db", tmp_path / "data")) as workspace:
        yield workspace


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Each change is made a month after the one before it."""
    months = iter((1, *range(1, 10)))  # the first one is for opening the file
    monkeypatch.setattr("core.store.writer.stamp", lambda moment=None: SOON.format(next(months)))
    return


def put(graph: Workspace, value: str) -> str:
    result = graph.write("Set", lambda w: control.apply(
        w, "set_claim_value", {**CLAIM, "value": value})).result.result
    return str(result["attributeId"])


def restore(graph: Workspace, attribute_id: str) -> None:
    graph.write("Restore", lambda w: control.apply(
        w, "restore_claim_version", {"attribute_id": attribute_id}))


def history(graph: Workspace, attribute_id: str) -> dict[str, Version]:
    with graph.read() as reader:
        return {each.value.content: each
                for each in versions(reader, slot_of(reader, attribute_id))}


def months(version: Version) -> list[str]:
    return [f"{span.since[5:7]}-{span.until[5:7]}" for span in version.spans]


def test_a_restored_version_is_in_force_again_and_the_one_between_keeps_its_span(
    graph: Workspace, clock: None
) -> None:
    first = put(graph, "60 a minute")
    put(graph, "90 a minute")
    before = history(graph, first)
    assert {name: months(each) for name, each in before.items()} == {
        "60 a minute": ["01-02"], "90 a minute": ["02-"]}
    restore(graph, first)
    after = history(graph, first)
    assert {name: months(each) for name, each in after.items()} == {
        "60 a minute": ["01-02", "03-"], "90 a minute": ["02-03"]}
    assert after["60 a minute"].again_since == SOON.format(3)
    assert after["90 a minute"].again_since == ""
    assert valid_words(after["60 a minute"]) == (
        "Valid 1 Jan 2031 → 1 Feb 2031 · in force again since 1 Mar 2031")
    graph.undo()
    assert history(graph, first) == before
    graph.redo()
    assert history(graph, first) == after


def test_each_restore_is_written_down(graph: Workspace, clock: None) -> None:
    first = put(graph, "60 a minute")
    second = put(graph, "90 a minute")
    restore(graph, first)
    restore(graph, second)
    put(graph, "120 a minute")
    assert {name: months(each) for name, each in history(graph, first).items()} == {
        "60 a minute": ["01-02", "03-04"], "90 a minute": ["02-03", "04-05"],
        "120 a minute": ["05-"]}


def test_an_archived_version_that_is_restored_was_out_of_force_between(
    graph: Workspace, clock: None
) -> None:
    first = put(graph, "60 a minute")
    graph.write("Archive", lambda w: control.apply(
        w, "archive_claim_value", {"attribute_id": first}))
    restore(graph, first)
    assert months(history(graph, first)["60 a minute"]) == ["01-02", "03-"]


def test_what_is_in_force_is_restored_without_a_trace(graph: Workspace, clock: None) -> None:
    first = put(graph, "60 a minute")
    restore(graph, first)
    assert months(history(graph, first)["60 a minute"]) == ["01-"]


def test_an_old_file_keeps_its_tables_and_still_knows_it(tmp_path: Path) -> None:
    with closing(make("signet-030", tmp_path / "graph.db", tmp_path / "data")) as old:
        payload = prepare(old, "restore_claim_version")
        with old.read() as reader:
            tables = reader.rows("SELECT name, sql FROM main.sqlite_master ORDER BY name")
        restore(old, str(payload["attribute_id"]))
        with old.read() as reader:
            again = [each.again_since != "" for each in versions(
                reader, slot_of(reader, str(payload["attribute_id"])))]
            assert reader.rows("SELECT name, sql FROM main.sqlite_master ORDER BY name") == tables
    assert again.count(True) == 1
