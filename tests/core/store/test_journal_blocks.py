"""Rows inserted many at once are one compact step; undo is as exact as for each row."""

import sqlite3
from collections.abc import Iterator, Mapping
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from core.errors import UndoRefused
from core.store.reader_and_writer import Writer
from core.store.undo_log import UndoLog
from core.workspace import Workspace
from tests.core.store.test_undo import aspect, dump, entity

NAMES = [f"e{number}" for number in range(100)]


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "graph.db"


@pytest.fixture
def workspace(path: Path, tmp_path: Path) -> Iterator[Workspace]:
    opened = Workspace.open(path, data_dir=tmp_path / "data", create=True)
    yield opened
    opened.close()


def _row(name: str, **more: object) -> Mapping[str, object]:
    return {"id": name, "name": name, "canonical_name": name, "created_at": "t",
            "updated_at": "t", **more}


def _add_many(writer: Writer) -> None:
    """Entities with aspects, links and mentions: tables with and without a row number."""
    writer.insert_many("entities", (_row(name, confidence=0.5) for name in NAMES))
    writer.insert_many("entity_aspects", (
        {**_row(f"a {name}"), "entity_id": name} for name in NAMES))
    writer.insert_many("memories", (
        {"id": f"m {name}", "content": f"{name} is here", "created_at": "t", "updated_at": "t"}
        for name in NAMES))
    writer.insert_many("memory_entity_mentions", (
        {"memory_id": f"m {name}", "entity_id": name, "confidence": 1} for name in NAMES))
    writer.insert_many("entity_dependencies", (
        {"id": f"d {name}", "source_entity_id": name, "target_entity_id": NAMES[0],
         "dependency_type": "uses", "created_at": "t", "updated_at": "t"} for name in NAMES))


def _steps(data: Path, table: str) -> int:
    [log] = (data / "beside").glob("*-undo.db")
    connection = sqlite3.connect(log)
    try:
        return int(connection.execute(f"SELECT count(*) FROM {table}").fetchone()[0])
    finally:
        connection.close()


def test_many_rows_of_a_table_are_one_step(workspace: Workspace, tmp_path: Path) -> None:
    workspace.write("many", _add_many)
    assert (_steps(tmp_path / "data", "blocks"), _steps(tmp_path / "data", "steps")) == (5, 0)
    [done] = workspace.history()
    assert done.rows == 5 * len(NAMES)
    assert done.entity_ids == tuple(NAMES[:8])


def test_a_memory_that_names_many_entities_comes_and_goes_as_one_step(
    workspace: Workspace, path: Path
) -> None:
    """All rows of the block begin their key with the same value, and differ in one column."""
    workspace.write("many", _add_many)
    before = dump(path)

    def mention(writer: Writer) -> list[str]:
        writer.insert("memories", id="m", content="All are here", created_at="t", updated_at="t")
        writer.insert_many("memory_entity_mentions", (
            {"memory_id": "m", "entity_id": name, "confidence": 1} for name in NAMES))
        return writer.journal.keys("memory_entity_mentions")

    written = workspace.write("mention", mention)
    after = dump(path)
    assert written.result == ["m"]
    assert written.entry is not None
    told = workspace.changes_of(written.entry)
    assert {change.key for change in told if change.table == "memory_entity_mentions"} == {
        ("m", name) for name in NAMES}
    workspace.undo()
    assert dump(path) == before
    workspace.redo()
    assert dump(path) == after


def test_rows_that_come_one_by_one_between_many_are_taken_back_with_them(
    workspace: Workspace, path: Path, tmp_path: Path
) -> None:
    workspace.write("one", lambda w: w.insert("entities", **_row("first")))
    before = dump(path)

    def mixed(writer: Writer) -> None:
        writer.insert_many("entities", map(_row, NAMES[:50]))
        writer.insert("entities", **_row("alone"))
        writer.insert_many("entities", map(_row, NAMES[50:]))

    workspace.write("mixed", mixed)
    after = dump(path)
    assert (_steps(tmp_path / "data", "blocks"), _steps(tmp_path / "data", "steps")) == (2, 2)
    workspace.undo()
    assert dump(path) == before
    workspace.redo()
    assert dump(path) == after


def test_many_rows_alone_are_watched_by_no_trigger(workspace: Workspace) -> None:
    def watched(writer: Writer) -> set[str]:
        _add_many(writer)
        return writer.journal._triggers()

    assert workspace.write("many", watched).result == set()


@pytest.mark.parametrize("count", [9, 66, 67, 133, 1000])
def test_rows_of_any_number_come_in_their_order(workspace: Workspace, count: int) -> None:
    names = [f"n{number * 7919 % 1000}" for number in range(count)]
    workspace.write("many", lambda w: w.insert_many("entities", map(_row, names)))
    with workspace.read() as reader:
        assert [row["name"] for row in reader.rows(
            "SELECT name FROM entities ORDER BY rowid")] == names


def test_undo_and_redo_of_many_rows_are_exact(workspace: Workspace, path: Path) -> None:
    workspace.write("first", lambda w: entity(w, "before"))
    before = dump(path)
    workspace.write("many", _add_many)
    after = dump(path)
    for _ in range(2):
        workspace.undo()
        assert dump(path) == before
        workspace.redo()
        assert dump(path) == after


def test_many_rows_are_redone_after_others_have_got_their_numbers(
    workspace: Workspace, path: Path
) -> None:
    workspace.write("many", _add_many)
    workspace.undo()
    workspace.write("others", lambda w: [entity(w, "other"), aspect(w, "o", "other")])
    entry = workspace.history()[1].undo_id
    workspace.redo(entry)
    after = dump(path)
    assert len(after["entities"]) == len(NAMES) + 1
    assert [row[1] for row in after["entities"]][1:] == NAMES, "in the order of before"
    workspace.undo(entry)
    assert [row[1] for row in dump(path)["entities"]] == ["other"]
    workspace.redo(entry)
    assert dump(path) == after


def test_rows_changed_in_the_same_step_come_back_as_they_were(
    workspace: Workspace, path: Path
) -> None:
    def change(writer: Writer) -> None:
        _add_many(writer)
        writer.update("entities", NAMES[3], mentions=7)
        writer.delete_where("entity_aspects", "id = :id", id=f"a {NAMES[4]}")

    before = dump(path)
    workspace.write("many", change)
    after = dump(path)
    workspace.undo()
    assert dump(path) == before
    workspace.redo()
    assert dump(path) == after


def test_full_text_follows_many_rows_and_their_undo(workspace: Workspace) -> None:
    def hits() -> int:
        with workspace.read() as reader:
            return int(reader.value(
                "SELECT count(*) FROM memories_fts WHERE memories_fts MATCH 'here'"))

    workspace.write("many", _add_many)
    assert hits() == len(NAMES)
    workspace.undo()
    assert hits() == 0
    workspace.redo()
    assert hits() == len(NAMES)


def test_undo_is_refused_where_one_of_many_rows_has_changed(
    workspace: Workspace, path: Path
) -> None:
    many = workspace.write("many", _add_many).entry
    workspace.write("rename", lambda w: w.update("entities", NAMES[40], name="Other"))
    after = dump(path)
    with pytest.raises(UndoRefused) as refused:
        workspace.undo(many)
    assert refused.value.where == "the entity “Other”"
    assert "“rename”" in refused.value.do
    assert dump(path) == after


def test_undo_of_many_rows_never_carries_off_rows_that_came_later(
    workspace: Workspace, path: Path
) -> None:
    many = workspace.write("many", _add_many).entry
    workspace.write("aspect", lambda w: aspect(w, "later", NAMES[5]))
    after = dump(path)
    with pytest.raises(UndoRefused):
        workspace.undo(many)
    assert dump(path) == after


def test_redo_is_refused_where_a_row_of_that_key_has_come(workspace: Workspace) -> None:
    workspace.write("many", _add_many)
    workspace.undo()
    connection = sqlite3.connect(workspace.path)
    connection.execute("INSERT INTO entities (id, name, canonical_name, created_at, updated_at)"
                       " VALUES ('e7', 'x', 'x', 't', 't')")
    connection.commit()
    connection.close()
    with pytest.raises(UndoRefused):
        workspace.redo()


def test_the_rows_of_a_block_are_shown_in_the_history(workspace: Workspace) -> None:
    entry = workspace.write("many", _add_many).entry
    assert entry is not None
    changes = workspace.changes_of(entry, limit=150)
    assert [change.key for change in changes[:100]] == [(name,) for name in NAMES]
    assert changes[0].before is None
    assert changes[0].after is not None
    assert changes[0].after["name"] == NAMES[0]
    workspace.undo()
    assert workspace.changes_of(entry, limit=1)[0].after is not None


def test_a_rehearsal_lists_each_of_many_rows(workspace: Workspace) -> None:
    changes = workspace.rehearse(_add_many).changes
    assert sum(change.table == "entities" for change in changes) == len(NAMES)


@pytest.mark.parametrize("committed", [True, False])
def test_a_process_killed_in_between_is_settled_by_the_rows(
    workspace: Workspace, path: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch,
    committed: bool
) -> None:
    """As after a kill: the step is written ahead, and the graph has it or has not."""
    if committed:
        monkeypatch.setattr(UndoLog, "confirm", lambda *_: None)
    else:
        monkeypatch.setattr(Writer, "commit", lambda writer: writer.take_back())
        monkeypatch.setattr(UndoLog, "confirm", lambda *_: None)
    workspace.write("many", _add_many)
    monkeypatch.undo()
    workspace.write("next", lambda w: entity(w, "next"))
    assert [done.label for done in workspace.history()] == ["next", "many"][:1 + committed]


_VALUES = st.fixed_dictionaries({
    "description": st.none() | st.text(st.characters(blacklist_categories=["Cs"])),
    "confidence": st.floats(0, 1) | st.sampled_from([0, 1]),
    "mentions": st.integers(0, 2**63 - 1),
    "pinned": st.sampled_from([0, 1, True, False]),
    "embedding": st.none() | st.binary(max_size=8),
})


@settings(max_examples=25, deadline=None)
@given(st.lists(_VALUES, min_size=9, max_size=20))
def test_any_values_of_many_rows_come_back_exactly(
    tmp_path_factory: pytest.TempPathFactory, rows: list[dict[str, object]]
) -> None:
    folder = tmp_path_factory.mktemp("graph")
    workspace = Workspace.open(folder / "g.db", data_dir=folder / "data", create=True)
    try:
        before = dump(folder / "g.db")
        workspace.write("many", lambda w: w.insert_many("entities", (
            {**_row(f"e{number}"), **row} for number, row in enumerate(rows))))
        after = dump(folder / "g.db")
        workspace.undo()
        assert dump(folder / "g.db") == before
        workspace.redo()
        assert dump(folder / "g.db") == after
    finally:
        workspace.close()
