"""What answers comes before what only asks, and what is not so first where that is asked for."""

import re
from collections.abc import Collection

import numpy as np

from core.recall.keyword import WordMatches
from core.recall.question import Question
from core.recall.rank_after_fusion import Ranked

LIFT = 1.25
"""What a memory is lifted by that says of something asked for that it is not so."""
ASKS = 0.7
"""What is left of the score of a memory that is a question and nothing else."""
_NOT_SO = re.compile(r"\b(?:not?|never|none|nobody|nothing|nicht|kein\w*|nie|dislikes?|hates?)\b"
                     r"|n['’]t\b", re.IGNORECASE)


def answers_first(
    ranked: Ranked, question: Question, matches: WordMatches, naming: Collection[str], most: int
) -> None:
    """Lower those of the best that are only questions, lift what is not so where that is asked.

    Args:
        naming: the words of the names in the question, which any memory about them may hold.
    """
    asked = [n for n, term in enumerate(matches.terms) if term.word not in naming]
    for place in ranked.best(most):
        memory = ranked.every[place]
        if memory.only_asks and not question.about_questions:
            ranked.change(place, "asks", ASKS)
        elif question.negated and _NOT_SO.search(memory.beginning) and matches.holding(
                np.array([memory.row]))[asked].any():
            ranked.change(place, "negation", LIFT)
