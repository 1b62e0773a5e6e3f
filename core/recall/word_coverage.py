"""How far a memory, with what was said around it, covers each word of a question.

An answer seldom repeats what it is about. So a word also counts where it stands a few memories
before or after in the same conversation, less with each step (Lv, Zhai: "Positional language
models for information retrieval", 2009, with their triangle kernel). The nearest counts, not the
sum: a word said five times around is still one word.
"""

from collections.abc import Mapping, Sequence

import numpy as np

from core.recall.candidates import ScoredMemory
from core.recall.config import RecallSettings
from core.recall.fuse import Indices, Scores, beside, conversations
from core.recall.keyword import WordMatches


def cover(
    own: Scores, every: Sequence[ScoredMemory], settings: RecallSettings
) -> Scores:
    """For each term (row) and memory (column) how far it is covered, 0 to 1.

    Args:
        own: 1 where the memory holds the word, else 0.
    """
    rows, sources = conversations(every)
    whole = own.copy()
    for near, weight in _around(rows, sources, settings):
        np.maximum(whole, weight * np.where(near >= 0, own[:, near], 0), out=whole)
    return whole


def said_around(
    words: WordMatches, by_row: Mapping[int, ScoredMemory], row: int, settings: RecallSettings
) -> tuple[str, ...]:
    """The words of the question that one memory lacks and those around it hold, for display."""
    source = by_row[row].source
    if not source:
        return ()
    reach = range(row - settings.context, row + settings.context + 1)
    near = [each for each in reach if each in by_row and by_row[each].source == source]
    held = words.holding(np.array(near, np.int64)).max(axis=1, initial=0).tolist()
    own = set(words.held(row))
    return tuple(term.word for term, is_near in zip(words.terms, held, strict=True)
                 if is_near and term.word not in own)


def _around(
    rows: Indices, sources: Indices, settings: RecallSettings
) -> list[tuple[Indices, float]]:
    """For each step the memory so far away, or -1, and what its words are worth."""
    steps = range(1, settings.context + 1)
    shares = [(step, 1 - (step - 1) / settings.context) for step in steps]
    return [(beside(rows, sources, way * step), weight * share) for step, share in shares
            for way, weight in ((-1, settings.context_before), (1, settings.context_after))]
