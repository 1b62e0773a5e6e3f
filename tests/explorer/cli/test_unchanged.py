"""What the command line says of what is so already, made by the way, or contradicted."""

import json
from pathlib import Path

from tests.explorer.conftest import graph_fixture

SET = ("ontology", "claim", "set")
PLACE = ("windows", "general", "friday")


@graph_fixture
def rule(run, graph: Path) -> Path:
    run(*SET, "policy", *PLACE, "--kind", "constraint", "--value", "never after two")
    return graph


def steps(run) -> int:
    return len(run("history", "--json").json["items"])


def test_a_pin_of_what_is_pinned_says_so_and_adds_no_step(run, rule: Path) -> None:
    run("ontology", "entity", "pin", "policy")
    before = steps(run)
    again = run("ontology", "entity", "pin", "policy")
    assert again.out == "No change needed: “policy” is pinned already.\n"
    assert steps(run) == before
    assert run("ontology", "entity", "pin", "policy", "--json").json["result"]["unchanged"] is True


def test_what_is_made_by_the_way_is_said_of_the_dry_run_and_of_the_deed(run, rule: Path) -> None:
    typo = (*SET, "polcy", *PLACE, "--value", "x")
    for more in (("--dry-run",), ()):
        assert "of “polcy” (new entity) to “x”" in run(*typo, *more).out


def test_an_attribute_beside_a_constraint_needs_force_and_is_warned_of(run, rule: Path) -> None:
    beside = (*SET, "policy", *PLACE, "--value", "whenever")
    refused = run(*beside)
    assert (refused.code, refused.out) == (2, "")
    assert "“never after two” is active here. Change the constraint itself" in refused.err
    assert "! The constraint “never after two” is active here" in run(*beside, "--force").err


def test_the_same_proposal_is_queued_once(run, rule: Path) -> None:
    ask = ("ontology", "entity", "pin", "policy", "--propose")
    first, again = run(*ask), run(*ask)
    assert again.out.startswith("Already proposed, nothing added: Pin “policy”")
    assert first.out.splitlines()[1] == again.out.splitlines()[1]


def test_a_payload_that_can_not_be_meant_is_not_proposed(run, rule: Path) -> None:
    ask = ("ontology", "propose", "--operation", "pin_entity", "--payload-file", "-")
    typo = json.dumps({"entityy": "policy"})
    refused = run(*ask, stdin=typo)
    assert refused.code == 2
    assert "Unknown field “entityy”. Choose one of entity" in refused.err
    assert run("ontology", "proposals", "--json").json["count"] == 0
    assert run(*ask, "--force", stdin=typo).code == 0
    assert "! There is no entity “nobody”" in run(*ask, stdin=json.dumps({"entity": "nobody"})).err
