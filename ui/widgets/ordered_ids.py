"""Keys in an order, each with its place, also after single ones have left."""

from bisect import bisect_left, insort
from collections.abc import Hashable, Iterable
from typing import Generic, TypeVar

Key = TypeVar("Key", bound=Hashable)


class OrderedKeys(Generic[Key]):
    """An order of different keys; that one leaves costs the same however many there are.

    Attributes:
        keys: those that are there, in order.
    """

    def __init__(self, keys: Iterable[Key] = ()) -> None:
        self.keys = list(keys)
        self._first = {key: at for at, key in enumerate(self.keys)}
        """The place of each in the beginning."""
        self._left: list[int] = []
        """The places in the beginning of those that have left, ascending."""

    def place(self, key: Key) -> int | None:
        """Where it stands, from 0; None if it is not there."""
        first = self._first.get(key)
        return None if first is None else first - bisect_left(self._left, first)

    def first_place(self, key: Key) -> int:
        """Where it stood in the beginning."""
        return self._first[key]

    def take_out(self, key: Key) -> int:
        """Let one leave; returns where it stood."""
        first = self._first.pop(key)
        at = first - bisect_left(self._left, first)
        insort(self._left, first)
        del self.keys[at]
        return at
