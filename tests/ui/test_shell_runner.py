"""Reads, writes and jobs away from the GUI thread."""

import gc
import sqlite3
import threading
import weakref
from functools import partial

import pytest
from PySide6.QtCore import QObject, Qt, Signal
from pytestqt.exceptions import capture_exceptions
from pytestqt.qtbot import QtBot

from core.errors import Busy, OperationError
from core.queries.stats import counts
from core.store.reader_and_writer import Reader, Writer
from ui.context import Context
from ui.runner import POOL_THREADS, Job
from ui.status_bar import JobProgress
from ui.widgets.labels import label


def idle(context: Context) -> bool:
    return context.runner.idle


def test_a_read_runs_elsewhere_and_answers_here(qtbot: QtBot, context: Context) -> None:
    where: list[int] = []

    def query(reader: Reader) -> int:
        where.append(threading.get_ident())
        return counts(reader).entities

    found: list[tuple[int, int]] = []
    context.runner.read(query, lambda n: found.append((n, threading.get_ident())))
    qtbot.waitUntil(lambda: bool(found))
    assert found == [(3, threading.get_ident())]
    assert where[0] != threading.get_ident()


def test_only_the_newest_of_one_key_is_answered(qtbot: QtBot, context: Context) -> None:
    answers: list[int] = []
    for n in range(20):
        context.runner.read(lambda _, n=n: n, answers.append, key="one")
    qtbot.waitUntil(lambda: idle(context))
    assert answers == [19]


def test_who_asks_while_others_write_all_the_time_is_answered(
    qtbot: QtBot, context: Context
) -> None:
    reads = _Reads(context)
    reads.ask("before")
    qtbot.waitUntil(lambda: reads.begun == ["before"])
    reads.ask("this")
    qtbot.waitUntil(lambda: reads.begun == ["before", "this"])
    for _ in range(5):
        reads.ask("this")
    reads.first.release()
    reads.gate.release()
    qtbot.waitUntil(lambda: reads.answers == ["this"])
    qtbot.waitUntil(lambda: reads.begun == ["before", "this", "this"])
    reads.ask("this")
    reads.gate.release()
    reads.gate.release()
    qtbot.waitUntil(lambda: idle(context))
    assert reads.begun == ["before", *["this"] * 3], "one after the other, once for all who asked"
    assert reads.answers == ["this"] * 3, "nothing that was asked before"


def test_what_nobody_waits_for_lets_a_person_go_first_and_goes_one_at_a_time(
    qtbot: QtBot, context: Context
) -> None:
    gate, begun, answers = threading.Semaphore(0), list[str](), list[str]()

    def ask(what: str, *, later: bool) -> None:
        def read(_: Reader) -> str:
            begun.append(what)
            assert gate.acquire(timeout=30)
            return what
        context.runner.read(read, answers.append, later=later)

    ask("a click", later=False)
    for what in ("the sky", "the counts"):
        ask(what, later=True)
    qtbot.waitUntil(lambda: begun == ["a click"])
    gate.release()
    qtbot.waitUntil(lambda: begun == ["a click", "the sky"])
    assert not idle(context), "what waits is still to be answered"
    ask("another click", later=False)
    qtbot.waitUntil(lambda: begun == ["a click", "the sky", "another click"])
    for _ in range(3):
        gate.release()
    qtbot.waitUntil(lambda: idle(context))
    assert begun[3:] == ["the counts"]
    assert sorted(answers) == sorted(begun)


def test_what_waits_behind_a_click_is_read_once_and_tells_the_newest(
    qtbot: QtBot, context: Context
) -> None:
    gate, begun, answers = threading.Semaphore(0), list[int](), list[int]()
    context.runner.read(lambda _: gate.acquire(timeout=30), lambda _: None)
    for n in range(5):
        context.runner.read(lambda _, n=n: begun.append(n) or n, answers.append, key="counts",
                            question="counts", later=True)
    assert not begun
    gate.release()
    qtbot.waitUntil(lambda: idle(context))
    assert begun == answers == [4]


def test_what_is_undone_keeps_no_read_waiting(
    qtbot: QtBot, context: Context, monkeypatch: pytest.MonkeyPatch
) -> None:
    gate, answers = threading.Semaphore(0), list[str]()
    monkeypatch.setattr(context.workspace, "undo", lambda *_, **__: gate.acquire(timeout=30))
    for _ in range(POOL_THREADS):
        context.runner.undo()
    context.runner.read(lambda _: "asked", answers.append)
    qtbot.waitUntil(lambda: answers == ["asked"])
    for _ in range(POOL_THREADS):
        gate.release()
    qtbot.waitUntil(lambda: idle(context))


def test_a_long_read_keeps_no_other_waiting(qtbot: QtBot, context: Context) -> None:
    gate, answers = threading.Semaphore(0), list[str]()

    def read(_: Reader) -> str:
        assert gate.acquire(timeout=30)
        return "long"

    for _ in range(POOL_THREADS + 1):
        context.runner.read(read, answers.append, long=True)
    context.runner.read(lambda _: "later", answers.append, later=True)
    context.runner.read(lambda _: "asked", answers.append)
    qtbot.waitUntil(lambda: sorted(answers) == ["asked", "later"])
    for _ in range(POOL_THREADS + 1):
        gate.release()
    qtbot.waitUntil(lambda: idle(context))


def test_an_answer_that_was_delivered_is_let_go_without_the_collector(
    qtbot: QtBot, context: Context
) -> None:
    read, written = list[weakref.ref[_Found]](), list[weakref.ref[_Found]]()
    context.runner.read(lambda _: _Found(), lambda found: read.append(weakref.ref(found)))
    context.runner.write("Nothing", lambda _: _Found(),
                         lambda done: written.append(weakref.ref(done.result)))
    gc.disable()
    try:
        qtbot.waitUntil(lambda: bool(read) and bool(written) and idle(context))
        qtbot.waitUntil(lambda: read[0]() is None and written[0]() is None)
    finally:
        gc.enable()


class _Found:
    """What a read has found."""


class _Reads:
    """Reads of one key that wait at a gate."""

    def __init__(self, context: Context) -> None:
        self.begun: list[str] = []
        self.answers: list[str] = []
        self.gate, self.first = threading.Semaphore(0), threading.Semaphore(0)
        """That of all, and that of what was asked before: no other read slips through it."""
        self._runner = context.runner

    def ask(self, what: str) -> None:
        self._runner.read(partial(self._read, what), self.answers.append, key="one")

    def _read(self, what: str, _: Reader) -> str:
        self.begun.append(what)
        assert (self.first if what == "before" else self.gate).acquire(timeout=30)
        return what


def test_another_agent_does_not_wait_for_what_is_read_of_the_one_before(
    qtbot: QtBot, context: Context
) -> None:
    reads = _Reads(context)
    reads.ask("this")
    qtbot.waitUntil(lambda: reads.begun == ["this"])
    context.workspace.with_agent("nora")
    reads.ask("this")
    qtbot.waitUntil(lambda: reads.begun == ["this", "this"])
    reads.gate.release()
    reads.gate.release()
    qtbot.waitUntil(lambda: idle(context))
    assert reads.answers == ["this"]


def test_an_error_is_not_told_where_the_same_is_read_once_more(
    qtbot: QtBot, context: Context
) -> None:
    gate, errors, answers = threading.Semaphore(0), [OperationError(404, "Gone")], list[str]()

    def read(_: Reader) -> str:
        assert gate.acquire(timeout=30)
        if errors:
            raise errors.pop()
        return "here"

    with qtbot.assertNotEmitted(context.runner.went_wrong):
        for _ in range(2):
            context.runner.read(read, answers.append, key="one")
        gate.release()
        gate.release()
        qtbot.waitUntil(lambda: idle(context))
    assert answers == ["here"]


def test_the_window_goes_on_between_answers_that_came_at_once(
    qtbot: QtBot, context: Context
) -> None:
    class Window(QObject):
        goes_on = Signal()

    window, seen, read = Window(), list[str](), threading.Semaphore(0)
    window.goes_on.connect(lambda: seen.append("window"), Qt.ConnectionType.QueuedConnection)

    def told(_answer: object) -> None:
        seen.append("answer")
        window.goes_on.emit()

    for _ in range(3):
        context.runner.read(lambda _: read.release(), told)
    for _ in range(3):
        assert read.acquire(timeout=30)
    qtbot.waitUntil(lambda: idle(context))
    assert "".join(each[0] for each in seen).count("aa") == 0, seen


def test_a_widget_that_has_gone_is_not_answered(qtbot: QtBot, context: Context) -> None:
    class Listener(QObject):
        def hear(self, _answer: object) -> None:
            raise AssertionError("called after its end")

    gate = threading.Event()
    listener = Listener()
    context.runner.read(lambda _: gate.wait(10), listener.hear)
    context.runner.read(lambda _: gate.wait(10), partial(listener.hear))
    import shiboken6  # noqa: PLC0415 - only this test ends an object by hand

    shiboken6.delete(listener)
    gate.set()
    qtbot.waitUntil(lambda: idle(context))


def test_an_error_in_words_is_announced(qtbot: QtBot, context: Context) -> None:
    def refuse(_reader: Reader) -> None:
        raise OperationError(404, "Nothing there")

    with qtbot.waitSignal(context.runner.went_wrong) as told:
        context.runner.read(refuse, lambda _: None)
    assert str(told.args[0]) == "Nothing there"


def test_a_bug_is_raised_here(qtbot: QtBot, context: Context) -> None:
    with capture_exceptions() as caught:
        context.runner.read(lambda _: 1 / 0, lambda _: None)
        qtbot.waitUntil(lambda: idle(context))
    assert caught[0][0] is ZeroDivisionError


def test_failed_takes_the_error(qtbot: QtBot, context: Context) -> None:
    errors: list[BaseException] = []
    with qtbot.assertNotEmitted(context.runner.went_wrong), qtbot.captureExceptions() as bugs:
        context.runner.read(lambda _: 1 / 0, lambda _: None, errors.append)
        qtbot.waitUntil(lambda: bool(errors))
    assert isinstance(errors[0], ZeroDivisionError)
    assert [bug[1] for bug in bugs] == errors, "a bug is raised, too"


def test_what_another_program_holds_for_long_is_waited_for_and_not_shown(
    qtbot: QtBot, context: Context, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("core.store.database.BUSY_MS", 20)
    monkeypatch.setattr("ui.runner.PATIENCE", 10_000)
    tries: list[int] = []

    def query(reader: Reader) -> int:
        tries.append(1)
        if len(tries) < 3:
            raise Busy("The file is locked by another program")
        return counts(reader).entities

    found: list[int] = []
    with qtbot.assertNotEmitted(context.runner.went_wrong):
        context.runner.read(query, found.append)
        qtbot.waitUntil(lambda: found == [3])
        other = sqlite3.connect(context.workspace.path, isolation_level=None)
        other.execute("BEGIN IMMEDIATE")
        submit, asked = context.workspace.submit, []
        monkeypatch.setattr(context.workspace, "submit", lambda *given, **rest: (
            asked.append(given), submit(*given, **rest))[1])
        context.runner.write("Count Ines", lambda writer: writer.update_where(
            "entities", "name = :n", {"mentions": 8}, n="Ines Duarte"))
        qtbot.waitUntil(lambda: len(asked) > 2)
        with qtbot.waitSignal(context.runner.wrote):
            other.execute("ROLLBACK")
    other.close()


def test_a_write_is_told_and_can_be_undone(qtbot: QtBot, context: Context) -> None:
    def touch(writer: Writer) -> int:
        return writer.update_where("entities", "name = :n", {"mentions": 7}, n="Ines Duarte")

    with qtbot.waitSignal(context.runner.wrote) as told:
        context.runner.write("Count Ines", touch)
    assert told.args == ["Count Ines", context.workspace.history()[0].undo_id]
    with qtbot.waitSignal(context.runner.undone) as undone:
        context.runner.undo()
    assert undone.args == ["Count Ines"]
    with qtbot.waitSignal(context.runner.steps_changed):
        context.runner.look_for_steps()
    assert context.runner.redo_label == "Count Ines"


def test_a_job_reports_and_stops(qtbot: QtBot, context: Context) -> None:
    started = threading.Event()
    finished: list[object] = []

    def work(job: Job) -> None:
        started.set()
        while True:
            job.report(0.5, "half")

    job = context.runner.job(work, finished.append, label="Work")
    with qtbot.waitSignal(job.progressed) as told:
        pass
    assert told.args == [0.5, "half"]
    with qtbot.waitSignal(job.finished):
        job.cancel()
    assert finished == []


def test_closing_delivers_nothing_more(qtbot: QtBot, context: Context) -> None:
    answers: list[object] = []
    context.runner.read(lambda _: 1, answers.append)
    context.runner.close()
    qtbot.wait(1)
    assert answers == []
    context.runner.read(lambda _: 2, answers.append)
    assert answers == []


def test_a_job_of_a_closed_graph_leaves_the_status_bar(qtbot: QtBot, context: Context) -> None:
    shown = JobProgress(context.theme)
    qtbot.addWidget(shown)
    context.runner.job_started.connect(shown.add)
    context.runner.job(lambda job: job.stopped.wait(30), label="Computing positions")
    assert not shown.isHidden()
    context.runner.close()
    assert shown.isHidden()


def test_no_thread_touches_a_widget(qtbot: QtBot, context: Context) -> None:
    words = label()
    qtbot.addWidget(words)
    context.runner.read(lambda r: counts(r).entities, lambda n: words.setText(str(n)))
    qtbot.waitUntil(lambda: words.text() == "3")


@pytest.mark.parametrize("closed", [True, False])
def test_idle_tells_the_truth(qtbot: QtBot, context: Context, closed: bool) -> None:
    assert context.runner.idle
    context.runner.read(lambda _: 1, lambda _: None)
    assert not context.runner.idle
    if closed:
        context.runner.close()
    else:
        qtbot.waitUntil(lambda: context.runner.idle)
