"""Checks expectations: asks each question as an agent would, and looks what it is given.

What an agent is given for a question is the text that a session about it starts with: the
constraints in scope of its focal entities, what recall answers first, and what the walk brings.
A target that is told with a mark that it no longer holds does not count as having come.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence

from msgspec import Struct
from msgspec.structs import replace

from core.embedding.embedder_interface import Embedder
from core.expectations.current_targets import standing
from core.learning.config import FeedbackSettings, ScorerSettings, SupersessionSettings
from core.model.expectation import CheckedExpectation, Expectation, Target
from core.model.session_start_and_end import SessionCandidate, SessionStart
from core.model.text_formatting import one_line
from core.model.walk import Miss
from core.recall.config import RecallSettings
from core.session.config import EngineSettings, SessionSettings
from core.store.reader_and_writer import Reader
from core.traversal.config import TraversalSettings
from core.traversal.focal_signals import Signals

PATIENCE_MS = 10_000
"""Milliseconds that one question may take: a test does not fail because the machine is busy."""
CAME = 3
"""Lines of what came instead."""
_SHOWN = 160


def check(
    reader: Reader, asked: Sequence[Expectation], settings: EngineSettings,
    embedder: Embedder | None, between: Callable[[], object] = lambda: None,
) -> tuple[CheckedExpectation, ...]:
    """Each expectation with whether it holds, in their order; each question is asked once.

    Only reads. Of those that fail, the reason is looked for.

    Args:
        between: called before each question; what it raises ends the check.
    """
    patient = _patient(settings)
    targets = standing(reader, asked)
    started: dict[str, SessionStart] = {}
    for one in asked:
        if one.question not in started:
            between()
            started[one.question] = _ask(reader, one.question, patient, embedder)
    checked = [_check(one, targets[one.id], started[one.question]) for one in asked]
    explained: dict[str, SessionStart] = {}
    for each in checked:
        question = each.expectation.question
        if not each.holds and each.expectation.must and question not in explained:
            explained[question] = _ask(reader, question, patient, embedder, explain=True)
    return tuple(each if each.holds else _explained(
        each, explained.get(each.expectation.question, started[each.expectation.question]))
        for each in checked)


def _ask(
    reader: Reader, question: str, settings: EngineSettings, embedder: Embedder | None, *,
    explain: bool = False,
) -> SessionStart:
    from core.session.start import start  # noqa: PLC0415  with recall, which only a question needs

    return start(reader, Signals(question), settings, embedder, explain=explain)


def _check(one: Expectation, target: Target, started: SessionStart) -> CheckedExpectation:
    came = bool(target.id) and (_is_rule(target, started) or any(
        each.id in _ids(target) and (not one.must or not _outdated(each))
        for each in _told(started)))
    ground = frozenset((*started.focal.ids, *_ids(target), one.target_id, target.entity_id)) - {""}
    return CheckedExpectation(one, target, came == one.must,
                              ground=ground if started.focal.ids else frozenset())


def _ids(target: Target) -> frozenset[str]:
    """The ids under which the target is told: its own, and that of the memory that says it."""
    return frozenset((target.id, target.memory_id)) - {""}


def _is_rule(target: Target, started: SessionStart) -> bool:
    return target.id in started.told_constraint_ids


def _told(started: SessionStart) -> Iterator[SessionCandidate]:
    yield from started.memories
    yield from started.expected
    yield from started.trial


def _outdated(each: SessionCandidate) -> bool:
    return each.past or bool(each.outdated)


def _explained(each: CheckedExpectation, started: SessionStart) -> CheckedExpectation:
    """A failing expectation with the reason, and with what came instead."""
    if not each.expectation.must:
        return replace(each, why=_what_brought(each.target, started))
    return replace(each, why=each.target.gone or _what_kept_out(each.target, started),
                   came=tuple(_came(started)))


def _came(started: SessionStart) -> Iterator[str]:
    """The first lines of the text: a rule and memories, at most `CAME`."""
    rules = [f"[{one.entity_name}] {one.content}" for one in started.constraints
             if one.id in started.told_constraint_ids]
    memories = [each.marked_text for each in _told(started)]
    few = [*rules[:max(1, CAME - len(memories))], *memories][:CAME]
    return (one_line(line, _SHOWN) for line in few)


def _what_brought(target: Target, started: SessionStart) -> str:
    """What let the target in, as a sentence."""
    if _is_rule(target, started):
        return f"It is a constraint of “{target.entity_name}”, which is in scope"
    told = next(each for each in _told(started) if each.id in _ids(target))
    if told.path is not None and told.path.entity_ids:
        labels = started.walk.labels
        names = {one.id: one.name for one in started.focal.entities}
        first = told.path.entity_ids[0]
        return f"The walk from “{labels.get(first) or names.get(first) or first}” brings it"
    return _SOURCES.get(told.source, "Its meaning is close to the question")


_SOURCES = {"effective": "It counts much by importance and age",
            "fts_only": "It is about a topic of the last sessions",
            "exploration": "A link of low confidence is tried"}


def _what_kept_out(target: Target, started: SessionStart) -> str:
    """Why the target did not come, as a sentence."""
    if started.walk.timed_out:
        return "The time limit was reached before everything was walked"
    miss = next((one for one in started.walk.misses or () if one.id in _ids(target)), None) or next(
        (one for one in started.walk.misses or () if target.entity_id
         and one.id == target.entity_id), None)
    places = [each.id for each in started.candidates]
    place = next((places.index(id) for id in _ids(target) if id in places), None)
    if place is not None:
        told = next((each for each in _told(started) if each.id in _ids(target)), None)
        if told is not None:
            return "What it says no longer holds, and it is told so"
        return (f"It is number {place + 1} of {len(places)} by rank, and the text has room for "
                f"{len(started.told_ids)}")
    if any(one.id == target.id for one in started.constraints):
        return "The text has no room for all constraints in scope"
    if miss is not None:
        return _missed(miss)
    return _not_reached(target, started)


def _missed(miss: Miss) -> str:
    number = "" if miss.value is None else f", {miss.value:.3g}" + (
        "" if miss.limit is None else f" of {miss.limit:.3g}")
    return f"The walk left out {miss.kind} “{one_line(miss.label, 60)}”: {miss.rule}{number}"


def _not_reached(target: Target, started: SessionStart) -> str:
    names = ", ".join(f"“{one.name}”" for one in started.focal.entities[:CAME] if one.name)
    if not names:
        return "The question refers to no entity, and nothing else brings it"
    whose = f" “{target.entity_name}”" if target.entity_name else " it"
    return f"The walk begins at {names} and does not bring{whose}"


class _Patient(Struct, frozen=True):
    """The settings with more time for each question."""

    session: SessionSettings
    traversal: TraversalSettings
    recall: RecallSettings
    scorer: ScorerSettings
    feedback: FeedbackSettings
    supersession: SupersessionSettings


def _patient(settings: EngineSettings) -> EngineSettings:
    return _Patient(
        settings.session,
        settings.traversal.model_copy(update={
            "timeout_ms": max(settings.traversal.timeout_ms, PATIENCE_MS)}),
        settings.recall.model_copy(update={
            "deadline_ms": max(settings.recall.deadline_ms, PATIENCE_MS)}),
        settings.scorer, settings.feedback, settings.supersession)


def failing(checked: Iterable[CheckedExpectation]) -> tuple[CheckedExpectation, ...]:
    """Those that do not hold."""
    return tuple(each for each in checked if not each.holds)
