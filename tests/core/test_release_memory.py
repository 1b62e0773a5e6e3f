"""Memory that nobody uses goes back to the system."""

import ssl
import subprocess
import sys
from pathlib import Path

import pytest

from core.release_memory import _libc, _trim, give_back, give_back_code, keep_large_apart

MB = 2**20


def own() -> int:
    """Bytes that belong to this process alone."""
    status = Path("/proc/self/status").read_text()
    return int(status.split("RssAnon:")[1].split()[0]) * 1024


@pytest.mark.skipif(not sys.platform.startswith("linux") or _trim() is None,
                    reason="the C library gives memory back by itself, or has no way to")
def test_what_is_free_between_what_is_used_goes_back() -> None:
    rows = [bytearray(b"x" * 20_000) for _ in range(2_000)]
    del rows[::2]
    before = own()
    assert give_back()
    assert own() < before - 10 * MB
    assert len(rows) == 1_000


LARGE_BETWEEN_SMALL = """
from tests.core.test_release_memory import own
from core.release_memory import keep_large_apart
if {apart}:
    assert keep_large_apart()
del (large := [bytearray(b"x" * 30_000_000)])[:]  # From now on the library keeps what is smaller.
pieces = [bytearray(b"x" * size) for size in (2_000_000, 2_000) * 20]
before = own()
del pieces[::2]
print(before - own())
"""


@pytest.mark.skipif(not sys.platform.startswith("linux") or _trim() is None,
                    reason="the C library has no such settings")
def test_large_pieces_go_back_by_themselves() -> None:
    back = [int(subprocess.run(
        [sys.executable, "-c", LARGE_BETWEEN_SMALL.format(apart=apart)], check=True,
        capture_output=True, text=True).stdout) for apart in (True, False)]
    assert back[0] > 30 * MB > 10 * MB > back[1]


def test_another_system_is_left_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "platform", "darwin")
    for known in (_trim, _libc):
        known.cache_clear()
    try:
        assert not give_back()
        assert not give_back_code("ssl")
        assert not keep_large_apart()
    finally:
        for known in (_trim, _libc):
            known.cache_clear()


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="only Linux says what lies where")
def test_machine_code_that_has_done_its_work_goes_back_and_still_runs() -> None:
    """What is given back is read again when it runs."""
    ssl.create_default_context()
    assert give_back_code("_ssl") > 0
    ssl.create_default_context()
    assert give_back_code("no library is called so") == 0
