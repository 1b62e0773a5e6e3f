"""`traverse` and `neighborhood` on the command line."""

from pathlib import Path

import pytest


@pytest.fixture
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
    assert "Vega\tproject\tquery\tVega" in told.out
    assert "! [Vega] never on Friday" in told.out
    assert "1 constraints of 2 entities" in told.err


@pytest.mark.parametrize("signal", [
    ("--project", "/srv/me/vega"), ("--query", "vega"), ("--entity", "Vega")])
def test_traverse_takes_each_signal(run, filled: Path, signal: tuple[str, str]) -> None:
    told = run("traverse", *signal, "--json").json
    assert [entity["name"] for entity in told["focal"]["entities"]] == ["Vega"]
    assert [constraint["content"] for constraint in told["constraints"]] == ["never on Friday"]
    assert told["misses"] is None


def test_traverse_takes_a_session(run, filled: Path) -> None:
    assert run("traverse", "--session", "s1", "--json").json["focal"]["source"] == "session_key"


def test_traverse_begins_at_pins_unless_asked_off(run, filled: Path) -> None:
    run("ontology", "entity", "pin", "Kotlin")
    assert "Kotlin\ttool\tpinned" in run("traverse").out
    assert "No entity is meant." in run("traverse", "--no-pinned").out


def test_traverse_explains(run, filled: Path) -> None:
    told = run("traverse", "--entity", "Vega", "--explain", "--set", "maxBranching=0")
    assert "link\tuses → Kotlin\tstrength rank\t1 of 0" in told.out
    assert "attribute\t9 am\tno memory" in told.out


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
    assert "1\tKotlin\ttool" in told.out
    assert "Vega -> uses Kotlin" in told.out


def test_neighborhood_answers_in_json(run, filled: Path) -> None:
    told = run("neighborhood", "kotlin", "--depth", "2", "--json").json
    assert told["entity"]["name"] == "Kotlin"
    assert {node["name"] for node in told["neighborhood"]["nodes"]} == {"Vega", "Kotlin"}
    assert [edge["dependencyType"] for edge in told["neighborhood"]["edges"]] == ["uses"]


def test_neighborhood_as_a_prompt_tells_it(run, filled: Path) -> None:
    lines = run("neighborhood", "Vega", "--text").out.splitlines()
    assert lines[1:] == ["- Vega (project): 9 am", "  → uses Kotlin (tool)", "- Kotlin (tool)"]


def test_neighborhood_says_what_it_leaves_out(run, filled: Path) -> None:
    told = run("neighborhood", "Vega", "--set", "maxNodes=1")
    assert "1 more entities are near" in told.err


@pytest.mark.parametrize("arguments", [("Vega", "--depth", "4"), ("Nobody",)])
def test_neighborhood_refuses_in_words(run, filled: Path, arguments: tuple) -> None:
    assert run("neighborhood", *arguments).code == 2
