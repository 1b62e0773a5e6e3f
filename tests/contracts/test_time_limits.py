"""A question whose time is up, at whatever statement, is answered with what there is by then."""

from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from functools import wraps
from pathlib import Path
from typing import Any

import pytest

from core.errors import DeadlinePassed
from core.recall.hybrid import recall
from core.session.start import start
from core.store.reader_and_writer import Reader
from core.traversal.focal_signals import Signals
from core.workspace import Workspace
from tests.contracts.files import KINDS
from tests.contracts.test_whole_reads import indexed
from tests.core_questions import USUAL

QUESTION = "What was before, when does Harbor Ledger start?"


class Clock:
    """Counts the statements that a deadline could stop, and stops all from a given one on."""

    def __init__(self, last: int | None) -> None:
        self.asked, self.last = 0, last

    def is_up(self, reader: Reader) -> bool:
        """Asked before each statement."""
        if reader._deadline is None:
            return False
        self.asked += 1
        return self.last is not None and self.asked > self.last

    @contextmanager
    def running(self, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
        """Time is what this clock says."""
        with monkeypatch.context() as patched:
            for name in ("rows", "rows_by_column"):
                patched.setattr(Reader, name, self._stopped(getattr(Reader, name)))
            in_time = Reader.rows_in_time
            patched.setattr(Reader, "rows_in_time", lambda reader, sql, /, **params: (
                ([], False) if self.is_up(reader) else in_time(reader, sql, **params)))
            patched.setattr(Reader, "out_of_time", property(
                lambda reader: reader._deadline is not None and self.last is not None
                and self.asked >= self.last))
            yield

    def _stopped(self, ask: Callable[..., Any]) -> Callable[..., Any]:
        @wraps(ask)
        def asked(reader: Reader, sql: str, /, **params: object) -> Any:
            if self.is_up(reader):
                raise DeadlinePassed("The time limit was reached")
            return ask(reader, sql, **params)

        return asked


def ask_recall(reader: Reader) -> bool:
    return recall(reader, QUESTION, USUAL.recall, traversal=USUAL.traversal).timed_out


def ask_session(reader: Reader) -> bool:
    return bool(start(reader, Signals(query=QUESTION, session_key="new"), USUAL).text)


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("ask", [ask_recall, ask_session])
def test_time_may_be_up_at_any_statement(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, kind: str, ask: Callable[[Reader], bool]
) -> None:
    path = indexed(tmp_path, kind)

    def ask_until(last: int | None) -> int:
        clock = Clock(last)
        with closing(Workspace.open(path, data_dir=tmp_path / "data")) as workspace, \
                workspace.read() as reader, clock.running(monkeypatch):
            ask(reader)
        return clock.asked

    every = ask_until(None)
    assert every > 10
    for last in range(every):
        ask_until(last)
