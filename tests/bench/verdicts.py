"""A thousand proposals worked off by keys in the real window, each checked: prints JSON.

Run as `python -m tests.bench.verdicts FILE COUNT` with CONSTELLATION_DATA set to where its sidecar
lies.
"""

import json
import re
import sys
import time
from collections.abc import Callable
from dataclasses import asdict, dataclass, field
from html import unescape
from pathlib import Path

from PySide6.QtCore import QEventLoop, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QLabel

from core.model.proposal import Proposal
from core.review.proposal_queue import get_proposal
from tests.bench.opened_window import open_window
from ui.models.review_card import Card
from ui.models.review_queue import Arrangement
from ui.panels.proposals.panel import Proposals

PATIENCE = 120.0
Wait = Callable[[Callable[[], bool]], None]
TAG = re.compile(r"<[^>]+>")
WISHES = ("value", "name", "target", "new_name")


@dataclass(slots=True)
class Worked:
    """What came of it.

    Attributes:
        waits: milliseconds from the last key of a verdict to the next card.
        busy: milliseconds for which the window's thread computed meanwhile.
        calm: waits of one who looks at each card until the window has nothing left to do.
    """

    verdicts: int = 0
    keys: int = 0
    seconds: float = 0.0
    waits: list[float] = field(default_factory=list)
    busy: list[float] = field(default_factory=list)
    calm: list[float] = field(default_factory=list)
    decided: list[str] = field(default_factory=list)
    wrong: list[str] = field(default_factory=list)
    """Verdicts on another proposal than was shown, or on a card that did not show its words."""


def work_off(panel: Proposals, count: int, wait: Wait, *, calmly: bool = False) -> Worked:
    """Decide on so many cards as a person does: A, and every third R and Enter.

    What can't be applied as it is, is rejected. `calmly`: with a look at each card.
    """
    worked, decided = Worked(), dict[str, str]()
    refusals = panel.decisions.refusals
    began = time.perf_counter()
    while len(decided) < count and not panel.parts.at_end:
        wait(lambda: _shown(panel) is not None)
        if calmly:
            wait(lambda: panel.context.runner.idle)
        card = _shown(panel)
        assert card is not None
        id = card.proposal.id
        if id in refusals:  # It came back: others were decided since it was read.
            wait(lambda: panel.current_id != id or (  # noqa: B023
                id in panel.cards._fresh and panel.context.runner.idle))  # noqa: B023
            card = _shown(panel)
            if card is None or card.proposal.id != id:
                continue
        if not _says(panel, card.proposal):
            worked.wrong.append(id)
        rejects = len(decided) % 3 == 2 or bool(card.blocked)
        keys = ("R", "Enter") if rejects else ("A",)
        worked.keys += len(keys)
        for key in keys[:-1]:
            _press(panel, key)
        pressed, busy = time.perf_counter(), time.thread_time()
        refusals.pop(id, None)
        _press(panel, keys[-1])
        decided[id] = "rejected" if rejects else "applied"
        wait(lambda: panel.parts.at_end or id in refusals or (  # noqa: B023
            panel.current_id != id and _shown(panel) is not None))  # noqa: B023
        worked.waits.append((time.perf_counter() - pressed) * 1000)
        worked.busy.append((time.thread_time() - busy) * 1000)
        for came_back in refusals:
            decided.pop(came_back, None)
        if len(decided) == count or panel.parts.at_end:
            wait(lambda: panel.context.runner.idle)
            for came_back in refusals:
                decided.pop(came_back, None)
    worked.decided = list(decided)
    worked.seconds, worked.verdicts = time.perf_counter() - began, len(decided)
    worked.wrong += _otherwise(panel, decided)
    return worked


def _shown(panel: Proposals) -> Card | None:
    """The card that is on the screen, once it is that of the current proposal."""
    card = panel.card.card
    return card if card is not None and card.proposal.id == panel.current_id else None


def _says(panel: Proposals, proposal: Proposal) -> bool:
    """Whether the labels of the card hold the words that the proposal would write."""
    wish = next((str(proposal.payload[key]) for key in WISHES if proposal.payload.get(key)), "")
    words = unescape(TAG.sub("", " ".join(
        label.text() for label in panel.card.findChildren(QLabel))))
    return " ".join(wish.split()[:4]) in " ".join(words.split())


def _press(panel: Proposals, key: str) -> None:
    focused = panel.window().focusWidget()
    assert focused is not None
    QTest.keyClick(focused, getattr(Qt.Key, f"Key_{key}"))


def _otherwise(panel: Proposals, decided: dict[str, str]) -> list[str]:
    """The proposals whose status is not what was pressed while they were shown, and those that
    were decided without being shown."""
    with panel.context.workspace.read() as reader:
        wrong = [id for id, status in decided.items()
                 if (row := get_proposal(reader, id)) is None or row.status != status]
        rows = reader.rows("SELECT id FROM ontology_proposals WHERE agent_id = :agent"
                           " AND status <> 'pending' AND rationale <> ''")
    return wrong + [row["id"] for row in rows if row["id"] not in decided]


def measure(path: Path, count: int) -> Worked:
    """Work off `count` of the proposals of a file, those worth most first."""
    app, window, _ = open_window(path)

    def wait(until: Callable[[], bool]) -> None:
        end = time.perf_counter() + PATIENCE
        while not until():
            assert time.perf_counter() < end, "nothing happened"
            app.processEvents(QEventLoop.ProcessEventsFlag.AllEvents, 5)

    wait(lambda: window.session is not None and window.session.counts is not None)
    panel = window.show_panel("proposals")
    assert isinstance(panel, Proposals)
    wait(lambda: panel.waiting.loaded and panel.context.runner.idle)
    panel.queue.arrange_as(Arrangement(sort="worth"))
    panel.focus()
    wait(lambda: panel.context.runner.idle)
    worked = work_off(panel, count, wait)
    calm = work_off(panel, count // 10, wait, calmly=True)
    worked.calm, worked.wrong = calm.waits, worked.wrong + [
        id for id in calm.wrong if id not in worked.decided]
    window.close()
    app.aboutToQuit.emit()
    return worked


if __name__ == "__main__":
    sys.stdout.write(json.dumps(asdict(measure(Path(sys.argv[1]), int(sys.argv[2])))) + "\n")
