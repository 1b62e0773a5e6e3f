"""Standard input and output, which may be closed where a command starts, and its end by Ctrl+C."""

import io
import os
import signal
import sys
from contextlib import suppress
from types import FrameType
from typing import Any, BinaryIO, TextIO

from core.errors import ConstellationError

_ANSWERS, _ERRORS = 1, 2
"""The descriptors of standard output and of standard error."""


class _Bytes(io.FileIO):
    """Writes to a descriptor; what it can't take is dropped, and `failure` says why.

    Attributes:
        enough: the reader of a pipe took a part and left, as `head` does.
    """

    def __init__(self, descriptor: int, failure: str = "") -> None:
        super().__init__(descriptor, "w", closefd=False)
        self.failure, self._always = "", failure
        self.enough, self._taken = False, 0

    def write(self, data: Any) -> int:
        self.failure = self.failure or self._always
        if not self.failure:
            try:
                took = super().write(data) or 0
            except OSError as error:
                self.failure = error.strerror or str(error)
                self.enough = isinstance(error, BrokenPipeError) and self._taken > 0
            else:
                self._taken += took
                return took
        return len(memoryview(data).cast("B"))


class Output(io.TextIOWrapper):
    """A standard stream that never interrupts a command.

    A command that stopped because its answer can't be printed would stop between two changes, and
    one that had made its change would look as if it had failed.
    """

    def __init__(self, descriptor: int, encoding: str = "utf-8", failure: str = "") -> None:
        self._bytes = _Bytes(descriptor, failure)
        super().__init__(io.BufferedWriter(self._bytes), encoding, errors="replace",
                         line_buffering=descriptor == _ERRORS)

    def lost(self) -> str:
        """Why not everything was printed; empty if it was."""
        self.flush()
        return self._bytes.failure

    @property
    def enough(self) -> bool:
        """The reader of a pipe took a part and left, as `head` does."""
        return self._bytes.enough


def open_closed() -> None:
    """Let nothing that is opened later take the place of a closed stream.

    A database under the number of standard output would be written over by the next message.
    What is printed on a closed stream is lost (`Output`); `standard_input` refuses in words.
    """
    free = os.open(os.devnull, os.O_RDWR)
    while free <= 2:
        os.set_inheritable(free, True)
        free = os.open(os.devnull, os.O_RDWR)
    os.close(free)
    sys.stdout = _unfailing(sys.stdout, _ANSWERS)
    sys.stderr = _unfailing(sys.stderr, _ERRORS)


def _unfailing(stream: TextIO | None, descriptor: int) -> TextIO:
    """The stream, if it is a terminal; else an `Output` in its place."""
    if stream is None:
        return Output(descriptor, failure="it is closed")
    return stream if stream.isatty() else Output(descriptor, stream.encoding)


def lost_answer() -> str:
    """Why the answer of this process was not printed whole; empty if it was."""
    return sys.stdout.lost() if isinstance(sys.stdout, Output) else ""


def reader_left() -> bool:
    """True if who reads the answer of this process had enough of it."""
    return isinstance(sys.stdout, Output) and sys.stdout.enough


def standard_input() -> BinaryIO:
    """What is piped into a command; raises ConstellationError where that is closed."""
    if sys.stdin is None:
        raise ConstellationError("Standard input is closed", do="Name a file")
    return sys.stdin.buffer


def stop_at_once(_number: int = signal.SIGINT, _frame: FrameType | None = None) -> None:
    """End the process with one line: while it loads, and after its work, nothing is lost by it."""
    with suppress(OSError):
        os.write(2, b"constellation: Stopped\n")
    os._exit(128 + signal.SIGINT)


def on_interrupt(handler: object) -> None:
    """Handle Ctrl+C so, unless whoever started this process has it ignored."""
    if signal.getsignal(signal.SIGINT) in (signal.default_int_handler, stop_at_once):
        signal.signal(signal.SIGINT, handler)  # type: ignore[arg-type]
