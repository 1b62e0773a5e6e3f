"""What the tree of an entity says about its memories."""

from pathlib import Path

from core.ingest.payload import Remembered
from core.ingest.remember import remember
from core.ontology import control
from core.queries.find_by_name_or_id import find_entity
from core.queries.values_by_words import value_by_words
from core.workspace import Workspace
from tests.templates import copy_graph, nothing
from ui.models.inspector_facts import inspect
from ui.models.inspector_tree import build


def bylines(graph: Workspace) -> dict[str, str]:
    with graph.read() as reader:
        seen = inspect(find_entity(reader, "Dr. Kessler")["id"], 5, 5, False, reader)
        section = next(node for node in build(seen, {}).children if node.key == "memories")
    return {node.text: node.label for node in section.children}


def test_a_memory_that_no_longer_holds_says_so(tmp_path: Path) -> None:
    graph = Workspace.open(copy_graph(nothing, tmp_path / "graph.db"))
    for words in ("Prefers to be called", "Likes tea"):
        said = Remembered.read({"content": words, "aspects": [{
            "entityName": "Dr. Kessler", "aspect": "contact",
            "attributes": [{"content": words}]}]})
        graph.write("Remember", lambda w, said=said: remember(w, said))
    graph.write("Correct", lambda w: control.apply(w, "supersede_claim_value", {
        "entity": "Dr. Kessler", "aspect": "contact", "new_value": "Prefers email",
        "attribute_id": value_by_words(w, "Dr. Kessler", "Prefers to be called")["id"]}))
    told = bylines(graph)
    graph.close()
    assert told["Prefers to be called"].startswith("no longer holds · ")
    assert "holds" not in told["Likes tea"]
