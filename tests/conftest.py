"""Guards for every test: no network, nothing written outside temporary folders, no Qt import.

Qt has its own guards in `tests/ui/conftest.py`, so that everything else also runs without it.
"""

import atexit
import gc
import os
import shutil
import socket
import sys
import tempfile
from collections.abc import Iterator
from contextlib import suppress
from importlib import import_module
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings

ROOT = Path(__file__).resolve().parent.parent

# The person's own folders must be out of reach before any module of ours reads them. Each worker
# process of a parallel run gets folders of its own.
HOME = Path(tempfile.mkdtemp(prefix="constellation-tests-"))
atexit.register(shutil.rmtree, HOME, ignore_errors=True)
for name in ("XDG_DATA_HOME", "XDG_CONFIG_HOME", "XDG_CACHE_HOME", "XDG_STATE_HOME",
             "APPDATA", "LOCALAPPDATA"):
    os.environ[name] = str(HOME / name.lower())
os.environ["HOME"] = os.environ["USERPROFILE"] = str(HOME)
# Only `make journeys` shows its windows on a screen, one that it made itself.
os.environ["QT_QPA_PLATFORM"] = os.environ.get("CONSTELLATION_SCREEN", "offscreen")
for name in ("CONSTELLATION_STORE", "SIGNET_PATH", "NO_COLOR", "FORCE_COLOR", "COLUMNS"):
    os.environ.pop(name, None)

_ROOMY = 4 << 30


def _keep_files_in_memory() -> None:
    """Put the tests' folders where writing waits for no disk, if there is plenty of room.

    Every change is one durable transaction: on a disk half of the time goes into waiting for it.
    """
    memory = Path("/dev/shm")
    if memory.is_dir() and os.access(memory, os.W_OK):
        free = os.sysconf("SC_AVPHYS_PAGES") * os.sysconf("SC_PAGE_SIZE")
        if min(free, shutil.disk_usage(memory).free) > _ROOMY:
            os.environ.setdefault("PYTEST_DEBUG_TEMPROOT", str(memory))


_keep_files_in_memory()

# A slow machine is no defect: rounds are counted, never timed.
# The usual round asks the same questions each time, so that it passes or fails for a reason in
# the change; `make fuzz` asks new ones.
settings.register_profile("default", deadline=None, max_examples=50, derandomize=True,
                          suppress_health_check=[HealthCheck.too_slow])
settings.register_profile("fuzz", deadline=None, max_examples=3000,
                          suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("default")

# Caches that tools keep in the working tree; everything else there is the project itself.
_CACHES = {"__pycache__", ".pytest_cache", ".hypothesis", ".import_linter_cache", ".venv",
           ".mypy_cache", ".ruff_cache"}
_TEMPORARY = (Path(tempfile.gettempdir()).resolve(), Path("/dev"), Path("/proc"))


def pytest_collection(session: pytest.Session) -> None:
    """Where all tests run on several cores, every second process loads their files from the end.

    What one has compiled the other finds when they meet: compiling takes most of a first
    collection, and is done twice where both begin with the same file.
    """
    worker = os.environ.get("PYTEST_XDIST_WORKER", "gw0")
    everything = {Path(asked).resolve() for asked in session.config.args} == {ROOT / "tests"}
    if everything and int(worker[2:]) % 2:
        for file in sorted((ROOT / "tests").rglob("test_*.py"), reverse=True):
            with suppress(pytest.skip.Exception):
                import_module(".".join(file.relative_to(ROOT).with_suffix("").parts))


def pytest_collection_finish() -> None:
    """What the modules made lives as long as the run: the collector need not look at it again."""
    gc.collect()
    gc.freeze()


class Escapes:
    """Where this process opened a file for writing although it should not have."""

    def __init__(self) -> None:
        self.paths: list[str] = []

    def watch(self, event: str, args: tuple) -> None:
        """Python's audit hook: notes each file that is opened for writing outside of `tmp`."""
        if event == "open" and isinstance(args[0], str) and _writes(args[1], args[2]):
            self._note(args[0])
        elif event == "sqlite3.connect" and isinstance(args[0], str):
            name = args[0].removeprefix("file:").split("?")[0]
            if name and ":memory:" not in name and "mode=ro" not in args[0]:
                self._note(name)

    def _note(self, name: str) -> None:
        path = Path(name).absolute()
        if _CACHES.isdisjoint(path.parts) and not any(
            path.is_relative_to(folder) for folder in _TEMPORARY
        ):
            self.paths.append(str(path))


def _writes(mode: object, flags: object) -> bool:
    if isinstance(mode, str):
        return any(letter in mode for letter in "wax+")
    return isinstance(flags, int) and bool(flags & (os.O_WRONLY | os.O_RDWR))


_escapes = Escapes()
sys.addaudithook(_escapes.watch)


@pytest.fixture(autouse=True)
def _writes_only_in_temporary_folders() -> Iterator[None]:
    _escapes.paths.clear()
    yield
    assert not _escapes.paths, f"written outside the temporary folders: {_escapes.paths}"


@pytest.fixture(autouse=True)
def _settings_as_they_come() -> Iterator[None]:
    """What one test has set, another does not find."""
    yield
    from core.settings import settings_file  # noqa: PLC0415 (the folders above come first)

    settings_file().unlink(missing_ok=True)


@pytest.fixture(autouse=True)
def _no_network(monkeypatch: pytest.MonkeyPatch) -> None:
    """Only sockets within this machine connect."""
    connect = socket.socket.connect

    def refuse(self: socket.socket, address: object) -> None:
        here = {"127.0.0.1", "::1", "localhost"}
        if self.family in (socket.AF_INET, socket.AF_INET6) and address[0] not in here:  # type: ignore[index]
            pytest.fail(f"a test tried to reach {address}")
        connect(self, address)  # type: ignore[arg-type]

    monkeypatch.setattr(socket.socket, "connect", refuse)


@pytest.fixture
def root() -> Path:
    """The working tree."""
    return ROOT
