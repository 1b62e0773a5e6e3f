"""Gives memory that nobody uses back to the system, where the C library keeps it for later."""

import ctypes
import sys
from functools import cache
from typing import Any


def give_back() -> bool:
    """Give back what is free between what is used; False where the C library has no way to.

    After reading many rows in several threads a third of the memory is free and still counted as
    this program's: the library gives back only what lies at an end. Takes some milliseconds, and
    other threads go on.
    """
    trim = _trim()
    return trim is not None and bool(trim(0))


@cache
def _trim() -> Any:
    """`malloc_trim` of glibc; None elsewhere."""
    if not sys.platform.startswith("linux"):
        return None
    try:
        return ctypes.CDLL(None).malloc_trim
    except (OSError, AttributeError):
        return None
