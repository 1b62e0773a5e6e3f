"""A person's tour of a large graph in the real window while another program writes.

Run as `python -m tests.bench.tour [ENTITIES] [VALUES] [MINUTES] [FOLDER] [--alone]`; a graph that
lies in the folder from before is taken, and `--alone` nobody else writes. Prints the median and p95
of each action, from the click or key to the answer on the screen, the longest stall of the window,
its memory, and how long the other program's changes took. Wall time, so what other programs take of
the machine is in it; beside it what share of the time they took, and the longest stall of the
window's own work.
"""

import os
import random
import signal
import subprocess
import sys
import tempfile
import time
from collections import defaultdict
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from functools import partial
from pathlib import Path
from statistics import median

from PySide6.QtCore import QEventLoop, Qt
from PySide6.QtTest import QTest

from core.ontology import control
from core.store.reader_and_writer import Writer
from core.workspace import Workspace
from tests.bench.big import WORDS
from tests.bench.memory_kinds import memory_kinds
from tests.bench.opened_window import open_window
from tests.bench.pending import build_pending
from tests.bench.stalls import StallWatch
from ui.constellation.sky_loader import Sky
from ui.main_window import MainWindow
from ui.panels.agent_view.panel import AgentView
from ui.panels.entities import Entities
from ui.panels.inspector.panel import Inspector
from ui.panels.proposals.panel import Proposals

WRITER, ALONE = "--write", "--alone"
PENDING = 2_000
PATIENCE_S, WRITES_EVERY_S = 60.0, 1.0


def write(path: Path) -> None:
    """The other program: a value set and a value proposed each second, until it is ended; then it
    says how long its changes took."""
    chance = random.Random()  # In a graph that is used again nothing is proposed twice.
    workspace = Workspace.open(path)
    with workspace.read() as reader:
        names = [row["name"] for row in reader.rows(
            "SELECT name FROM entities WHERE agent_id = :agent LIMIT 1000")]
    signal.signal(signal.SIGTERM, lambda *_: sys.exit())
    took: list[float] = []
    try:
        while True:
            _write_two(workspace, chance.choice(names), " ".join(chance.choices(WORDS, k=6)), took)
            time.sleep(WRITES_EVERY_S)
    finally:
        if took:
            say(f"{_times('each change of the other program', took)}, longest {max(took):.0f} ms")


def _write_two(workspace: Workspace, entity: str, value: str, took: list[float]) -> None:
    """Set a value and propose another; adds how many milliseconds each took."""
    for label, change, said in (("Set", control.apply, value),
                                ("Propose", control.propose, f"{value} again")):
        wish, began = {"entity": entity, "aspect": "harbor side", "claim_key": "told",
                       "value": said}, time.perf_counter()
        workspace.write(label, partial(_ask_for, change, wish), actor="neighbour")
        took.append((time.perf_counter() - began) * 1000)


def _ask_for(change: Callable[..., object], wish: dict[str, str], writer: Writer) -> object:
    return change(writer, "set_claim_value", wish)


class Tour:
    """The actions of a round, each timed."""

    def __init__(self, window: MainWindow, run_events: Callable[[], None],
                 turn_ended: Callable[[], None]) -> None:
        self.window, self._run_events, self._turn_ended = window, run_events, turn_ended
        self.took: dict[str, list[float]] = defaultdict(list)
        self.late: list[str] = []
        """Actions that had no answer in a minute."""
        self._chance = random.Random(1)
        entities, proposals = window.show_panel("entities"), window.show_panel("proposals")
        asked = window.show_panel("agent_view")
        assert isinstance(entities, Entities)
        assert isinstance(proposals, Proposals)
        assert isinstance(asked, AgentView)
        self.entities, self.proposals, self.asked = entities, proposals, asked
        assert window.session is not None
        self.session = window.session

    def wait(self, until: Callable[[], bool]) -> bool:
        """False where it did not come in a minute."""
        end = time.perf_counter() + PATIENCE_S
        while not until():
            if time.perf_counter() > end:
                return False
            self._run_events()
        return True

    @contextmanager
    def timed(self, name: str, until: Callable[[], bool]) -> Iterator[None]:
        self._turn_ended()
        began = time.perf_counter()
        yield
        if not self.wait(until):
            self.late.append(name)
        self.took[name].append((time.perf_counter() - began) * 1000)

    def round(self) -> None:
        """Search, click, dive, pin, take back, ask, decide."""
        self._search()
        self._click_and_dive()
        self._pin_and_take_back()
        self._ask()
        self._decide()

    def _show(self, panel: str) -> None:
        self._turn_ended()
        self.window.show_panel(panel)

    def _rows(self) -> int:
        return self.entities.rows.rowCount()

    def _search(self) -> None:
        all_rows, field = self._rows(), self.window.top.search
        with self.timed("search", lambda: self._rows() < all_rows):
            field.setText(" ".join(self._chance.sample(WORDS, 2)))
        with self.timed("search cleared", lambda: self._rows() >= all_rows):
            field.clear()

    def _click_and_dive(self) -> None:
        view = self.entities.list
        first, last = view.visible_rows()
        index = self.entities.rows.index(self._chance.randint(first, max(first, last - 1)))
        before = self.session.selection.entity_id
        inspector = self.window.panel("inspector")
        assert isinstance(inspector, Inspector)

        def shown() -> bool:
            chosen = self.session.selection.entity_id
            inspection = inspector.inspection
            return chosen == before or (
                inspection is not None and inspection.entity.id == chosen)

        with self.timed("click on a row", shown):
            QTest.mouseClick(view.viewport(), Qt.MouseButton.LeftButton,
                             pos=view.visualRect(index).center())
        sky, painted = self.window.sky(), list[bool]()
        assert isinstance(sky, Sky)
        connection = sky.frame_took.connect(lambda _: painted.append(True))
        with self.timed("dive", lambda: bool(painted)):
            self.window.actions_.run("sky.dive")
        sky.frame_took.disconnect(connection)

    def _pin_and_take_back(self) -> None:
        runner, wrote, undone = self.session.runner, list[str](), list[str]()
        connections = (runner.wrote.connect(lambda label, _: wrote.append(label)),
                       runner.undone.connect(undone.append))
        with self.timed("pin", lambda: bool(wrote)):
            self.window.actions_.run("pins.toggle")
        self.wait(lambda: runner.undo_label is not None)
        with self.timed("undo", lambda: bool(undone)):
            self.window.actions_.run("edit.undo")
        runner.wrote.disconnect(connections[0])
        runner.undone.disconnect(connections[1])

    def _ask(self) -> None:
        self._show("agent_view")
        before = self.asked.sight
        with self.timed("ask", lambda: self.asked.sight is not before):
            self.asked.ask.question.setText(" ".join(self._chance.sample(WORDS, 4)))

    def _decide(self) -> None:
        self._show("proposals")
        panel = self.proposals
        panel.focus()
        self.wait(lambda: panel.card.card is not None
                  and panel.card.card.proposal.id == panel.current_id)
        decided = panel.current_id
        with self.timed("decide", lambda: panel.current_id != decided and (
                panel.card.card is not None
                and panel.card.card.proposal.id == panel.current_id)):
            self.window.actions_.run("proposals.reject")
            focused = self.window.focusWidget()
            if focused is not None:
                QTest.keyClick(focused, Qt.Key.Key_Return)


def measure(path: Path, minutes: float, *, alone: bool = False) -> None:
    """Open the window, make the tour again and again, print what it took."""
    began = time.perf_counter()
    app, window, settled = open_window(path)
    watch = StallWatch()
    stalls = watch.fresh()

    def run_events() -> None:
        app.processEvents(QEventLoop.ProcessEventsFlag.WaitForMoreEvents)

    while not settled and time.perf_counter() - began < 20 * PATIENCE_S:
        run_events()
    say(f"opened and at rest after {time.perf_counter() - began:.1f} s, "
        f"{memory_kinds()}; {stalls.words()}")
    tour = Tour(window, run_events, watch.turn_ended)
    tour.wait(lambda: tour.session.runner.idle)
    stalls, worked, started = watch.fresh(), time.process_time(), time.perf_counter()
    with ExitStack() as meanwhile:
        if not alone:
            other = meanwhile.enter_context(subprocess.Popen(
                [sys.executable, "-m", "tests.bench.tour", WRITER, str(path)]))
            meanwhile.callback(other.terminate)
            meanwhile.callback(_say_if_ended, other)
        end = time.perf_counter() + 60 * minutes
        while time.perf_counter() < end:
            tour.round()
    for name, times in tour.took.items():
        say(_times(name, times))
    share = (time.process_time() - worked) / (time.perf_counter() - started)
    say(f"{stalls.words()}; {memory_kinds()}; the window's process had {share:.0%} of a "
        f"processor; without an answer: {', '.join(tour.late) or 'none'}")
    watch.close()
    window.close()
    app.aboutToQuit.emit()


def _times(name: str, took: list[float]) -> str:
    """How many milliseconds each took, in words."""
    ordered = sorted(took)
    return (f"{name}: median {median(ordered):.0f} ms, "
            f"p95 {ordered[int(len(ordered) * 0.95)]:.0f} ms, {len(ordered)} times")


def _say_if_ended(program: subprocess.Popen[bytes]) -> None:
    if program.poll() is not None:
        say("the other program had ended before")


def say(line: str) -> None:
    sys.stdout.write(f"{line}\n")
    sys.stdout.flush()


def main(entities: int = 100_000, values: int = 1_000_000, minutes: float = 10,
         kept: str = "", *, alone: bool = False) -> None:
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as name:
        folder = Path(kept or name)
        os.environ["CONSTELLATION_DATA"] = str(folder / "data")
        path, began = folder / "tour.db", time.perf_counter()
        if not path.exists():
            build_pending(path, folder / "data", entities=entities, pending=PENDING, values=values)
            seconds = time.perf_counter() - began
            say(f"{entities:,} entities, {values:,} values: made in {seconds:.0f} s")
        measure(path, minutes, alone=alone)


if __name__ == "__main__":
    if sys.argv[1:2] == [WRITER]:
        write(Path(sys.argv[2]))
    else:
        given = [each for each in sys.argv[1:] if each != ALONE]
        main(*(int(each) for each in given[:2]), *(float(each) for each in given[2:3]),
             *given[3:4], alone=ALONE in sys.argv)
