"""What the tests of sessions and of learning share: the settings, and a session from end to end."""

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path

from msgspec.structs import replace

from core.embedding.embedder_interface import Embedder
from core.learning.confirmed_by_recall import note_hits
from core.model.session_start_and_end import SessionEnd, SessionStart
from core.session.end import close
from core.session.start import start
from core.session.start_record import record
from core.settings import Settings
from core.traversal.focal_signals import Signals
from core.workspace import Workspace
from tests.core.graphs import Graph, build

PROJECT = "/projects/ines/vega"


def usual(**sections: Mapping[str, object]) -> Settings:
    """The settings with some values of some sections changed, and time enough."""
    tree = Settings()
    changed = {"traversal": {"timeout_ms": 60_000}, **sections}
    return tree.model_copy(update={
        name: getattr(tree, name).model_copy(update=dict(values))
        for name, values in changed.items()})


@contextmanager
def opened(folder: Path, fill: Callable[[Graph], object]) -> Iterator[Workspace]:
    """A new graph, closed at the end."""
    workspace = build(folder / "graph.db", fill)
    try:
        yield workspace
    finally:
        workspace.close()


def begun(workspace: Workspace, given: Signals | None = None, settings: Settings | None = None,
          embedder: Embedder | None = None) -> SessionStart:
    """What a session would begin with."""
    with workspace.read() as reader:
        return start(reader, given or Signals(project=PROJECT), settings or usual(), embedder)


def recorded(workspace: Workspace, key: str, given: Signals | None = None,
             settings: Settings | None = None) -> SessionStart:
    """A session that began and is on record."""
    signals = replace(given or Signals(project=PROJECT), session_key=key)
    found = begun(workspace, signals, settings)
    workspace.write("begin", lambda writer: record(writer, found))
    return found


def hit(workspace: Workspace, key: str, *memories: str) -> None:
    """A recall of the session that brought these memories."""
    workspace.write("hit", lambda writer: note_hits(writer, key, memories))


def ended(workspace: Workspace, key: str, settings: Settings | None = None,
          **told: Mapping[str, object]) -> SessionEnd:
    """The session's end."""
    return workspace.write(
        "end", lambda writer: close(writer, key, settings or usual(), **told)).result


def value(workspace: Workspace, sql: str, **params: object) -> object:
    """The first column of the first row."""
    with workspace.read() as reader:
        return reader.value(sql, **params)


def vega(graph: Graph) -> None:
    """Vega uses Kotlin; each has an aspect with a value of a memory, Vega a constraint, too."""
    graph.entity("Vega", id="e1")
    graph.entity("Kotlin", "tool", id="e2")
    graph.aspect("e1", "build", id="a1")
    graph.aspect("e2", "syntax", id="a2")
    for aspect, memory, importance in (("a1", "m1", 0.9), ("a2", "m2", 0.8)):
        graph.memory(f"what {memory} tells", id=memory, importance=importance)
        graph.value(aspect, f"fact of {memory}", id=f"v-{memory}", memory_id=memory,
                    importance=importance)
    graph.value("a1", "never push to main", kind="constraint", id="c1", importance=0.9)
    graph.link("e1", "e2", id="d1", strength=0.8, confidence=0.9)
