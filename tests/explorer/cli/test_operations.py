"""Every operation of the catalogue is a command, with dry run, proposal and undo."""

import json
import re
from pathlib import Path

import pytest

from core.ontology.operation_catalog import CATALOG

SLOT = ("schedule", "general", "start_time")


def names(run, **flags) -> set[str]:
    return {item["entity"]["name"] for item in run("knowledge", "entities", "--json").json["items"]}


@pytest.mark.parametrize("name", CATALOG)
def test_every_operation_has_a_command_with_its_own_help(run, name: str) -> None:
    verb, noun = CATALOG[name].words
    shown = run("ontology", noun, verb, "--help")
    assert shown.code == 0
    assert CATALOG[name].summary.split(";")[0].split(",")[0][:40] in " ".join(shown.out.split())
    for flag in ("--dry-run", "--propose", "--actor", "--reason", "--store", "--agent", "--json"):
        assert flag in shown.out
    # Each can be forced past triggers of the file, some also past what protects an entity.
    assert "--force" in shown.out
    assert ("triggers of the file" in " ".join(shown.out.split())) == (
        "force" not in CATALOG[name].fields.model_fields)
    assert "Annotated" not in shown.out


def test_an_operation_answers_in_the_reference_shape(run, graph: Path) -> None:
    told = run("ontology", "entity", "create", "Vega", "--type", "project", "--json",
               "--actor", "ines", "--reason", "new boat").json
    assert told.keys() == {"proposal", "result", "dryRun", "proposed"}
    assert told["result"].keys() == {"entityId", "entity"}
    proposal = told["proposal"]
    assert (proposal["status"], proposal["appliedBy"], proposal["rationale"]) == (
        "applied", "ines", "new boat")
    assert proposal["payload"] == {"name": "Vega", "entity_type": "project"}


def test_a_dry_run_says_what_would_change_and_changes_nothing(run, graph: Path) -> None:
    before = graph.read_bytes()
    told = run("ontology", "entity", "create", "Vega", "--dry-run", "--json").json
    assert told["dryRun"] is True
    assert (told["proposal"], told["result"]["entityId"]) == (None, None)
    assert [change["table"] for change in told["changes"] if change["table"] == "entities"]
    said = run("ontology", "entity", "create", "Vega", "--dry-run")
    assert "nothing changed" in said.out
    assert "1 new entity" in said.out
    assert names(run) == set()
    assert graph.read_bytes() == before


def test_a_proposal_waits_and_is_applied_and_undone(run, graph: Path) -> None:
    told = run("ontology", "entity", "create", "Vega", "--propose", "--json").json
    assert (told["result"], told["proposed"]) == (None, True)
    assert names(run) == set()
    assert run("ontology", "apply", told["proposal"]["id"]).code == 0
    assert names(run) == {"Vega"}
    assert run("undo").code == 0
    assert names(run) == set()
    assert run("redo").code == 0
    assert names(run) == {"Vega"}


def test_what_an_agent_may_only_propose_is_called_so_in_the_history(run, graph: Path) -> None:
    run("ontology", "entity", "create", "Vega")
    line = ("ontology", "entity", "archive", "Vega")
    asked = run(*line, "--actor", "claude-code")
    assert asked.out.startswith("Proposed, not done")
    told = run("history", "--limit", "1", "--json").json["items"][0]["label"]
    run(*line, "--propose", "--reason", "wanted")
    assert told == run("history", "--limit", "1", "--json").json["items"][0]["label"]
    assert told.startswith("Propose: ")


def test_an_abandoned_entry_is_redone_by_its_number_as_the_history_says(run, graph: Path) -> None:
    for name in ("Vega", "Sirius"):
        run("ontology", "entity", "create", name)
    run("ontology", "entity", "archive", "Vega")
    entry = run("history", "--json").json["items"][0]["undoId"]
    run("undo")
    run("ontology", "entity", "pin", "Sirius")
    assert "“redo ENTRY” redoes it" in run("history").err
    assert run("redo").code == 2
    done = run("redo", str(entry))
    assert (done.code, names(run)) == (0, {"Sirius"})
    refused = run("redo", str(entry))
    assert refused.code == 2
    assert f"Step {entry}, “Archive Vega”, is done already" in refused.err


def test_dry_run_and_propose_do_not_go_together(run, graph: Path) -> None:
    done = run("ontology", "entity", "create", "Vega", "--dry-run", "--propose")
    assert done.code == 2
    assert "can't be combined" in done.err


def test_a_claim_is_set_in_signets_order_and_keeps_its_versions(run, graph: Path) -> None:
    for value in ("9 am", "10 am"):
        assert run("ontology", "claim", "set", "Vega", *SLOT, "--value", value).code == 0
    versions = run("ontology", "claim", "versions", "Vega", *SLOT, "--json").json["items"]
    assert [(v["version"], v["content"], v["status"]) for v in versions] == [
        (2, "10 am", "active"), (1, "9 am", "superseded")]
    assert {"versionRootId", "previousAttributeId", "sourceKind", "proposalId"} <= (
        versions[0].keys())
    done = run("ontology", "claim", "restore", "--attribute-id", versions[1]["id"])
    assert done.code == 0
    active = run("knowledge", "attributes", "Vega", *SLOT, "--json").json["items"]
    assert [value["content"] for value in active] == ["9 am"]


def test_confidence_zero_is_a_number_and_not_left_out(run, graph: Path) -> None:
    told = run("ontology", "claim", "set", "Vega", *SLOT, "--value", "x", "--confidence", "0",
               "--json").json
    assert told["proposal"]["payload"]["confidence"] == 0


RULE = ("ontology", "claim", "set", "Vega", "rules", "general", "deploy", "--value")


def test_a_persons_constraint_replaces_the_one_in_force_and_says_so(run, graph: Path) -> None:
    command = (*RULE[:-1], "--kind", "constraint", "--value")
    assert "replaced" not in run(*command, "never on Friday").out
    done = run(*command, "never on Monday")
    assert done.code == 0
    assert "replaced the constraint “never on Friday”; undo with “constellation undo”" in done.out
    assert run("undo").code == 0
    active = run("knowledge", "entity", "Vega").out
    assert "never on Friday" in active
    assert "never on Monday" not in active


def test_a_persons_mere_value_for_a_rules_claim_asks_first(run, graph: Path) -> None:
    assert run(*RULE, "never on Friday", "--kind", "constraint").code == 0
    refused = run(*RULE, "never on Monday")
    assert refused.code == 2
    assert "is active here" in refused.err
    assert "use --force" in refused.err
    assert run(*RULE, "never on Monday", "--force").code == 0


def test_a_value_beside_one_without_a_claim_key_is_told_with_the_commands(
    run, graph: Path, tmp_path: Path
) -> None:
    file = tmp_path / "memory.jsonl"
    file.write_text(json.dumps({"type": "entity", "name": "Mia", "entityType": "person",
                                "observations": ["Lives in Leipzig"]}))
    assert run("import", file, "--store", graph).code == 0
    command = ("ontology", "claim", "set", "Mia", "home", "general", "city",
               "--value", "Lives in Berlin")
    for more in (("--dry-run",), ("--propose",), ()):
        told = run(*command, *more)
        assert told.code == 0
        assert "“Lives in Leipzig” (observations) stands beside it without a claim key" in told.err
    value = re.search(r"attribute_id (\S+)\): ontology claim archive retires it", told.err)
    assert value is not None
    assert run("ontology", "claim", "archive", "--attribute-id", value[1]).code == 0
    assert run(*command[:-1], "Lives in Rome").err == ""


def test_an_agent_proposes_a_rule_and_may_not_apply_it(run, graph: Path) -> None:
    command = (*RULE[:-1], "--kind", "constraint", "--value")
    assert run(*command, "never on Friday").code == 0
    asked = run(*command, "never on Monday", "--force", "--actor", "codex", "--json").json
    assert asked["proposed"] is True
    for verb in ("apply", "reject"):
        refused = run("ontology", verb, asked["proposal"]["id"], "--actor", "codex")
        assert refused.code == 2
        assert "codex may propose, not decide. A person applies or rejects" in refused.err
    assert run("ontology", "apply", asked["proposal"]["id"]).code == 0


def test_a_link_is_created_changed_and_archived(run, graph: Path) -> None:
    told = run("ontology", "link", "create", "Vega", "uses", "Kotlin", "--strength", "0.4",
               "--target-type", "tool", "--json").json
    link = told["result"]["dependencyId"]
    assert run("ontology", "link", "update", link, "--strength", "0.9").code == 0
    assert run("ontology", "link", "archive", link, "--reason", "gone").code == 0
    assert run("knowledge", "entity", "Vega", "--json").json["dependencyCount"] == 0


def test_an_unknown_link_type_is_refused_in_words(run, graph: Path) -> None:
    done = run("ontology", "link", "create", "Vega", "adores", "Kotlin")
    assert done.code == 2
    assert "dependency type" in done.err


def test_entities_are_merged(run, graph: Path) -> None:
    for name in ("Vega", "Wega"):
        run("ontology", "entity", "create", name, "--type", "project")
    assert run("ontology", "entity", "merge", "Vega", "Wega").code == 0
    assert names(run) == {"Vega"}


def test_evidence_comes_from_a_file(run, graph: Path, tmp_path: Path) -> None:
    file = tmp_path / "evidence.json"
    file.write_text(json.dumps([{"quote": "she said so"}]), encoding="utf-8")
    told = run("ontology", "entity", "create", "Vega", "--evidence-file", file, "--json").json
    assert told["proposal"]["evidence"] == [{"quote": "she said so"}]


@pytest.mark.parametrize(("command", "said"), [
    (("ontology", "entity", "archive", "Nobody"), "Entity not found: Nobody"),
    (("ontology", "entity", "create", " "), "name is required"),
    (("ontology", "claim", "restore", "--attribute-id", "nothing"), "not found"),
    (("knowledge", "entity", "Nobody"), "Entity not found: Nobody"),
    (("ontology", "proposal", "nothing"), "Proposal not found"),
    (("ontology", "apply", "nothing"), "Proposal not found"),
    (("undo", "77"), "Step 77 not found"),
    (("undo",), "Nothing to undo"),
    (("redo",), "Nothing to redo"),
])
def test_a_refusal_is_a_sentence_on_standard_error_and_code_2(run, graph: Path, command: tuple,
                                                              said: str) -> None:
    done = run(*command)
    assert (done.code, done.out) == (2, "")
    assert said in done.err
    assert "Traceback" not in done.err


def test_pinning_and_muting_show_in_the_list(run, graph: Path) -> None:
    run("ontology", "entity", "create", "Vega")
    run("ontology", "entity", "create", "Altair")
    assert run("ontology", "entity", "pin", "Vega").code == 0
    assert run("ontology", "entity", "mute", "Altair").code == 0
    first, second = run("knowledge", "entities", "--json").json["items"]
    assert (first["entity"]["name"], first["entity"]["pinned"]) == ("Vega", True)
    assert (second["entity"]["name"], second["entity"]["muted"]) == ("Altair", True)


def test_another_agent_sees_nothing_of_it(run, graph: Path) -> None:
    run("ontology", "entity", "create", "Vega")
    assert run("knowledge", "entities", "--agent", "scout", "--json").json["items"] == []
    assert run("knowledge", "entity", "Vega", "--agent", "scout").code == 2


def test_a_merge_lists_what_collides_and_takes_the_choice(run, graph: Path) -> None:
    for name, hour in (("Harbor", "1"), ("Harbour", "2")):
        run("ontology", "claim", "set", name, "plan", "general", "start", "--value", f"at {hour}")
    told = run("knowledge", "merge-plan", "Harbor", "Harbour", "--json").json
    [claim] = told["claims"]
    assert (claim["aspect"], claim["claimKey"]) == ("plan", "start")
    kept = claim["values"][1]["id"]
    assert "at 2" in run("knowledge", "merge-plan", "Harbor", "Harbour").out
    merged = run("ontology", "entity", "merge", "Harbor", "Harbour", "--keep-values", kept,
                 "--json").json
    assert merged["result"]["retiredAttributeIds"] == [claim["values"][0]["id"]]
    assert run("knowledge", "claims", "Harbor", "plan", "general", "--json").json["items"][0][
        "preview"] == "at 2"
