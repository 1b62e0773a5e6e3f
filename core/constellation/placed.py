"""Positions as the sky receives them."""

from dataclasses import dataclass

from core.model.sky import Positions


@dataclass(frozen=True, slots=True)
class Placed:
    """Positions, and whether better ones can be had by `placing.settle`."""

    positions: Positions
    provisional: bool = False
