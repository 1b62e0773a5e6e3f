"""Counts that follow changes count again only the parts in which rows may be other."""

from msgspec.structs import replace

from core.model.changes import Changes
from core.queries import followed_counts as module
from core.queries.followed_counts import Followed, Parts, followed_counts
from core.queries.stats import counts
from core.workspace import Workspace
from tests.core.graphs import Graph, empty_graph  # noqa: F401 - the fixture `graph`

ALL = Changes(frozenset(), external=True)


def written(**ids: str) -> Changes:
    return Changes(frozenset(ids), {table: frozenset((id,)) for table, id in ids.items()})


def filled(graph: Workspace) -> list[str]:
    """Twelve values, one of them of an archived aspect."""
    def fill(writer) -> list[str]:
        new = Graph(writer)
        entity = new.entity("Harbor")
        seen, other = new.aspect(entity, "seen"), new.aspect(entity, "other", status="archived")
        return [*(new.value(seen, f"value {n}") for n in range(11)), new.value(other, "hidden")]

    return graph.write("fill", fill).result


def followed(graph: Workspace, before: Followed | None, since: Changes = ALL) -> Followed:
    with graph.read() as reader:
        return followed_counts(reader, before, since)


def with_parts(graph: Workspace) -> tuple[Followed, Parts]:
    known = followed(graph, followed(graph, None))
    assert known.parts is not None
    return known, known.parts


def test_only_the_parts_of_what_was_written_are_counted_again(graph, monkeypatch) -> None:
    monkeypatch.setattr(module, "BITS", 1)
    ids = filled(graph)
    known, parts = with_parts(graph)
    assert known.counts.attributes == 11
    values = parts.tables["entity_attributes"]
    first, *others = values.parts
    marked = replace(values, parts=dict.fromkeys(values.parts, (100, 0)))
    known = replace(known, parts=replace(parts, tables={
        **parts.tables, "entity_attributes": marked}))
    after = followed(graph, known, written(entity_attributes=ids[0]))
    assert after.counts.attributes == values.parts[first][0] + 100 * len(others) - 1


def test_a_row_that_has_another_number_by_now_is_counted_once(graph, monkeypatch) -> None:
    monkeypatch.setattr(module, "BITS", 1)
    ids = filled(graph)
    known, _ = with_parts(graph)
    graph.write("delete", lambda writer: writer.delete_where(
        "entity_attributes", "id = :id", id=ids[0]))
    graph.write("add", lambda writer: Graph(writer).value(
        writer.value("SELECT id FROM entity_aspects WHERE name = 'seen'"), "again", id=ids[0]))
    after = followed(graph, known, written(entity_attributes=ids[0]))
    assert after.counts.attributes == 11


def test_what_is_archived_and_restored_above_values_is_followed(graph) -> None:
    filled(graph)
    known, _ = with_parts(graph)
    for status, seen in (("archived", 0), ("active", 11)):
        entity = graph.write("turn", lambda writer, status=status: turn(writer, status)).result
        known = followed(graph, known, written(entities=entity))
        assert (known.counts.entities, known.counts.attributes) == (bool(seen), seen)


def turn(writer, status: str) -> str:
    entity = str(writer.value("SELECT id FROM entities"))
    writer.update("entities", entity, status=status)
    return entity


def test_rows_with_numbers_far_apart_are_counted_without_parts(graph) -> None:
    ids = filled(graph)
    graph.write("move", lambda writer: writer.connection.execute(
        "UPDATE main.entity_attributes SET rowid = 1 << 60 WHERE id = ?", (ids[0],)))
    known = followed(graph, followed(graph, None))
    assert known.parts is None
    with graph.read() as reader:
        assert known.counts == counts(reader)
