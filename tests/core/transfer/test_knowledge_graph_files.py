"""Documents of entities that say in fields what they are become facts and links."""

import json
from pathlib import Path

import pytest

from core.errors import OpenError
from core.transfer.mcp_records import McpFile
from tests.core.transfer.imported import facts, links, read_file

JIM = {"id": 1, "entity_type": "person", "name": "Jim", "description": "Goes by Jim",
       "birthdate": "1955-04-19", "age": 71, "confidence": 0.9, "mention_count": 27,
       "created_at": "2025-11-06T03:54:52Z"}
JULIE = {"id": 2, "entity_type": "person", "name": "Julie", "hobbies": ["rowing", "tea"]}
SPOUSE = {"id": 7, "entity1_id": 1, "entity2_id": 2, "relationship_type": "family",
          "description": "spouse", "confidence": 0.9}


def read(path: Path, content: object, indent: int | None = None) -> McpFile:
    path.write_text(json.dumps(content, indent=indent), "utf-8")
    return read_file(path)


def said(file: McpFile) -> dict[str, list[str]]:
    return {name: [text for _, text in each] for name, each in facts(file).items()}


def left_out(file: McpFile) -> list[str]:
    return [each.words for each in file.problems]


@pytest.mark.parametrize("indent", [None, 1])
def test_entities_that_tell_by_fields_have_facts_and_their_relationships(
    tmp_path: Path, indent: int | None
) -> None:
    file = read(tmp_path / "kg.json", {
        "version": "1.0", "entities": [JIM, JULIE], "relationships": [SPOUSE],
        "owner": "me"}, indent)
    assert said(file) == {"Jim": ["birthdate: 1955-04-19", "age: 71"],
                          "Julie": ["hobbies: rowing, tea"]}
    assert [each.description for each in file.entities] == ["Goes by Jim", ""]
    assert [each.entity_type for each in file.entities] == ["person", "person"]
    assert links(file) == {("Jim", "family: spouse", "Julie")}
    assert left_out(file) == ["“owner” is of the whole file and is left out: \"me\""]


def test_what_programs_worked_out_about_an_entity_is_kept_and_no_fact(tmp_path: Path) -> None:
    file = read(tmp_path / "kg.json", {"entities": [JIM], "relationships": []})
    assert {"confidence", "mention_count"} == {
        key for each in file.entities[0].fields for key in json.loads(each)}


@pytest.mark.parametrize("indent", [None, 1])
def test_nodes_may_stand_under_their_names(tmp_path: Path, indent: int | None) -> None:
    file = read(tmp_path / "kg.json", {
        "nodes": {"Euler": {"field": "mathematics", "mastery": 1.0, "color": "red", "size": 3},
                  "Gauss": {}},
        "edges": {"e1": {"source_table": "Euler", "target_table": "Gauss", "type": "PRECEDES"}},
    }, indent)
    assert said(file) == {"Euler": ["field: mathematics"], "Gauss": []}
    assert links(file) == {("Euler", "PRECEDES", "Gauss")}


def test_a_document_may_stand_within_another_object(tmp_path: Path) -> None:
    file = read(tmp_path / "kg.json", {"graph": {
        "nodes": [{"id": "a", "name": "Ann", "town": "Ely"}], "edges": []}})
    assert said(file) == {"Ann": ["town: Ely"]}


@pytest.mark.parametrize("own", [
    {"Bo": "knows"}, [{"target": "b", "type": "knows"}], [{"to": "Bo", "relation": "knows"}],
])
def test_relations_may_stand_with_their_entity(tmp_path: Path, own: object) -> None:
    file = read(tmp_path / "kg.json", {"entities": [
        {"id": "a", "name": "Ann", "town": "Ely", "relationships": own},
        {"id": "b", "name": "Bo"}]})
    assert links(file) == {("Ann", "knows", "Bo")}
    assert said(file) == {"Ann": ["town: Ely"], "Bo": []}


def test_the_ids_that_relations_have_are_those_of_the_entities(tmp_path: Path) -> None:
    file = read(tmp_path / "kg.json", {
        "entities": [{"entity_id": "concept:a", "name": "Attention", "description": "A paper"},
                     {"entity_id": "concept:b", "name": "Transformer", "description": "A model"}],
        "relations": [{"source": "concept:a", "target": "concept:b", "type": "includes"}]})
    assert links(file) == {("Attention", "includes", "Transformer")}
    assert [each.fields for each in file.entities] == [(), ()]


def test_a_type_of_the_graph_stays_one_and_the_ends_are_those_that_belong_together(
    tmp_path: Path
) -> None:
    file = read(tmp_path / "kg.json", {
        "entities": [{"name": "App", "lang": "Go"}, {"name": "Store", "lang": "C"}],
        "relationships": [{"from": "App", "to": "Store", "type": "DEPENDS_ON",
                           "source": "design.md", "description": "for its rows"}]})
    assert links(file) == {("App", "DEPENDS_ON", "Store")}
    [kept] = file.relations[0].fields
    assert json.loads(kept) == {"source": "design.md", "description": "for its rows"}


@pytest.mark.parametrize("name", ["relationships", "edges", "links"])
@pytest.mark.parametrize("indent", [None, 1])
def test_a_memory_file_may_call_its_relations_otherwise(
    tmp_path: Path, name: str, indent: int | None
) -> None:
    file = read(tmp_path / "memory.json", {
        "entities": [{"name": "Ann", "entityType": "person", "observations": ["rows"]},
                     {"name": "Bo", "entityType": "person", "observations": []}],
        name: [{"source": "Ann", "target": "Bo", "type": "knows"}]}, indent)
    assert (said(file), left_out(file)) == ({"Ann": ["rows"], "Bo": []}, [])
    assert links(file) == {("Ann", "knows", "Bo")}


LIGHTRAG = """<graphml xmlns="http://graphml.graphdrawing.org/xmlns">
<key id="d0" for="node" attr.name="entity_type" attr.type="string"/>
<key id="d1" for="node" attr.name="description" attr.type="string"/>
<key id="d2" for="node" attr.name="source_id" attr.type="string"/>
<key id="d3" for="edge" attr.name="weight" attr.type="double"/>
<key id="d4" for="edge" attr.name="description" attr.type="string"/>
<graph edgedefault="undirected">
<node id="&quot;DICKENS&quot;"><data key="d0">"PERSON"</data>
<data key="d1">"Wrote a carol."&lt;SEP&gt;"Lived in London."</data>
<data key="d2">chunk-1</data></node>
<node id="&quot;A Carol&quot;"><data key="d0">"BOOK"</data></node>
<node id="&quot;Dickens&quot;"><data key="d0">"PERSON"</data></node>
<edge source="&quot;A Carol&quot;" target="&quot;DICKENS&quot;"><data key="d3">1.0</data>
<data key="d4">"A Carol is a work of Dickens."&lt;SEP&gt;"It is short."</data></edge>
</graph></graphml>"""


def test_what_describes_an_edge_of_a_graph_of_texts_are_its_words(tmp_path: Path) -> None:
    path = tmp_path / "graph_chunk_entity_relation.graphml"
    path.write_text(LIGHTRAG, "utf-8")
    file = read_file(path)
    assert [(each.name, each.entity_type) for each in file.entities] == [
        ("DICKENS", "PERSON"), ("A Carol", "BOOK")]
    assert said(file) == {"DICKENS": ["Wrote a carol.", "Lived in London."], "A Carol": []}
    assert links(file) == {
        ("A Carol", "A Carol is a work of Dickens.; It is short.", "DICKENS")}


@pytest.mark.parametrize(("words", "more", "told"), [
    ("Rows.", {}, []), ("Dr. A. Vale rows. Sings " + "x" * 200, {}, [
        "Dr. A. Vale rows.", "Sings " + "x" * 200]),
    ("Rows. " * 40, {"facts": ["sails"]}, ["sails"]), ("Rows. " * 40, {"pinned": False}, [])])
def test_a_description_that_is_too_long_to_be_told_whole_is_a_fact_where_there_is_no_other(
    tmp_path: Path, words: str, more: dict[str, object], told: list[str]
) -> None:
    file = read(tmp_path / "kg.json", {
        "nodes": [{"id": "a", "name": "Ann", "description": words, **more}], "links": []})
    assert said(file) == {"Ann": told}
    assert bool(file.entities[0].description) == (told in ([], ["sails"]))


def test_nodes_whose_ids_are_one_name_are_one_entity_and_told(tmp_path: Path) -> None:
    path = tmp_path / "graph.graphml"
    path.write_text(LIGHTRAG, "utf-8")
    [merged] = read_file(path).merged
    assert (merged.name, merged.into) == ("Dickens", "DICKENS")


_SAILS = [{"source": "a", "target": "b", "label": "sails"}]
_ANN, _VEGA = {"id": "a", "label": "Ann"}, {"id": "b", "label": "Vega"}


@pytest.mark.parametrize("content", [
    {"elements": {"nodes": [{"data": _ANN}, {"data": _VEGA}], "edges": [{"data": _SAILS[0]}]}},
    [{"data": _ANN}, {"data": _VEGA}, {"data": {
        "source": "a", "target": "b", "interaction": "sails"}}],
    {"nodes": [{"key": "a", "attributes": {"label": "Ann", "x": 1, "color": "red"}},
               {"key": "b", "attributes": {"label": "Vega"}}],
     "edges": [{"key": "e", "source": "a", "target": "b", "attributes": {"type": "sails"}}]},
    {"nodes": [{"name": "Ann", "group": 1}, {"name": "Vega", "value": 3}],
     "links": [{"source": 0, "target": 1, "type": "sails"}]},
    {"entities": ["Ann", "Vega"],
     "facts": [{"subject": "Ann", "predicate": "sails", "object": "Vega"}]},
    {"entities": ["Ann", "Vega"], "edges": ["sails"], "relations": [["Ann", "sails", "Vega"]]},
    {"triples": [["Ann", "sails", "Vega"]]}, [["Ann", "sails", "Vega"]],
    [{"head": "Ann", "type": "sails", "tail": "Vega"}],
    [{"node_1": "Ann", "node_2": "Vega", "edge": "sails"}],
])
@pytest.mark.parametrize("indent", [None, 1])
def test_graphs_of_many_programs_are_read(
    tmp_path: Path, content: object, indent: int | None
) -> None:
    file = read(tmp_path / "graph.json", content, indent)
    assert links(file) == {("Ann", "sails", "Vega")}
    assert said(file) in ({"Ann": [], "Vega": []}, {})
    assert [each for each in left_out(file) if "“edges”" not in each] == []
    assert not [each for each in file.remarks if "no node of the file" in each.what]


def test_the_cards_of_a_canvas_are_named_by_what_they_hold(tmp_path: Path) -> None:
    file = read(tmp_path / "board.canvas", {"nodes": [
        {"id": "1", "type": "text", "text": "# Vega\nOur boat", "x": 0, "y": 0},
        {"id": "2", "type": "file", "file": "People/Anna.md", "x": 9, "y": 0},
        {"id": "3", "type": "link", "url": "https://example.org/tides"},
        {"id": "4", "type": "group", "label": "Sailing"}, {"id": "5", "type": "text", "text": ""}],
        "edges": [{"id": "e", "fromSide": "right", "toSide": "left", "fromNode": "1",
                   "toNode": "2", "label": "belongs to"}]})
    assert said(file) == {"Vega": ["Our boat"], "Anna": ["file: People/Anna.md"],
                          "https://example.org/tides": [], "Sailing": [], "5": []}
    assert links(file) == {("Vega", "belongs to", "Anna")}


def test_what_a_node_of_graphml_has_beside_its_name_are_facts(tmp_path: Path) -> None:
    path = tmp_path / "g.graphml"
    path.write_text(LIGHTRAG.replace("entity_type", "town").replace('"PERSON"', "Rye"), "utf-8")
    assert said(read_file(path))["DICKENS"][-1] == "town: Rye"


PEOPLE = """name,type,city,notes,works for
Ann,person,Rye,Leads Kranich,Acme
Acme,company,Berlin,,
Bo,person,,,
"""


def test_each_column_of_a_table_of_people_is_a_fact_and_no_row_is_lost(tmp_path: Path) -> None:
    path = tmp_path / "people.csv"
    path.write_text(PEOPLE, "utf-8")
    file = read_file(path)
    assert said(file) == {"Ann": ["Leads Kranich", "city: Rye", "works for: Acme"],
                          "Acme": ["city: Berlin"], "Bo": []}
    assert [each.entity_type for each in file.entities] == ["person", "company", "person"]
    assert left_out(file) == []


@pytest.mark.parametrize(("text", "told"), [
    ("name,type,notes\nAnn,person,rows\nAcme,company,\n", {"Ann": ["rows"], "Acme": []}),
    ("Name;Typ;Stadt\nUwe;Person;Kiel\n", {"Uwe": ["stadt: Kiel"]}),
    ("name,city\nAnn,Rye\n", {"Ann": ["city: Rye"]}),
    ("entity,fact,source,confidence\nAnn,rows,chat,0.9\n", {"Ann": ["rows"]}),
])
def test_a_table_with_a_column_of_names_tells_of_these(
    tmp_path: Path, text: str, told: dict[str, list[str]]
) -> None:
    path = tmp_path / "t.csv"
    path.write_text(text, "utf-8")
    assert said(read_file(path)) == told


def test_a_table_without_a_column_of_names_is_told_what_it_needs(tmp_path: Path) -> None:
    path = tmp_path / "t.csv"
    path.write_text("first,last,town,job\nAnn,Vale,Rye,baker\n", "utf-8")
    with pytest.raises(OpenError) as refused:
        read_file(path)
    assert "Call its column of names “name”" in refused.value.do


def test_a_node_that_has_one_field_of_an_edge_keeps_it(tmp_path: Path) -> None:
    node = {"type": "node", "id": "0", "labels": ["User"],
            "properties": {"name": "Ada", "source": "a chat"}}
    assert said(read(tmp_path / "n.json", node)) == {"Ada": ["source: a chat"]}


def test_a_node_without_a_name_is_named_by_its_text_and_keeps_its_type(tmp_path: Path) -> None:
    file = read(tmp_path / "c.json", {"nodes": [{"id": "1", "type": "chunk", "text": "Vega sails"}],
                                      "edges": []})
    assert [(each.name, each.entity_type) for each in file.entities] == [("Vega sails", "chunk")]


@pytest.mark.parametrize(("text", "told", "name"), [
    ("Wein;Flaschen\nRiesling;12\nMerlot;3\n",
     {"Riesling": ["flaschen: 12"], "Merlot": ["flaschen: 3"]}, "Wein"),
    ("Wine,Bought\nRiesling,2024-05-01\n", {"Riesling": ["bought: 2024-05-01"]}, "Wine"),
    ("Nr;Wein\n1;Riesling\n", {"Riesling": ["nr: 1"]}, "Wein"),
    ("Wein;Jahrgang;Rebe\nA;2020;Riesling\n", {"A": ["jahrgang: 2020", "rebe: Riesling"]}, "Wein"),
])
def test_numbers_under_words_tell_that_the_first_line_names_the_columns(
    tmp_path: Path, text: str, told: dict[str, list[str]], name: str
) -> None:
    path = tmp_path / "t.csv"
    path.write_text(text, "utf-8")
    file = read_file(path)
    assert (said(file), list(file.relations)) == (told, [])
    assert [each.words for each in file.remarks] == [f"“{name}” was taken as the name"]


@pytest.mark.parametrize("text", [
    "foo;bar\n1;2\n", "foo,bar\n1,2\n2,1\n", "Riesling;12\nMerlot;3\n", "x,y,3\nx,z,5\n",
    "Wein;Farbe\nRiesling;rot\n", "Wein;Notiz\nRiesling;gut\n"])
def test_columns_that_nothing_tells_are_refused_with_what_is_needed(
    tmp_path: Path, text: str
) -> None:
    path = tmp_path / "t.csv"
    path.write_text(text, "utf-8")
    with pytest.raises(OpenError) as refused:
        read_file(path)
    assert "Call its column of names “name”" in refused.value.do


@pytest.mark.parametrize(("text", "links"), [
    ("Ada,Bob\nBob,Cy\n", 2), ("Ada,tea\nAda,rum\n", 2), ("1,2\n2,3\n3,1\n", 3),
    ("Ada,likes,tea\nBob,likes,rum\n", 2)])
def test_pairs_that_are_surely_links_need_no_header(tmp_path: Path, text: str, links: int) -> None:
    path = tmp_path / "t.csv"
    path.write_text(text, "utf-8")
    assert len(read_file(path).relations) == links
