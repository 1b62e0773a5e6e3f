"""What notes say under headings, as properties and as their first words is told while it holds."""

from contextlib import closing
from pathlib import Path

import pytest

from core.queries.descriptions import told_description
from core.queries.entities import entity_in_full
from core.workspace import Workspace
from explorer.mcp.entity_page import entity_page
from tests.explorer.conftest import Run

OLD, NEW = "Insurance ends on 31 March 2027.", "Insurance ends on 30 June 2028"
NOTES = {
    "Mira.md": "# Mira\n\n## Birthday\n\n3 May 1988\n\n## tasks\n\n- [ ] buy a present\n",
    "Boat.md": f"---\nowner: Mira\nlength: 9.2 m\n---\n# Seagull\n\n{OLD}\n\nBerth in Ostvik.\n",
}
NOTHING = "Nothing fits"


@pytest.fixture
def notes(tmp_path: Path, run: Run) -> Path:
    """A graph of two notes."""
    folder = tmp_path / "notes"
    folder.mkdir()
    for name, words in NOTES.items():
        (folder / name).write_text(words, encoding="utf-8")
    graph = tmp_path / "n.db"
    assert run("new", graph).code == 0
    assert run("import", folder, "--store", graph).code == 0
    return graph


def recalled(notes: Path, run: Run, question: str) -> tuple[bool, list[str]]:
    """Whether anything fits, and the lines of the hits."""
    lines = run("recall", question, "--store", notes).out.splitlines()
    head = next(at for at, line in enumerate(lines) if line.startswith("score"))
    return not any(NOTHING in line for line in lines), lines[head + 1:]


def is_answered(notes: Path, run: Run, question: str, words: str) -> None:
    fits, hits = recalled(notes, run, question)
    assert fits
    assert words in hits[0]


@pytest.mark.parametrize("question", [
    "When is Mira's birthday?", "What is Mira's birthday?", "Mira birthday", "When was Mira born?"])
def test_a_heading_says_what_the_text_below_it_is(
    notes: Path, run: Run, question: str
) -> None:
    is_answered(notes, run, question, "3 May 1988")


@pytest.mark.parametrize("question", [
    "who owns Seagull", "who is the owner of Seagull", "Who is Seagull's owner?",
    "who owns the boat"])
def test_the_owner_is_found_by_any_name_of_what_is_owned(
    notes: Path, run: Run, question: str
) -> None:
    is_answered(notes, run, question, "owner: Mira")


def test_who_maintains_a_thing_is_told_to_who_asks_for_its_owner(
    graph: Path, run: Run
) -> None:
    run("ontology", "link", "create", "Ines Duarte", "maintains", "settlement job",
        "--store", graph)
    run("remember", "--text", "Lena shadows Robin on the settlement job until the new year.",
        "--store", graph)
    _, hits = recalled(graph, run, "Who owns the settlement job?")
    assert "Ines Duarte maintains settlement job" in hits[0]


def test_what_is_not_there_is_still_not_answered(notes: Path, run: Run) -> None:
    assert not recalled(notes, run, "What is Mira's surname?")[0]
    assert not recalled(notes, run, "When is Petra's birthday?")[0]


def test_a_corrected_value_is_told_by_no_description_either(notes: Path, run: Run) -> None:
    questions = ("until when is the boat insured", "What is Boat?", "boat insurance")

    def told() -> list[str]:
        return [run(*words, question, "--store", notes).out for question in questions
                for words in (("recall",), ("session", "start", "-q"))]

    assert all(OLD in each for each in told())
    assert run("ontology", "claim", "supersede", "Boat", "Insurance ends", "--value", NEW,
               "--store", notes).code == 0
    assert [each for each in told() if OLD in each] == []
    assert all(NEW in each for each in told())
    assert run("undo", "--store", notes).code == 0
    assert all(OLD in each for each in told())


def test_no_door_tells_an_agent_a_description_that_no_longer_holds(
    notes: Path, run: Run
) -> None:
    run("ontology", "claim", "supersede", "Boat", "Insurance ends", "--value", NEW,
        "--store", notes)
    with closing(Workspace.open(notes)) as workspace, workspace.read() as reader:
        page, text = entity_page(reader, "Boat")
        assert (OLD in text, OLD in str(page), NEW in text) == (False, False, True)
        owner = entity_in_full(reader, page["entity"]["id"], "Boat")
        assert owner.description == OLD, "as it is kept"
        assert told_description(reader, owner.id, owner.description) == ""


def test_until_when_asks_for_what_holds(notes: Path, run: Run) -> None:
    run("ontology", "claim", "supersede", "Boat", "Insurance ends", "--value", NEW,
        "--store", notes)
    _, hits = recalled(notes, run, "until when is the boat insured")
    assert NEW in hits[0]
    assert not any("Past:" in hit for hit in hits)
    _, hits = recalled(notes, run, "Until when was the boat insured?")
    assert any(OLD in hit for hit in hits)
