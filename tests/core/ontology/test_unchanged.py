"""What is so already is not done again, and what is made by the way is said."""

from collections.abc import Callable, Mapping

import pytest

from core.errors import OperationError
from core.ontology import control
from core.ontology.proposals import Outcome
from core.ontology.request_descriptions import describe
from core.workspace import Workspace
from tests.core.graphs import empty_graph  # noqa: F401 - the fixture `graph`

SLOT = {"entity": "deploy policy", "aspect": "windows", "claim_key": "friday"}
RULE = {**SLOT, "value": "No deploys after 14:00", "kind": "constraint"}
Do = Callable[..., Outcome]


@pytest.fixture
def do(graph: Workspace) -> Do:
    def run(operation: str, payload: Mapping[str, object], **more: object) -> Outcome:
        return graph.write(operation, lambda w: control.apply(w, operation, payload, **more)).result

    return run


def said(graph: Workspace, operation: str, payload: Mapping[str, object]) -> str:
    with graph.read() as reader:
        told = describe(reader, operation, payload)
    return f"{told.title} | {told.sentence}"


@pytest.mark.parametrize(("operation", "payload"), [
    ("create_entity", {"name": "deploy policy"}),
    ("create_aspect", {"entity": "deploy policy", "name": "Windows"}),
    ("weigh_aspect", {"entity": "deploy policy", "aspect": "windows", "weight": 0.5}),
    ("set_claim_value", RULE),
    ("add_claim_value", RULE),
    ("rename_entity", {"entity": "deploy policy", "new_name": "deploy policy"}),
    ("pin_entity", {"entity": "deploy policy"}),
    ("mute_entity", {"entity": "deploy policy"}),
    ("create_link", {"source": "deploy policy", "target": "uv", "type": "uses"}),
    ("open_task", {"name": "ship it"}),
])
def test_a_second_time_leaves_no_step_no_audit_and_no_trace(
    graph: Workspace, do: Do, operation: str, payload: Mapping[str, object]
) -> None:
    do("set_claim_value", RULE)
    do("create_entity", {"name": "uv"})
    do(operation, payload)
    before = [graph.history(), rows(graph)]
    again = do(operation, payload)
    assert (again.changed, again.proposal_id) == (False, "")
    assert [graph.history(), rows(graph)] == before


def rows(graph: Workspace) -> list[list[tuple]]:
    with graph.read() as reader:
        return [[tuple(row) for row in reader.rows(f"SELECT * FROM {table}")] for table in (
            "entities", "entity_aspects", "entity_attributes", "entity_dependencies",
            "ontology_proposals", "task_meta")]


def test_what_names_new_evidence_is_a_change(do: Do) -> None:
    do("create_entity", {"name": "uv"})
    assert do("create_entity", {"name": "uv"}, evidence=[{"quote": "they use uv"}]).changed


def test_a_plain_attribute_does_not_silently_contradict_a_constraint(
    graph: Workspace, do: Do
) -> None:
    do("set_claim_value", RULE)
    for operation in ("set_claim_value", "add_claim_value"):
        with pytest.raises(OperationError, match="No deploys after 14:00") as refused:
            do(operation, {**SLOT, "value": f"Deploy whenever, {operation}"})
        assert (refused.value.status, refused.value.field) == (409, "force")
        forced = do(operation, {**SLOT, "value": f"Deploy, {operation}", "force": True})
        assert forced.result is not None
        assert forced.result["warnings"] == [
            "The constraint “No deploys after 14:00” is active here"]
    do("set_claim_value", {**SLOT, "claim_key": "monday", "value": "Deploy whenever"})
    do("set_claim_value", {**SLOT, "aspect": "mood", "value": "Deploy whenever"})


def test_what_would_be_made_is_said_to_be_new(graph: Workspace, do: Do) -> None:
    do("set_claim_value", RULE)
    typo = {**RULE, "entity": "deploy polcy"}
    assert "deploy polcy (new entity) | " in said(graph, "set_claim_value", typo)
    assert "“deploy polcy” (new entity)" in said(graph, "add_claim_value", typo)
    aspect = said(graph, "set_claim_value", {**RULE, "aspect": "windowss"})
    assert aspect.startswith(
        "Set windowss (new aspect) · friday | Set the constraint windowss (new aspect)")
    link = said(graph, "create_link", {"source": "deploy policy", "target": "NASS",
                                       "type": "uses"})
    assert "NASS (new entity) | " in link
    assert "“NASS” (new entity)" in link
    assert "new" not in said(graph, "set_claim_value", {**RULE, "value": "never"})
    do("archive_aspect", {"entity": "deploy policy", "aspect": "windows", "force": True})
    assert "windows (restored from the archive)" in said(graph, "set_claim_value", RULE)


def test_muted_wins_over_pinned_and_is_said(graph: Workspace, do: Do) -> None:
    do("create_entity", {"name": "uv"})
    do("pin_entity", {"entity": "uv"})
    assert "It stays pinned, but muting takes precedence." in said(
        graph, "mute_entity", {"entity": "uv"})
    do("mute_entity", {"entity": "uv"})
    do("unpin_entity", {"entity": "uv"})
    assert "takes precedence" in said(graph, "pin_entity", {"entity": "uv"})
