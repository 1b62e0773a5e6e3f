"""The connections that reads take and give back."""

from core.workspace import Workspace


def test_the_connection_that_read_last_reads_next(tmp_path):
    workspace = Workspace.open(tmp_path / "graph.db", create=True)
    with workspace.read() as last, workspace.read() as first:
        assert last is not first
    kept = last.once("a list", lambda: [1])
    for _ in range(3):
        with workspace.read() as reader:
            assert reader is last
            assert reader.once("a list", list) is kept
    workspace.close()
