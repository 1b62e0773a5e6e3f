"""Positions of a graph: shown at once, computed once, saved, and kept when something is new."""

import os
import subprocess
import sys
from collections.abc import Iterator, Sequence
from contextlib import closing
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pytest

from core.constellation.node_vectors import vectors_of
from core.constellation.positions import (
    lasting_positions,
    points_projected,
    positions_at_once,
)
from core.constellation.scene_assembly import scene_of
from core.constellation.sky_rows import sky
from core.constellation.visual_encoding import entity_size
from core.embedding.word_vectors import WordEmbedder
from core.model.sky_columns import Positions
from core.ontology import control
from core.workspace import Workspace
from explorer.demo import build_demo
from tests.bench.big import build
from tests.skies import without_umap

EMBEDDER = WordEmbedder()


@pytest.fixture
def workspace(tmp_path: Path) -> Iterator[Workspace]:
    workspace = Workspace.open(build_demo(tmp_path / "demo.db"), data_dir=tmp_path / "data")
    yield workspace
    workspace.close()


def _now(workspace: Workspace) -> tuple[Positions, list[str]]:
    with workspace.read() as reader:
        rows = sky(reader)
        return positions_at_once(reader, rows, workspace.sidecar, EMBEDDER)[0], rows.entity_ids


def _settle(workspace: Workspace) -> Positions:
    with workspace.read() as reader:
        rows = sky(reader)
        vectors = vectors_of(reader, rows, EMBEDDER)
    return lasting_positions(rows, vectors, workspace.sidecar, run=without_umap)


def test_a_graph_never_seen_has_a_picture_at_once_that_is_not_kept(workspace: Workspace) -> None:
    first, _ = _now(workspace)
    assert first.provisional
    assert np.isfinite(first.entities).all()
    assert np.isfinite(first.memories).all()
    assert workspace.sidecar.positions() == {}


def test_lasting_positions_are_saved_and_found_again(workspace: Workspace) -> None:
    lasting = _settle(workspace)
    again, _ = _now(workspace)
    assert not again.provisional
    assert again.unit == lasting.unit > 0
    assert again.entities.tobytes() == lasting.entities.tobytes()
    assert again.memories.tobytes() == lasting.memories.tobytes()


@pytest.mark.parametrize(("entities", "memories", "points"), [
    (100, 200, 300), (10_000, 10_000, 10_000), (1_000, 20_000, 21_000)])
def test_a_map_is_made_of_the_entities_where_they_are_many(
    entities: int, memories: int, points: int
) -> None:
    ids = SimpleNamespace(entity_ids=range(entities), memory_ids=range(memories))
    assert points_projected(ids) == points


def test_another_way_to_project_moves_nothing_that_has_its_place(
    workspace: Workspace, monkeypatch: pytest.MonkeyPatch
) -> None:
    lasting = _settle(workspace)
    monkeypatch.setattr("core.projection.projection_bytes.VERSION", 99)
    again, _ = _now(workspace)
    assert not again.provisional
    assert again.entities.tobytes() == lasting.entities.tobytes()


def test_a_new_entity_finds_a_position_and_nothing_else_moves(workspace: Workspace) -> None:
    lasting = _settle(workspace)
    _, before = _now(workspace)
    workspace.write("Create", lambda writer: control.apply(
        writer, "create_entity", {"name": "Aurora", "type": "project"}, reason="It began today"))
    positions, ids = _now(workspace)
    assert len(ids) == len(before) + 1
    assert np.isfinite(positions.entities).all()
    rows = [ids.index(id) for id in before]
    assert positions.entities[rows].tobytes() == lasting.entities.tobytes()


class Heard(WordEmbedder):
    """Keeps the texts that it is given."""

    def __init__(self) -> None:
        super().__init__()
        self.texts: list[str] = []

    def embed(self, texts: Sequence[str]) -> np.ndarray:
        self.texts += texts
        return super().embed(texts)


def test_a_newcomer_has_only_names_read_and_the_next_one_only_its_own_text(
    workspace: Workspace
) -> None:
    _settle(workspace)
    embedder, vectors = Heard(), None
    for name in ("Aurora", "Borealis"):
        workspace.write("Create", lambda writer, name=name: control.apply(
            writer, "create_entity", {"name": name, "type": "project"}, reason="It began today"))
        embedder.texts.clear()
        with workspace.read() as reader:
            rows = sky(reader)
            positions, vectors = positions_at_once(
                reader, rows, workspace.sidecar, embedder, vectors)
        assert np.isfinite(positions.entities).all()
        assert vectors.ids == (*rows.entity_ids, *rows.memory_ids)
        if name == "Borealis":
            assert embedder.texts == [name]
        else:
            mentioned = set(rows.mention_memory.tolist())
            lonely = len(rows.memory_ids) - len(mentioned)
            assert len(embedder.texts) == len(rows.entity_ids) + lonely + 1
            assert set(rows.entity_names) <= set(embedder.texts)


def test_what_a_person_has_put_somewhere_stays_there(workspace: Workspace) -> None:
    _, ids = _now(workspace)
    workspace.write("Place", lambda writer: writer.place(ids[3], 500.0, -250.0))
    assert _now(workspace)[0].entities[3].tolist() == [500.0, -250.0]
    assert _settle(workspace).entities[3].tolist() == [500.0, -250.0]


def test_a_large_graph_never_seen_is_calm_at_once_and_then_moves_gently(tmp_path: Path) -> None:
    path = build(tmp_path / "large.db", tmp_path, entities=1_300, values=1_300, memories=100)
    with closing(Workspace.open(path, data_dir=tmp_path)) as workspace:
        with workspace.read() as reader:
            rows = sky(reader)
            first, _ = positions_at_once(reader, rows, workspace.sidecar, EMBEDDER)
            vectors = vectors_of(reader, rows, EMBEDDER)
        assert first.provisional
        assert not scene_of(rows, first).communities.names
        apart = neighbour_distances(first.entities)
        radii = entity_size(rows.entity_mentions)
        assert np.mean(apart < radii) == 0, "hexagons lie on each other"
        lasting = lasting_positions(rows, vectors, workspace.sidecar, run=without_umap, first=first)
        assert scene_of(rows, lasting).communities.names
        assert shift(first.entities, lasting.entities) < 0.25


def neighbour_distances(points: np.ndarray) -> np.ndarray:
    apart = np.hypot(points[:, None, 0] - points[:, 0], points[:, None, 1] - points[:, 1])
    np.fill_diagonal(apart, np.inf)
    return apart.min(axis=1)


def shift(before: np.ndarray, after: np.ndarray) -> float:
    """How far the usual entity moves, as a share of the picture's width."""
    return float(np.median(np.hypot(*(after - before).T)) / np.ptp(before[:, 0]))


def test_what_computes_positions_is_not_loaded_by_who_gives_it_away(
    root: Path, tmp_path: Path
) -> None:
    graph = build_demo(tmp_path / "demo.db")
    code = f"""if __name__ == "__main__":
    import sys
    from contextlib import closing
    from pathlib import Path
    from core.constellation.positions import positions_at_once
    from core.constellation.scene_assembly import scene_of
    from core.constellation.sky_rows import sky
    from core.embedding.choose_embedder import offline
    from core.projection.worker import Worker
    from core.workspace import Workspace

    with closing(Worker()) as worker, closing(
            Workspace.open(Path({str(graph)!r}), data_dir=Path({str(tmp_path)!r}))) as workspace:
        with workspace.read() as reader:
            rows = sky(reader)
            places, _ = positions_at_once(reader, rows, workspace.sidecar, offline(),
                                          run=worker.run)
        scene_of(rows, places, run=worker.run)
    print(places.provisional, "numba" in sys.modules, "networkx" in sys.modules)
"""
    program = tmp_path / "program.py"
    program.write_text(code, encoding="utf-8")
    done = subprocess.run([sys.executable, str(program)], cwd=root, text=True,
                          capture_output=True, env={**os.environ, "PYTHONPATH": str(root)})
    assert done.stdout == "True False False\n", done.stderr
