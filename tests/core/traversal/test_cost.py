"""A walk takes a fixed number of statements, each along an index, however large the graph."""

import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from core.model.walk import Focal, FocalEntity
from core.queries.knowledge import aspects_of
from core.queries.neighborhood import neighborhood, neighbors
from core.queries.outdated_memories import read_outdated
from core.traversal.config import TraversalSettings
from core.traversal.focal import Signals, resolve
from core.traversal.walk import walk
from core.traversal.walk_queries import _CONTENTS, _VALUES
from core.workspace import Workspace
from tests.contracts.files import make
from tests.core.graphs import Asked, Graph, build, many

USUAL = TraversalSettings(timeout_ms=60_000)
LISTS = ("SCAN f ", "SCAN a ", "SCAN b ", "SCAN k", "SCAN json_each", "SCAN (subquery",
         "SCAN entities_fts", "SCAN CONSTANT", "SCAN asked", "SCAN chain", "SCAN agents",
         "SCAN mine", "SCAN theirs", "SCAN g", "SCAN h")
"""What may be read through: the lists that were given, and what a limit has cut."""


@pytest.fixture(scope="module")
def large(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Workspace]:
    def fill(graph: Graph) -> None:
        many(graph, 3000, values=6)
        for n in range(0, 3000, 7):
            graph.memory(f"memory {n}", f"e{n}", id=f"m{n}")
        graph.writer.update_where("entity_attributes", "seq % 3 = 0", {"memory_id": "m0"})
        graph.writer.update_where("entity_dependencies", "1", {"strength": 0.9})

    with closing(build(tmp_path_factory.mktemp("cost") / "graph.db", fill)) as workspace:
        yield workspace


def start(count: int) -> Focal:
    return Focal(tuple(FocalEntity(f"e{n * 11 + 1}", "", "", "asked") for n in range(count)))


def test_a_walk_takes_the_same_number_of_statements_from_any_number_of_entities(large) -> None:
    counts = set()
    with large.read() as reader:
        for count in (1, 5, 40):
            asked = Asked(reader)
            walk(reader, start(count), USUAL.model_copy(update={"max_traversal_paths": 2000}))
            counts.add(len(asked.statements))
    assert counts <= {13, 14, 15, 16, 17, 18, 19}, (
        "three find out whose memories are, once for each of these; among them what "
        "is held back, parts, values without a memory, outdated ones; disputes and finished tasks "
        "are read once")


def test_a_walk_reads_what_values_and_mentions_say_with_them(large) -> None:
    with large.read() as reader:
        asked = Asked(reader)
        found = walk(reader, start(6), USUAL)
    assert {memory.via for memory in found.memories} == {"attribute", "mention"}
    assert not [sql for sql, _ in asked.statements if sql in (_CONTENTS, _VALUES)]


def test_without_focal_entities_a_walk_asks_only_who_is_held_back(large) -> None:
    with large.read() as reader:
        asked = Asked(reader)
        walk(reader, Focal(), USUAL)
    assert [sql for sql, _ in asked.statements if "inbox_holds" not in sql] == []


@pytest.mark.parametrize("explain", [False, True])
def test_no_statement_of_a_walk_reads_a_table_through(large, explain: bool) -> None:
    with large.read() as reader:
        asked = Asked(reader)
        walk(reader, start(5), USUAL, explain=explain, scope="team", aspect_filter="aspect")
        walk(reader, start(5), USUAL.model_copy(update={"weigh_confidence": False}))
        plans = asked.plans()
    assert plans
    scans = [line for line in plans if "SCAN" in line and not line.startswith(LISTS)]
    assert scans == []
    assert not [line for line in plans if "SCAN entity_attributes" in line]


def test_only_the_given_rows_are_sorted_in_a_walk(large) -> None:
    with large.read() as reader:
        asked = Asked(reader)
        walk(reader, start(5), USUAL)
        plans = [line for line in asked.plans() if "TEMP B-TREE" in line]
    # The given ids, twice the mentions and once the parts, which a limit keeps few, and the values
    # of the slot in which a value was replaced; the rest lies in order.
    assert len(plans) == 5


def test_no_statement_of_a_neighbourhood_reads_a_table_through(large) -> None:
    with large.read() as reader:
        asked = Asked(reader)
        neighborhood(reader, "e3", 3)
        neighbors(reader, ["e3", "e5"], project="x")
        scans = [line for line in asked.plans() if "SCAN" in line and not line.startswith(LISTS)]
    assert scans == []


def test_pins_and_ids_are_found_without_reading_all_entities(large) -> None:
    with large.read() as reader:
        asked = Asked(reader)
        resolved = resolve(reader, Signals(entity_ids=("e3",)), USUAL)
        scans = [line for line in asked.plans() if "SCAN" in line and not line.startswith(LISTS)]
    assert resolved.ids == ("e7", "e3")
    assert scans == []


def test_words_that_no_name_has_cost_no_pass_over_all_names(large) -> None:
    with large.read() as reader:
        asked = Asked(reader)
        resolve(reader, Signals(query="where is the zanzibar trampoline"), USUAL)
    assert asked.statements
    assert not [sql for sql, _ in asked.statements if " LIKE " in sql]


def test_an_old_file_without_statistics_is_not_read_by_what_nearly_all_values_share(
    tmp_path: Path,
) -> None:
    path = tmp_path / "memories.db"
    make("signet-030", path, tmp_path / "data").close()
    connection = sqlite3.connect(path)
    # As Signet makes them; of equals SQLite prefers the one that was made last.
    for column in ("aspect_id", "agent_id", "kind", "status"):
        connection.execute(f"CREATE INDEX values_by_{column} ON entity_attributes ({column})")
    connection.close()
    workspace = Workspace.open(path, data_dir=tmp_path / "data")
    with workspace.read() as reader:
        # What is out of force is few, and listed once by their status.
        read_outdated(reader, constraints=False)
        asked = Asked(reader)
        walk(reader, Focal((FocalEntity("e-harbor", "", "", "asked"),)), USUAL, explain=True)
        neighborhood(reader, "e-harbor", 3)
        aspects_of(reader, "e-harbor")
        steps = {line.partition("USING ")[2] for line in asked.plans() if "values_by" in line}
    workspace.close()
    assert steps == {"INDEX values_by_aspect_id (aspect_id=?)"}
