"""Long random sessions of every kind of change: undone they are the start, redone the end."""

import io
import os
import random
import shutil
import sys
from collections import Counter
from pathlib import Path

import pytest

from core.errors import ConstellationError
from core.ingest.payload import read_many
from core.ingest.remember import remember
from core.maintenance import rounds
from core.ontology import control, proposals
from core.ontology.operation_catalog import CATALOG
from core.progress import ignore
from core.session.end import close
from core.session.start import start
from core.session.start_record import record
from core.settings import Settings
from core.transfer.mcp_import import import_mcp
from core.transfer.read_mcp_file import read_mcp
from core.traversal.focal_signals import Signals
from core.workspace import Workspace
from tests.contracts.files import KINDS, dump, make, without_records
from tests.contracts.samples import SAMPLES
from tests.soak.choices import PAYLOADS, Choices
from tests.soak.worker import memory_file

SCALE = float(os.environ.get("CONSTELLATION_SOAK_SCALE", "1"))
SESSIONS, STEPS = max(3, round(100 * SCALE)), 200
NEVER = {(kind, name) for name in SAMPLES for kind in SAMPLES[name].refused_on}
"""Operations that a generation has no room for."""


class Session:
    """One session: chooses what is done next, and counts what changed something."""

    def __init__(self, graph: Workspace, seed: int, counts: Counter[str]) -> None:
        self.graph, self._chance, self._counts = graph, random.Random(seed), counts
        self._number = 0

    def step(self) -> None:
        """One thing that a person or an agent does; a refusal in words is fine."""
        self._number += 1
        kind = self._chance.random()
        try:
            if kind < 0.72:
                self._operate(control.apply)
            elif kind < 0.78:
                self._operate(control.propose)
            elif kind < 0.9:
                getattr(self, self._chance.choice(
                    ["_decide", "_remember", "_import", "_session", "_maintain"]))()
            else:
                self._move()
        except ConstellationError:
            self._counts["refused"] += 1

    def _operate(self, how: object) -> None:
        fewest = min(PAYLOADS, key=lambda name: (self._counts[name], self._chance.random()))
        name = self._chance.choice([fewest, *PAYLOADS])
        with self.graph.read() as reader:
            payload = PAYLOADS[name](Choices(reader, self._chance, self._number))
        written = self.graph.write(name, lambda w: how(w, name, payload))  # type: ignore[operator]
        self._count(name if how is control.apply else "propose", written.entry)

    def _count(self, name: str, entry: int | None) -> None:
        self._counts[name] += entry is not None

    def _decide(self) -> None:
        with self.graph.read() as reader:
            row = Choices(reader, self._chance, 0).row("ontology_proposals", "status = 'pending'")
        decide = self._chance.choice([
            lambda w: proposals.apply_proposal(w, row["id"], force=True),
            lambda w: proposals.reject_proposals(w, [row["id"]], "no")])
        if row:
            self._count("decide", self.graph.write("decide", decide).entry)

    def _remember(self) -> None:
        text = f"Tides API is late by {self._number} minutes"
        told = read_many([{"content": text, "structured": {"entities": [
            {"source": "Tides API", "relationship": "uses", "target": f"Quay {self._number}"}]}}])
        settings = Settings()
        self._count("remember", self.graph.write("remember", lambda w: [remember(
            w, one, settings.ingest, settings.supersession) for one in told]).entry)

    def _import(self) -> None:
        file = read_mcp(io.BytesIO(memory_file(f"boat {self._number % 7}").encode()), ignore)
        self._count("import", self.graph.write("import", lambda w: import_mcp(w, file)).entry)

    def _session(self) -> None:
        key = f"s{self._number}"
        with self.graph.read() as reader:
            began = start(reader, Signals(query="Tides API", session_key=key), Settings())
        self._count("session", self.graph.write("begin", lambda w: record(w, began)).entry)
        self.graph.write("end", lambda w: close(w, key, Settings()))

    def _maintain(self) -> None:
        settings = Settings()
        result = rounds.maintain(self.graph, rounds.usual(
            settings.maintenance, settings.supersession, settings.feedback))
        self._counts["maintain"] += result.changed

    def _move(self) -> None:
        if self._chance.random() < 0.6:
            self._counts["undo"] += bool(self.graph.undo())
        else:
            self._counts["redo"] += bool(self.graph.redo())


def played(kind: str, folder: Path, seed: int, counts: Counter[str]) -> int:
    """Play one session and check both ways; how many steps it could take back."""
    folder.mkdir()
    graph = make(kind, folder / "graph.db", folder / "side")
    try:
        before = dump(graph)
        session = Session(graph, seed, counts)
        for _ in range(STEPS):
            session.step()
        end, undone = dump(graph), 0
        while graph.undo_step() is not None:
            graph.undo()
            undone += 1
        assert without_records(dump(graph), before) == before, seed
        for _ in range(undone):
            graph.redo()
        assert without_records(dump(graph), before) == without_records(end, before), seed
        return undone
    finally:
        graph.close()


@pytest.mark.soak
@pytest.mark.parametrize("kind", KINDS)
def test_a_long_session_undone_is_the_start_and_redone_the_end(tmp_path: Path, kind: str) -> None:
    counts: Counter[str] = Counter()
    undone = 0
    for seed in range(SESSIONS):
        folder = tmp_path / str(seed)
        undone += played(kind, folder, seed, counts)
        shutil.rmtree(folder)
    sys.stderr.write(f"\n{kind}: {SESSIONS} sessions of {STEPS} steps, {undone} steps undone to "
                     f"the start and redone to the end; {dict(sorted(counts.items()))}\n")
    missing = {name for name in CATALOG if not counts[name] and (kind, name) not in NEVER}
    assert missing == set()


def test_every_operation_has_a_choice_of_payloads() -> None:
    assert PAYLOADS.keys() == CATALOG.keys()
