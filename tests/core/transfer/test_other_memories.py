"""What other memories of agents keep, dumped or in their databases, becomes entities and facts."""

import json
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from core.errors import OpenError
from core.transfer.bundle_import import Bundle
from core.transfer.import_file import read_import, write_import
from core.transfer.mcp_records import McpFile
from core.transfer.read_mcp_file import gather
from core.workspace import Workspace
from tests.core.transfer import imported
from tests.core.transfer.imported import facts, links, read_file
from tests.signet_shapes import as_signet
from tests.templates import copy_graph


def read(path: Path, content: object) -> McpFile:
    """What a file with this JSON, or with these lines of it, holds."""
    path.write_text(content if isinstance(content, str) else json.dumps(content), "utf-8")
    return read_file(path)


def database(path: Path, script: str) -> McpFile:
    with closing(sqlite3.connect(path)) as connection:
        connection.executescript(script)
    return read_file(path)


def told(file: McpFile) -> list[str]:
    """Without what is kept as it was."""
    return [words for words in imported.told(file) if "is kept, and only" not in words]


NEXUSAI = """
CREATE TABLE projects (id INTEGER PRIMARY KEY, name TEXT, description TEXT);
CREATE TABLE sessions (id INTEGER PRIMARY KEY, project_id INTEGER);
CREATE TABLE episodes (id INTEGER PRIMARY KEY, session_id INTEGER, user_message TEXT,
  ai_response TEXT, created_at INTEGER);
CREATE TABLE entities (id INTEGER PRIMARY KEY, name TEXT, type TEXT, notes TEXT,
  mention_count INTEGER, created_at INTEGER, UNIQUE (name, type));
CREATE TABLE relationships (id INTEGER PRIMARY KEY, from_id INTEGER, to_id INTEGER, label TEXT,
  notes TEXT);
CREATE TABLE entity_episodes (entity_id INTEGER, episode_id INTEGER);
INSERT INTO projects VALUES (1, 'NexusAI', 'A framework');
INSERT INTO sessions VALUES (7, 1);
INSERT INTO episodes VALUES (3, 7, 'Who is Alice?', 'An engineer', 1767225600), (4, 7, 'x', '', 1);
INSERT INTO entities VALUES (5, 'Alice', 'person', 'Software engineer', 4, 1767225600),
  (6, 'Alice', 'boat', NULL, 1, 1767225600), (8, 'Bob', 'person', NULL, 1, 1767225600);
INSERT INTO relationships VALUES (2, 5, 8, 'knows', 'from work'), (3, 5, 99, 'has', NULL);
INSERT INTO entity_episodes VALUES (5, 3);
"""


def test_nexusai_gives_entities_relationships_episodes_and_projects(tmp_path: Path) -> None:
    file = database(tmp_path / "nexus.db", NEXUSAI)
    assert [(each.name, each.entity_type, each.description) for each in file.entities] == [
        ("Alice", "person", "Software engineer"), ("Alice (6)", "boat", ""), ("Bob", "person", ""),
        ("NexusAI", "project", "A framework")]
    assert facts(file)["Alice"] == [("episodes", "Who is Alice?\nAn engineer")]
    assert file.entities[0].when == "2026-01-01T00:00:00+00:00"
    assert links(file) == {("Alice", "knows", "Bob"), ("Alice", "has", "99"),
                           ("Alice", "mentioned in", "NexusAI")}
    assert told(file) == [
        "episodes, row 2: is about no entity: left out",
        "entities, row 2: another node is called “Alice”: this is “Alice (6)”",
        "relationships, row 2: no node of the file is “99”"]


SERVICE = """
CREATE TABLE memories (id INTEGER PRIMARY KEY, content_hash TEXT UNIQUE, content TEXT, tags TEXT,
  memory_type TEXT, metadata TEXT, created_at REAL, created_at_iso TEXT, deleted_at REAL);
CREATE TABLE memory_graph (source_hash TEXT, target_hash TEXT);
INSERT INTO memories VALUES (1, 'a', 'Prefers dark roast', 'coffee,habits', 'preference',
  '{"who": "me"}', 1767225600.5, NULL, NULL), (2, 'b', 'Untagged', '', NULL, '{', NULL, NULL, NULL),
  (3, 'c', 'Gone', 'x', NULL, NULL, 1, NULL, 5.0), (4, 'd', ' ', 'x', NULL, NULL, 1, NULL, NULL);
INSERT INTO memory_graph VALUES ('a', 'b');
"""


def test_memories_of_mcp_memory_service_stand_at_their_tags(tmp_path: Path) -> None:
    file = database(tmp_path / "sqlite_vec.db", SERVICE)
    assert facts(file) == {"coffee": [("preference", "Prefers dark roast")],
                           "habits": [("preference", "Prefers dark roast")],
                           "Memories": [("observations", "Untagged")]}
    assert told(file) == ["memories, row 4: has no text",
                          "in all: 1 link between memories left out: a graph links entities",
                          "memories, row 3: is deleted there: left out"]
    export = {"export_metadata": {"version": 1}, "memories": [
        {"content": "Likes tea", "content_hash": "h", "tags": ["tea"], "memory_type": "note"}]}
    assert facts(read(tmp_path / "export.json", export)) == {"tea": [("note", "Likes tea")]}


@pytest.mark.parametrize("cut", [False, True])
def test_memories_of_mem0_belong_to_their_user(tmp_path: Path, cut: bool) -> None:
    dump = {"results": [
        {"id": "1", "memory": "Loves hiking", "user_id": "alice", "hash": "h", "categories":
            ["hobbies"], "metadata": {"source": "chat"}, "created_at": "2026-01-02T03:04:05Z"},
        {"id": "2", "memory": "Speaks Dutch", "agent_id": "tutor", "hash": "h", "metadata": None},
        {"id": "3", "memory": "", "user_id": "alice", "hash": "h"}],
        "relations": [{"source": "alice", "relationship": "lives_in", "target": "Delft"}]}
    text = json.dumps(dump, indent=1)
    file = read(tmp_path / "mem0.json", text[:-40] if cut else text)
    assert facts(file) == {"alice": [("hobbies", "Loves hiking")],
                           "tutor": [("observations", "Speaks Dutch")]}
    assert file.entities[0].observations[0].when == "2026-01-02T03:04:05Z"
    assert links(file) == (set() if cut else {("alice", "lives in", "Delft")})
    assert any("has no text" in line for line in told(file))
    assert any("is not JSON from here on" in line for line in told(file)) == cut


def test_lines_of_mem0_are_read_too(tmp_path: Path) -> None:
    lines = [{"memory": "Likes tea", "user_id": "bo"}, {"memory": "Sails", "user_id": "bo"}]
    file = read(tmp_path / "mem0.jsonl", "\n".join(map(json.dumps, lines)))
    assert facts(file) == {"bo": [("observations", "Likes tea"), ("observations", "Sails")]}


@pytest.mark.parametrize("inside", ["", "results", "memories"])
def test_memories_with_nothing_but_their_time_are_read(tmp_path: Path, inside: str) -> None:
    memories = [{"memory": "Katrin likes tea", "created_at": "2026-01-02T03:04:05Z"}]
    file = read(tmp_path / "list.json", json.dumps({inside: memories} if inside else memories))
    assert facts(file) == {"Memories": [("observations", "Katrin likes tea")]}
    assert file.entities[0].observations[0].when == "2026-01-02T03:04:05Z"


@pytest.mark.parametrize("inside", ["", "facts"])
def test_a_fact_with_a_subject_alone_is_one_of_that_subject(tmp_path: Path, inside: str) -> None:
    given = [{"subject": "Anna", "fact": "has two cats", "created_at": "2026-01-02T03:04:05Z"},
             {"subject": "Anna", "predicate": "knows", "object": "Bo"},
             {"subject": "Anna"}]
    file = read(tmp_path / "chat.json", json.dumps({inside: given} if inside else given))
    assert facts(file)["Anna"] == [("observations", "has two cats")]
    assert links(file) == {("Anna", "knows", "Bo")}
    assert any("names no two ends" in line for line in told(file))


def test_the_history_of_mem0_gives_what_each_memory_says_last(tmp_path: Path) -> None:
    file = database(tmp_path / "history.db", """
CREATE TABLE history (id TEXT, memory_id TEXT, old_memory TEXT, new_memory TEXT, event TEXT,
  created_at TEXT);
INSERT INTO history VALUES ('1', 'm', NULL, 'Likes tea', 'ADD', '2026-01-01'),
  ('2', 'm', 'Likes tea', 'Likes coffee', 'UPDATE', '2026-01-02'),
  ('3', 'n', NULL, 'Gone', 'ADD', '2026-01-01'), ('4', 'n', 'Gone', NULL, 'DELETE', '2026-01-03');
""")
    assert facts(file) == {"Memories": [("observations", "Likes coffee")]}


def test_graphiti_gives_facts_in_force_and_tells_those_that_are_over(tmp_path: Path) -> None:
    edge = {"source_node_uuid": "u1", "target_node_uuid": "u2", "name": "WORKS_AT",
            "fact": "Ada works at the mill", "valid_at": "2026-01-02T00:00:00Z", "episodes": ["e"]}
    dump = {"edges": [edge, {**edge, "fact": "Ada works at sea", "invalid_at": "2026-01-01"},
                      {"name": "X"}],
            "nodes": [{"uuid": "u1", "name": "Ada", "labels": ["Entity", "Person"], "summary":
                       "A miller", "group_id": "g", "name_embedding": [0.5]},
                      {"uuid": "u2", "name": "Mill", "labels": ["Entity"], "summary": ""}],
            "episodes": [{"uuid": "e", "name": "chat", "content": "…"}]}
    file = read(tmp_path / "zep.json", dump)
    assert [(each.name, each.entity_type, each.description) for each in file.entities] == [
        ("Ada", "Person", "A miller"), ("Mill", "Entity", "")]
    assert facts(file)["Ada"] == [("works at", "Ada works at the mill")]
    assert links(file) == {("Ada", "works at", "Mill")}
    assert any("no longer holds since 2026-01-01: left out: Ada works at sea" in line
               for line in told(file))
    assert any("1 episode or community left out" in line for line in told(file))


def test_a_fact_of_graphiti_without_any_date_is_read(tmp_path: Path) -> None:
    dump = [{"uuid": "u1", "name": "Ada", "summary": ""},
            {"source_node_uuid": "u1", "fact": "Ada works at the mill", "valid_at": None}]
    file = read(tmp_path / "zep.json", dump)
    assert [said for _, said in facts(file)["Ada"]] == ["Ada works at the mill"]


def test_files_in_a_note_are_no_facts_and_no_entities(tmp_path: Path) -> None:
    path = tmp_path / "Boat.md"
    path.write_text("---\ncover: \"[[vega.jpg]]\"\n---\nVega sails well.\n\n![[Boats.base]]\n\n"
                    "- as here ![[vega.png]]\n- ![[deck.webp|200]]\n- knows ![[Dr. Osei]]\n")
    file = read_file(path)
    assert [said for _, said in facts(file)["Boat"]] == [
        "Vega sails well.", "as here", "knows Dr. Osei"]
    assert links(file) == {("Boat", "links to", "Dr. Osei")}
    assert [each.what for each in file.remarks] == [
        f"the file {name} is left out" for name in (
            "vega.jpg", "Boats.base", "vega.png", "deck.webp")]


def test_triples_and_lines_of_neo4j_are_read(tmp_path: Path) -> None:
    file = read(tmp_path / "t.json", [{"subject": "Ada", "predicate": "built", "object": "Mill"}])
    assert links(file) == {("Ada", "built", "Mill")}
    lines = [{"type": "node", "id": "0", "labels": ["User"], "properties": {"name": "Ada"}},
             {"type": "node", "id": "1", "labels": ["Boat"], "properties": {"name": "Vega"}},
             {"type": "relationship", "id": "9", "label": "SAILS", "start": {"id": "0"},
              "end": {"id": "1"}, "properties": {"since": 2020}}]
    file = read(tmp_path / "neo4j.json", "\n".join(map(json.dumps, lines)))
    assert [(each.name, each.entity_type) for each in file.entities] == [
        ("Ada", "User"), ("Vega", "Boat")]
    assert links(file) == {("Ada", "SAILS", "Vega")}


def test_nodes_with_labels_and_relationships_with_a_type_are_read(tmp_path: Path) -> None:
    lines = [{"id": "n1", "labels": ["Issue", "Bug"], "properties": {
                 "title": "Tabs stay empty", "priority": "critical", "files": ["A.swift"]}},
             {"id": "n2", "labels": ["Feature"], "properties": {"name": "Parking lot"}},
             {"id": "r1", "type": "BLOCKS", "from": "n1", "to": "n2", "properties": {
                 "relationship": "waits", "description": "Nothing is stored"}},
             {"id": "r2", "type": "HELPS", "from": "n2", "to": "n1", "properties": {}}]
    file = read(tmp_path / "memory.jsonl", "\n".join(map(json.dumps, lines)))
    assert [(each.name, each.entity_type) for each in file.entities] == [
        ("Tabs stay empty", "Issue"), ("Parking lot", "Feature")]
    assert links(file) == {("Tabs stay empty", "BLOCKS", "Parking lot"),
                           ("Parking lot", "HELPS", "Tabs stay empty")}
    assert list(file.problems) == []
    assert "Nothing is stored" in file.relations[0].fields[0]
    assert "waits" in file.relations[0].fields[0]


def test_properties_of_nodes_are_facts_and_what_programs_read_is_kept(tmp_path: Path) -> None:
    node = {"type": "node", "id": "0", "labels": ["User"], "properties": {
        "name": "Ada", "observations": ["rows"], "favouriteTea": "green", "boats": ["Vega", "Lyra"],
        "age": 36, "embedding": [0.1, 0.2], "user_id": "u7", "updated_at": 5, "parts": [{"a": 1}]}}
    file = read(tmp_path / "neo4j.json", json.dumps(node))
    assert [said for _, said in facts(file)["Ada"]] == [
        "rows", "favouriteTea: green", "boats: Vega, Lyra", "age: 36"]
    [ada] = file.entities
    assert {"embedding", "user_id", "updated_at", "parts"} <= {
        key for each in ada.fields for key in json.loads(each)}


def test_tables_of_graphrag_are_read_where_pyarrow_is(tmp_path: Path) -> None:
    (tmp_path / "entities.parquet").write_bytes(b"PAR1 no table")
    with pytest.raises(OpenError, match="need the package pyarrow|can't be read"):
        read_import(tmp_path)
    pyarrow = pytest.importorskip("pyarrow")
    from pyarrow import parquet  # noqa: PLC0415 (only where it is)
    parquet.write_table(pyarrow.table({
        "id": ["1", "2"], "title": ["ADA", "MILL"], "type": ["PERSON", "PLACE"],
        "description": ["A miller", ""], "degree": [1, 1]}), tmp_path / "entities.parquet")
    parquet.write_table(pyarrow.table({
        "source": ["ADA"], "target": ["MILL"], "description": ["Ada runs the mill"],
        "weight": [2.0]}), tmp_path / "relationships.parquet")
    file = read_import(tmp_path)
    assert isinstance(file, McpFile)
    assert [each.description for each in file.entities] == ["A miller", ""]
    assert links(file) == {("ADA", "Ada runs the mill", "MILL")}


def test_a_database_of_something_else_is_refused(tmp_path: Path) -> None:
    with pytest.raises(OpenError, match="holds nothing that can be imported"):
        database(tmp_path / "other.db", "CREATE TABLE shopping (item TEXT)")
    (tmp_path / "cut.db").write_bytes((tmp_path / "other.db").read_bytes()[:700])
    with pytest.raises(OpenError, match="holds nothing that can be imported"):
        read_import(tmp_path / "cut.db")


def _fill(workspace: Workspace) -> None:
    workspace.write("Fill", lambda writer: write_import(writer, gather([
        {"type": "entity", "name": "Ada", "entityType": "person", "observations": ["Mills"]},
        {"type": "relation", "from": "Ada", "to": "Mill", "relationType": "owns"}])))


@pytest.mark.parametrize("later", [False, True])
def test_a_signet_database_is_copied_whole_and_stays_as_it_is(
    tmp_path: Path, later: bool
) -> None:
    signet_file = as_signet(copy_graph(_fill, tmp_path / "native.db"), tmp_path / "signet.db",
                            later=later)
    before = signet_file.read_bytes()
    content = read_import(signet_file)
    assert isinstance(content, Bundle)
    graph = Workspace.open(tmp_path / "graph.db", create=True, data_dir=tmp_path / "data")
    try:
        report = graph.write("Import", lambda writer: write_import(writer, content)).result
        assert report.entities_new > 0
        again = graph.write("Import", lambda writer: write_import(
            writer, read_import(signet_file))).result
        assert again.rows_new == 0
        graph.undo()
    finally:
        graph.close()
    assert signet_file.read_bytes() == before
