"""The meaning channel: which memories point the same way as the question."""

import time
from collections.abc import Callable, Mapping

import numpy as np
from msgspec import Struct, field
from msgspec.structs import replace
from numpy.typing import NDArray

from core.embedding.embedder_interface import Embedder, embed_question
from core.embedding.endpoint import EndpointEmbedder
from core.embedding.vector_set import Vectors
from core.errors import ConstellationError, Damaged, DeadlinePassed
from core.recall.config import RecallSettings
from core.recall.filters import memory_count
from core.recall.keyword import Rows
from core.recall.vector_likeness import Likeness
from core.recall.vector_matrix import Matrix, VectorKind
from core.recall.vector_upkeep import MATRICES, MatrixCache, bring_up_to_date, follow
from core.store.reader_and_writer import Reader


class MeaningMatches(Struct, frozen=True):
    """Similarities of the memories to a question.

    Attributes:
        likeness: the similarity of every memory with a vector.
        model: the embedder used; empty if none was available.
        make: turns further texts into vectors of it; None where that would take long.
        notes: problems and omissions.
    """

    likeness: Likeness = field(default_factory=Likeness)
    model: str = ""
    notes: tuple[str, ...] = ()
    timed_out: bool = False
    make: Callable[[list[str]], Vectors] | None = None

    def with_texts(self, texts: Mapping[int, str]) -> "MeaningMatches":
        """With the likeness of further texts, by their rows."""
        if self.make is None or not texts:
            return self
        vectors = self.make(list(texts.values()))
        return replace(self, likeness=self.likeness.with_more(list(texts), vectors))

    def beside(self, question: str, texts: Mapping[int, str]) -> Likeness | None:
        """The likeness of some texts, by their rows, to another question; None where there are
        none, or where that would take long."""
        if self.make is None or not texts:
            return None
        vectors = self.make([question, *texts.values()])
        return self.likeness.to(vectors[0]).with_more(list(texts), vectors[1:])

    def best(self, most: int, allowed: Rows | None = None) -> Rows:
        """The rows of the most alike memories, best first."""
        return self.likeness.best(most, allowed)

    def of(self, rows: Rows) -> NDArray[np.float64]:
        """The likeness of some rows, 0 to 1."""
        return self.likeness.of(rows)


def similar(
    reader: Reader, text: str, embedder: Embedder, settings: RecallSettings, *,
    deadline: float | None = None, cache: MatrixCache = MATRICES,
) -> MeaningMatches:
    """Compare a question with every memory, by the embedder or the one it falls back to."""
    late = MeaningMatches(notes=("Time ran out before meanings were compared",), timed_out=True)
    if deadline is not None and time.monotonic() >= deadline:
        return late  # loading the words or asking a server would take as long again
    notes: list[str] = []
    asked: Embedder | None = embedder
    while asked is not None:
        left = None if deadline is None else max(deadline - time.monotonic(), 0.05)
        try:
            vector = embed_question(asked, text, left)
        except ConstellationError as error:
            then = asked.fallback if isinstance(asked, EndpointEmbedder) else None
            notes.append(_silent(asked, then, error))
            asked = then
            continue
        try:
            return _compare(reader, asked, vector, settings, notes, cache)
        except DeadlinePassed:
            return replace(late, notes=(*notes, *late.notes))
        except Damaged as error:
            notes.append(f"The stored vectors can't be read: {error.what.lower()}")
            return MeaningMatches(notes=tuple(notes))
    return MeaningMatches(notes=tuple(notes))


def read_ahead(
    reader: Reader, embedder: Embedder, settings: RecallSettings, *, seconds: float,
    cache: MatrixCache = MATRICES,
) -> bool:
    """Load vectors in advance; False while the time limit left some unread.

    In small steps, so that a question does not wait long; only what has changed is listed in one.
    """
    if isinstance(embedder, EndpointEmbedder):
        return True
    nowhere = np.zeros(embedder.dimensions, np.float32)
    kind = VectorKind(embedder.name, embedder.dimensions)
    matrix = cache.matrix(reader, kind)
    with matrix.lock:
        # Of many memories a step's time is too short for it: it would never get any further.
        follow(reader, matrix, _most(settings, kind))
    try:
        with reader.interrupting(time.monotonic() + seconds):
            return not _compare(reader, embedder, nowhere, settings, [], cache).timed_out
    except DeadlinePassed:
        return False


def _silent(asked: Embedder, then: Embedder | None, error: ConstellationError) -> str:
    instead = f"{then.name} was used instead" if then else "only words were compared"
    detail = f" ({error.detail})" if error.detail else ""
    return f"{asked.name} did not answer: {error.what.lower()}{detail}; {instead}"


def _compare(
    reader: Reader, embedder: Embedder, vector: NDArray[np.float32], settings: RecallSettings,
    notes: list[str], cache: MatrixCache,
) -> MeaningMatches:
    remote = isinstance(embedder, EndpointEmbedder)
    kind = VectorKind(embedder.name, len(vector), unnamed=remote)
    matrix = cache.matrix(reader, kind)
    with matrix.lock:
        # Over a network nobody waits for a thousand texts while asking.
        whole = bring_up_to_date(
            reader, matrix, most=_most(settings, kind), make=None if remote else embedder.embed,
            made=settings.vectors_made)
        likeness = matrix.compare(vector)
        notes += _left_out(reader, matrix, settings, whole)
    return MeaningMatches(likeness, embedder.name, tuple(notes), not whole,
                          None if remote else embedder.embed)


def _most(settings: RecallSettings, kind: VectorKind) -> int:
    """How many vectors may lie in memory."""
    return settings.vector_memory_mb * 1_000_000 // (4 * max(kind.dimensions, 1))


def _left_out(
    reader: Reader, matrix: Matrix, settings: RecallSettings, whole: bool
) -> list[str]:
    """What a person should know about the memories that could not be compared."""
    notes = []
    for (model, dimensions), number in matrix.others.items():
        if not dimensions:
            notes.append(f"{_vectors(number)} of the file can't be read and were left out")
        else:
            notes.append(f"{_vectors(number)} of {model or 'an unnamed model'} ({dimensions} "
                         f"numbers) can't be compared with those of {matrix.kind.model}")
    total, listed = memory_count(reader), matrix.listed
    if not whole:
        notes.append(f"Time ran out after {matrix.size:,} of {total:,} vectors were loaded; the "
                     "next question continues from there")
        return notes
    if listed < total and listed == matrix.most:
        notes.append(f"Only the newest {listed:,} of {total:,} memories were compared by meaning, "
                     "as recall.vectorMemoryMb allows; raise it to compare more")
    if len(matrix.backlog):
        notes.append(f"{len(matrix.backlog):,} of {listed:,} memories have no vector yet: at most "
                     f"{settings.vectors_made:,} are computed at once (recall.vectorsMade), and "
                     "the next command computes more")
    elif matrix.size < listed // 2:
        notes.append(f"Only {matrix.size:,} of {listed:,} memories have a vector of "
                     f"{matrix.kind.model}; maintenance computes the others")
    return notes


def _vectors(number: int) -> str:
    return f"{number:,} vector" + ("s" if number > 1 else "")
