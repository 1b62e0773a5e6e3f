"""The worker process computes, reports, stops, and survives what happens to it."""

import os
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from threading import Event, Thread

import numpy as np
import pytest

from core.errors import Cancelled, ConstellationError
from core.progress import Report
from core.projection.reduce import LARGE
from core.projection.worker import Worker, warm_up


def double(value: int, *, report: Report) -> int:
    report(0.5)
    return value * 2


def modules(*, report: Report) -> list[str]:
    return sorted(sys.modules)


def pid(*, report: Report) -> int:
    return os.getpid()


def fail(*, report: Report) -> None:
    raise ZeroDivisionError("on purpose")


def give_a_lock(*, report: Report) -> object:
    import _thread  # noqa: PLC0415  (only the process needs it)

    return _thread.allocate_lock()


def die(*, report: Report) -> None:
    os._exit(3)


def die_once(mark: Path, *, report: Report) -> str:
    if mark.exists():
        return "second life"
    mark.touch()
    os._exit(3)


def run_on(*, report: Report) -> None:
    while True:
        report(0.1)


@pytest.fixture(scope="module")
def worker() -> Iterator[Worker]:
    with closing(Worker()) as worker:
        yield worker


def test_a_task_returns_its_result_and_reports_on_the_way(worker: Worker) -> None:
    shares: list[float] = []
    assert worker.run(double, 21, progress=shares.append) == 42
    assert shares == [0.0, 0.5]


def test_the_process_is_kept_for_the_next_task(worker: Worker) -> None:
    assert worker.run(pid) == worker.run(pid) == worker._process.pid != os.getpid()


def test_the_process_knows_nothing_of_windows(worker: Worker) -> None:
    assert not [name for name in worker.run(modules) if name.startswith(("PySide6", "ui."))]


def test_what_a_large_map_needs_is_loaded_without_numba_once_it_is_compiled() -> None:
    for _ in range(2):
        with closing(Worker()) as worker:
            worker.run(warm_up, LARGE + 1)
            loaded = {name.partition(".")[0] for name in worker.run(modules)}
    assert not {"numba", "umap", "sklearn"} & loaded


def test_large_arrays_travel_both_ways(worker: Worker) -> None:
    array = np.arange(3_000_000, dtype=np.float32)
    assert np.array_equal(worker.run(double, array), array * 2)


def test_a_failing_task_is_an_error_with_the_technical_text_apart(worker: Worker) -> None:
    with pytest.raises(ConstellationError) as caught:
        worker.run(fail)
    assert "ZeroDivisionError: on purpose" in caught.value.detail
    assert "ZeroDivisionError" not in str(caught.value)


def test_a_result_that_cannot_travel_is_an_error(worker: Worker) -> None:
    with pytest.raises(ConstellationError):
        worker.run(give_a_lock)


def test_a_cancelled_task_lets_go_of_the_caller_and_then_of_the_process(worker: Worker) -> None:
    stop = Event()

    def cancel(share: float) -> None:
        stop.set()

    with pytest.raises(Cancelled):
        worker.run(run_on, progress=cancel, cancelled=stop)
    assert worker.run(double, 4) == 8


def test_a_waiting_task_can_be_cancelled_before_its_turn(worker: Worker) -> None:
    begun, first, second = Event(), Event(), Event()

    def begin(share: float) -> None:
        begun.set()

    def occupy() -> None:
        with pytest.raises(Cancelled):
            worker.run(run_on, progress=begin, cancelled=first)

    thread = Thread(target=occupy)
    thread.start()
    begun.wait(30)
    second.set()
    with pytest.raises(Cancelled):
        worker.run(double, 1, cancelled=second)
    first.set()
    thread.join(30)


def test_a_task_whose_process_ends_is_tried_once_more(tmp_path: Path) -> None:
    with closing(Worker()) as worker:
        assert worker.run(die_once, tmp_path / "mark") == "second life"


def test_a_process_that_ends_twice_is_an_error_and_the_next_task_gets_a_new_one() -> None:
    with closing(Worker()) as worker:
        with pytest.raises(ConstellationError, match="twice"):
            worker.run(die)
        assert worker.run(double, 2) == 4


def test_closing_stops_the_running_task_and_ends_the_process() -> None:
    worker = Worker()
    begun, caught = Event(), []

    def begin(share: float) -> None:
        begun.set()

    def occupy() -> None:
        try:
            worker.run(run_on, progress=begin)
        except Cancelled as error:
            caught.append(error)

    thread = Thread(target=occupy)
    thread.start()
    begun.wait(30)
    worker.close()
    thread.join(30)
    assert len(caught) == 1
    assert worker._process is None
    with pytest.raises(Cancelled):
        worker.run(double, 1)
    worker.close()


SESSION = """
from contextlib import closing
import numpy as np
from core.embedding.vector_set import unit
from core.projection.reduce import project
from core.projection.worker import Worker
if __name__ == "__main__":
    with closing(Worker()) as worker:
        worker.prewarm(40)
        worker.run(project, unit(np.random.default_rng(0).normal(size=(40, 8))))
"""


def test_a_session_ends_without_a_word(tmp_path: Path) -> None:
    done = _python(tmp_path, SESSION)
    _, errors = done.communicate(timeout=300)
    assert (done.returncode, errors) == (0, "")


def _python(folder: Path, program: str) -> subprocess.Popen[str]:
    script = folder / "program.py"
    script.write_text(program)
    return subprocess.Popen(
        [sys.executable, str(script)],
        env={**os.environ, "PYTHONPATH": str(Path(__file__).parents[3])},
        stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
    )  # fmt: skip


ORPHAN = """
import time
from core.projection.worker import Worker
from tests.core.projection.test_worker import pid
if __name__ == "__main__":
    worker = Worker()
    print(worker.run(pid), flush=True)
    time.sleep(600)
"""


@pytest.mark.skipif(not Path("/proc/self").exists(), reason="looks for processes in /proc")
def test_the_process_goes_quietly_when_the_window_is_killed(tmp_path: Path) -> None:
    parent = _python(tmp_path, ORPHAN)
    assert parent.stdout is not None
    child = int(parent.stdout.readline())
    parent.kill()
    # The pipes close only when the orphan, which inherited them, has ended too.
    _, errors = parent.communicate(timeout=60)
    assert errors == ""
    deadline = time.monotonic() + 60
    while _runs(child) and time.monotonic() < deadline:
        os.sched_yield()
    assert not _runs(child)


def _runs(process: int) -> bool:
    try:
        return "\nState:\tZ" not in Path(f"/proc/{process}/status").read_text()
    except (FileNotFoundError, ProcessLookupError):
        return False


def fill(array: np.ndarray, empty: np.ndarray, *, report: Report) -> np.ndarray:
    array[:] = len(empty)
    return array


def test_arrays_of_any_order_and_size_can_be_written_there(worker: Worker) -> None:
    for array in (np.ones((3, 2)), np.asfortranarray(np.ones((3, 2))), np.ones((6, 4))[::2, ::2],
                  np.broadcast_to(np.ones(2), (3, 2)), np.zeros((0, 2))):
        assert np.array_equal(worker.run(fill, array, np.zeros((0, 2))), np.zeros(array.shape))
