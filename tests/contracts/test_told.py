"""What is decided is what is told: after each operation, and the reverse after undo.

On a native file and on two generations of Signet's: the walk, recall and the start of a session
tell what is true now and nothing that no longer is.
"""

import re
from collections.abc import Callable
from dataclasses import dataclass

import pytest

from core.maintenance import task_expiry
from core.maintenance.config import MaintenanceSettings
from core.ontology import control, proposals
from core.ontology.operation_catalog import CATALOG
from core.recall.hybrid import recall
from core.session.start import start
from core.settings import Settings
from core.store.reader_and_writer import Reader, Writer
from core.traversal.focal import resolve
from core.traversal.focal_signals import Signals
from core.traversal.walk import walk
from core.workspace import Workspace
from tests.contracts.samples import SAMPLES
from tests.contracts.test_catalog_contracts import prepare


@dataclass(frozen=True)
class Told:
    """What is asked, what an operation brings and what it takes away: patterns of a line's end."""

    question: str
    new: tuple[str, ...] = ()
    old: tuple[str, ...] = ()
    first: tuple[str, dict[str, object]] | None = None
    """What is done before, and the payload of both."""


HARBOR = "Harbor Ledger"
EFFECTS = {
    "add_claim_value": Told("start time of Harbor Ledger", new=(": seven thirty",)),
    "set_claim_value": Told("start time of Harbor Ledger", (": eight",), (": seven",)),
    "supersede_claim_value": Told("start time of Harbor Ledger", (": nine",), (": seven",)),
    "archive_claim_value": Told("start time of Harbor Ledger", old=(": seven",)),
    "restore_claim_version": Told("start time of Harbor Ledger", (": six",), (": seven",)),
    "archive_aspect": Told("Harbor Ledger schedule", old=(": seven", ": hourly")),
    "restore_aspect": Told("Harbor Ledger schedule", new=(": seven", ": hourly"), first=(
        "archive_aspect", {"entity": HARBOR, "aspect": "Schedule"})),
    "restore_entity": Told(HARBOR, new=(": seven", "Never deploy on Friday"), first=(
        "archive_entity", {"entity": HARBOR})),
    "archive_entity": Told(HARBOR, old=(": seven", "Never deploy on Friday")),
    "rename_aspect": Told("Harbor Ledger pace", ("Harbor Ledger, Pace: fast",),
                          ("Harbor Ledger, Timing: fast",)),
    "rename_entity": Told("Ferry Ledger timing", ("Ferry Ledger, Timing: fast",),
                          ("Harbor Ledger, Timing: fast",)),
    "promote_assertion": Told("start time of Harbor Ledger", (": eight",), (": seven",)),
    "move_claim": Told("start time of Harbor Ledger", ("Harbor Ledger, Timing.*: seven",),
                       ("Harbor Ledger, Schedule.*: seven",)),
    "merge_aspects": Told("Harbor Ledger timing schedule", ("Harbor Ledger, Schedule: fast",),
                          ("Harbor Ledger, Timing: fast",)),
    "split_entity": Told("Harbor Ledger, Ferry Plan timing", ("Ferry Plan, Timing: fast",),
                         ("Harbor Ledger, Timing: fast",)),
    "merge_entities": Told("Tide API, Tides API limits", (r"\bTide API, Limits.*: 60 a minute",),
                           (r"\bTides API, Limits.*: 60 a minute",)),
    "forget_memory": Told("Tides API again", (), ("Tides API again",)),
}
STEERING = {"pin_entity", "unpin_entity", "mute_entity", "unmute_entity"}
SAY_NOTHING = {
    # They make or change what no value hangs on, in the world of the tests.
    "create_entity", "create_aspect", "weigh_aspect", "create_link",
    "update_link", "archive_link", "restore_link", "adopt_relations", "open_task", "update_task",
    "link_memory",
    # What is asserted is told where it is promoted to a claim's value.
    "create_assertion", "link_assertion", "supersede_assertion", "archive_assertion",
    "restore_assertion", "weigh_assertion",
    # They name, weigh or date what stays told as before.
    "create_policy", "create_action_type", "create_interface", "attach_interface", "create_alias",
    "archive_alias", "detach_source", "weigh_claim", "set_review_date",
}


def told(reader: Reader, question: str) -> dict[str, list[str]]:
    """The lines that each way of telling brings for a question."""
    settings = Settings()
    focal = resolve(reader, Signals(query=question), settings.traversal)
    walked = walk(reader, focal, settings.traversal)
    began = start(reader, Signals(query=question), settings)
    return {
        "walk": [each.content for each in (*walked.memories, *walked.constraints)],
        "recall": [hit.memory.content for hit in recall(reader, question).hits],
        "session": began.text.splitlines(),
    }


def has(lines: list[str], end: str) -> bool:
    return any(re.search(f"{end}$", line) for line in lines)


def check(graph: Workspace, effect: Told, new: bool) -> None:
    """The new is told and the old is not, or the other way round."""
    with graph.read() as reader:
        ways = told(reader, effect.question)
    for way, lines in ways.items():
        for end in effect.new:
            assert has(lines, end) == new, f"{way}: {end!r} in {lines}"
        for end in effect.old:
            assert has(lines, end) != new, f"{way}: {end!r} in {lines}"


def test_every_operation_is_told_of_or_is_known_to_say_nothing() -> None:
    assert set(EFFECTS) | STEERING | SAY_NOTHING == set(CATALOG)


@pytest.mark.parametrize("name", sorted(EFFECTS))
def test_what_an_operation_decides_is_told_and_undo_takes_it_back(
    graph: Workspace, kind: str, name: str
) -> None:
    if kind in SAMPLES[name].refused_on:
        pytest.skip("this generation has no room for it")
    tell_all(graph)
    payload, first = prepare(graph, name), EFFECTS[name].first
    if first is not None:
        payload = first[1]
        graph.write("Before", lambda w: control.apply(w, first[0], payload, force=True))
    graph.write("Do", lambda w: control.apply(w, name, payload, force=True))
    check(graph, EFFECTS[name], new=True)
    graph.undo()
    check(graph, EFFECTS[name], new=False)
    graph.redo()
    check(graph, EFFECTS[name], new=True)


def test_what_is_outdated_stays_untold_however_often_it_is_asked_for(graph: Workspace) -> None:
    # m-1 rests on nothing but v-six, which was superseded.
    for _ in range(3):
        with graph.read() as reader:
            ways = told(reader, "Tide API run starts")
        assert not any(has(lines, "The run starts at seven") for lines in ways.values()), ways


def tell_all(graph: Workspace) -> None:
    """Have each value of the world written once, as if it had been set here."""
    def touch(writer: object) -> None:
        writer.update_where("entity_attributes", "agent_id = :agent", {"updated_at": "2026-03-16"})
    graph.write("Touch", touch)


@pytest.mark.parametrize(("name", "brings"), [
    ("pin_entity", True), ("unpin_entity", False), ("mute_entity", False),
    ("unmute_entity", True)])
def test_a_pin_and_a_mute_hold_where_nothing_is_asked(
    graph: Workspace, kind: str, name: str, brings: bool
) -> None:
    tell_all(graph)
    subject, words = {
        "pin_entity": ("e-harbor", "Never deploy on Friday"),
        "unpin_entity": ("e-harbor", "Never deploy on Friday"),
    }.get(name, ("e-tide", "100 a minute"))
    first: dict[str, Callable[..., object]] = {
        "unpin_entity": lambda w: control.apply(w, "pin_entity", {"entity": subject}),
        "unmute_entity": lambda w: (
            control.apply(w, "pin_entity", {"entity": subject}),
            control.apply(w, "mute_entity", {"entity": subject})),
        "mute_entity": lambda w: control.apply(w, "pin_entity", {"entity": subject}),
    }
    if name in first:
        graph.write("Before", first[name])
    graph.write("Do", lambda w: control.apply(w, name, {"entity": subject}))
    for expected in (brings, not brings):
        with graph.read() as reader:
            walked = walk(reader, resolve(reader, Signals(), Settings().traversal),
                          Settings().traversal)
            began = start(reader, Signals(), Settings()).text.splitlines()
        lines = [each.content for each in (*walked.memories, *walked.constraints)]
        assert has(lines, words) == expected, lines
        # What rests on no focal entity comes to a session by its weight: a pin brings, and what
        # is muted never comes.
        if name in ("pin_entity", "mute_entity", "unmute_entity"):
            assert has(began, words) or not expected, began
        if name in ("mute_entity", "unmute_entity"):
            assert has(began, words) == expected, began
        graph.undo()


TASK_ENDS: dict[str, dict[str, object]] = {
    "done": {"status": "done"}, "cancelled": {"status": "cancelled"},
    "expired": {"expires_at": "2026-01-01"},
}
LONG_AGO = "2026-01-02T00:00:00.000Z"


@pytest.mark.parametrize("end", sorted(TASK_ENDS))
def test_a_task_that_has_ended_is_told_no_more_once_it_is_put_away(
    graph: Workspace, kind: str, end: str
) -> None:
    if kind == "signet-030":
        pytest.skip("this generation archives no entities")
    tell_all(graph)
    question, settings = "Tides API limits", MaintenanceSettings()
    words = r"60 a minute( \(outdated: the task Tides API .*\))?"
    graph.write("End", lambda w: control.apply(
        w, "update_task", {"entity": "Tides API", **TASK_ENDS[end]}))
    graph.write("Expire", lambda w: task_expiry.expire(w, settings))
    graph.write("Time passes", lambda w: w.update(
        "task_meta", "e-tides", completed_at=LONG_AGO, retention_until=LONG_AGO))
    graph.write("Put away", lambda w: task_expiry.release(w, settings))
    for expected in (False, True):
        with graph.read() as reader:
            ways = told(reader, question)
        for way, lines in ways.items():
            assert has(lines, words) == expected, f"{way}: {lines}"
        graph.undo()


@pytest.mark.parametrize("name", sorted(EFFECTS))
def test_a_proposal_is_told_once_it_is_applied_and_never_where_it_is_rejected(
    graph: Workspace, kind: str, name: str
) -> None:
    if kind == "signet-030" or kind in SAMPLES[name].refused_on:
        pytest.skip("this generation has no room for it")
    tell_all(graph)
    payload, first = prepare(graph, name), EFFECTS[name].first
    if first is not None:
        payload = first[1]
        graph.write("Before", lambda w: control.apply(w, first[0], payload, force=True))
    waiting = graph.write("Propose", lambda w: control.propose(
        w, name, payload, force=True)).result
    check(graph, EFFECTS[name], new=False)
    graph.write("Reject", lambda w: proposals.reject_proposal(w, waiting))
    check(graph, EFFECTS[name], new=False)
    graph.undo()
    graph.write("Apply", lambda w: proposals.apply_proposal(w, waiting))
    check(graph, EFFECTS[name], new=True)
    graph.undo()
    check(graph, EFFECTS[name], new=False)


def test_a_finished_task_is_not_told_as_open(graph: Workspace, kind: str) -> None:
    if kind == "signet-030":
        pytest.skip("this generation stores no claims under a key")

    def begin(writer: Writer) -> None:
        control.apply(writer, "open_task", {"name": "Paint the hull"}, force=True)
        control.apply(writer, "set_claim_value", {
            "entity": "Paint the hull", "aspect": "Plan", "claim": "colour",
            "value": "the hull becomes red"}, force=True)
        control.apply(writer, "set_claim_value", {
            "entity": "Paint the hull", "aspect": "Plan", "claim": "rule", "kind": "constraint",
            "value": "Nobody steps on the wet hull"}, force=True)

    graph.write("Begin", begin)
    question = "How do we paint the hull?"
    for finished in (False, True, False):
        with graph.read() as reader:
            walked = walk(reader, resolve(reader, Signals(query=question), Settings().traversal),
                          Settings().traversal)
            text = start(reader, Signals(query=question), Settings()).text
            hits = [hit.marked_text for hit in recall(reader, question).hits]
        rules = [each.content for each in walked.constraints]
        assert ("Nobody steps on the wet hull" in rules) != finished
        assert ("- [Paint the hull] Nobody" in text) != finished
        for lines in ([each.marked_text for each in walked.memories], text.splitlines(), hits):
            plans = [line for line in lines if "becomes red" in line]
            assert plans
            assert all(("the task Paint the hull was “open”" in line) == finished
                       for line in plans), plans
        if finished:
            graph.undo()
        else:
            graph.write("Done", lambda w: control.apply(
                w, "update_task", {"task": "Paint the hull", "status": "done"}, force=True))
