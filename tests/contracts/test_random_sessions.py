"""Any order of operations, verdicts, undo and redo can be taken back to exactly the start."""

import itertools
import shutil
import tempfile
from contextlib import suppress
from pathlib import Path
from typing import Any
from unittest.mock import patch
from uuid import UUID

import pytest
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import (
    RuleBasedStateMachine,
    invariant,
    precondition,
    rule,
    run_state_machine_as_test,
)

from core.errors import OperationError
from core.ontology import control, proposals
from core.ontology.operation_catalog import CATALOG
from core.workspace import Workspace
from tests.contracts.files import dump, make, without_records

NAMES = ("Harbor Ledger", "tide api", "Tides API", "Anna", "Spike", "Nové město", "e-harbor", "<b>")
ASPECTS = ("Schedule", "timing", "Rules", "Lost", "Limits", "تجربة")
WORDS = ("start time", "rate", "friday", "six", "seven", "eight", "🚢")
SHARES = st.sampled_from((None, 0, 0.3, 0.9, 7))


@st.composite
def payloads(draw: st.DrawFn) -> dict[str, Any]:
    """Fields for any operation at once: each takes its own and ignores the others'."""
    word, name, aspect = st.sampled_from(WORDS), st.sampled_from(NAMES), st.sampled_from(ASPECTS)
    return {
        "entity": draw(name), "name": draw(name), "new_name": draw(name), "aspect": draw(aspect),
        "entity_type": draw(st.sampled_from(("tool", "person", None))),
        "claim_key": draw(word), "group_key": draw(st.sampled_from(("general", "nightly", None))),
        "value": draw(word), "old_value": draw(word), "new_value": draw(word),
        "kind": draw(st.sampled_from(("attribute", "constraint"))),
        "source_entity": draw(name), "target_entity": draw(name),
        "source_entities": [draw(name)], "target_aspect": draw(aspect),
        "source_aspects": [draw(aspect)], "strength": draw(SHARES), "confidence": draw(SHARES),
        "link_type": draw(st.sampled_from(("uses", "requires", "related_to"))),
        "force": draw(st.booleans()),
    }


class Session(RuleBasedStateMachine):
    """A person and an agent at work on one file."""

    kind = "native"

    def __init__(self) -> None:
        super().__init__()
        # Ids that count up: the same draw must mean the same row in every run of an example.
        numbers = itertools.count(1)
        self.ids = patch("core.store.ids_and_times.uuid.uuid4", lambda: UUID(int=next(numbers)))
        self.ids.start()
        self.folder = Path(tempfile.mkdtemp())
        self.graph = make(self.kind, self.folder / "graph.db", self.folder / "side")
        self.start = dump(self.graph)

    def teardown(self) -> None:
        self.ids.stop()
        while self.graph.undo_step() is not None:
            self.graph.undo()
        end = dump(self.graph)
        known = {row[0] for row in self.start.get("ontology_proposals", ())}
        records = [r for r in end.get("ontology_proposals", ()) if r[0] not in known]
        assert all("applied" in row for row in records), "a proposal survived its undo"
        with self.graph.read() as reader:
            assert reader.value("PRAGMA main.integrity_check") == "ok"
            assert reader.rows("PRAGMA main.foreign_key_check") == []
        self.graph.close()
        shutil.rmtree(self.folder, ignore_errors=True)
        assert without_records(end, self.start) == self.start

    def _choice(self, table: str, number: int) -> str:
        """The id of some row, the same for the same number."""
        with self.graph.read() as reader:
            ids = [r["id"] for r in reader.rows(
                f"SELECT id FROM {table} WHERE agent_id = :agent ORDER BY rowid")]
        return str(ids[number % len(ids)]) if ids else "none"

    def _try(self, change: Any) -> None:
        """A refusal is fine; any other error is a bug and ends the session."""
        with suppress(OperationError):
            self.graph.write("Change", change)

    def _full(self, payload: dict[str, Any], number: int) -> dict[str, Any]:
        return {**payload, "attribute_id": self._choice("entity_attributes", number),
                "id": self._choice("entity_dependencies", number)}

    @rule(name=st.sampled_from(sorted(CATALOG)), payload=payloads(), number=st.integers(0, 50))
    def operate(self, name: str, payload: dict[str, Any], number: int) -> None:
        full = self._full(payload, number)
        self._try(lambda w: control.apply(w, name, full))

    @rule(name=st.sampled_from(sorted(CATALOG)), payload=payloads(), number=st.integers(0, 50))
    def propose(self, name: str, payload: dict[str, Any], number: int) -> None:
        full = self._full(payload, number)
        self._try(lambda w: control.propose(w, name, full))

    @rule(number=st.integers(0, 50), force=st.booleans())
    def apply_proposal(self, number: int, force: bool) -> None:
        chosen = self._choice("ontology_proposals", number)
        self._try(lambda w: proposals.apply_proposal(w, chosen, force=force))

    @rule(number=st.integers(0, 50))
    def reject_proposals(self, number: int) -> None:
        chosen = [self._choice("ontology_proposals", n) for n in (number, number + 1)]
        self._try(lambda w: proposals.reject_proposals(w, chosen, "no"))

    @precondition(lambda self: self.graph.undo_step() is not None)
    @rule()
    def undo(self) -> None:
        self.graph.undo()

    @precondition(lambda self: self.graph.redo_step() is not None)
    @rule()
    def redo(self) -> None:
        self.graph.redo()

    @rule()
    def reopen(self) -> None:
        self.graph.close()
        self.graph = Workspace.open(self.folder / "graph.db", data_dir=self.folder / "side")

    @invariant()
    def another_agent_sees_what_it_had(self) -> None:
        with self.graph.read() as reader:
            names = {r["name"] for r in reader.rows(
                "SELECT name FROM entities WHERE agent_id = 'rival'")}
        assert names == {"Rival Secret", "Rival Tool"}


class OldSession(Session):
    kind = "signet-030"


class SignetSession(Session):
    kind = "signet-071"


@pytest.mark.parametrize("machine", [Session, OldSession, SignetSession])
def test_whatever_was_done_everything_can_be_undone(machine: type[Session]) -> None:
    run_state_machine_as_test(
        machine, settings=settings(max_examples=8, stateful_step_count=25, deadline=None))


@pytest.mark.soak
@pytest.mark.parametrize("machine", [Session, OldSession, SignetSession])
def test_long_sessions_can_be_undone(machine: type[Session]) -> None:
    run_state_machine_as_test(
        machine, settings=settings(max_examples=300, stateful_step_count=60, deadline=None))
