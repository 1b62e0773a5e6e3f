"""What an import keeps only once is found as before: by words, by hash, by source."""

import io
import json

import pytest

from core.ingest.payload import Remembered
from core.ingest.remember import remember
from core.maintenance.duplicate_values import find
from core.queries.claims import evidence_of
from core.queries.entities import list_entities
from core.queries.knowledge import aspects_of
from core.transfer.mcp_import import ImportReport, import_mcp
from core.transfer.read_mcp_file import read_mcp
from core.workspace import Workspace
from tests.core.graphs import empty_graph  # noqa: F401 - the fixture `graph`

TEXT = "Keeps the  Sessions"


def _take(graph: Workspace, **observations: list[str]) -> ImportReport:
    lines = "\n".join(json.dumps({"type": "entity", "name": name, "entityType": "tool",
                                  "observations": texts}) for name, texts in observations.items())
    file = read_mcp(io.BytesIO(lines.encode()), path="/notes/memory.jsonl")
    return graph.write("import", lambda w: import_mcp(w, file)).result


def _count(graph: Workspace, sql: str) -> int:
    with graph.read() as reader:
        return int(reader.value(sql))


def test_what_was_imported_is_not_remembered_twice(graph: Workspace) -> None:
    _take(graph, Redis=[TEXT])
    graph.write("remember", lambda w: remember(w, Remembered(content="keeps the sessions")))
    assert _count(graph, "SELECT count(*) FROM memories") == 1


def test_what_was_remembered_is_not_imported_twice(graph: Workspace) -> None:
    graph.write("remember", lambda w: remember(w, Remembered(content="keeps the sessions")))
    _take(graph, Redis=[TEXT])
    assert _count(graph, "SELECT count(*) FROM memories") == 1


def test_entities_that_say_the_same_share_a_memory_over_all_portions(
    graph: Workspace, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("core.transfer.import_observations.AT_ONCE", 2)
    _take(graph, A=["one", TEXT, "two"], B=["three", TEXT], C=[TEXT])
    assert _count(graph, "SELECT count(*) FROM memories") == 4
    assert _count(graph, "SELECT count(*) FROM memory_entity_mentions") == 6
    with graph.read() as reader:
        assert {row.name: row.mentions for row in list_entities(reader)} == {
            "A": 3, "B": 2, "C": 1}


def test_a_known_entity_takes_only_what_is_new_over_all_portions(
    graph: Workspace, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("core.transfer.import_observations.AT_ONCE", 2)
    texts = [f"fact {number}" for number in range(7)]
    _take(graph, A=texts[:5])
    report = _take(graph, A=texts, B=["other"])
    assert (report.values_new, report.values_unchanged) == (3, 5)
    with graph.read() as reader:
        assert {row.name: row.mentions for row in list_entities(reader)} == {"A": 7, "B": 1}


def test_a_value_says_which_file_it_is_from(graph: Workspace) -> None:
    _take(graph, Redis=[TEXT])
    with graph.read() as reader:
        [aspect] = aspects_of(reader, list_entities(reader)[0].id)
        [value] = aspect.groups[0].claims[0].values
        assert "/notes/memory.jsonl" in str(evidence_of(reader, value.id))
        assert value.normalized_content == "keeps the sessions"


@pytest.mark.parametrize("text", ["Deploys on Monday", "Läuft  am Montag", "İstanbul Office"])
def test_a_value_that_says_the_same_is_a_duplicate(graph: Workspace, text: str) -> None:
    """Another program has written it again, with its canonical form."""
    _take(graph, Redis=[text])
    graph.write("again", lambda w: w.connection.execute(
        "INSERT INTO entity_attributes (id, aspect_id, kind, content, normalized_content,"
        " created_at, updated_at) SELECT 'again', aspect_id, kind, content, ?, created_at,"
        " updated_at FROM entity_attributes", (" ".join(text.split()).lower(),)))
    with graph.read() as reader:
        assert len(find(reader)) == 1


def test_the_ids_of_an_import_are_short_and_grow_as_the_file_goes_on(graph: Workspace) -> None:
    lines = [{"type": "entity", "name": name, "observations": [name]} for name in "ABC"]
    lines += [{"type": "relation", "from": "A", "to": to, "relationType": "uses"} for to in "BC"]
    file = read_mcp(io.BytesIO("\n".join(map(json.dumps, lines)).encode()))
    graph.write("import", lambda w: import_mcp(w, file))
    for table in ("entities", "entity_aspects", "entity_attributes", "memories",
                  "entity_dependencies"):
        with graph.read() as reader:
            ids = [row["id"] for row in reader.rows(f"SELECT id FROM {table} ORDER BY rowid")]
        assert {len(id) for id in ids} == {16}
        assert ids == sorted(ids)
