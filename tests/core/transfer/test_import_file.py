"""Files of other programs: each is known by what it holds, read whole, and its faults are told."""

import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.errors import OpenError
from core.transfer.export_file import EXPORT_FORMATS, export_graph
from core.transfer.exported_graph import ExportedGraph, exported_graph
from core.transfer.import_file import read_import, write_import
from core.transfer.import_report import ImportReport
from core.transfer.mcp_records import McpFile
from core.transfer.read_mcp_file import gather
from core.workspace import Workspace
from tests.core.transfer.imported import facts, links, read_file, told
from tests.templates import copy_graph


@pytest.fixture(scope="module")
def graph(tmp_path_factory: pytest.TempPathFactory):
    """A graph that nothing is written to: imports are tried on it and rolled back."""
    folder = tmp_path_factory.mktemp("formats")
    workspace = Workspace.open(copy_graph(lambda workspace: None, folder / "graph.db"),
                               data_dir=folder / "data")
    yield workspace
    workspace.close()


def read(path: Path, content: str | bytes | None = None) -> McpFile:
    """What a file of this content holds."""
    if content is not None:
        path.write_bytes(content.encode() if isinstance(content, str) else content)
    return read_file(path)


def note(folder: Path, name: str, text: str) -> None:
    path = folder / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")


# -- notes --------------------------------------------------------------------------------------

VEGA = """---
title: Vega
type: project
aliases: [The boat]
created: 2026-01-02
permalink: boats/vega
---
# Vega

Sails fast, see [[Altair|her owner]].

## Observations
- [hull] Painted red #color #constraint
- [rig] Has a `gaff` rig
  and two jibs
- plain fact \\[not a category\\]
- [ ] Varnish the mast
- owned by [[people/Altair]]

## Winter
She lies in Lübeck.

```
- [not] a fact [[Nor a link
```
"""


def test_a_folder_of_single_files_names_them(tmp_path: Path) -> None:
    with pytest.raises(OpenError) as empty:
        read(tmp_path)
    for name in ("d", "a", "c", "b"):
        (tmp_path / f"{name}.jsonl").write_text('{"type":"entity","name":"Harbor Ledger"}')
    with pytest.raises(OpenError) as four:
        read(tmp_path)
    assert str(empty.value.do).startswith("Choose a folder of notes")
    assert four.value.do == "Import its files one by one: a.jsonl, b.jsonl, c.jsonl, …"


def test_a_folder_of_notes_gives_facts_relations_links_and_front_matter(tmp_path: Path) -> None:
    note(tmp_path, "Vega.md", VEGA)
    note(tmp_path, "people/Altair.md", "Mends [[The boat]] with ![[sail.png]]\n")
    note(tmp_path, ".obsidian/hidden.md", "no")
    (tmp_path / "sail.png").write_bytes(b"\x89PNG")
    file = read(tmp_path)
    vega = file.entities[0]
    assert (vega.name, vega.entity_type, vega.aliases) == ("Vega", "project", ("The boat",))
    assert vega.description == "Sails fast, see her owner."
    assert vega.when == "2026-01-02"
    assert facts(file)["Vega"][:6] == [
        ("observations", "Sails fast, see her owner."), ("hull", "Painted red"),
        ("rig", "Has a `gaff` rig\nand two jibs"),
        ("observations", "plain fact [not a category]"), ("tasks", "Varnish the mast"),
        ("Winter", "She lies in Lübeck.")]
    assert vega.observations[1].kind == "constraint"
    assert links(file) == {("Vega", "links to", "Altair"), ("Vega", "owned by", "Altair"),
                           ("Altair", "links to", "The boat")}
    assert "people/Altair.md, line 1: the file sail.png is left out" in told(file)
    assert ("in all: 1 file that is no note is left out; a memory file is imported by itself"
            in told(file))


def test_what_the_front_matter_says_are_facts_and_its_links_relations(tmp_path: Path) -> None:
    note(tmp_path, "Jonas.md", """---
type: person
born: 1988-06-14
time_zone: CET
reports to: "[[Anna]]"
friends: ["[[Ben]]", "[[Cleo]]"]
active: true
hobbies: [chess, tea]
description: Leads it.
cssclass: wide
size:
  shirt: L
tags: [crew]
---
Sails.
""")
    file = read(tmp_path)
    assert facts(file)["Jonas"] == [
        ("properties", "born: 1988-06-14"), ("properties", "time zone: CET"),
        ("properties", "active: true"), ("properties", "hobbies: chess, tea"),
        ("observations", "Sails.")]
    assert links(file) == {("Jonas", "reports to", "Anna"), ("Jonas", "friends", "Ben"),
                           ("Jonas", "friends", "Cleo")}
    (jonas,) = [each for each in file.entities if each.entity_type == "person"]
    kept = str(jonas.fields)
    assert all(word in kept for word in ("cssclass", "shirt"))
    assert "born" not in kept


def test_links_of_markdown_lead_to_the_note_beside_or_above(tmp_path: Path) -> None:
    note(tmp_path, "Ana.md", "Of the root.\n")
    note(tmp_path, "crew/Ana.md", "Of the crew.\n")
    note(tmp_path, "The boat.md", "Hers.\n")
    note(tmp_path, "crew/Log.md", """# Log

Met [our *cook*](Ana.md), see [the boat](../The%20boat.md "ours") and [hers](<../The boat.md#Rig>).

- asked [Ana](../Ana.md)
- reads [the news](https://example.org/news.md) and [plans \\[b\\]](Plans.md)
- code keeps `[Ana](Ana.md)`, a heading [its words](#Rig), a picture ![it](sail.png)
""")
    file = read(tmp_path)
    assert links(file) == {
        ("Log", "links to", "Ana (crew)"), ("Log", "links to", "The boat"),
        ("Log", "asked", "Ana"), ("Log", "links to", "Plans")}
    assert [text for _, text in facts(file)["Log"]] == [
        "Met our *cook*, see the boat and hers.",
        "reads [the news](https://example.org/news.md) and plans (b)",
        "code keeps `[Ana](Ana.md)`, a heading [its words](#Rig), a picture ![it](sail.png)"]


def test_what_a_note_says_in_sentences_are_facts_and_the_first_describes_it(
    tmp_path: Path
) -> None:
    note(tmp_path, "Log.md",
         "#diary\n\nWe met Jonas.\n\nHe sells\nhis boat.\n\n- [ ] Call him\n")
    note(tmp_path, "Boat.md", "---\ndescribed: 2\n---\n# Boat\n\nShe is old.\n\nAnd red.\n\n"
                              "Jonas sells her.\n")
    file = read(tmp_path)
    assert {each.name: each.description for each in file.entities} == {
        "Log": "#diary", "Boat": "She is old.\n\nAnd red."}
    assert [text for _, text in facts(file)["Log"]] == [
        "We met Jonas.", "He sells\nhis boat.", "Call him"]
    assert [text for _, text in facts(file)["Boat"]] == ["Jonas sells her."]


@pytest.mark.parametrize(("text", "said"), [
    ("Owner: Tom\n", ["Owner: Tom"]), ("# Shop\n\nOwner: Tom", ["Owner: Tom"]),
    ("Owner: Tom.\n\nIt is fast.\n", ["Owner: Tom.", "It is fast."]), ("Closed", ["Closed"]),
    ("See [[Tom]]", ["See Tom"]), ("Shop\n====\n\nOwner: Tom", ["Owner: Tom"]),
    ("#diary", []), ("[[Tom]], [[Ada]]", []), ("![[Tom]] #diary\n\nOpen", ["Open"]),
])
def test_a_first_paragraph_of_few_words_is_a_fact_and_one_of_links_or_tags_none(
    tmp_path: Path, text: str, said: list[str]
) -> None:
    note(tmp_path, "b.md", text)
    assert [fact for _, fact in facts(read(tmp_path))["b"]] == said


@pytest.mark.parametrize(("text", "aliases"), [
    ("# Project Kranich\n\nText", ("Project Kranich",)), ("# kranich\n", ()), ("# Log\n", ()),
    ("---\naliases: [K]\n---\n\n# **Project** [[Kranich]] #work\n", ("K", "Project Kranich")),
    ("Project Kranich\n====\nText", ("Project Kranich",)), ("# Notes\n", ()),
    ("Text\n\n# Project Kranich\n", ()), ("## Project Kranich\n", ()), ("# Meeting\n", ()),
    (f"# {'long ' * 20}\n", ()),
])
def test_the_heading_of_a_note_is_another_name_for_it_unless_others_are_called_so(
    tmp_path: Path, text: str, aliases: tuple[str, ...]
) -> None:
    note(tmp_path, "Kranich.md", text)
    note(tmp_path, "Log.md", "# Meeting\n\nWe met.\n")
    kranich = next(each for each in read(tmp_path).entities if each.name == "Kranich")
    assert kranich.aliases == aliases


def test_notes_of_one_title_stay_two_entities(tmp_path: Path) -> None:
    note(tmp_path, "a/Log.md", "One\n")
    note(tmp_path, "b/Log.md", "Two, after [[a/Log]]\n")
    file = read(tmp_path)
    assert [each.name for each in file.entities] == ["Log", "Log (b)"]
    assert links(file) == {("Log (b)", "links to", "Log")}
    assert "b/Log.md, line 1: another note is called “Log”: this is “Log (b)”" in told(file)


@pytest.mark.parametrize(("text", "fault"), [
    ("---\na: &a [*a]\n---\nText", "its front matter is no YAML: it refers to another part"),
    ("---\na: [\n---\nText", "its front matter is no YAML"),
    ("---\n- 1\n---\nText", "its front matter names no fields"),
    ("---\na: " + "[" * 3000 + "\n---\nText", "its front matter is no YAML"),
    ("---\na: !!python/object/apply:os.system [ls]\n---\nText", "its front matter is no YAML"),
    ("---\na: " + "x" * 70_000 + "\n---\nText", "its front matter is too long"),
])
def test_a_bad_front_matter_is_told_and_the_text_is_read(
    tmp_path: Path, text: str, fault: str
) -> None:
    note(tmp_path, "Vega.md", text)
    file = read(tmp_path)
    assert [each.description for each in file.entities] == ["Text"]
    assert any(f"Vega.md, line 1: {fault}" in line for line in told(file))


def test_links_of_the_file_system_that_lead_back_are_not_followed(tmp_path: Path) -> None:
    note(tmp_path, "Vega.md", "Sails")
    (tmp_path / "again").symlink_to(tmp_path, target_is_directory=True)
    assert len(read(tmp_path).entities) == 1


# -- graph files --------------------------------------------------------------------------------

GRAPHML = """<?xml version="1.0"?>
<graphml xmlns="http://graphml.graphdrawing.org/xmlns" xmlns:y="http://www.yworks.com/xml/graphml">
<key id="d0" for="node" attr.name="entity_type" attr.type="string"><default>person</default></key>
<key id="d1" for="edge" attr.name="label" attr.type="string"/>
<key id="d2" for="node" attr.name="age" attr.type="int"/>
<key id="d3" for="node" yfiles.type="nodegraphics"/>
<graph edgedefault="directed">
<edge source="n0" target="n1"><data key="d1">knows</data></edge>
<node id="n0"><data key="d2">40</data>
<data key="d3"><y:ShapeNode><y:NodeLabel>Ada &amp; Co</y:NodeLabel></y:ShapeNode></data></node>
<node id="n1"><data key="d0">tool</data></node>
<node id="n2"><data key="d3"><y:ShapeNode><y:NodeLabel>n1</y:NodeLabel></y:ShapeNode></data></node>
<edge source="n2" target="gone"/><hyperedge/>
"""


def test_graphml_of_yed_is_read_as_far_as_it_goes(tmp_path: Path) -> None:
    file = read(tmp_path / "any.xml", GRAPHML)
    assert [(each.name, each.entity_type) for each in file.entities] == [
        ("Ada & Co", "person"), ("n1", "tool"), ("n1 (n2)", "person")]
    assert [each.text for each in file.entities[0].observations] == ["age: 40"]
    assert links(file) == {("Ada & Co", "knows", "n1"), ("n1 (n2)", "related to", "gone")}
    assert [line for line in told(file) if "is kept" not in line] == [
        "line 14: is no XML from here on: no element found",
        "line 12: another node is called “n1”: this is “n1 (n2)”",
        "line 13: no node of the file is “gone”",
        "line 13: an edge of more than two ends is left out"]


def test_xml_with_a_document_type_is_refused(tmp_path: Path) -> None:
    bomb = '<?xml version="1.0"?><!DOCTYPE g [<!ENTITY a "ha">]><graphml>&a;</graphml>'
    with pytest.raises(OpenError, match="declares a document type"):
        read(tmp_path / "bomb.graphml", bomb)


@pytest.mark.parametrize("edges", ["links", "edges"])
def test_nodes_and_links_of_json_are_read_from_a_cut_file_too(tmp_path: Path, edges: str) -> None:
    graph = {"directed": True, "graph": {}, "nodes": [
        {"id": 1, "name": "Ada", "type": "person"}, {"id": 2, "label": "Engine", "speed": 3}],
        edges: [{"source": 1, "target": 2, "relation": "built"}]}
    file = read(tmp_path / "whole.json", json.dumps(graph))
    assert [(each.name, each.entity_type) for each in file.entities] == [
        ("Ada", "person"), ("Engine", "")]
    assert links(file) == {("Ada", "built", "Engine")}
    cut = json.dumps(graph, indent=1)[:-30]
    file = read(tmp_path / "cut.json", cut)
    assert len(file.entities) == 2
    assert any("is not JSON from here on" in line for line in told(file))


def test_memory_files_are_no_graphs_of_nodes(tmp_path: Path) -> None:
    lines = [{"type": "entity", "name": "A", "entityType": "x", "observations": ["nodes.id"]},
             {"type": "relation", "from": "A", "to": "B", "relationType": "links"}]
    file = read(tmp_path / "memory.jsonl", "\n".join(map(json.dumps, lines)))
    assert file.title == "MCP memory file"


# -- tables -------------------------------------------------------------------------------------

def test_pairs_are_read_with_or_without_a_header(tmp_path: Path) -> None:
    file = read(tmp_path / "a.txt", "Subject;Predicate;Object\nAda;built;\"the\nengine\"\n;x;y\n")
    assert links(file) == {("Ada", "built", "the\nengine")}
    assert told(file) == ["line 4: names no two ends"]
    file = read(tmp_path / "b.csv", "Ada,Engine\nAda,Bob\n")
    assert links(file) == {("Ada", "related to", "Engine"), ("Ada", "related to", "Bob")}


@pytest.mark.parametrize("content", [
    "name,type\rVega,star\r", "name,type\r\nVega,star\r\n"])
def test_lines_of_a_table_may_end_as_on_any_system(tmp_path: Path, content: str) -> None:
    assert [each.name for each in read(tmp_path / "stars.csv", content).entities] == ["Vega"]


def test_a_text_with_a_lone_carriage_return_is_no_table_and_no_fault(tmp_path: Path) -> None:
    with pytest.raises(OpenError):
        read(tmp_path / "notes.csv", "Vega is a \r star\nand so on")


def test_a_table_of_facts_in_latin_1_with_a_huge_cell_is_read(tmp_path: Path) -> None:
    huge = "x" * 200_000
    file = read(tmp_path / "f.csv", f"entity,fact\nJürgen,{huge}\nJürgen,\n".encode("latin-1"))
    assert facts(file) == {"Jürgen": [("observations", huge)]}
    assert file.encoding.startswith("Latin-1")
    assert told(file) == ["line 3: has no fact"]


# -- there and back -----------------------------------------------------------------------------

_WORDS = st.text(st.characters(exclude_categories=("Cs", "Cc")), min_size=1, max_size=20).map(
    lambda text: " ".join(text.split())).filter(bool)
_MARKUP = st.sampled_from((
    "- [cat] fact #tag", "# Head", "1. one", "[[Target|alias]]", "```", "---", "=1+1", "'=1",
    "<b>&amp;</b>", "a: b", "![[pic.png]]", "\\[x]", "    indented", "", "(in brackets)", "#tag",
    "*bold* _under_", "| a | b |", '"quoted", and more'))
_TEXT = st.lists(st.one_of(_WORDS, _MARKUP), min_size=1, max_size=4).map("\n".join).filter(
    lambda text: bool(text.strip()))
_NAMES = st.lists(_WORDS, min_size=1, max_size=4, unique_by=lambda name: name.casefold())


@st.composite
def graphs(draw: st.DrawFn) -> list[dict[str, object]]:
    """A graph as records: entities of any names and facts, and links among them."""
    names = draw(_NAMES)
    ends = st.sampled_from(names)
    entities = [{"type": "entity", "name": name, "entityType": draw(st.sampled_from(
        ("person", "tool"))), "observations": draw(st.lists(_TEXT, max_size=3))} for name in names]
    relations = [{"type": "relation", "from": draw(ends), "to": draw(ends), "relationType": words}
                 for words in draw(st.lists(st.sampled_from(
                     ("uses", "grew: out *of*", "met at sea", "sails; rows")), max_size=4))]
    return [*entities, *relations]


def content(graph: ExportedGraph) -> tuple[object, ...]:
    """What of a graph every format holds."""
    names = {each.id: each.name for each in graph.entities}
    return (
        {each.name: (each.entity_type, sorted(fact.words for fact in each.facts))
         for each in graph.entities},
        sorted((names[each.source], each.words, names[each.target]) for each in graph.links))


def test_a_description_comes_back_from_notes_and_as_no_fact(
    graph: Workspace, tmp_path: Path
) -> None:
    said = "An old boat.\n====\n\n- not an item\n# nor a heading\n\nShe sails."
    records = [{"type": "entity", "name": "Vega", "entityType": "boat", "observations": ["is red"]}]
    graph.write("Import", lambda writer: write_import(writer, gather(records)))
    graph.write("Describe", lambda writer: writer.update_where(
        "entities", "agent_id = :agent", {"description": said}))
    with graph.read() as reader:
        export_graph(reader, EXPORT_FORMATS["obsidian"], tmp_path / "notes")
    [vega] = read(tmp_path / "notes").entities
    assert " ".join(vega.description.split()) == " ".join(said.split())
    assert [one.text for one in vega.observations] == ["is red"]


@pytest.mark.parametrize("name", ["obsidian", "csv", "graphml", "gexf"])
@given(records=graphs())
def test_what_is_exported_and_imported_again_is_the_same_graph(
    graph: Workspace, tmp_path_factory: pytest.TempPathFactory, name: str,
    records: list[dict[str, object]],
) -> None:
    path = tmp_path_factory.mktemp("there") / "exported"

    def there(writer) -> tuple[object, ...]:
        write_import(writer, gather(records))
        export_graph(writer, EXPORT_FORMATS[name], path)
        return content(exported_graph(writer))

    def back(writer) -> tuple[tuple[object, ...], ImportReport, ImportReport]:
        file = read_import(path)
        return (write_import(writer, file), write_import(writer, file),
                content(exported_graph(writer)))

    before = graph.rehearse(there).result
    first, again, after = graph.rehearse(back).result
    if name == "obsidian":
        assert not any(each.aliases for each in read_file(path).entities)
    assert after == before
    assert not first.problems
    assert (again.entities_new, again.values_new, again.links_new) == (0, 0, 0)


def test_of_several_files_the_one_that_is_not_utf_8_is_named(tmp_path: Path) -> None:
    note(tmp_path, "Vega.md", "Sails fast\n")
    (tmp_path / "Deneb.md").write_bytes("Blau und grün\n".encode("cp1252"))
    file = read_file(tmp_path)
    assert file.encoding == ""
    assert told(file) == [
        "Deneb.md, line 1: The file is not UTF-8: it was read as Latin-1 (Windows-1252)"]
    assert read_file(tmp_path / "Deneb.md").encoding == "Latin-1 (Windows-1252)"
