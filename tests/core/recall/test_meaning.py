"""The meaning of a question: vectors are compared where they may be, and kept in memory."""

import numpy as np
import pytest

from core.embedding.backfill import keep, missing
from core.recall import semantic, vector_likeness, vector_upkeep
from core.recall.best_hits_with_reasons import NEAREST
from core.recall.config import RecallSettings
from core.recall.vector_upkeep import Matrix, MatrixCache, VectorKind, bring_up_to_date
from core.store.reader_and_writer import Writer
from core.workspace import Workspace
from tests.core.graphs import Graph
from tests.core.recalling import WordAxes, answer, found

# -- meanings ----------------------------------------------------------------------------------


def test_a_memory_without_a_shared_word_is_found_by_its_meaning(graph) -> None:
    workspace = graph(lambda g: [g.memory("the automobile is red"), g.memory("tea at noon"),
                                g.memory("rain all day")])
    result = answer(workspace, "car", embedder=WordAxes())
    assert [hit.memory.content for hit in result.hits] == ["the automobile is red"]
    assert result.hits[0].channels.keys() == {"semantic"}
    assert result.hits[0].steps == {"gravity": 0.9}
    assert found(workspace, "car") == []
    assert result.notes == (NEAREST,)
    assert answer(workspace, "automobile", embedder=WordAxes()).notes == ()


def test_stored_vectors_are_used_as_they_are(graph) -> None:
    embedder = WordAxes()
    workspace = graph(lambda g: [g.memory("tea at noon", id="tea"), g.memory("rain", id="rain")])

    def store(writer: Writer) -> None:
        put_vector(writer, "tea", embedder.embed(["automobile"])[0], embedder.name)

    workspace.write("vectors", store)
    assert found(workspace, "car", embedder=embedder) == ["tea at noon"]


def put_vector(writer: Writer, memory: str, vector: np.ndarray | bytes, model: str, **columns):
    blob = vector if isinstance(vector, bytes) else vector.astype("<f4").tobytes()
    writer.insert("embeddings", **{
        "id": f"v-{memory}-{model}", "content_hash": f"h-{memory}-{model}", "vector": blob,
        "dimensions": len(blob) // 4, "source_type": "memory", "source_id": memory,
        "chunk_text": "", "created_at": writer.now(), "agent_id": writer.agent, "model": model,
        **columns})


def test_vectors_of_another_model_or_length_are_never_compared(graph) -> None:
    embedder = WordAxes()
    workspace = graph(lambda g: [g.memory("tea at noon", id="tea"), g.memory("rain", id="rain")])
    vector = embedder.embed(["automobile"])[0]
    workspace.write("vectors", lambda w: [
        put_vector(w, "tea", vector, "another-model"), put_vector(w, "tea", vector[:32], "axes")])
    result = answer(workspace, "car", embedder=embedder)
    assert result.hits == ()
    assert any("another-model" in note and "can't be compared" in note for note in result.notes)


@pytest.mark.parametrize("blob", [b"", b"xy", b"\x00\x00\xc0\x7f" * 64, b"\x00" * 12])
def test_a_corrupt_vector_is_left_out_and_the_answer_says_so(graph, blob: bytes) -> None:
    embedder = WordAxes()
    workspace = graph(lambda g: [g.memory("tea at noon", id="tea"), g.memory("a car", id="car")])
    workspace.write("vectors", lambda w: put_vector(w, "tea", blob, "axes", dimensions=64))
    result = answer(workspace, "automobile", embedder=embedder)
    assert [hit.memory.content for hit in result.hits] == ["a car"]
    assert result.notes == ("1 vector of the file can't be read and were left out", NEAREST)


def test_what_is_new_in_the_file_is_found_without_reading_everything_anew(graph) -> None:
    embedder, cache = WordAxes(), MatrixCache()
    workspace = graph(lambda g: [g.memory(f"note {n}") for n in range(30)])
    ask = lambda: ask_meaning(workspace, "car", embedder, cache)  # noqa: E731
    assert ask() == []
    read = len(embedder.asked)
    workspace.write("more", lambda w: Graph(w).memory("an automobile", id="new"))
    assert ask() == ["new"]
    assert len(embedder.asked) - read < 5


def test_vectors_that_were_read_ahead_are_not_read_when_somebody_asks(graph) -> None:
    embedder, cache = WordAxes(), MatrixCache()
    workspace = graph(lambda g: [g.memory(f"note {n}") for n in range(9)])
    with workspace.read() as reader:
        whole = semantic.read_ahead(reader, embedder, RecallSettings(), seconds=60, cache=cache)
    assert whole
    read = len(embedder.asked)
    assert read >= 9
    ask_meaning(workspace, "car", embedder, cache)
    assert len(embedder.asked) == read + 1, "only the question"


def test_reading_ahead_says_whether_there_is_more(graph, monkeypatch) -> None:
    workspace = graph(lambda g: [g.memory("note")])
    monkeypatch.setattr(semantic, "bring_up_to_date", lambda *_, **__: False)
    with workspace.read() as reader:
        assert not semantic.read_ahead(
            reader, WordAxes(), RecallSettings(), seconds=60, cache=MatrixCache())


def test_reading_ahead_gets_on_where_a_look_is_too_short_to_list_all(graph, monkeypatch) -> None:
    monkeypatch.setattr("core.store.reader.STRIDE", 1)
    cache, embedder = MatrixCache(), WordAxes()
    workspace = graph(lambda g: [g.memory(f"note {n}") for n in range(9)])
    with workspace.read() as reader:
        assert not semantic.read_ahead(
            reader, embedder, RecallSettings(), seconds=0, cache=cache)
        assert cache.matrix(reader, VectorKind("axes", 64)).listed == 9


def ask_meaning(
    workspace: Workspace, text: str, embedder: WordAxes, cache: MatrixCache
) -> list[str]:
    with workspace.read() as reader:
        meaning = semantic.similar(reader, text, embedder, RecallSettings(), cache=cache)
        return [str(reader.value("SELECT id FROM memories WHERE rowid = :r AND :agent = :agent",
                                 r=int(row))) for row in meaning.best(1)
                if meaning.of(np.array([row]))[0] > 0.3]


def test_a_vector_that_is_made_anew_replaces_the_old_one(graph) -> None:
    embedder, cache = WordAxes(), MatrixCache()
    workspace = graph(lambda g: [g.memory("tea at noon", id="tea"), g.memory("rain", id="rain"),
                                g.memory("wind", id="wind")])
    assert ask_meaning(workspace, "car", embedder, cache) == []
    workspace.write("v", lambda w: put_vector(
        w, "tea", embedder.embed(["automobile"])[0], "axes"))
    assert ask_meaning(workspace, "car", embedder, cache) == ["tea"]
    workspace.undo()
    assert ask_meaning(workspace, "car", embedder, cache) == []


def test_only_the_newest_vectors_lie_in_memory(graph) -> None:
    embedder = WordAxes()
    workspace = graph(lambda g: [g.memory(f"note {n}", id=f"m{n}") for n in range(9)])
    matrix = Matrix(VectorKind("axes", 64))
    with workspace.read() as reader:
        assert bring_up_to_date(reader, matrix, most=4, make=embedder.embed, made=100)
    assert matrix.places.rows.tolist() == [6, 7, 8, 9]


def test_the_room_for_stored_vectors_is_made_once(graph, monkeypatch) -> None:
    workspace, axes = graph(lambda g: [g.memory(f"car {n}") for n in range(60)]), WordAxes()
    with workspace.read() as reader:
        wanted = missing(reader, axes)
    workspace.write("vectors", lambda w: keep(
        w, axes, wanted, axes.embed([each.text for each in wanted])))
    sizes: list[int] = []
    reserve = Matrix.reserve
    monkeypatch.setattr(Matrix, "reserve", lambda self, size: (
        sizes.append(size), reserve(self, size)))
    monkeypatch.setattr(vector_upkeep, "SLICE", 7)
    ask_meaning(workspace, "car", axes, MatrixCache())
    assert sizes == [60]


def test_a_matrix_that_was_begun_goes_on_where_the_time_was_up(graph, monkeypatch) -> None:
    embedder = WordAxes()
    workspace = graph(lambda g: [g.memory(f"note {n} x", id=f"m{n}") for n in range(600)])
    matrix = Matrix(VectorKind("axes", 64))

    def one_portion(texts):
        if matrix.size:
            raise semantic.DeadlinePassed("The time limit was reached")
        return embedder.embed(texts)

    with workspace.read() as reader:
        assert not bring_up_to_date(reader, matrix, most=1000, make=one_portion, made=1000)
        begun = matrix.size
        assert 0 < begun < 600
        assert bring_up_to_date(reader, matrix, most=1000, make=embedder.embed, made=1000)
    assert matrix.size == 600
    assert len(embedder.asked) == 600


def test_the_direction_that_all_vectors_share_says_nothing() -> None:
    matrix = Matrix(VectorKind("any", 4))
    shared = np.array([5.0, 0, 0, 0])
    rows = np.array([shared + np.eye(4)[1 + n % 3] for n in range(300)], np.float32)
    matrix.add(range(1, 301), rows / np.linalg.norm(rows, axis=1)[:, None])
    asked = (shared + np.eye(4)[1]).astype(np.float32)
    found = matrix.compare(asked / np.linalg.norm(asked)).of(np.array([1, 2, 3]))
    assert found[0] > 0.9
    assert found[1] < 0.2 > found[2]


# -- vectors from the file ---------------------------------------------------------------------


def test_backfilled_vectors_are_what_recall_reads(graph) -> None:
    embedder = WordAxes()
    workspace = graph(lambda g: [g.memory("the automobile"), g.memory("tea"), g.memory("rain")])
    with workspace.read() as reader:
        wanted = missing(reader, embedder)
    workspace.write("vectors", lambda w: keep(
        w, embedder, wanted, embedder.embed([each.text for each in wanted])))
    embedder.asked.clear()
    assert found(workspace, "car", embedder=embedder) == ["the automobile"]
    assert embedder.asked == ["car"]


# -- the shortlist -----------------------------------------------------------------------------


def spread(count: int, dimensions: int = 128) -> np.ndarray:
    """Vectors of length 1 that differ more in some directions than in others, as words' do."""
    chance = np.random.default_rng(3)
    rows = chance.standard_normal((count, dimensions)) * 0.96 ** np.arange(dimensions)
    return (rows / np.linalg.norm(rows, axis=1)[:, None]).astype(np.float32)


def test_the_shortlist_holds_what_comparing_every_vector_finds(monkeypatch) -> None:
    monkeypatch.setattr(vector_likeness, "SHORTLIST", 600)
    vectors = spread(30_000)
    matrix = Matrix(VectorKind("any", 128))
    matrix.add(range(1, 30_001), vectors)
    mean = matrix.compare(vectors[0]).mean
    centred = vectors - mean
    centred /= np.linalg.norm(centred, axis=1)[:, None]
    shares = []
    for asked in vectors[:20]:
        exact = np.argsort(-(centred @ (asked - mean)))[:50] + 1
        shares.append(np.isin(exact, matrix.compare(asked).best(50)).mean())
    assert min(shares) > 0.8
    assert np.mean(shares) > 0.95


@pytest.mark.parametrize("count", [5, 2_000, 2_001, 20_000])
def test_the_best_are_told_best_first_with_their_exact_likeness(count: int) -> None:
    vectors = spread(count)
    matrix = Matrix(VectorKind("any", 128))
    matrix.add(range(1, count + 1), vectors)
    compared = matrix.compare(vectors[3])
    best = compared.best(10)
    told = compared.of(best)
    assert best[0] == 4
    assert told[0] == pytest.approx(1, abs=1e-4)
    assert told.tolist() == sorted(told, reverse=True)


def test_only_allowed_memories_are_the_best(monkeypatch) -> None:
    monkeypatch.setattr(vector_likeness, "SHORTLIST", 100)
    vectors = spread(20_000)
    matrix = Matrix(VectorKind("any", 128))
    matrix.add(range(1, 20_001), vectors)
    allowed = np.arange(2, 20_000, 7)
    best = matrix.compare(vectors[3]).best(10, allowed)
    assert len(best) == 10
    assert set(best.tolist()) <= set(allowed.tolist())


def test_equal_vectors_all_come_into_the_shortlist_in_some_order() -> None:
    matrix = Matrix(VectorKind("any", 128))
    matrix.add(range(1, 20_001), np.repeat(spread(2), 10_000, axis=0))
    assert len(matrix.compare(spread(2)[0]).best(10)) == 10


def test_the_newest_of_several_stored_vectors_counts_and_any_before_a_computed_one() -> None:
    one, two, three = np.eye(3, dtype=np.float32)
    matrix = Matrix(VectorKind("any", 3))
    matrix.add([7], two[None])
    matrix.add([7, 7], np.array([three, one]), [5, 9])
    matrix.add([7], two[None], [6])
    matrix.add([7], three[None])
    assert matrix.size == 1
    (_, block), places = matrix.blocks(), matrix.places
    assert block.vectors[places.of(np.array([7]))[0]].tolist() == one.tolist()


def test_a_memory_that_was_dropped_is_not_among_the_best() -> None:
    vectors = spread(50)
    matrix = Matrix(VectorKind("any", 128))
    matrix.add(range(1, 51), vectors)
    before = matrix.compare(vectors[3])
    matrix.drop(np.array([4]))
    assert 4 not in matrix.compare(vectors[3]).best(50).tolist()
    assert matrix.compare(vectors[3]).of(np.array([4])) == 0
    assert before.best(1).tolist() == [4], "a comparison that was made before still stands"


def test_where_most_memories_were_dropped_only_the_others_are_the_best(monkeypatch) -> None:
    monkeypatch.setattr(vector_likeness, "SHORTLIST", 40)
    vectors = spread(50)
    matrix = Matrix(VectorKind("any", 128))
    matrix.add(range(1, 51), vectors)
    matrix.drop(np.arange(1, 46))
    assert set(matrix.compare(vectors[47]).best(20).tolist()) <= {46, 47, 48, 49, 50}
