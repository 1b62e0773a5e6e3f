"""The demo opens as it stays: its places are shipped, and they are those that would be computed."""

import json
from pathlib import Path

import pytest

from core.constellation.positions import positions_at_once
from core.constellation.scene_assembly import scene_of
from core.constellation.sky_rows import sky
from core.embedding.choose_embedder import offline
from core.workspace import Workspace
from explorer.demo import build_demo, ready_demo
from explorer.demo_positions import PLACES


def test_the_first_sky_of_the_demo_is_the_lasting_one(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("CONSTELLATION_DATA", str(tmp_path))
    workspace = Workspace.open(ready_demo())
    try:
        with workspace.read() as reader:
            rows = sky(reader)
            positions, _ = positions_at_once(reader, rows, workspace.sidecar, offline())
        assert not positions.provisional
        assert len(scene_of(rows, positions).communities.names) == 6
    finally:
        workspace.close()


def test_the_shipped_places_are_those_of_the_demo_as_it_is(tmp_path: Path) -> None:
    shipped = json.loads(PLACES.read_text(encoding="utf-8"))
    workspace = Workspace.open(build_demo(tmp_path / "demo.db"), data_dir=tmp_path / "data")
    try:
        with workspace.read() as reader:
            rows = sky(reader)
    finally:
        workspace.close()
    again = "compute them anew: python -m explorer.demo_positions DEMO.db"
    assert list(shipped["entities"]) == list(rows.entity_ids), again
    assert list(shipped["memories"]) == list(rows.memory_ids), again


def test_an_unseen_file_has_its_communities_apart_and_nameless_at_once(tmp_path: Path) -> None:
    workspace = Workspace.open(build_demo(tmp_path / "demo.db"), data_dir=tmp_path / "data")
    try:
        with workspace.read() as reader:
            rows = sky(reader)
            positions, _ = positions_at_once(reader, rows, workspace.sidecar, offline())
    finally:
        workspace.close()
    assert positions.provisional
    assert scene_of(rows, positions).communities.names == []
    community = rows.entity_community
    points = positions.entities
    nearest = [int(_nearest(points, at)) for at in range(len(points)) if community[at] >= 0]
    mine = [int(community[at]) for at in range(len(points)) if community[at] >= 0]
    alike = sum(community[other] == own for other, own in zip(nearest, mine, strict=True))
    assert alike / len(mine) >= 0.9, "the nearest star is one of the same community"


def _nearest(points: object, at: int) -> int:
    distance = ((points - points[at]) ** 2).sum(axis=1)  # type: ignore[operator, index]
    distance[at] = float("inf")
    return int(distance.argmin())
