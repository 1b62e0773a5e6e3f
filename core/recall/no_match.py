"""Whether anything in a file fits a question, or only looks a little like it."""

from core.recall.fuse import Scores
from core.recall.question import Question
from core.recall.ranking import Ranked


def fits(question: Question, ranked: Ranked, dates: Scores | None, least: float) -> bool:
    """True if the best memory is an answer, not just the nearest of what is there.

    Args:
        dates: how well each memory meets the times asked for; a question for nothing but a time is
            answered by any memory of it.
        least: the score from which a memory fits (`fits_from`).

    It costs: with 0.45 "Nothing fits" is told, wrongly, to 2.2 % of the 582 questions that four
    dialogues of a benchmark answer, and to none of 47 about the demo graph. It is told, rightly,
    to 85 % of 582 questions of another dialogue (35 % where only the names were replaced, so that
    most words fit) and to 76 % of 50 about things the demo graph never speaks of. Where only the
    person is another it can't be told (2.9 % of 173). Another score is wrong less often and right
    less often, or both more often: 0.42 gives 1.2 %, 80 % and 70 %, 0.5 gives 5.8 %, 93 % and
    84 %. Print the whole table with `python -m tests.bench.fits`.
    """
    if not ranked.scores or max(ranked.scores.values()) >= least:
        return True
    return (question.only_time and dates is not None
            and any(dates[place] > 0 for place in ranked.scores))
