"""What a native file looks up along an index is at most one pass where it lacks that, as Signet's
files do."""

import sqlite3
from collections.abc import Callable, Sequence
from contextlib import closing
from pathlib import Path

import pytest

from core.learning.confirmed_by_recall import apply_overlap
from core.learning.path_feedback import rate
from core.learning.retire_orphaned_values import propagate
from core.learning.scorer_features import constraint_memories
from core.queries.outdated_memories import read_outdated
from core.queries.values_of_memories import resting_on
from core.settings import Settings
from core.store.compat_views import LIST_OF_OUTDATED
from core.store.reader_and_writer import Reader, Writer
from core.workspace import Workspace
from tests.contracts.files import make
from tests.core.graphs import Asked, Graph
from tests.signet_shapes import add_indexes

FEEDBACK = Settings().feedback
ASKED: dict[str, Callable[[Writer, Sequence[str]], object]] = {
    "session start: rules": constraint_memories,
    "session end: hits": lambda writer, _: apply_overlap(writer, "s1", FEEDBACK),
    "session end: ratings": lambda writer, ids: rate(
        writer, "s1", dict.fromkeys(ids, 1.0), FEEDBACK),
    "session end: deleted memories": lambda writer, _: propagate(writer),
}


def plans(writer: Writer, name: str, memories: Sequence[str]) -> list[list[str]]:
    """The steps of every statement that asks for values, for a session of these memories."""
    for id in memories:
        writer.insert("session_memories", id=f"x-{id}", session_key="s1", agent_id="default",
                      memory_id=id, source="effective", was_injected=1, fts_hit_count=1,
                      effective_score=0.5, final_score=0.5, rank=1, created_at=writer.now())
        writer.update("memories", id, is_deleted=int(name.endswith("deleted memories")))
    asked = Asked(writer)
    try:
        ASKED[name](writer, memories)
    finally:
        del writer.rows, writer.rows_in_time
    return [[row["detail"] for row in writer.rows(f"EXPLAIN QUERY PLAN {sql}", **params)]
            for sql, params in asked.statements
            if "entity_attributes" in sql and "memory_id" in sql]


def remembered(graph: Graph) -> None:
    aspect = graph.aspect(graph.entity("Vega"), "build")
    for n in (1, 2):
        graph.value(aspect, f"value {n}", memory_id=graph.memory(f"memory {n}", id=f"m-{n}"),
                    status="active" if n == 1 else "superseded")


@pytest.mark.parametrize("name", ASKED)
def test_what_rests_on_memories_is_asked_of_all_of_them_at_once(
    graph, tmp_path: Path, name: str
) -> None:
    graph(remembered).close()
    connection = sqlite3.connect(tmp_path / "graph0.db")
    connection.execute("DROP INDEX idx_entity_attributes_memory")
    connection.close()
    workspace = Workspace.open(tmp_path / "graph0.db", data_dir=tmp_path / "data")
    one, two = (workspace.rehearse(lambda writer, ids=ids: plans(writer, name, ids)).result
                for ids in (("m-2",), ("m-1", "m-2")))
    workspace.close()
    assert one
    assert len(two) == len(one)
    # Inside of another list it would be a pass for each of its members.
    assert [plan for plan in two if any(step.startswith(("SCAN v", "SCAN entity_attributes"))
                                        for step in plan[1:])] == []


def test_what_no_longer_counts_is_found_along_indexes(tmp_path: Path) -> None:
    make("signet-071", tmp_path / "g.db", tmp_path / "data").close()
    with closing(sqlite3.connect(tmp_path / "g.db")) as connection, connection:
        add_indexes(connection, later=True)
    workspace = Workspace.open(tmp_path / "g.db", data_dir=tmp_path / "data")
    with workspace.read() as reader:
        steps = {sql: [row["detail"] for row in reader.rows(f"EXPLAIN QUERY PLAN {sql}")]
                 for sql in LIST_OF_OUTDATED[2:5]}
        read_outdated(reader)
        former = {row["id"] for row in reader.rows("SELECT id FROM temp.former_values")}
        past = {row["memory_id"] for row in reader.rows(
            "SELECT memory_id FROM temp.outdated_memories")}
    workspace.close()
    assert len(steps) == 3
    assert not [step for plan in steps.values() for step in plan
                if step.startswith(("SCAN v", "SCAN main.entity_attributes"))]
    assert (former, past) == ({"v-six"}, {"m-1"})


def resting(reader: Reader, *memories: str, plan: str = "") -> list[str]:
    """The values that rest on these memories, or the plan of asking for them."""
    asked = resting_on(reader, "v", "SELECT value FROM json_each(:ids)")
    return [str(row[-1]) for row in reader.rows(
        f"{plan} SELECT v.id FROM entity_attributes v WHERE {asked}", ids=memories)]


def test_what_rests_on_the_hits_of_a_recall_is_found_along_a_list(tmp_path: Path) -> None:
    workspace = make("signet-071", tmp_path / "g.db", tmp_path / "data")
    with workspace.read() as reader:
        steps = resting(reader, "m-1", plan="EXPLAIN QUERY PLAN")
        before = set(resting(reader, "m-1", "m-2"))
        held = {row["id"] for row in reader.rows(
            "SELECT id FROM entity_attributes WHERE memory_id IN ('m-1', 'm-2')")}
    gone = min(held)
    workspace.write("moved", lambda w: w.update("entity_attributes", gone, memory_id=None))
    with workspace.read() as reader:
        after = set(resting(reader, "m-1", "m-2"))
    workspace.close()
    assert not [step for step in steps if step.startswith(("SCAN v", "SCAN entity_attributes"))]
    assert before == held
    assert after == held - {gone}
