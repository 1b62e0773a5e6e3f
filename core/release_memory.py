"""Gives memory that nobody uses back to the system, where the C library keeps it for later."""

import ctypes
import sys
from contextlib import suppress
from functools import cache
from pathlib import Path
from typing import Any

_DONT_NEED = 4
"""`MADV_DONTNEED`."""
_TRIM_THRESHOLD, _MMAP_THRESHOLD, _ARENA_MAX = -1, -3, -8
"""What `mallopt` of glibc calls them."""
LARGE = 1_900_000
"""Bytes from which a piece of memory lies apart: the columns of half a million values do, and those
of a frame with 200,000 links do not, which come and go many times a second."""


def keep_large_apart() -> bool:
    """Let large pieces of memory lie apart, so that each is the system's again once it is free;
    False where the C library has no way to.

    Otherwise a first large piece that is freed makes the library keep the next ones among what
    stays. All threads share two heaps, for the same reason: each that ends leaves gaps in its own.
    To be called before there are threads.
    """
    settle = getattr(_libc(), "mallopt", None)
    return settle is not None and all([
        settle(_MMAP_THRESHOLD, LARGE), settle(_TRIM_THRESHOLD, 2 * LARGE), settle(_ARENA_MAX, 2)])


def give_back() -> bool:
    """Give back what is free between what is used; False where the C library has no way to.

    After reading many rows in several threads a third of the memory is free and still counted as
    this program's: the library gives back only what lies at an end. Takes some milliseconds, and
    other threads go on.
    """
    trim = _trim()
    return trim is not None and bool(trim(0))


def give_back_code(library: str) -> int:
    """Give back the pages of a library that are as its file has them; they are read again when
    they are needed.

    What loads machine code is needed once at the start and takes 50 MB. Pages that can be written,
    or were when the library was loaded, stay. Returns how many bytes may be given back, 0 where
    that can't be done.
    """
    libc = _libc()
    if libc is None:
        return 0
    size = 0
    with suppress(OSError):
        for start, end in _as_in_file(library):
            if not libc.madvise(ctypes.c_void_p(start), ctypes.c_size_t(end - start), _DONT_NEED):
                size += end - start
    return size


def _as_in_file(library: str) -> list[tuple[int, int]]:
    """Where pages of a library lie of which this process has no copies of its own."""
    found, span = [], (0, 0)
    with Path("/proc/self/smaps").open(encoding="utf-8") as maps:
        for line in maps:
            first, *rest = line.split()
            if first == "Anonymous:" and rest[0] == "0" and any(span):
                found.append(span)
            elif not first.endswith(":"):
                ours = (len(rest) > 4 and rest[0] in ("r-xp", "r--p")
                        and library in rest[4].rpartition("/")[2])
                start, end = (int(each, 16) for each in first.split("-"))
                span = (start, end) if ours else (0, 0)
    return found


@cache
def _libc() -> Any:
    """The C library of Linux; None elsewhere."""
    if not sys.platform.startswith("linux"):
        return None
    try:
        return ctypes.CDLL(None)
    except OSError:
        return None


@cache
def _trim() -> Any:
    """`malloc_trim` of glibc; None elsewhere."""
    return getattr(_libc(), "malloc_trim", None)
