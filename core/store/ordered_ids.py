"""Ids that grow, for rows that are written by the thousand.

Where ids are random each new row goes to another page of every index of ids: that takes twice the
time in a large file, and a fifth more room.
"""

import os
import time
from collections.abc import Iterator

_AT_ONCE = 4096
_COUNTED = 12
"""Bits of each half of the running number."""


def ordered_ids() -> Iterator[str]:
    """Ids as uuid7 has them: milliseconds, a running number, 48 random bits."""
    half = (1 << _COUNTED) - 1
    moment = time.time_ns() // 1_000_000
    while True:
        prefix = f"{moment:012x}"
        for high in range(half + 1):
            beginning = f"{prefix[:8]}-{prefix[8:]}-7{high:03x}-"
            tail = os.urandom(6 * _AT_ONCE).hex()
            for low in range(half + 1):
                yield f"{beginning}{0x8000 + low:04x}-{tail[low * 12:low * 12 + 12]}"
        moment = max(moment + 1, time.time_ns() // 1_000_000)
