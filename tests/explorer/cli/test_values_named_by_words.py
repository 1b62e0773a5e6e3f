"""A value without a claim key is named by its own words, and what corrects it takes its place."""

import json
from pathlib import Path

import pytest

from tests.explorer.conftest import graph_fixture

CLAIM = ("ontology", "claim")
BUDGET, MORE = "Budget 380,000 euro", "Budget 420,000 euro"


@graph_fixture
def kranich(run, graph: Path) -> Path:
    """A graph with an imported entity, whose values have no claim keys."""
    file = graph.with_name("memory.jsonl")
    file.write_text(json.dumps({
        "type": "entity", "name": "Project Kranich", "entityType": "project",
        "observations": ["Deadline 15 March 2027", "Deadline 1 April 2027", BUDGET]}))
    assert run("import", file, "--store", graph).code == 0
    return graph


def in_force(run) -> list[str]:
    items = run("knowledge", "claims", "Project Kranich", "observations", "general",
                "--json").json["items"]
    return sorted(value["content"] for item in items for value in item["values"])


def test_a_value_is_archived_and_restored_by_its_words(run, kranich: Path) -> None:
    assert run(*CLAIM, "archive", "project kranich", "deadline 15 march 2027").code == 0
    assert in_force(run) == [BUDGET, "Deadline 1 April 2027"]
    assert run(*CLAIM, "restore", "Project Kranich", "Deadline 15").code == 0
    assert len(in_force(run)) == 3


def test_a_corrected_value_takes_the_place_of_the_old_one(run, kranich: Path) -> None:
    tried = run(*CLAIM, "supersede", "Project Kranich", BUDGET, "--value", MORE, "--dry-run")
    assert f"Replace “{BUDGET}” by “{MORE}” in observations of “Project Kranich”" in tried.out
    assert run(*CLAIM, "supersede", "Project Kranich", "Budget", "--value", MORE).code == 0
    assert in_force(run) == [MORE, "Deadline 1 April 2027", "Deadline 15 March 2027"]
    assert "(2 versions)" in run("knowledge", "tree", "Project Kranich").out
    told = run("recall", "budget of Kranich").out
    assert "420,000" in told
    assert "380,000" not in told
    assert run("undo").code == 0
    assert BUDGET in in_force(run)


@pytest.mark.parametrize("blank", ["", " \t"])
def test_an_empty_value_as_of_a_shell_without_the_variable_retires_nothing(
    run, kranich: Path, blank: str
) -> None:
    for command in (("supersede", "Project Kranich", BUDGET),
                    ("set", "Project Kranich", "observations", "general", BUDGET)):
        refused = run(*CLAIM, *command, "--value", blank)
        assert refused.code == 2
        assert "is empty. To retire a value, use ontology claim archive" in refused.err
    assert BUDGET in in_force(run)


def test_a_value_that_is_there_already_takes_the_place_of_the_corrected_one(
    run, kranich: Path
) -> None:
    assert run(*CLAIM, "supersede", "Project Kranich", "Deadline 15", "--new-value",
               "deadline 1 april 2027").code == 0
    assert in_force(run) == [BUDGET, "Deadline 1 April 2027"]


def test_setting_a_claim_that_is_called_like_a_value_corrects_the_value(
    run, kranich: Path
) -> None:
    done = run(*CLAIM, "set", "Project Kranich", "observations", "general", BUDGET, "--value", MORE)
    assert (done.code, done.err) == (0, "")
    assert in_force(run) == [MORE, "Deadline 1 April 2027", "Deadline 15 March 2027"]


def test_a_value_is_corrected_again_by_what_it_said_first_and_no_key_is_made(
    run, kranich: Path
) -> None:
    claim = ("Project Kranich", "observations", "general", BUDGET)
    for words in (claim, claim[::3]):
        for value in (MORE, "Budget 450,000 euro"):
            assert run(*CLAIM, "set", *words, "--value", value).code == 0
            assert in_force(run) == [value, "Deadline 1 April 2027", "Deadline 15 March 2027"]
        again = run(*CLAIM, "set", *words, "--value", value)
        assert "The value says this already" in again.err
        for _ in range(2):
            run("undo")
    run(*CLAIM, "archive", "Project Kranich", BUDGET)
    refused = run(*CLAIM, "set", *claim, "--value", MORE)
    assert "is a fact that is no longer in force, not a claim" in refused.err
    assert run(*refused.err.split("“constellation ")[1].split("”")[0].split()).code == 0
    assert BUDGET in in_force(run)
    three = run(*CLAIM, "set", *claim[:3], "--value", MORE)
    assert "name a claim: ENTITY ASPECT GROUP CLAIM" in three.err


def test_versions_evidence_weight_and_review_date_are_asked_for_by_words(
    run, kranich: Path
) -> None:
    run(*CLAIM, "supersede", "Project Kranich", BUDGET, "--value", MORE)
    listed = run(*CLAIM, "versions", "Project Kranich", "Budget", "--json").json["items"]
    assert [item["content"] for item in listed] == [MORE, BUDGET]
    assert run(*CLAIM, "versions", listed[0]["id"], "--json").json["items"] == listed
    [value] = run(*CLAIM, "evidence", "Project Kranich", MORE, "--json").json["items"]
    assert (value["id"], value["status"]) == (listed[0]["id"], "active")
    assert MORE in run(*CLAIM, "evidence", "Project Kranich", "Budget 420").out
    assert run(*CLAIM, "weigh", "Project Kranich", "Budget", "--importance", "0.9").code == 0
    for words in (("Project Kranich", "Budget"), (listed[0]["id"],)):
        assert run("ontology", "review", "set", *words, "2027-03-14").code == 0
        assert MORE in run("ontology", "review", "list").out
        run("undo")
    assert "name a value: ENTITY" in run("ontology", "review", "set", "Project Kranich").err
    for command in ("versions", "evidence"):
        assert "has no value “Bugdet”" in run(*CLAIM, command, "Project Kranich", "Bugdet").err


def test_words_that_begin_several_values_or_none_are_answered_with_what_is_there(
    run, kranich: Path
) -> None:
    several = run(*CLAIM, "archive", "Project Kranich", "Deadline")
    assert several.code == 2
    assert "“Deadline 15 March 2027” (" in several.err
    assert "“Deadline 1 April 2027” (" in several.err
    assert f"Did you mean “{BUDGET}”?" in run(
        *CLAIM, "supersede", "Project Kranich", "Budgt 380,000 euro", "--value", MORE).err
    for verb in ("archive", "supersede", "restore", "move"):
        more = ("--claim-key", "budget") if verb == "move" else ()
        assert "name a value: ENTITY and what it says" in run(*CLAIM, verb, *more).err


def test_the_id_alone_is_enough_and_lists_of_values_show_it(run, kranich: Path) -> None:
    listed = run("knowledge", "claims", "Project Kranich", "observations", "general", "--json").json
    id = next(item["values"][0]["id"] for item in listed["items"] if item["preview"] == BUDGET)
    assert f"- {BUDGET}  [{id}]" in run("knowledge", "tree", "Project Kranich").out
    assert id in run("knowledge", "claims", "Project Kranich", "observations", "general").out
    assert run(*CLAIM, "supersede", "--attribute-id", id, "--new-value", MORE).code == 0
    assert MORE in in_force(run)
    assert run("undo").code == 0
    assert run(*CLAIM, "supersede", id, "--value", MORE).code == 0
    assert run("undo").code == 0
    assert run(*CLAIM, "move", "Project Kranich", "Budget", "--claim-key", "budget").code == 0
    assert run(*CLAIM, "supersede", "Project Kranich", BUDGET, "--value", MORE).code == 0
    assert f"budget: {MORE}  (2 versions)" in run("knowledge", "tree", "Project Kranich").out


def test_the_history_says_of_whom_each_change_is(run, kranich: Path) -> None:
    assert run(*CLAIM, "archive", "Project Kranich", "Deadline 15").code == 0
    asked = run(*CLAIM, "set", "Project Kranich", "team", "general", "lead", "--value", "Mia",
                "--propose", "--json").json["proposal"]["id"]
    assert run("ontology", "reject", asked).code == 0
    labels = [item["label"] for item in run("history", "--json").json["items"]]
    assert labels[0] == "Reject: Set team · lead · Project Kranich"
    assert labels[1].endswith(" · Project Kranich")
    assert labels[2] == "Archive observations · Deadline 15 March 2027 · Project Kranich"


def test_an_export_counts_no_memory_that_a_fact_says(run, kranich: Path, tmp_path: Path) -> None:
    assert "Not in this format" not in run("export", tmp_path / "first.jsonl").err
    assert run("remember", "-", "--text", stdin="No fact says this").code == 0
    assert "Not in this format: 1 memory" in run("export", tmp_path / "second.jsonl").err


def test_a_key_that_an_import_finds_is_told_once_with_what_to_do(run, kranich: Path) -> None:
    file = kranich.with_name("secret.jsonl")
    file.write_text(json.dumps({
        "type": "entity", "name": "Mia", "entityType": "person",
        "observations": ["API_KEY=sk-ABCDEF0123456789abcdef0123"]}))
    told = run("import", file, "--store", kranich).out
    assert told.count("looks like a secret") == 1
    assert "ontology claim archive ENTITY VALUE" in told
    assert run(*CLAIM, "archive", "Mia", "API_KEY").code == 0
    [label, *_] = [item["label"] for item in run("history", "--json").json["items"]]
    assert label == "Archive observations · Mia", "the key is not told again"


def test_an_empty_payload_is_answered_with_what_it_needs(run, graph: Path) -> None:
    refused = run("ontology", "propose", "--operation", "rename_entity", "--payload-file", "-",
                  stdin="{}")
    assert "It needs entity, new_name" in refused.err
