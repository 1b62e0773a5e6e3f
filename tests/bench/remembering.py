"""Remembering, forgetting and a round of maintenance in a large graph."""

import random
import time
from collections.abc import Callable
from typing import Any

from core.ingest.payload import Remembered
from core.ingest.remember import remember
from core.learning.config import FeedbackSettings, SupersessionSettings
from core.maintenance.config import MaintenanceSettings
from core.maintenance.rounds import maintain, usual
from core.model.ingest_results import RememberReport
from core.ontology.forget_and_link_memories import forget
from core.store.reader_and_writer import Writer
from core.workspace import Workspace
from tests.bench.big import WORDS
from tests.bench.figures import Figure, timed

TOGETHER = 500
"""Memories of one transaction."""


def of_remember(workspace: Workspace) -> list[Figure]:
    """One memory until it is durable, many in one transaction, plain and with structure."""
    chance = random.Random(7)
    names = _names(workspace, chance)
    kept: list[str] = []

    def one(make: Callable[[], Remembered]) -> RememberReport:
        report = workspace.write("bench", lambda w: remember(w, make())).result
        kept.append(report.memory_id)
        return report

    def plain() -> Remembered:
        return Remembered.read({"content": f"{_words(chance, 14)} {chance.choice(names)}"})

    def structured() -> Remembered:
        first, second = chance.sample(names, 2)
        return Remembered.read({"content": _words(chance, 14), "structured": {
            "entities": [{"source": first, "relationship": "uses", "target": second}],
            "aspects": [{"entityName": first, "aspect": "notes", "attributes": [
                {"content": _words(chance, 8), "claimKey": chance.choice(WORDS)},
                {"content": _words(chance, 8)}]}]}})

    durable = [timed("remember plain text, durable", lambda: one(plain), runs=100),
               timed("remember with structure, durable", lambda: one(structured), runs=100)]
    forgetting = timed("forget, durable",
                       lambda: workspace.write("bench", lambda w: forget(w, kept.pop())), runs=50)
    return [
        *durable,
        *(Figure(f.name.replace(", durable", ", each durable"), tuple(
            1000 / value for value in f.values), "/s") for f in durable),
        Figure(f"remember plain text, {TOGETHER} together", _rates(workspace, plain), "/s"),
        Figure(f"remember with structure, {TOGETHER} together", _rates(workspace, structured),
               "/s"),
        forgetting,
    ]


def of_maintenance(workspace: Workspace) -> list[Figure]:
    """One round over the whole graph, rehearsed so that each finds the same."""
    figures = []
    for name, chore in usual(
            MaintenanceSettings(), SupersessionSettings(), FeedbackSettings()).items():
        def run(wanted: Any = None, name: str = name, chore: Any = chore) -> object:
            return maintain(workspace, {name: chore}, rehearse=True)

        found = timed(f"maintenance, {name}", run, runs=3, warm=0)
        figures.append(Figure(found.name, tuple(v / 1000 for v in found.values), "s"))
    return figures


def _rates(workspace: Workspace, make: Callable[[], Remembered]) -> tuple[float, ...]:
    """Memories a second, several times."""
    rates = []
    for _ in range(5):
        payloads = [make() for _ in range(TOGETHER)]

        def change(writer: Writer, payloads: list[Remembered] = payloads) -> None:
            for payload in payloads:
                remember(writer, payload)

        began = time.perf_counter()
        workspace.write("bench", change)
        rates.append(TOGETHER / (time.perf_counter() - began))
    return tuple(rates)


def _names(workspace: Workspace, chance: random.Random) -> list[str]:
    with workspace.read() as reader:
        rows = reader.rows("SELECT name FROM entities WHERE agent_id = :agent LIMIT 20000")
    return chance.sample([row["name"] for row in rows], min(len(rows), 2000))


def _words(chance: random.Random, count: int) -> str:
    return f"{' '.join(chance.choices(WORDS, k=count))} {chance.randrange(10**9)}"
