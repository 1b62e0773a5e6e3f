"""Standard input and output, which may be closed where a command is started."""

import io
import os
import sys
from typing import BinaryIO

from core.errors import ConstellationError


class Nowhere(io.TextIOWrapper):
    """Takes what nobody reads; `used` once something was written."""

    def __init__(self) -> None:
        super().__init__(open(os.devnull, "wb"), "utf-8", errors="replace")  # noqa: SIM115
        self.used = False

    def write(self, text: str) -> int:
        self.used = True
        return super().write(text)


def open_closed() -> None:
    """Let nothing that is opened later take the place of a closed stream.

    A database under the number of standard output would be written over by the next message.
    What is printed on a closed stream goes `Nowhere`; `standard_input` refuses in words.
    """
    free = os.open(os.devnull, os.O_RDWR)
    while free <= 2:
        os.set_inheritable(free, True)
        free = os.open(os.devnull, os.O_RDWR)
    os.close(free)
    sys.stdout = sys.stdout or Nowhere()
    sys.stderr = sys.stderr or Nowhere()


def standard_input() -> BinaryIO:
    """What is piped into a command; raises ConstellationError where that is closed."""
    if sys.stdin is None:
        raise ConstellationError("Standard input is closed", do="Name a file")
    return sys.stdin.buffer
