"""Words of the window: a near miss never contradicts itself, and a step that is done is said so."""

from pathlib import Path

import pytest

from core.model.changes import Activity
from core.model.session_start_and_end import Budget
from core.model.walk import Miss
from core.ontology.operation_catalog import CATALOG
from core.ontology.request_descriptions import describe
from core.workspace import Workspace
from tests.contracts.samples import SAMPLES
from ui.models.activity_log import spoken_line
from ui.models.past_tense_wording import deed, past_words
from ui.models.time_wording import day_and_time, plain
from ui.models.walk_wording import miss_words
from ui.panels.agent_view.budgets_and_walk_numbers import BudgetBar
from ui.theme import Theme
from ui.widgets.load_more import more_words


@pytest.mark.parametrize(("value", "words"), [
    (0.24, "too weak: 0.24, needs 0.30"), (0.296, "too weak: 0.296, needs 0.300"),
    (0.29996, "too weak: 0.29996, needs 0.30000"),
])
def test_a_number_just_below_its_limit_is_told_with_enough_digits(value: float, words: str) -> None:
    assert miss_words(Miss("link", "l", "Grafana", "strength", value, 0.3)) == words


@pytest.mark.parametrize(("label", "said"), [
    ("Pin settlement job", "Pinned settlement job"),
    ("Set schedule · start time · settlement job", "Set schedule · start time · settlement job"),
    ("Apply: Set schedule", "Applied: Set schedule"),
    ("Apply as edited: Set schedule", "Applied as edited: Set schedule"),
    ("Reject 4 proposals", "Rejected 4 proposals"),
    ("Helpful: the run", "Helpful: the run"),
    ("", ""),
])
def test_a_command_becomes_what_was_done(label: str, said: str) -> None:
    assert deed(label) == said


def test_a_stored_time_is_shown_in_a_persons_words_and_other_text_as_it_is() -> None:
    stored = "2027-03-20T00:00:00.000Z"
    assert plain(stored) == day_and_time(stored) != stored
    assert plain("2026-03-14") == "2026-03-14", "a value may be a date without being a time"
    assert plain("as agreed\non Monday") == "as agreed on Monday"
    assert plain(None) == ""


def test_the_use_of_a_budget_is_never_more_than_what_it_is_of(theme: Theme) -> None:
    bar = BudgetBar(theme, "constraints", "constraint")
    bar.resize(300, 24)
    bar.show_budget(Budget(1998, 1000, lent=998))
    assert bar.words == "1,998 of 1,998"
    assert "The limit is 1,000 characters. 998 more" in bar.toolTip()
    bar.deleteLater()


def test_a_budget_is_shorter_where_it_would_cut_its_name(theme: Theme) -> None:
    bar = BudgetBar(theme, "constraints", "constraint")
    bar.show_budget(Budget(1762, 1762))
    wide = bar.fontMetrics().horizontalAdvance
    bar.resize(wide("constraints 1,762 of 1,762") + 8, 24)
    assert bar.words == "1,762 of 1,762"
    bar.resize(wide("constraints 1,762/1,762") + 8, 24)
    assert bar.words == "1,762/1,762"
    bar.deleteLater()


@pytest.mark.parametrize(("who", "told"), [("operator", "you"), ("you", "you"), ("Ada", "Ada")])
def test_the_person_is_you_whichever_way_they_came(who: str, told: str) -> None:
    entry = Activity("", "Pin it", who, "done", 1)
    assert spoken_line(entry) == f"Pin it, by {told}"


@pytest.mark.parametrize("name", CATALOG)
def test_every_operation_can_be_said_to_be_done(filled_graph: Path, name: str) -> None:
    workspace = Workspace.open(filled_graph)
    with workspace.read() as reader:
        title = describe(reader, name, SAMPLES[name].payload).title
    workspace.close()
    assert title.split()[0] in past_words()


def test_the_last_row_of_a_list_says_how_many_more_there_are() -> None:
    assert [more_words(8, rest) for rest in (1, 8, 9, 1_300)] == [
        "1 more", "8 more", "8 more of 9", "8 more of 1,300"]
