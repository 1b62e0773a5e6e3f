"""Every panel on an entity with 50,000 links, an aspect with 20,000 values, a claim with 5,000
versions and 20,000 pending proposals, among a million values.

Run as `python -m tests.bench.huge [VALUES] [CLICKS] [FOLDER]`; a graph that lies in the folder from
before is taken. Prints for each panel when its answer began and was complete, and the longest
stall: by the clock, in which other programs are, and of the window's own work; below it the reads
that worked long. Then it clicks at random, and prints the memory.
"""

import os
import random
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import Any

from PySide6.QtCore import QEventLoop, QObject, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QAbstractItemView, QAbstractScrollArea, QWidget

from core.model.claims_and_assertions import Slot
from core.ontology import control
from core.ontology.operation_catalog import CATALOG
from tests.bench.huge_graph import HUB, LONG, SUBJECTS, WIDE, build_huge
from tests.bench.opened_window import open_window
from tests.bench.stalls import Stalls, StallWatch
from ui.constellation.sky_loader import Sky
from ui.panel import Panel
from ui.panels import PANELS
from ui.runner import Runner, alive

PATIENCE_S, SLOW_MS, PAGES, EVERY = 60.0, 40, 12, 500
ELSEWHERE = "e40"
"""An ordinary entity, selected before each step."""
WISHES: dict[str, tuple[str, dict[str, object]]] = {
    "pin the entity with the links": ("pin_entity", {"entity": HUB}),
    "another value of the wide aspect": ("set_claim_value", {
        "entity": WIDE, "aspect": "wide side", "claim_key": "one more", "value": "said now"}),
    "another version of the long claim": ("set_claim_value", {
        "entity": LONG, "aspect": "long side", "claim_key": "told", "value": "said now"}),
    "another link of the entity with the links": ("create_link", {
        "source_entity_id": HUB, "target_entity_id": ELSEWHERE, "link_type": "informs"}),
}


class Answers:
    """When the reads of each widget were answered."""

    def __init__(self, runner: Runner) -> None:
        self.first: dict[int, float] = {}
        self.last: dict[int, float] = {}
        self.slowest: list[tuple[float, float, str]] = []
        """Milliseconds of work of each read, until it was answered, and what took the answer."""
        for name in ("read", "job"):
            setattr(runner, name, partial(self._start, getattr(runner, name)))

    def _start(self, start: Callable[..., Any], fn: Any, done: Any = None, *rest: Any,
               **named: Any) -> Any:
        began, work = time.perf_counter(), [0.0]
        owner = done
        while isinstance(owner, partial):
            owner = owner.func
        owner = getattr(owner, "__self__", None)

        def work_on(*given: object) -> object:
            before = time.thread_time()
            try:
                return fn(*given)
            finally:
                work[0] = time.thread_time() - before

        def answered(result: object) -> None:
            if done is not None and alive(done):
                done(result)
            now = time.perf_counter()
            name = getattr(getattr(done, "func", done), "__qualname__", "")
            self.slowest.append((work[0] * 1000, (now - began) * 1000, name))
            if isinstance(owner, QObject):
                self._note(owner, now)

        return start(work_on, answered, *rest, **named)

    def _note(self, owner: Any, now: float) -> None:
        while owner is not None:
            if isinstance(owner, Panel | Sky):
                self.first.setdefault(id(owner), now)
                self.last[id(owner)] = now
            owner = owner.parent()


class Huge:
    """The window and what is done in it."""

    def __init__(self, path: Path) -> None:
        began = time.perf_counter()
        self.app, self.window, settled = open_window(path)
        self.watch = StallWatch()
        stalls = self.watch.fresh()
        self.wait(lambda: bool(settled), 20 * PATIENCE_S)
        session = self.window.session
        assert session is not None
        self.session, self.answers = session, Answers(session.runner)
        self.rest()
        say(f"opened and at rest after {time.perf_counter() - began:.1f} s, {memory():.0f} MB; "
            f"{stalls.words()}")

    def wait(self, until: Callable[[], bool], patience_s: float = PATIENCE_S) -> None:
        """Go on until this is so."""
        end = time.perf_counter() + patience_s
        while not until() and time.perf_counter() < end:
            self.app.processEvents(QEventLoop.ProcessEventsFlag.WaitForMoreEvents)

    def rest(self) -> None:
        """Go on until nothing is read, twice in a row: what is shown may be followed by more."""
        for _ in range(2):
            self.wait(lambda: self.session.runner.idle)
            self.app.processEvents()

    @contextmanager
    def timed(self, name: str, widget: QWidget | None = None) -> Iterator[None]:
        """Print how long it took until this panel, or the whole window, had its answer."""
        self.answers.first.clear()
        self.answers.last.clear()
        self.answers.slowest.clear()
        stalls, began = self.watch.fresh(), time.perf_counter()
        yield
        self.app.processEvents()
        at_once = time.perf_counter()
        self.rest()
        now = time.perf_counter()
        answer = self.answers.last.get(id(widget), at_once) if widget is not None else now
        first = self.answers.first.get(id(widget), answer)
        self._say(name, first - began, answer - began, now - began, stalls)

    def _say(
        self, name: str, first: float, answer: float, rest: float, stalls: Stalls
    ) -> None:
        begins = f"begins {first * 1000:.0f} ms, " if first < answer else ""
        say(f"{name}: {begins}answer {answer * 1000:.0f} ms, at rest {rest * 1000:.0f} ms; "
            f"{stalls.words()}")
        worst = [each for each in sorted(self.answers.slowest, reverse=True) if each[0] > SLOW_MS]
        if worst:
            say("    read: " + ", ".join(
                f"{work:.0f} ms of work ({took:.0f} by the clock) for {what}"
                for work, took, what in worst[:3]))

    def panels(self) -> None:
        """Every panel, on each of the huge things; then each of them is scrolled."""
        for kind in PANELS:
            panel = self.window.show_panel(kind.name)
            self.rest()
            for entity, words in SUBJECTS.items():
                self.session.selection.select_entity(ELSEWHERE)
                self.rest()
                with self.timed(f"{kind.title}, {words}", panel):
                    self.session.selection.select_entity(entity)
                self._scroll(panel, f"{kind.title}, {words}")
            with self.timed(f"{kind.title}, hidden and shown", panel):
                self.window.show_panel("activity" if kind.name != "activity" else "health")
                self.window.show_panel(kind.name)

    def _scroll(self, panel: QWidget, name: str) -> None:
        stalls = self.watch.fresh()
        for area in panel.findChildren(QAbstractScrollArea):
            bar = area.verticalScrollBar()
            if area.isVisible() and bar.maximum():
                for page in range(PAGES):
                    bar.setValue(bar.maximum() * page // (PAGES - 1))
                    self.app.processEvents()
        self.rest()
        if stalls.own.own_ms > 30:
            say(f"    {name}, scrolled: {stalls.words()}")

    def details(self) -> None:
        """More links, the whole of the wide aspect, every version."""
        selection = self.session.selection
        inspector = self.window.show_panel("inspector")
        selection.select_entity(HUB)
        self.rest()
        for _ in range(5):
            with self.timed("Inspector, more links", inspector):
                inspector._show_more("links")  # type: ignore[attr-defined]
        selection.select_entity(WIDE)
        self.rest()
        for _ in range(5):
            with self.timed("Inspector, more values", inspector):
                inspector._show_more("wide")  # type: ignore[attr-defined]
        history = self.window.show_panel("claim_history")
        selection.select_entity(LONG)
        selection.select_slot(Slot(LONG, "long", "attribute", "general", "told"))
        self.rest()
        for _ in range(5):
            with self.timed("Claim history, older versions", history):
                history.timeline._show_more()  # type: ignore[attr-defined]

    def search(self) -> None:
        """Type letter by letter, and take it back."""
        entities, field = self.window.show_panel("entities"), self.window.top.search
        for text in ("h", "ha", "har", "harbor", "harbor l", "harbor ledger", "number 17", ""):
            with self.timed(f"search “{text}”", entities):
                field.setText(text)

    def changes(self) -> None:
        """Changes of the huge things, and each of them taken back."""
        runner = self.session.runner
        for name, (operation, payload) in WISHES.items():
            self.session.selection.select_entity(str(payload.get("entity", HUB)))
            self.rest()
            assert operation in CATALOG
            with self.timed(name):
                runner.write(name, partial(_apply, operation, payload))
            with self.timed(f"{name}, taken back"):
                runner.undo()
        proposals = self.window.show_panel("proposals")
        proposals.focus()
        self.rest()
        for step in ("next", "next", "apply", "take_back", "more", "more", "group"):
            with self.timed(f"Proposals, {step}", proposals):
                self.window.actions_.run(f"proposals.{step}")

    def themes(self) -> None:
        """From dark to light and back, until all that is in sight is painted; what is hidden is
        dressed after that. The stall is what a person feels.
        """
        sky = self.window.sky()
        assert sky is not None
        painted: list[float] = []
        sky.frame_took.connect(painted.append)
        for _ in range(6):
            painted.clear()
            stalls, began = self.watch.fresh(), time.perf_counter()
            self.window.actions_.run("view.switch_theme")
            self.wait(self.window.updatesEnabled)
            self.app.processEvents()
            self.wait(lambda: bool(painted))
            seen = time.perf_counter() - began
            say(f"another theme: painted after {seen * 1000:.0f} ms; {stalls.words()}")
            self.rest()

    def clicks(self, count: int) -> None:
        """Click at random into lists and the sky; print the memory."""
        chance, stalls = random.Random(7), self.watch.fresh()
        for number in range(1, count + 1):
            if number % 20 == 1:
                self.window.show_panel(chance.choice(PANELS).name)
            self.click(chance)
            self.app.processEvents()
            if number % EVERY == 0:
                self.rest()
                say(f"{number:,} clicks: {memory():.0f} MB; {stalls.words()}")
                stalls = self.watch.fresh()

    def click(self, chance: random.Random) -> None:
        """Click somewhere into one of the lists or the sky; now and then scroll it before."""
        views: list[QWidget] = [view.viewport() for view in
                                self.window.findChildren(QAbstractItemView) if view.isVisible()]
        sky = self.window.sky()
        view = chance.choice([*views, *([sky] if sky is not None else [])])
        area = view.parent()
        if isinstance(area, QAbstractItemView) and chance.random() < 0.3:
            bar = area.verticalScrollBar()
            bar.setValue(chance.randint(0, bar.maximum()))
        spot = view.rect().topLeft() + view.rect().bottomRight()
        spot.setX(chance.randint(0, max(1, view.width() - 1)))
        spot.setY(chance.randint(0, max(1, view.height() - 1)))
        QTest.mouseClick(view, Qt.MouseButton.LeftButton, pos=spot)

    def close(self) -> None:
        self.watch.close()
        self.window.close()
        self.app.aboutToQuit.emit()


def _apply(operation: str, payload: dict[str, object], writer: Any) -> object:
    return control.apply(writer, operation, payload)


def memory() -> float:
    """Megabytes that this process has now."""
    pages = int(Path("/proc/self/statm").read_text().split()[1])
    return pages * os.sysconf("SC_PAGE_SIZE") / 2**20


def say(line: str) -> None:
    sys.stdout.write(f"{line}\n")
    sys.stdout.flush()


def main(values: int = 1_000_000, clicks: int = 5_000, kept: str = "") -> None:
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as name:
        folder = Path(kept or name)
        os.environ["CONSTELLATION_DATA"] = str(folder / "data")
        path, began = folder / "huge.db", time.perf_counter()
        if not path.exists():
            build_huge(path, folder / "data", values)
            say(f"made in {time.perf_counter() - began:.0f} s")
        huge = Huge(path)
        huge.panels()
        huge.details()
        huge.search()
        huge.changes()
        huge.themes()
        huge.clicks(clicks)
        huge.close()


if __name__ == "__main__":
    given = sys.argv[1:]
    main(*(int(each) for each in given[:2]), *given[2:3])
