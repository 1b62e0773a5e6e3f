"""What has been archived is told by no question, not as past either; what was replaced may be."""

import json
from pathlib import Path

import pytest

from tests.explorer.http.callers import caller_on

HELD = {"Opa Werner": ["Died on 4 October 2021"], "Promises": ["I promised Nora a kite",
        "I promised Ben a boat"], "House Lindenweg": ["Garage code 4470"]}


@pytest.fixture
def archived(run, graph: Path) -> Path:
    """A graph in which a person has archived one of each kind."""
    lines = [json.dumps({"type": "entity", "name": name, "entityType": "thing",
                         "observations": said}) for name, said in HELD.items()]
    file = graph.parent / "given.jsonl"
    file.write_text("\n".join(lines), encoding="utf-8")
    for command in (
        ("import", file), ("ontology", "entity", "archive", "Opa Werner"),
        ("ontology", "claim", "archive", "Promises", "I promised Nora"),
        ("ontology", "claim", "supersede", "House Lindenweg", "Garage code 4470", "--value",
         "Garage code 4471"),
    ):
        assert run(*command).code == 0, run(*command).err
    return graph


def told(run, question: str) -> str:
    return "\n".join(run(*command).out for command in (
        ("recall", question), ("session", "start", "-q", question), ("traverse", "-q", question)))


@pytest.mark.parametrize(("question", "gone"), [
    ("When did Opa Werner die?", "October"), ("What did I promise?", "Nora")])
def test_what_a_person_archived_is_not_told_as_past(run, archived: Path, question, gone) -> None:
    assert gone not in told(run, question)
    with caller_on(archived, archived.parent / "data", archived.parent / "tokens.json") as caller:
        assert gone not in str(caller.send("/api/memory/recall", {"query": question}))


def test_what_still_holds_is_told_where_something_else_was_archived(run, archived: Path) -> None:
    assert "Ben a boat" in told(run, "What did I promise?")


def test_what_was_replaced_is_told_as_past_behind_what_holds_and_with_whose_it_is(
    run, archived: Path
) -> None:
    hits = run("recall", "What was the garage code?", "--json").json["hits"]
    assert [(hit["past"], hit["entity"]) for hit in hits[:2]] == [
        (False, "House Lindenweg"), (True, "House Lindenweg")]
    started = run("session", "start", "-q", "What was the garage code?").out
    assert 0 <= started.index("Garage code 4471") < started.index("Past: ")
    before = run("recall", "What was the garage code before?", "--json").json["hits"]
    assert before[0]["past"]


def test_once_a_claim_is_archived_none_of_its_values_is_told(run, archived: Path) -> None:
    assert run("ontology", "claim", "archive", "House Lindenweg", "Garage code 4471").code == 0
    assert "447" not in told(run, "What was the garage code?")


def test_a_corrected_fact_is_told_as_all_others_with_its_entity_alone(run, archived: Path) -> None:
    lines = told(run, "What was the garage code?")
    assert "House Lindenweg: Garage code 4471" in lines
    assert "House Lindenweg: Garage code 4470 (" in lines
    assert "observations" not in lines
