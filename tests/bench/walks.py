"""The walk: how long it takes in small and large graphs, explained or not, and when time is up."""

import random
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path

from core.model.walk import Focal, FocalEntity
from core.queries.neighborhood import neighborhood
from core.store.reader_and_writer import Reader, Writer
from core.traversal.config import TraversalSettings
from core.traversal.focal import Signals, resolve
from core.traversal.walk import walk
from core.workspace import Workspace
from tests.bench.big import AT, WORDS, build
from tests.bench.figures import Figure, timed

RUNS = 200
USUAL = TraversalSettings()


def of_walks(
    folder: Path, values: int, clock: Callable[[], float] = time.perf_counter
) -> list[Figure]:
    """Walks from one to five entities, and what finds these, in a graph of so many values; `clock`
    as for `timed`."""
    measured = partial(timed, clock=clock)
    entities = values // 10
    path = build(folder / f"walks{values}.db", folder / "data", entities=entities, values=values,
                 memories=entities, remembered=True)
    workspace = Workspace.open(path, data_dir=folder / "data")
    chance = random.Random(7)

    def read(ask: Callable[[Reader], object]) -> Callable[[], object]:
        def run() -> object:
            with workspace.read() as reader:
                return ask(reader)
        return run

    def start(most: int) -> Focal:
        return Focal(tuple(FocalEntity(f"e{chance.randrange(entities)}", "", "", "asked")
                           for _ in range(chance.randint(1, most))))

    def find(signals: Callable[[], Signals]) -> Callable[[], object]:
        return read(lambda reader: resolve(reader, signals(), USUAL))

    def word() -> str:
        return chance.choice(WORDS)

    try:
        return [
            measured("walk from 1 to 5 entities", read(lambda r: walk(r, start(5), USUAL)),
                  runs=RUNS, must=5, aim=2, tail=True),
            measured("walk from 20 entities", read(lambda r: walk(r, start(20), USUAL)), runs=RUNS),
            measured("walk from 1 to 5 entities, explained",
                  read(lambda r: walk(r, start(5), USUAL, explain=True)), runs=RUNS),
            measured("focal: pins", find(lambda: Signals()), runs=RUNS),
            measured("focal: a question of three words",
                  find(lambda: Signals(query=f"what about {word()} and {word()} {word()}")),
                  runs=RUNS),
            measured("focal: a folder", find(lambda: Signals(project=f"/srv/me/{word()}")),
                  runs=RUNS),
            measured("focal: a question that means nothing",
                  find(lambda: Signals(query="how are you feeling")), runs=20),
            measured("neighbourhood, 2 links away",
                  read(lambda r: neighborhood(r, f"e{chance.randrange(entities)}", 2)), runs=50),
        ]
    finally:
        workspace.close()


def of_hubs(folder: Path, links: int) -> list[Figure]:
    """A walk and a neighbourhood of one entity that everything hangs on, and a deadline there."""
    workspace = Workspace.open(folder / "hub.db", data_dir=folder / "data", create=True)
    stamps = {"agent_id": "default", "created_at": AT, "updated_at": AT}
    workspace.write("hub", lambda writer: _hub(writer, links, stamps))
    focal = Focal((FocalEntity("e0", "", "", "asked"),))

    def late(milliseconds: int) -> float:
        settings = USUAL.model_copy(update={"timeout_ms": milliseconds,
                                            "max_attributes_per_aspect": 500,
                                            "max_traversal_paths": 2000})
        began = time.perf_counter()
        with workspace.read() as reader:
            walk(reader, focal, settings)
        return max(0.0, (time.perf_counter() - began) * 1000 - milliseconds)

    def ask(question: Callable[[Reader], object]) -> Callable[[], object]:
        def run() -> object:
            with workspace.read() as reader:
                return question(reader)
        return run

    try:
        return [
            timed("walk from it", ask(lambda r: walk(r, focal, USUAL)), runs=50, must=5, tail=True),
            timed("walk from it, explained",
                  ask(lambda r: walk(r, focal, USUAL, explain=True)), runs=50),
            timed("neighbourhood, 3 links away", ask(lambda r: neighborhood(r, "e0", 3)), runs=20),
            Figure("walk with a deadline of 1 to 10 ms, too late by",
                   tuple(late(n % 10 + 1) for n in range(50)), must=10, tail=True),
        ]
    finally:
        workspace.close()


def _hub(writer: Writer, links: int, stamps: dict[str, object]) -> None:
    writer.insert_many("entities", (
        {"id": f"e{n}", "name": f"Node {n}", "canonical_name": f"node {n}", **stamps}
        for n in range(links + 1)))
    for source, target in (("e0", "e{}"), ("e{}", "e0")):
        writer.insert_many("entity_dependencies", (
            {"id": f"{source}{n}", "source_entity_id": source.format(n),
             "target_entity_id": target.format(n), "dependency_type": "uses", "strength": 0.9,
             "confidence": 0.9, **stamps} for n in range(1, links + 1)))
    writer.insert_many("memories", ({"id": f"m{n}", "content": f"memory {n}", **stamps}
                                    for n in range(links)))
    writer.insert_many("memory_entity_mentions", (
        {"memory_id": f"m{n}", "entity_id": "e0", "confidence": 0.8, "created_at": AT}
        for n in range(links)))
    writer.insert_many("entity_aspects", [{"id": "a0", "entity_id": "e0", "name": "all",
                                           "canonical_name": "all", **stamps}])
    writer.insert_many("entity_attributes", (
        {"id": f"v{n}", "aspect_id": "a0", "kind": "attribute", "content": f"memory {n}",
         "normalized_content": f"memory {n}", "memory_id": f"m{n}", **stamps}
        for n in range(links)))
