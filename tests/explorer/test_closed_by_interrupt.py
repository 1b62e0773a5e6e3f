"""Ctrl+C in the terminal ends the window quietly at whatever moment it comes."""

import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.explorer.cli.command_lines import MEMORIES

pytestmark = pytest.mark.skipif(os.name == "nt", reason="Ctrl+C is no signal to a process there")
LOUD = ("import time:", "This plugin does not support")
"""How lines begin that are no words of the program."""


@pytest.fixture(autouse=True)
def _ctrl_c_stops() -> Iterator[None]:
    """Also where the tests were started behind a `&` in a script, which has Ctrl+C ignored."""
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    signal.signal(signal.SIGINT, before)


@pytest.mark.parametrize(("module", "imports"), [
    ("PySide6.QtGui", False), ("ui.main_window", False), ("ui.constellation.sky_loader", False),
    ("ui.widgets.load_more", False), ("ui.panels.proposals.queue", False),
    ("ui.main_window", True)])
def test_ctrl_c_while_the_window_starts_is_one_line(
    root: Path, graph: Path, tmp_path: Path, module: str, imports: bool
) -> None:
    """The interpreter names each module that it has loaded, so that the moment is known; the
    pipe is small, so that it does not run far ahead."""
    named = graph
    if imports:
        named = tmp_path / "memories.jsonl"
        named.write_text(MEMORIES)
    starting = subprocess.Popen(
        [sys.executable, "-X", "importtime", "-m", "explorer", str(named)], cwd=root, text=True,
        stdout=subprocess.PIPE, stderr=subprocess.PIPE, pipesize=4096,
        env=os.environ | {"QT_QPA_PLATFORM": "offscreen"})
    assert starting.stderr is not None
    for line in starting.stderr:
        if line.rpartition("|")[2].strip() == module:
            break
    starting.send_signal(signal.SIGINT)
    try:
        out, err = starting.communicate(timeout=60)
    finally:
        starting.kill()  # Where it has not heard.
    said = [line for line in err.splitlines() if not line.startswith(LOUD)]
    assert (starting.returncode, out, said) == (130, "", ["constellation: Stopped"])
