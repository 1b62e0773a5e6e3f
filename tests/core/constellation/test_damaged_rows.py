"""A sky is drawn whatever damaged rows its graph and its saved positions have."""

import sqlite3
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path

import numpy as np
import pytest

from core.constellation.node_vectors import vectors_of
from core.constellation.positions import lasting_positions, positions_at_once
from core.constellation.sky_rows import sky
from core.embedding.word_vectors import WordEmbedder
from core.workspace import Workspace
from tests.contracts.files import make
from tests.skies import without_umap

NO_ID = {"none": "NULL", "bytes": "X'00ff'"}


@pytest.fixture
def damaged(tmp_path: Path) -> Iterator[Callable[..., Workspace]]:
    """A Signet file, which lets a key be NULL, after such statements."""
    opened: list[Workspace] = []

    def damage(*statements: str) -> Workspace:
        path, folder = tmp_path / "graph.db", tmp_path / "data"
        make("signet-071", path, folder).close()
        with closing(sqlite3.connect(path)) as other, other:
            other.execute("PRAGMA foreign_keys = OFF")
            for statement in statements:
                other.execute(statement)
        opened.append(Workspace.open(path, data_dir=folder))
        return opened[0]

    yield damage
    for each in opened:
        each.close()


@pytest.mark.parametrize("id", NO_ID.values(), ids=NO_ID)
@pytest.mark.parametrize("table", ["entities", "memories", "entity_dependencies"])
def test_a_row_without_an_id_is_left_out(damaged, table: str, id: str) -> None:
    workspace = damaged(f"UPDATE {table} SET id = {id} WHERE rowid ="
                        f" (SELECT MIN(rowid) FROM {table})")
    embedder = WordEmbedder()
    with workspace.read() as reader:
        rows = sky(reader, archived=True)
        assert all(isinstance(each, str) for each in (*rows.entity_ids, *rows.memory_ids))
        first, _ = positions_at_once(reader, rows, workspace.sidecar, embedder)
        vectors = vectors_of(reader, rows, embedder)
    assert len(first.entities) == len(rows.entity_ids)
    lasting = lasting_positions(rows, vectors, workspace.sidecar, run=without_umap)
    assert np.isfinite(lasting.entities).all()


@pytest.mark.parametrize("place", ["'2026-13-45T99:99:99Z'", "X'00'", "9e999", "-1e300"])
def test_a_damaged_place_is_found_anew_and_no_other_moves(damaged, place: str) -> None:
    workspace, embedder = damaged(), WordEmbedder()
    with workspace.read() as reader:
        rows = sky(reader)
        vectors = vectors_of(reader, rows, embedder)
        before = lasting_positions(rows, vectors, workspace.sidecar, run=without_umap)
        with workspace.sidecar.turn() as run:
            run.execute(f"UPDATE places SET x = {place} WHERE id = ?", (rows.entity_ids[0],))
            run.execute("UPDATE meta SET value = 'far' WHERE key = 'unit'")
        assert rows.entity_ids[0] not in workspace.sidecar.positions()
        after, _ = positions_at_once(reader, rows, workspace.sidecar, embedder)
    assert np.isfinite(after.entities).all()
    assert (after.entities[1:] == before.entities[1:]).all()
