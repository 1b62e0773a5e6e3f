"""Closed streams, a full disk and Ctrl+C: one line, whatever the moment, and no traceback."""

import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from core.errors import Cancelled
from explorer.cli.dispatch import INTERRUPTED, NOT_PRINTED, READER_LEFT
from tests.explorer.cli.command_lines import MEMORIES
from tests.explorer.conftest import Run

COMMAND = [sys.executable, "-m", "explorer"]
CLOSED = ("0<&-", "1>&-", "2>&-", "0<&- 1>&- 2>&-")
ASKS = ("import -", "remember -", "info")
PIPE = 1 << 20
"""More bytes than a pipe holds: when they are written the command reads."""

pytestmark = pytest.mark.skipif(os.name == "nt", reason="a shell of POSIX closes the streams")


@pytest.fixture(autouse=True)
def _ctrl_c_stops() -> Iterator[None]:
    """Also where the tests were started behind a `&` in a script, which has Ctrl+C ignored."""
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    signal.signal(signal.SIGINT, before)


@pytest.mark.parametrize("closed", CLOSED)
def test_closed_streams_end_in_at_most_one_line(root: Path, graph: Path, closed: str) -> None:
    for ask in ASKS:
        done = subprocess.run(
            f"{' '.join(COMMAND)} {ask} {closed}", shell=True, cwd=root, text=True,
            capture_output=True, input="")
        assert done.returncode in (0, 2, NOT_PRINTED), (ask, done)
        assert "Traceback" not in done.stdout + done.stderr, (ask, done)
        if closed == "0<&-" and ask.endswith(" -"):
            assert done.stderr == "constellation: Standard input is closed. Name a file\n"
        if closed == "1>&-" and ask == "info":
            assert done.stderr == ("constellation: The answer could not be written to standard"
                                   " output (it is closed). The command itself was carried out\n")


def test_a_graph_is_not_written_over_where_every_stream_is_closed(root: Path, graph: Path) -> None:
    ask = f"{' '.join(COMMAND)} ontology entity create Vega <&- >&- 2>&-"
    assert subprocess.run(ask, shell=True, cwd=root).returncode == NOT_PRINTED
    done = subprocess.run([*COMMAND, "knowledge", "entity", "Vega"], cwd=root, text=True,
                          capture_output=True)
    assert done.stdout.startswith("Vega (unknown)")


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="Linux has a disk that is full")
@pytest.mark.parametrize("more", ["", "--json"])
def test_a_full_disk_is_one_sentence(root: Path, graph: Path, more: str) -> None:
    with open("/dev/full", "w") as full:
        done = subprocess.run([*COMMAND, "info", *more.split()], cwd=root, stdout=full, text=True,
                              stderr=subprocess.PIPE)
    assert done.returncode == NOT_PRINTED
    assert "No space left on device" in done.stderr
    assert "Traceback" not in done.stderr


def test_a_reader_that_has_enough_is_no_failure(root: Path, graph: Path) -> None:
    ask = [*COMMAND, "settings", "--json"]
    whole = subprocess.run(ask, cwd=root, capture_output=True).stdout
    assert len(whole) > 8192, "or it would all be taken at once"
    with subprocess.Popen(ask, cwd=root, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                          pipesize=4096) as process:
        assert process.stdout is not None
        assert process.stdout.read(1) == whole[:1]
        process.stdout.close()
        assert process.stderr is not None
        assert process.stderr.read() == b""
    assert process.returncode == READER_LEFT


@pytest.mark.parametrize("module", [
    "typer", "rich.cells", "core.workspace"])
def test_ctrl_c_while_modules_load_is_one_line(root: Path, graph: Path, module: str) -> None:
    """The interpreter names each module that it has loaded, so that the moment is known; the
    pipe is small, so that it does not run far ahead."""
    loading = subprocess.Popen(
        [sys.executable, "-X", "importtime", "-m", "explorer", "info"], cwd=root, text=True,
        stdout=subprocess.PIPE, stderr=subprocess.PIPE, pipesize=4096)
    assert loading.stderr is not None
    for line in loading.stderr:
        if line.rpartition("|")[2].strip() == module:
            break
    loading.send_signal(signal.SIGINT)
    out, err = loading.communicate()
    said = [line for line in err.splitlines() if not line.startswith("import time:")]
    assert (loading.returncode, out, said) == (130, "", ["constellation: Stopped"])


@pytest.mark.parametrize("ask", [
    ["import", "-"], ["recall", "-"], ["remember", "-"]])
def test_ctrl_c_while_input_is_read_is_one_line(root: Path, graph: Path, ask: list[str]) -> None:
    reading = subprocess.Popen([*COMMAND, *ask], cwd=root, stdin=subprocess.PIPE,
                               stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    assert reading.stdin is not None
    reading.stdin.write(b"x" * PIPE)
    reading.stdin.flush()
    reading.send_signal(signal.SIGINT)
    out, err = reading.communicate()
    assert (reading.returncode, out, err) == (130, b"", b"constellation: Stopped\n")


def test_an_import_that_ctrl_c_stops_ends_like_any_other_command(
    run: Run, graph: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def stop(*_: object, **__: object) -> None:
        raise Cancelled("Stopped; nothing was written")

    monkeypatch.setattr("explorer.cli.import_command.write_import", stop)
    stopped = run("import", "-", stdin=MEMORIES)
    assert (stopped.code, stopped.err) == (
        INTERRUPTED, "constellation: Stopped; nothing was written\n")


def test_ctrl_c_after_the_answer_adds_at_most_one_line(root: Path, graph: Path) -> None:
    answering = subprocess.Popen([*COMMAND, "info"], cwd=root, text=True, stdout=subprocess.PIPE,
                                 stderr=subprocess.PIPE)
    assert answering.stdout is not None
    assert answering.stdout.readline()
    answering.send_signal(signal.SIGINT)
    _, err = answering.communicate()
    assert err in ("", "constellation: Stopped\n")


def test_ctrl_c_that_was_switched_off_stays_so(root: Path, graph: Path) -> None:
    """As under `nohup`, or behind a `&` in a script."""
    code = ("import signal, sys; signal.signal(signal.SIGINT, signal.SIG_IGN); import explorer.main"
            "; sys.argv = ['constellation', 'remember', '-', '--dry-run']; explorer.main.main()")
    ignoring = subprocess.Popen([sys.executable, "-c", code], cwd=root, stdin=subprocess.PIPE,
                                stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    assert ignoring.stdin is not None
    ignoring.stdin.write(b"Vega shines. " * (PIPE // 13))
    ignoring.stdin.flush()
    ignoring.send_signal(signal.SIGINT)
    _, err = ignoring.communicate()
    assert (ignoring.returncode, b"Stopped" in err) in ((0, False), (2, False))
