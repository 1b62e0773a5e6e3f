"""A new user's first day with an agent, done for real, and its pictures in `assets/first-day`.

Run as `python -m tests.screens.first_day FOLDER`. It does what the page tells, in that order, with
the protocol's own client in the place of the person's.
"""

import json
import os
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

from PySide6.QtCore import QEventLoop, Qt, QTimer
from PySide6.QtTest import QTest

from explorer.desktop import make_app, make_window
from explorer.main import main as run_command
from tests.explorer.mcp.agents import Agent, agent_of
from ui.main_window import MainWindow
from ui.panels.proposals.panel import Proposals
from ui.preferences import Preferences

SIZE = 1280, 800
LEFT = Qt.MouseButton.LeftButton
BEFORE = (
    ("Mira", "person", "Leads Tidewatch", "Prefers short answers"),
    ("Tidewatch", "project", "Warns harbors of storm tides", "Runs in two regions"),
    ("Tide API", "system", "Serves water levels every ten minutes"),
    ("Postgres", "tool", "Holds the water levels", "Is at version 15"),
    ("Jonas", "person", "Looks after the Tide API"),
    ("Harbor office", "organization", "Reads the warnings at six"),
)
LINKS = (("Mira", "Tidewatch", "leads"), ("Jonas", "Tide API", "looks after"),
         ("Tidewatch", "Tide API", "asks"), ("Tide API", "Postgres", "reads from"),
         ("Harbor office", "Tidewatch", "is warned by"))
DAY = (
    ("The Tide API moved to Postgres 17 on Thursday night.", ["Tide API", "Postgres"]),
    ("Jonas rotates the API key on the first Monday of a month.", ["Jonas", "Tide API"]),
    ("Mira decided that warnings go out at five instead of six.", ["Mira", "Tidewatch"]),
    ("The harbor office wants the warnings by telephone as well.", ["Harbor office", "Tidewatch"]),
)
QUESTION = "When do the warnings of Tidewatch go out?"


class Hand:
    """Clicks, waits and takes pictures."""

    def __init__(self, window: MainWindow, folder: Path) -> None:
        self.window, self._folder = window, folder

    def until(self, holds: Callable[[], object], seconds: float = 60.0) -> None:
        """Let the window run until something holds."""
        loop, look = QEventLoop(), QTimer(interval=30)
        look.timeout.connect(lambda: loop.quit() if holds() else None)
        QTimer.singleShot(int(seconds * 1000), loop.quit)
        look.start()
        loop.exec()
        look.stop()

    def rest(self, seconds: float) -> None:
        """Let the window run for a while."""
        self.until(lambda: False, seconds)

    def picture(self, name: str, theme: str) -> None:
        """Take a picture in a theme."""
        self.window._preferences.theme = theme
        self.rest(0.6)
        self.window.grab().save(str(self._folder / f"{name}.png"))


def memory_file(folder: Path) -> Path:
    """The file of the reference memory server, as it was before the swap."""
    lines: list[dict[str, Any]] = [
        {"type": "entity", "name": name, "entityType": kind, "observations": list(facts)}
        for name, kind, *facts in BEFORE]
    lines += [{"type": "relation", "from": source, "to": target, "relationType": words}
              for source, target, words in LINKS]
    path = folder / "memory.jsonl"
    path.write_text("".join(json.dumps(line) + "\n" for line in lines))
    return path


def first_day(folder: Path, pictures: Path) -> None:
    """The whole walk."""
    store = folder / "memory.db"
    app = make_app()
    with agent_of(store, "--store", str(store), MEMORY_FILE_PATH=str(memory_file(folder))) as agent:
        agent.call("read_graph")
        window = make_window(Preferences(folder / "window.ini"))
        window.resize(*SIZE)
        window.show()
        window.open_path(store)
        hand = Hand(window, pictures)
        hand.until(lambda: window.session is not None and window.session.counts is not None)
        window.resize(*SIZE)
        hand.rest(12)
        watch_it_work(hand, agent)
        approve(hand, agent)
        hand.window.show_panel("activity")
        hand.rest(2)
        hand.picture("4-activity", "dusk")
        window.close()
    app.aboutToQuit.emit()
    run_command(["export", "--format", "obsidian", "--out", str(folder / "notes"), "--store",
                 str(store)])
    sys.stdout.write("\n".join(sorted(path.name for path in (folder / "notes").rglob("*"))) + "\n")


def watch_it_work(hand: Hand, agent: Agent) -> None:
    """The agent remembers and asks; the person pins what must always be told."""
    for content, entities in DAY:
        agent.call("remember", content=content, entities=entities)
    hand.rest(4)
    hand.picture("1-filled", "paper")
    hand.window._preferences.theme = "dusk"
    hand.rest(1)
    asked = agent.call("recall", query=QUESTION)
    assert any("at five" in hit["content"] for hit in asked["hits"][:2])
    hand.rest(0.5)
    hand.picture("2-asked", "dusk")
    session = hand.window.session
    assert session is not None
    row = next(each for each in agent.call("find_entities", query="Tidewatch")["items"])
    session.selection.select_entity(row["id"])
    hand.rest(1)
    hand.window.actions_.run("pins.toggle")
    hand.rest(2)
    assert "Tidewatch" in [each["name"] for each in agent.call("session_context")["focal"]]


def approve(hand: Hand, agent: Agent) -> None:
    """The agent proposes, the person looks and applies, the agent reads the verdict."""
    asked = agent.call("propose", operation="rename_entity", reason="Everybody calls it so since "
                       "the summer", payload={"entity": "Harbor office", "new_name": "Port office"})
    panel = hand.window.show_panel("proposals")
    assert isinstance(panel, Proposals)
    hand.until(lambda: asked["proposalId"] in panel.queue.order)
    hand.rest(2)
    hand.picture("3-proposal", "paper")
    QTest.mouseClick(panel.bar.buttons["apply"], LEFT)
    hand.until(lambda: agent.call("my_proposals", status="applied")["items"])
    assert "Port office" in [each["name"] for each in agent.call("read_graph")["entities"]]


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as place:
        os.environ["CONSTELLATION_DATA"] = str(Path(place) / "data")
        os.environ["CONSTELLATION_SETTINGS"] = str(Path(place) / "settings.toml")
        first_day(Path(place), Path(sys.argv[1]))
