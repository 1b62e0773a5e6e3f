"""A link that an imported file names in its own words is called so wherever it is shown."""

import io
import json

import pytest

from core.queries.entities import find_entity
from core.queries.links import links_of
from core.queries.neighborhood import context_text, neighborhood
from core.transfer.mcp_import import import_mcp
from core.transfer.read_mcp_file import read_mcp
from core.traversal.config import TraversalSettings
from core.traversal.focal import resolve
from core.traversal.focal_signals import Signals
from core.traversal.walk import walk
from core.workspace import Workspace
from explorer import model_json
from tests.core.graphs import empty_graph  # noqa: F401 - the fixture `graph`

WORDS = "stands next to"
FILE = ({"type": "entity", "name": "Printer", "observations": ["Second floor"]},
        {"type": "entity", "name": "Copy room", "observations": ["No windows"]},
        {"type": "relation", "from": "Printer", "to": "Copy room", "relationType": WORDS})


@pytest.fixture
def printer(graph: Workspace) -> str:
    file = read_mcp(io.BytesIO("\n".join(map(json.dumps, FILE)).encode()))
    graph.write("import", lambda w: import_mcp(w, file))
    with graph.read() as reader:
        return find_entity(reader, "Printer").id


def test_the_neighborhood_says_the_own_words(graph: Workspace, printer: str) -> None:
    with graph.read() as reader:
        around = neighborhood(reader, printer)
    assert [edge.words for edge in around.edges] == [WORDS]
    assert f"→ {WORDS} Copy room" in context_text(around)
    [edge] = model_json.neighborhood_json(around)["edges"]
    assert (edge["label"], edge["dependencyType"]) == (WORDS, "related_to")


def test_the_inspector_says_the_own_words(graph: Workspace, printer: str) -> None:
    with graph.read() as reader:
        assert [link.words for link in links_of(reader, printer)] == [WORDS]


def test_the_reasons_of_a_walk_say_the_own_words(graph: Workspace, printer: str) -> None:
    with graph.read() as reader:
        settings = TraversalSettings(min_dependency_strength=0.1)
        focal = resolve(reader, Signals(entity_ids=(printer,)), settings)
        walked = walk(reader, focal, settings, explain=True)
    assert WORDS in walked.labels.values()
    rules = [rule.label for memory in walked.memories for rule in memory.grounds or ()]
    assert f"{WORDS} → Copy room" in rules
