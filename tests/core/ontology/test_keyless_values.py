"""Who sets a claim is told what stands beside it without a claim key and says about the same."""

from collections.abc import Callable

import pytest

from core.error_advice import Advice
from core.ontology import control
from core.review.proposal_queue import get_proposal
from core.review.warnings import warnings
from core.workspace import Workspace
from tests.core.graphs import Graph

Opened = Callable[[Callable[[Graph], object]], Workspace]


def mia(*values: str) -> Callable[[Graph], object]:
    def fill(graph: Graph) -> None:
        aspect = graph.aspect(graph.entity("Mia", "person"), "observations")
        for place, value in enumerate(values):
            graph.value(aspect, value, id=f"v{place}")
    return fill


def set_value(workspace: Workspace, value: str, claim: str = "city",
              operation: str = "set_claim_value") -> list[str]:
    payload = {"entity": "Mia", "aspect": "home", "claim_key": claim, "value": value}
    outcome = workspace.write("set", lambda writer: control.apply(
        writer, operation, payload)).result
    assert outcome.status == "applied", "it is never refused"
    return (outcome.result or {}).get("warnings", [])


def test_a_value_without_a_claim_key_is_named_with_the_way_to_key_or_retire_it(
    graph: Opened,
) -> None:
    told, = set_value(graph(mia("Lives in Leipzig", "Plays chess")), "Lives in Berlin")
    assert "“Lives in Leipzig” (observations) stands beside it without a claim key" in told
    assert "(attribute_id v0): archive_claim_value retires it, move_claim gives it" in told
    assert isinstance(told, Advice)
    assert "“Archive” or “Turn into a claim…”" in told.window


@pytest.mark.parametrize(("old", "new", "claim", "near"), [
    ("Lives in Leipzig", "Berlin", "lives_in", True),
    ("Written in Kotlin", "Written in Java", "language", True),
    ("Settles at 02:00", "Settles at 02:00", "time", True),
    ("Plays chess", "Lives in Berlin", "city", False)])
def test_what_is_close_says_about_the_same(
    graph: Opened, old: str, new: str, claim: str, near: bool
) -> None:
    assert bool(set_value(graph(mia(old)), new, claim)) is near


def test_a_value_added_to_a_claim_is_told_of_it_too(graph: Opened) -> None:
    assert set_value(graph(mia("Lives in Leipzig")), "Lives in Berlin",
                     operation="add_claim_value")


def test_many_values_are_counted(graph: Opened) -> None:
    told = set_value(graph(mia(*(f"Lives in town {n}" for n in range(6)))), "Lives in Berlin")
    assert len(told) == 4
    assert told[-1] == "3 more values like that without a claim key"


def test_a_value_with_a_key_or_of_another_entity_is_not_named(graph: Opened) -> None:
    def fill(made: Graph) -> None:
        mia()(made)
        made.value(made.aspect(made.entity("Lena"), "observations"), "Lives in Leipzig")

    workspace = graph(fill)
    set_value(workspace, "Lives in Leipzig", "first_city")
    assert set_value(workspace, "Lives in Berlin") == []


def test_a_person_who_decides_on_a_proposal_is_told_of_it(graph: Opened) -> None:
    workspace = graph(mia("Lives in Leipzig"))
    payload = {"entity": "Mia", "aspect": "home", "claim_key": "city", "value": "Lives in Berlin"}
    id = workspace.write("propose", lambda writer: control.propose(
        writer, "set_claim_value", payload)).result
    with workspace.read() as reader:
        proposal = get_proposal(reader, id)
        assert proposal is not None
        assert "without a claim key" in warnings(reader, proposal)[0]
