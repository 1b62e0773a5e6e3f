"""A parsed question: search terms, and times that it mentions."""

import re
from dataclasses import dataclass
from datetime import UTC, datetime

from core.model.language import STOP_WORDS, Term, terms, words
from core.model.recall import DateSpan
from core.recall.dates import is_recurring, question_times


@dataclass(frozen=True, slots=True)
class Question:
    """A parsed question.

    Attributes:
        text: as typed.
        terms: the words to look for. Of a time only the names that come again: a memory may tell
            of every Friday, while its "yesterday" is another day.
        dates: the times that it mentions.
        past: it asks for what was so before, so that what no longer holds may be an answer.
    """

    text: str
    terms: tuple[Term, ...] = ()
    dates: tuple[DateSpan, ...] = ()
    past: bool = False


_PAST = re.compile(
    r"\b(used to|before|formerly|previous(ly)?|earlier|originally|back then|in the past|at first"
    r"|once|was|were|had|did|until|früher|vorher|antes|avant)\b", re.IGNORECASE)
LONGEST = 4_000
"""Characters of a question that are read."""
MOST_TERMS = 40


def read_question(
    text: str, *, now: datetime | None = None, stemming: bool = True
) -> Question:
    """Read a question as asked at `now`."""
    text = text[:LONGEST].strip()
    now = now or datetime.now(UTC)
    times = question_times(text, now)
    rest = text
    for time in reversed(times):
        kept = " ".join(filter(is_recurring, re.findall(r"\w+", text[time.start:time.end])))
        rest = f"{rest[:time.start]} {kept} {rest[time.end:]}"
    if STOP_WORDS.issuperset(words(rest)):
        rest = text  # Nothing but a time is asked for: its words may be in a memory, too.
    return Question(text, terms(rest, stemming=stemming)[:MOST_TERMS],
                    tuple(time.span for time in times),
                    past=_PAST.search(text) is not None
                    or any(time.span.end <= now for time in times))
