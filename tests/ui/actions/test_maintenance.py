"""Maintenance in the window: when the person asks, and by the clock only where it is wanted."""

from pathlib import Path

import pytest
from pytestqt.qtbot import QtBot

from core.maintenance.rounds import last_round
from tests.core.graphs import build
from ui.actions.maintenance import do_round, do_round_if_due
from ui.context import Context


def twice(graph) -> None:
    """One entity that is said the same thing twice, for the chore of duplicates."""
    entity = graph.entity("Night Run")
    aspect = graph.aspect(entity, "schedule")
    graph.value(aspect, "Starts at two")
    graph.value(aspect, "Starts at two")


@pytest.fixture
def graph(tmp_path: Path) -> Path:
    path = tmp_path / "graph.db"
    build(path, twice).close()
    return path


@pytest.fixture
def wanted(context: Context) -> Context:
    """A context whose person wants rounds by the clock."""
    settings = context.engine.settings
    context.engine.keep(settings.model_copy(update={
        "maintenance": settings.maintenance.model_copy(update={"enabled": True})}))
    return context


def test_a_round_that_is_asked_for_is_done_and_can_be_undone(
    context: Context, qtbot: QtBot
) -> None:
    workspace = context.workspace
    do_round(context)
    qtbot.waitUntil(lambda: context.runner.idle and last_round(workspace) is not None)
    assert workspace.history()
    while workspace.undo_step():
        workspace.undo()
    with workspace.read() as reader:
        active = reader.value("SELECT count(*) FROM entity_attributes WHERE status = 'active'")
    assert active == 2


def test_the_clock_begins_nothing_unasked(context: Context, qtbot: QtBot) -> None:
    do_round_if_due(context)
    qtbot.waitUntil(lambda: context.runner.idle)
    assert last_round(context.workspace) is None


def test_the_clock_begins_a_round_where_it_is_wanted_and_due(
    wanted: Context, qtbot: QtBot
) -> None:
    workspace, runner = wanted.workspace, wanted.runner
    do_round_if_due(wanted)
    qtbot.waitUntil(lambda: runner.idle and last_round(workspace) is not None)
    first = last_round(workspace)
    do_round_if_due(wanted)
    qtbot.waitUntil(lambda: runner.idle)
    assert last_round(workspace) == first
