"""Callers of the whole application, inside the test's process."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from core.settings import Settings
from core.workspace import Workspace
from explorer.http.tokens import Tokens
from tests.contracts.files import make

PORT = 8322
OWN = "the token of this process"
PERSON = {"x-signet-actor": "nora", "x-signet-actor-type": "operator"}
AGENT = {"x-signet-actor": "claude-code", "x-signet-actor-type": "harness"}


class InPlace:
    """A worker that runs its task where it is asked for."""

    def run(self, task: Callable[..., Any], *given: Any) -> Any:
        """The result."""
        return task(*given)


@dataclass(frozen=True, slots=True)
class Caller:
    """What a program can ask of a server; by itself with the token that may modify."""

    client: Any
    store: Path
    data: Path
    tokens: Path

    def __call__(self, method: str, path: str, body: Any = None, *, token: str = OWN,
                 **rest: Any) -> Any:
        """The response to a request: `caller("GET", "/api/…", params={…})`."""
        headers = {"Authorization": f"Bearer {token}"} if token else {}
        headers |= rest.pop("headers", {})
        if body is not None:
            rest["json"] = body
        return self.client.request(method, path, headers=headers, **rest)

    def read(self, path: str, **query: Any) -> Any:
        """The object that a GET answers; fails where it is refused."""
        response = self("GET", path, params=query or None)
        assert response.status_code == 200, response.text
        return response.json()

    def send(self, path: str, body: Any, who: dict[str, str] = PERSON, status: int = 200) -> Any:
        """The object that a POST answers."""
        response = self("POST", path, body, headers=who)
        assert response.status_code == status, response.text
        return response.json()

    @contextmanager
    def graph(self, agent: str = "default") -> Iterator[Workspace]:
        """The same file as a person has it open."""
        workspace = Workspace.open(self.store, data_dir=self.data, agent=agent)
        yield workspace
        workspace.close()


@contextmanager
def caller_of(folder: Path, kind: str = "native") -> Iterator[Caller]:
    """A caller of a server on the world of the contract tests."""
    store, data = folder / "graph.db", folder / "data"
    make(kind, store, data).close()
    with caller_on(store, data, folder / "tokens.json") as caller:
        yield caller


@contextmanager
def caller_on(store: Path, data: Path, tokens: Path) -> Iterator[Caller]:
    """A caller of a server on a graph."""
    # Skipped where FastAPI is not installed: nothing but this command needs it.
    pytest.importorskip("fastapi")
    client = pytest.importorskip("starlette.testclient").TestClient
    app = pytest.importorskip("explorer.http.app")
    maps = pytest.importorskip("explorer.http.memory_maps")
    graphs = app.OpenGraphs(lambda name: Workspace.open(store, data_dir=data, agent=name))
    with pytest.MonkeyPatch.context() as patch:
        # Maps are computed here instead of in a process of their own, which takes seconds to start.
        patch.setattr(maps, "Worker", InPlace)
        application = app.application(
            graphs, maps.MapEngine(Settings()), Tokens(OWN, path=tokens), "1.2.3", PORT)
    with client(application, base_url=f"http://127.0.0.1:{PORT}",
                raise_server_exceptions=False) as connected:
        yield Caller(connected, store, data, tokens)
    graphs.close()
