"""Nothing fits where what is found does not speak of what is asked about somebody."""

from collections.abc import Callable

import pytest

from core.embedding.choose_embedder import offline
from core.recall.expected_answer_type import kind_of
from core.workspace import Workspace
from tests.core.recalling import LONG, answer

Graphs = Callable[..., Workspace]


def told(graph: Graphs, *said: str) -> Workspace:
    return graph(lambda g: [*map(g.memory, said), *(
        g.memory(f"lamp number {n} was painted") for n in range(20))])


@pytest.mark.parametrize(("question", "said", "fits"), [
    ("When does my passport expire?", "Cause: expired TLS certificate", False),
    ("When does my passport expire?", "The passport expires on 11 August 2029", True),
    ("When does our lease expire?", "Cause: expired TLS certificate", False),
    ("When did the certificate expire?", "Cause: expired TLS certificate", True),
    ("When does my old passport expire?", "The passport expires on 11 August 2029", True)])
def test_what_speaks_of_another_thing_than_mine_does_not_fit(
    graph: Graphs, question: str, said: str, fits: bool
) -> None:
    workspace = told(graph, said)
    assert answer(workspace, question, LONG, offline()).fits is fits
    assert answer(workspace, question).fits is fits


def test_an_answer_need_not_say_that_something_is_used(graph: Graphs) -> None:
    workspace = told(graph, "Tidepool CI runs on Woodpecker.")
    assert answer(workspace, "Which CI does Tidepool use?").fits
    assert not answer(workspace, "Which database does Tidepool use?").fits


@pytest.mark.parametrize(("question", "an_address"), [
    ("What is Henrik's e-mail address?", True), ("What is Henrik's email?", True),
    ("Do you know her e-mail?", True), ("What is the email of Henrik?", True),
    ("Why does Dr. Kessler prefer email?", False), ("Who answers by e-mail?", False)])
def test_an_address_is_asked_for_where_the_mail_is_somebodys(
    question: str, an_address: bool
) -> None:
    assert (kind_of(question) is not None) is an_address


@pytest.mark.parametrize(("question", "said", "fits"), [
    ("How high is the budget?", "The budget is 380,000 euro", True),
    ("How high was the rate?", "The rate fell to 3.5 percent", True),
    ("Wie hoch ist das Budget?", "Das Budget beträgt 380.000 Euro", True),
    ("How high is the tower?", "The tower has 42 metres", True),
    ("How high is the budget?", "The budget was agreed on in 2021", False)])
def test_how_high_asks_for_a_number_of_anything(
    graph: Graphs, question: str, said: str, fits: bool
) -> None:
    assert answer(told(graph, said), question, LONG, offline()).fits is fits
