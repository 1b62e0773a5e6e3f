"""The order of the hits: what changes a score after fusion, and what is put first."""

import math
from collections.abc import Collection, Mapping, Sequence
from datetime import UTC, datetime

import numpy as np
from msgspec import Struct, field

from core.model.outdated_claim import OutdatedClaim
from core.model.search_words import words
from core.model.task_marks import state_of
from core.model.times import parse_time
from core.recall.candidates import ScoredMemory
from core.recall.config import RecallSettings
from core.recall.fuse import Scores
from core.recall.question import Question
from core.recall.same_but_for_version import but_for_version

AS_WELL = 0.8
"""Share of the best score from which on a memory fits about as well."""
REPEAT = 0.6
"""What is left of the score of a memory that only repeats another one."""
FEW = 10
"""Memories, at most, among which the oldest or what no longer holds is put first."""
TIE = 1e-9
"""What tells equal scores apart."""
OF_STATE, OF_OTHER_STATE = 1.25, 0.6
"""What a memory's mark (`[wip]`) does to its score, where a state is asked for: the one, another.
"""
_LONG_AGO = datetime.min.replace(tzinfo=UTC)


class Ranked(Struct):
    """Scores of the candidates that may be an answer, by their place in the list of all.

    Attributes:
        steps: by place, in order, the factors that changed its score.
        first: places that fit about as well as the best, in the order that was asked for: the
            newest first, the oldest, or what no longer holds.
        apart: places that keep their own order by score: statements of the graph.
    """

    every: Sequence[ScoredMemory]
    scores: dict[int, float]
    steps: dict[int, dict[str, float]] = field(default_factory=dict)
    first: Sequence[int] = ()
    apart: frozenset[int] = frozenset()

    def change(self, place: int, name: str, factor: float) -> None:
        """Multiply a score. It may pass 1, or those lifted most would all be equal."""
        if factor != 1.0:
            self.steps.setdefault(place, {})[name] = factor
            self.scores[place] *= factor

    def put_first(self, places: Sequence[int]) -> None:
        """Tell these before all others, and give them their scores anew, so that they fall."""
        self.first = places
        falling = sorted((self.scores[place] for place in places), reverse=True)
        self.scores.update(zip(places, falling, strict=True))

    def best(self, most: int, least: float = 0.0) -> list[int]:
        """The places of the best, the newer first among equals or where that was asked."""
        order = {place: number for number, place in enumerate(self.first)}
        if not order and len(self.scores) > most:
            # Only those that may be among the best are sorted.
            scores = np.fromiter(self.scores.values(), np.float64, len(self.scores))
            least = max(least, float(np.partition(scores, -most)[-most]) if most else math.inf)
        kept = [place for place, score in self.scores.items() if score >= least]
        return sorted(kept, key=lambda place: (
            order.get(place, len(order)), -self.scores[place],
            -self.every[place].row))[:most]


def rank(
    question: Question, every: Sequence[ScoredMemory], parts: Mapping[str, Scores],
    scores: Scores, settings: RecallSettings, now: datetime,
) -> Ranked:
    """Those that pass the filters: used ones lifted, far ones lowered."""
    places = [place for place, candidate in enumerate(every) if candidate.passes]
    ranked = Ranked(every, {place: float(scores[place]) for place in places})
    # Like the question, and nothing else speaks for it.
    far = ~np.any([values > 0 for name, values in parts.items() if name != "semantic"], axis=0)
    # Who may do it is no speaker: the rule is somebody else's words.
    states = question.states
    speaker = "" if question.rule else named_speaker(question.text, every)
    for place in places:
        if speaker and every[place].who == speaker:
            ranked.change(place, "speaker", 1 + settings.speaker_weight)
        if states and (state := state_of(every[place].beginning)):
            ranked.change(place, "state", OF_STATE if state in states else OF_OTHER_STATE)
        ranked.change(place, "rehearsal", rehearsal(every[place], now, settings))
        if bool(far[place]):
            ranked.change(place, "gravity", 1 - settings.gravity)
    return ranked


def repeats_last(ranked: Ranked, most: int) -> None:
    """Lower those of the best that say word for word what a better one says, but for a version."""
    known: set[str] = set()
    for place in ranked.best(most):
        said = but_for_version(ranked.every[place].beginning)
        if said in known:
            ranked.change(place, "repeat", REPEAT)
        known.add(said)


def by_time(ranked: Ranked, share: float = AS_WELL, *, oldest: bool = False) -> None:
    """Order those that fit about as well as the best by their time ("recently", "now", "first")."""
    close = _close(ranked, share)[:FEW if oldest else None]
    times = {place: parse_time(ranked.every[place].created_at) for place in close}
    ranked.put_first(
        sorted(close, key=lambda place: times[place] or _LONG_AGO, reverse=not oldest))


def former_first(
    ranked: Ranked, past: Collection[int], share: float = AS_WELL, *, last: bool = False
) -> None:
    """Put those of `past` before the others that fit about as well as the best, or behind them."""
    ranked.put_first(sorted(_close(ranked, share)[:FEW],
                            key=lambda place: (place in past) is last))


def _close(ranked: Ranked, share: float) -> list[int]:
    """The places that fit about as well as the best, the best first."""
    best = [place for place in ranked.best(len(ranked.scores)) if place not in ranked.apart]
    return [place for place in best if ranked.scores[place] >= share * ranked.scores[best[0]]]


def last_versions_first(
    ranked: Ranked, best: Sequence[int], outdated: Mapping[str, Sequence[OutdatedClaim]],
    lines: Mapping[tuple[str, str], str],
) -> None:
    """Give former values of one claim their scores anew, the one that held last the highest.

    They say nearly the same, so that their own scores tell them apart by chance.

    Args:
        lines: by memory and former value what it has in common with other versions.
    """
    versions: dict[str, list[tuple[str, int, int]]] = {}
    for place in best:
        id = ranked.every[place].id
        claims = outdated.get(id, ())
        if len(claims) == 1 and (line := lines.get((id, claims[0].was))):
            ended = claims[0].until.replace("T", " ")
            versions.setdefault(line, []).append((ended, claims[0].version, place))
    for several in versions.values():
        scores = [ranked.scores[place] for *_, place in several]
        last_first = [place for *_, place in sorted(several, reverse=True)]
        for number, (score, place) in enumerate(zip(scores, last_first, strict=True)):
            ranked.scores[place] = score - number * TIE


def named_speaker(question: str, every: Sequence[ScoredMemory]) -> str:
    """The one of those who said the memories whom the question names, by the first name or more.

    Empty if it names none, or several: what they did together either may tell.
    """
    asked = set(words(question))
    everyone = {candidate.who for candidate in every}
    speakers = {who for who in everyone if asked.intersection(words(who)[:1])}
    return speakers.pop() if len(speakers) == 1 else ""


def rehearsal(candidate: ScoredMemory, now: datetime, settings: RecallSettings) -> float:
    """Above 1 for a memory that was used often and recently."""
    if not candidate.accesses > 0:
        return 1.0
    last = parse_time(candidate.last_accessed) or parse_time(candidate.created_at)
    days = max((now - last).total_seconds() / 86_400, 0.0) if last else math.inf
    recent = 0.5 ** (days / settings.rehearsal_half_life_days)
    return 1.0 + settings.rehearsal_weight * math.log1p(candidate.accesses) * float(recent)
