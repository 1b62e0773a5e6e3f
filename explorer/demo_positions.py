"""The demo graph's places in the sky: computed once for `assets/demo_places.json`, then shipped.

`python -m explorer.demo_positions DEMO.db` computes them anew from a new demo graph, after a change
of `assets/demo.jsonl`.
"""

import json
import sys
import tempfile
from importlib.resources import files
from pathlib import Path
from typing import Any

import numpy as np

from core.constellation.placing_tasks import in_this_process
from core.constellation.positions import keep_positions, lasting_positions
from core.model.sky_columns import Positions
from core.workspace import Workspace

PLACES = files("assets").joinpath("demo_places.json")
DECIMALS = 3


def put_places(path: Path) -> None:
    """Save the shipped places beside a demo graph, so that its first sky is the lasting one."""
    places = json.loads(PLACES.read_text(encoding="utf-8"))
    entities, memories = places["entities"], places["memories"]
    workspace = Workspace.open(path)
    try:
        keep_positions(list(entities), list(memories), Positions(
            _points(entities), _points(memories), places["unit"]), workspace.sidecar)
    finally:
        workspace.close()


def _points(by_id: dict[str, list[float]]) -> np.ndarray:
    return np.array(list(by_id.values()), np.float32).reshape(-1, 2)


def computed_places(path: Path, data_dir: Path) -> dict[str, Any]:
    """The lasting places of a demo graph, as they are shipped."""
    from core.constellation.node_vectors import vectors_of  # noqa: PLC0415 - slow to load
    from core.constellation.sky_rows import sky  # noqa: PLC0415 - as above
    from core.embedding.choose_embedder import offline  # noqa: PLC0415 - as above

    workspace = Workspace.open(path, data_dir=data_dir)
    try:
        with workspace.read() as reader:
            rows = sky(reader)
            vectors = vectors_of(reader, rows, offline())
        positions = lasting_positions(rows, vectors, workspace.sidecar, run=in_this_process)
    finally:
        workspace.close()
    return {"unit": positions.unit, "entities": _by_id(rows.entity_ids, positions.entities),
            "memories": _by_id(rows.memory_ids, positions.memories)}


def _by_id(ids: list[str], points: np.ndarray) -> dict[str, list[float]]:
    rounded = np.round(points.astype(np.float64), DECIMALS).tolist()
    return dict(zip(ids, rounded, strict=True))


def main(demo: Path) -> None:
    with tempfile.TemporaryDirectory() as folder:
        places = computed_places(demo, Path(folder))
    Path(str(PLACES)).write_text(json.dumps(places, separators=(",", ":")) + "\n", "utf-8")


if __name__ == "__main__":
    main(Path(sys.argv[1]))
