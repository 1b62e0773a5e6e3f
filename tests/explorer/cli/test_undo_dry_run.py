"""`undo --dry-run` and `redo --dry-run` say what would come back, and write nothing."""

import json
from pathlib import Path

from tests.explorer.conftest import Run

FACT = json.dumps({"type": "entity", "name": "Ferry", "entityType": "boat",
                   "observations": ["is white"]}) + "\n"


def test_a_dry_run_of_undo_and_redo_names_each_row_and_writes_nothing(
    run: Run, graph: Path
) -> None:
    run("import", "-", stdin=FACT)
    run("ontology", "claim", "supersede", "Ferry", "is white", "--value", "is green")
    before = graph.read_bytes()
    tried = run("undo", "--dry-run")
    assert tried.out.splitlines() == [
        "Dry run, nothing undone: Replace observations · is white · Ferry",
        "  ~ observations of Ferry: “is green” → “is white”"]
    assert (graph.read_bytes(), run("redo").code) == (before, 2)
    run("undo")
    tried = run("redo", "--dry-run")
    assert tried.out.splitlines()[1] == "  ~ observations of Ferry: “is white” → “is green”"
    assert run("redo").code == 0


def test_a_dry_run_of_one_entry_lists_the_first_rows_and_counts_the_rest(
    run: Run, graph: Path
) -> None:
    many = "".join(json.dumps({"type": "entity", "name": f"Star {at}", "entityType": "star",
                               "observations": []}) + "\n" for at in range(25))
    run("import", "-", stdin=many)
    run("ontology", "entity", "pin", "Star 3")
    told = run("undo", "1", "--dry-run", "--force").out.splitlines()
    assert "  − star Star 7" in told
    assert told[-1] == "  and 5 more rows"
    answer = run("undo", "1", "--dry-run", "--force", "--json").json
    assert (answer["dryRun"], answer["undo"], len(answer["changes"])) == (
        True, "Import standard input", 25)
    assert {change["after"] for change in answer["changes"]} == {None}


def test_a_dry_run_says_which_proposal_goes_and_which_memory(run: Run, graph: Path) -> None:
    run("ontology", "entity", "create", "NAS", "--propose")
    assert run("undo", "--dry-run").out.splitlines()[1] == "  − proposal to create entity"
    run("remember", "-", "--text", stdin="The disk is full")
    assert run("undo", "--dry-run").out.splitlines()[1] == "  − memory “The disk is full”"


def test_a_dry_run_is_refused_as_the_undo_would_be(run: Run, graph: Path) -> None:
    run("ontology", "entity", "create", "NAS")
    run("ontology", "entity", "rename", "NAS", "Disk")
    assert run("undo", "1", "--dry-run").err == run("undo", "1").err != ""
    assert "Nothing to redo" in run("redo", "--dry-run").err
