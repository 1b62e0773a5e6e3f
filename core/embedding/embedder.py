"""What every source of vectors offers."""

from collections.abc import Sequence
from typing import Protocol

import numpy as np
from numpy.typing import NDArray


class Embedder(Protocol):
    """Turns texts into vectors of one model.

    `embed` returns float32 rows of length 1, one per text; a text without any known word gives a
    row of zeros. It may be called from any thread.
    """

    @property
    def name(self) -> str:
        """The model, so that vectors of different models are never compared."""

    @property
    def dimensions(self) -> int:
        """The length of each vector."""

    def embed(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """One vector per text."""
