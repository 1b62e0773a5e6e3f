"""Undo: recorded, unlimited, surviving a restart, exact, and refusing in words."""

import sqlite3
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.errors import UndoRefused
from core.store.database import in_words
from core.store.undo_log import UndoLog
from core.store.writer_thread import WriterThread
from core.workspace import Workspace


@pytest.fixture
def path(tmp_path) -> Path:
    return tmp_path / "graph.db"


@pytest.fixture
def workspace(path, tmp_path):
    opened = Workspace.open(path, data_dir=tmp_path / "data", create=True)
    yield opened
    opened.close()


def entity(writer, id: str, **more) -> None:
    row = {"id": id, "name": id, "canonical_name": id, "created_at": "t", "updated_at": "t"}
    writer.insert("entities", **{**row, **more})


def aspect(writer, id: str, owner: str) -> None:
    writer.insert("entity_aspects", id=id, entity_id=owner, name=id, canonical_name=id,
                  created_at="t", updated_at="t")


def dump(path: Path) -> dict[str, list]:
    """Every row of every ordinary table, the append-only record left out."""
    connection = sqlite3.connect(path)
    tables = [r[0] for r in connection.execute(
        "SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE '%fts%' "
        "AND name NOT IN ('entity_dependency_history', 'ontology_proposals')")]
    found = {t: connection.execute(f'SELECT * FROM "{t}" ORDER BY 1').fetchall() for t in tables}
    connection.close()
    return found


def test_undo_and_redo_move_through_every_step(workspace, path):
    states = [dump(path)]
    for id in "abc":
        workspace.write(f"add {id}", lambda w, id=id: entity(w, id))
        states.append(dump(path))
    for at in (2, 1, 0):
        workspace.undo()
        assert dump(path) == states[at]
    assert workspace.undo_step() is None
    for at in (1, 2, 3):
        workspace.redo()
        assert dump(path) == states[at]
    assert workspace.redo_step() is None


def test_undo_survives_a_restart(workspace, path, tmp_path):
    before = dump(path)
    workspace.write("add a", lambda w: entity(w, "a"))
    workspace.close()
    again = Workspace.open(path, data_dir=tmp_path / "data")
    assert again.undo() == "add a"
    assert dump(path) == before
    assert again.redo() == "add a"
    again.close()


def test_a_cascade_is_taken_back_whole(workspace, path):
    def build(w):
        entity(w, "a")
        entity(w, "b")
        aspect(w, "a1", "a")
        w.insert("entity_attributes", id="v1", aspect_id="a1", kind="attribute", content="x",
                 normalized_content="x", created_at="t", updated_at="t")
        w.insert("entity_dependencies", id="d1", source_entity_id="a", target_entity_id="b",
                 dependency_type="uses", created_at="t", updated_at="t")

    workspace.write("build", build)
    full = dump(path)
    workspace.write("delete a", lambda w: w.delete_where("entities", "id = 'a'"))
    assert dump(path)["entity_attributes"][0][2] is None  # ON DELETE SET NULL was recorded
    workspace.undo()
    assert dump(path) == full
    connection = sqlite3.connect(path)
    assert connection.execute("PRAGMA foreign_key_check").fetchall() == []
    assert connection.execute("PRAGMA integrity_check").fetchone() == ("ok",)
    connection.close()


def elsewhere(path: Path, sql: str) -> None:
    other = sqlite3.connect(path)
    other.execute(sql)
    other.commit()
    other.close()


def value(path: Path, sql: str) -> object:
    connection = sqlite3.connect(path)
    try:
        return connection.execute(sql).fetchone()[0]
    finally:
        connection.close()


def test_an_undo_leaves_the_columns_that_others_write(workspace, path):
    workspace.write("add a", lambda w: entity(w, "a"))
    workspace.write("pin a", lambda w: w.update("entities", "a", pinned=1))
    elsewhere(path, "UPDATE entities SET mentions = 9, description = 'theirs', updated_at = 'u'")
    workspace.undo()
    assert value(path, "SELECT pinned || mentions || description || updated_at FROM entities"
                 ) == "09theirsu"
    workspace.redo()
    assert value(path, "SELECT pinned || mentions || description FROM entities") == "19theirs"


def test_what_others_count_keeps_no_new_row_from_being_undone(workspace, path):
    workspace.write("add a", lambda w: entity(w, "a"))
    elsewhere(path, "UPDATE entities SET mentions = 9, updated_at = 'u'")
    workspace.undo()
    assert value(path, "SELECT count(*) FROM entities") == 0
    workspace.redo()
    assert value(path, "SELECT mentions FROM entities") == 9


def test_a_column_that_others_changed_too_is_a_conflict_that_shows_both_values(workspace, path):
    workspace.write("add a", lambda w: entity(w, "a"))
    workspace.write("say a", lambda w: w.update("entities", "a", description="mine"))
    elsewhere(path, "UPDATE entities SET description = 'theirs'")
    after = dump(path)
    with pytest.raises(UndoRefused) as caught:
        workspace.undo()
    assert caught.value.what == "Description was changed since, from “mine” to “theirs”"
    assert dump(path) == after
    assert caught.value.entry == 2


def test_a_conflict_is_taken_back_anyway(workspace, path):
    workspace.write("add a", lambda w: entity(w, "a"))
    workspace.write("say a", lambda w: w.update("entities", "a", description="mine"))
    elsewhere(path, "UPDATE entities SET description = 'theirs', mentions = 4")
    workspace.undo(force=True)
    assert value(path, "SELECT coalesce(description, 'none') || mentions FROM entities"
                 ) in ("none4", "4")
    workspace.redo()
    assert value(path, "SELECT description FROM entities") == "theirs"


def test_a_conflict_is_skipped_and_the_step_before_undone(workspace, path):
    workspace.write("add a", lambda w: entity(w, "a"))
    workspace.write("add b", lambda w: entity(w, "b"))
    workspace.write("say a", lambda w: w.update("entities", "a", description="mine"))
    elsewhere(path, "UPDATE entities SET description = 'theirs' WHERE id = 'a'")
    with pytest.raises(UndoRefused) as caught:
        workspace.undo()
    assert workspace.undo(before=caught.value.entry) == "add b"
    assert value(path, "SELECT group_concat(id) FROM entities") == "a"


def test_a_row_that_others_deleted_is_a_conflict_or_already_gone(workspace, path):
    workspace.write("add a", lambda w: entity(w, "a"))
    workspace.write("say a", lambda w: w.update("entities", "a", description="mine"))
    elsewhere(path, "DELETE FROM entities")
    with pytest.raises(UndoRefused, match="It was there after this step, and is gone now"):
        workspace.undo()
    assert workspace.undo(before=2) == "add a"
    assert value(path, "SELECT count(*) FROM entities") == 0


def test_a_trigger_in_the_file_does_not_keep_undone_rows_away(workspace, path):
    workspace.write("add", lambda w: [entity(w, id) for id in "abcd"])
    workspace.close()
    elsewhere(path, "CREATE TRIGGER eats AFTER UPDATE OF pinned ON entities WHEN new.id = 'a'"
                    " BEGIN DELETE FROM entities WHERE id <> 'a'; END")
    again = Workspace.open(path, data_dir=path.parent / "data")
    before = dump(path)
    again.write("pin a", lambda w: w.update("entities", "a", pinned=1))
    assert value(path, "SELECT count(*) FROM entities") == 1
    again.undo()
    assert dump(path) == before
    again.close()


@pytest.mark.parametrize("body", [
    "INSERT INTO told (id, n) VALUES (new.id, 1)",
    "INSERT INTO told (id, n) VALUES (new.id, 1) ON CONFLICT (id) DO UPDATE SET n = n + 1",
    "INSERT INTO told (id, n) VALUES (hex(randomblob(8)), 1)"])
def test_what_a_trigger_adds_elsewhere_is_undone_and_redone_with_the_step(workspace, path, body):
    workspace.write("add a", lambda w: entity(w, "a"))
    workspace.close()
    elsewhere(path, "CREATE TABLE told (id TEXT PRIMARY KEY, n INTEGER)")
    for event in ("INSERT", "UPDATE"):
        elsewhere(path, f"CREATE TRIGGER tells_{event} AFTER {event} ON entities BEGIN {body}; END")
    again = Workspace.open(path, data_dir=path.parent / "data")
    dumps = [dump(path)]
    again.write("add b", lambda w: entity(w, "b"))
    dumps.append(dump(path))
    again.write("pin a", lambda w: w.update("entities", "a", pinned=1))
    dumps.append(dump(path))
    for _ in range(2):
        for before in (dumps[1], dumps[0]):
            again.undo()
            assert dump(path) == before
        for after in dumps[1:]:
            again.redo()
            assert dump(path) == after
    again.close()


def test_a_trigger_that_always_undoes_the_undo_is_said(workspace, path):
    workspace.write("add a", lambda w: entity(w, "a"))
    workspace.write("say a", lambda w: w.update("entities", "a", description="mine"))
    workspace.close()
    elsewhere(path, "CREATE TRIGGER mine AFTER UPDATE OF description ON entities"
                    " WHEN new.description IS NOT 'mine'"
                    " BEGIN UPDATE entities SET description = 'mine' WHERE id = new.id; END")
    again = Workspace.open(path, data_dir=path.parent / "data")
    with pytest.raises(UndoRefused, match="A trigger in the file changes this again"):
        again.undo()
    step = again.undo_step()
    assert step
    assert step.label == "say a"
    again.close()


def test_undo_never_carries_off_rows_that_others_added(workspace, path):
    workspace.write("add a", lambda w: entity(w, "a"))
    other = sqlite3.connect(path)
    other.execute("INSERT INTO entity_aspects (id, entity_id, name, canonical_name, created_at, "
                  "updated_at) VALUES ('x', 'a', 'x', 'x', 't', 't')")
    other.commit()
    other.close()
    with pytest.raises(UndoRefused) as caught:
        workspace.undo()
    assert "added later" in caught.value.what
    assert len(dump(path)["entity_aspects"]) == 1


def test_one_entry_is_undone_out_of_turn(workspace, path):
    workspace.write("add a", lambda w: entity(w, "a"))
    workspace.write("add b", lambda w: entity(w, "b"))
    first = workspace.history()[-1]
    assert workspace.undo(first.undo_id) == "add a"
    assert [r[1] for r in dump(path)["entities"]] == ["b"]
    assert [a.state for a in workspace.history()] == ["done", "undone"]
    assert workspace.redo() == "add a"


def test_a_new_change_abandons_what_was_undone(workspace):
    workspace.write("add a", lambda w: entity(w, "a"))
    workspace.undo()
    workspace.write("add b", lambda w: entity(w, "b"))
    with pytest.raises(UndoRefused):
        workspace.redo()
    assert [a.state for a in workspace.history()] == ["done", "abandoned"]


def test_a_row_that_changes_its_own_key_comes_back(workspace, path):
    def build(w):
        entity(w, "a")
        entity(w, "b")
        w.insert("task_meta", entity_id="a", status="open", updated_at="t")

    workspace.write("build", build)
    before = dump(path)
    workspace.write("move", lambda w: w.update("task_meta", "a", entity_id="b", status="done"))
    moved = dump(path)
    workspace.undo()
    assert dump(path) == before
    workspace.redo()
    assert dump(path) == moved


def test_a_failed_change_leaves_nothing(workspace, path):
    before = dump(path)

    def fail(w):
        entity(w, "a")
        raise RuntimeError("no")

    with pytest.raises(RuntimeError):
        workspace.write("fail", fail)
    assert dump(path) == before
    assert workspace.undo_step() is None


def test_what_is_done_is_not_refused_where_nothing_can_be_noted_any_more(
    workspace, path, monkeypatch
):
    def full(*_args) -> None:
        with in_words(path):
            raise sqlite3.OperationalError("database or disk is full")

    heard = []
    workspace.events.subscribe(heard.append)
    with monkeypatch.context() as patched:
        patched.setattr(WriterThread, "committed", full)
        patched.setattr(UndoLog, "confirm", full)
        workspace.write("add", lambda writer: entity(writer, "vega"))
    assert [changes.initiator for changes in heard] == [""]
    assert workspace.undo() == "add"
    assert dump(path)["entities"] == []


def test_a_change_that_changes_nothing_leaves_no_step(workspace):
    said = []
    workspace.events.subscribe(said.append)
    workspace.write("nothing", lambda w: w.update("entities", "none", pinned=1))
    assert workspace.history() == []
    assert said == []


def test_the_audit_row_stays_when_its_change_is_undone(workspace, path):
    def change(w):
        entity(w, "a")
        w.audit(operation="create_entity")

    workspace.write("add a", change)
    workspace.undo()
    connection = sqlite3.connect(path)
    rows = connection.execute("SELECT operation, status FROM ontology_proposals").fetchall()
    connection.close()
    assert rows == [("create_entity", "applied"), ("undo", "applied")]


def test_undo_is_scoped_to_the_agent(workspace):
    workspace.write("add a", lambda w: entity(w, "a", agent_id=w.agent))
    workspace.with_agent("atlas")
    assert workspace.undo_step() is None
    with pytest.raises(UndoRefused):
        workspace.undo()


def test_a_vacuum_elsewhere_leaves_undo_and_full_text_right(workspace, path):
    workspace.write("add", lambda w: [entity(w, id) for id in ("aa", "bb", "cc")])
    workspace.write("delete", lambda w: w.delete_where("entities", "id = 'aa'"))
    other = sqlite3.connect(path)
    other.execute("VACUUM")
    other.close()
    workspace.undo()
    with workspace.read() as reader:
        found = reader.rows("SELECT e.id FROM entities_fts AS f JOIN entities AS e "
                            "ON e.rowid = f.rowid WHERE entities_fts MATCH 'aa OR cc'")
    assert sorted(r["id"] for r in found) == ["aa", "cc"]


VALUES = st.one_of(
    st.none(), st.text(max_size=30), st.binary(max_size=30), st.integers(-2**63, 2**63 - 1),
    st.floats(allow_nan=False), st.sampled_from([float("inf"), float("-inf")]),
    st.just("a\0b'c\0"), st.just("'); DROP TABLE entities; --"))


@given(first=VALUES, second=VALUES)
def test_any_value_comes_back_exactly(tmp_path_factory, first, second):
    folder = tmp_path_factory.mktemp("values")
    workspace = Workspace.open(folder / "g.db", data_dir=folder / "data", create=True)
    try:
        workspace.write("add", lambda w: entity(w, "a", embedding=first))
        workspace.write("change", lambda w: w.update("entities", "a", embedding=second))
        workspace.write("delete", lambda w: w.delete_where("entities", "id = 'a'"))
        for _ in range(2):
            workspace.undo()
        with workspace.read() as reader:
            found = tuple(reader.row("SELECT embedding, typeof(embedding) FROM entities"))
        assert found == (first, {type(None): "null", str: "text", bytes: "blob", int: "integer",
                                 float: "real"}[type(first)])
    finally:
        workspace.close()


def test_a_rehearsal_leaves_no_trace(workspace, path):
    before = path.read_bytes(), dump(path)
    rehearsal = workspace.rehearse(lambda w: entity(w, "a"))
    assert [(c.table, c.before is None) for c in rehearsal.changes] == [("entities", True)]
    assert dump(path) == before[1]
    assert workspace.history() == []


def test_another_process_is_noticed_and_our_own_writes_are_not(workspace, path):
    workspace.poll()
    workspace.write("add a", lambda w: entity(w, "a"))
    assert not workspace.poll()
    said = []
    workspace.events.subscribe(said.append)
    other = sqlite3.connect(path)
    other.execute("UPDATE entities SET mentions = 3")
    other.commit()
    other.close()
    assert workspace.poll()
    assert said[0].initiator == "other process"
    assert said[0].touches("entities")
    assert not workspace.poll()


def test_a_place_set_by_hand_can_be_taken_back(workspace):
    workspace.write("place a", lambda w: w.place("a", 1.0, 2.0))
    workspace.write("place a", lambda w: w.place("a", 5.0, 6.0))
    assert workspace.sidecar.positions() == {"a": (5.0, 6.0, True)}
    workspace.undo()
    assert workspace.sidecar.positions() == {"a": (1.0, 2.0, True)}


def test_a_huge_text_of_another_step_is_not_read_at_each_search(path, tmp_path) -> None:
    # Only a table with rowids keeps the texts out of what is searched.
    Workspace.open(path, data_dir=tmp_path / "data", create=True).close()
    log = sqlite3.connect(next((tmp_path / "data" / "beside").glob("*-undo.db")))
    assert log.execute("SELECT rowid, * FROM steps").fetchall() == []
    log.close()


def found(path: Path, word: str) -> list[str]:
    connection = sqlite3.connect(path)
    rows = connection.execute(
        "SELECT e.id FROM entities_fts f JOIN entities e ON e.seq = f.rowid"
        " WHERE entities_fts MATCH ?", (word,)).fetchall()
    connection.close()
    return [id for id, in rows]


def test_a_row_whose_number_others_have_got_since_comes_back_with_another(workspace, path):
    workspace.write("add vega", lambda w: [entity(w, "vega"), aspect(w, "v1", "vega")])
    workspace.write("rename", lambda w: w.update("entities", "vega", name="lyra"))
    for _ in range(2):
        workspace.undo()
    workspace.write("add sirius", lambda w: [entity(w, "sirius"), aspect(w, "s1", "sirius")])
    first, second = (entry.undo_id for entry in reversed(workspace.history()[1:]))
    assert workspace.redo(first) == "add vega"
    assert workspace.redo(second) == "rename"
    assert (found(path, "lyra"), found(path, "sirius")) == (["vega"], ["sirius"])
    after = dump(path)
    for entry in (second, first):
        workspace.undo(entry)
    assert found(path, "sirius") == ["sirius"]
    for entry in (first, second):
        workspace.redo(entry)
    assert dump(path) == after


def test_a_deleted_row_comes_back_although_its_number_was_given_away(workspace, path):
    workspace.write("add", lambda w: [entity(w, "vega"), entity(w, "rigel")])
    workspace.write("delete", lambda w: w.delete_where("entities", "id = 'rigel'"))
    workspace.write("add sirius", lambda w: entity(w, "sirius"))
    [_, deleted, _] = workspace.history()
    workspace.undo(deleted.undo_id)
    assert [found(path, word) for word in ("vega", "rigel", "sirius")] == [
        ["vega"], ["rigel"], ["sirius"]]
