"""No two opposite rules: a new one replaces the old one, or a person is asked and it is marked."""

import json
from collections.abc import Iterator
from contextlib import closing
from io import BytesIO
from pathlib import Path
from typing import Any

import pytest

from core.ingest.payload import Remembered
from core.ingest.remember import remember
from core.learning.config import SupersessionSettings
from core.learning.rule_reversal_wording import reverses, rule_sentences, states_rule
from core.maintenance.rounds import supersede
from core.model.dispute import Dispute
from core.model.ingest_results import RememberReport
from core.ontology import control
from core.ontology.proposals import apply_proposal, reject_proposal
from core.recall.hybrid import recall
from core.session.start import start
from core.settings import Settings
from core.transfer.mcp_import import import_mcp
from core.transfer.read_mcp_file import read_mcp
from core.traversal.focal import resolve
from core.traversal.focal_signals import Signals
from core.traversal.walk import walk
from core.workspace import Workspace
from tests.contracts.files import make

RULE, REVERSED = "No deploys on Fridays after 14:00", "Deploys on Fridays are allowed"
QUESTION = "Tide API deploys on Fridays"
CLAIM = {"entity": "Tide API", "aspect": "release", "group_key": "release", "claim_key": "freeze",
         "kind": "constraint"}


@pytest.fixture(params=["native", "signet-071"])
def graph(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Workspace]:
    with closing(make(request.param, tmp_path / "graph.db", tmp_path / "data")) as workspace:
        workspace.write("Rule", lambda w: control.apply(
            w, "set_claim_value", {**CLAIM, "value": RULE}))
        yield workspace


def say(graph: Workspace, content: str, actor: str = "operator", **payload: Any) -> RememberReport:
    read = Remembered.read({"content": content, **payload})
    return graph.write("Remember", lambda w: remember(w, read), actor=actor).result


def in_slot(value: str, **more: object) -> list[dict[str, object]]:
    return [{"entityName": "Tide API", "aspect": "release", "attributes": [
        {"content": value, "groupKey": "release", "claimKey": "freeze", "kind": "constraint",
         **more}]}]


def lines(graph: Workspace) -> list[str]:
    """What a session that asks about it is told, line by line."""
    with graph.read() as reader:
        return start(reader, Signals(query=QUESTION), Settings()).text.splitlines()


def told(graph: Workspace) -> dict[str, str]:
    """How the start of a session tells the two: `as it is`, `disputed`, or not at all."""
    state = {}
    for line in lines(graph):
        for name, value in (("old", RULE), ("new", REVERSED)):
            if line.endswith(value):
                state.setdefault(name, "disputed" if "[disputed" in line else "as it is")
    return state


WAITING = {"old": "disputed", "new": "as it is"}
AGAINST_A_PERSON = {"old": "as it is", "new": "disputed"}
ONLY_OLD, ONLY_NEW = {"old": "as it is"}, {"new": "as it is"}


def dispute(graph: Workspace, way: str) -> Dispute:
    """Say the reverse in one of the ways by which claims come in."""
    if way == "text":
        one = next(one for one in say(
            graph, REVERSED, entities=[{"name": "Tide API"}]).disputes if one.older == RULE)
    elif way == "no slot":
        (one,) = say(graph, "Notes of the meeting", aspects=[{
            "entityName": "Tide API", "aspect": "habits", "attributes": [
                {"content": REVERSED, "kind": "constraint"}]}]).disputes
    elif way == "agent":
        (one,) = say(graph, "Notes", "claude-code", aspects=in_slot(REVERSED)).disputes
    elif way == "claim set":
        result = graph.write("Set", lambda w: control.apply(w, "set_claim_value", {
            **CLAIM, "claim_key": "window", "value": REVERSED})).result.result
        (one,) = (Dispute(**each) for each in result["disputes"])
    else:
        entity = {"type": "entity", "name": "Tide API", "entityType": "service",
                  "observations": [REVERSED]}
        file = read_mcp(BytesIO(json.dumps(entity).encode()))
        (one,) = graph.write("Import", lambda w: import_mcp(w, file)).result.disputes
    return one


def waiting(way: str) -> dict[str, str]:
    """How the two are told until the person decides: what they said themselves is not marked."""
    return AGAINST_A_PERSON if way == "agent" else WAITING


WAYS = ("text", "no slot", "agent", "claim set", "import")


@pytest.mark.parametrize("way", WAYS)
def test_what_looks_like_a_reversal_waits_for_a_person_with_both_texts(
    graph: Workspace, way: str
) -> None:
    one = dispute(graph, way)
    assert (one.older, one.newer) == (RULE, REVERSED)
    with graph.read() as reader:
        row = reader.row("SELECT * FROM ontology_proposals WHERE id = :id", id=one.proposal_id)
    assert row["status"] == "pending"
    assert RULE in row["evidence"]
    assert REVERSED in row["evidence"]
    assert told(graph) == waiting(way)
    graph.undo()
    assert told(graph) == ONLY_OLD


@pytest.mark.parametrize("way", WAYS)
def test_approved_the_older_is_told_no_longer(graph: Workspace, way: str) -> None:
    one = dispute(graph, way)
    graph.write("Apply", lambda w: apply_proposal(w, one.proposal_id))
    assert told(graph) == ONLY_NEW
    graph.undo()
    assert told(graph) == waiting(way)
    graph.redo()
    assert told(graph) == ONLY_NEW


@pytest.mark.parametrize("way", WAYS)
def test_rejected_the_newer_is_told_no_longer(graph: Workspace, way: str) -> None:
    one = dispute(graph, way)
    graph.write("Reject", lambda w: reject_proposal(w, one.proposal_id))
    assert told(graph) == ONLY_OLD
    graph.undo()
    assert told(graph) == waiting(way)
    graph.redo()
    assert told(graph) == ONLY_OLD


def test_both_are_told_unmarked_where_a_person_says_that_both_hold(graph: Workspace) -> None:
    one = dispute(graph, "no slot")
    graph.write("Reject", lambda w: reject_proposal(w, one.proposal_id, both_hold=True))
    assert told(graph) == {"old": "as it is", "new": "as it is"}
    graph.undo()
    assert told(graph) == WAITING


def test_a_pair_that_holds_is_not_asked_about_again(graph: Workspace) -> None:
    one = dispute(graph, "no slot")
    graph.write("Reject", lambda w: reject_proposal(w, one.proposal_id, both_hold=True))
    assert supersede(SupersessionSettings())(graph, False).changed == 0


def test_maintenance_asks_about_two_opposite_rules_once(graph: Workspace) -> None:
    dispute(graph, "no slot")
    graph.write("Forget that it was asked", lambda w: w.delete_where(
        "ontology_proposals", "status = 'pending'"))
    assert told(graph) == {"old": "as it is", "new": "as it is"}
    chore = supersede(SupersessionSettings())
    assert chore(graph, False).details == (
        f"“{REVERSED}” seems to take back “{RULE}”: to be decided under proposals",)
    assert told(graph) == WAITING
    assert chore(graph, False).changed == 0


def test_a_persons_own_word_in_the_claim_replaces_the_rule(graph: Workspace) -> None:
    report = say(graph, "Notes of the meeting", aspects=in_slot(REVERSED))
    assert (report.attributes_superseded, report.disputes) == (1, ())
    assert report.replaced_constraints == (RULE,)
    assert told(graph) == ONLY_NEW
    graph.undo()
    assert told(graph) == ONLY_OLD


def test_the_walk_and_recall_mark_a_disputed_rule(graph: Workspace) -> None:
    one = dispute(graph, "no slot")
    settings = Settings().traversal
    with graph.read() as reader:
        walked = walk(reader, resolve(reader, Signals(query=QUESTION), settings), settings)
        hits = recall(reader, QUESTION).hits
    marks = {each.content: each.disputed for each in walked.constraints}
    assert (marks[RULE], marks[REVERSED]) == (one, None)
    assert [each.content for each in walked.constraints if "Friday" in each.content] == [
        REVERSED, RULE]
    found = {hit.memory.content.partition(": ")[2]: hit.disputed for hit in hits}
    assert (found[RULE], found[REVERSED]) == (one, None)


def test_an_older_memory_takes_back_nothing(graph: Workspace) -> None:
    report = say(graph, REVERSED, created_at="2020-01-01")
    assert report.disputes == ()


def test_the_rule_of_another_service_is_not_meant(graph: Workspace) -> None:
    report = say(graph, f"{REVERSED} for Tides API")
    assert RULE not in {one.older for one in report.disputes}


def test_an_agents_value_for_a_rule_in_force_becomes_a_proposal(graph: Workspace) -> None:
    outcome = graph.write("Set", lambda w: control.apply(
        w, "set_claim_value", {**CLAIM, "value": REVERSED}, force=True), actor="codex").result
    assert outcome.status == "pending"
    assert told(graph) == ONLY_OLD
    graph.write("Apply", lambda w: apply_proposal(w, outcome.proposal_id))
    assert told(graph) == ONLY_NEW


@pytest.fixture
def old(tmp_path: Path) -> Iterator[Workspace]:
    """A file from before proposals and claims, with the rule in it."""
    with closing(make("signet-030", tmp_path / "old.db", tmp_path / "data")) as workspace:
        say(workspace, "A plan", aspects=in_slot(RULE))
        yield workspace


def say_reverse(old: Workspace, way: str) -> Dispute:
    """As an agent does, in plain words or in a claim."""
    report = (say(old, REVERSED, "codex", entities=[{"name": "Tide API"}]) if way == "text"
              else say(old, "Notes", "codex", aspects=in_slot(REVERSED)))
    return next(one for one in report.disputes if one.older == RULE)


@pytest.mark.parametrize("way", ["text", "structured"])
@pytest.mark.parametrize(("goes", "left"), [("older_id", ONLY_NEW), ("newer_id", ONLY_OLD)])
def test_a_file_without_proposals_marks_the_older_rule_until_one_is_archived(
    old: Workspace, way: str, goes: str, left: dict[str, str]
) -> None:
    one = say_reverse(old, way)
    assert (one.older, one.newer, one.proposal_id) == (RULE, REVERSED, "")
    assert told(old) == WAITING
    old.write("Archive", lambda w: control.apply(
        w, "archive_claim_value", {"attribute_id": getattr(one, goes)}, force=True))
    assert told(old) == left
    old.undo()
    assert told(old) == WAITING
    old.undo()
    assert told(old) == ONLY_OLD
    old.redo()
    assert told(old) == WAITING


def test_a_file_without_proposals_asks_once_and_stays_as_signet_made_it(
    old: Workspace, tmp_path: Path
) -> None:
    say_reverse(old, "text")
    assert supersede(SupersessionSettings())(old, False).changed == 0
    with old.read() as reader:
        assert reader.value(
            "SELECT count(*) FROM side.disputed_values d JOIN entity_attributes v"
            " ON v.id = d.older_id AND v.content = :rule", rule=RULE) == 1
        assert not reader.rows("SELECT 1 FROM main.sqlite_master WHERE name = 'disputed_values'")
    with closing(Workspace.open(old.path, data_dir=tmp_path / "data")) as other:
        assert told(other) == WAITING


@pytest.mark.parametrize(("new", "rule"), [
    ("We no longer require two approvals", "Every release needs two approvals"),
    ("Two approvals are optional now", "Every release needs two approvals"),
    ("Deploys on Friday afternoons are allowed", RULE),
    ("Deploys on Fridays are allowed", "Never deploy on Friday"),
    ("No deploys on Fridays after 16:00", RULE),
    ("Postings may be edited",
     "A posting is never edited or deleted, only reversed by a second posting"),
    ("Payouts above 250,000 euro are allowed without a second signature",
     "No single payout above 250,000 euro without a second signature"),
    ("Deploys on Friday afternoons are allowed since the rollback is automatic", RULE),
    ("Since nobody waits any more, deploys on Fridays are allowed", RULE),
    ("Friday afternoon deploys are fine because the rollback takes a second", RULE),
    ("Force pushes to main are allowed again", "Never force push to main. Ask the owner first."),
])
def test_a_reversal_is_recognised(new: str, rule: str) -> None:
    assert states_rule(new)
    assert reverses(new, rule)


@pytest.mark.parametrize(("new", "rule"), [
    ("Deploys on Mondays are allowed", RULE),
    ("Tests on Mondays are allowed since deploys on Fridays are over", RULE),
    ("Payouts above 10 euro are allowed", "No meeting after 10 without an agenda"),
    ("No deploys between 23:00 and 04:30 UTC", RULE),
    ("Never deploy on Friday", "No deploys on Fridays"),
    ("Two approvals are required for releases", "Every release needs two approvals"),
    ("It never connects to a production host",
     "A shell on a production host has a red background"),
    ("Tests run before a commit, not after",
     "Never runs anything that talks to the bank, not even the test system"),
])
def test_rules_that_both_hold_are_left_alone(new: str, rule: str) -> None:
    assert reverses(new, rule) is None


@pytest.mark.parametrize("text", [
    "We deployed on a Friday", "Are deploys on Fridays allowed?", "The run starts at seven"])
def test_what_states_no_rule_is_not_looked_at(text: str) -> None:
    assert list(rule_sentences(text)) == []


@pytest.mark.parametrize("facts", [
    ["A visitor said: 'I don't like lentils.' This is a clear wish, remember it for each plan.",
     "A visitor said: 'I do love noodles.' This is a clear wish, remember it for each plan."],
    ["Each drawer now has its own number", "Each drawer has its own key"],
    ["Moved the green crates from the barn to the loft", "Moved the chairs to the porch"],
    ["Uses parts[0] as the head", "Uses parts[1] for the tail"],
    ["Deploys on Mondays are allowed", "No deploys on Fridays", "No deploys in July"],
])
def test_maintenance_retires_nothing_of_facts_that_are_no_opposites(
    graph: Workspace, facts: list[str]
) -> None:
    entity = {"type": "entity", "name": "Notebook", "entityType": "note", "observations": facts}
    graph.write("Import", lambda w: import_mcp(w, read_mcp(BytesIO(json.dumps(entity).encode()))))
    assert supersede(SupersessionSettings())(graph, False).changed == 0
    with graph.read() as reader:
        rows = reader.rows("SELECT v.status FROM entity_attributes v WHERE v.content IN"
                           " (SELECT value FROM json_each(:facts))", facts=facts)
    assert [row["status"] for row in rows] == ["active"] * len(facts)
