"""Lists and details as Signet's own tests have them (signet.md n.8), with our own data."""

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from core.errors import OperationError
from core.health.report import report
from core.ontology import control
from core.workspace import Workspace
from explorer import knowledge_json
from tests.core.graphs import Graph

Make = Callable[..., Workspace]
GONE = {"status": "archived"}


def fill(g: Graph) -> None:
    """A quay with two aspects, a rule, links both ways, and what is archived beside each."""
    quay, crane, pilot, old = (g.entity(name, kind, mentions=mentions, id=name.lower())
                               for name, kind, mentions in (
        ("Quay", "place", 2), ("Crane", "tool", 9), ("Pilot", "person", 1),
        ("Oldwharf", "place", 7)))
    g.writer.update("entities", old, **GONE)
    depth, rules = g.aspect(quay, "depth"), g.aspect(quay, "rules")
    hidden = g.aspect(quay, "paint", **GONE)
    g.value(depth, "It is nine metres deep", "metres")
    g.value(depth, "It was eight metres deep", "metres", status="superseded")
    g.value(depth, "The bottom is clay", "bottom")
    g.value(rules, "Nobody moors after dusk", "dusk", kind="constraint")
    g.value(hidden, "It was green", "colour")
    g.link(quay, crane)
    g.link(pilot, quay, "maintains")
    g.link(quay, old)
    g.link(crane, pilot, **GONE)
    g.alias(quay, "The Landing")


@pytest.fixture
def harbor(graph: Make) -> Workspace:
    return graph(fill)


def test_counts_are_of_what_is_in_force_with_both_ends_there(harbor: Workspace) -> None:
    with harbor.read() as reader:
        detail = knowledge_json.entity(reader, "quay")
    assert {name: detail[name] for name in detail if name.endswith("Count")} == {
        "aspectCount": 2, "attributeCount": 2, "constraintCount": 1, "dependencyCount": 2,
        "incomingDependencyCount": 1, "outgoingDependencyCount": 1}
    assert detail["structuralDensity"] == {
        "aspects": 2, "attributes": 2, "constraints": 1, "dependencies": 2}


def test_many_details_at_once_do_not_wait_for_each_other(harbor: Workspace) -> None:
    def detail(_: int) -> str:
        with harbor.read() as reader:
            return str(knowledge_json.entity(reader, "quay")["entity"]["name"])

    with ThreadPoolExecutor(16) as pool:
        assert set(pool.map(detail, range(64), timeout=60)) == {"Quay"}


def test_an_unknown_or_archived_entity_is_not_there(harbor: Workspace) -> None:
    with harbor.read() as reader:
        for name in ("nobody", "Oldwharf"):
            with pytest.raises(OperationError) as refused:
                knowledge_json.entity(reader, name)
            assert refused.value.status == 404


def test_an_alias_is_archived_by_the_entity_that_owns_it(harbor: Workspace) -> None:
    with pytest.raises(OperationError):
        harbor.write("Archive", lambda w: control.apply(
            w, "archive_alias", {"entity": "Crane", "alias": "The Landing"}))
    harbor.write("Archive", lambda w: control.apply(
        w, "archive_alias", {"entity": "Quay", "alias": "The Landing"}))


def test_health_reports_the_name_and_the_memory_and_writes_no_mention(
    graph: Make, tmp_path: Path
) -> None:
    """n.7.1: one name that is none, one candidate; the mentions stay empty."""
    def only(g: Graph) -> None:
        g.entity("The", "concept", id="e-the")
        g.entity("Drydock", "project", id="e-drydock")
        g.memory("Drydock should keep its pumps mechanical.", id="mem-1")

    workspace = graph(only)
    with workspace.read() as reader:
        result = report(reader, kinds=("suspicious_name", "mention_candidate"))
        mentions = reader.value("SELECT COUNT(*) FROM memory_entity_mentions n"
                                " JOIN entities e ON e.id = n.entity_id"
                                " WHERE e.agent_id = :agent")
    name, candidate = result.findings if result.findings[0].kind == "suspicious_name" else (
        result.findings[::-1])
    assert name.entity_id == "e-the"
    assert (candidate.entity_id, candidate.entity_name) == ("e-drydock", "Drydock")
    assert candidate.fix is not None
    assert candidate.fix.payload == {
        "memory_id": "mem-1", "entity": "e-drydock", "mention_text": "Drydock"}
    assert "“Drydock should keep its pumps mechanical.”" in candidate.text
    assert mentions == 0
