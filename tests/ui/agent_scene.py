"""What the agent sees, open in the window with everything loaded."""

import pytest
from pytestqt.qtbot import QtBot

from tests.ui.browse_scene import settled
from ui.main_window import MainWindow
from ui.panels.agent_view.panel import AgentView


@pytest.fixture(name="panel")
def agent_panel(qtbot: QtBot, opened: MainWindow) -> AgentView:
    """The panel, wide enough for all of its columns."""
    opened.resize(1440, 1000)
    found = opened.show_panel("agent_view")
    assert isinstance(found, AgentView)
    qtbot.waitUntil(lambda: found.face == "ready")
    settled(qtbot, opened)
    return found
