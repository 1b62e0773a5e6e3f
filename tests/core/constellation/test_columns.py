"""The columns of the sky hold what they say: dtype and length of every one, on the demo graph."""

from collections.abc import Iterator, Sequence
from pathlib import Path

import numpy as np
import pytest
from msgspec import Struct
from msgspec.structs import fields

from core.constellation.scene import Communities, Ghosts, Scene
from core.constellation.scene_assembly import scene_of
from core.constellation.sky_rows import sky
from core.model.sky_columns import Positions, SkyRows, columns_of
from core.workspace import Workspace
from explorer.demo import build_demo


@pytest.fixture(scope="module")
def rows(tmp_path_factory: pytest.TempPathFactory) -> Iterator[SkyRows]:
    folder: Path = tmp_path_factory.mktemp("demo")
    workspace = Workspace.open(build_demo(folder / "demo.db"), data_dir=folder / "data")
    with workspace.read() as reader:
        yield sky(reader)
    workspace.close()


@pytest.fixture(scope="module")
def scene(rows: SkyRows) -> Scene:
    entities, memories = (np.full((len(ids), 2), np.nan, np.float32)
                          for ids in (rows.entity_ids, rows.memory_ids))
    return scene_of(rows, Positions(entities, memories))


def _check(table: Struct, counts: dict[str, int]) -> None:
    for name, column in columns_of(type(table)).items():
        values = getattr(table, name)
        if column.dtype == "str":
            assert isinstance(values, Sequence), name
            assert {type(value) for value in values} <= {str}, name
        else:
            assert values.dtype == np.dtype(column.dtype), name
            assert values.ndim == 1, name
        assert len(values) == eval(column.rows, {}, counts), name  # noqa: S307 - our own words


def test_rows_of_the_sky_have_their_dtypes_and_lengths(rows: SkyRows) -> None:
    counts = {"entities": len(rows.entity_ids), "communities": len(rows.community_names),
              "aspects": len(rows.aspect_ids), "attributes": len(rows.attribute_ids),
              "memories": len(rows.memory_ids), "mentions": len(rows.mention_memory),
              "dependencies": len(rows.dependency_ids), "proposals": len(rows.proposal_ids)}
    assert min(counts.values()) > 0
    _check(rows, counts)


def test_columns_of_a_scene_have_their_dtypes_and_lengths(rows: SkyRows, scene: Scene) -> None:
    entities, aspects, values, memories = np.diff(scene.starts).tolist()
    counts = {"nodes": scene.starts[4], "entities": entities, "aspects": aspects,
              "values": values, "memories": memories, "edges": len(scene.edge_ids),
              "mentions": len(rows.mention_memory), "ghosts": len(scene.ghosts.ids),
              "communities": len(scene.communities.names)}
    assert min(counts.values()) > 0
    for table in (scene, scene.ghosts, scene.communities):
        _check(table, counts)


@pytest.mark.parametrize("table", [SkyRows, Scene, Ghosts, Communities])
def test_every_array_of_the_sky_is_described(table: type) -> None:
    kinds = np.ndarray, list[str], Sequence[str]
    arrays = {each.name for each in fields(table) if each.type in kinds}
    assert arrays == set(columns_of(table))
    assert all(column.meaning for column in columns_of(table).values())
