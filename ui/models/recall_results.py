"""A recall made ready to be shown: its lines, and for one hit the channels with their numbers."""

from collections.abc import Mapping
from datetime import UTC, datetime

from msgspec import Struct, field

from core.learning.config import FeedbackSettings
from core.learning.confirmed_by_recall import note_hits
from core.learning.path_feedback import rate
from core.model.graph_statement import Statement
from core.model.memory import Memory
from core.model.names import spoken
from core.model.recall import NOTHING_FITS, RULES_MAY_APPLY, Hit, Recall
from core.model.session_start_and_end import PathFeedback
from core.model.text_formatting import one_line
from core.queries.sessions import session_memories
from core.store.reader_and_writer import Reader, Writer
from ui.models.session_wording import OUTDATED
from ui.models.time_wording import day
from ui.models.walk_wording import path_words, score_words
from ui.widgets.labels import isolate
from ui.widgets.scored_list import ScoredRow

CHANNEL_WORDS = {
    "keyword": "words", "semantic": "meaning", "neighbor": "neighbours", "traversal": "graph",
    "mention": "mention", "hint": "stored for this", "rule": "rule", "date": "time",
    "listed": "listed",
}
STEP_WORDS = {
    "repeat": "says the same as a better one", "rule": "states a rule",
    "state": "its mark says how far it is", "kind": "the kind of thing asked for",
    "direction": "leads the way asked for",
    "rehearsal": "used often and recently", "gravity": "no word in common",
    "speaker": "said by the one asked about",
}


class Answer(Struct, frozen=True):
    """A recall, and today's ratings of its memories."""

    found: Recall
    ratings: Mapping[str, float] = field(default_factory=dict)


def session_today() -> str:
    """The session that ratings of the window belong to: one a day."""
    return f"window-{datetime.now(UTC):%Y-%m-%d}"


def ratings_today(reader: Reader) -> Mapping[str, float]:
    """Today's rating by memory id, -1 to 1."""
    return {one.memory_id: one.rating for one in session_memories(reader, session_today())
            if one.rating is not None}


def rate_hit(
    writer: Writer, hit: Hit, rating: int, settings: FeedbackSettings
) -> PathFeedback:
    """Rate a memory's path, so that the graph learns from it.

    The opposite of what the person said before replaces it: what that moved is moved back first.
    """
    memory_id, session = hit.memory.id, session_today()
    opposite = ratings_today(writer).get(memory_id, 0.0) * rating < 0
    note_hits(writer, session, [memory_id])
    paths = {memory_id: hit.path} if hit.path is not None else {}
    if opposite:
        rate(writer, session, {memory_id: rating}, settings, paths=paths)
    feedback = rate(writer, session, {memory_id: rating}, settings, paths=paths)
    if opposite and settings.enabled:
        writer.update_where(
            "session_memories",
            "agent_id = :agent AND session_key = :session AND memory_id = :memory",
            {"agent_relevance_score": float(rating), "agent_feedback_count": 1},
            session=session, memory=memory_id)
    return feedback


class Bar(Struct, frozen=True):
    """A channel's share, 0 to 1."""

    name: str
    value: float


def rows_of(answer: Recall) -> tuple[ScoredRow, ...]:
    """The hits and what the graph itself says, best first; rules apart where nothing fits."""
    rules, rest = answer.rules_and_rest
    if not rules:
        return tuple(map(_row, rest))
    nearest = (_head(NOTHING_FITS), *map(_row, rest)) if rest else ()
    return (_head(RULES_MAY_APPLY), *map(_row, rules), *nearest)


def _head(words: str) -> ScoredRow:
    return ScoredRow(words, words.rstrip(":"), head=True)


def _row(line: Hit | Statement) -> ScoredRow:
    return ScoredRow(line.id, line.marked_text, _below(line), score_words(line.score), "",
                     line.why, kind=line.kind)


def _below(hit: Hit | Statement) -> str:
    names = [bar.name for bar in bars_of(hit)]
    if isinstance(hit, Statement):
        return " · ".join((*names, day(hit.when)))
    if hit.outdated and not hit.past:
        names.insert(0, OUTDATED)
    return " · ".join((*names, day(hit.memory.created_at)))


def bars_of(hit: Hit | Statement) -> tuple[Bar, ...]:
    """The channels that found it, strongest first."""
    shares = sorted(hit.channels.items(), key=lambda item: -item[1])
    return tuple(Bar(CHANNEL_WORDS.get(name, spoken(name)), value) for name, value in shares)


def steps_of(hit: Hit | Statement) -> tuple[str, ...]:
    """What changed the score afterwards: `used often and recently × 1.05`."""
    return tuple(f"{STEP_WORDS.get(name, spoken(name))} × {value:.2f}"
                 for name, value in hit.steps.items())


def path_of(hit: Hit, answer: Recall) -> str:
    """The walk's path to it, as text."""
    return path_words(hit.path, answer.walk.labels if answer.walk is not None else {})


def facts_of_line(line: Hit | Statement) -> str:
    """Facts about a line itself: of a statement its day and how sure it is."""
    if isinstance(line, Hit):
        return facts_of(line.memory)
    return f"{day(line.when)} · confidence\u00a0{line.confidence:.2f}"


def facts_of(memory: Memory) -> str:
    """Facts about the memory itself: type, who, project, day."""
    parts = (spoken(memory.type) if memory.type else "", memory.who or "", memory.project or "",
             day(memory.created_at), "pinned" if memory.pinned else "")
    words = [isolate(one_line(part, 80)) for part in parts if part]
    return " · ".join((*words, f"importance\u00a0{memory.importance:.2f}"))


def answer_words(answer: Recall) -> str:
    """`7 of 83 memories · 12 ms`, the times that were understood, the order."""
    memories = "memory" if answer.considered == 1 else "memories"
    words = f"{len(answer.hits)} of {answer.considered:,} {memories} · {answer.milliseconds:.0f} ms"
    spans = [f"“{span.text}” is {span}" for span in answer.query_dates]
    order = ("newest first",) if answer.newest_first else ()
    line = " · ".join((words, *spans, *order))
    if answer.fits or not answer.hits or answer.rules_and_rest[0]:
        return line  # Or a head in the list says so.
    return f"{NOTHING_FITS} {line}"
