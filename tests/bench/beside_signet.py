"""Focal entities and the walk beside Signet's own SQL on the same Signet files, as ratios."""

import random
import sqlite3
import time
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path
from typing import TypeVar

from core.model.walk import Focal, FocalEntity
from core.store.reader_and_writer import Reader
from core.traversal.config import TraversalSettings
from core.traversal.focal import Signals, resolve
from core.traversal.walk import walk
from core.workspace import Workspace
from tests.bench.big import WORDS
from tests.bench.figures import Figure
from tests.bench.signet_sql import Signet
from tests.signet_shapes import as_signet

T = TypeVar("T")
RUNS = 40
USUAL = TraversalSettings(timeout_ms=60_000)
FIFTH = 20.0
"""At most a fifth of Signet's, in percent."""


def beside_signet(native: Path, entities: int) -> list[Figure]:
    """The same work by us and by Signet's statements, in turns, on both generations of its files.

    Args:
        native: a graph of `tests.bench.big`, which is written as Signet files beside it.
    """
    figures: list[Figure] = []
    for later in (False, True):
        name = "071" if later else "030"
        path = as_signet(native, native.with_name(f"signet{name}-{entities}.db"), later=later)
        with closing(sqlite3.connect(path)) as connection, closing(
                Workspace.open(path, data_dir=native.parent / "data")) as workspace:
            figures += _of_file(f"Signet {name}", workspace, Signet(connection, later), entities)
        path.unlink()
    return figures


def _of_file(
    name: str, workspace: Workspace, signet: Signet, entities: int
) -> Iterator[Figure]:
    chance = random.Random(11)

    def read(ask: Callable[[Reader], object]) -> None:
        with workspace.read() as reader:
            ask(reader)

    def ids() -> list[str]:
        return [f"e{chance.randrange(entities)}" for _ in range(chance.randint(1, 5))]

    def two() -> list[str]:
        return chance.sample(WORDS, 2)

    def find(**given: str) -> None:
        read(lambda reader: resolve(reader, Signals(**given), USUAL))

    def go(start: list[str]) -> None:
        focal = Focal(tuple(FocalEntity(id, "", "", "asked") for id in start))
        read(lambda reader: walk(reader, focal, USUAL))

    yield from _compared(f"{name}, focal: two words", two, lambda words: find(
        query=" ".join(words)), signet.question, FIFTH)
    # Both look for the last two folders of a path.
    yield from _compared(f"{name}, focal: a project", lambda: ["srv", chance.choice(WORDS)],
                         lambda path: find(project="/" + "/".join(path)), signet.projects, FIFTH)
    yield from _compared(f"{name}, walk from 1 to 5 entities", ids, go, signet.walk)


def _compared(
    name: str, make: Callable[[], T], ours: Callable[[T], object], theirs: Callable[[T], object],
    must: float | None = None,
) -> Iterator[Figure]:
    """CPU milliseconds of ours, and in percent of theirs with the same question, in turns."""
    for question in (make(), make()):
        ours(question)
        theirs(question)
    pairs = [(_spent(ours, question), _spent(theirs, question))
             for question in (make() for _ in range(RUNS))]
    yield Figure(name, tuple(our for our, _ in pairs))
    yield Figure("  of Signet's own SQL", tuple(100 * our / their for our, their in pairs), "%",
                 must=must)


def _spent(work: Callable[[T], object], question: T) -> float:
    began = time.process_time()
    work(question)
    return (time.process_time() - began) * 1000
