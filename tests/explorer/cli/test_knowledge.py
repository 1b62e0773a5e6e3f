"""What `knowledge` answers, in Signet's shapes."""

from pathlib import Path

import pytest


@pytest.fixture
def filled(run, graph: Path) -> Path:
    """An entity with two aspects, a constraint, a claim of two versions and a link."""
    put = ("ontology", "claim", "set", "Vega")
    run("ontology", "entity", "create", "Vega", "--type", "project")
    run(*put, "schedule", "general", "start_time", "--value", "9 am")
    run(*put, "schedule", "general", "start_time", "--value", "10 am")
    run(*put, "schedule", "meetings", "retro", "--value", "every fourth Thursday")
    run(*put, "rules", "general", "deploy", "--kind", "constraint", "--value", "never on Friday")
    run("ontology", "link", "create", "Vega", "uses", "Kotlin", "--target-type", "tool")
    return graph


def test_entities_come_with_their_counts(run, filled: Path) -> None:
    told = run("knowledge", "entities", "--json").json
    item = next(item for item in told["items"] if item["entity"]["name"] == "Vega")
    assert item.keys() == {"entity", "aspectCount", "attributeCount", "constraintCount",
                           "dependencyCount"}
    assert (item["aspectCount"], item["attributeCount"], item["constraintCount"],
            item["dependencyCount"]) == (2, 2, 1, 1)
    assert {"id", "name", "canonicalName", "entityType", "agentId", "mentions", "pinned",
            "pinnedAt", "status", "createdAt", "updatedAt"} <= item["entity"].keys()
    assert (told["limit"], told["offset"], told["count"]) == (50, 0, 2)


def test_entities_are_found_by_a_fact_and_by_type(run, filled: Path) -> None:
    found = run("knowledge", "entities", "-q", "fourth thurs")
    assert "Vega" in found.out
    assert "Thursday" in found.out
    assert run("knowledge", "entities", "--type", "tool", "--json").json["count"] == 1


def test_a_page_says_how_many_there_are(run, filled: Path) -> None:
    assert "1 of 2" in run("knowledge", "entities", "-l", "1").err


def test_an_entity_shows_constraints_and_links(run, filled: Path) -> None:
    shown = run("knowledge", "entity", "vega")
    assert "! never on Friday" in shown.out
    assert "-> uses Kotlin" in shown.out
    told = run("knowledge", "entity", "vega", "--json").json
    assert (told["incomingDependencyCount"], told["outgoingDependencyCount"]) == (0, 1)


def test_the_tree_goes_as_deep_as_asked(run, filled: Path) -> None:
    told = run("knowledge", "tree", "Vega", "--json").json
    aspect = next(item for item in told["items"] if item["aspect"]["name"] == "schedule")
    assert (aspect["groupCount"], aspect["claimCount"]) == (2, 2)
    claim = aspect["groups"][0]["claims"][0]
    assert (claim["claimKey"], claim["activeCount"], claim["supersededCount"],
            claim["preview"]) == ("start_time", 1, 1, "10 am")
    flat = run("knowledge", "tree", "Vega", "--depth", "1", "--json").json
    assert "groups" not in flat["items"][0]
    assert "start_time: 10 am  (2 versions)" in run("knowledge", "tree", "Vega").out


def test_a_tree_of_nothing_lists_the_entities(run, filled: Path) -> None:
    assert "Vega" in run("knowledge", "tree").out


def test_the_way_down_by_names(run, filled: Path) -> None:
    aspects = run("knowledge", "aspects", "Vega", "--json").json["items"]
    assert {item["aspect"]["name"] for item in aspects} == {"schedule", "rules"}
    groups = run("knowledge", "groups", "Vega", "Schedule", "--json").json["items"]
    assert [item["groupKey"] for item in groups] == ["general", "meetings"]
    claims = run("knowledge", "claims", "Vega", "schedule", "general", "--json").json["items"]
    assert [item["claimKey"] for item in claims] == ["start_time"]


@pytest.mark.parametrize(("status", "values"), [
    ("active", ["10 am"]), ("superseded", ["9 am"]), ("deleted", []), ("all", ["10 am", "9 am"]),
])
def test_values_are_filtered_by_status(run, filled: Path, status: str, values: list[str]) -> None:
    told = run("knowledge", "attributes", "Vega", "schedule", "general", "start time",
               "--status", status, "--json").json
    assert [item["content"] for item in told["items"]] == values


def test_an_unknown_aspect_is_a_sentence(run, filled: Path) -> None:
    done = run("knowledge", "groups", "Vega", "weather")
    assert done.code == 2
    assert "Aspect not found: weather" in done.err


def test_names_with_control_signs_command_no_terminal(run, graph: Path) -> None:
    run("ontology", "entity", "create", "red\x1b[31m\u202eevil [bold]x[/bold]")
    shown = run("knowledge", "entities")
    assert "\x1b" not in shown.out
    assert "\u202e" not in shown.out
    assert "[bold]x[/bold]" in shown.out
