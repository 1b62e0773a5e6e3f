"""A damaged index that finds a name and no row is told in words."""

from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from core.errors import OperationError
from core.learning.scorer_features import constraint_memories
from core.workspace import Workspace
from explorer import knowledge_json
from tests.contracts.files import make


@pytest.fixture
def workspace(tmp_path: Path) -> Iterator[Workspace]:
    with closing(make("native", tmp_path / "graph.db", tmp_path / "data")) as made:
        yield made


def test_an_entity_that_is_found_and_has_no_row_is_refused_in_words(
    workspace: Workspace, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(knowledge_json, "get_entities", lambda _reader, _ids: [])
    with workspace.read() as reader:
        row = reader.rows("SELECT name FROM entities WHERE status = 'active' LIMIT 1")[0]
        with pytest.raises(OperationError, match="Entity not found"):
            knowledge_json.tree(reader, row["name"])


def test_a_value_without_an_id_rests_on_no_memory(workspace: Workspace) -> None:
    with workspace.read() as reader:
        assert constraint_memories(reader, [None, "m-none"]) == frozenset()  # type: ignore[list-item]
