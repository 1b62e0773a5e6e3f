"""How far a memory, with what was said around it, covers each word of a question.

An answer seldom repeats what it is about. So a word also counts where it stands a few memories
before or after in the same conversation, less with each step (Lv, Zhai: "Positional language
models for information retrieval", 2009, with their triangle kernel). The nearest counts, not the
sum: a word said five times around is still one word.
"""

from collections.abc import Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from core.recall.candidates import ScoredMemory
from core.recall.config import RecallSettings
from core.recall.fuse import Conversations, Indices, Scores
from core.recall.keyword import WordMatches


def cover(
    own: Scores, every: Sequence[ScoredMemory], settings: RecallSettings
) -> Scores:
    """For each term (row) and memory (column) how far it is covered, 0 to 1.

    Args:
        own: 1 where the memory holds the word, else 0.
    """
    said = Conversations.of(every)
    whole = own.copy()
    padded = np.pad(own, ((0, 0), (0, 1)))  # Its last column is what -1 leads to: no memory.
    for near, weight in _around(said, settings):
        np.maximum(whole, weight * padded[:, near], out=whole)
    return whole


def said_in(
    words: WordMatches, by_row: Mapping[int, ScoredMemory], rows: Sequence[int],
    settings: RecallSettings,
) -> dict[int, tuple[tuple[str, ...], tuple[str, ...]]]:
    """For each row the words of the question in that memory, and those that it lacks and memories
    around it hold, for display."""
    near = {row: [row, *_said_with(by_row, row, settings.context)] for row in rows}
    every = {each: place for place, each in enumerate(dict.fromkeys(
        each for several in near.values() for each in several))}
    held = words.holding(np.fromiter(every, np.int64, len(every))) > 0
    said = {}
    for row, several in near.items():
        own = held[:, every[row]]
        around = held[:, [every[each] for each in several]].any(axis=1) & ~own
        said[row] = _named(words, own), _named(words, around)
    return said


def _said_with(by_row: Mapping[int, ScoredMemory], row: int, context: int) -> list[int]:
    """The rows near one that were said in the same conversation."""
    source = by_row[row].source
    return [each for each in range(row - context, row + context + 1)
            if source and each in by_row and by_row[each].source == source]


def _named(words: WordMatches, chosen: NDArray[np.bool_]) -> tuple[str, ...]:
    return tuple(term.word for term, is_chosen in zip(words.terms, chosen.tolist(), strict=True)
                 if is_chosen)


def _around(
    said: Conversations, settings: RecallSettings
) -> list[tuple[Indices, float]]:
    """For each step the memory so far away, or -1, and what its words are worth."""
    steps = range(1, settings.context + 1)
    shares = [(step, 1 - (step - 1) / settings.context) for step in steps]
    return [(said.beside(way * step), weight * share) for step, share in shares
            for way, weight in ((-1, settings.context_before), (1, settings.context_after))]
