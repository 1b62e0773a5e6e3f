"""What a person corrects is told before an older link, and what still says otherwise is named."""

import json
from pathlib import Path

import pytest

from tests.explorer.conftest import Run

NEW = "Works as a physiotherapist at Reha-Zentrum Süd since December 2026"
LINK = "Katrin Brandt works at Praxis Sonnenhof"


@pytest.fixture
def katrin(graph: Path, run: Run, tmp_path: Path) -> Path:
    lines = [{"type": "entity", "name": name, "entityType": kind, "observations": said}
             for name, kind, said in (
                 ("Katrin Brandt", "person", ["Works as a physio", "Has two cats"]),
                 ("Praxis Sonnenhof", "organization", []),
                 ("Lena", "person", ["Coach is Svenja Ott"]),
                 ("Svenja Ott", "person", ["Svenja Ott plays tennis"]))]
    lines.append({"type": "relation", "from": "Katrin Brandt", "to": "Praxis Sonnenhof",
                  "relationType": "works_at"})
    file = tmp_path / "memory.jsonl"
    file.write_text("\n".join(map(json.dumps, lines)), encoding="utf-8")
    assert run("import", file, "--store", graph).code == 0
    return graph


def supersede(graph: Path, run: Run, value: str, *more: str) -> str:
    done = run("ontology", "claim", "supersede", "Katrin Brandt", "Works as a physio",
               "--value", value, *more, "--store", graph)
    assert done.code == 0, done.err
    return done.err


def test_a_correction_is_told_before_an_older_link_that_says_otherwise(
    katrin: Path, run: Run
) -> None:
    supersede(katrin, run, NEW)
    for question in ("Where does Katrin work?", "Who does Katrin work for?"):
        told = run("session", "start", "-q", question, "--store", katrin).out
        assert NEW in told
        assert LINK not in told.partition(NEW)[0]
        recalled = run("recall", question, "--store", katrin).out
        assert LINK not in recalled.partition(NEW)[0]


def test_the_link_stays_first_without_a_correction_by_a_person(katrin: Path, run: Run) -> None:
    question = "Where does Katrin work?"
    assert LINK in run("session", "start", "-q", question, "--store", katrin).out
    supersede(katrin, run, NEW, "--actor", "claude")
    assert LINK in run("session", "start", "-q", question, "--store", katrin).out


def test_a_value_may_be_named_by_what_it_said_without_its_aspect(katrin: Path, run: Run) -> None:
    done = run("ontology", "claim", "supersede", "Katrin Brandt", "--old-value",
               "Works as a physio", "--value", NEW, "--store", katrin)
    assert done.code == 0, done.err
    assert NEW in run("session", "start", "-q", "Where does Katrin work?", "--store", katrin).out
    nothing = run("ontology", "claim", "supersede", "Katrin Brandt", "--value", NEW,
                  "--store", katrin)
    assert nothing.code != 0
    assert "Claim value not found: Katrin Brandt" in nothing.err


def test_a_correction_names_the_link_that_still_says_otherwise(katrin: Path, run: Run) -> None:
    told = supersede(katrin, run, NEW)
    assert "The link “works at Praxis Sonnenhof” still says otherwise: archive it?" in told
    id = told.rpartition("link archive ")[2].split("”")[0]
    assert run("ontology", "link", "archive", id, "--store", katrin).code == 0


@pytest.mark.parametrize("value", ["Works as a chef at Praxis Sonnenhof", "Has three cats"])
def test_a_link_that_says_the_same_or_something_else_is_not_named(
    katrin: Path, run: Run, value: str
) -> None:
    assert "The link" not in supersede(katrin, run, value)


def test_a_rename_counts_the_facts_of_others_that_have_the_old_name(
    katrin: Path, run: Run
) -> None:
    told = run("ontology", "entity", "rename", "Svenja Ott", "Svenja Berger", "--store", katrin)
    assert "1 memory about others still says “Svenja Ott”" in told.err
    again = run("ontology", "entity", "rename", "Lena", "Lena Marie", "--store", katrin)
    assert "still say" not in again.err
