"""What the tests of recall share: a question asked, an embedder whose meanings are known."""

from collections.abc import Sequence
from datetime import UTC, datetime

import numpy as np

from core.embedding.vector_set import unit
from core.model.recall import Recall
from core.model.search_words import stem, telling, words
from core.recall.config import RecallSettings
from core.recall.hybrid import recall
from core.workspace import Workspace

NOW = datetime(2026, 5, 13, tzinfo=UTC)
LONG = RecallSettings(deadline_ms=60_000)

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


def answer(
    workspace: Workspace, question: str, settings: RecallSettings = LONG, embedder=None, **asked
) -> Recall:
    """What a recall brings, asked at a known time that does not run out."""
    with workspace.read() as reader:
        return recall(reader, question, settings, embedder, now=NOW, **asked)


def texts(result: Recall) -> list[str]:
    """What the recalled memories say, best first."""
    return [hit.memory.content for hit in result.hits]


def found(workspace: Workspace, question: str, *given, **asked) -> list[str]:
    """The same of a question."""
    return texts(answer(workspace, question, *given, **asked))
