"""Asks the channels of recall, and brings the memories that any of them finds."""

from core.errors import ConstellationError, DeadlinePassed
from core.model.search_words import with_names
from core.model.walk import Focal
from core.recall import candidates as reading
from core.recall.answering_links_and_assertions import find_statements
from core.recall.asked_nouns import with_which
from core.recall.called_by_links import called_by_links
from core.recall.candidates import ScoredMemory
from core.recall.filtered_rows import allowed_rows
from core.recall.filters import Filters
from core.recall.graph_channels import search_graph
from core.recall.keyword import Rows, find_words
from core.recall.match_statements import matching_statements
from core.recall.question_state import AskedQuestion
from core.recall.semantic import similar
from core.recall.values_full_text import list_values
from core.recall.values_without_memory import find_untold, words_held
from core.traversal.focal import of_question

WIDER = 10
"""So many times as many memories are looked at for some that pass, before all are."""


def ask(asked: AskedQuestion, deadline: float) -> None:
    """Ask every channel; what each found is kept with the question."""
    asked.words = with_which(find_words(asked.reader, asked.question.terms), asked.query)
    focal = _focal(asked)
    asked.in_question = focal.in_question
    asked.rules = {id: rule for rule in reversed(focal.rules)
                  for id in (rule.memory_id, rule.id) if id}
    named = with_names(asked.words.terms, focal.names)
    if named != asked.words.terms:  # A name that was written like any word.
        asked.words = with_which(find_words(asked.reader, named), asked.query)
    asked.words_of_memories = asked.words
    weights = dict(zip((term.word for term in asked.words.terms), asked.words.weights,
                       strict=True))
    asked.structure = search_graph(
        asked.reader, asked.question, focal, weights, asked.settings, asked.traversal,
        scope=asked.filters.scope, explain=asked.explain)
    if asked.question.only_time:
        pass  # Whatever was then is asked for, and its meaning is that of asking.
    elif asked.compared is not None:
        asked.meaning = asked.compared
    elif asked.embedder is not None:
        asked.meaning = similar(asked.reader, asked.question.text, asked.embedder, asked.settings,
                               deadline=deadline)
    for channel in (asked.words, asked.structure, asked.meaning):
        asked.notes += channel.notes
    # Values have no type, tag or author that a filter could ask for.
    if asked.filters == Filters(scope=asked.filters.scope):
        _find_untold(asked)
        if not (asked.question.only_time or asked.question.former):
            _find_statements(asked)


def _focal(asked: AskedQuestion) -> Focal:
    """The entities that the question refers to; none, with a note, where they can't be read."""
    try:
        return of_question(
            asked.reader, asked.question.text, asked.traversal, most=asked.settings.max_entities,
            pinned=asked.settings.include_pinned, known=asked.known, explain=asked.explain)
    except DeadlinePassed:
        return Focal(timed_out=True)
    except ConstellationError as error:
        # Words and meanings can still answer; if they fail as well, their error is raised.
        asked.notes.append(f"The graph could not be walked: {error.what.lower()}")
        return Focal()


def _find_untold(asked: AskedQuestion) -> None:
    """Bring in the values that no memory says, with their words and meanings."""
    values = find_untold(
        asked.reader, asked.words.terms, ids=[*asked.structure.walked, *asked.rules],
        past=asked.question.past, most=asked.settings.keyword_candidates)
    if not list_values(asked.reader, past=asked.question.past):
        asked.unlisted = True
        asked.notes.append("Time ran out before all values without a memory were searched; "
                          "the next question goes on from there")
    with asked.reader.uninterrupted():  # What is muted is not told, however late it is.
        quiet = asked.quiet(value.memory.id for value in values)
    values = tuple(value for value in values if value.memory.id not in quiet)
    asked.untold = {value.row: value for value in values}
    asked.words = asked.words_of_memories.with_more(words_held(values, asked.words.terms))
    asked.meaning = asked.meaning.with_texts(
        {row: value.memory.content for row, value in asked.untold.items()})


def _find_statements(asked: AskedQuestion) -> None:
    """Bring in the links and assertions that may answer, with their words and meanings."""
    described = set(asked.structure.described)
    try:
        every = find_statements(asked.reader, asked.words.terms, asked.in_question, told=described)
    except DeadlinePassed:
        asked.notes.append("Time ran out before links and assertions were searched")
        return
    asked.called = called_by_links(every, asked.query, asked.words.terms,
                                   {each.id for each in asked.in_question})
    several, held = matching_statements(
        every, asked.words, asked.query, {each.id: each.name for each in asked.in_question},
        asked.settings.place_weight)
    asked.statements = {each.row: each for each in several}
    asked.words = asked.words.with_more(held)
    asked.meaning = asked.meaning.with_texts({each.row: each.statement.text for each in several})


def found(asked: AskedQuestion) -> dict[int, ScoredMemory]:
    """Every memory that a channel brings and that the agent may see."""
    rows = _brought(asked, None)
    memories = asked.read(rows)
    passing = sum(candidate.passes for candidate in memories.values())
    few = asked.filters.any and passing < 2 * asked.settings.limit
    if few or len(memories) < len(rows) // 2:
        # Most of the best may not be seen or do not pass: rank only those that may.
        memories |= asked.read(_brought(asked, _allowed(asked)))
    return memories


def _brought(asked: AskedQuestion, allowed: Rows | None, times: int = 1) -> list[int]:
    settings = asked.settings
    rows = [*asked.words_of_memories.best(settings.keyword_candidates * times, allowed).tolist(),
            *asked.meaning.best(settings.semantic_candidates * times, allowed).tolist(),
            *asked.structure.newest]
    ids = [*asked.structure.walked, *asked.structure.hinted, *asked.structure.former,
           *asked.rules]
    rows += reading.rows_of(asked.reader, ids).values()
    for span in asked.question.dates:
        rows += reading.rows_between(
            asked.reader, f"{span.start:%Y-%m-%d}", f"{span.end:%Y-%m-%d}",
            settings.date_candidates)
    return list(dict.fromkeys(rows))


def _allowed(asked: AskedQuestion) -> Rows:
    """Rows that pass: enough of the next best ones, or all in the file."""
    enough = max(2 * asked.settings.limit, asked.settings.keyword_candidates // WIDER)
    return allowed_rows(asked.reader, asked.condition, asked.bound,
                        lambda: _brought(asked, None, WIDER), enough)
