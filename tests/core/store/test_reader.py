"""Rows that are read one by one, and by column."""

import pytest

from core.store.reader_and_writer import Reader
from core.workspace import Workspace
from tests.core.graphs import Graph, empty_graph  # noqa: F401 - the fixture `graph`


def test_rows_come_one_by_one_also_past_text_that_is_none(graph: Workspace) -> None:
    graph.write("fill", lambda writer: [
        Graph(writer).entity(f"entity {number}") for number in range(9)])
    graph.write("spoil", lambda writer: writer.connection.execute(
        "UPDATE entities SET description = CAST(x'ff41' AS TEXT) WHERE name = 'entity 4'"))
    sql = "SELECT name, description FROM entities WHERE agent_id = :agent ORDER BY name"

    def read(reader: Reader) -> list[tuple[object, ...]]:
        return [tuple(row) for row in reader.each(sql)]

    with graph.read() as reader:
        found = read(reader)
        assert [name for name, _ in found] == [f"entity {number}" for number in range(9)]
        assert found == [tuple(row) for row in reader.rows(sql)] == read(reader)


@pytest.mark.parametrize("odd", [
    "'plain'", "x'00ff'", "CAST(x'ff41' AS TEXT)", "9e999", "-9e999", "NULL", "0.1", "7",
    "9223372036854775807", "'a' || char(0) || 'b'", "'\"\\é😀'"])
def test_columns_hold_what_the_rows_hold(graph: Workspace, odd: str) -> None:
    sql = f"SELECT 1 AS number, {odd} AS odd UNION ALL SELECT 2, 'last' ORDER BY number"
    with graph.read() as reader:
        columns = reader.rows_by_column(sql)
        assert columns == {"number": [1, 2], "odd": [row["odd"] for row in reader.rows(sql)]}
        nothing = reader.rows_by_column("SELECT id, name FROM entities WHERE name = :name",
                                        name="nobody")
    assert nothing == {"id": [], "name": []}


def test_a_column_may_come_as_json(graph: Workspace) -> None:
    with graph.read() as reader:
        columns = reader.rows_by_column("SELECT 1 AS number, 'é' AS word", ("word",))
        odd = reader.rows_by_column("SELECT 9e999 AS number, 'é' AS word", ("word",))
    assert columns == {"number": [1], "word": '["é"]'}
    assert odd == {"number": [float("inf")], "word": ["é"]}
