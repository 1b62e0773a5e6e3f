"""`traverse` and `neighborhood` on the command line."""

import json
from pathlib import Path
from types import SimpleNamespace

import pytest

from core.traversal.last_walk import last
from core.workspace import Workspace
from tests.explorer.conftest import graph_fixture


@graph_fixture
def filled(run, graph: Path) -> Path:
    """Vega uses Kotlin; it has a rule and an aspect; Vega is also called V1."""
    put = ("ontology", "claim", "set", "Vega")
    run("ontology", "entity", "create", "Vega", "--type", "project")
    run(*put, "schedule", "general", "start_time", "--value", "9 am")
    run(*put, "rules", "general", "deploy", "--kind", "constraint", "--value", "never on Friday")
    run("ontology", "link", "create", "Vega", "uses", "Kotlin", "--target-type", "tool",
        "--confidence", "0.9", "--strength", "0.8")
    return graph


def test_traverse_tells_focal_entities_and_constraints(run, filled: Path) -> None:
    told = run("traverse", "--query", "when does vega start")
    assert "Vega\tproject\tquery\tVega" in told.cells
    assert "! [Vega] never on Friday" in told.out
    assert "1 constraint of 2 entities" in told.err


@pytest.mark.parametrize("signal", [
    ("--project", "/srv/me/vega"), ("--query", "vega"), ("--entity", "Vega")])
def test_traverse_takes_each_signal(run, filled: Path, signal: tuple[str, str]) -> None:
    told = run("traverse", *signal, "--json").json
    assert [entity["name"] for entity in told["focal"]["entities"]] == ["Vega"]
    assert [constraint["content"] for constraint in told["constraints"]] == ["never on Friday"]
    assert told["misses"] is None


def test_traverse_takes_what_a_checkpoint_carried_forward(run, filled: Path) -> None:
    id = run("traverse", "--entity", "Vega", "--json").json["focal"]["entities"][0]["id"]
    told = run("traverse", "--checkpoint", id, "--project", "/srv/me/nothing", "--json").json
    assert told["focal"]["source"] == "checkpoint"
    assert [entity["name"] for entity in told["focal"]["entities"]] == ["Vega"]


def test_traverse_takes_a_session(run, filled: Path) -> None:
    assert run("traverse", "--session", "s1", "--json").json["focal"]["source"] == "session_key"


def test_traverse_begins_at_pins_unless_asked_off(run, filled: Path) -> None:
    run("ontology", "entity", "pin", "Kotlin")
    assert "Kotlin\ttool\tpinned" in run("traverse").cells
    assert "No focal entity." in run("traverse", "--no-pinned").out


def test_traverse_explains(run, filled: Path) -> None:
    told = run("traverse", "--entity", "Vega", "--explain", "--set", "maxBranching=0")
    assert "link\tuses → Kotlin\tstrength rank\t1 of 0" in told.cells
    assert "Vega, schedule, start time: 9 am" in told.out


def test_traverse_explains_the_way_to_a_constraint(run, filled: Path) -> None:
    run("ontology", "claim", "set", "Kotlin", "limits", "general", "version", "--kind",
        "constraint", "--value", "never below 2.0")
    lines = run("traverse", "--entity", "Vega", "--explain").out.splitlines()
    told = lines[lines.index("! [Kotlin] never below 2.0") + 1]
    assert told.strip() == ("Vega → uses Kotlin › limits › general · version  (confidence 0.9 of "
                            "0.5, strength 0.72 of 0.3, strength rank 1 of 4)")


def test_an_empty_scope_means_memories_without_one(run, filled: Path) -> None:
    for content, scope in (("Vega has a wide one", None), ("Vega has a narrow one", "team")):
        run("remember", "-", stdin=json.dumps({"content": content, "scope": scope}))
    found = {scope: [memory["content"] for memory in run(
        "traverse", "--entity", "Vega", "--scope", scope, "--json").json["memories"]]
        for scope in ("", "team")}
    assert found == {"": ["Vega, schedule, start time: 9 am", "Vega has a wide one"],
                     "team": ["Vega has a narrow one"]}


def test_another_part_of_the_settings_can_be_changed_for_one_call(run, filled: Path) -> None:
    told = run("recall", "vega", "--explain", "--set", "traversal.maxBranching=0", "--json").json
    assert told["walk"]["entityCount"] == 1
    told = run("recall", "vega", "--set", "walk.maxBranching=0")
    assert (told.code, "no part “walk”" in told.err) == (2, True)


def test_the_last_walk_is_told_after_a_recall_and_a_session_start(run, filled: Path) -> None:
    assert run("traverse", "--status", "--json").json == {"status": None}
    assert "No walk has been recorded" in run("traverse", "--status").out
    run("recall", "vega")
    told = run("traverse", "--status", "--json").json["status"]
    assert (told["phase"], told["source"], told["focalNames"]) == ("recall", "query", ["Vega"])
    assert (told["focalEntityNames"], told["memoryCount"], told["constraintCount"]) == (
        ["Vega"], told["memories"], told["constraints"])
    for options in (("--session", "s1"), ()):
        run("session", "start", "--project", "/srv/me/vega", *options)
        told = run("traverse", "--status", "--json").json["status"]
        assert (told["phase"], told["source"], told["constraints"]) == (
            "session start", "project", 1)
    assert "focal names\tVega" in run("traverse", "--status").cells
    assert run("traverse", "--status", "--agent", "other", "--json").json == {"status": None}


def test_the_last_walk_may_be_one_that_was_only_looked_at(run, filled: Path) -> None:
    run("traverse", "when does Vega start?")
    told = run("traverse", "--status", "--json").json["status"]
    assert (told["phase"], told["focalNames"], told["constraints"]) == ("walk", ["Vega"], 1)
    run("recall", "vega")
    assert run("traverse", "--status", "--json").json["status"]["phase"] == "recall"
    run("traverse", "--entity", "Vega")
    assert "phase\twalk" in run("traverse", "--status").cells


def test_what_the_agent_got_last_is_no_walk_that_was_only_looked_at(run, filled: Path) -> None:
    run("recall", "vega")
    run("traverse", "vega")
    workspace = Workspace.open(filled)
    status = last(workspace.sidecar, "default")
    workspace.close()
    assert status is not None
    assert status.phase == "recall"


def test_a_question_may_be_typed_without_an_option(run, filled: Path) -> None:
    question = "when does Vega start?"
    asked = [run("traverse", *words, "--json", stdin=question).json
             for words in ((question,), ("-q", question), ("-",))]
    focal = [one["focal"]["entities"] for one in asked]
    assert focal == [focal[0]] * 3
    assert focal[0][0]["name"] == "Vega"
    twice = run("traverse", question, "-q", question)
    assert (twice.code, "given twice" in twice.err) == (2, True)


def test_a_dry_start_of_a_session_leaves_no_status(run, filled: Path) -> None:
    run("session", "start", "--project", "/srv/me/vega", "--dry-run")
    assert run("traverse", "--status", "--json").json == {"status": None}


@pytest.mark.parametrize(("arguments", "said"), [
    (("--entity", "Nobody"), "Entity not found"),
    (("--set", "maxBranching=many"), "maxBranching"),
    (("--set", "nothing=1"), "nothing"),
])
def test_traverse_refuses_in_words(run, filled: Path, arguments: tuple, said: str) -> None:
    told = run("traverse", *arguments)
    assert told.code == 2
    assert said in told.err


def test_settings_of_the_file_count_and_faults_are_told(
    run, filled: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = tmp_path / "settings.toml"
    file.write_text("[traversal]\nmax_branching = 0\nnonsense = 1\n")
    monkeypatch.setenv("CONSTELLATION_SETTINGS", str(file))
    told = run("traverse", "--entity", "Vega", "--json")
    assert told.json["entityCount"] == 1
    assert "traversal.nonsense" in told.err


def test_neighborhood_lists_nodes_and_links(run, filled: Path) -> None:
    told = run("neighborhood", "Vega")
    assert "1\tKotlin\ttool" in told.cells
    assert "Vega -> uses Kotlin" in told.out


def test_neighborhood_answers_in_json(run, filled: Path) -> None:
    told = run("neighborhood", "kotlin", "--depth", "2", "--json").json
    assert told["entity"]["name"] == "Kotlin"
    assert {node["name"] for node in told["neighborhood"]["nodes"]} == {"Vega", "Kotlin"}
    [edge] = told["neighborhood"]["edges"]
    assert edge["dependencyType"] == "uses"


def test_neighborhood_has_the_names_of_the_seed(run, filled: Path) -> None:
    answer = run("neighborhood", "Vega", "--json").json
    entity, nodes = answer["entity"], answer["neighborhood"]["nodes"]
    assert (entity["type"], entity["mention_count"]) == ("project", entity["mentions"])
    assert all({"id", "name", "type", "notes", "mention_count"} <= node.keys() for node in nodes)
    [edge] = answer["neighborhood"]["edges"]
    assert (edge["from_id"], edge["to_id"], edge["label"]) == (nodes[0]["id"], nodes[1]["id"],
                                                               "uses")
    assert {"notes", "mention_count"} <= edge.keys()


def test_a_walk_has_the_fields_of_the_seeds_beside_its_own(run, filled: Path) -> None:
    run("remember", "-", stdin=json.dumps({"content": "Vega is deployed by hand"}))
    walk = run("traverse", "--entity", "Vega", "--json").json
    assert walk["focalEntityIds"] == [walk["focal"]["entities"][0]["id"]]
    assert walk["memoryIds"] == [memory["id"] for memory in walk["memories"]] != []
    assert walk["memoryScores"] == {memory["id"]: memory["score"] for memory in walk["memories"]}
    assert walk["memoryPaths"] == {memory["id"]: memory["path"] for memory in walk["memories"]}
    assert {"entityIds", "aspectIds", "dependencyIds"} == walk["memoryPaths"][
        walk["memoryIds"][0]].keys()
    assert {"constraints", "entityCount", "timedOut", "activeAspectIds"} <= walk.keys()


def test_what_time_cut_is_said_in_text_and_json_and_pins_are_there(
    run, filled: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    run("ontology", "entity", "pin", "Vega")
    asked = ("traverse", "Where is Orion?")
    whole = run(*asked, "--json").json
    assert (whole["partial"], whole["missing"]) == (False, [])
    monkeypatch.setattr("core.store.reader.time", SimpleNamespace(monotonic=lambda: 1e12))
    monkeypatch.setattr("core.store.reader.STRIDE", 1)
    cut, told = run(*asked, "--json"), run(*asked)
    assert (cut.code, told.code) == (0, 0)
    assert [entity["name"] for entity in cut.json["focal"]["entities"]] == ["Vega"]
    assert cut.json["partial"]
    assert cut.json["missing"][0] in told.err


def test_neighborhood_as_a_prompt_tells_it(run, filled: Path) -> None:
    lines = run("neighborhood", "Vega", "--text").out.splitlines()
    assert lines[0] == ("Here is what you know about entities relevant to this conversation and"
                        " their connections:")
    assert lines[1:] == ["- Vega (project): 9 am", "  → uses Kotlin (tool)", "- Kotlin (tool)"]


def test_neighborhood_says_what_it_leaves_out(run, filled: Path) -> None:
    told = run("neighborhood", "Vega", "--set", "maxNodes=1")
    assert "1 more entity not shown" in told.err


def test_neighborhood_of_several_is_all_that_is_one_link_away(run, filled: Path) -> None:
    run("ontology", "link", "create", "Orion", "uses", "Rust")
    told = run("neighborhood", "Vega", "Orion", "--json").json
    assert {node["name"] for node in told["nodes"]} == {"Vega", "Kotlin", "Orion", "Rust"}
    assert len(told["edges"]) == 2
    refused = run("neighborhood", "Vega", "Orion", "--depth", "2")
    assert (refused.code, "Name one entity" in refused.err) == (2, True)


def test_neighborhood_begins_only_at_what_the_project_mentions(run, filled: Path) -> None:
    run("remember", "-", stdin=json.dumps({"content": "Vega is here", "project": "/srv/me"}))
    names = {folder: {node["name"] for node in run(
        "neighborhood", "Vega", "Kotlin", "--project", folder, "--json").json["nodes"]}
        for folder in ("/srv/me", "/srv/you")}
    assert names == {"/srv/me": {"Vega", "Kotlin"}, "/srv/you": set()}
    assert "No memory of the project" in run("neighborhood", "Vega", "--project", "/srv/you").out


@pytest.mark.parametrize("arguments", [("Vega", "--depth", "4"), ("Nobody",)])
def test_neighborhood_refuses_in_words(run, filled: Path, arguments: tuple) -> None:
    assert run("neighborhood", *arguments).code == 2
