"""What every source of vectors offers."""

from collections.abc import Sequence
from typing import Protocol, runtime_checkable

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
        """One vector per text: (texts, dimensions)."""


@runtime_checkable
class QuestionEmbedder(Protocol):
    """An embedder that takes a question otherwise than a text that may answer it."""

    def embed_question(self, text: str, within: float | None = None) -> NDArray[np.float32]:
        """One vector; `within` is how many seconds it may take."""


def embed_question(
    embedder: Embedder, text: str, within: float | None = None
) -> NDArray[np.float32]:
    """The vector to look for, of length 1, or zeros where the question has no known word."""
    if isinstance(embedder, QuestionEmbedder):
        return embedder.embed_question(text, within)
    vector: NDArray[np.float32] = embedder.embed([text])[0]
    return vector
