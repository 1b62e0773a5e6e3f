"""Embedders that ask a server: in two dialects, and what happens when it does not answer."""

import json
import threading
from collections.abc import Callable, Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import numpy as np
import pytest

from core.embedding import endpoint
from core.embedding.choose_embedder import choose, offline
from core.embedding.config import EmbeddingSettings
from core.embedding.embedder_interface import embed_question
from core.embedding.endpoint import OLLAMA, OPENAI, EndpointEmbedder
from core.errors import ConstellationError
from core.recall.config import RecallSettings
from core.recall.hybrid import recall
from tests.core.graphs import build
from tests.core.recalling import WordAxes
from tests.hostile_embedding_servers import WAYS, Answer, serving


class Server:
    """A server on this machine that answers with what a test says, and keeps what it was asked."""

    def __init__(self) -> None:
        self.requests: list[tuple[str, dict, dict]] = []
        self.reply: Callable[[str, dict], tuple[int, object]] = self.vectors
        self.words = WordAxes("served", 8)
        outer = self

        class Handler(BaseHTTPRequestHandler):
            def do_POST(self) -> None:
                body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
                outer.requests.append((self.path, body, dict(self.headers)))
                code, answer = outer.reply(self.path, body)
                content = answer if isinstance(answer, bytes) else json.dumps(answer).encode()
                self.send_response(code)
                if code in (301, 302, 307, 308):
                    self.send_header("Location", f"{outer.url}/elsewhere")
                self.send_header("Content-Length", str(len(content)))
                self.end_headers()
                self.wfile.write(content)

            def log_message(self, *arguments: object) -> None:
                pass

        self._server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self._thread = threading.Thread(target=self._server.serve_forever, args=(0.01,))
        self._thread.start()
        self.url = f"http://127.0.0.1:{self._server.server_port}"

    def vectors(self, path: str, body: dict) -> tuple[int, object]:
        rows = self.words.embed(body["input"]).tolist()
        if path == "/api/embed":
            return 200, {"embeddings": rows}
        # Not in order, as the standard allows.
        return 200, {"data": [{"index": n, "embedding": row}
                              for n, row in reversed(list(enumerate(rows)))]}

    def close(self) -> None:
        self._server.shutdown()
        self._server.server_close()
        self._thread.join()


@pytest.fixture
def server() -> Iterator[Server]:
    running = Server()
    yield running
    running.close()


def embedder(server: Server, dialect=OLLAMA, **options) -> EndpointEmbedder:
    return EndpointEmbedder(dialect, **{"model": "served", "url": server.url, **options})


@pytest.mark.parametrize(("dialect", "path"), [(OLLAMA, "/api/embed"), (OPENAI, "/embeddings")])
def test_both_dialects_give_one_vector_of_length_one_for_each_text(
    server: Server, dialect, path: str
) -> None:
    vectors = embedder(server, dialect, dimensions=8).embed(["a car", "tea", "an automobile"])
    assert vectors.shape == (3, 8)
    assert np.allclose(np.linalg.norm(vectors, axis=1), 1)
    assert vectors[0] @ vectors[2] > vectors[0] @ vectors[1]
    assert [(url, body["model"]) for url, body, _ in server.requests] == [(path, "served")]


def test_texts_go_in_portions_and_empty_ones_not_at_all(server: Server) -> None:
    vectors = embedder(server, dimensions=8, batch=2).embed(["a", "", "b", "  ", "c"])
    assert [body["input"] for _, body, _ in server.requests] == [["a", "b"], ["c"]]
    assert vectors.any(axis=1).tolist() == [True, False, True, False, True]


def test_the_length_is_asked_once_if_nobody_has_said_it(server: Server) -> None:
    asks = embedder(server)
    assert (asks.dimensions, asks.dimensions) == (8, 8)
    assert len(server.requests) == 1


def test_prefixes_tell_a_question_from_a_memory(server: Server) -> None:
    asks = embedder(server, dimensions=8, query_prefix="query: ", memory_prefix="passage: ")
    asks.embed(["tea"])
    embed_question(asks, "tea")
    assert [body["input"] for _, body, _ in server.requests] == [["passage: tea"], ["query: tea"]]


def test_the_key_comes_from_the_environment_and_goes_to_this_server_only(
    server: Server, monkeypatch
) -> None:
    monkeypatch.setenv("SOME_KEY", "secret")
    chosen = choose(EmbeddingSettings(provider="openai", url=server.url, model="served",
                                      key_variable="SOME_KEY", dimensions=8))
    chosen.embed(["tea"])
    assert server.requests[0][2]["Authorization"] == "Bearer secret"
    server.reply = lambda path, body: (302, b"")
    with pytest.raises(ConstellationError, match="did not answer"):
        chosen.embed(["tea"])
    assert [path for path, _, _ in server.requests] == ["/embeddings", "/embeddings"]


@pytest.mark.parametrize(("code", "answer"), [
    (500, {"error": "no such model"}), (404, b""), (200, b"not json"), (200, {"embeddings": []}),
    (200, {"embeddings": [[1.0, 2.0]]}), (200, {"embeddings": [["a"] * 8]}), (200, []),
    (200, {"embeddings": [[float("nan")] * 8]}), (200, {"embeddings": [[1.0] * 8] * 2}),
    (200, {"embeddings": [[1.0], [1.0, 2.0]]}), (200, {"embeddings": None}),
])
def test_a_wrong_answer_is_an_error_in_words(server: Server, code: int, answer: object) -> None:
    server.reply = lambda path, body: (code, answer)
    with pytest.raises(ConstellationError, match="did not answer") as refused:
        embedder(server, dimensions=8).embed(["tea"])
    assert refused.value.where == server.url
    assert refused.value.detail


@pytest.mark.parametrize("answer", WAYS)
def test_a_hostile_server_takes_no_more_than_the_time_it_has(
    answer: Answer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(endpoint, "MOST_BYTES", 3_000_000)
    with serving(answer) as server:
        with pytest.raises(ConstellationError, match="did not answer") as refused:
            EndpointEmbedder(OLLAMA, model="any", url=server.url, dimensions=8,
                             timeout_s=0.5).embed(["x"])
        assert refused.value.detail
        assert server.ended.acquire(timeout=30), "our end is closed, so the server's has ended, too"


def test_a_server_that_is_not_there_is_an_error_in_words(server: Server) -> None:
    server.close()
    with pytest.raises(ConstellationError, match="did not answer"):
        embedder(server, dimensions=8).embed(["tea"])


@pytest.mark.parametrize("url", ["file:///etc/passwd", "ftp://x/y", "nothing", "http://"])
def test_only_web_addresses_are_asked(url: str) -> None:
    with pytest.raises(ConstellationError, match="not a server address"):
        EndpointEmbedder(OLLAMA, model="any", url=url)


def test_without_settings_nothing_is_asked_over_a_network() -> None:
    assert choose(EmbeddingSettings()) is offline()


def test_a_server_without_a_model_is_refused() -> None:
    with pytest.raises(ConstellationError, match="No embedding model"):
        choose(EmbeddingSettings(provider="ollama"))


def test_half_characters_are_sent_as_what_can_be_sent(server: Server) -> None:
    embedder(server, dimensions=8).embed(["tea \ud800"])
    assert server.requests[0][1]["input"] == ["tea ?"]


def test_recall_falls_back_to_the_offline_embedder_and_says_so(server: Server, tmp_path) -> None:
    server.reply = lambda path, body: (500, {"error": "no such model"})
    workspace = build(tmp_path / "g.db", lambda g: [g.memory("the automobile"), g.memory("tea")])
    asks = embedder(server, dimensions=8, fallback=WordAxes("local"))
    with workspace.read() as reader:
        result = recall(reader, "car", RecallSettings(deadline_ms=60_000), asks)
        alone = recall(reader, "automobile", RecallSettings(deadline_ms=60_000),
                       embedder(server, dimensions=8))
    workspace.close()
    assert [hit.memory.content for hit in result.hits] == ["the automobile"]
    assert "served did not answer" in result.notes[0]
    assert "local was used instead" in result.notes[0]
    assert [hit.memory.content for hit in alone.hits] == ["the automobile"]
    assert "only words were compared" in alone.notes[0]


def test_over_a_network_no_memory_gets_a_vector_while_asking(server: Server, tmp_path) -> None:
    workspace = build(tmp_path / "g.db", lambda g: [g.memory("the automobile"), g.memory("tea")])
    with workspace.read() as reader:
        result = recall(reader, "car", RecallSettings(deadline_ms=60_000),
                       embedder(server, dimensions=8))
    workspace.close()
    assert [body["input"] for _, body, _ in server.requests] == [["car"]]
    assert result.hits == ()
    assert "0 of 2 memories have a vector" in result.notes[0]
