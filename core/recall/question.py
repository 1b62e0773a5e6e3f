"""A question, read once: what to look for, what it means, which times it speaks of."""

from dataclasses import dataclass
from datetime import UTC, datetime

from core.model.language import Term, telling, terms
from core.model.recall import DateSpan
from core.recall.dates import spoken


@dataclass(frozen=True, slots=True)
class Question:
    """What was asked.

    Attributes:
        text: as asked.
        terms: the words to look for, without those that only say a time.
        plain: the text without its little words and its times, which carry no meaning of their own.
        dates: the times that it speaks of.
    """

    text: str
    terms: tuple[Term, ...] = ()
    plain: str = ""
    dates: tuple[DateSpan, ...] = ()


LONGEST = 4_000
"""Characters of a question that are read."""
MOST_TERMS = 40


def read_question(
    text: str, *, now: datetime | None = None, stemming: bool = True
) -> Question:
    """Read a question as asked at `now`."""
    text = text[:LONGEST].strip()
    times = spoken(text, now or datetime.now(UTC))
    rest = text
    for time in reversed(times):
        rest = rest[:time.start] + " " + rest[time.end:]
    if not terms(rest, stemming=stemming):
        rest = text  # Nothing but a time is asked for: its words may be in a memory, too.
    return Question(text, terms(rest, stemming=stemming)[:MOST_TERMS], telling(rest),
                    tuple(time.span for time in times))
