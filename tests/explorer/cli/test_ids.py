"""Short ids on the command line: shown, taken back, refused where they mean several."""

import json
import re
from contextlib import closing
from pathlib import Path

import pytest

from core.errors import OperationError
from core.queries.find_by_name_or_id import memory_id, proposal_id
from core.workspace import Workspace
from tests.core.graphs import Graph
from tests.explorer.conftest import graph_fixture


@graph_fixture
def memory(run, graph: Path) -> str:
    told = {"content": "Vega shines white.", "entities": [{"name": "Vega", "type": "project"}]}
    return run("remember", "-", "--json", stdin=json.dumps(told)).json["memoryId"]


def test_recall_and_traverse_show_ids_that_forget_and_hits_take(
    run, graph: Path, memory: str
) -> None:
    shown = re.search(r"\t([0-9a-f]{8})\tVega shines", run("recall", "white").cells)
    assert shown is not None
    short = shown[1]
    assert f"\t{short}\tVega shines" in run("traverse", "--entity", "Vega").cells
    run("session", "start", "--session", "s1", "--query", "Vega")
    assert run("session", "hits", "s1", short).out == "Recorded 1\n"
    assert run("forget", short).code == 0
    assert run("recall", "white").out == "No memory found.\n"


def test_a_proposal_is_meant_by_the_beginning_of_its_id(run, graph: Path) -> None:
    asked = ("ontology", "entity", "create", "Vega", "--propose", "--json")
    whole = run(*asked).json["proposal"]["id"]
    assert run("ontology", "proposal", whole[:8], "--json").json["id"] == whole
    assert run("ontology", "evidence", whole[:6], "--json").json["proposal"]["id"] == whole
    assert "not found" in run("ontology", "proposal", whole[:5]).err
    assert run("ontology", "apply", whole[:7]).code == 0


def test_a_beginning_that_several_share_is_refused_and_another_agents_is_none(
    tmp_path: Path,
) -> None:
    workspace = Workspace.open(tmp_path / "g.db", data_dir=tmp_path / "data", create=True)

    def fill(graph: Graph) -> None:
        for id, agent in (("abcdef-1", "default"), ("abcdef-2", "default"), ("fedcba-1", "atlas")):
            graph.memory(id, id=id, agent_id=agent, visibility="private")

    workspace.write("fill", lambda writer: fill(Graph(writer)))
    with workspace.read() as reader:
        assert memory_id(reader, "abcdef-1") == "abcdef-1"
        with pytest.raises(OperationError, match="Several memories have an id that starts"):
            memory_id(reader, "abcdef")
        assert memory_id(reader, "fedcba") == "fedcba"
        assert proposal_id(reader, "fedcba") == "fedcba"
    workspace.close()


def test_one_wrong_id_among_several_applies_none(run, graph: Path) -> None:
    ids = [run("ontology", "entity", "create", name, "--propose", "--json").json["proposal"]["id"]
           for name in ("Vega", "Deneb")]
    refused = run("ontology", "apply", *ids, "bogus")
    assert (refused.code, refused.out) == (2, "")
    assert "Proposal not found: bogus" in refused.err
    assert run("ontology", "proposals", "--json").json["count"] == 2
    assert run("history", "--json").json["items"][0]["label"].startswith("Propose")
    assert run("ontology", "reject", ids[0]).code == 0
    assert "is rejected, not pending" in run("ontology", "apply", *ids).err


def test_the_history_counts_what_was_applied_not_what_was_asked(run, graph: Path) -> None:
    run("ontology", "entity", "create", "Vega")
    run("ontology", "entity", "create", "Deneb")
    ids = [run("ontology", "entity", verb, *words, "--propose", "--json").json["proposal"]["id"]
           for verb, words in (("pin", ["Vega"]), ("rename", ["Vega", "Deneb"]),
                               ("mute", ["Deneb"]))]
    done = run("ontology", "apply", *ids)
    assert done.code == 2
    assert run("history", "--json").json["items"][0]["label"] == "Apply: 2 proposals"
    assert "Undone: Apply: 2 proposals" in run("undo").out


def test_a_dry_run_tells_no_id_that_will_never_be(run, graph: Path, memory: str) -> None:
    told = run("remember", "-", "--dry-run", stdin="Deneb is far away")
    assert "memory " not in told.out
    assert run("remember", "-", "--dry-run", "--json", stdin="Deneb").json["memoryId"] is None
    known = run("remember", "-", "--dry-run", stdin="Vega shines white.")
    assert memory in known.out
    line = '{"operation":"create_entity","payload":{"name":"Altair"}}'
    item = run("ontology", "stream", "apply", "-", "--dry-run", "--json", stdin=line).json
    assert item["items"][0]["proposalId"] == ""
    assert item["items"][0]["result"] == {"entityId": None, "entity": "Altair"}
    text = run("ontology", "stream", "apply", "-", "--dry-run", stdin=line).out
    assert text.startswith("1 operation would be done")


@graph_fixture
def imported(run, graph: Path) -> Path:
    """A graph with the ids of an import, which begin alike."""
    lines = [{"type": "entity", "name": name, "entityType": "person", "observations": [said]}
             for name, said in (("Mia", "Plays chess"), ("Lena", "Sails"))]
    file = graph.with_name("memory.jsonl")
    file.write_text("\n".join(map(json.dumps, [*lines, {
        "type": "relation", "from": "Mia", "to": "Lena", "relationType": "knows"}])))
    assert run("import", file, "--store", graph).code == 0
    return graph


def test_an_entity_a_value_and_a_link_are_meant_by_what_begins_one_id(
    run, imported: Path
) -> None:
    ids = {item["entity"]["name"]: item["entity"]["id"]
           for item in run("knowledge", "entities", "--json").json["items"]}
    mia = _beginning(ids["Mia"], ids["Lena"])
    assert "Pin “Mia”" in run("ontology", "entity", "pin", mia).out
    assert run("knowledge", "entity", mia).out.startswith("Mia")
    opened = Workspace.open(imported, data_dir=imported.parent / "data")
    with closing(opened) as workspace, workspace.read() as reader:
        value, other = (str(row["id"]) for row in reader.rows(
            "SELECT id FROM entity_attributes WHERE agent_id = :agent ORDER BY content"))
        link = str(reader.value("SELECT id FROM entity_dependencies WHERE agent_id = :agent"))
    assert run("ontology", "claim", "archive", "--attribute-id", _beginning(value, other)).code == 0
    assert run("ontology", "link", "archive", link[:10]).code == 0
    stream = json.dumps({"operation": "unpin_entity", "payload": {"entity": mia}})
    assert run("ontology", "stream", "apply", "-", stdin=stream).code == 0


def test_what_begins_several_ids_is_answered_with_those(run, imported: Path) -> None:
    ids = [item["entity"]["id"] for item in run("knowledge", "entities", "--json").json["items"]]
    for command in (("ontology", "entity", "pin", ids[0][:8]),
                    ("knowledge", "entity", ids[0][:8])):
        refused = run(*command)
        assert refused.code == 2
        for id, name in zip(sorted(ids), ("Mia", "Lena"), strict=True):
            assert f"{id} ({name})" in refused.err
    assert "Pin “Mia”" in run("ontology", "entity", "pin", "Mia").out, "a name is a name"


def _beginning(id: str, *others: str) -> str:
    """The shortest beginning that is of no other id."""
    return next(id[:length] for length in range(6, len(id) + 1)
                if not any(other.startswith(id[:length]) for other in others))
