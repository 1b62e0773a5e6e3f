"""An embedder that asks a server: off until the person has configured one."""

import http.client
import json
import socket
import urllib.error
import urllib.request
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from functools import partial
from threading import Lock, Timer
from typing import Any
from urllib.parse import urlsplit

import numpy as np
from numpy.typing import NDArray

from core.embedding.embedder import Embedder
from core.embedding.vectors import unit
from core.errors import ConstellationError

LONGEST = 8_000
"""Characters of one text that are sent."""
MOST_BYTES = 64_000_000
"""A longer answer is no answer: 64 texts of 4,096 numbers are a tenth of it."""
_HERE = {"localhost", "127.0.0.1", "::1"}


@dataclass(frozen=True, slots=True)
class Dialect:
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
        self._url = _checked(url or dialect.usual_url)
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
        body = json.dumps(self._dialect.ask(self.name, texts)).encode()
        headers = {"Content-Type": "application/json"}
        if self._key:
            headers["Authorization"] = f"Bearer {self._key}"
        request = urllib.request.Request(self._url + self._dialect.path, body, headers)
        sockets: list[socket.socket] = []
        try:
            with (_ending(sockets, timeout),
                  _opener(self._url, sockets).open(request, timeout=timeout) as response):
                body = response.read(MOST_BYTES + 1)
        except urllib.error.HTTPError as error:
            with error:
                raise self._refused(f"it answered {error.code}: {_start(error)}") from error
        except (OSError, ValueError, http.client.HTTPException) as error:
            raise self._refused(_words(error)) from error
        if len(body) > MOST_BYTES:
            raise self._refused(f"its answer is longer than {MOST_BYTES // 1_000_000} MB")
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


class _NoRedirects(urllib.request.HTTPRedirectHandler):
    """A key that was meant for one server goes to no other."""

    def redirect_request(self, *arguments: object, **named: object) -> None:
        return None


@contextmanager
def _ending(sockets: Sequence[socket.socket], seconds: float) -> Iterator[None]:
    """Close the sockets after so many seconds: the library's own time limit begins anew with each
    byte that comes."""
    def end() -> None:
        for each in sockets:
            with suppress(OSError):
                each.shutdown(socket.SHUT_RDWR)

    timer = Timer(seconds, end)
    timer.daemon = True
    timer.start()
    try:
        yield
    finally:
        timer.cancel()


def _opener(url: str, sockets: list[socket.socket]) -> urllib.request.OpenerDirector:
    """What asks a server; notes the sockets that it opens."""
    handlers: list[urllib.request.BaseHandler] = [_NoRedirects(), _Http(sockets), _Https(sockets)]
    if urlsplit(url).hostname in _HERE:
        handlers.append(urllib.request.ProxyHandler({}))  # a proxy can't reach this machine
    return urllib.request.build_opener(*handlers)


class _Http(urllib.request.HTTPHandler):
    """Notes each socket that it opens."""

    def __init__(self, sockets: list[socket.socket]) -> None:
        super().__init__()
        self._sockets = sockets

    def http_open(self, request: urllib.request.Request) -> http.client.HTTPResponse:
        return self.do_open(partial(_noted, http.client.HTTPConnection, self._sockets), request)


class _Https(urllib.request.HTTPSHandler):
    """Notes each socket that it opens."""

    def __init__(self, sockets: list[socket.socket]) -> None:
        super().__init__()
        self._sockets = sockets

    def https_open(self, request: urllib.request.Request) -> http.client.HTTPResponse:
        return self.do_open(partial(_noted, http.client.HTTPSConnection, self._sockets), request)


def _noted(
    kind: type[http.client.HTTPConnection], sockets: list[socket.socket], host: str, **more: Any
) -> http.client.HTTPConnection:
    connection = kind(host, **more)
    connect = connection.connect

    def connect_and_note() -> None:
        connect()
        sockets.append(connection.sock)

    connection.connect = connect_and_note  # type: ignore[method-assign]
    return connection


def _checked(url: str) -> str:
    parts = urlsplit(url)
    if parts.scheme not in ("http", "https") or not parts.hostname:
        raise ConstellationError("This is not a server address", where=url,
                                 do="Write it as http://127.0.0.1:11434")
    return url.rstrip("/")


def _sendable(text: str) -> str:
    return text[:LONGEST].encode("utf-8", "replace").decode("utf-8")


def _words(error: Exception) -> str:
    """What went wrong, without the names that Python has for it: `Connection refused`."""
    if isinstance(error, http.client.HTTPException):
        return "its answer is cut short, or no answer of a web server"
    reason = getattr(error, "reason", error)
    return str(getattr(reason, "strerror", None) or reason)


def _start(error: urllib.error.HTTPError) -> str:
    try:
        return error.read(300).decode("utf-8", "replace")
    except OSError:
        return str(error.reason)
