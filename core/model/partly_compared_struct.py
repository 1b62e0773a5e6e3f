"""A struct that is compared by some of its fields."""

from typing import ClassVar

from msgspec import Struct


class PartlyCompared(Struct, frozen=True, eq=False):
    """Two of a kind are equal if all their fields are, but for those named in `ASIDE`."""

    ASIDE: ClassVar[frozenset[str]] = frozenset()

    def __eq__(self, other: object) -> bool:
        return (type(other) is type(self) and isinstance(other, PartlyCompared)
                and self._compared() == other._compared())

    def __ne__(self, other: object) -> bool:
        # What Struct itself has compares by identity.
        return not self == other

    def __hash__(self) -> int:
        return hash(self._compared())

    def _compared(self) -> tuple[object, ...]:
        return tuple(getattr(self, name) for name in self.__struct_fields__
                     if name not in self.ASIDE)
