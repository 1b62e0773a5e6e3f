"""Puts the channels' scores together, and what is next to a good answer into play.

Each channel is evidence from 0 to 1 that has a weight; together they leave the doubt
`(1 - w1 * e1) * (1 - w2 * e2) * ...`. With one channel this is upstream's boost,
`(1 - w) * score + w`.
"""

from collections.abc import Mapping

import numpy as np
from numpy.typing import NDArray

from core.recall.candidates import Candidate
from core.recall.config import RecallSettings

Scores = NDArray[np.float64]


def together(parts: Mapping[str, Scores], weights: Mapping[str, float]) -> Scores:
    """The score of each memory from what each channel gives it."""
    doubt: Scores = np.ones(1)
    for name, values in parts.items():
        doubt = doubt * (1 - weights[name] * np.clip(values, 0, 1))
    return 1 - doubt


def weights_of(settings: RecallSettings) -> dict[str, float]:
    """What each channel's full score is worth."""
    return {
        "keyword": settings.keyword_weight, "semantic": settings.semantic_weight,
        "neighbor": 1.0, "traversal": settings.boost_weight, "mention": settings.mention_weight,
        "hint": settings.hint_weight, "date": settings.date_weight, "listed": 1.0,
    }


def from_neighbors(
    candidates: list[Candidate], scores: Scores, settings: RecallSettings
) -> tuple[Scores, list[int]]:
    """What each memory gets from those said right before and after it, and from which.

    An answer often shares no word with the question: it follows one that does.

    Returns the scores, and for each memory the place of the neighbour that gave most, or -1.
    """
    places = {candidate.row: place for place, candidate in enumerate(candidates)}
    given, giver = np.zeros(len(candidates)), [-1] * len(candidates)
    for place, candidate in enumerate(candidates):
        doubt, most = 1.0, 0.0
        for step in (-1, 1):
            other = places.get(candidate.row + step) if candidate.source else None
            if other is None or candidates[other].source != candidate.source:
                continue
            share = _share(candidates[other], step, settings) * float(scores[other])
            doubt *= 1 - share
            if share > most:
                most, giver[place] = share, other
        given[place] = 1 - doubt
    return given, giver


def _share(other: Candidate, step: int, settings: RecallSettings) -> float:
    if step > 0:
        return settings.after_weight
    return settings.answer_weight if other.asks else settings.before_weight
