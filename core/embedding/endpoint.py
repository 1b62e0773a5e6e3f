"""An embedder that asks a server: off until the person has configured one."""

import json
from collections.abc import Callable, Mapping, Sequence
from threading import Lock
from typing import Any

import numpy as np
from msgspec import Struct
from numpy.typing import NDArray

from core.embedding.embedder_interface import Embedder
from core.embedding.vector_set import unit
from core.errors import ConstellationError
from core.model_server_request import NoAnswer, checked_url, post

LONGEST = 8_000
"""Characters of one text that are sent."""
MOST_BYTES = 64_000_000
"""A longer answer is no answer: 64 texts of 4,096 numbers are a tenth of it."""


class Dialect(Struct, frozen=True):
    """How one kind of server is asked, and where its answer holds the vectors."""

    path: str
    ask: Callable[[str, Sequence[str]], Mapping[str, object]]
    answer: Callable[[Any], Sequence[Sequence[float]]]
    usual_url: str


OLLAMA = Dialect(
    "/api/embed", lambda model, texts: {"model": model, "input": list(texts), "truncate": True},
    lambda answer: answer["embeddings"], "http://127.0.0.1:11434")

OPENAI = Dialect(
    "/embeddings",
    lambda model, texts: {"model": model, "input": list(texts), "encoding_format": "float"},
    lambda answer: [row["embedding"] for row in
                    sorted(answer["data"], key=lambda row: int(row["index"]))],
    "http://127.0.0.1:8000/v1")
"""A server that speaks as OpenAI's does: vLLM, LM Studio, llama.cpp and others."""


class EndpointEmbedder:
    """Vectors from a server.

    Attributes:
        name: the model.
        fallback: who is asked when the server gives no answer.
    """

    def __init__(
        self, dialect: Dialect, *, model: str, url: str = "", key: str = "",
        dimensions: int | None = None, timeout_s: float = 10, batch: int = 64,
        query_prefix: str = "", memory_prefix: str = "", fallback: Embedder | None = None,
    ) -> None:
        self.name, self.fallback = model, fallback
        self._dialect, self._key, self._batch = dialect, key, batch
        self._url = checked_url(url or dialect.usual_url)
        self._timeout = timeout_s
        self._query_prefix, self._memory_prefix = query_prefix, memory_prefix
        self._dimensions = dimensions
        self._lock = Lock()

    @property
    def dimensions(self) -> int:
        """The length of its vectors; the server is asked the first time if nobody has said."""
        with self._lock:
            if self._dimensions is None:
                self._dimensions = len(self._request(["length"], self._timeout)[0])
            return self._dimensions

    def embed(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """One vector per text; zeros for an empty one, which no server takes."""
        return self._embed([self._memory_prefix + text if text.strip() else "" for text in texts],
                           self._timeout)

    def embed_question(self, text: str, within: float | None = None) -> NDArray[np.float32]:
        """A question's vector, (dimensions,), within so many seconds."""
        timeout = self._timeout if within is None else min(within, self._timeout)
        vector: NDArray[np.float32] = self._embed([self._query_prefix + text], timeout)[0]
        return vector

    def _embed(self, texts: Sequence[str], timeout: float) -> NDArray[np.float32]:
        result = np.zeros((len(texts), self.dimensions), np.float32)
        filled = [row for row, text in enumerate(texts) if text.strip()]
        for start in range(0, len(filled), self._batch):
            rows = filled[start:start + self._batch]
            vectors = self._request([_sendable(texts[row]) for row in rows], timeout)
            if vectors.shape != (len(rows), self.dimensions):
                raise self._refused(f"it gave {vectors.shape[0]} vectors of {vectors.shape[1]} "
                                    f"numbers for {len(rows)} of {self.dimensions}")
            result[rows] = vectors
        return unit(result)

    def _request(self, texts: Sequence[str], timeout: float) -> NDArray[np.float32]:
        try:
            body = post(self._url + self._dialect.path, self._dialect.ask(self.name, texts),
                        key=self._key, timeout_s=timeout, most_bytes=MOST_BYTES)
        except NoAnswer as error:
            raise self._refused(str(error)) from error
        try:
            vectors = np.array(self._dialect.answer(json.loads(body)), np.float32)
        except (ValueError, KeyError, TypeError, IndexError, RecursionError) as error:
            raise self._refused("its answer has no vectors") from error
        if vectors.ndim != 2 or not vectors.size or not np.isfinite(vectors).all():
            raise self._refused("its answer has no vectors")
        return vectors

    def _refused(self, detail: str) -> ConstellationError:
        return ConstellationError(
            "The embedding server did not answer", where=self._url, detail=detail,
            do="Check that it runs and knows the model, or choose the offline embedder")


def _sendable(text: str) -> str:
    return text[:LONGEST].encode("utf-8", "replace").decode("utf-8")
