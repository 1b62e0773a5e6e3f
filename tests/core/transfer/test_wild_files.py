"""Memory files as they are found with people: each thing arrives or is told with its line."""

import io
import json
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from core.errors import OpenError
from core.transfer.exported_graph import exported_graph
from core.transfer.import_file import read_import
from core.transfer.mcp_export import mcp_records
from core.transfer.mcp_import import import_mcp
from core.transfer.mcp_records import McpFile
from core.transfer.read_mcp_file import read_mcp
from core.workspace import Workspace
from tests.core.transfer.imported import facts, links, told

ANN = {"type": "entity", "name": "Ann", "entityType": "person", "observations": ["likes tea"]}
BO = {"type": "entity", "name": "Bo", "entityType": "person", "observations": ["rows"]}
KNOWS = {"type": "relation", "from": "Ann", "to": "Bo", "relationType": "knows"}


def read(*records: object) -> McpFile:
    return of_text("\n".join(map(json.dumps, records)))


def of_text(text: str) -> McpFile:
    return read_mcp(io.BytesIO(text.encode()))


def words(file: McpFile) -> dict[str, list[str]]:
    return {name: [text for _, text in said] for name, said in facts(file).items()}


@pytest.mark.parametrize("keys", [
    ("from_entity", "to_entity", "relation_type"), ("fromEntity", "toEntity", "relationship"),
    ("source_entity", "target_entity", "relationship_type"), ("sourceId", "targetId", "name"),
    ("subject", "object", "predicate"),
])
def test_the_fields_of_a_relation_go_by_many_names(keys: tuple[str, ...]) -> None:
    file = read(ANN, BO, {"type": "relation", **dict(zip(keys, ("Ann", "Bo", "met"), strict=True))})
    assert (links(file), told(file)) == ({("Ann", "met", "Bo")}, [])


def test_an_end_may_be_a_list_or_an_object() -> None:
    file = read({**KNOWS, "from": {"name": "Ann"}, "to": ["Bo", "Cy"]})
    assert links(file) == {("Ann", "knows", "Bo"), ("Ann", "knows", "Cy")}


def test_relations_may_stand_with_their_entity() -> None:
    file = read({**ANN, "relations": [{"to": "Bo", "relationType": "knows"}]},
                {"name": "Bo", "observations": ["rows"], "relations": []})
    assert (words(file), links(file)) == (
        {"Ann": ["likes tea"], "Bo": ["rows"]}, {("Ann", "knows", "Bo")})


def test_records_over_several_lines_may_have_their_relations() -> None:
    own = {**ANN, "relations": [{"to": "Bo", "relationType": "knows"}]}
    file = of_text("\n".join(json.dumps(each, indent=2) for each in (own, BO)))
    assert words(file) == {"Ann": ["likes tea"], "Bo": ["rows"]}
    assert (links(file), told(file)) == ({("Ann", "knows", "Bo")}, [])


@pytest.mark.parametrize("key", ["title", "label", "id", "entity"])
def test_an_entity_without_the_usual_name_goes_by_another(key: str) -> None:
    file = read({"type": "entity", key: "Ann", "observations": ["likes tea"]})
    assert (words(file), told(file)) == ({"Ann": ["likes tea"]}, [])


def test_a_record_without_a_name_is_told_with_what_it_says() -> None:
    [problem] = read({"type": "entity", "observations": ["lost"]}).problems
    assert (problem.line, problem.words) == (
        1, 'has no name: {"type": "entity", "observations": ["lost"]}')


def test_a_type_of_its_own_needs_no_observations() -> None:
    file = read({"type": "company", "name": "Acme", "observations": []})
    assert [(each.name, each.entity_type) for each in file.entities] == [("Acme", "company")]


def test_of_several_types_the_first_counts_and_is_told() -> None:
    file = read({**ANN, "entityType": ["person", "rower"]})
    assert file.entities[0].entity_type == "person"
    assert told(file) == ['line 1: is no single word, the first was taken: ["person", "rower"]']


def test_an_observation_may_be_a_record_of_its_own() -> None:
    file = read(ANN, {"type": "observation", "entityName": "Ann", "contents": ["a", "b"]},
                {"type": "observation", "entity": "Ann", "content": "c", "timestamp": "2024-01-01"})
    assert words(file) == {"Ann": ["likes tea", "a", "b", "c"]}
    assert list(file.entities[0].observations)[-1].when == "2024-01-01"


OBJECTS = [
    {"content": "a", "timestamp": "2024-03-01T10:00:00Z"}, {"fact": "b"}, {"remark": "c"},
    {"colour": "red", "size": 4}, {"content": {"deep": ["d", 1]}, "date": "2024-03-02"},
]


def test_what_an_export_says_of_an_object_or_a_joined_phrase_is_nothing_new(
    tmp_path: Path
) -> None:
    file = read({**ANN, "observations": [{"size": 4, "colour": {"b": "x", "a": "y"}}]}, BO,
                {**KNOWS, "relationType": "met; liked"})
    graph = Workspace.open(tmp_path / "g.db", data_dir=tmp_path / "side", create=True)
    graph.write("i", lambda w: import_mcp(w, file))
    for again in (file, None):
        with graph.read() as reader:
            exported = list(mcp_records(reader))
        given = again or read(*exported)
        done = graph.write("i", partial(import_mcp, file=given)).result
        assert (done.values_new, done.links_new) == (0, 0)
        with graph.read() as reader:
            assert list(mcp_records(reader)) == exported
    graph.close()


def test_an_observation_says_all_that_its_object_says_and_comes_back_exactly(
    tmp_path: Path
) -> None:
    file = read({**ANN, "observations": [*OBJECTS, ["e", ["f"]]]})
    assert words(file)["Ann"] == [
        "a", "b", "c", "colour: red; size: 4", 'content: {"deep": ["d", 1]}', "e", "f"]
    assert list(file.entities[0].observations)[4].when == "2024-03-02"
    assert told(file) == []
    graph = Workspace.open(tmp_path / "g.db", data_dir=tmp_path / "side", create=True)
    for new in (7, 0):
        assert graph.write("i", lambda w: import_mcp(w, file)).result.values_new == new
    with graph.read() as reader:
        [record] = mcp_records(reader)
    assert record["observations"] == [*OBJECTS, "e", "f"]
    graph.close()


@pytest.mark.parametrize(("fields", "when"), [
    ({"created": "2024-02-29"}, "2024-02-29"), ({"date_created": "2024-02-29"}, "2024-02-29"),
    ({"updatedAt": "2024-02-29"}, "2024-02-29"),
    ({"createdAt": "2024-02-28", "updatedAt": "2024-02-29"}, "2024-02-28"),
])
def test_a_time_goes_by_many_names_and_a_later_one_is_better_than_none(
    fields: dict[str, str], when: str
) -> None:
    assert read({**ANN, **fields}).entities[0].when == when


@pytest.mark.parametrize("document", [
    {"graph": {"entities": [ANN, BO], "relations": [KNOWS]}, "version": 2},
    {"result": {"structuredContent": {"entities": [ANN, BO], "relations": [KNOWS]}}},
    {"content": [{"type": "text", "text": json.dumps({"entities": [ANN, BO],
                                                      "relations": [KNOWS]})}]},
    {"Ann": {"entityType": "person", "observations": ["likes tea"], "relations": [KNOWS]},
     "Bo": {"entityType": "person", "observations": ["rows"]}},
], ids=["in a graph", "in a result", "as an answer", "by name"])
@pytest.mark.parametrize("indent", [None, 2])
def test_a_graph_is_found_wherever_it_stands(document: object, indent: int | None) -> None:
    file = of_text(json.dumps(document, indent=indent))
    assert words(file) == {"Ann": ["likes tea"], "Bo": ["rows"]}
    assert (links(file), told(file)) == ({("Ann", "knows", "Bo")}, [])


def test_entities_may_be_names_alone() -> None:
    file = of_text(json.dumps({"entities": ["Ann", "Bo"], "relations": [KNOWS]}, indent=1))
    assert (words(file), told(file)) == ({"Ann": [], "Bo": []}, [])


@pytest.mark.parametrize("indent", [None, 1])
def test_what_is_said_of_the_whole_file_is_told(indent: int | None) -> None:
    file = of_text(json.dumps({"entities": [ANN], "relations": [], "owner": "me"}, indent=indent))
    assert [each.words for each in file.problems] == [
        "“owner” is of the whole file and is left out: \"me\""]


def test_comments_cost_nothing_and_are_told() -> None:
    file = of_text("// mine\n{\n /* people */\n \"entities\": [\n" + json.dumps(ANN)
                   + ", # \"first\n" + json.dumps(BO)[:-1] + " /* } */ }\n // last\n],\n"
                   + "\"relations\": [" + json.dumps(KNOWS) + "] }\n")
    assert words(file) == {"Ann": ["likes tea"], "Bo": ["rows"]}
    assert links(file) == {("Ann", "knows", "Bo")}
    assert told(file) == [
        "line 1: is a comment: // mine", "line 3: is a comment: /* people */",
        "line 5: is a comment: # \"first", "line 7: is a comment: // last"]


def test_backslashes_and_tabs_are_read_as_they_are_meant() -> None:
    text = json.dumps({**ANN, "observations": ["AT"]}).replace("AT", "C:\\Users\\ann\tis \\u00e9")
    file = of_text(text + "\n" + json.dumps(BO))
    assert words(file) == {"Ann": ["C:\\Users\\ann\tis é"], "Bo": ["rows"]}


@pytest.mark.parametrize("more", [
    {"subject": "Ann", "predicate": "knows", "object": "Bo"},
    {**ANN, "memory": "m", "user_id": "u", "hash": "h"}, {**ANN, "labels": [], "properties": {}},
    {**ANN, "content": "c", "content_hash": "h", "tags": []}, {**ANN, "uuid": "u", "fact": "f"},
])
def test_a_memory_file_is_not_taken_for_another_tools(tmp_path: Path, more: object) -> None:
    path = tmp_path / "memory.jsonl"
    path.write_text("\n".join(map(json.dumps, (BO, more))))
    file: Any = read_import(path)
    assert words(file)["Bo"] == ["rows"]


def test_signs_that_are_not_seen_make_no_second_entity_and_are_told() -> None:
    file = read(ANN, {**ANN, "name": "An\u200bn\ufeff", "observations": ["rows"]})
    assert words(file) == {"Ann": ["likes tea", "rows"]}
    assert [each.words for each in file.merged] == [
        "“An\u200bn\ufeff” was merged into “Ann” (the same but for signs that are not seen)"]


@pytest.mark.parametrize(("text", "looks"), [
    ('[{"name": "A chat", "chat_messages": []}]', "conversations exported from Claude"),
    ('{"agents": [], "blocks": []}', "an agent of Letta"),
    ('[{"namespace": ["m"], "key": "k", "value": {}}]', "a store of LangGraph"),
    ('{"@context": "https://schema.org", "@graph": []}', "linked data (JSON-LD)"),
    ('[{"title": "Page", "children": []}]', "pages of Roam"),
    ('CREATE (a:Person {name: "Ann"});', "a dump of Neo4j (Cypher)"),
    ("@prefix : <http://ex.org/> .\n:Ann :knows :Bo .", "linked data (RDF)"),
    ("{'type': 'entity', 'name': 'Ann'}", "Python, not JSON"),
    ('["likes tea"]', "a list of texts"), ("entities:\n  - name: Ann\n", "a file of YAML"),
    ("\x1f\x8b\x08", "a packed file"), ("PK\x03\x04", "a packed file"),
])
def test_a_file_that_is_none_is_told_by_what_it_looks_like(text: str, looks: str) -> None:
    file = read_mcp(io.BytesIO(text.encode("latin-1")))
    assert (file.entities, file.looks_like[:len(looks)]) == ((), looks)


def imported(tmp_path: Path, name: str, text: str) -> McpFile:
    path = tmp_path / name
    path.write_text(text)
    file: Any = read_import(path)
    return file


def test_a_table_says_the_type_and_the_time_of_a_fact(tmp_path: Path) -> None:
    file = imported(tmp_path, "people.csv",
                    "name,entityType,observations,created\nAnn,person,likes tea,2024-01-01\n")
    [ann] = file.entities
    assert (ann.entity_type, list(ann.observations)[0].when, told(file)) == (
        "person", "2024-01-01", [])


def test_a_header_of_names_that_tell_facts_is_no_row_of_pairs(tmp_path: Path) -> None:
    file = imported(tmp_path, "notes.csv", "id,title,body\n1,Ann,likes tea\n")
    assert (words(file), links(file)) == ({"Ann": ["likes tea"]}, set())


def test_other_memories_keep_what_this_graph_has_no_place_for(tmp_path: Path) -> None:
    memories = [{"id": "7", "memory": "likes tea", "hash": "h", "user_id": "ann", "score": 1}]
    kept = imported(tmp_path, "m.json", json.dumps({"results": memories})).entities[0]
    assert json.loads(list(kept.observations)[0].source) == {"id": "7", "hash": "h"}
    nodes = [{"uuid": "u1", "name": "Ann", "summary": "rows"}, {"uuid": "u2", "name": "Acme"}]
    edge = {"source_node_uuid": "u1", "target_node_uuid": "u2", "name": "AT", "fact": "works",
            "valid_at": "2024-01-01", "created_at": "2024-01-02", "episodes": ["e"]}
    kept = imported(tmp_path, "z.json", json.dumps({"nodes": nodes, "edges": [edge]})).entities[0]
    [fact] = kept.observations
    assert (fact.when, json.loads(fact.source)) == (
        "2024-01-01", {"created_at": "2024-01-02", "episodes": ["e"]})
    open_memory = {"memories": [{"content": "likes tea", "user_id": "ann", "app_id": "x"}]}
    assert words(imported(tmp_path, "o.json", json.dumps(open_memory))) == {"ann": ["likes tea"]}


def test_the_words_behind_a_relation_of_a_note_are_kept(tmp_path: Path) -> None:
    file = imported(tmp_path, "Coffee.md", "- goes with [[Cake]] (on Sundays)\n")
    assert [json.loads(each.fields[0]) for each in file.relations] == [{"context": "on Sundays"}]


def test_a_description_is_taken_once(tmp_path: Path) -> None:
    file = imported(tmp_path, "Coffee.md", "From Kenya.\n\n- is hot\n")
    graph = Workspace.open(tmp_path / "g.db", data_dir=tmp_path / "side", create=True)
    for _ in range(2):
        graph.write("i", lambda w: import_mcp(w, file))
    with graph.read() as reader:
        assert reader.value("SELECT count(*) FROM source_fields") == 0
        assert reader.value("SELECT description FROM entities") == "From Kenya."
    graph.close()


def test_every_format_has_the_whole_of_a_long_phrase(tmp_path: Path) -> None:
    phrase = "knows " * 80 + "end"
    graph = Workspace.open(tmp_path / "g.db", data_dir=tmp_path / "side", create=True)
    graph.write("i", lambda w: import_mcp(w, read(ANN, BO, {**KNOWS, "relationType": phrase})))
    with graph.read() as reader:
        assert [each.words for each in exported_graph(reader).links] == [phrase]
    graph.close()


@pytest.mark.parametrize(("records", "line"), [
    ((ANN, BO, {**KNOWS, "to": "BO"}), 3), (({**KNOWS, "to": "BO"}, ANN, BO), 1),
    ((ANN, KNOWS, {**KNOWS, "from": "BO", "to": "Ann"}), 3),
])
def test_a_relation_that_spells_a_name_otherwise_is_told(
    records: tuple[dict[str, object], ...], line: int
) -> None:
    merged = read(*records).merged
    assert [(each.name, each.into, each.line) for each in merged] == [("BO", "Bo", line)]


def test_a_relation_that_spells_a_name_as_its_entity_tells_nothing() -> None:
    assert not read(KNOWS, ANN, BO, {**KNOWS, "relationType": "met"}).merged


def test_items_of_xml_are_facts_in_their_order() -> None:
    file = read({**ANN, "observations": {"item": ["likes tea", "rows"]}},
                {**BO, "observations": {"item": {"$text": "sails", "item": {
                    "item": ["has a boat", {"#text": "paints", "item": "sings"}]}}}},
                {**ANN, "name": "Cy", "observations": [{"item": "milk", "count": 2}]})
    assert words(file) == {
        "Ann": ["likes tea", "rows"], "Bo": ["sails", "has a boat", "paints", "sings"],
        "Cy": ["count: 2; item: milk"]}
    assert told(file) == []


def test_notes_that_say_where_they_are_from_are_no_relations(tmp_path: Path) -> None:
    note = {"id": "1", "text": "Use exits", "source": "chat", "ts": "2026-05-23T20:39:30Z"}
    with pytest.raises(OpenError, match="looks like notes of another tool") as refused:
        imported(tmp_path, "m.jsonl", json.dumps(note))
    assert "no entity" not in str(refused.value)
    file = of_text(json.dumps(ANN) + "\n" + json.dumps({"from": "Ann", "relationType": "knows"}))
    [half] = file.problems
    assert half.what.startswith("refers to no entity")


@pytest.mark.parametrize("indent", [None, 1])
def test_relations_may_stand_under_their_ids(indent: int | None) -> None:
    graph = {
        "entities": {"Ann": {"observations": ["likes tea"]}, "Bo": {"observations": ["rows"]}},
        "relations": {"Ann|knows|Bo": {"from": "Ann", "to": "Bo", "relation_type": "knows"},
                      "r2": {"from": "Bo", "to": "Ann", "relation_type": "trusts"}}}
    file = of_text(json.dumps(graph, indent=indent))
    assert words(file) == {"Ann": ["likes tea"], "Bo": ["rows"]}
    assert links(file) == {("Ann", "knows", "Bo"), ("Bo", "trusts", "Ann")}
    assert file.problems == ()
