"""One name for every way to write its letters: looked up, created, remembered, imported."""

import io
import json
import sqlite3
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from core.errors import OperationError
from core.ingest.payload import Remembered
from core.ingest.remember import remember
from core.model.names import name_key
from core.ontology.control import apply
from core.queries.entities import find_entity, list_entities
from core.queries.find_by_name_or_id import find_aspect
from core.recall.hybrid import recall
from core.store.reader_and_writer import Writer
from core.transfer.mcp_import import import_mcp
from core.transfer.read_mcp_file import read_mcp
from core.workspace import Workspace
from tests.contracts.files import KINDS, make
from tests.core.graphs import Graph

PAIRS = {
    "composed and not": ("Café Zürich", "Cafe\u0301 Zu\u0308rich"),
    "not and composed": ("Cafe\u0301 Zu\u0308rich", "Café Zürich"),
    "full width and half": ("ＡＢＣ商事", "ABC商事"),
    "half width and full": ("ABC商事", "ＡＢＣ商事"),
    "half-width kana": ("ｶﾞｲﾄﾞ", "ガイド"),
    "another space": ("Harbor\u00a0Crew", "Harbor Crew"),
    "Korean letters apart": ("김민수", "\u1100\u1175\u11b7\u1106\u1175\u11ab\u1109\u116e"),
    "capitals": ("REDIS", "redis"),
    "capitals with accents": ("ÉLODIE", "e\u0301lodie"),
    "a space without width": ("Harbor\u200b Crew\ufeff", "Harbor Crew"),
    "a soft hyphen": ("Harborcrew", "Har\u00adbor\u2060crew"),
    "directions": ("\u202aשלום\u202c", "שלום\u200f"),
    "a joiner of nothing": ("Kim\u200d Lee\u200c", "Kim Lee"),
    "a way to draw a sign": ("❤\ufe0f Team", "❤ Team"),
}
every_pair = pytest.mark.parametrize(("stored", "typed"), PAIRS.values(), ids=PAIRS)
Open = Callable[..., Workspace]


@pytest.fixture(params=KINDS)
def graph(request: pytest.FixtureRequest, tmp_path: Path) -> Any:
    workspace = make(request.param, tmp_path / "g.db", tmp_path / "side")
    yield workspace
    workspace.close()


def count(graph: Workspace) -> int:
    with graph.read() as reader:
        return int(reader.value("SELECT count(*) FROM entities"))


def stored_entity(graph: Workspace, name: str) -> str:
    """An entity as the file's own program writes it: in Signet's, spellings stay apart."""
    return graph.write("fill", lambda w: Graph(w).entity(name, "person")).result


def mcp(graph: Workspace, *names: str) -> Any:
    lines = "\n".join(json.dumps({
        "type": "entity", "name": name, "entityType": "person", "observations": [f"Fact {n}"],
    }) for n, name in enumerate(names))
    file = read_mcp(io.BytesIO(lines.encode()))
    return graph.write("import", lambda w: import_mcp(w, file)).result


@every_pair
def test_either_spelling_finds_it_and_makes_no_second(
    graph: Workspace, stored: str, typed: str
) -> None:
    id = stored_entity(graph, stored)
    before = count(graph)
    with graph.read() as reader:
        assert find_entity(reader, typed).id == id
        assert [row.id for row in list_entities(reader, text=typed)][:1] == [id]
    graph.write("create", lambda w: apply(w, "create_entity", {"name": typed}))
    report = graph.write("remember", lambda w: remember(w, Remembered.read({
        "content": f"{typed} was here", "structured": {"aspects": [
            {"entityName": typed, "entityType": "person", "aspect": "visits",
             "attributes": [{"content": "was here"}]}]}}))).result
    assert report.entity_ids == (id,)
    done = mcp(graph, typed)
    assert (done.entities_new, done.entities_unchanged, done.values_new) == (0, 1, 1)
    assert count(graph) == before


@every_pair
def test_two_spellings_in_one_file_are_one_entity(
    graph: Workspace, stored: str, typed: str
) -> None:
    before = count(graph)
    done = mcp(graph, stored, typed)
    assert (done.entities_new, done.values_new) == (1, 2)
    assert count(graph) == before + 1
    assert mcp(graph, typed, stored).values_new == 0


@every_pair
def test_a_name_that_another_entity_has_in_another_spelling_is_taken(
    graph: Workspace, stored: str, typed: str
) -> None:
    stored_entity(graph, stored)
    with pytest.raises(OperationError, match="Another active entity is called"):
        graph.write("rename", lambda w: apply(
            w, "rename_entity", {"entity": "Harbor Ledger", "new_name": typed}))


@every_pair
def test_aspects_and_aliases_go_by_either_spelling(
    graph: Workspace, stored: str, typed: str
) -> None:
    def fill(writer: Writer) -> str:
        owner = Graph(writer).entity("Owner of it")
        Graph(writer).aspect(owner, stored)
        if writer.has_table("entity_aliases"):
            Graph(writer).alias(owner, stored)
        return owner

    owner = graph.write("fill", fill).result
    with graph.read() as reader:
        assert find_aspect(reader, owner, typed)["name"] == stored
        if reader.has_table("entity_aliases"):
            assert find_entity(reader, typed).id == owner
    graph.write("create", lambda w: apply(
        w, "create_aspect", {"entity": "Owner of it", "aspect": typed}))
    with graph.read() as reader:
        assert reader.value(
            "SELECT count(*) FROM entity_aspects WHERE entity_id = :id", id=owner) == 1


def test_signets_own_lookups_find_what_is_written_into_its_file(tmp_path: Path) -> None:
    graph = make("signet-071", tmp_path / "g.db", tmp_path / "side")
    graph.write("create", lambda w: apply(w, "create_entity", {"name": "ＡＢＣ商事"}))
    with graph.read() as reader:
        assert reader.value("SELECT canonical_name FROM main.entities"
                            " WHERE name = 'ＡＢＣ商事'") == "ａｂｃ商事"
    graph.close()


def test_a_native_graph_from_before_gets_one_key_for_each_name(tmp_path: Path) -> None:
    path = tmp_path / "g.db"
    make("native", path, tmp_path / "side").close()
    connection = sqlite3.connect(path)
    with connection:
        for id, name in (("e-apart", "Cafe\u0301"), ("e-wide", "ＡＢＣ"), ("e-narrow", "ABC"),
                         ("e-unseen", "Te\u00adam")):
            connection.execute(
                "INSERT INTO entities (id, name, canonical_name, created_at, updated_at)"
                " VALUES (?, ?, ?, 't', 't')", (id, name, name.lower()))
        connection.execute("PRAGMA user_version = 9")
    connection.close()
    graph = Workspace.open(path, data_dir=tmp_path / "side")
    with graph.read() as reader:
        assert find_entity(reader, "café").id == "e-apart"
        assert find_entity(reader, "ＡＢＣ").id == "e-narrow"
        assert find_entity(reader, "team").id == "e-unseen"
    assert [problem.what for problem in graph.find_problems() if problem.row == "e-wide"] == [
        "is the name of another entity in another spelling; merge the two by id"]
    graph.close()


@pytest.mark.parametrize(("one", "other"), [
    ("Straße", "Strasse"), ("resume", "résumé"), ("Node", "Nodes"), ("C", "C++"), ("か", "が"),
    ("می\u200cخواهم", "میخواهم"), ("\u200b", "")])
def test_other_names_stay_apart(one: str, other: str) -> None:
    assert name_key(one) != name_key(other)


def test_a_name_in_capitals_is_found_whose_sharp_s_has_none(graph: Workspace) -> None:
    id = stored_entity(graph, "Große Straße")
    graph.write("fill", lambda w: Graph(w).memory("Die Große Straße ist gesperrt"))
    with graph.read() as reader:
        assert find_entity(reader, "GROSSE STRASSE").id == id
        first = recall(reader, "IST DIE GROSSE STRASSE GESPERRT?").hits[0]
    assert first.memory.content == "Die Große Straße ist gesperrt"
    assert "strasse" in first.why
