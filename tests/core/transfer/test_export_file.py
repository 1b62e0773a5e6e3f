"""Each format gives back what it can hold, names what it can't, and never half a file."""

import csv
from pathlib import Path

import networkx as nx
import pytest

from core.errors import OpenError
from core.ontology import control
from core.queries.stats import counts
from core.store.reader_and_writer import new_id
from core.transfer.export_file import (
    EVERYTHING,
    EXPORT_FORMATS,
    Choice,
    ExportReport,
    export_graph,
    left_out,
)
from core.transfer.exported_graph import exported_graph
from core.transfer.import_file import read_import, write_import
from core.transfer.mcp_records import McpFile
from core.transfer.page_names import page_name
from core.transfer.reference_server_nodes import Edge
from core.transfer.reference_server_tool_calls import create_relations
from core.transfer.write_csv_tables import unguarded
from core.workspace import Workspace
from explorer.demo import build_demo
from tests.templates import copy_graph, nothing

HOSTILE = "=HYPERLINK(\"x\")\nsecond <script>alert(1)</script> [[link]] \x07 | `code`"
NAMES = ("Alpha/Beta", "alpha:beta", "CON", "…", "a" * 300, "名前", "Mara's [laptop]")


def fill(workspace: Workspace) -> None:
    """Entities with awkward names, facts with markup, and a link."""
    def change(writer) -> None:
        for number, name in enumerate(NAMES):
            writer.insert("entities", id=f"e{number}", name=name, canonical_name=name.lower(),
                          entity_type="tool", pinned=int(number == 0), created_at="t",
                          updated_at="t", agent_id="default")
        writer.insert("entity_aspects", id="s", entity_id="e0", name="use", canonical_name="use",
                      created_at="t", updated_at="t", agent_id="default")
        for kind, claim, content in (("attribute", "color", HOSTILE), ("attribute", "x", "'=1+1"),
                                     ("constraint", "", "Never on Fridays")):
            writer.insert("entity_attributes", id=new_id(), aspect_id="s", kind=kind,
                          claim_key=claim or None, content=content, normalized_content=content,
                          created_at="t", updated_at="t", agent_id="default")
        writer.insert("entity_dependencies", id="d", source_entity_id="e0", target_entity_id="e1",
                      dependency_type="related_to", reason="sits on", created_at="t",
                      updated_at="t", agent_id="default")

    workspace.write("Fill", change)


@pytest.fixture
def workspace(tmp_path: Path):
    workspace = Workspace.open(copy_graph(fill, tmp_path / "graph.db"))
    yield workspace
    workspace.close()


def export(workspace: Workspace, name: str, to: Path, choice: Choice = EVERYTHING) -> ExportReport:
    with workspace.read() as reader:
        return export_graph(reader, EXPORT_FORMATS[name], to, choice)


@pytest.mark.parametrize(("name", "read"), [
    ("graphml", lambda path: nx.read_graphml(path, force_multigraph=True)),
    ("gexf", nx.read_gexf)])
def test_networkx_reads_every_node_fact_and_edge(
    workspace: Workspace, tmp_path: Path, name: str, read
) -> None:
    export(workspace, name, tmp_path / name)
    graph = read(tmp_path / name)
    assert len(graph) == len(NAMES)
    facts = graph.nodes["e0"]["facts"].split("\n")
    assert facts[0] == 'color: =HYPERLINK("x")'
    assert facts[1] == HOSTILE.replace("\x07", "\ufffd").split("\n")[1].rjust(
        len(facts[1]))  # further lines of a fact are indented
    (edge,) = graph.edges(data=True)
    assert edge[:2] == ("e0", "e1")
    assert edge[2]["reason"] == "sits on"


@pytest.mark.parametrize("name", ["graphml", "gexf", "csv", "markdown", "obsidian"])
def test_phrases_that_share_a_link_are_exported_one_by_one(
    workspace: Workspace, tmp_path: Path, name: str
) -> None:
    phrases = ("met at sea", "sails with", "paid; twice")
    workspace.write("Relate", lambda w: create_relations(
        w, [Edge("Alpha/Beta", "CON", words) for words in phrases]))
    export(workspace, name, tmp_path / name)
    folder = tmp_path / name
    files = [folder] if folder.is_file() else [
        folder / "links.csv"] if name == "csv" else folder.rglob("*.md")
    lines = "\n".join(file.read_text() for file in files)
    assert [lines.count(words) for words in phrases] == [1 + (name in ("graphml", "gexf"))] * 3
    assert not any(f"{one}; " in lines for one in phrases)


def test_muted_entities_are_told_where_the_format_cannot_say_so(workspace: Workspace) -> None:
    for name in ("Alpha/Beta", "CON"):
        workspace.write("Mute", lambda w, name=name: control.apply(
            w, "mute_entity", {"entity": name}))
    with workspace.read() as reader:
        told = {name: "2 muted entities" in left_out(reader, format)
                for name, format in EXPORT_FORMATS.items()}
    assert told == {name: name == "mcp" for name in EXPORT_FORMATS}


def test_descriptions_that_a_format_lacks_are_counted(workspace: Workspace) -> None:
    def describe(writer) -> None:
        for id, words in (("e1", "A brown dog"), ("e2", "")):
            writer.update("entities", id, description=words)

    workspace.write("Describe", describe)
    with workspace.read() as reader:
        told = {name: "1 description" in left_out(reader, format)
                for name, format in EXPORT_FORMATS.items()}
    assert told == {name: name == "mcp" for name in EXPORT_FORMATS}


@pytest.mark.parametrize("name", ["markdown", "obsidian", "csv", "graphml", "gexf"])
def test_what_is_muted_comes_back_muted(workspace: Workspace, tmp_path: Path, name: str) -> None:
    for muted in ("Alpha/Beta", "CON"):
        workspace.write("Mute", lambda w, muted=muted: control.apply(
            w, "mute_entity", {"entity": muted}))
    path = tmp_path / f"out{EXPORT_FORMATS[name].ending}"
    export(workspace, name, path)
    again = Workspace.open(copy_graph(nothing, tmp_path / "again.db"))

    def taken() -> set[str]:
        content = read_import(path)
        assert isinstance(content, McpFile)
        assert not [remark for remark in content.remarks if "muted" in remark.words]
        again.write("Import", lambda writer: write_import(writer, content))
        with again.read() as reader:
            return {str(row["name"]) for row in reader.rows(
                "SELECT name FROM entities WHERE muted = 1 AND agent_id = :agent")}

    assert taken() == {"Alpha/Beta", "CON"}
    again.write("Unmute", lambda writer: control.apply(
        writer, "unmute_entity", {"entity": "CON"}))
    assert taken() == {"Alpha/Beta"}, "what a person has decided since stays"
    again.close()


def test_tables_hold_every_row_and_run_no_formula(workspace: Workspace, tmp_path: Path) -> None:
    export(workspace, "csv", tmp_path / "tables")
    with (tmp_path / "tables" / "facts.csv").open(newline="", encoding="utf-8") as stream:
        rows = list(csv.DictReader(stream))
    values = [row["value"] for row in rows]
    assert [unguarded(value) for value in values] == [HOSTILE, "'=1+1", "Never on Fridays"]
    assert not any(value.startswith(("=", "+", "-", "@")) for value in values)
    with (tmp_path / "tables" / "links.csv").open(newline="", encoding="utf-8") as stream:
        assert [row["reason"] for row in csv.DictReader(stream)] == ["sits on"]


@pytest.mark.parametrize("name", ["markdown", "obsidian"])
def test_each_entity_has_a_page_of_its_own_and_its_text_is_plain(
    workspace: Workspace, tmp_path: Path, name: str
) -> None:
    export(workspace, name, tmp_path / "pages")
    pages = {path.stem for path in (tmp_path / "pages").iterdir()} - {"index"}
    assert len(pages) == len({page.casefold() for page in pages}) == len(NAMES)
    page = (tmp_path / "pages" / "Alpha-Beta.md").read_text(encoding="utf-8")
    assert "\\<script\\>" in page
    assert "<script>" not in page
    assert "Never on Fridays" in page
    assert "alpha-beta (2)" in page.replace("%20", " ").replace("%28", "(").replace("%29", ")")


def test_plain_pages_give_back_types_names_pins_facts_and_links(
    workspace: Workspace, tmp_path: Path
) -> None:
    export(workspace, "markdown", tmp_path / "pages")
    again = Workspace.open(copy_graph(nothing, tmp_path / "again.db"))
    again.write("Import", lambda writer: write_import(writer, read_import(tmp_path / "pages")))
    with workspace.read() as before, again.read() as after:
        old, new = exported_graph(before), exported_graph(after)
    again.close()
    kept = [{(each.name, each.entity_type, each.pinned) for each in graph.entities}
            for graph in (old, new)]
    assert kept[0] == kept[1]
    (first,) = [each for each in new.entities if each.name == "Alpha/Beta"]
    assert [fact.content for fact in first.facts if fact.is_constraint] == ["Never on Fridays"]
    (link,) = new.links
    ends = {each.id: each.name for each in new.entities}
    assert (ends[link.source], link.words, ends[link.target]) == (
        "Alpha/Beta", "sits on", "alpha:beta")


@pytest.mark.parametrize("name", list(EXPORT_FORMATS))
def test_an_export_replaces_nothing_and_leaves_nothing_half_done(
    workspace: Workspace, tmp_path: Path, name: str
) -> None:
    there = tmp_path / "there"
    there.write_text("mine")
    with pytest.raises(OpenError, match="exists already"):
        export(workspace, name, there)
    assert there.read_text() == "mine"
    with pytest.raises(OpenError, match="Folder not found"):
        export(workspace, name, tmp_path / "no folder" / "x")
    report = export(workspace, name, tmp_path / "new")
    assert report.path.exists()
    assert not list(tmp_path.glob(".export-*"))


def test_what_a_format_has_no_place_for_is_counted(workspace: Workspace, tmp_path: Path) -> None:
    workspace.write("Pin", lambda w: w.insert(
        "ontology_proposals", id="p", operation="pin_entity", status="pending", payload="{}",
        created_at="t", updated_at="t", agent_id="default"))
    assert export(workspace, "mcp", tmp_path / "m").left_out == (
        "1 pending proposal", "1 constraint (written as a plain fact)", "1 pin")
    assert export(workspace, "csv", tmp_path / "c").left_out == ("1 pending proposal",)
    assert export(workspace, "bundle", tmp_path / "b").left_out == ()


def test_the_memories_that_are_left_out_are_those_that_no_written_fact_says(
    tmp_path: Path
) -> None:
    workspace = Workspace.open(build_demo(tmp_path / "demo.db"), data_dir=tmp_path / "data")
    with workspace.read() as reader:
        said = reader.value(
            "SELECT COUNT(DISTINCT m.id) FROM memories m JOIN entity_attributes v"
            " ON v.memory_id = m.id AND trim(v.content) = trim(m.content) AND v.status = 'active'"
            " WHERE m.agent_id = :agent AND m.is_deleted = 0 AND m.source_type <> 'claim'")
        shown = counts(reader).memories - int(str(said))
        assert shown > 0
        assert f"{shown} memories" in left_out(reader, EXPORT_FORMATS["csv"])
    workspace.close()


def test_chosen_entities_come_with_the_links_among_them_only(
    workspace: Workspace, tmp_path: Path
) -> None:
    with workspace.read() as reader:
        alone = exported_graph(reader, ["e0"])
        both = exported_graph(reader, ["e0", "e1"])
    assert ([each.id for each in alone.entities], alone.links) == (["e0"], ())
    assert [link.words for link in both.links] == ["sits on"]
    export(workspace, "mcp", tmp_path / "m", Choice(["e1"]))
    assert len((tmp_path / "m").read_text().splitlines()) == 1
    with pytest.raises(OpenError, match="everything"):
        export(workspace, "bundle", tmp_path / "b", Choice(["e0"]))


@pytest.mark.parametrize(("name", "page"), [
    ("CON", "_CON"), ("a/b", "a-b"), ("..", "_"), ("x. ", "x"), ("com1.txt", "_com1.txt")])
def test_a_page_name_is_one_that_every_system_can_hold(name: str, page: str) -> None:
    assert page_name(name) == page


def _pinned_and_rules(workspace: Workspace) -> tuple[set[str], set[str]]:
    with workspace.read() as reader:
        pinned = {str(row["name"]) for row in reader.rows(
            "SELECT name FROM entities WHERE pinned = 1 AND agent_id = :agent")}
        rules = {str(row["content"]) for row in reader.rows(
            "SELECT content FROM entity_attributes WHERE kind = 'constraint'"
            " AND agent_id = :agent")}
    return pinned, rules


@pytest.mark.parametrize("name", ["obsidian", "csv", "graphml", "gexf"])
def test_pins_and_rules_that_a_format_holds_come_back_by_an_import(
    workspace: Workspace, tmp_path: Path, name: str
) -> None:
    format = EXPORT_FORMATS[name]
    path = tmp_path / f"out{format.ending}"
    report = export(workspace, name, path)
    again = Workspace.open(copy_graph(nothing, tmp_path / "again.db"))

    def take() -> list[str]:
        content = read_import(path)
        again.write("Import", lambda writer: write_import(writer, content))
        assert isinstance(content, McpFile)
        return [remark.words for remark in content.remarks]

    assert not [words for words in take() if "pinned" in words or "tags" in words]
    pinned, rules = _pinned_and_rules(again)
    assert pinned == {"Alpha/Beta"}
    told = any("constraint" in part for part in report.left_out)
    assert rules == (set() if told else {"Never on Fridays"}), "or it is told as left out"
    again.write("Unpin", lambda writer: control.apply(
        writer, "unpin_entity", {"entity": "Alpha/Beta"}))
    take()
    assert _pinned_and_rules(again)[0] == set(), "what a person has decided since stays"
    again.close()
