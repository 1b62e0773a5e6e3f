"""Rows that are read one by one."""

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
