"""The walk: what comes along and what never does, and errors that are errors."""

import sqlite3
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from pathlib import Path
from types import SimpleNamespace

import pytest
from msgspec.structs import replace

from core.errors import ConstellationError
from core.ontology.control import apply
from core.traversal.config import TraversalSettings
from core.traversal.walk import walk
from core.traversal.walk_queries import SHORT
from core.workspace import Workspace
from tests.contracts.files import make
from tests.core.graphs import Asked, Graph
from tests.core.walking import USUAL, ids, many_memories, start, three, walked

# -- what comes along ------------------------------------------------------------------------


def test_attributes_bring_their_memories_with_score_and_path(graph) -> None:
    result = walked(graph(three), "e1")
    memory = result.memories[0]
    assert (memory.id, memory.content, memory.score) == ("m1", "text of m1", 0.9)
    assert (memory.via, memory.attribute_id) == ("attribute", "v-m1")
    assert (memory.path.entity_ids, memory.path.aspect_ids, memory.path.dependency_ids) == (
        ("e1",), ("a1",), ())


def test_only_a_memory_that_says_constraints_alone_is_told_as_one(graph) -> None:
    def fill(graph: Graph) -> None:
        robin = graph.aspect(graph.entity("Robin", id="e1"), "work")
        home = graph.aspect("e1", "home")
        rule, notes, was = map(graph.memory, (
            "Robin takes no calls before ten", "Notes on Robin: no calls before ten, two cats",
            "Robin is back at nine. Knock first."))
        graph.value(robin, "No calls before ten", kind="constraint", memory_id=rule)
        graph.value(robin, "No calls before ten, ever", kind="constraint", memory_id=notes)
        graph.value(home, "Two cats", memory_id=notes, importance=0.1)
        for n in range(USUAL.max_attributes_per_aspect):  # So that no attribute leads to it.
            graph.value(home, f"Plant {n}", memory_id=graph.memory(f"plant {n}"), importance=0.9)
        graph.value(robin, "Knock first", kind="constraint", memory_id=was)
        graph.value(robin, "Back at nine", memory_id=was, status="superseded")

    told = {memory.content: memory for memory in walked(graph(fill), "e1").memories}
    assert told["Robin takes no calls before ten"].constraint
    assert told["Robin takes no calls before ten"].marked_text.startswith("Constraint: ")
    for said in ("Notes on Robin: no calls before ten, two cats",
                 "Robin is back at nine. Knock first."):
        assert told[said].via == "constraint"
        assert not told[said].marked_text.startswith("Constraint: ")


def test_an_outgoing_link_is_followed_one_hop(graph) -> None:
    result = walked(graph(three), "e1")
    assert ids(result) == ["m1", "m2", "m3"]
    assert (result.entity_ids, result.entity_count) == (("e1", "e2"), 2)
    assert result.dependency_ids == ("d12",)
    path = result.memories[-1].path
    assert (path.entity_ids, path.aspect_ids, path.dependency_ids) == (
        ("e1", "e2"), ("a2",), ("d12",))
    assert result.active_aspect_ids == ("a1", "a2")


def test_links_are_not_followed_backwards(graph) -> None:
    assert walked(graph(three), "e2").entity_ids == ("e2",)


def test_a_second_hop_is_never_made(graph) -> None:
    def fill(graph: Graph) -> None:
        three(graph)
        graph.entity("Far", id="far")
        graph.link("e2", "far", strength=1.0, confidence=1.0)

    assert "far" not in walked(graph(fill), "e1").entity_ids


def test_cycles_are_walked_once(graph) -> None:
    def fill(graph: Graph) -> None:
        three(graph)
        graph.link("e2", "e1", strength=1.0, confidence=1.0)
        graph.link("e1", "e1", "knows", strength=1.0, confidence=1.0)

    result = walked(graph(fill), "e1", "e2", "e1")
    assert result.entity_ids == ("e1", "e2")
    assert sorted(ids(result)) == ["m1", "m2", "m3"]


def test_another_agents_rows_never_appear(graph) -> None:
    def fill(graph: Graph) -> None:
        three(graph)
        graph.link("e1", "e3", strength=1.0, confidence=1.0)
        graph.memory("private of another", "e1", id="hidden", agent_id="other",
                     visibility="private")
        graph.value("a1", "their view", memory_id="hidden", agent_id="default", importance=1.0)
        graph.value("a3", "their rule", kind="constraint", agent_id="other")

    result = walked(graph(fill), "e1", "e3", explain=True)
    assert result.entity_ids == ("e1", "e2")
    assert not {"m-other", "hidden"} & set(ids(result))
    assert not result.constraints
    assert "private of another" not in repr(result)
    assert "Other" not in repr(result)


def test_two_walks_at_once_are_both_right(graph) -> None:
    workspace = graph(three)
    with ThreadPoolExecutor(2) as pool:
        both = list(pool.map(lambda id: ids(walked(workspace, id)), ("e1", "e2") * 8))
    assert both == [["m1", "m2", "m3"], ["m2", "m3"]] * 8


def test_nothing_focal_or_nothing_known_is_nothing_found(graph) -> None:
    workspace = graph(lambda g: g.entity("Bare", id="bare"))
    for found in (walked(workspace), walked(workspace, "unknown"), walked(workspace, "bare")):
        assert (found.memories, found.constraints, found.timed_out) == ((), (), False)


def test_a_walk_that_is_switched_off_brings_nothing(graph) -> None:
    workspace = graph(three)
    result = walked(workspace, "e1", settings=TraversalSettings(enabled=False))
    assert (result.memories, result.constraints, result.entity_count) == ((), (), 0)


def test_attributes_without_a_memory_say_themselves(graph) -> None:
    def fill(graph: Graph) -> None:
        graph.entity("Alpha", id="e1")
        aspect = graph.aspect("e1", "general")
        for n in range(3):
            graph.value(aspect, f"bare {n}", f"claim_{n}", importance=1.0)
        many_memories(graph, aspect, "m", 5, importance=0.2)

    memories = walked(graph(fill), "e1").memories
    assert {memory.content for memory in memories[:3]} == {
        f"Alpha, general, claim {n}: bare {n}" for n in range(3)}
    assert len(memories) == 8


def test_a_long_text_is_told_whole(graph) -> None:
    long = "word " * SHORT

    def fill(graph: Graph) -> None:
        home = graph.aspect(graph.entity("Robin", id="e1"), "home")
        graph.value(home, "Two cats", memory_id=graph.memory(f"a {long}", "e1"))
        graph.value(home, f"c {long}", id="v1")
        graph.memory(f"b {long}", "e1")

    told = [memory.content for memory in walked(graph(fill), "e1").memories]
    assert sorted(told) == [f"Robin, home: c {long}", f"a {long}", f"b {long}"]


def test_a_memory_that_several_values_point_at_comes_once_with_the_best_score(graph) -> None:
    def fill(graph: Graph) -> None:
        three(graph)
        graph.value("a1", "again", memory_id="m3", importance=0.3)

    result = walked(graph(fill), "e1")
    assert ids(result).count("m3") == 1
    memory = next(m for m in result.memories if m.id == "m3")
    assert memory.score == 0.6
    assert memory.path.dependency_ids == ("d12",), "the longer way tells more"


def test_of_two_ways_equally_long_the_first_is_told(graph) -> None:
    def fill(graph: Graph) -> None:
        three(graph)
        graph.entity("Gamma", id="e4")
        graph.link("e1", "e4", id="d14", strength=0.7, confidence=0.9)
        graph.value(graph.aspect("e4", "general"), "again", memory_id="m3", importance=0.9)

    memory = next(m for m in walked(graph(fill), "e1").memories if m.id == "m3")
    # Beta brings m2 in its first turn, so that m3 comes in by Gamma.
    assert (memory.score, memory.path.dependency_ids) == (0.9, ("d14",))


def test_a_walk_only_reads(graph) -> None:
    workspace = graph(three)
    with workspace.read() as reader:
        before = reader.value("PRAGMA data_version")
        walk(reader, start("e1"), USUAL, explain=True)
        assert reader.connection.total_changes == 0
    with workspace.read() as reader:
        assert reader.value("PRAGMA data_version") == before


# -- constraints -----------------------------------------------------------------------------


def constrained(graph: Graph) -> None:
    """Twelve aspects with a constraint each, more memories than fit, and a hop with a rule."""
    graph.entity("Alpha", id="e1")
    graph.entity("Beta", id="e2")
    graph.link("e1", "e2", strength=1.0, confidence=1.0)
    for n in range(12):
        aspect = graph.aspect("e1", f"side {n}", n / 20)
        many_memories(graph, aspect, f"m{n}-", 8)
        graph.value(aspect, f"rule {n}", kind="constraint", importance=n / 20)
    graph.value(graph.aspect("e2", "rules"), "rule of Beta", kind="constraint", importance=1.0)


def test_constraints_always_surface_whatever_the_budget(graph) -> None:
    tight = TraversalSettings(max_traversal_paths=1, max_aspects_per_entity=1, timeout_ms=60_000)
    result = walked(graph(constrained), "e1", settings=tight)
    assert [c.content for c in result.constraints] == [
        "rule of Beta", *(f"rule {n}" for n in reversed(range(12)))]
    assert len(result.memories) == 1
    assert result.constraints[0].path.dependency_ids == result.dependency_ids


def test_constraints_are_complete_and_time_is_told_when_it_was_up_at_once(
    graph, monkeypatch: pytest.MonkeyPatch
) -> None:
    workspace = graph(constrained)
    monkeypatch.setattr("core.store.reader.time", SimpleNamespace(monotonic=lambda: 1e12))
    result = walked(workspace, "e1", explain=True)
    assert result.timed_out
    assert len(result.constraints) == 13
    assert result.memories == ()
    assert {(m.id, m.rule) for m in result.misses or ()} == {("e1", "deadline"),
                                                            ("e2", "deadline")}


def test_what_was_found_before_the_deadline_is_kept(
    graph, monkeypatch: pytest.MonkeyPatch
) -> None:
    workspace = graph(three)
    asked = []

    def clock() -> float:
        # The look at the time before aspects and attributes; none is left for mentions.
        asked.append(1)
        return 0.0 if len(asked) <= 3 else 1e12

    monkeypatch.setattr("core.store.reader.time", SimpleNamespace(monotonic=clock))
    result = walked(workspace, "e1")
    assert result.timed_out
    assert ids(result) == ["m1"]


def test_one_text_of_one_entity_comes_once_as_a_constraint(graph) -> None:
    def fill(graph: Graph) -> None:
        graph.entity("Alpha", id="e1")
        for n, importance in enumerate((0.2, 0.9)):
            graph.value(graph.aspect("e1", f"side {n}"), "never on Friday", kind="constraint",
                        importance=importance)

    result = walked(graph(fill), "e1")
    assert [(c.content, c.importance, c.entity_name) for c in result.constraints] == [
        ("never on Friday", 0.9, "Alpha")]


# -- what is not in force --------------------------------------------------------------------


def test_archived_entities_aspects_and_links_are_not_walked(graph) -> None:
    def fill(graph: Graph) -> None:
        three(graph)
        graph.entity("Retired", id="old", status="archived")
        many_memories(graph, graph.aspect("old", "general"), "old", 1)
        graph.link("e1", "old", strength=1.0, confidence=1.0)
        graph.entity("Unlinked", id="far")
        graph.link("e1", "far", strength=1.0, confidence=1.0, status="archived")
        aspect = graph.aspect("e1", "former", 1.0, status="archived")
        many_memories(graph, aspect, "former", 1)
        graph.value(aspect, "a former rule", kind="constraint")

    workspace = graph(fill)
    result = walked(workspace, "e1", "old")
    assert result.entity_ids == ("e1", "e2")
    assert ids(result) == ["m1", "m2", "m3"]
    assert result.constraints == ()


def test_values_no_longer_in_force_bring_nothing(graph) -> None:
    def fill(graph: Graph) -> None:
        graph.entity("Alpha", id="e1")
        aspect = graph.aspect("e1", "general")
        for status in ("superseded", "deleted"):
            many_memories(graph, aspect, status, 2, status=status)
            graph.value(aspect, f"{status} rule", kind="constraint", status=status)

    result = walked(graph(fill), "e1")
    assert (result.memories, result.constraints) == ((), ())


def test_deleted_memories_do_not_come_and_take_no_place(graph) -> None:
    def fill(graph: Graph) -> None:
        graph.entity("Alpha", id="e1")
        aspect = graph.aspect("e1", "general")
        many_memories(graph, aspect, "m", 25)
        for n in range(10):
            graph.writer.update("memories", f"m{n}", is_deleted=1)

    assert ids(walked(graph(fill), "e1")) == [f"m{n}" for n in range(10, 25)]


def test_a_muted_entity_is_not_reached_by_a_link(graph) -> None:
    def fill(graph: Graph) -> None:
        three(graph)
        graph.writer.mute("e2", graph.at)

    workspace = graph(fill)
    assert walked(workspace, "e1").entity_ids == ("e1",)
    assert ids(walked(workspace, "e2")) == ["m2", "m3"], "named outright it is walked"


def test_a_walk_that_is_known_follows_what_is_muted_beside_the_file(tmp_path: Path) -> None:
    workspace = make("signet-030", tmp_path / "memories.db", tmp_path / "data")
    assert walked(workspace, "e-harbor").entity_ids == ("e-harbor", "e-tide", "e-tides")
    workspace.write("Mute", lambda writer: apply(writer, "mute_entity", {"entity": "e-tide"}))
    assert walked(workspace, "e-harbor").entity_ids == ("e-harbor", "e-tides")
    workspace.undo()
    assert walked(workspace, "e-harbor").entity_ids == ("e-harbor", "e-tide", "e-tides")
    workspace.close()


def test_a_walk_from_the_same_start_is_read_once_until_the_file_changes(graph) -> None:
    workspace = graph(three)
    first = walked(workspace, "e1", explain=True)
    with workspace.read() as reader:
        asked = Asked(reader)
        again = walk(reader, start("e1"), USUAL, explain=True)
        assert not any("json_each" in statement for statement in asked.statements)
    assert replace(again, milliseconds=0.0) == replace(first, milliseconds=0.0)
    with closing(sqlite3.connect(workspace.path)) as other:
        other.execute("UPDATE memories SET content = 'changed' WHERE id = 'm1'")
        other.commit()
    assert "changed" in {each.content for each in walked(workspace, "e1", explain=True).memories}


# -- errors ----------------------------------------------------------------------------------


def test_a_failing_statement_is_an_error_and_not_nothing_found(graph, tmp_path: Path) -> None:
    graph(three).close()
    path = tmp_path / "graph0.db"
    connection = sqlite3.connect(path)
    pages = connection.execute(
        "SELECT s.rootpage, p.page_size FROM sqlite_schema s, pragma_page_size p"
        " WHERE s.tbl_name = 'entity_dependencies' AND s.rootpage").fetchall()
    connection.close()
    with path.open("r+b") as file:
        for page, size in pages:
            file.seek((page - 1) * size)
            file.write(b"\xff" * size)
    workspace = Workspace.open(path, data_dir=tmp_path / "data")
    with pytest.raises(ConstellationError):
        walked(workspace, "e1")
    workspace.close()


def test_once_a_reading_has_begun_a_walk_waits_for_no_lock(
    graph, tmp_path: Path
) -> None:
    graph(three).close()
    path = tmp_path / "graph0.db"
    connection = sqlite3.connect(path, isolation_level=None)
    connection.execute("PRAGMA journal_mode = DELETE")
    workspace = Workspace.open(path, data_dir=tmp_path / "data")
    connection.execute("PRAGMA busy_timeout = 0")
    with workspace.read() as reader:
        with pytest.raises(sqlite3.OperationalError, match="locked"):
            connection.execute("BEGIN EXCLUSIVE")
        assert len(walk(reader, start("e1"), USUAL).memories) == 3
    connection.close()
    workspace.close()


@pytest.mark.parametrize("odd", ["not a number", b"\xff\xfe", None, float("inf")])
def test_odd_data_of_old_files_never_raises(odd_signet, odd: object) -> None:
    workspace = odd_signet(odd)
    result = walked(workspace, "e1")
    assert "e1" in result.entity_ids
    assert len(result.memories) == 2
    assert all(0 <= memory.score <= 1 for memory in result.memories)


@pytest.fixture
def odd_signet(tmp_path: Path) -> Iterator[Callable[[object], Workspace]]:
    """An old Signet file whose numbers are `odd`, with a dangling link and an unknown kind."""
    opened: list[Workspace] = []

    def make(odd: object) -> Workspace:
        path = tmp_path / "memories.db"
        db = sqlite3.connect(path)
        db.executescript("""
            CREATE TABLE schema_migrations (version INTEGER PRIMARY KEY, applied_at, checksum);
            CREATE TABLE entities (id TEXT PRIMARY KEY, name TEXT, entity_type TEXT,
              description TEXT, canonical_name TEXT, mentions INTEGER, agent_id TEXT,
              pinned INTEGER, pinned_at TEXT, created_at TEXT, updated_at TEXT);
            CREATE TABLE memories (id TEXT PRIMARY KEY, type TEXT, content TEXT, importance REAL,
              is_deleted INTEGER, created_at TEXT, updated_at TEXT);
            CREATE TABLE entity_aspects (id TEXT PRIMARY KEY, entity_id TEXT, agent_id TEXT,
              name TEXT, canonical_name TEXT, weight REAL, created_at TEXT, updated_at TEXT);
            CREATE TABLE entity_attributes (id TEXT PRIMARY KEY, aspect_id TEXT, agent_id TEXT,
              memory_id TEXT, kind TEXT, content TEXT, normalized_content TEXT, confidence REAL,
              importance REAL, status TEXT, superseded_by TEXT, created_at TEXT, updated_at TEXT);
            CREATE TABLE entity_dependencies (id TEXT PRIMARY KEY, source_entity_id TEXT,
              target_entity_id TEXT, agent_id TEXT, aspect_id TEXT, dependency_type TEXT,
              strength REAL, created_at TEXT, updated_at TEXT);
            CREATE TABLE memory_entity_mentions (memory_id TEXT, entity_id TEXT,
              mention_text TEXT, confidence REAL, created_at TEXT);
            INSERT INTO entities (id, name, agent_id) VALUES ('e1', 'Alpha', 'default');
            INSERT INTO memories (id, content) VALUES ('m1', 'one'), ('m2', 'two');
            INSERT INTO entity_dependencies (id, source_entity_id, target_entity_id, agent_id,
              strength) VALUES ('d1', 'e1', 'nowhere', 'default', 1.0);
            """)
        db.execute("INSERT INTO entity_aspects (id, entity_id, agent_id, name, weight) "
                   "VALUES ('a1', 'e1', 'default', ?, ?)", ("side", odd))
        db.execute("INSERT INTO entity_attributes (id, aspect_id, agent_id, memory_id, kind, "
                   "content, importance, status) VALUES ('v1', 'a1', 'default', 'm1', 'wish', "
                   "'text', ?, 'active')", (odd,))
        db.execute("INSERT INTO memory_entity_mentions VALUES ('m2', 'e1', NULL, ?, NULL)", (odd,))
        db.commit()
        db.close()
        opened.append(Workspace.open(path, data_dir=tmp_path / "data"))
        return opened[-1]

    yield make
    for workspace in opened:
        workspace.close()
