"""`diff` between two moments, and between two agents."""

from pathlib import Path

import pytest

from tests.explorer.conftest import graph_fixture

CLAIM = ("ontology", "claim", "set")


@graph_fixture
def filled(run, graph: Path) -> Path:
    """What two agents know: one entity of the same name, one of each's own."""
    run(*CLAIM, "Vega", "schedule", "general", "start", "--value", "9 am")
    run(*CLAIM, "Vega", "schedule", "general", "start", "--value", "10 am", "--agent", "other")
    run("ontology", "entity", "create", "Deneb", "--type", "tool", "--agent", "other")
    run("ontology", "entity", "create", "Altair", "--type", "tool")
    run("ontology", "link", "create", "Vega", "uses", "Altair")
    run("ontology", "entity", "pin", "Vega")
    return graph


def test_everything_is_new_since_before_the_graph_began(run, filled: Path) -> None:
    answer = run("diff", "--from", "2001-05-03", "--json").json
    assert answer["from"].startswith("2001-05-03T23:59:59")
    assert answer["to"] is None
    assert answer["counts"] == {
        "entity": {"added": 2, "gone": 0, "changed": 0},
        "claim": {"added": 1, "gone": 0, "changed": 0},
        "link": {"added": 1, "gone": 0, "changed": 0},
        "pin": {"added": 1, "gone": 0, "changed": 0}}
    assert run("diff", "--from", "now", "--json").json["items"] == []
    assert run("diff", "--from", "now", "--to", "now", "--json").json["items"] == []


def test_two_agents_are_compared_by_names(run, filled: Path) -> None:
    answer = run("diff", "--with-agent", "other", "--json").json
    assert {(one["what"], one["change"], one["entityName"], one["before"], one["after"])
            for one in answer["items"]} == {
        ("entity", "gone", "Altair", "tool", ""), ("entity", "added", "Deneb", "", "tool"),
        ("claim", "changed", "Vega", "9 am", "10 am"), ("link", "gone", "Vega", "", ""),
        ("pin", "gone", "Vega", "", "")}
    text = run("diff", "--with-agent", "other", "--markdown").out
    assert "- changed claim `schedule › general › start`: ~~9 am~~ → **10 am**" in text


@pytest.mark.parametrize(("options", "words"), [
    ((), "either --from or --with-agent"), (("--from", "soon"), "is not a date"),
    (("--from", "today", "--to", "2001-01-01"), "wrong way round"),
    (("--from", "last visit"), "No visit is known yet"),
    (("--with-agent", "default"), "with itself"),
])
def test_what_can_not_be_compared_is_refused_in_words(
    run, filled: Path, options: tuple[str, ...], words: str
) -> None:
    refused = run("diff", *options)
    assert (refused.code, refused.out) == (2, "")
    assert words in refused.err


def test_the_first_day_of_the_calendar_is_a_day(run, graph) -> None:
    assert run("diff", "--from", "0001-01-01").code == 0
    assert run("recall", "deploy", "--until", "9999-12-31").code == 0


def test_a_time_that_was_asked_for_is_in_the_heading(run, filled: Path) -> None:
    assert run("diff", "--from", "2001-05-03 14:30").out.startswith("From 3 May 2001 14:30 to now")
    assert run("diff", "--from", "2001-05-03").out.startswith("From 3 May 2001 to now")


def test_nothing_is_no_file_to_remember(run, filled: Path) -> None:
    assert "There is nothing to remember" in run("remember", "").err
