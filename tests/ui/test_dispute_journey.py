"""Two rules that say the opposite: seen in the window, decided there by clicks, and taken back."""

from contextlib import closing
from pathlib import Path

import pytest
from PySide6.QtWidgets import QWidget
from pytestqt.qtbot import QtBot

from core.ingest.payload import Remembered
from core.ingest.remember import remember
from core.workspace import Workspace
from explorer.demo import build_demo
from tests.ui import test_decision_journey as journey
from tests.ui.review_scene import texts_in, wait_card, wait_status
from ui.main_window import MainWindow

OLDER, NEWER = "No deploys on Fridays after 14:00", "Deploys on Fridays are allowed"
MARK = f"[disputed; newer: “{NEWER}”]"
QUESTION = "deploy policy on Fridays"
EXPLAINED = {"Apply": "the newer one replaces the older",
             "Reject": "the older one stays, the newer is retired",
             "Keep both": "both stay, and neither is marked"}


class Dispute(journey.Decision):
    """The person's path from the question to a decision about two rules."""

    proposal_id = ""

    def open_dispute(self) -> None:
        self.open_tab("Proposals")
        queue = self.proposals.queue
        self.qtbot.waitUntil(lambda: self.proposal_id in queue.order)
        index = queue.list.lines.index_of(self.proposal_id)
        queue.list.scrollTo(index)
        journey.QTest.mouseClick(
            queue.list.viewport(), journey.LEFT, pos=queue.list.visualRect(index).center())
        wait_card(self.qtbot, self.proposals, self.proposal_id)
        self.rest()

    def ask(self) -> None:
        self.open_tab("What the agent sees")
        self.qtbot.waitUntil(lambda: self.agent_view.face == "ready")
        self.click(self.agent_view.ask.question)
        journey.QTest.keyClicks(self.agent_view.ask.question, QUESTION)
        self.rest()

    def rules(self) -> list[str]:
        """The rules about Fridays that an agent is told of the deploy policy, in text and list."""
        panel = self.agent_view
        begin = "- [deploy policy] "
        injected = [line.removeprefix(begin) for line in panel.injected.source.splitlines()
                    if line.startswith(begin) and "Friday" in line]
        listed = [(row.text, row.below) for row in panel.memories.rows
                  if row.kind == "constraint" and "deploy policy" in row.below
                  and "Friday" in row.text]
        assert [f"[{below.partition(' · ')[0]}] {text}" if below.startswith("disputed") else text
                for text, below in listed] == injected
        return injected

    def wait_rules(self, *expected: str) -> None:
        self.open_tab("What the agent sees")
        self.qtbot.waitUntil(lambda: self.injected_is_new(expected))
        self.rest()
        assert sorted(self.rules()) == sorted(expected)

    def injected_is_new(self, expected: tuple[str, ...]) -> bool:
        source = self.agent_view.injected.source
        return all(f"- [deploy policy] {line}\n" in source for line in expected) and sum(
            line.startswith("- [deploy policy]") and "Friday" in line
            for line in source.splitlines()) == len(expected)

    def press(self, verb: str, status: str) -> None:
        self.open_dispute()
        self.click(self.proposals.bar.buttons[verb])
        if verb == "reject":
            self.click(self.proposals.bar._reject_button)
        wait_status(self.qtbot, self.window, self.proposal_id, status)
        self.rest()

    def take_back(self) -> None:
        self.click(self.button("edit.undo"))
        wait_status(self.qtbot, self.window, self.proposal_id, "pending")
        self.rest()


@pytest.fixture
def graph(tmp_path: Path) -> Path:
    path = build_demo(tmp_path / "demo.db")
    with closing(Workspace.open(path)) as workspace:
        read = Remembered.read({"content": NEWER, "entities": [{"name": "deploy policy"}]})
        report = workspace.write("Remember", lambda w: remember(w, read)).result
        Dispute.proposal_id = report.disputes[0].proposal_id
    return path


@pytest.fixture
def dispute(qtbot: QtBot, opened: MainWindow) -> Dispute:
    opened.resize(1440, 1000)
    opened.activateWindow()
    made = Dispute(qtbot, opened)
    made.ask()
    made.wait_rules(NEWER, f"{MARK} {OLDER}")
    return made


def test_the_card_of_a_dispute_says_what_each_button_does(dispute: Dispute) -> None:
    dispute.open_dispute()
    card, bar = dispute.proposals.card, dispute.proposals.bar
    words = texts_in(card)
    assert f"“{OLDER}”" in words
    assert f"“{NEWER}”" in words
    for button, effect in EXPLAINED.items():
        assert f"{button}\n{effect}" in words
        (pressed,) = [one for one in bar.buttons.values() if one.isVisible()
                      and texts_in(one).startswith(f"{button}\n")]
        assert pressed.isEnabled()
        assert pressed.accessibleDescription() == effect


def test_other_proposals_cannot_keep_both(dispute: Dispute) -> None:
    dispute.open_proposal()
    both: QWidget = dispute.proposals.bar.buttons["both"]
    assert not both.isVisible()
    assert dispute.proposals.bar.buttons["reject"].accessibleDescription() == ""
    dispute.proposals.keep_both()
    dispute.rest()
    assert dispute.proposals.current_id == journey.PROPOSAL


@pytest.mark.parametrize(("verb", "status", "told"), [
    ("apply", "applied", [NEWER]), ("reject", "rejected", [OLDER]),
    ("both", "rejected", [NEWER, OLDER])])
def test_a_click_decides_which_rule_is_told_and_undo_takes_it_back(
    dispute: Dispute, verb: str, status: str, told: list[str]
) -> None:
    dispute.press(verb, status)
    dispute.wait_rules(*told)
    dispute.take_back()
    dispute.wait_rules(NEWER, f"{MARK} {OLDER}")
