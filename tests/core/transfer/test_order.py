"""The values of a file are in its order wherever they are listed."""

import io
import json
from collections.abc import Callable, Sequence

import pytest

from core.queries.embedding_texts import entity_texts
from core.queries.entities import find_entity
from core.queries.knowledge import aspects_of
from core.queries.memories import memories_of
from core.store.reader_and_writer import Reader
from core.transfer.mcp_import import import_mcp
from core.transfer.read_mcp_file import read_mcp
from core.workspace import Workspace
from explorer import knowledge_json
from explorer.cli.knowledge import tree_lines
from tests.core.graphs import empty_graph  # noqa: F401 - the fixture `graph`
from ui.models.inspector_facts import inspect

STEPS = [f"PHASE {number}: step {number} of twenty" for number in range(20)]


def _values(reader: Reader) -> list[str]:
    [aspect] = aspects_of(reader, find_entity(reader, "Migration").id)
    return [value.content for group in aspect.groups for claim in group.claims
            for value in claim.values]


def _inspector(reader: Reader) -> list[str]:
    shown = inspect(find_entity(reader, "Migration").id, 50, 100, False, reader)
    return [claim.values[0].content for group in shown.aspects[0].groups for claim in group.claims]


def _tree(reader: Reader) -> list[str]:
    lines = tree_lines(knowledge_json.tree(reader, "Migration"))
    return [line.split("  [")[0].strip("- ") for line in lines if "PHASE" in line]


def _claims(reader: Reader) -> list[str]:
    items = knowledge_json.claims(reader, "Migration", "observations", "general")["items"]
    return [item["preview"] for item in items]


def _memories(reader: Reader) -> list[str]:
    return [memory.content for memory in memories_of(reader, find_entity(reader, "Migration").id)]


def _embedded(reader: Reader) -> list[str]:
    id = find_entity(reader, "Migration").id
    return entity_texts(reader, [id])[id].split(". ")[1:]


READERS = {"model": _values, "inspector": _inspector, "tree": _tree, "claims": _claims,
           "memories": _memories, "embedded": _embedded}


@pytest.mark.parametrize("read", READERS.values(), ids=READERS)
def test_values_of_one_time_are_in_the_order_of_the_file(
    graph: Workspace, read: Callable[[Reader], Sequence[str]]
) -> None:
    record = {"type": "entity", "name": "Migration", "entityType": "plan", "observations": STEPS}
    file = read_mcp(io.BytesIO(json.dumps(record).encode()))
    graph.write("import", lambda w: import_mcp(w, file))
    with graph.read() as reader:
        listed = read(reader)
    assert list(listed) == STEPS[:len(listed)]
    assert len(listed) >= 12
