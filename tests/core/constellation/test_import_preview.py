"""Before an import the sky shows what would come, and keeps nothing of it."""

import contextlib

import numpy as np

from core.constellation import import_preview
from core.constellation.import_preview import BeforeImport, sky_after
from core.constellation.positions import positions_at_once
from core.constellation.sky_rows import sky
from core.embedding.choose_embedder import offline
from core.transfer.mcp_import import import_mcp
from core.transfer.read_mcp_file import gather
from core.workspace import Workspace
from tests.core.graphs import Graph

FILE = gather([
    {"type": "entity", "name": "Vega", "entityType": "star", "observations": ["bright"]},
    {"type": "entity", "name": "Deneb", "entityType": "star"},
    {"type": "relation", "from": "Altair", "to": "Deneb", "relationType": "uses"}])


def look(graph):
    """What an import of the file would make of the sky."""
    def change(writer):
        before = BeforeImport.of(writer)
        import_mcp(writer, FILE)
        return sky_after(writer, before, graph.sidecar, offline())

    return graph.rehearse(change).result


def test_what_would_come_stands_marked_among_what_is_there(tmp_path, monkeypatch):
    with contextlib.closing(Workspace.open(
            tmp_path / "g.db", data_dir=tmp_path / "data", create=True)) as graph:
        ids = graph.write("Stars", lambda writer: [
            Graph(writer).entity(name, "star") for name in ("Vega", "Altair", "Rigel")]).result
        graph.sidecar.save_positions(ids, [[0.0, 0.0], [9.0, 0.0], [0.0, 9.0]])
        with graph.read() as reader:
            rows = sky(reader)
            shown, _ = positions_at_once(reader, rows, graph.sidecar, offline())
        kept = graph.sidecar.positions()
        after = look(graph)
        assert after is not None
        scene = after.scene
        assert sorted(scene.labels[:scene.entities]) == ["Altair", "Deneb", "Rigel", "Vega"]
        assert {scene.labels[scene.index[id]]: change
                for id, change in after.marks.changes.items()} == {
                    "Vega": "changed", "Altair": "changed", "Deneb": "added"}
        assert len(after.marks.links) == 1
        for place, id in zip(shown.entities, rows.entity_ids, strict=True):
            at = scene.index[id]
            assert np.allclose((scene.x[at], scene.y[at]), place), "what is there stays"
        assert graph.sidecar.positions() == kept
        monkeypatch.setattr(import_preview, "MOST", 3)
        assert look(graph) is None, "a large sky is not laid out"
        monkeypatch.undo()
        graph.write("Import", lambda writer: import_mcp(writer, FILE))
        assert look(graph) is None, "nothing would come"
