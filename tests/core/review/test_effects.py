"""What a change does, line by line: each line says which thing and which value."""

from pathlib import Path

import pytest

from core.ontology import control
from core.queries.row_names import labels_of
from core.review.effects import effects
from core.review.row_differences import differences
from core.workspace import Workspace
from tests.contracts.files import KINDS, make


@pytest.fixture(params=KINDS)
def graph(request: pytest.FixtureRequest, tmp_path: Path) -> Workspace:
    return make(request.param, tmp_path / "graph.db", tmp_path / "side")


def said(graph: Workspace, operation: str, payload: dict[str, object]) -> list[str]:
    """Its effects and the titles of its differences."""
    tried = graph.rehearse(lambda writer: control.apply(writer, operation, payload))
    changes = [change for change in tried.changes if change.table != "ontology_proposals"]
    with graph.read() as reader:
        labels = labels_of(reader, changes)
    return [f"{each.sign} {each.text}" for each in effects(changes, labels)] + [
        each.title for each in differences(changes, labels)]


def test_a_line_names_the_alias_the_date_and_the_status(graph: Workspace) -> None:
    alias = said(graph, "create_alias", {"entity": "Harbor Ledger", "alias": "The Book"})
    assert "+ alias “The Book” of Harbor Ledger" in alias
    date = said(graph, "set_review_date", {"attribute_id": "v-limit",
                                           "review_after": "2027-03-14"})
    assert date == ["+ to be confirmed after 14 Mar 2027", "review date 14 Mar 2027"]
    task = said(graph, "update_task", {"entity": "Tides API", "status": "done"})
    assert "~ task Tides API is done" in task
    graph.close()
