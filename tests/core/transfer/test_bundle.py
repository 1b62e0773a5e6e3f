"""A bundle gives back the same graph, row by row, and says what it could not take."""

import json
from contextlib import closing
from pathlib import Path

import pytest

from core.errors import OpenError
from core.transfer.export_file import EVERYTHING, EXPORT_FORMATS, Choice, export_graph
from core.transfer.import_file import read_import, write_import
from core.transfer.import_report import ImportReport
from core.workspace import Workspace
from explorer.demo import build_demo
from tests.contracts.files import make
from tests.core.store.test_undo import dump

BUNDLE = EXPORT_FORMATS["bundle"]


@pytest.fixture(scope="module")
def demo(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return build_demo(tmp_path_factory.mktemp("demo") / "demo.db")


def bundle_of(path: Path, data_dir: Path, to: Path, choice: Choice = EVERYTHING) -> Path:
    workspace = Workspace.open(path, data_dir=data_dir)
    with workspace.read() as reader:
        export_graph(reader, BUNDLE, to, choice)
    workspace.close()
    return to


def taken(workspace: Workspace, bundle: Path) -> ImportReport:
    content = read_import(bundle)
    return workspace.write("Import", lambda writer: write_import(writer, content)).result


@pytest.fixture
def new(tmp_path: Path) -> Workspace:
    return Workspace.open(tmp_path / "new.db", data_dir=tmp_path / "new", create=True)


def test_the_round_trip_of_a_native_graph_is_exact_and_can_be_undone(
    demo: Path, tmp_path: Path, new: Workspace
) -> None:
    bundle = bundle_of(demo, tmp_path / "data", tmp_path / "demo.jsonl")
    rows = len(bundle.read_text("utf-8").split("\n")) - 2  # Without the first line and the end.
    report = taken(new, bundle)
    assert (report.entities_new, report.entities_unchanged) == (73, 0)
    assert (report.rows_new, report.rows_unchanged, report.rows_kept) == (rows, 0, ())
    again = bundle_of(new.path, tmp_path / "new", tmp_path / "again.jsonl")
    assert again.read_bytes() == bundle.read_bytes()
    again_taken = taken(new, bundle)
    assert (again_taken.rows_new, again_taken.rows_unchanged) == (0, rows)
    new.undo()
    with new.read() as reader:
        assert not reader.value("SELECT COUNT(*) FROM entities")
        assert not reader.value("SELECT COUNT(*) FROM memories")
    new.close()


@pytest.mark.parametrize("kind", ["native", "signet-030", "signet-071"])
def test_a_row_that_is_known_by_two_columns_is_found_again(kind: str, tmp_path: Path) -> None:
    with closing(make(kind, tmp_path / "graph.db", tmp_path / "side")) as workspace:
        with workspace.read() as reader:
            export_graph(reader, BUNDLE, tmp_path / "graph.jsonl")
        workspace.write("Edit", lambda w: w.connection.execute(
            "UPDATE main.memory_entity_mentions SET confidence = 0.123"))
        report = taken(workspace, tmp_path / "graph.jsonl")
        assert report.rows_new == 0
        assert any("memory_entity_mentions" in str(kept) for kept in report.rows_kept)


@pytest.mark.parametrize("kind", ["signet-030", "signet-071"])
def test_a_bundle_of_a_signet_file_gives_a_native_graph_what_it_can_hold(
    kind: str, tmp_path: Path, new: Workspace
) -> None:
    workspace = make(kind, tmp_path / "signet.db", tmp_path / "made")
    with workspace.read() as reader:
        export_graph(reader, BUNDLE, tmp_path / "signet.jsonl")
        names = {row["name"] for row in reader.rows("SELECT name FROM entities")}
        contents = {row["content"] for row in reader.rows("SELECT content FROM entity_attributes")}
    workspace.close()
    report = taken(new, tmp_path / "signet.jsonl")
    with new.read() as reader:
        assert {row["name"] for row in reader.rows("SELECT name FROM entities")} == names
        assert {row["content"] for row in reader.rows(
            "SELECT content FROM entity_attributes")} == contents
    assert all(" left out" in words for words in report.rows_kept)
    new.undo()
    new.close()


def test_a_bundle_of_one_agent_has_nothing_of_another(demo: Path, tmp_path: Path) -> None:
    bundle = bundle_of(demo, tmp_path / "data", tmp_path / "atlas.jsonl", Choice(agent="atlas"))
    rows = [json.loads(line)["row"] for line in bundle.read_text().splitlines()[1:]]
    assert {row["agent_id"] for row in rows if "agent_id" in row} == {"atlas"}
    assert {row["id"] for row in rows if "read_policy" in row} == {"atlas"}
    own = {row["id"] for row in rows if "content_hash" in row}
    assert all(row["memory_id"] in own for row in rows if "mention_text" in row)


def test_a_row_that_differs_stays_as_it_is_and_is_told(
    demo: Path, tmp_path: Path, new: Workspace
) -> None:
    bundle = bundle_of(demo, tmp_path / "data", tmp_path / "demo.jsonl")
    taken(new, bundle)
    new.write("Describe", lambda w: w.update_where(
        "entities", "name = 'Harbor Ledger'", {"description": "Mine"}))
    report = taken(new, bundle)
    assert report.rows_kept == (
        "1 row of entities differs from the bundle's and stays as it is here",)
    with new.read() as reader:
        assert reader.value(
            "SELECT description FROM entities WHERE name = 'Harbor Ledger'") == "Mine"
    new.close()


@pytest.mark.parametrize(("damage", "says"), [
    (lambda lines: lines[:-1], "instead of"),
    (lambda lines: [*lines[:9], "{broken", *lines[10:]], "line 10: is no JSON"),
    (lambda lines: [*lines[:9], "[]", *lines[10:]], "line 10: is no object"),
    (lambda lines: [*lines[:9], '{"table":"sqlite_schema","row":{}}', *lines[10:]],
     "line 10: is no row of a table"),
    (lambda lines: [*lines[:9], '{"table":"agents","row":{"id":{"base64":"é"}}}', *lines[10:]],
     "line 10"),
    (lambda lines: [lines[0].replace('"version":1', '"version":9'), *lines[1:]], "version 9"),
])
def test_a_damaged_bundle_is_refused_with_its_line_before_anything_is_written(
    demo: Path, tmp_path: Path, damage: object, says: str
) -> None:
    bundle = bundle_of(demo, tmp_path / "data", tmp_path / "demo.jsonl")
    lines = bundle.read_text().splitlines()
    bundle.write_text("\n".join(damage(lines)))  # type: ignore[operator]
    with pytest.raises(OpenError) as refused:
        read_import(bundle)
    assert says in f"{refused.value} {refused.value.detail}"


def test_bytes_and_endless_numbers_come_back(tmp_path: Path, new: Workspace) -> None:
    other = Workspace.open(tmp_path / "a.db", data_dir=tmp_path / "a", create=True)
    other.write("Add", lambda w: w.insert(
        "embeddings", id="1", content_hash="h", vector=b"\x00\xff\x10", dimensions=3,
        source_type="memory", source_id="m", chunk_text="\u2028 text", created_at="t"))
    with other.read() as reader:
        export_graph(reader, BUNDLE, tmp_path / "a.jsonl")
    taken(new, tmp_path / "a.jsonl")
    assert dump(new.path)["embeddings"] == dump(other.path)["embeddings"]
    other.close()
    new.close()
