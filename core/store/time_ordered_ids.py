"""Short ids that grow, for rows that are written by the thousand.

Where ids are random each new row goes to another page of every index of ids: that takes twice the
time in a large file. Each such id stands in four to nine places, where a uuid would take more room
than a short text.
"""

import secrets
import time
from collections.abc import Iterator
from itertools import product

_DIGITS = "0123456789abcdefghijklmnopqrstuvwxyz"
_MOMENT, _RUN, _COUNT = 8, 3, 5
"""Digits of the time in milliseconds, of a random number, and of the running number."""


def ordered_ids() -> Iterator[str]:
    """Ids of sixteen digits and small letters, each greater than the one before."""
    while True:
        run = "".join(secrets.choice(_DIGITS) for _ in range(_RUN))
        beginning = _in_digits(time.time_ns() // 1_000_000) + run
        for number in product(_DIGITS, repeat=_COUNT):
            yield beginning + "".join(number)


def _in_digits(number: int) -> str:
    digits = ""
    for _ in range(_MOMENT):
        number, digit = divmod(number, len(_DIGITS))
        digits = _DIGITS[digit] + digits
    return digits
