"""An undo that is refused says which step it was and which must go first."""

import zlib
from collections.abc import Callable
from contextlib import suppress

import pytest

from core.errors import ConstellationError, UndoRefused
from core.ontology import control
from core.store import journal_blocks, undo_conflicts
from core.store.undo_conflicts import Conflict
from core.workspace import Workspace
from tests.core.graphs import Graph

Make = Callable[..., Workspace]


def do(workspace: Workspace, operation: str, **payload: object) -> None:
    workspace.write(operation, lambda w: control.apply(w, operation, payload))


def refusal(workspace: Workspace, entry: int) -> str:
    with pytest.raises(UndoRefused) as refused:
        workspace.undo(entry)
    return str(refused.value)


@pytest.fixture
def workspace(graph: Make) -> Workspace:
    opened = graph(lambda g: Graph(g.writer).entity("NAS"))
    do(opened, "pin_entity", entity="NAS")
    do(opened, "rename_entity", entity="NAS", new_name="Disk")
    return opened


def test_a_step_that_is_not_there_is_told_from_nothing_to_undo(workspace: Workspace) -> None:
    assert refusal(workspace, 999) == "Step 999 not found. The history lists the step numbers"
    assert refusal(workspace, 0).startswith("Step 0 not found")
    workspace.undo()
    assert refusal(workspace, 3) == "Step 3, “rename_entity”, is undone already"


def test_a_step_that_others_rest_on_names_the_thing_and_what_goes_first(
    workspace: Workspace,
) -> None:
    told = refusal(workspace, 2)
    assert "(the entity “Disk”)" in told
    assert told.endswith("Undo “rename_entity” (step 3) first")
    assert "step 3), then" not in told
    assert "Undo “rename_entity” (step 3), then “pin_entity” (step 2) first" in refusal(
        workspace, 1)
    workspace.undo(3)
    assert workspace.undo(2) == "pin_entity"


@pytest.mark.parametrize("columns", [" ", "[]", "7", '{"entities": 5}'])
def test_a_damaged_step_is_listed_and_refused_in_words(workspace: Workspace, columns: str) -> None:
    with workspace._log.turn() as run:
        run.execute("UPDATE entries SET columns = ? WHERE id = 2", (columns,))
    assert {entry.label for entry in workspace.history()} >= {"pin_entity", "rename_entity"}
    assert "is damaged" in refusal(workspace, 2)
    assert workspace.undo(3) == "rename_entity"


@pytest.mark.parametrize("harm", ["key = x'00ff27'", "before = x'00', after = 5", "tbl = x'ff'"])
def test_a_history_with_damaged_rows_is_listed_all_the_same(
    workspace: Workspace, harm: str
) -> None:
    with workspace._log.turn() as run:
        run.execute(f"UPDATE steps SET {harm} WHERE entry = 2")
    assert {entry.label for entry in workspace.history()} >= {"pin_entity", "rename_entity"}
    assert workspace.undo(3) == "rename_entity"
    with suppress(ConstellationError):
        workspace.undo(2)
    with suppress(ConstellationError):
        workspace._log.changes_of(2, 10)


@pytest.mark.parametrize("column", ["moved", "turn"])
@pytest.mark.parametrize("harm", ["-1e999", "'x'", "x'00'"])
def test_a_history_with_damaged_numbers_is_listed_and_stops_nothing(
    workspace: Workspace, column: str, harm: str
) -> None:
    with workspace._log.turn() as run:
        run.execute(f"UPDATE entries SET {column} = {harm} WHERE id = 2")
    assert {entry.label for entry in workspace.history()} >= {"pin_entity", "rename_entity"}
    with suppress(ConstellationError):
        workspace.undo()
    do(workspace, "create_entity", name="Tape")
    assert workspace.history()[0].label == "create_entity"


def test_a_damaged_step_that_a_killed_process_left_stops_no_later_change(
    workspace: Workspace,
) -> None:
    with workspace._log.turn() as run:
        run.execute("UPDATE entries SET intent = 'undone' WHERE id = 3")
        run.execute("INSERT INTO steps SELECT entry, turn + 1, seq, tbl, x'00', before, after"
                    " FROM steps WHERE entry = 3")
    do(workspace, "unpin_entity", entity="Disk")
    assert workspace.history()[0].label == "unpin_entity"


@pytest.mark.parametrize("data", [b"", b"no block", *map(zlib.compress, (
    b"no json", b"[1]", b"[[0], 1, [0], 1, 1, [[]]]"))])
def test_a_damaged_block_is_refused_in_words(data: bytes) -> None:
    for read in (journal_blocks.unpacked, journal_blocks.first_keys):
        with pytest.raises(UndoRefused, match="is damaged"):
            read(data)


def test_more_than_one_conflict_is_counted_in_words() -> None:
    conflicts = [Conflict("name", "a", "b"), Conflict("status", "a", "b"),
                 Conflict("pinned", 0, 1)]
    assert str(undo_conflicts.refusal(conflicts, "entities", "'e'")).startswith(
        "Name was changed since, from “a” to “b”, and 2 more fields")
