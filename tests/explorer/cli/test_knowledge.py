"""What `knowledge` answers, in Signet's shapes."""

import json
import os
import shutil
import sqlite3
from collections import Counter
from contextlib import closing, nullcontext
from pathlib import Path

import pytest

from core.workspace import Workspace
from explorer.cli import knowledge
from explorer.cli.output import harmless, short_id
from explorer.demo import build_demo
from tests.explorer.conftest import graph_fixture


@graph_fixture
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


@pytest.mark.parametrize(("query", "said"), [
    ("pinned:perhaps", "neither yes nor no"), ("[tag", "is not closed"), ('"ten', "is not closed"),
    ("type:", "needs a type"), ("type:projct", "Did you mean “project”?"),
    ("since:soon", "not a time"),
])
def test_a_search_that_cannot_be_read_is_refused_in_words(
    run, filled: Path, query: str, said: str
) -> None:
    done = run("knowledge", "entities", "-q", query)
    assert (done.code, done.out) == (2, "")
    assert said in done.err


def test_words_are_found_across_facts_and_a_typo_is_said(run, filled: Path) -> None:
    found = run("knowledge", "entities", "-q", "10 thursdya type:project")
    assert "Vega" in found.out
    assert "“thursdya” is nowhere here: “thursday” was looked for" in found.err
    assert "Kotlin" not in found.out


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


def test_a_tree_is_told_whole_where_a_weight_is_no_number(run, filled: Path) -> None:
    with closing(sqlite3.connect(filled)) as connection:
        connection.execute("PRAGMA ignore_check_constraints = ON")
        connection.execute("UPDATE entity_aspects SET weight = 'inf' WHERE name = 'schedule'")
        connection.commit()
    shown = run("knowledge", "tree", "Vega").out.splitlines()
    assert "- schedule" in shown
    assert "    - start_time: 10 am  (2 versions)" in shown


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


REAL = sorted(Path(os.environ.get("CONSTELLATION_REAL_FILES", "/nowhere")).glob("*.db"))
IN_FORCE = """
SELECT s.name AS aspect, v.kind, v.content FROM entity_aspects s
JOIN entity_attributes v ON v.aspect_id = s.id
WHERE s.entity_id = :entity AND s.agent_id = :agent AND s.status = 'active'
  AND v.agent_id = :agent AND v.status = 'active'"""


@pytest.mark.parametrize("file", [None, *REAL], ids=lambda file: file.stem if file else "demo")
def test_text_and_json_tell_every_value_in_force_of_every_entity(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str],
    file: Path | None,
) -> None:
    def printed(entity: str, as_json: bool) -> str:
        knowledge.tree(entity, 3, 10_000, 10_000, 10_000, as_json=as_json)
        return capsys.readouterr().out

    monkeypatch.setenv("CONSTELLATION_DATA", str(tmp_path / "data"))
    path = tmp_path / "graph.db"
    if file is None:
        build_demo(path)
    else:
        shutil.copyfile(file, path)
    with closing(Workspace.open(path)) as workspace:
        # Opened once, not at each command.
        monkeypatch.setattr(knowledge, "reading", lambda *_: nullcontext(workspace))
        with workspace.read() as reader:
            rows = {row["id"]: reader.rows(IN_FORCE, entity=row["id"]) for row in reader.rows(
                "SELECT id FROM entities WHERE agent_id = :agent AND status = 'active'")}
        assert len(rows) > 50
        for id, values in rows.items():
            tree = json.loads(printed(id, as_json=True))
            claims = [(item["aspect"]["name"], group["groupKey"], claim)
                      for item in tree["items"] for group in item["groups"]
                      for claim in group["claims"]]
            assert Counter((aspect, value["kind"], value["content"])
                           for aspect, _, claim in claims for value in claim["values"]
                           ) == Counter(tuple(row) for row in values)
            assert _read_text(printed(id, as_json=False)) == [
                (harmless(aspect), group, _line(claim)) for aspect, group, claim in claims]


def _line(claim: dict) -> str:
    mark, key = "!" if claim["kind"] == "constraint" else "-", claim["claimKey"]
    contents = harmless("; ".join(value["content"] for value in claim["values"]))
    more = f"  ({claim['versions']} versions)" if claim["versions"] > 1 else ""
    id = "" if key else f"  [{short_id(claim['values'][0]['id'])}]"
    return f"{mark} {f'{key}: ' if key else ''}{contents}{more}{id}"


def _read_text(tree: str) -> list[tuple[str, str, str]]:
    """The claims of a printed tree with their aspect and group."""
    claims, aspect, group = [], "", ""
    for line in tree.split("\n")[1:]:
        if line.startswith("- "):
            aspect = line[2:].rpartition("  ")[0]
        elif line.startswith("  - "):
            group = line[4:]
        elif line:
            claims.append((aspect, group, line[4:]))
    return claims


@pytest.mark.parametrize("command", [
    ("knowledge", "entities"), ("knowledge", "tree", "Vega"), ("traverse", "Vega"),
    ("recall", "Vega"),
])
def test_a_date_reads_the_graph_as_it_stood_and_one_it_knows_nothing_of_is_refused(
    run, filled: Path, command: tuple[str, ...]
) -> None:
    now = run(*command, "--as-of", "today", "--json").json
    assert now["asOf"].keys() == {"moment", "unknown"}
    for date, words in (("1999", "Nothing is known of the time before"), ("soon", "is not a date"),
                        ("2099-01-01", "is yet to come")):
        refused = run(*command, "--as-of", date)
        assert (refused.code, refused.out) == (2, "")
        assert words in refused.err
