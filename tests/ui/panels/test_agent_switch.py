"""After another agent was chosen, everything shown is that agent's."""

from pathlib import Path

import pytest
from pytestqt.qtbot import QtBot

from core.ontology import control
from core.workspace import Workspace
from tests.ui.conftest import settle
from tests.ui.review_scene import (
    add_proposals,
    review_ids,  # noqa: F401 - the fixture `ids`
    review_of,
    texts_in,
    wait_card,
)
from ui.main_window import MainWindow
from ui.panels.entities import Entities
from ui.panels.proposals.panel import Proposals


@pytest.fixture
def graph(graph: Path, ids: dict[str, str]) -> Path:
    ids.update(add_proposals(graph))
    workspace = Workspace.open(graph, agent="other")
    ids["other"] = workspace.write("Propose", lambda w: control.propose(
        w, "create_entity", {"name": "lighthouse", "entity_type": "tool"})).result
    workspace.close()
    return graph


def test_another_agent_is_a_new_look_at_everything(
    qtbot: QtBot, opened: MainWindow, ids: dict[str, str]
) -> None:
    panel = review_of(opened)
    wait_card(qtbot, panel, ids["hostile"])
    panel.queue.chips.choose("create_link")
    assert panel.queue.order == [ids["link"]]
    entities = opened.panel("entities")
    assert isinstance(entities, Entities)
    entities.chips.choose("project")
    opened.session.selection.search_for("harbor")  # type: ignore[union-attr]
    sky = opened.sky()
    opened.switch_agent("other")
    settle(qtbot, opened)
    after = review_of(opened)
    assert isinstance(after, Proposals)
    wait_card(qtbot, after, ids["other"])
    assert after.queue.order == [ids["other"]]
    assert "1 pending" in texts_in(after.queue)
    assert opened.session.selection.search == opened.top.search.text() == ""  # type: ignore[union-attr]
    assert opened.sky() is not sky, "no place and no zoom is carried over"
    listed = opened.panel("entities")
    assert isinstance(listed, Entities)
    assert listed.chips.keys == ()
    opened.switch_agent("default")
    settle(qtbot, opened)
    again = review_of(opened)
    wait_card(qtbot, again, ids["hostile"])
    assert len(again.queue.order) == 6
