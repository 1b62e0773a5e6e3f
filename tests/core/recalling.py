"""What the tests of recall share: an embedder whose meanings can be told in advance."""

from collections.abc import Sequence

import numpy as np

from core.embedding.vectors import unit
from core.model.language import stem, telling, words

MEANINGS = {"car": "vehicle", "automobile": "vehicle", "lorry": "vehicle", "dog": "animal",
            "puppy": "animal", "hound": "animal", "ship": "boat", "vessel": "boat"}


class WordAxes:
    """Each word is an axis, and words that mean the same share one."""

    def __init__(self, name: str = "axes", dimensions: int = 64) -> None:
        self.name, self.dimensions = name, dimensions
        self.asked: list[str] = []
        self._axes: dict[str, int] = {}

    def embed(self, texts: Sequence[str]) -> np.ndarray:
        found = np.zeros((len(texts), self.dimensions), np.float32)
        for row, text in enumerate(texts):
            self.asked.append(text)
            for word in words(text):
                meaning = MEANINGS.get(word, stem(word))
                axis = self._axes.setdefault(meaning, len(self._axes) % self.dimensions)
                found[row, axis] += 1
        return unit(found)

    def embed_question(self, text: str, within: float | None = None) -> np.ndarray:
        return self.embed([telling(text)])[0]
