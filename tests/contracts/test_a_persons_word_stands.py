"""What a person wrote or applied is what is told, until a person decides otherwise."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from core.ingest.payload import Remembered
from core.ingest.remember import remember
from core.ontology import control
from core.ontology.proposals import apply_proposal, reject_proposal
from core.queries.values_by_words import value_by_words
from core.recall.hybrid import recall
from core.review.unseen_writes_inbox import inbox
from core.session.start import start
from core.settings import Settings
from core.traversal.focal import resolve
from core.traversal.focal_signals import Signals
from core.traversal.walk import walk
from core.workspace import Workspace
from tests.templates import copy_graph, nothing

BOT = "claude via MCP"
HOME = {"entity": "Jonas", "aspect": "contact", "claim_key": "residence"}
BERGEDORF, BERLIN = "Lives in Bergedorf", "Lives in Berlin"


@pytest.fixture
def graph(tmp_path: Path) -> Iterator[Workspace]:
    graph = Workspace.open(copy_graph(nothing, tmp_path / "graph.db"))
    graph.write("Jonas", lambda w: control.apply(
        w, "set_claim_value", {**HOME, "value": BERGEDORF}))
    yield graph
    graph.close()


def told(graph: Workspace, entity: str = "Jonas") -> list[str]:
    """What a walk from the entity tells, in its order."""
    settings = Settings().traversal
    with graph.read() as reader:
        found = walk(reader, resolve(reader, Signals(f"What about {entity}?"), settings), settings)
        return [each.content.rsplit(": ", 1)[-1] for each in (*found.constraints, *found.memories)]


def pending(graph: Workspace) -> list[tuple[str, str]]:
    with graph.read() as reader:
        return [(row["id"], row["operation"]) for row in reader.rows(
            "SELECT id, operation FROM ontology_proposals WHERE agent_id = :agent"
            " AND status = 'pending' ORDER BY created_at, id")]


def say(graph: Workspace, value: str, *, actor: str = "you", about: str = "Jonas",
        content: str = "", **more: object) -> None:
    """Remember a value of an entity."""
    said = Remembered.read({"content": content or value, "aspects": [{
        "entityName": about, "aspect": "contact", "attributes": [{"content": value, **more}]}]})
    graph.write("Remember", lambda w: remember(w, said), actor=actor)


def test_an_agent_that_sets_a_persons_claim_proposes_it(graph: Workspace) -> None:
    outcome = graph.write("Set", lambda w: control.apply(
        w, "set_claim_value", {**HOME, "value": BERLIN}), actor=BOT).result
    assert outcome.status == "pending"
    assert told(graph) == [BERGEDORF]
    graph.write("Apply", lambda w: apply_proposal(w, outcome.proposal_id))
    assert told(graph) == [BERLIN]


def test_an_agent_that_remembers_something_else_of_a_persons_claim_proposes_it(
    graph: Workspace
) -> None:
    say(graph, BERLIN, actor=BOT, claimKey="residence", content="Met Jonas")
    [(proposal, operation)] = pending(graph)
    assert operation == "set_claim_value"
    assert set(told(graph)) == {"Met Jonas", BERGEDORF}
    graph.write("Apply", lambda w: apply_proposal(w, proposal))
    assert set(told(graph)) == {"Met Jonas", BERLIN}


@pytest.mark.parametrize("holds", ["the person's", "the agent's"])
def test_what_seems_to_contradict_a_persons_word_is_asked_about(
    graph: Workspace, holds: str
) -> None:
    mine, its = "likes spicy food", "does not like spicy food"
    say(graph, "Jonas likes tea")
    graph.write("Correct", lambda w: control.batch(w, [{
        "operation": "supersede_claim_value", "payload": {
            "entity": "Jonas", "old_value": "Jonas likes tea", "new_value": mine}}]))
    say(graph, its, actor=BOT)
    assert {mine, its} <= set(told(graph))
    [(dispute, operation)] = pending(graph)
    assert operation == "supersede_claim_value"
    decide = reject_proposal if holds == "the person's" else apply_proposal
    graph.write("Decide", lambda w: decide(w, dispute))
    assert set(told(graph)) & {mine, its} == {mine if holds == "the person's" else its}


def test_what_a_person_sets_over_their_own_word_is_told_at_once(graph: Workspace) -> None:
    graph.write("Set", lambda w: control.apply(w, "set_claim_value", {**HOME, "value": BERLIN}))
    assert told(graph) == [BERLIN]
    assert not pending(graph)


def test_an_agents_own_value_is_replaced_by_its_next(graph: Workspace) -> None:
    for value in ("Call after six", "Call after eight"):
        outcome = graph.write("Set", lambda w, value=value: control.apply(
            w, "set_claim_value", {**HOME, "claim_key": "calls", "value": value}),
            actor=BOT).result
        assert outcome.status == "applied"
    assert set(told(graph)) == {BERGEDORF, "Call after eight"}


def test_what_a_person_applies_is_told_before_what_nobody_decided(graph: Workspace) -> None:
    proposal = graph.write("Propose", lambda w: control.propose(
        w, "set_claim_value", {**HOME, "claim_key": "phone", "value": "Phone is 222"},
        confidence=0.0), actor=BOT).result
    say(graph, "Reads mail on Mondays", actor=BOT)
    graph.write("Apply", lambda w: apply_proposal(w, proposal))
    assert set(told(graph)[:2]) == {BERGEDORF, "Phone is 222"}


@pytest.mark.parametrize("there", [False, True])
def test_a_link_that_a_person_applies_is_walked(graph: Workspace, there: bool) -> None:
    graph.write("Boat", lambda w: control.apply(w, "set_claim_value", {
        "entity": "Kittiwake", "aspect": "hull", "claim_key": "colour", "value": "Painted red"}))
    link = {"source_entity": "Jonas", "target_entity": "Kittiwake", "link_type": "maintains"}
    if there:
        graph.write("Link", lambda w: control.apply(w, "create_link", {**link, "strength": 0.9}))
    proposal = graph.write("Propose", lambda w: control.propose(
        w, "create_link", {**link, "reason": "since May"}, confidence=0.0), actor=BOT).result
    graph.write("Apply", lambda w: apply_proposal(w, proposal))
    assert "Painted red" in told(graph)
    with graph.read() as reader:
        strength, confidence = reader.row(
            "SELECT strength, confidence FROM entity_dependencies WHERE agent_id = :agent") or ()
    assert (strength, confidence) == (0.9 if there else 0.5, 1.0)


@pytest.mark.parametrize("new", [None, "Launch date is 12 April 2027"])
def test_an_agent_can_propose_to_correct_or_retire_a_fact_without_a_key(
    graph: Workspace, new: str | None
) -> None:
    say(graph, "Launch date is 1 March 2027", about="Tidepool")
    given = {"entity": "Tidepool", "old_value": "Launch date is 1 March 2027"}
    outcome = graph.write("Propose", lambda w: control.batch(w, [
        {"operation": "supersede_claim_value",
         "payload": {**given, **({"new_value": new} if new else {})}}], "propose"),
        actor=BOT).result.items[0]
    graph.write("Apply", lambda w: apply_proposal(w, outcome.proposal_id))
    assert told(graph, "Tidepool") == ([new] if new else [])


def test_the_reason_why_a_person_archived_a_fact_is_told_with_what_else_its_memory_says(
    graph: Workspace
) -> None:
    both = "Jonas lives in Altona and plays chess"
    for value in ("Lives in Altona", "Plays chess"):
        say(graph, value, content=both)
    archive = {"attribute_id": None, "reason": "He moved in October"}
    graph.write("Archive", lambda w: control.apply(w, "archive_claim_value", {
        **archive, "attribute_id": value_by_words(w, "Jonas", "Lives in Altona")["id"]}))
    with graph.read() as reader:
        told = [hit.marked_text for hit in recall(reader, "Where did Jonas live before?").hits]
    assert [text for text in told if text.endswith("in its place now: He moved in October)")]
    graph.write("Archive", lambda w: control.apply(w, "archive_claim_value", {
        **archive, "attribute_id": value_by_words(w, "Jonas", "Plays chess")["id"]}))
    with graph.read() as reader:
        told = [hit.marked_text for hit in recall(reader, "Where did Jonas live before?").hits]
    assert not [text for text in told if "Altona" in text]


@pytest.mark.parametrize("kind", ["attribute", "constraint"])
def test_what_an_agent_says_against_a_person_is_marked_until_the_person_decides(
    graph: Workspace, kind: str
) -> None:
    rule = kind == "constraint"
    old, new, topic = (
        ("Never deploy on Fridays", "Deploys on Fridays are allowed", "deploy on Fridays")
        if rule else ("Lives in Durlach", "Lives in Pforzheim", "Oma Hilde live"))
    graph.write("Say", lambda w: control.apply(w, "add_claim_value", {
        "entity": "Oma Hilde", "aspect": "contact", "claim_key": "word", "kind": kind,
        "value": old}))
    graph.write("Free", lambda w: w.update_where(
        "entity_attributes", "content = :old", {"claim_key": None}, old=old))
    said = f"Oma Hilde: {new}"
    say(graph, new, actor=BOT, about="Oma Hilde", content=said, kind=kind)
    mark = f"disputed; a person said: “{old}”]"

    def texts() -> dict[str, list[str]]:
        settings, signals = Settings(), Signals(query=f"What about Oma Hilde, {topic}?")
        with graph.read() as reader:
            hits = recall(reader, f"Where does {topic}?").hits
            walked = walk(reader, resolve(reader, signals, settings.traversal), settings.traversal)
            return {"recall": [hit.marked_text for hit in hits],
                    "walk": [each.marked_text for each in (
                        *walked.constraints, *walked.memories)],
                    "session": start(reader, signals, settings).text.splitlines()}

    for door, lines in texts().items():
        mine = [line for line in lines if line.endswith(old)]
        theirs = [line for line in lines if line.endswith(new)]
        assert mine, (door, lines)
        assert theirs, (door, lines)
        assert not any("disputed" in line for line in mine), (door, lines)
        assert all(mark in line for line in theirs), (door, lines)
    ((proposal, _),) = pending(graph)
    graph.write("No", lambda w: reject_proposal(w, proposal))
    assert not any(new in line for lines in texts().values() for line in lines)
    with graph.read() as reader:
        (item,) = (one for one in inbox(reader).items if one.kind == "memory")
    assert (item.text, item.turned_down) == (said, old)


def test_a_memory_that_tells_a_persons_claim_otherwise_is_marked(graph: Workspace) -> None:
    say(graph, BERLIN, actor=BOT, content="Jonas lives in Berlin", claimKey="residence")

    def berlin() -> list[str]:
        with graph.read() as reader:
            return [hit.marked_text for hit in recall(reader, "Where does Jonas live?").hits
                    if "Jonas lives in Berlin" in hit.marked_text]

    marked = [f"[disputed; a person said: “{BERGEDORF}”] Jonas lives in Berlin"]
    assert berlin() == marked
    ((proposal, _),) = pending(graph)
    graph.write("No", lambda w: reject_proposal(w, proposal))
    assert berlin() == marked
    graph.write("Moved", lambda w: control.apply(w, "set_claim_value", {**HOME, "value": BERLIN}))
    assert not any("disputed" in text for text in berlin())


def test_what_a_person_remembers_is_their_word_too(graph: Workspace) -> None:
    say(graph, "Works at the pier", actor="operator", claim_key="work")
    say(graph, "Works at the mill", actor=BOT, claim_key="work",
        content="Jonas has changed his work.")
    assert [operation for _, operation in pending(graph)] == ["set_claim_value"]
    assert "Works at the pier" in told(graph)
    with graph.read() as reader:
        hits = recall(reader, "Where does Jonas work?").hits
        assert "Works at the mill" not in {hit.memory.content for hit in hits}
    graph.undo()
    say(graph, "Works at the mill", actor="operator", claim_key="work")
    assert not pending(graph)
    assert "Works at the mill" in told(graph)


def test_what_another_program_remembers_is_no_persons_word(graph: Workspace) -> None:
    say(graph, "Works at the pier", actor="signet", claim_key="work")
    say(graph, "Works at the mill", actor=BOT, claim_key="work")
    assert not pending(graph)
    assert "Works at the mill" in told(graph)
