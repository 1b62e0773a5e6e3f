"""When a walk can't look as it should: what it has, said as such, or an error; never "nothing"."""

import sqlite3
from contextlib import AbstractContextManager, nullcontext
from pathlib import Path
from types import SimpleNamespace

import pytest

from core.errors import Damaged
from core.model.walk import Focal, FocalEntity, Walk
from core.store.reader import Reader
from core.store.rows_changed_since import NO_MARK, look
from core.traversal.config import TraversalSettings
from core.traversal.focal import Signals, resolve
from core.traversal.walk import walk
from core.traversal.walk_queries import ranked_aspects
from core.workspace import Workspace
from tests.contracts.files import make
from tests.core.graphs import Graph
from tests.core.walking import USUAL, three, walked


def ruled(graph: Graph) -> None:
    """Alpha uses Beta; both have a rule, and memories."""
    three(graph)
    for aspect in ("a1", "a2"):
        graph.value(aspect, f"rule of {aspect}", kind="constraint")


def asked(workspace: Workspace, settings: TraversalSettings = USUAL, **signals: object) -> Walk:
    with workspace.read() as reader:
        focal = resolve(reader, Signals(**signals), settings)  # type: ignore[arg-type]
        return walk(reader, focal, settings)


# -- full text -------------------------------------------------------------------------------


@pytest.mark.parametrize("damage", [
    "UPDATE entities_fts_data SET block = x'ffffffffffff'",
    "DELETE FROM entities_fts_data",
])
def test_a_damaged_full_text_of_names_is_left_aside_and_the_walk_says_so(
    graph, damage: str
) -> None:
    workspace = graph(lambda g: (g.entity("Memory pipeline", "system", id="it"),
                                 g.entity("Bystander", id="other")))
    whole = asked(workspace, query="how does the pipeline work")
    workspace.write("break", lambda writer: writer.connection.execute(damage))
    result = asked(workspace, query="how does the pipeline work")
    assert result.focal.ids == whole.focal.ids == ("it",)
    assert whole.shortfalls == ()
    assert "names were scanned instead" in result.shortfalls[0]


def test_aspects_whose_ids_are_lost_or_no_texts_are_ranked_as_they_can_be() -> None:
    rows = [(None, "e", "lost", 0.5, "t"), (b"x", "e", "bytes", 0.5, "t"),
            ("a", "e", "text", 0.5, "t"), (None, "e", "lost, too", 0.9, "t")]
    assert [(each.id, each.rank) for each in ranked_aspects(rows)] == [("a", 1), (b"x", 2)]


def test_a_length_beyond_all_memory_is_told_as_damage(
    graph, monkeypatch: pytest.MonkeyPatch
) -> None:
    """SQLite's "out of memory", as a damaged file brings it about wherever its tables are read."""
    workspace = graph(lambda g: g.entity("Bystander", id="other"))

    def damaged(*_: object) -> None:
        raise MemoryError

    monkeypatch.setattr("core.store.outside_changes.without_row_numbers", damaged)
    with workspace.read() as reader, pytest.raises(Damaged):
        look(reader, NO_MARK, ("memories",))


# -- the deadline ----------------------------------------------------------------------------


def test_entities_that_were_not_found_in_time_are_no_nothing_found(
    graph, monkeypatch: pytest.MonkeyPatch
) -> None:
    workspace = graph(ruled)
    monkeypatch.setattr("core.store.reader.time", SimpleNamespace(monotonic=lambda: 1e12))
    # So few steps pass between two looks at the clock that no statement ends before one.
    monkeypatch.setattr("core.store.reader.STRIDE", 1)
    result = asked(workspace, query="alpha")
    assert (result.focal.ids, result.timed_out) == ((), True)
    assert "finding focal entities" in result.shortfalls[0]
    assert result.missing == result.shortfalls


def test_pins_and_their_constraints_come_whatever_is_cut(
    graph, monkeypatch: pytest.MonkeyPatch
) -> None:
    workspace = graph(lambda made: (ruled(made), made.entity("Pin", id="pin", pinned=1),
                                    made.value(made.aspect("pin", "rules"), "Never on Friday",
                                               kind="constraint")))
    monkeypatch.setattr("core.store.reader.time", SimpleNamespace(monotonic=lambda: 1e12))
    monkeypatch.setattr("core.store.reader.STRIDE", 1)
    result = asked(workspace, query="alpha")
    assert (result.focal.ids, result.timed_out) == (("pin",), True)
    assert [each.content for each in result.constraints] == ["Never on Friday"]
    assert result.missing[0].startswith("Partial: ")


def deadlines_of(monkeypatch: pytest.MonkeyPatch) -> list[float]:
    """The milliseconds that each block of `interrupting` is given from now on, all at once."""
    given: list[float] = []

    def interrupting(self: Reader, deadline: float) -> AbstractContextManager[None]:
        given.append(deadline * 1000)
        return nullcontext()

    still = SimpleNamespace(monotonic=lambda: 0.0)
    for module in ("core.traversal.walk", "core.traversal.focal"):
        monkeypatch.setattr(f"{module}.time", still)
    monkeypatch.setattr(Reader, "interrupting", interrupting)
    return given


def test_the_walk_has_the_time_that_finding_its_start_has_left(
    graph, monkeypatch: pytest.MonkeyPatch
) -> None:
    start = (FocalEntity("e1", "Alpha", "project", "asked"),)
    limits, given = TraversalSettings(timeout_ms=500), deadlines_of(monkeypatch)
    with graph(ruled).read() as reader:
        walk(reader, Focal(start, milliseconds=120.0), limits)
    assert given == pytest.approx([380.0], abs=1)


def test_finding_its_start_leaves_the_walk_some_time_however_long_it_takes(
    graph, monkeypatch: pytest.MonkeyPatch
) -> None:
    start = (FocalEntity("e1", "Alpha", "project", "asked"),)
    limits, given = TraversalSettings(timeout_ms=500), deadlines_of(monkeypatch)
    with graph(ruled).read() as reader:
        resolve(reader, Signals(query="alpha"), limits)
        late = walk(reader, Focal(start, milliseconds=700.0), limits)
    assert given == pytest.approx([450.0, 50.0], abs=1)
    assert (late.timed_out, late.shortfalls, len(late.memories) > 0) == (False, (), True)


@pytest.mark.parametrize(("time_limit", "most", "reading"), [
    (500, 50, 499.75), (500, 2000, 490.0), (8, 2000, 4.0)])
def test_of_its_time_a_walk_keeps_what_it_takes_to_tell_what_it_finds(
    graph, monkeypatch: pytest.MonkeyPatch, time_limit: int, most: int, reading: float
) -> None:
    limits = TraversalSettings(timeout_ms=time_limit, max_traversal_paths=most)
    given = deadlines_of(monkeypatch)
    with graph(ruled).read() as reader:
        walk(reader, Focal((FocalEntity("e1", "Alpha", "project", "asked"),)), limits)
    assert given == pytest.approx([reading])


def test_a_walk_tells_how_long_it_took_with_finding_its_start(graph) -> None:
    with graph(ruled).read() as reader:
        focal = Focal((FocalEntity("e1", "Alpha", "project", "asked"),), milliseconds=700.0)
        assert walk(reader, focal, USUAL).milliseconds > 700.0


def test_a_walk_without_time_keeps_its_constraints_and_says_so(
    graph, monkeypatch: pytest.MonkeyPatch
) -> None:
    workspace = graph(ruled)
    start = Focal((FocalEntity("e1", "Alpha", "project", "asked"),))
    with workspace.read() as reader:
        with monkeypatch.context() as late_by:
            late_by.setattr("core.store.reader.time", SimpleNamespace(monotonic=lambda: 1e12))
            late = walk(reader, start, USUAL)
        soon = walk(reader, start, USUAL)
    assert (late.timed_out, late.memories) == (True, ())
    assert len(late.constraints) == len(soon.constraints) == 2
    assert "of what is pinned and of what is asked about are there" in late.shortfalls[0]
    assert soon.shortfalls == ()


def test_finding_the_start_tells_how_long_it_took(graph) -> None:
    with graph(ruled).read() as reader:
        assert resolve(reader, Signals(query="alpha"), USUAL).milliseconds > 0


# -- the file --------------------------------------------------------------------------------


@pytest.mark.parametrize("table", ["entities", "entity_aspects", "entity_attributes",
                                   "entity_dependencies", "memories"])
def test_a_damaged_table_is_an_error_in_words(graph, tmp_path: Path, table: str) -> None:
    graph(ruled).close()
    path = tmp_path / "graph0.db"
    connection = sqlite3.connect(path)
    connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    size = connection.execute("PRAGMA page_size").fetchone()[0]
    root = connection.execute("SELECT rootpage FROM sqlite_master WHERE name = ?",
                              (table,)).fetchone()[0]
    connection.close()
    with path.open("r+b") as file:
        file.seek((root - 1) * size)
        file.write(b"\xde\xad" * (size // 2))
    workspace = Workspace.open(path, data_dir=tmp_path / "data")
    with pytest.raises(Damaged):
        walked(workspace, "e1")
    workspace.close()


def test_a_file_from_before_the_graph_is_walked_by_what_it_has(tmp_path: Path) -> None:
    path = tmp_path / "memories.db"
    make("signet-030", path, tmp_path / "data").close()
    connection = sqlite3.connect(path)
    for table in ("entity_dependencies", "entity_attributes", "entity_aspects"):
        connection.execute(f"DROP TABLE {table}")
    connection.commit()
    connection.close()
    workspace = Workspace.open(path, data_dir=tmp_path / "data")
    with workspace.read() as reader:
        ids = [row["id"] for row in reader.rows("SELECT id FROM entities WHERE agent_id = :agent")]
    result = walked(workspace, *ids)
    assert result.entity_ids == tuple(ids)
    assert result.constraints == ()
    assert {memory.via for memory in result.memories} <= {"mention"}
    workspace.close()
