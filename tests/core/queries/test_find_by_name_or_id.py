"""What an entity is called beside its name, and what is said of a name that nothing has."""

from collections.abc import Callable

import pytest

from core.errors import OperationError
from core.model.did_you_mean import choices, did_you_mean
from core.ontology import control
from core.ontology.request_descriptions import describe
from core.queries.entities import find_entity
from core.workspace import Workspace
from tests.core.graphs import Graph

Make = Callable[..., Workspace]


def harbor(graph: Graph) -> None:
    ledger = graph.entity("Harbor Ledger", id="ledger", mentions=9)
    graph.alias(ledger, "harbor-ledger")
    graph.aspect(ledger, "delivery")
    graph.entity("NAS")
    graph.entity("Old thing", id="old", status="archived")
    graph.alias("old", "antique")


def test_an_operation_on_an_alias_is_one_on_its_entity_and_makes_none(graph: Make) -> None:
    workspace = graph(harbor)
    payload = {"entity": "HARBOR-ledger", "aspect": "delivery", "claim_key": "rhythm",
               "value": "weekly"}
    with workspace.read() as reader:
        assert "of “Harbor Ledger” to" in describe(reader, "set_claim_value", payload).sentence
        assert describe(reader, "create_entity", {"name": "harbor-ledger"}).sentence == (
            "“Harbor Ledger”, also called “harbor-ledger”, already exists; no change.")
    done = workspace.write("Set", lambda w: control.apply(w, "set_claim_value", payload)).result
    assert done.result is not None
    assert done.result["entityId"] == "ledger"


def test_an_alias_of_what_is_archived_means_it_only_where_the_archive_is_meant(
    graph: Make,
) -> None:
    with graph(harbor).read() as reader:
        assert find_entity(reader, "antique", archived=True).id == "old"
        with pytest.raises(OperationError, match="Entity not found: antique"):
            find_entity(reader, "antique")


def test_what_is_archived_is_said_to_be_in_the_archive(graph: Make) -> None:
    with graph(harbor).read() as reader, pytest.raises(OperationError, match="restore it first"):
        find_entity(reader, "old THING")


def test_a_name_that_nothing_has_is_answered_with_those_like_it(graph: Make) -> None:
    workspace = graph(harbor)
    with workspace.read() as reader:
        for wrong, meant in (("NASS", "NAS"), ("harbour ledger", "Harbor Ledger"),
                             ("harbor", "Harbor Ledger")):
            with pytest.raises(OperationError, match=f"Did you mean “{meant}”") as refused:
                find_entity(reader, wrong)
            assert refused.value.status == 404
        with pytest.raises(OperationError, match="Entity not found: Quasar$"):
            find_entity(reader, "Quasar")
    with pytest.raises(OperationError, match="Aspect not found: deliveryy. Did you mean “deliv"):
        workspace.write("Weigh", lambda w: control.apply(w, "weigh_aspect", {
            "entity": "Harbor Ledger", "aspect": "deliveryy", "weight": 0.5}))


def test_an_empty_name_is_said_to_be_empty(graph: Make) -> None:
    with graph(harbor).read() as reader, pytest.raises(OperationError, match="is empty") as empty:
        find_entity(reader, "  ")
    assert empty.value.status == 400


def test_another_agents_entities_are_never_suggested(graph: Make) -> None:
    workspace = graph(harbor)
    workspace.with_agent("other")
    with workspace.read() as reader, pytest.raises(OperationError) as refused:
        find_entity(reader, "NASS")
    assert refused.value.do == ""


def test_of_a_closed_list_the_nearest_are_told_or_all(graph: Make) -> None:
    words = ("uses", "requires", "owns")
    assert choices("usess", words) == "Did you mean “uses”?"
    assert choices("lovess", words) == "Choose one of uses, requires, owns"
    assert did_you_mean("", words) == ""


def test_a_link_of_an_unknown_type_names_the_types_and_none_leads_to_itself(graph: Make) -> None:
    workspace = graph(harbor)

    def link(kind: str, end: str) -> None:
        workspace.write("Link", lambda w: control.apply(w, "create_link", {
            "source_entity": "NAS", "link_type": kind, "target_entity": end}))

    with pytest.raises(OperationError, match="Choose one of uses, requires, owned_by"):
        link("lovess", "Harbor Ledger")
    with pytest.raises(OperationError, match="linked to itself") as refused:
        link("uses", "nas")
    assert refused.value.status == 400


def test_a_wrong_operation_in_a_stream_is_told_before_its_payload(graph: Make) -> None:
    wrong = {"operation": "pin_entty", "payload": {}}
    with pytest.raises(OperationError, match="Unsupported operation: pin_entty") as refused:
        graph(harbor).write("Batch", lambda w: control.batch(w, [wrong]))
    assert "Did you mean “pin_entity”" in str(refused.value)
    assert refused.value.where == "line 1"
