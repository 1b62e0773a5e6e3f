"""Two graphs that grew apart become one: what both know stays one row."""

import json
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path

import pytest

from core.ontology import control
from core.store.reader_and_writer import Reader
from core.transfer.export_file import EXPORT_FORMATS, export_graph
from core.transfer.import_file import read_import, write_import
from core.transfer.import_report import ImportReport
from core.workspace import Workspace
from tests.contracts.files import KINDS, make
from tests.core.store.test_undo import dump

MINE = (("Anna", "Lives in Oslo", "Plays chess"), ("Harbor", "Runs at night"))
THEIRS = (("Rex", "Barks"), ("anna", "Lives in Oslo", "Has a dog"), ("Harbor", "Runs at night"))


def taken(workspace: Workspace, file: Path) -> ImportReport:
    content = read_import(file)
    return workspace.write("Import", lambda writer: write_import(writer, content)).result


def memory_file(path: Path, things: tuple[tuple[str, ...], ...], *links: tuple[str, str]) -> Path:
    lines = [{"type": "entity", "name": name, "entityType": "person", "observations": said}
             for name, *said in things]
    relations = [{"type": "relation", "from": one, "to": other, "relationType": "uses"}
                 for one, other in links]
    path.write_text("\n".join(map(json.dumps, (*lines, *relations))), "utf-8")
    return path


@pytest.fixture
def mine(tmp_path: Path) -> Iterator[Workspace]:
    with closing(Workspace.open(tmp_path / "mine.db", data_dir=tmp_path / "data",
                                create=True)) as graph:
        taken(graph, memory_file(tmp_path / "mine.jsonl", MINE, ("Anna", "Harbor")))
        yield graph


@pytest.fixture
def theirs(tmp_path: Path) -> Iterator[Workspace]:
    with closing(Workspace.open(tmp_path / "theirs.db", data_dir=tmp_path / "other",
                                create=True)) as graph:
        taken(graph, memory_file(tmp_path / "theirs.jsonl", THEIRS, ("anna", "Harbor"),
                                 ("Rex", "anna")))
        yield graph


@pytest.fixture
def bundle(theirs: Workspace, tmp_path: Path) -> Path:
    with theirs.read() as reader:
        export_graph(reader, EXPORT_FORMATS["bundle"], tmp_path / "theirs.bundle.jsonl")
    return tmp_path / "theirs.bundle.jsonl"


def said(reader: Reader) -> list[tuple[str, str]]:
    """Each value in force with the name of its entity."""
    return [(row["name"], row["content"]) for row in reader.rows(
        "SELECT e.name, v.content FROM entity_attributes v JOIN entity_aspects a"
        " ON a.id = v.aspect_id JOIN entities e ON e.id = a.entity_id"
        " WHERE v.status = 'active' ORDER BY e.canonical_name, v.content")]


def test_what_both_graphs_know_stays_one_row(mine: Workspace, bundle: Path) -> None:
    before = dump(mine.path)
    report = taken(mine, bundle)
    assert (report.entities_new, report.entities_unchanged) == (1, 2)
    assert (report.values_new, report.values_unchanged) == (2, 2)
    assert report.rows_kept == ()
    with mine.read() as reader:
        assert said(reader) == [
            ("Anna", "Has a dog"), ("Anna", "Lives in Oslo"), ("Anna", "Plays chess"),
            ("Harbor", "Runs at night"), ("Rex", "Barks")]
        links = reader.rows(
            "SELECT a.name AS one, b.name AS other FROM entity_dependencies d"
            " JOIN entities a ON a.id = d.source_entity_id"
            " JOIN entities b ON b.id = d.target_entity_id ORDER BY a.name")
        assert [tuple(row) for row in links] == [("Anna", "Harbor"), ("Rex", "Anna")]
        # Each value has its memory here, and each mention leads to an entity that is here.
        assert not reader.value(
            "SELECT COUNT(*) FROM entity_attributes v WHERE v.status = 'active'"
            " AND NOT EXISTS (SELECT 1 FROM memories m WHERE m.id = v.memory_id)")
        assert not reader.rows("SELECT * FROM pragma_foreign_key_check")
    assert taken(mine, bundle).rows_new == 0
    mine.undo()
    assert dump(mine.path) == before


def test_another_graph_comes_into_one_with_memories_of_its_own(
    mine: Workspace, theirs: Workspace, bundle: Path, tmp_path: Path
) -> None:
    with theirs.read() as reader:
        order = [row["content"] for row in reader.rows(
            "SELECT content FROM memories WHERE content NOT LIKE '%Oslo'"
            " AND content NOT LIKE '%night' ORDER BY seq")]
    taken(mine, bundle)
    with mine.read() as reader:
        written = [row["content"] for row in reader.rows("SELECT content FROM memories"
                                                         " ORDER BY seq")]
    assert [words for words in written if words in order] == order
    assert written.index(order[0]) >= 3, "what was here was written before"


def test_two_values_of_one_claim_are_both_kept_for_the_person(
    mine: Workspace, theirs: Workspace, tmp_path: Path
) -> None:
    for graph, city in ((mine, "Oslo"), (theirs, "Bergen")):
        payload = {"entity": "Anna", "aspect": "home", "claim_key": "city", "value": city}
        graph.write("Set", lambda writer, payload=payload: control.apply(
            writer, "set_claim_value", payload))
    file = tmp_path / "both.jsonl"
    with theirs.read() as reader:
        export_graph(reader, EXPORT_FORMATS["bundle"], file)
    taken(mine, file)
    with mine.read() as reader:
        assert [content for name, content in said(reader) if content in ("Oslo", "Bergen")] == [
            "Bergen", "Oslo"]


@pytest.mark.parametrize("spelled", [str, str.upper])
@pytest.mark.parametrize("kind", KINDS)
def test_a_graph_comes_into_a_file_of_each_kind_that_knows_the_same_names(
    kind: str, spelled: Callable[[str], str], tmp_path: Path
) -> None:
    with closing(make(kind, tmp_path / "here.db", tmp_path / "side")) as here:
        with here.read() as reader:
            name = reader.value("SELECT name FROM entities WHERE status = 'active'"
                                " ORDER BY name LIMIT 1")
        there = Workspace.open(tmp_path / "there.db", data_dir=tmp_path / "there", create=True)
        taken(there, memory_file(tmp_path / "there.jsonl", ((spelled(name), "Said elsewhere"),)))
        with there.read() as reader:
            export_graph(reader, EXPORT_FORMATS["bundle"], tmp_path / "there.bundle.jsonl")
        there.close()
        report = taken(here, tmp_path / "there.bundle.jsonl")
        assert (report.entities_new, report.entities_unchanged) == (0, 1)
        with here.read() as reader:
            assert (name, "Said elsewhere") in said(reader)
        assert taken(here, tmp_path / "there.bundle.jsonl").rows_new == 0
