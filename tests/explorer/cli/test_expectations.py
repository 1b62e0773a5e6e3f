"""`expect` and `check`, as a person and as CI use them."""

from pathlib import Path

from tests.explorer.conftest import Run

QUESTION = "When may Harbor Ledger be deployed?"


def filled(run: Run) -> str:
    run("ontology", "entity", "create", "Harbor Ledger", "--type", "project")
    return str(run("ontology", "claim", "set", "Harbor Ledger", "rules", "release", "friday",
                   "--value", "Never deploy on Friday", "--kind", "constraint",
                   "--json").json["result"]["attributeId"])


def test_check_fails_with_code_one_after_a_rule_went_and_passes_after_undo(
    run: Run, graph: Path
) -> None:
    rule = filled(run)
    assert run("check").out.startswith("No expectations.")
    made = run("expect", "add", QUESTION, "--must", rule[:8], "--json").json
    assert (made["targetId"], made["must"]) == (rule, True)
    passed = run("check", "--json")
    assert (passed.code, passed.json["checked"], passed.json["failed"]) == (0, 1, 0)
    run("ontology", "claim", "archive", "--attribute-id", rule, "--force")
    failed = run("check")
    assert failed.code == 1
    assert "Never deploy on Friday” must come" in failed.out
    assert "why: The claim is archived" in failed.out
    run("undo")
    assert run("check").code == 0


def test_expectations_are_listed_removed_and_refused_in_words(run: Run, graph: Path) -> None:
    rule = filled(run)
    dry = run("expect", "add", QUESTION, "--must-not", rule, "--dry-run")
    assert dry.out.startswith("Dry run, nothing changed")
    assert run("expect", "list", "--json").json == {"items": []}
    assert run("expect", "add", QUESTION).code == 2
    unknown = run("expect", "add", QUESTION, "--must", "nothing-is-called-so")
    assert unknown.code == 2
    assert "No claim value and no memory has the id" in unknown.err
    run("expect", "add", QUESTION, "--must", rule)
    assert run("expect", "add", QUESTION, "--must-not", rule).code == 2
    item, = run("expect", "list", "--json").json["items"]
    assert item["target"]["text"] == "Never deploy on Friday"
    listed = run("expect", "list")
    assert "must come" in listed.out
    assert "follows the claim" in listed.err
    assert "follows the claim" in run("check", "--help").out
    assert run("expect", "remove", item["id"][:8]).code == 0
    assert run("expect", "list").out == "No expectations.\n"
    assert run("expect", "remove", item["id"]).code == 2


def test_a_dry_run_says_what_it_would_break(run: Run, graph: Path) -> None:
    rule = filled(run)
    run("expect", "add", QUESTION, "--must", rule)
    dry = run("ontology", "entity", "archive", "Harbor Ledger", "--dry-run", "--json")
    assert "It would break an expectation" in dry.err
    assert dry.json["dryRun"]
    assert run("check").code == 0
    harmless = run("ontology", "entity", "create", "Vega", "--type", "project", "--dry-run")
    assert "expectation" not in harmless.err
