"""What other processes write is read again alone where that is certain; all of it otherwise."""

import random
import sqlite3
import time
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from core.errors import OperationError, UndoRefused
from core.model.changes import Changes
from core.ontology import control
from core.past.compared_states import compare_again, compare_with_now, note_visit
from core.queries import comparison_snapshot
from core.store.outside_changes import OTHER_PROCESS
from core.workspace import Workspace
from tests.contracts.files import make
from tests.contracts.test_reread_changed_sky_rows import Skies
from tests.soak.choices import PAYLOADS, Choices

FOREIGN = ("UPDATE entities SET name = name || '.' WHERE rowid = 2",
           "UPDATE entity_attributes SET importance = 0.11 WHERE rowid % 3 = 0",
           "DELETE FROM entity_dependencies WHERE rowid = 1",
           "UPDATE memories SET importance = 0.3 WHERE rowid = 1")
"""What another program does: no entry, no time, no audit tells of it."""


COMPARED = (
    "UPDATE entities SET name = name || ' {mark}' WHERE rowid = 2",
    "UPDATE entity_attributes SET content = content || ' {mark}' WHERE rowid = (SELECT"
    " MAX(rowid) FROM entity_attributes)",
    "UPDATE entity_attributes SET content = content || ' {mark}' WHERE rowid % 3 = 0",
    "UPDATE entity_aspects SET name = name || ' {mark}' WHERE rowid = 2",
    "DELETE FROM entity_dependencies WHERE rowid = (SELECT MIN(rowid) FROM entity_dependencies)",
    "DELETE FROM entity_attributes WHERE rowid = (SELECT MIN(rowid) FROM entity_attributes)",
    "DELETE FROM entities WHERE id = (SELECT MAX(target_entity_id) FROM entity_dependencies)",
    "UPDATE entity_attributes SET content = content || ' {mark}' WHERE rowid % 2 = 0",
)
"""The same of what is compared, deleted rows and all rows of a page among it."""


@pytest.fixture
def graph(kind: str, tmp_path: Path) -> Iterator[Workspace]:
    """A graph that is written through a log, as Signet's own are."""
    path = tmp_path / "graph.db"
    make(kind, path, tmp_path / "side").close()
    with closing(sqlite3.connect(path)) as connection:
        connection.execute("PRAGMA journal_mode = WAL")
    with closing(Workspace.open(path, data_dir=tmp_path / "side")) as workspace:
        yield workspace


@pytest.fixture
def other(graph: Workspace, tmp_path: Path) -> Iterator[Workspace]:
    """The same file, open in another process of this program."""
    with closing(Workspace.open(graph.path, data_dir=tmp_path / "side")) as workspace:
        yield workspace


@pytest.fixture
def heard(graph: Workspace) -> list[Changes]:
    """What is announced of other processes."""
    graph.poll()
    changes: list[Changes] = []
    graph.events.subscribe(
        lambda each: changes.append(each) if each.initiator == OTHER_PROCESS else None)
    return changes


def foreign(graph: Workspace, sql: str) -> None:
    with closing(sqlite3.connect(graph.path)) as connection, connection:
        connection.execute("PRAGMA recursive_triggers = ON")
        connection.execute(sql)


def pin(graph: Workspace, entity: str = "e-tide") -> None:
    graph.write("Pin", lambda writer: control.apply(writer, "pin_entity", {"entity_id": entity}))


def test_a_change_by_another_process_of_this_program_is_told_by_its_rows(
    graph: Workspace, other: Workspace, heard: list[Changes]
) -> None:
    pin(other)
    assert graph.poll()
    assert not heard[-1].external
    assert heard[-1].ids["entities"] == {"e-tide"}
    other.undo()
    assert graph.poll()
    assert heard[-1].ids["entities"] == {"e-tide"}
    assert not graph.poll()
    assert len(heard) == 2


def test_a_mute_by_another_process_is_told_once_also_where_it_is_kept_beside_the_file(
    graph: Workspace, other: Workspace, heard: list[Changes]
) -> None:
    def mute(workspace: Workspace, entity: str) -> None:
        workspace.write("Mute", lambda w: control.apply(w, "mute_entity", {"entity_id": entity}))

    mute(graph, "e-harbor")
    assert not graph.poll()
    for step in (lambda: mute(other, "e-tide"), other.undo):
        step()
        assert graph.poll()
        assert heard[-1].touches("entities")
        assert "e-tide" in heard[-1].ids.get("entities", {"e-tide"})
    assert not graph.poll()
    assert len(heard) == 2


def test_what_another_program_wrote_is_compared_as_if_all_of_both_states_were_read(
    graph: Workspace, heard: list[Changes], monkeypatch: pytest.MonkeyPatch
) -> None:
    note_visit(graph)
    time.sleep(0.002)
    known, quick = compare_with_now(graph), 0
    for most in (comparison_snapshot.MOST_CHANGED, 4):  # Many rows may be of few entities.
        monkeypatch.setattr(comparison_snapshot, "MOST_CHANGED", most)
        for sql in COMPARED:
            foreign(graph, sql.format(mark=f"{most} {sql[:6]}"))
            graph.poll()
            assert known is not None
            again, whole = compare_again(graph, known, heard[-1]), compare_with_now(graph)
            assert whole is not None
            assert again is None or again.items == whole.items, (sql, heard[-1])
            quick += again is not None
            known = whole
    assert quick >= len(COMPARED) // 2


def test_a_change_by_another_program_is_told_by_the_pages_that_it_wrote(
    graph: Workspace, other: Workspace, heard: list[Changes]
) -> None:
    for sql in FOREIGN[:2]:
        pin(other)
        foreign(graph, sql)
        assert graph.poll()
        assert not heard[-1].external
        assert heard[-1].tells_rows("entities")
        other.undo()
        graph.poll()
    foreign(graph, FOREIGN[1].replace("0.11", "0.12"))
    assert graph.poll()
    assert heard[-1].tells_rows("entity_attributes")
    assert not heard[-1].touches("entities", "memories", "ontology_proposals")


def test_what_pages_do_not_tell_is_not_guessed(graph: Workspace, heard: list[Changes]) -> None:
    """Part of a long text lies on a page of its own, which does not say whose it is."""
    foreign(graph, "UPDATE entities SET description = printf('%.10000c', 'a') WHERE rowid = 1")
    assert graph.poll()
    assert not heard[-1].external
    for sql in ("UPDATE entities SET description = printf('%.9999c', 'a') || 'b' WHERE rowid = 1",
                "CREATE TABLE of_another_program (id TEXT)"):
        foreign(graph, sql)
        assert graph.poll()
        assert heard[-1].external


def test_a_log_brought_over_into_the_file_meanwhile_leaves_nothing_certain(
    graph: Workspace, other: Workspace, heard: list[Changes]
) -> None:
    pin(other)
    graph.poll()
    foreign(graph, FOREIGN[0])
    with closing(sqlite3.connect(graph.path)) as connection:
        connection.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchall()
    other.undo()
    assert graph.poll()
    assert heard[-1].external


@pytest.mark.parametrize("seed", range(1))
def test_whoever_writes_in_whatever_order_the_sky_is_what_is_read(
    graph: Workspace, other: Workspace, heard: list[Changes], seed: int
) -> None:
    chance = random.Random(seed)
    skies = Skies(graph)
    for number in range(25):
        for _ in range(chance.randint(1, 2)):
            act(chance, other, number)
        if chance.random() < 0.15:
            foreign(graph, chance.choice(FOREIGN[:2] + FOREIGN[3:]))
        graph.poll()
        skies.check()
        if chance.random() < 0.2:
            act(chance, graph, number)
    assert any(not each.external for each in heard)


def act(chance: random.Random, graph: Workspace, number: int) -> None:
    """One operation, or the undo of the last."""
    name = chance.choice(sorted(PAYLOADS))
    with graph.read() as reader:
        payload = PAYLOADS[name](Choices(reader, chance, number))
    try:
        if graph.undo_step() and chance.random() < 0.2:
            graph.undo()
        graph.write(name, lambda writer: control.apply(writer, name, payload))
    except (OperationError, UndoRefused):
        pass
