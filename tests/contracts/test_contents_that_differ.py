"""What is compared of two states is what differs; all else of a large graph is not kept."""

import random
import time
from contextlib import closing
from datetime import UTC, datetime
from functools import reduce
from pathlib import Path

import pytest

from core.errors import OperationError
from core.model.changes import Changes
from core.ontology import control
from core.past.compared_states import compare_again, compare_with_now, note_visit
from core.queries import comparison_snapshot
from core.queries.comparison_snapshot import (
    contents_of,
    contents_that_differ,
    owners_of_changes,
)
from core.queries.graph_difference import differences
from core.workspace import Workspace
from tests.core.graphs import Graph, build
from tests.soak.choices import PAYLOADS, Choices
from ui.thread_bridge import merge


@pytest.mark.parametrize("seed", range(2))
def test_after_any_operations_it_is_what_all_of_both_tells(graph: Workspace, seed: int) -> None:
    chance = random.Random(seed)
    start = datetime.now(UTC)
    time.sleep(0.002)  # What is done in the same millisecond was there at the start.
    seen = 0
    for number in range(30):
        name = chance.choice(sorted(PAYLOADS))
        with graph.read() as reader:
            payload = PAYLOADS[name](Choices(reader, chance, number))
        try:
            graph.write(name, lambda w, n=name, p=payload: control.apply(w, n, p))
        except OperationError:
            continue
        if number % 6 == 0:
            seen += len(_compared(graph, start))
    assert seen + len(_compared(graph, start)) > 10


@pytest.mark.parametrize("seed", range(2))
def test_compared_again_after_any_operation_and_undo_it_is_what_all_tells(
    graph: Workspace, seed: int
) -> None:
    chance = random.Random(seed)
    note_visit(graph)
    time.sleep(0.002)
    known, again, anew = compare_with_now(graph), 0, 0
    told: list[Changes] = []
    graph.events.subscribe(told.append)
    for number in range(40):
        name = chance.choice(sorted(PAYLOADS))
        with graph.read() as reader:
            payload = PAYLOADS[name](Choices(reader, chance, number))
        told.clear()
        try:
            graph.write(name, lambda w, n=name, p=payload: control.apply(w, n, p))
            if chance.random() < 0.4:
                graph.undo()
        except OperationError:
            pass
        if not told:
            continue
        assert known is not None
        quick, whole = compare_again(graph, known, reduce(merge, told)), compare_with_now(graph)
        assert whole is not None
        if quick is None:
            anew += 1
        else:
            again += 1
            assert quick.items == whole.items, (name, told)
        known = whole
    assert again > 10 * anew


def test_many_rows_of_one_entity_leave_none_of_another_out(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fill(made: Graph) -> None:
        hub = made.entity("Hub", id="hub")
        for number in range(8):
            made.value(made.aspect(hub, f"side {number}"), "more")
        made.value(made.aspect(made.entity("Last", id="last"), "all"), "said")
        made.value(made.aspect(made.entity("Very last", id="very last"), "all"), "said")
        for kind in ("uses", "requires", "informs", "triggers", "blocks"):
            made.link(hub, "last", kind)
        made.link("very last", "last", "uses")

    monkeypatch.setattr(comparison_snapshot, "MOST_CHANGED", 4)
    every = ((1, 1_000),)
    with closing(build(tmp_path / "g.db", fill)) as made, made.read() as reader:
        for table, owners in (("entity_attributes", {"hub", "last", "very last"}),
                              ("entity_aspects", {"hub", "last", "very last"}),
                              ("entity_dependencies", {"hub", "very last"})):
            changes = Changes(frozenset((table,)), ranges={table: every})
            assert owners_of_changes((reader, reader), changes) == owners, table
        monkeypatch.setattr(comparison_snapshot, "MOST_CHANGED", 2)
        assert owners_of_changes((reader,), Changes(
            frozenset(("entities",)), ranges={"entities": every})) is None


def test_what_changes_do_not_tell_is_compared_as_a_whole(graph: Workspace) -> None:
    note_visit(graph)
    time.sleep(0.002)
    known = compare_with_now(graph)
    assert known is not None
    assert compare_again(graph, known, Changes(frozenset(), external=True)) is None
    assert compare_again(graph, known, Changes(frozenset(("entities",)))) is None
    assert compare_again(graph, known, Changes(frozenset(("memories",)))) == known


def _compared(graph: Workspace, start: datetime) -> tuple:
    with graph.read_as_of(start) as before, graph.read() as after:
        told = differences(*contents_that_differ(before, after))
        assert told == differences(contents_of(before), contents_of(after))
    return told


def test_what_is_the_same_is_not_kept(graph: Workspace) -> None:
    start = datetime.now(UTC)
    time.sleep(0.002)
    with graph.read_as_of(start) as before, graph.read() as after:
        assert [len(kept.entities) for kept in contents_that_differ(before, after)] == [0, 0]
        here = len(contents_of(after).entities)
    graph.write("pin", lambda writer: control.apply(writer, "pin_entity", {"entity": "e-tide"}))
    with graph.read_as_of(start) as before, graph.read() as after:
        old, new = contents_that_differ(before, after)
    assert "e-tide" in new.entities
    assert old.entities.keys() == new.entities.keys()
    assert len(new.entities) < here
