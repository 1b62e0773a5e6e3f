"""Memories without a vector get one, with model, length and a hash that names the text."""

import sqlite3
from contextlib import closing

import numpy as np
import pytest

from core.embedding import backfill as filling
from core.embedding.backfill import backfill, content_hash, count_missing, keep, missing
from core.embedding.vector_set import decode
from core.errors import Cancelled, OperationError
from core.workspace import Workspace
from tests.contracts.files import make as make_file
from tests.core.graphs import Graph, build
from tests.core.recalling import WordAxes


@pytest.fixture
def workspace(tmp_path):
    def fill(graph: Graph) -> None:
        for n in range(7):
            graph.memory(f"note {n}", id=f"m{n}")
        graph.memory("gone", is_deleted=1)
        graph.memory("theirs", agent_id="other")

    opened = build(tmp_path / "g.db", fill)
    yield opened
    opened.close()


def fill(workspace: Workspace, embedder, **options) -> int:
    return backfill(workspace.read,
                    lambda change: workspace.write("Compute missing vectors", change).result,
                    embedder, **options)


def rows(workspace: Workspace) -> list:
    with workspace.read() as reader:
        return reader.rows("SELECT * FROM embeddings ORDER BY source_id")


def test_each_memory_of_the_agent_gets_a_vector_with_its_model_and_length(workspace) -> None:
    embedder = WordAxes()
    assert fill(workspace, embedder) == 7
    stored = rows(workspace)
    assert [row["source_id"] for row in stored] == [f"m{n}" for n in range(7)]
    for row in stored:
        assert (row["model"], row["dimensions"], row["agent_id"]) == ("axes", 64, "default")
        assert row["content_hash"] == content_hash("axes", row["source_id"], row["chunk_text"])
        assert np.allclose(decode(row["vector"], 64), embedder.embed([row["chunk_text"]])[0])


def test_a_second_round_makes_nothing_and_asks_nothing(workspace) -> None:
    embedder = WordAxes()
    fill(workspace, embedder)
    embedder.asked.clear()
    assert fill(workspace, embedder) == 0
    assert embedder.asked == []


def test_another_model_gets_vectors_of_its_own_beside(workspace) -> None:
    fill(workspace, WordAxes())
    assert fill(workspace, WordAxes("other", 16)) == 7
    assert {(row["model"], row["dimensions"]) for row in rows(workspace)} == {
        ("axes", 64), ("other", 16)}


def test_a_memory_whose_text_changed_gets_a_new_vector_in_place_of_the_old(workspace) -> None:
    fill(workspace, WordAxes())
    workspace.write("edit", lambda w: w.update(
        "memories", "m3", content="altogether different", updated_at="2999-01-01T00:00:00Z"))
    workspace.write("touch", lambda w: w.update(
        "memories", "m4", updated_at="2999-01-01T00:00:00Z"))
    assert fill(workspace, WordAxes()) == 1
    texts = [row["chunk_text"] for row in rows(workspace) if row["source_id"] == "m3"]
    assert texts == ["altogether different"]


def test_a_memory_that_changes_meanwhile_is_left_for_the_next_round(workspace) -> None:
    embedder = WordAxes()
    with workspace.read() as reader:
        wanted = missing(reader, embedder)
    vectors = embedder.embed([each.text for each in wanted])
    workspace.write("edit", lambda w: w.update("memories", "m3", content="new"))
    assert workspace.write("v", lambda w: keep(w, embedder, wanted, vectors)).result == 6
    with workspace.read() as reader:
        assert [each.memory_id for each in missing(reader, embedder)] == ["m3"]
        assert count_missing(reader, embedder) == 1


def test_progress_is_told_and_a_stop_keeps_what_was_made(workspace, monkeypatch) -> None:
    monkeypatch.setattr(filling, "AT_ONCE", 2)
    shares: list[float] = []

    def report(share: float) -> None:
        shares.append(share)
        if len(shares) == 2:
            raise Cancelled("Stopped")

    with pytest.raises(Cancelled):
        fill(workspace, WordAxes(), report=report)
    assert shares == pytest.approx([2 / 7, 4 / 7])
    assert len(rows(workspace)) == 4
    shares.append(0)
    assert fill(workspace, WordAxes(), report=report) == 3
    assert shares[-1] == 1.0


def test_a_round_is_taken_back_by_undo(workspace) -> None:
    fill(workspace, WordAxes())
    workspace.undo()
    assert rows(workspace) == []


def test_a_text_without_a_known_word_is_not_asked_for_again_and_again(tmp_path) -> None:
    opened = build(tmp_path / "g.db", lambda g: g.memory("…"))
    assert fill(opened, WordAxes()) == 1
    assert fill(opened, WordAxes()) == 0
    opened.close()


@pytest.mark.parametrize("kind", ["signet-030", "signet-071"])
def test_signet_s_file_is_not_given_vectors_of_another_length(kind: str, tmp_path) -> None:
    opened = make_file(kind, tmp_path / "g.db", tmp_path / "data")
    with pytest.raises(OperationError, match="has no vectors of 64 numbers"):
        fill(opened, WordAxes())
    opened.close()


def _with_vectors(kind: str, tmp_path, model: str | None) -> Workspace:
    """A Signet file whose first memory has a vector that Signet made, of a model by this name."""
    opened = make_file(kind, tmp_path / "g.db", tmp_path / "data")
    opened.close()
    with closing(sqlite3.connect(opened.path)) as file:
        first, = file.execute("SELECT id FROM memories LIMIT 1").fetchone()
        file.execute("ALTER TABLE memories ADD COLUMN embedding_model TEXT")
        file.execute("CREATE TABLE embeddings (id TEXT PRIMARY KEY, content_hash TEXT NOT NULL"
                     " UNIQUE, vector BLOB NOT NULL, dimensions INTEGER NOT NULL, source_type TEXT"
                     " NOT NULL, source_id TEXT NOT NULL, chunk_text TEXT NOT NULL, created_at"
                     " TEXT NOT NULL, agent_id TEXT)")
        file.execute("UPDATE memories SET embedding_model = ?", (model,))
        file.execute(
            "INSERT INTO embeddings (id, content_hash, vector, dimensions, source_type, source_id,"
            " chunk_text, created_at) VALUES ('v', 'h', ?, 64, 'memory', ?, 'x', '2026-01-01')",
            (np.ones(64, "<f4").tobytes(), first))
        file.commit()
    opened = Workspace.open(opened.path, data_dir=tmp_path / "data")
    opened.allow_writing()
    return opened


@pytest.mark.parametrize("kind", ["signet-030", "signet-071"])
@pytest.mark.parametrize("model", [None, "", "axes:latest", "library/Axes"])
def test_signet_s_own_vectors_are_left_as_they_are(kind: str, model, tmp_path) -> None:
    opened = _with_vectors(kind, tmp_path, model)
    try:
        with opened.read() as reader:
            others = reader.value("SELECT COUNT(*) FROM memories m WHERE m.agent_id = :agent"
                                  " AND COALESCE(m.is_deleted, 0) = 0") - 1
            assert count_missing(reader, WordAxes()) == others
        assert fill(opened, WordAxes()) == others
        with opened.read() as reader:
            assert reader.value("SELECT COUNT(DISTINCT source_id) FROM embeddings") == \
                reader.value("SELECT COUNT(*) FROM embeddings") == others + 1
            assert count_missing(reader, WordAxes()) == 0
    finally:
        opened.close()


def test_signet_s_file_is_not_given_vectors_of_another_model(tmp_path) -> None:
    opened = _with_vectors("signet-071", tmp_path, "nomic-embed-text")
    try:
        with pytest.raises(OperationError, match="has vectors of nomic-embed-text"):
            fill(opened, WordAxes())
    finally:
        opened.close()
