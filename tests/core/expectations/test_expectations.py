"""Expectations on files of every generation: kept, followed, checked, foretold, taken back."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from core.errors import OperationError
from core.expectations.affected import affected
from core.expectations.check import check
from core.expectations.forecast import forecast
from core.expectations.store import add_expectation, expectations, remove_expectation
from core.model.changes import Changes
from core.model.expectation import CheckedExpectation, Expectation
from core.ontology.control import apply
from core.settings import Settings
from core.store.backup import back_up
from core.workspace import Workspace
from tests.contracts.files import KINDS, dump, make, without_records

QUESTION = "When may Harbor Ledger be deployed?"
SETTINGS = Settings()
RULE = {"entity": "Harbor Ledger", "aspect": "Rules", "kind": "constraint", "group_key": "general",
        "claim_key": "friday"}


@pytest.fixture(params=KINDS)
def graph(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Workspace]:
    workspace = make(request.param, tmp_path / "graph.db", tmp_path / "side")
    yield workspace
    workspace.close()


def expect(graph: Workspace, target: str, *, must: bool = True,
           question: str = QUESTION) -> Expectation:
    return graph.write("expect", lambda writer: add_expectation(
        writer, question, target, must=must)).result


def do(graph: Workspace, operation: str, **payload: Any) -> None:
    graph.write(operation, lambda writer: apply(writer, operation, payload))


def checked(graph: Workspace) -> tuple[CheckedExpectation, ...]:
    with graph.read() as reader:
        return check(reader, expectations(reader), SETTINGS, None)


def test_a_rule_must_come_until_it_is_archived_and_again_after_undo(graph: Workspace) -> None:
    expect(graph, "v-rule")
    assert [each.holds for each in checked(graph)] == [True]
    do(graph, "archive_claim_value", attribute_id="v-rule", force=True)
    failed, = checked(graph)
    assert not failed.holds
    assert "archived" in failed.why
    graph.undo()
    assert [each.holds for each in checked(graph)] == [True]


def test_a_claim_is_meant_and_not_its_wording(graph: Workspace) -> None:
    if not _has_claims(graph):
        pytest.skip("this generation has no versions of claims")
    made = expect(graph, "v-rule")
    graph.write("set", lambda writer: apply(writer, "set_claim_value", {
        **RULE, "value": "Never deploy on Thursday", "force": True}))
    each, = checked(graph)
    assert each.holds
    assert each.expectation == made
    assert each.target.text == "Never deploy on Thursday"
    assert each.target.id != "v-rule"


def test_a_superseded_version_stands_for_the_value_in_force(graph: Workspace) -> None:
    expect(graph, "v-six", question="When does the run of Harbor Ledger start?")
    each, = checked(graph)
    assert (each.target.id, each.target.text) == ("v-seven", "seven")


def test_a_merged_and_a_renamed_entity_are_followed(graph: Workspace) -> None:
    expect(graph, "v-limits", question="What are the limits of the Tide API?")
    do(graph, "merge_entities", target_entity="Tide API", source_entities=["Tides API"],
       force=True)
    do(graph, "rename_entity", entity="Tide API", new_name="Flood API")
    each, = checked(graph)
    assert (each.target.entity_name, each.target.gone) == ("Flood API", "")
    assert each.holds


def test_what_must_not_come_fails_with_what_brought_it(graph: Workspace) -> None:
    expect(graph, "v-rule", must=False)
    each, = checked(graph)
    assert not each.holds
    assert "Harbor Ledger" in each.why


def test_what_does_not_come_is_told_with_what_came_instead(graph: Workspace) -> None:
    expect(graph, "v-limit", question="Who is Anna?")
    do(graph, "mute_entity", entity="Tide API")
    each, = checked(graph)
    assert not each.holds
    assert each.why
    assert all("100 a minute" not in line for line in each.came)


def test_writing_one_down_is_undone_and_leaves_the_file_as_it_was(graph: Workspace) -> None:
    before = dump(graph)
    made = expect(graph, "v-rule")
    assert expect(graph, "v-rule") == made  # twice is once
    with pytest.raises(OperationError) as refused:
        expect(graph, "v-rule", must=False)
    assert refused.value.status == 409
    assert without_records(dump(graph), before) == before
    graph.write("remove", lambda writer: remove_expectation(writer, made.id[:8]))
    assert checked(graph) == ()
    graph.undo()
    assert [each.expectation for each in checked(graph)] == [made]
    graph.undo()
    assert checked(graph) == ()


def test_expectations_are_an_agents_own(graph: Workspace) -> None:
    expect(graph, "v-rule")
    graph.with_agent("rival")
    assert checked(graph) == ()
    with pytest.raises(OperationError):
        expect(graph, "v-rule")


def test_a_forecast_names_what_breaks_and_mends_and_changes_nothing(graph: Workspace) -> None:
    rule = expect(graph, "v-rule")
    limit = expect(graph, "v-limit", must=False, question="What are the limits of the Tide API?")
    before = dump(graph)
    seen = forecast(graph, lambda writer: [
        apply(writer, "archive_claim_value", {"attribute_id": id, "force": True})
        for id in ("v-rule", "v-limit")], SETTINGS, None)
    assert [each.expectation for each in seen.breaks] == [rule]
    assert [each.expectation for each in seen.mends] == [limit]
    assert seen.words == "breaks 1 expectation, mends 1 expectation"
    assert dump(graph) == before


def test_what_was_broken_or_mended_since_the_last_check_is_not_this_change_s_doing(
    graph: Workspace
) -> None:
    expect(graph, "v-rule")
    expect(graph, "v-limit", must=False, question="What are the limits of the Tide API?")
    before = checked(graph)
    for id in ("v-rule", "v-limit"):
        do(graph, "archive_claim_value", attribute_id=id, force=True)
    seen = forecast(graph, lambda writer: [
        apply(writer, "pin_entity", {"entity": name}) for name in ("Harbor Ledger", "Tide API")],
        SETTINGS, None, before)
    assert seen.checked == 2
    assert seen.words == ""


def test_only_what_a_change_touches_is_checked_again(graph: Workspace) -> None:
    rule = expect(graph, "v-rule")
    announced: list[Changes] = []
    graph.events.subscribe(announced.append)
    before = checked(graph)

    def touched() -> list[Expectation]:
        with graph.read() as reader:
            return [each.expectation for each in affected(
                reader, before, announced[-1], SETTINGS.traversal)]

    do(graph, "rename_entity", entity="Tides API", new_name="Ebb API")
    # Another tool is no part of the answer, unless the walk begins there.
    assert touched() == []
    do(graph, "archive_claim_value", attribute_id="v-rule", force=True)
    assert touched() == [rule]
    do(graph, "create_entity", name="deployed", entity_type="concept")
    assert touched() == [rule]  # the question names it now
    announced.append(Changes(frozenset(), external=True))
    assert touched() == [rule]


def test_a_backup_has_them(tmp_path: Path) -> None:
    graph = make("native", tmp_path / "graph.db", tmp_path / "side")
    made = expect(graph, "v-rule")
    copy = back_up(graph.path, graph.backup_folder, graph._log_path, graph._side_path)
    graph.write("remove", lambda writer: remove_expectation(writer, made.id))
    graph.restore(copy)
    assert [each.expectation for each in checked(graph)] == [made]
    graph.close()


def _has_claims(graph: Workspace) -> bool:
    with graph.read() as reader:
        return reader.has_column("entity_attributes", "claim_key")
