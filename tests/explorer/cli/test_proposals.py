"""The queue on the command line."""

import json
from pathlib import Path

import pytest

from tests.explorer.conftest import graph_fixture


@graph_fixture
def waiting(run, graph: Path) -> list[str]:
    """Three proposals: two that work, one that never can."""
    run("ontology", "entity", "create", "Vega")
    ids = []
    for operation, payload in (
        ("create_entity", {"name": "Altair"}),
        ("rename_entity", {"entity": "Vega", "new_name": "Wega"}),
        ("archive_entity", {"entity": "Nobody"}),
    ):
        told = run("ontology", "propose", "--operation", operation, "--payload-file", "-",
                   "--json", stdin=json.dumps(payload)).json
        ids.append(told["proposal"]["id"])
    return ids


def test_the_queue_lists_what_is_pending(run, waiting: list[str]) -> None:
    told = run("ontology", "proposals", "--json").json
    assert {item["id"] for item in told["items"]} == set(waiting)
    assert (told["limit"], told["offset"], told["count"]) == (50, 0, 3)
    assert {"agentId", "operation", "payload", "createdBy", "result", "sourceKind"} <= (
        told["items"][0].keys())


def test_a_page_says_how_many_there_are(run, waiting: list[str]) -> None:
    page = run("ontology", "proposals", "--limit", "2")
    assert len(page.out.splitlines()) == 1 + 2
    assert "2 of 3" in page.err


def test_the_queue_is_sorted_by_worth_and_grouped_as_in_the_window(
    run, waiting: list[str]
) -> None:
    told = run("ontology", "proposals", "--sort", "worth", "--group-by", "kind", "--json").json
    assert {group["name"]: group["ids"] for group in told["groups"]} == {
        "Create entity": waiting[:1], "Rename entity": waiting[1:2], "Archive entity": waiting[2:]}
    assert [item["id"] for item in told["items"]] == [
        id for group in told["groups"] for id in group["ids"]]
    assert all(item["worth"] > 0 for item in told["items"])
    assert "Rename entity" in run("ontology", "proposals", "--group-by", "kind").out
    assert "groups" not in run("ontology", "proposals", "--sort", "worth", "--json").json
    refused = run("ontology", "proposals", "--sort", "worth", "--status", "all")
    assert refused.code == 2
    assert "Only pending proposals" in refused.err


def test_the_queue_filters_by_status_and_operation(run, waiting: list[str]) -> None:
    assert run("ontology", "proposals", "--operation", "create_entity", "--json").json["count"] == 1
    assert run("ontology", "proposals", "--status", "applied", "--json").json["count"] == 1
    assert run("ontology", "proposals", "--status", "all", "--json").json["count"] == 4


def test_one_proposal_says_what_would_change(run, waiting: list[str]) -> None:
    shown = run("ontology", "proposal", waiting[1])
    assert "Rename “Vega” to “Wega”." in shown.out
    assert run("ontology", "proposal", waiting[1], "--json").json["summary"]


def test_a_warning_is_shown(run, waiting: list[str]) -> None:
    assert "! There is no entity “Nobody”" in run("ontology", "proposal", waiting[2]).out


def test_a_rejection_is_tried_without_changing_anything(run, waiting: list[str]) -> None:
    tried = run("ontology", "reject", waiting[0], "--dry-run")
    assert tried.code == 0
    assert "would be rejected" in tried.out
    assert run("ontology", "proposal", waiting[0], "--json").json["status"] == "pending"


def test_a_rejected_one_keeps_the_reason_and_is_not_taken_again(run, waiting: list[str]) -> None:
    assert run("ontology", "reject", waiting[0], "--reason", "not ours").code == 0
    told = run("ontology", "proposal", waiting[0], "--json").json
    assert (told["status"], told["result"], told["rejectedBy"]) == (
        "rejected", {"reason": "not ours"}, "operator")
    again = run("ontology", "propose", "--operation", "create_entity", "--payload-file", "-",
                stdin='{"name": "Altair"}')
    assert again.code == 2
    assert "rejected before" in again.err


def test_several_are_applied_each_on_its_own(run, waiting: list[str]) -> None:
    done = run("ontology", "apply", *waiting)
    assert done.code == 2
    assert "Entity not found: Nobody" in done.err
    assert done.out.count("applied") == 2
    assert run("ontology", "proposals", "--json").json["count"] == 1


def test_apply_warns_and_needs_force_over_a_newer_edit(run, waiting: list[str]) -> None:
    run("ontology", "entity", "rename", "Vega", "Lyra")
    refused = run("ontology", "apply", waiting[1])
    assert refused.code == 2
    assert "! " in refused.err
    assert "It changed after this was proposed" in refused.err
    assert "force" in refused.err
    told = run("ontology", "apply", waiting[1], "--force", "--json")
    assert told.code == 0
    assert told.json["items"][0]["status"] == "applied"
    assert told.json["items"][0]["warnings"] == [
        "It changed after this was proposed: it is called “Lyra” now"]
    assert told.json["items"][0]["result"]["oldName"] == "Lyra", "it followed the new name"


def test_one_undo_takes_several_back(run, waiting: list[str]) -> None:
    run("ontology", "apply", *waiting[:2])
    run("undo")
    assert {item["id"] for item in run("ontology", "proposals", "--json").json["items"]} == (
        set(waiting))
    entities = run("knowledge", "entities", "--json").json["items"]
    assert [item["entity"]["name"] for item in entities] == ["Vega"]


def test_a_dry_run_of_a_verdict_decides_nothing(run, waiting: list[str]) -> None:
    done = run("ontology", "apply", waiting[0], "--dry-run")
    assert done.code == 0
    assert "would be applied" in done.out
    assert run("ontology", "proposals", "--json").json["count"] == 3


def test_two_values_for_one_claim_are_a_conflict(run, graph: Path) -> None:
    for value in ("9 am", "10 am"):
        run("ontology", "claim", "set", "Vega", "schedule", "general", "start", "--value", value,
            "--propose")
    told = run("ontology", "conflicts", "--json").json
    assert (told["count"], told["items"][0]["claimKey"]) == (1, "start")
    assert {value["value"] for value in told["items"][0]["values"]} == {"9 am", "10 am"}


def test_evidence_is_shown_as_text(run, graph: Path, tmp_path: Path) -> None:
    file = tmp_path / "evidence.json"
    file.write_text('[{"quote": "she said so"}]', encoding="utf-8")
    told = run("ontology", "entity", "create", "Vega", "--propose", "--evidence-file", file,
               "--json").json
    shown = run("ontology", "evidence", told["proposal"]["id"])
    assert "she said so" in shown.out


@pytest.mark.parametrize(("operation", "stdin", "said"), [
    ("fly_entity", "{}", "Unsupported operation: fly_entity"),
    ("create_entity", "[]", "A payload is a JSON object"),
    ("create_entity", "{", "This is not valid JSON"),
    ("create_entity", "{}", "payload is required"),
])
def test_a_bad_proposal_is_refused_in_words(run, graph: Path, operation: str, stdin: str,
                                            said: str) -> None:
    done = run("ontology", "propose", "--operation", operation, "--payload-file", "-", stdin=stdin)
    assert done.code == 2
    assert said in done.err


STREAM = "\n".join(json.dumps(line) for line in (
    {"operation": "create_entity", "payload": {"name": "Vega"}},
    {"operation": "pin_entity", "payload": {"entity": "Vega"}},
    {"operation": "archive_entity", "payload": {"entity": "Vega"}},
)) + "\n"


def test_a_stream_is_all_or_nothing_and_names_the_line(run, graph: Path) -> None:
    done = run("ontology", "stream", "apply", "-", stdin=STREAM)
    assert done.code == 2
    assert "line 3" in done.err
    assert "pinned" in done.err
    assert run("knowledge", "entities", "--json").json["items"] == []


def test_a_stream_with_force_goes_through(run, graph: Path) -> None:
    told = run("ontology", "stream", "apply", "-", "--force", "--json", stdin=STREAM).json
    assert (told["count"], told["errors"]) == (3, [])


def test_a_dry_stream_goes_on_after_an_error_and_lists_it(run, graph: Path, tmp_path: Path) -> None:
    file = tmp_path / "stream.jsonl"
    file.write_text(STREAM, encoding="utf-8")
    done = run("ontology", "stream", "apply", file, "--dry-run")
    assert done.code == 2
    assert "2 operations would be done" in done.out
    assert "line 3: archive_entity" in done.err
    assert run("knowledge", "entities", "--json").json["items"] == []


def test_a_proposed_stream_waits(run, graph: Path) -> None:
    run("ontology", "stream", "apply", "-", "--propose", "--reason", "weekly", stdin=STREAM)
    told = run("ontology", "proposals", "--json").json
    assert [item["rationale"] for item in told["items"]] == ["weekly"] * 3


def test_a_line_that_is_no_json_is_named(run, graph: Path) -> None:
    done = run("ontology", "stream", "apply", "-", stdin=STREAM + "{broken\n")
    assert done.code == 2
    assert "line 4" in done.err


def test_a_proposal_is_settled_with_the_value_it_stands_against(run, graph: Path) -> None:
    set_value = ("ontology", "claim", "set", "Vega", "rank", "general", "brightness", "--value")
    run(*set_value, "first")
    run(*set_value, "zeroth", "--propose", "--actor", "claude via MCP")
    [waiting] = run("ontology", "proposals", "--json").json["items"]
    settle = ("ontology", "settle", waiting["id"][:8])
    told = run(*settle, "--json").json
    assert [(told[side]["content"], told[side]["speaker"]) for side in ("first", "second")] == [
        ("first", "operator"), ("zeroth", "claude via MCP")]
    assert "zeroth" in run(*settle).out
    assert run(*settle, "--keep", "1", "--assertions").code == 2
    assert run(*settle, "--combine", "zeroth to first", "--dry-run", "--json").json["dryRun"]
    assert run("ontology", "assertions", "--json").json["items"] == []
    done = run(*settle, "--assertions", "--json").json
    assert (done["decision"], done["second"]["valueId"]) == ("assertions", None)
    said = run("ontology", "assertions", "--json").json["items"]
    assert {(one["content"], one["speaker"]) for one in said} == {
        ("first", "operator"), ("zeroth", "claude via MCP")}
    run("undo")
    run(*settle, "--combine", "zeroth to first")
    claims = run("knowledge", "attributes", "Vega", "rank", "general", "brightness", "--json").json
    assert [one["content"] for one in claims["items"]] == ["zeroth to first"]
    assert run(*settle).code == 2, "nothing is left to settle"
