"""After a change only the rows that the log names are looked at; the vectors are those of all."""

import random
import sqlite3
from collections.abc import Callable, Iterator
from contextlib import ExitStack, closing

import numpy as np
import pytest

from core.recall import vector_upkeep
from core.recall.row_fingerprints import (
    MEMORIES,
    VECTORS,
    Lines,
    Listed,
    count,
    lines,
    lines_again,
)
from core.recall.vector_matrix import Matrix, VectorKind
from core.recall.vector_upkeep import bring_up_to_date
from core.store import rows_changed_since
from core.store.reader_and_writer import Reader
from core.store.writer_thread import IDLE
from core.workspace import Workspace
from tests.core.graphs import Graph
from tests.core.recalling import WordAxes

MANY = 1_500
MOST = 100_000
AXES = WordAxes()
BOTH = [VECTORS.table, MEMORIES.table]

EMBED = (
    "INSERT OR IGNORE INTO embeddings (id, content_hash, vector, dimensions, source_type,"
    " source_id, chunk_text, created_at, agent_id, model) SELECT 'e{row}', 'h{n}', zeroblob(256),"
    " 64, 'memory', id, '', '1', agent_id, 'other' FROM memories WHERE rowid = {row}")
CHANGES = (
    "UPDATE memories SET content = content || ' car', updated_at = '{n}' WHERE rowid = {row}",
    "UPDATE memories SET content = '{long}', updated_at = '{n}' WHERE rowid = {row}",
    "UPDATE memories SET visibility = 'archived' WHERE rowid BETWEEN {row} AND {row} + {few}",
    "UPDATE memories SET is_deleted = 1 - is_deleted WHERE rowid = {row}",
    "UPDATE memories SET agent_id = 'other', visibility = 'global' WHERE rowid = {row}",
    "DELETE FROM memories WHERE rowid BETWEEN {row} AND {row} + {few}",
    "DELETE FROM memories WHERE rowid > (SELECT max(rowid) FROM memories) - {few}",
    "INSERT INTO memories (id, content, type, created_at, updated_at, updated_by)"
    " VALUES (hex(randomblob(8)), 'a new note about a dog {n}', 'fact', '1', '1', 'test')",
    "UPDATE agents SET read_policy = CASE read_policy WHEN 'shared' THEN 'isolated'"
    " ELSE 'shared' END WHERE id = 'default'",
    EMBED,
    "DELETE FROM embeddings WHERE source_id LIKE '%{few}'",
    "UPDATE entities SET mentions = mentions + 1",
    "PRAGMA wal_checkpoint(TRUNCATE)",
    "PRAGMA wal_checkpoint(RESTART)",
)


@pytest.fixture
def workspace(graph: Callable[..., Workspace]) -> Workspace:
    """A graph whose memories lie on many pages."""
    def fill(g: Graph) -> None:
        g.entity("Vega")
        for number in range(MANY):
            g.memory(f"note {number} about tea", id=f"m{number}")

    return graph(fill)


@pytest.fixture
def wholes(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Grows with each reading of the lines of all rows of a table."""
    read: list[str] = []

    def all_of_them(reader: Reader, listed: Listed, before: str, most: int = -1) -> Lines:
        read.append(listed.table)
        return lines(reader, listed, before, most)

    monkeypatch.setattr(vector_upkeep, "lines", all_of_them)
    return read


def new_matrix() -> Matrix:
    return Matrix(VectorKind("axes", 64))


def follow(reader: Reader, matrix: Matrix, most: int = MOST) -> None:
    assert bring_up_to_date(reader, matrix, most=most, make=AXES.embed, made=MOST)


def asked(workspace: Workspace, matrix: Matrix, most: int = MOST) -> None:
    with workspace.read() as reader:
        follow(reader, matrix, most)


def settled(workspace: Workspace, matrix: Matrix, most: int = MOST) -> None:
    """Asked so often that the place in the log is sure."""
    for _ in range(3):
        asked(workspace, matrix, most)


def is_true_to(matrix: Matrix, reader: Reader, most: int = MOST) -> None:
    """Compares a matrix with one that was made anew."""
    whole = new_matrix()
    follow(reader, whole, most)
    assert matrix.held.memory_keys == lines(reader, MEMORIES, "", most).keys
    assert matrix.held.vector_keys == lines(reader, VECTORS, "").keys
    assert matrix.places.rows.tolist() == whole.places.rows.tolist()
    assert (matrix.listed, matrix.oldest) == (whole.listed, whole.oldest)
    assert matrix.others == whole.others
    rows = matrix.places.rows
    for kept, fresh in zip(_vectors(matrix, rows), _vectors(whole, rows), strict=True):
        assert np.array_equal(kept, fresh)


def _vectors(matrix: Matrix, rows: np.ndarray) -> np.ndarray:
    mapped, tail = matrix.blocks()
    return np.concatenate([mapped.vectors, tail.vectors])[matrix.places.of(rows)]


@pytest.fixture
def other(workspace: Workspace) -> Iterator[sqlite3.Connection]:
    """Another program's connection."""
    with closing(sqlite3.connect(workspace.path, isolation_level=None)) as connection:
        yield connection


@pytest.mark.parametrize("most", [MOST, MANY, 1_000], ids=["all", "just all", "the newest"])
@pytest.mark.parametrize("seed", range(6))
def test_vectors_are_true_to_the_file_whatever_was_written(
    workspace: Workspace, other: sqlite3.Connection, seed: int, most: int
) -> None:
    chance, matrix = random.Random(seed), new_matrix()
    for number in range(25):
        for _ in range(chance.choice((0, 1, 1, 2))):
            sql = chance.choice(CHANGES)
            other.execute(sql.format(n=f"{seed} {number}", row=chance.randrange(1, MANY + 30),
                                     few=chance.randrange(9), long="tea " * 4_000))
        if chance.random() < 0.2:
            workspace.write("own", lambda w, n=number: Graph(w).memory(f"a red car {n}"))
        for _ in range(chance.choice((0, 0, 1, IDLE + 1))):
            workspace.poll()
        with workspace.read() as reader:
            if chance.random() < 0.3:  # Another thread asks meanwhile, and sees more.
                other.execute(CHANGES[0].format(n=f"later {number}", row=number + 1))
                asked(workspace, matrix, most)
            follow(reader, matrix, most)
            is_true_to(matrix, reader, most)


@pytest.mark.parametrize("most", [MOST, 1_000], ids=["all", "the newest"])
def test_of_a_few_rows_only_their_pages_are_read(
    workspace: Workspace, other: sqlite3.Connection, wholes: list[str], most: int
) -> None:
    matrix = new_matrix()
    settled(workspace, matrix, most)
    assert wholes == BOTH
    for number in range(20):
        other.execute(CHANGES[number % 8].format(
            n=number, row=70 * number + 1, few=3, long="tea"))
        other.execute(EMBED.format(n=number, row=71 * number + 5))
        asked(workspace, matrix, most)
    assert wholes == BOTH
    with workspace.read() as reader:
        is_true_to(matrix, reader, most)


def test_a_log_that_was_brought_over_into_the_file_is_followed_on(
    workspace: Workspace, wholes: list[str]
) -> None:
    matrix = new_matrix()
    for number in range(4):
        workspace.write("own", lambda w, n=number: Graph(w).memory(f"a red car {n}"))
        settled(workspace, matrix)
        for _ in range(IDLE + 1):
            workspace.poll()
    assert wholes == BOTH, "the log was begun anew three times"


def test_what_was_written_while_the_log_was_brought_over_is_not_missed(
    workspace: Workspace, other: sqlite3.Connection, wholes: list[str]
) -> None:
    matrix = new_matrix()
    workspace.write("own", lambda w: Graph(w).memory("a red car"))
    settled(workspace, matrix)
    other.execute(CHANGES[0].format(n="unseen", row=3))
    other.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    asked(workspace, matrix)
    assert wholes == 2 * BOTH
    with workspace.read() as reader:
        is_true_to(matrix, reader)


def test_a_commit_that_comes_while_the_pages_are_read_is_waited_for(
    workspace: Workspace, other: sqlite3.Connection, monkeypatch: pytest.MonkeyPatch,
    wholes: list[str],
) -> None:
    matrix, looks = new_matrix(), []
    settled(workspace, matrix)
    read = rows_changed_since.written_ranges

    def and_somebody_writes(*given: object, **rest: object) -> object:
        looks.append(given)
        if len(looks) == 1:
            other.execute(CHANGES[0].format(n="meanwhile", row=9))
        return read(*given, **rest)

    monkeypatch.setattr(rows_changed_since, "written_ranges", and_somebody_writes)
    other.execute(CHANGES[0].format(n="before", row=900))
    asked(workspace, matrix)
    assert len(looks) == 2
    asked(workspace, matrix)
    assert wholes == BOTH
    with workspace.read() as reader:
        is_true_to(matrix, reader)


def test_many_threads_that_ask_at_once_leave_it_true(
    workspace: Workspace, other: sqlite3.Connection
) -> None:
    """Readings that began in any order are followed in any other."""
    matrix, chance = new_matrix(), random.Random(5)
    for _ in range(10):
        with ExitStack() as stack:
            readers = []
            for number in range(4):
                readers.append(stack.enter_context(workspace.read()))
                other.execute(CHANGES[0].format(n=f"{chance.random()}", row=number * 300 + 1))
            chance.shuffle(readers)
            for reader in readers:
                follow(reader, matrix)
                is_true_to(matrix, reader)


@pytest.mark.parametrize("keys", ["9 a\n8 b\n5 c\n2 d", "9 a\n8 b\n3 of\n8\n5 c\n2 d", "", "7 x"])
@pytest.mark.parametrize(("first", "last"), [(1, 9), (3, 8), (6, 7), (9, 20), (-5, 2), (4, 4)])
def test_lines_out_of_order_are_not_guessed(
    workspace: Workspace, keys: str, first: int, last: int
) -> None:
    with workspace.read() as reader:
        again = lines_again(reader, MEMORIES, keys, count(keys), ((first, last),))
        if again is None:
            assert "\n3 of" in keys
            return
        assert again.number == count(again.keys)
        rows = [int(line.split(" ")[0]) for line in again.keys.split("\n") if " " in line]
        assert {row for row in rows if first <= row <= last} == {
            row for row in range(first, last + 1) if 1 <= row <= MANY}
        assert set(again.changed.new.tolist()) == set(range(max(first, 1), last + 1))
