"""Batches of operations: all or none, each on its own, or tried with their own earlier steps."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from core.errors import OperationError
from core.ontology import control
from core.workspace import Workspace
from tests.contracts.files import dump, make, without_records

STEPS: list[object] = [
    {"operation": "create_entity", "payload": {"name": "Night Ferry"}},
    {"operation": "teleport_entity", "payload": {"name": "Night Ferry"}},
    {"operation": "create_aspect", "payload": {"entity": "Night Ferry", "name": "Crew"}},
    None,
    {"operation": "archive_link", "payload": {"id": "nowhere"}},
]


@pytest.fixture(params=("native", "signet-071"))
def world(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Workspace]:
    workspace = make(request.param, tmp_path / "graph.db", tmp_path / "side")
    yield workspace
    workspace.close()


def test_all_or_none_names_the_line_and_changes_nothing(world: Workspace) -> None:
    before = dump(world)
    for mode in ("apply", "propose"):
        with pytest.raises(OperationError) as error:
            world.write("Batch", lambda w, mode=mode: control.batch(w, STEPS, mode))
        assert error.value.where == "line 2"
        assert dump(world) == before


def test_each_on_its_own_keeps_what_works_and_lists_the_rest_by_line(world: Workspace) -> None:
    before = dump(world)
    report = world.write("Batch", lambda w: control.batch(w, STEPS, each=True)).result
    assert [one.operation for one in report.items] == ["create_entity", "create_aspect"]
    assert [(fault.line, fault.status) for fault in report.errors] == [
        (2, 400), (4, 400), (5, 404)]
    world.undo()
    assert without_records(dump(world), before) == before
    report = world.write("Batch", lambda w: control.batch(w, STEPS, "propose", each=True)).result
    # A proposal is checked when it is applied: the link may be there then.
    assert [fault.line for fault in report.errors] == [2, 4]


def test_a_dry_run_sees_its_own_earlier_steps_and_goes_on_after_a_mistake(
    world: Workspace
) -> None:
    before = dump(world)
    report = world.rehearse(lambda w: control.batch(w, STEPS, "dry_run")).result
    assert [one.operation for one in report.items] == ["create_entity", "create_aspect"]
    assert [fault.line for fault in report.errors] == [2, 4, 5]
    assert dump(world) == before


def test_five_hundred_are_taken_and_no_more(world: Workspace) -> None:
    step = {"operation": "create_entity", "payload": {"name": "Night Ferry"}}
    assert len(world.rehearse(lambda w: control.batch(w, [step] * 500)).result.items) == 500
    for steps in ([], [step] * 501):
        with pytest.raises(OperationError):
            world.write("Batch", lambda w, steps=steps: control.batch(w, steps))
