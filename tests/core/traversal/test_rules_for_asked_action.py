"""A question about what may be done brings the rules about it, wherever they hang."""

from collections.abc import Iterator
from unittest.mock import patch

import pytest

from core.model.rule_or_event_question import asks_for_a_rule
from core.model.walk import Focal
from core.traversal.config import TraversalSettings
from core.traversal.focal import resolve
from core.traversal.focal_signals import Signals
from core.traversal.walk import walk
from core.workspace import Workspace
from tests.core.graphs import Graph, build
from tests.core.recalling import answer
from tests.core.sessions import begun, usual

USUAL = TraversalSettings(timeout_ms=60_000)
QUESTIONS = ("May Helper push?", "Can I push directly to main?", "Is Helper allowed to push?",
             "Should Helper be pushing things?", "may an agent push?")


@pytest.fixture(scope="module")
def rules(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Workspace]:
    """Rules of an entity that no question names, beside others and much about Helper."""
    workspace = build(tmp_path_factory.mktemp("rules") / "rules.db", fill)
    yield workspace
    workspace.close()


def fill(graph: Graph) -> None:
    habits = graph.aspect(graph.entity("habits", "policy"), "hosts")
    helper = graph.entity("Helper", "agent", id="helper")
    muted = graph.aspect(graph.entity("Old habits", "policy", muted=1), "hosts")
    done = graph.entity("ship it", "task", id="ship")
    graph.task(done, "done")
    for aspect, rule in (
            (habits, "An agent never pushes"), (habits, "Nobody deploys at night"),
            (muted, "Pushing is for cowards"),
            (graph.aspect(helper, "manners"), "Ends with what was not done"),
            (graph.aspect(done, "steps"), "Nobody pushes before noon")):
        memory = graph.memory(f"We agreed: {rule[0].lower()}{rule[1:]}.")
        graph.value(aspect, rule, kind="constraint", memory_id=memory)
    for number in range(20):
        graph.memory(f"Helper wrote the page number {number}.", helper)


def focal_of(workspace: Workspace, question: str) -> Focal:
    with workspace.read() as reader:
        return resolve(reader, Signals(query=question), USUAL)


@pytest.mark.parametrize("question", QUESTIONS)
def test_a_rule_comes_though_its_entity_is_not_named(rules: Workspace, question: str) -> None:
    focal = focal_of(rules, question)
    assert [rule.content for rule in focal.rules] == ["An agent never pushes"]
    assert {"habits": "rule"}.items() <= {e.name: e.reason for e in focal.entities}.items()


@pytest.mark.parametrize("question", QUESTIONS)
def test_the_walk_tells_it_before_the_other_rules(rules: Workspace, question: str) -> None:
    with rules.read() as reader:
        constraints = walk(reader, resolve(reader, Signals(query=question), USUAL),
                           USUAL).constraints
    assert constraints[0].content == "An agent never pushes"


@pytest.mark.parametrize("question", QUESTIONS)
def test_recall_names_it_first_and_says_why(rules: Workspace, question: str) -> None:
    result = answer(rules, question)
    assert result.fits
    assert result.hits[0].memory.content == "We agreed: an agent never pushes."
    assert "states “An agent never pushes”" in result.hits[0].why


@pytest.mark.parametrize("question", QUESTIONS)
def test_a_session_start_tells_it(rules: Workspace, question: str) -> None:
    told = begun(rules, Signals(query=question), usual()).text
    assert "- [habits] An agent never pushes" in told


def test_no_rule_comes_that_only_shares_plain_words(rules: Workspace) -> None:
    assert [rule.content for rule in focal_of(rules, "May I start a car at night?").rules] == []


@pytest.mark.parametrize("question", [
    "Who pushed yesterday?", "What is pushing?", "What did Helper push in May?"])
def test_other_questions_bring_no_rules(rules: Workspace, question: str) -> None:
    assert focal_of(rules, question).rules == ()


def test_another_agents_rules_stay_its_own(rules: Workspace) -> None:
    with rules.read() as reader, patch.object(reader, "agent", "other"):
        assert resolve(reader, Signals(query=QUESTIONS[0]), USUAL).rules == ()


@pytest.mark.parametrize(("text", "expected"), [
    ("May claude-code push?", True), ("may I go?", True), ("What may an agent push?", True),
    ("What happened in may?", False), ("May 2026 releases?", False), ("May was warm?", False),
    ("Who is away in May this year?", False), ("Could you tell me who pushed?", False)])
def test_may_is_a_verb_or_the_month(text: str, expected: bool) -> None:
    assert asks_for_a_rule(text) is expected
