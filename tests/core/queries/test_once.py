"""What is the same until the file changes is read once; what rests on mutes costs their number."""

from core.queries.muted_memories import quiet_memories
from core.recall.filters import memory_count
from tests.core.graphs import Asked, Graph


def two_memories(graph: Graph) -> None:
    for name in ("Vega", "Rigel"):
        entity = graph.entity(name, id=f"e-{name}")
        graph.memory(f"about {name}", entity, id=f"m-{name}")


def test_memories_are_counted_once_after_each_change(graph) -> None:
    workspace = graph(two_memories)
    with workspace.read() as reader:
        asked = Asked(reader)
        assert [memory_count(reader), memory_count(reader)] == [2, 2]
        assert len(asked.statements) == 1
        del reader.rows, reader.rows_in_time
    workspace.write("more", lambda writer: Graph(writer).memory("one more"))
    with workspace.read() as reader:
        assert memory_count(reader) == 3


def test_a_writer_counts_what_it_has_written_and_what_was_taken_back(graph) -> None:
    def change(writer) -> list[int]:
        counts = [memory_count(writer)]
        try:
            with writer.savepoint():
                Graph(writer).memory("one more")
                counts.append(memory_count(writer))
                raise KeyError
        except KeyError:
            counts.append(memory_count(writer))
        return counts

    assert graph(two_memories).write("try", change).result == [2, 3, 2]


def test_no_memory_is_looked_at_for_mutes_where_nothing_is_muted(graph) -> None:
    with graph(two_memories).read() as reader:
        quiet_memories(reader, ["m-Vega"])
        asked = Asked(reader)
        assert quiet_memories(reader, ["m-Vega", "m-Rigel"]) == frozenset()
        assert not asked.statements


def test_a_mute_is_followed_at_once(graph) -> None:
    workspace = graph(two_memories)
    with workspace.read() as reader:
        assert quiet_memories(reader, ["m-Vega", "m-Rigel"]) == frozenset()
    workspace.write("mute", lambda writer: writer.mute("e-Vega", writer.now()))
    with workspace.read() as reader:
        assert quiet_memories(reader, ["m-Vega", "m-Rigel"]) == {"m-Vega"}
        assert quiet_memories(reader, ["m-Vega"], asked=["e-Vega"]) == frozenset()
