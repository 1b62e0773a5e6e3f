"""Measures the health report on a large graph."""

import time
from contextlib import closing
from functools import partial
from pathlib import Path

from core.health.config import HealthSettings
from core.health.finding import Rules
from core.health.name_matching import LEVELS
from core.health.report import report
from core.workspace import Workspace
from tests.bench.big import build
from tests.bench.figures import Figure, timed

LIMIT = 1000
"""Findings of a kind, as the command gives them."""


def of_health(folder: Path, entities: int) -> list[Figure]:
    """The whole report as the command makes it, and its duplicates at each strictness."""
    path = build(folder / "health.db", folder / "data", entities=entities, values=5 * entities,
                 memories=2 * entities)
    with closing(Workspace.open(path, data_dir=folder / "data")) as workspace, \
            workspace.read() as reader:
        whole = timed("health report", partial(report, reader, limit=LIMIT), runs=5, must=2000,
                      clock=time.process_time)
        by_strictness = [timed(
            f"duplicates by {strictness}",
            partial(report, reader, Rules(health=HealthSettings(duplicates=strictness)),
                    kinds=("duplicate_entities",)),
            runs=3, clock=time.process_time) for strictness in LEVELS]
    return [whole, *by_strictness]
