"""Whatever is done, undone and done again: each moment is read later as it was then."""

from typing import Any
from unittest.mock import patch

import pytest
from hypothesis import settings
from hypothesis.stateful import invariant, run_state_machine_as_test

from core.model.times import parse_time
from core.store.reader_and_writer import stamp
from tests.contracts.files import dump, dump_of
from tests.contracts.test_random_sessions import Session

SHOWN = ("entities", "entity_aspects", "entity_attributes", "entity_dependencies", "memories",
         "entity_aliases", "task_meta", "ontology_proposals", "epistemic_assertions", "muted",
         "names beside")


def shown(rows: dict[str, Any]) -> dict[str, Any]:
    return {table: rows.get(table, ()) for table in SHOWN}


class PastSession(Session):
    """The same person and agent; a copy is kept of each moment."""

    def __init__(self) -> None:
        self.minute = 0
        self.moments: dict[str, dict[str, Any]] = {}
        self.clock = patch("core.store.writer.stamp", self.tell)
        self.clock.start()
        super().__init__()

    def tell(self, moment: Any = None) -> str:
        """A minute later each time that it is asked."""
        if moment is not None:
            return stamp(moment)
        self.minute += 1
        return f"2031-01-01T{self.minute // 60:02d}:{self.minute % 60:02d}:00.000Z"

    @invariant()
    def copy_the_moment(self) -> None:
        now = f"2031-01-01T{self.minute // 60:02d}:{self.minute % 60:02d}:00.000Z"
        self.moments[now] = shown(dump(self.graph))

    def teardown(self) -> None:
        try:
            for number, (now, rows) in enumerate(list(self.moments.items())[::3]):
                moment = parse_time(now)
                assert moment is not None
                if number % 2:  # Another way must lead to the same.
                    self.graph.make_past_ready()
                with self.graph.read_as_of(moment) as reader:
                    assert shown(dump_of(reader)) == rows, now
        finally:
            self.clock.stop()
            super().teardown()


class OldPastSession(PastSession):
    kind = "signet-030"


class SignetPastSession(PastSession):
    kind = "signet-071"


@pytest.mark.parametrize("machine", [PastSession, OldPastSession, SignetPastSession])
def test_every_moment_is_read_as_it_was(machine: type[PastSession]) -> None:
    run_state_machine_as_test(machine, settings=settings(max_examples=4, stateful_step_count=15))
