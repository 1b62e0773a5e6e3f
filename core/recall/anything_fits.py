"""Whether anything in a file fits a question, or only looks a little like it."""

from collections.abc import Callable

from core.recall.fuse import Scores
from core.recall.question import Question
from core.recall.rank_after_fusion import Ranked


def fits(
    question: Question, ranked: Ranked, dates: Scores | None, least: float, *,
    supported: Callable[[], bool] = lambda: True,
) -> bool:
    """True if the best memory is an answer, not just the nearest of what is there.

    Args:
        dates: how well each memory meets the times asked for; a question for nothing but a time is
            answered by any memory of it.
        least: the score from which a memory fits (`fits_from`).
        supported: whether anything speaks of what is asked about somebody; looked at last.

    It costs: with 0.4, and 0.32 of what is asked for to be spoken of (`support_from`), "Nothing
    fits" is told, wrongly, to 5.0 % of the 582 questions that four dialogues of a benchmark answer,
    and to 4 of 108 about the demo graph by which the bounds were chosen. It is told, rightly, to
    99.5 % of 582 questions of another dialogue (56 % where only the names were replaced, so that
    most words fit), to 96 % of 50 about things the demo graph never speaks of, and to 85 % of 62
    about a fact that is not there of somebody it knows. Of 80 more, which were only counted, it is
    told, rightly, to 33 of 40 and, wrongly, to 2 of 40. By the score alone, 0.45, it was 2.2 %,
    none of 88, 85 %, 35 %, 76 % and 10 %.
    Where only the person is another it can't be told (6.9 % of 173). Print the whole table with
    `python -m tests.bench.fits`.
    """
    if not ranked.scores or max(ranked.scores.values()) >= least:
        return question.only_time or supported()
    return (question.only_time and dates is not None
            and any(dates[place] > 0 for place in ranked.scores))
