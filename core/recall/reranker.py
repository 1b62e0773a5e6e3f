"""A last look at the best hits by a model that reads question and memory together."""

from collections.abc import Sequence
from typing import Protocol

from core.errors import ConstellationError


class Reranker(Protocol):
    """Judges how well each text answers a question. None is built in."""

    @property
    def name(self) -> str:
        """The model."""

    def judge(self, question: str, texts: Sequence[str]) -> Sequence[float]:
        """A score from 0 to 1 for each text. Raises ConstellationError if it can't be asked."""


def rerank(
    reranker: Reranker, question: str, texts: Sequence[str]
) -> tuple[list[float] | None, str]:
    """The new scores, or None and why they could not be had."""
    try:
        scores = [float(score) for score in reranker.judge(question, texts)]
    except ConstellationError as error:
        return None, f"{reranker.name} could not rank the results: {error.what.lower()}"
    if len(scores) != len(texts) or not all(0 <= score <= 1 for score in scores):
        return None, f"{reranker.name} did not return a score from 0 to 1 for each result"
    return scores, ""
