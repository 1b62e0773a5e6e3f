"""Recall: memories for a question, each with the channels that found it and why."""

import time
from datetime import UTC, datetime

import numpy as np

from core.embedding.embedder_interface import Embedder
from core.errors import DeadlinePassed, OperationError
from core.model.recall import Recall
from core.model.times import parse_time
from core.model.walk import Focal
from core.queries.hide_writes_of_held_agents import waiting_words, without_held
from core.queries.outdated_memories import read_outdated
from core.recall import candidates as reading
from core.recall.ask_channels import ask, found
from core.recall.best_hits_with_reasons import told
from core.recall.candidates import ScoredMemory
from core.recall.config import RecallSettings
from core.recall.filters import Filters
from core.recall.question import read_question
from core.recall.question_state import AskedQuestion
from core.recall.rank_after_fusion import Ranked
from core.recall.score_candidates import Scored, score
from core.recall.semantic import MeaningMatches
from core.store.reader_and_writer import Reader
from core.traversal.config import TraversalSettings

NOT_LISTED = ("Time ran out before it was known which memories no longer hold; the next question"
              " goes on from there")


@without_held
def recall(
    reader: Reader, query: str, settings: RecallSettings | None = None,
    embedder: Embedder | None = None, *, filters: Filters | None = None, explain: bool = False,
    traversal: TraversalSettings | None = None, now: datetime | None = None,
    meaning: MeaningMatches | None = None, focal: Focal | None = None,
) -> Recall:
    """The memories that answer `query`, best first.

    Args:
        embedder: compares meanings; without one only words, graph and times count.
        filters: which memories may be an answer; with an empty query the newest that pass.
        explain: with the walk's reasons and near misses.
        now: the time that "yesterday" is relative to.
        meaning: what `similar` said of this very question, where it was asked already.
        focal: the focal entities of a session with this very question, where they are known.

    A channel that fails (no full text, unreadable vectors, a silent server, no time left) is
    reported in `notes`, and the others answer. Raises OperationError for a query without search
    words, and ConstellationError if the file itself can't be read.
    """
    asked = AskedQuestion(
        reader, query, settings or RecallSettings(), embedder, filters or Filters(), explain,
        traversal or TraversalSettings(), now or datetime.now(UTC), compared=meaning, known=focal)
    return answered(asked) if query.strip() else _listed(asked)


def answered(asked: AskedQuestion) -> Recall:
    """Run every channel, score the candidates, return the best."""
    asked.question = read_question(asked.query, now=asked.now, stemming=asked.settings.stemming)
    if not asked.question.terms and not asked.question.dates:
        raise OperationError(400, "The question has no search words", where=asked.query[:80],
                             do="Use a word, a name or a time")
    deadline = asked.began + asked.settings.deadline_ms / 1000
    with asked.reader.interrupting(deadline):
        try:
            read_outdated(asked.reader)
        except DeadlinePassed:
            return Recall((), asked.question.dates, True, (NOT_LISTED,),
                          (time.monotonic() - asked.began) * 1000)
        ask(asked, deadline)
    # Few rows are read from here on, and without them all of the above was for nothing.
    with asked.reader.uninterrupted():
        return told(asked, score(asked, (
            found(asked) | {row: value.candidate for row, value in asked.untold.items()}
            | {row: each.candidate for row, each in asked.statements.items()})))


def _listed(asked: AskedQuestion) -> Recall:
    """The newest memories that pass the filters, the important ones first."""
    if not asked.filters.any:
        raise OperationError(400, "The question is empty",
                             do="Enter words to search for, or set a filter")
    asked.notes += filter(None, [waiting_words(asked.reader)])
    read_outdated(asked.reader)
    rows = reading.latest(asked.reader, asked.condition, asked.bound, asked.settings.limit * 5)
    every = list(asked.read(rows).values())
    worth = np.array([_worth(asked, candidate) for candidate in every])
    ranked = Ranked(every, dict(enumerate(worth.tolist())))
    return told(asked, Scored(every, ranked, {"listed": worth}))


def _worth(asked: AskedQuestion, candidate: ScoredMemory) -> float:
    """The seeds' effective score: importance, 5 percent less each day; 1 if pinned."""
    if candidate.pinned:
        return 1.0
    made = parse_time(candidate.created_at)
    days = max((asked.now - made).total_seconds() / 86_400, 0.0) if made else 0.0
    return float(min(max(candidate.importance, 0.0), 1.0) * 0.95 ** min(days, 10_000.0))
