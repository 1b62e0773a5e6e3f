"""Starts a session: its topic, and the text for the agent."""

import time
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from datetime import UTC, datetime

import numpy as np
from msgspec.structs import replace

from core.embedding.embedder_interface import Embedder
from core.errors import ConstellationError, DeadlinePassed, OperationError
from core.learning import session_candidate_scorer
from core.model.graph_statement import LINK, Statement
from core.model.recall import Recall
from core.model.session_start_and_end import (
    EMBEDDING,
    WORDS,
    Checkpoint,
    SessionCandidate,
    SessionStart,
    TriedLink,
)
from core.model.text_formatting import counted
from core.model.walk import Focal, Shares, Walk
from core.queries.corrected_links import corrected_links
from core.queries.descriptions import descriptions
from core.queries.hide_writes_of_held_agents import waiting_words, without_held
from core.queries.open_tasks import open_tasks
from core.queries.rows_to_model import text
from core.recall.answering_links_and_assertions import only_links_of
from core.recall.graph_channels import named_in_full
from core.recall.hybrid import recall
from core.recall.question import Question, read_question
from core.recall.semantic import MeaningMatches, similar
from core.recall.values_without_memory import ValueWithoutMemory
from core.session.add_values_and_mark_outdated import as_it_stands, values_at_hand
from core.session.candidate_pool import RankingContext, pool, ranked
from core.session.checkpoint import carried, latest
from core.session.config import EngineSettings
from core.session.context import Injected, compose
from core.session.explore_uncertain_link import explore
from core.session.lines_and_sections import one_line
from core.session.recurring_topic_memories import expected_memories
from core.session.rules_matching_question import with_answered_rules
from core.store.reader_and_writer import Reader
from core.traversal.focal import resolve
from core.traversal.focal_signals import Signals
from core.traversal.query_words import folders_of
from core.traversal.walk import walk

NOTHING_FITS = "Nothing fits the question; what is nearest in meaning is told"
ANSWERS, NEXT = 3, 0.01
"""The best answers of recall, which are told first, and how much less the next one counts."""
LONGEST_TOPIC = 1000
"""Characters of what a session is about, as its meaning is compared."""
STATED = 2
"""Lines of recall's answer of which a link, an assertion or a name is told before the memories."""
_DESCRIBED = 20
"""Entities of the background that are described at most."""
_LINKS = 5
"""Links of one of them that are told from each end, where nothing else is known of it."""
_NOT_COMPARED = MeaningMatches(timed_out=True)
_IDS_OF_ROWS = """
SELECT m.id, m.rowid AS place FROM json_each(:rows) f CROSS JOIN memories m ON m.rowid = f.value"""


@without_held
def start(
    reader: Reader, given: Signals, settings: EngineSettings, embedder: Embedder | None = None, *,
    explain: bool = False, now: datetime | None = None,
) -> SessionStart:
    """The session start: what the agent gets; only reads.

    The pool is the walk's memories, those that count most by importance and age, and those that
    mean what the session is about; where something is asked, what answers it comes first. What is
    injected are the first of them that fit, and every constraint in scope. Now and then a link of
    low confidence is tried besides. Without anything to tell the text is empty.

    Args:
        given: the session's signals. If it refers to no entity and asks nothing, it goes on where
            the project's last session stood.
        embedder: compares meanings; None to leave that out.
        explain: with reasons and near misses of the focal entities and the walk.
    """
    began, now = time.monotonic(), now or datetime.now(UTC)
    checkpoint = latest(reader, given.project, given.session_key, settings.session, now)
    focal = resolve(reader, carried(given, checkpoint, settings.session), settings.traversal,
                    explain=explain)
    walked = walk(reader, focal, settings.traversal, explain=explain)
    question = read_question(given.query, now=now)
    with reader.interrupting(time.monotonic() + settings.recall.deadline_ms / 1000):
        untold = values_at_hand(reader, question, walked, settings.session.embedding_limit)
    topic = _topic(given, focal)
    alike, notes, meaning = _alike(reader, topic, untold, settings, embedder)
    # A comparison that time cut short is asked for again: it goes on from there.
    asked_alike = meaning if topic == given.query.strip() and not meaning.timed_out else None
    answer = _answer(reader, question, settings, embedder, now, asked_alike, focal)
    if question.rule:
        walked = with_answered_rules(reader, walked, answer)
    ranking = RankingContext(given.project.rstrip("/\\"), now)
    asked = settings.session.question_weight if given.query.strip() else 0.0
    if question.only_time:  # What was said then answers it; what sounds like it does not.
        alike = {hit.memory.id: hit.channels.get("date", hit.score) for hit in answer.hits}
    elif asked:
        alike = _with_answers(alike, answer)
    candidates = pool(reader, walked, alike, untold, ranking, settings.session, asked,
                      settings.traversal.asked_share)
    if question.past:
        candidates = ranked([*candidates, *_former(answer, ranking, settings)])
    candidates, ranked_by = _learned(reader, candidates, focal, settings, now)
    further = [ranking.candidate(memory, settings.session, WORDS) for memory in expected_memories(
        reader, ranking.project, [each.id for each in candidates], settings.session)]
    if asked and not question.only_time:
        candidates = _answers_first(candidates, answer)
    candidates, further = as_it_stands(reader, candidates, further, walked.constraints)
    known = {each.id for each in (*candidates, *further)}
    tried = explore(reader, given.session_key, walked, known, ranking, settings)
    stated = tuple(_stated(reader, answer))
    asked_for = descriptions(reader, named_in_full(focal.in_question, given.query))
    about = (*open_tasks(reader, given.query), *(each.marked_text for each in stated),
             *asked_for.values())
    started = _session_start(given, candidates, further, walked, checkpoint, settings, tried, about,
                             _background(reader, focal, asked_for))
    notes += () if answer.fits or not answer.hits else (NOTHING_FITS,)
    stated = tuple(each for each in stated if each.marked_text in started.text)
    return replace(started, ranked_by=ranked_by, stated=stated, notes=(*started.notes, *notes),
                   text="\n\n".join(filter(None, (started.text, waiting_words(reader)))),
                   milliseconds=(time.monotonic() - began) * 1000)


def _background(reader: Reader, focal: Focal, told: Collection[str]) -> list[str]:
    """What describes the entities that are always in the context, and the project's: of those of
    which only links are known, these.

    Args:
        told: the ids of those that are described already.
    """
    ids = [each.id for each in focal.entities
           if each.reason in ("pinned", "project") and each.id not in told]
    return [*descriptions(reader, ids, most=_DESCRIBED).values(),
            *only_links_of(reader, ids, most=_LINKS)]


def _session_start(
    given: Signals, candidates: Sequence[SessionCandidate],
    further: Sequence[SessionCandidate], walked: Walk, checkpoint: Checkpoint | None,
    settings: EngineSettings, tried: TriedLink | None, about: Sequence[str],
    background: Sequence[str],
) -> SessionStart:
    """What is told, each part in its room."""
    told = compose(candidates, further, walked.constraints, walked.focal, checkpoint,
                   settings.session, settings.traversal.asked_share, tried, about, background)
    return SessionStart(
        given.session_key, given.project, told.text, tuple(candidates),
        frozenset(candidates[place].id for place in told.memories.places), walked.constraints,
        told.constraints.lines, tuple(further[place] for place in told.expected.places),
        told.memories.budget, told.constraints.budget, walked.focal, walked, told.tried, checkpoint,
        notes=(*walked.shortfalls, *_lacks(told)),
        shares=_shares(candidates[place] for place in told.memories.places),
        told_constraint_ids=frozenset(told.constraints.ids))


def _shares(memories: Iterable[SessionCandidate]) -> Shares:
    """The characters that these memories take, by what brought them."""
    counts = {"asked": 0, "pinned": 0, "others": 0}
    for each in memories:
        counts[each.part] += len(one_line(each.marked_text))
    return Shares(**counts)


def _lacks(told: Injected) -> Iterator[str]:
    """What the limit of the whole text kept out, each in one sentence."""
    if told.memories.cut or told.expected.cut:
        yield "The limit of the injected text leaves out memories that their budget has room for"
    rules = told.constraints
    if rules.shortened:
        yield (f"{counted(rules.shortened, 'constraint')} shortened: {rules.budget.lack:,} more"
               " characters are needed than the limit of the injected text leaves free")
    if rules.left_out:
        yield f"{counted(rules.left_out, 'constraint')} had no room at all; the text says so"


def _alike(
    reader: Reader, topic: str, untold: Mapping[str, ValueWithoutMemory], settings: EngineSettings,
    embedder: Embedder | None,
) -> tuple[Mapping[str, float], tuple[str, ...], MeaningMatches]:
    """The memories that mean what the session is about, with what could not be compared, and the
    whole comparison.

    Values without a memory have no vector in the file: that of their text is made here.
    """
    most = settings.session.embedding_limit
    if embedder is None or not topic or not most:
        return {}, (), _NOT_COMPARED
    deadline = time.monotonic() + settings.recall.deadline_ms / 1000
    try:
        with reader.interrupting(deadline):
            compared = similar(reader, topic, embedder, settings.recall, deadline=deadline)
        rows = compared.best(most)
        meaning = compared.with_texts(
            {value.row: value.memory.content for value in untold.values()})
        ids = reader.each_once("ids of memories", rows.tolist(), lambda several: {
            row["place"]: row["id"] for row in reader.rows(_IDS_OF_ROWS, rows=several)})
    except DeadlinePassed:
        return {}, ("Time ran out before meanings were compared",), _NOT_COMPARED
    except ConstellationError as error:
        return {}, (f"Meanings could not be compared: {error.what}",), _NOT_COMPARED
    shares = meaning.of(rows)
    own = meaning.of(np.array([value.row for value in untold.values()], np.int64))
    return {**{ids[row]: likeness for row, likeness in zip(
                rows.tolist(), shares.tolist(), strict=True) if row in ids},
            **dict(zip(untold, own.tolist(), strict=True))}, meaning.notes, compared


def _answer(
    reader: Reader, question: Question, settings: EngineSettings, embedder: Embedder | None,
    now: datetime, meaning: MeaningMatches | None, focal: Focal,
) -> Recall:
    """What recall answers to the question; empty where it asks for nothing."""
    if embedder is None and not question.past:
        return Recall()
    try:
        return recall(reader, question.text, settings.recall, embedder,
                      traversal=settings.traversal, now=now, meaning=meaning, focal=focal)
    except OperationError:
        return Recall()  # No question, or one without a search word.


def _with_answers(alike: Mapping[str, float], answer: Recall) -> Mapping[str, float]:
    """How far each memory is about the topic: by its meaning, or more, as an answer of recall."""
    if not answer.fits:
        return alike
    return {**alike, **{hit.memory.id: max(hit.score, alike.get(hit.memory.id, 0.0))
                        for hit in answer.hits if not hit.past}}


def _stated(reader: Reader, answer: Recall) -> Iterator[Statement]:
    """The links, assertions and names that are among the best answers, no link that a person has
    corrected since: what is told here comes before the memory that corrects it."""
    if not answer.fits:
        return
    best = [each for each in answer.statements if each.place < STATED]
    corrected = corrected_links(reader, [each.id for each in best if each.kind == LINK],
                                [hit.memory.id for hit in answer.hits])
    yield from (each for each in best if each.id not in corrected)


def _answers_first(
    candidates: Sequence[SessionCandidate], answer: Recall
) -> list[SessionCandidate]:
    """The candidates with the best answers of recall before all else that was asked for.

    What a walk brings is near the question's entities; an answer is about what was asked of them.
    """
    best = answer.hits[:ANSWERS] if answer.fits else ()
    scores = {hit.memory.id: 1.0 - NEXT * n for n, hit in enumerate(best, 1)}
    past = {hit.memory.id for hit in best if hit.past}  # Recall has put them where they belong.
    return ranked([
        replace(each, score=scores[each.id] if each.id in past
                else max(each.score, scores[each.id]), asked=True)
        if each.id in scores else each for each in candidates])


def _former(
    answer: Recall, ranking: RankingContext, settings: EngineSettings
) -> list[SessionCandidate]:
    """What a question about the past may be answered by and no longer holds, as recall ranks it."""
    former = ((ranking.candidate(hit.memory, settings.session, EMBEDDING), hit)
              for hit in answer.hits if hit.past)
    return [replace(each, score=hit.score, heuristic=hit.score,
                    likeness=hit.channels.get("semantic"), asked=True) for each, hit in former]


def _topic(given: Signals, focal: Focal) -> str:
    """What a session is about in words: the question, else its entities, else its folder."""
    own = [each.name for each in focal.entities if each.name and each.reason != "pinned"]
    words = given.query or " ".join(own) or " ".join(folders_of(given.project))
    return text(words)[:LONGEST_TOPIC].strip()


def _learned(
    reader: Reader, candidates: list[SessionCandidate], focal: Focal, settings: EngineSettings,
    now: datetime,
) -> tuple[list[SessionCandidate], str]:
    """The candidates with what the learned scorer says, in its order where it wins.

    A pinned memory and those of the project keep their place.
    """
    model = (session_candidate_scorer.load(reader) if settings.scorer.enabled and candidates
             else None)
    if model is None:
        return candidates, "heuristic"
    scores = session_candidate_scorer.predict(reader, model, candidates, now)
    scored = [replace(each, predicted=score)
            for each, score in zip(candidates, scores, strict=True)]
    focus = session_candidate_scorer.focus(focal)
    if not session_candidate_scorer.is_trusted(reader, model, focus, settings.scorer):
        return scored, "heuristic"
    moved = [each if each.pinned else replace(each, score=each.predicted or 0.0) for each in scored]
    return ranked(moved), "scorer"
