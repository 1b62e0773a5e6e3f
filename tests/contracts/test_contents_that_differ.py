"""What is compared of two states is what differs; all else of a large graph is not kept."""

import random
import time
from datetime import UTC, datetime

import pytest

from core.errors import OperationError
from core.ontology import control
from core.queries.comparison_snapshot import contents_of, contents_that_differ
from core.queries.graph_difference import differences
from core.workspace import Workspace
from tests.soak.choices import PAYLOADS, Choices


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
