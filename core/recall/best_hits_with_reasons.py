"""Tells the best of the scored memories, each with the channels that found it and why."""

import time
from collections.abc import Mapping, Sequence

import numpy as np
from msgspec.structs import replace

from core.model.detect_retractions import Said, taken_back
from core.model.graph_statement import Statement
from core.model.recall import Hit, Recall
from core.queries.memory_subjects import NOBODY, owners
from core.queries.open_tasks import open_tasks
from core.queries.outdated_memories import standing
from core.queries.rows_to_model import MEMORY_COLUMNS, memory_of
from core.recall.candidates import ScoredMemory
from core.recall.fuse import Indices, Scores
from core.recall.grouped_links import GroupedLinks, grouped
from core.recall.question_state import AskedQuestion
from core.recall.rank_after_fusion import AS_WELL
from core.recall.reason_in_words import reason_in_words
from core.recall.score_candidates import AROUND, Scored
from core.recall.word_coverage import said_in

STATEMENTS = 5
"""Statements of the graph that are told beside the memories, at most."""
NAMING = frozenset({"keyword", "traversal", "mention", "hint", "date", "rule"})
"""Channels that a memory comes by only where it holds or stands by something that was asked."""
NEAREST = "No memory contains these words. The results are the closest in meaning."


def told(asked: AskedQuestion, scored: Scored) -> Recall:
    """The answer: the best memories, and what there is to say of the whole."""
    least = asked.settings.min_score if asked.query.strip() else 0.0
    every, limit = scored.every, asked.settings.limit
    lines = scored.ranked.best(limit + len(asked.statements), least)
    places = [place for place in lines if every[place].row not in asked.statements][:limit]
    hits, statements = _hits(asked, scored, places), _statements(asked, scored, places)
    looked = asked.question.terms and asked.searched_all
    if hits and looked and not any(NAMING & hit.channels.keys() for hit in hits):
        asked.notes.append(NEAREST)
    late = (asked.words.timed_out or asked.meaning.timed_out or asked.structure.timed_out
            or asked.unlisted)
    return Recall(
        tuple(hits), asked.question.dates, late, tuple(dict.fromkeys(asked.notes)),
        (time.monotonic() - asked.began) * 1000, asked.structure.walk,
        len(every) - len(asked.statements),
        fits=asked.fits, newest_first=asked.newest_first and len(scored.ranked.first) > 1,
        about=(*open_tasks(asked.reader, asked.question.text), *asked.structure.about),
        statements=tuple(statements))


def _hits(asked: AskedQuestion, scored: Scored, places: Sequence[int]) -> list[Hit]:
    """The memories at some places, each as it is told."""
    every, ranked, parts = scored.every, scored.ranked, scored.parts
    memories = {row["place"]: memory_of(row) for row in asked.reader.rows(
        f"SELECT m.rowid AS place, {MEMORY_COLUMNS} FROM json_each(:rows) f"
        f" CROSS JOIN memories m ON m.rowid = f.value WHERE {asked.may_tell}",
        rows=[every[place].row for place in places])}
    memories |= {row: value.memory for row, value in asked.untold.items()}
    ids = [every[place].id for place in places]
    named, stands = asked.mentions(ids), standing(asked.reader, ids)
    owned = owners(asked.reader, {memory.id: memory.content for memory in memories.values()})
    disputed = {**taken_back(
        Said(every[place].id, every[place].beginning, every[place].created_at)
        for place in ranked.best(AROUND * asked.settings.limit)
        if every[place].row not in asked.statements), **stands.disputed}
    said = said_in(asked.words, {candidate.row: candidate for candidate in every},
                   [every[place].row for place in places], asked.settings)
    hits = []
    for place in places:
        candidate = every[place]
        if candidate.row not in memories:
            continue
        channels = channels_of(parts, place)
        walked = asked.structure.walked.get(candidate.id)
        steps = ranked.steps.get(place, {})
        held, around = said[candidate.row]
        owner = owned.get(candidate.id, NOBODY)
        reason = reason_in_words(
            channels, steps, held=held, around=around, about=_about(asked, place, held),
            walked=walked[1] if walked else None, names=asked.structure.names,
            mentioned=named.get(candidate.id, (0.0, ""))[1],
            neighbor=_giver(every, scored.givers, place), rule=asked.rules.get(candidate.id),
            candidate=candidate)
        hits.append(Hit(
            memories[candidate.row], round(min(ranked.scores[place], 1.0), 4), channels,
            walked[1].path if walked else None, reason, dict(steps),
            stands.outdated.get(candidate.id, ()), candidate.id in stands.past,
            candidate.id in stands.constraints, disputed.get(candidate.id), owner.entity,
            owner.before))
    return hits


def _statements(asked: AskedQuestion, scored: Scored, places: Sequence[int]) -> list[Statement]:
    """The statements that fit about as well as the best line, each at its place by score.

    Args:
        places: the memories that are told; no statement is told after the last of them.
    """
    scores = scored.ranked.scores
    best = max((scores[place] for place in (*places, *scored.ranked.apart)), default=0.0)
    close = sorted((place for place in scored.ranked.apart if scores[place] >= AS_WELL * best),
                   key=lambda place: -scores[place])
    lines = grouped(close, [asked.statements[scored.every[place].row].found for place in close],
                    [scores[place] for place in close])[:STATEMENTS]
    before = [sum(scores[other] > scores[line.places[0]] for other in places) for line in lines]
    named = asked.mentions([]) if lines else {}
    return [_statement(asked, scored, line, memories + number, named)
            for number, (line, memories) in enumerate(zip(lines, before, strict=True))
            if memories < len(places) or not places]


def _statement(
    asked: AskedQuestion, scored: Scored, line: GroupedLinks, before: int,
    named: Mapping[str, tuple[float, str]],
) -> Statement:
    """One as it is told, with why."""
    several = [asked.statements[scored.every[place].row].statement for place in line.places]
    place, first = line.places[0], several[0]
    candidate, steps = scored.every[place], scored.ranked.steps.get(place, {})
    held = tuple(term.word for term, holds in zip(
        asked.words.terms, asked.words.holding(np.array([candidate.row]))[:, 0], strict=True)
        if holds)
    channels = channels_of(scored.parts, place)
    why = reason_in_words(
        channels, steps, held=held, around=(), about=_about(asked, place, held), walked=None,
        names={}, mentioned=named.get(first.id, (0.0, ""))[1], neighbor=None,
        candidate=candidate)
    return replace(
        first, text=line.text, ids=tuple(each.id for each in several),
        entity_ids=tuple(dict.fromkeys(id for each in several for id in each.entity_ids)),
        confidence=min(each.confidence for each in several), place=before, channels=channels,
        why=why, steps=dict(steps), score=round(min(scored.ranked.scores[place], 1.0), 4))


def channels_of(parts: Mapping[str, Scores], place: int) -> dict[str, float]:
    """What each channel that found a candidate gives it."""
    return {name: round(float(values[place]), 4) for name, values in parts.items()
            if values[place] > 0.0005}


def _about(asked: AskedQuestion, place: int, held: Sequence[str]) -> tuple[str, ...]:
    """The words of the question that only a memory's place in the graph says."""
    if asked.said is None:
        return ()
    said = [term.word for term, values in zip(asked.words.terms, asked.said, strict=True)
            if values[place]]
    return tuple(word for word in said if word not in held)


def _giver(every: list[ScoredMemory], givers: Indices | None, place: int) -> ScoredMemory | None:
    """The neighbour that gave a memory most of what it got from neighbours."""
    if givers is None or givers[place] < 0:
        return None
    return every[int(givers[place])]
