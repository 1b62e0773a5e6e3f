"""How long a recall takes in a file of many memories, and how fast vectors are made for them.

Times are of the processor: what other programs take of the machine is left out.
"""

import random
import time
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path

import numpy as np

from core.embedding.backfill import backfill
from core.embedding.choose_embedder import offline
from core.recall.config import RecallSettings
from core.recall.filters import Filters
from core.recall.hybrid import recall
from core.recall.vector_upkeep import MATRICES
from core.store.reader_and_writer import Writer
from core.workspace import Workspace
from tests.bench.big import build
from tests.bench.figures import Figure, timed

WORDS = 30_000
SYLLABLES = ("ba", "ko", "ri", "ten", "mar", "lo", "shi", "ver", "un", "dra", "pel", "os", "mi",
             "gan", "tu", "ley")
LONG = RecallSettings(deadline_ms=60_000)
"""Nothing is cut off while it is measured."""


def vocabulary() -> list[str]:
    """Words, the commonest first: the n-th is used 1/n as often as the first, as in a language."""
    chance = random.Random(2)
    made = ("".join(chance.choices(SYLLABLES, k=chance.randint(2, 4))) for _ in range(WORDS * 6))
    return list(dict.fromkeys(made))[:WORDS]


def of_recall(folder: Path, memories: int) -> list[Figure]:
    """Questions of five words about a named entity, with and without a time and a filter.

    Half of the memories say a value each, the others are of sessions.
    """
    words = vocabulary()
    path = build(folder / "recall.db", folder / "data", entities=memories // 10,
                 values=memories // 2, memories=0)
    workspace = Workspace.open(path, data_dir=folder / "data")
    workspace.write("bench", lambda w: remember_many(w, words, memories - memories // 2))
    filled = _filled(workspace, memories)
    workspace.close()  # what was written is folded into the file, as after any start
    workspace = Workspace.open(path, data_dir=folder / "data")
    try:
        names = names_of(workspace)
        first = timed("the first one, vectors read from the file",
                      partial(_ask, workspace, words, names, random.Random(3)),
                      runs=1, warm=0, clock=time.process_time)
        MATRICES.save()
        later = timed("the first one of a later process, vectors mapped",
                      partial(_ask_anew, workspace, words, names), runs=10,
                      clock=time.process_time)
        return [*_recalls(workspace, words, names), first, later, filled]
    finally:
        workspace.close()


def _recalls(workspace: Workspace, words: list[str], names: list[str]) -> list[Figure]:
    chance = random.Random(4)

    def measure(name: str, must: float | None = None, aim: float | None = None,
                **asked: object) -> Figure:
        work: Callable[[], object] = partial(_ask, workspace, words, names, chance, **asked)
        return timed(name, work, runs=100, must=must, aim=aim, tail=True,
                     clock=time.process_time)

    return [
        measure("recall, p95", 30, 20),
        measure("recall with a time, p95", 30, 20, time=" in March 2026"),
        measure("recall with a filter, p95", filters=Filters(project="/src/p7")),
        measure("recall by words and graph only, p95", meaning=False),
        measure("recall of a word that is everywhere, p95", 30, 20, common=True),
    ]


def _ask(
    workspace: Workspace, words: list[str], names: list[str], chance: random.Random, *,
    time: str = "", filters: Filters | None = None, meaning: bool = True, common: bool = False,
) -> None:
    picked = [words[min(int(chance.paretovariate(0.5) * 8), WORDS - 1)] for _ in range(5)]
    if common:
        picked = words[:1]
    question = f"what did {chance.choice(names)} do with {' '.join(picked)}{time}?"
    with workspace.read() as reader:
        found = recall(reader, question, LONG, offline() if meaning else None, filters=filters)
    assert not found.timed_out, found.notes


def _ask_anew(workspace: Workspace, words: list[str], names: list[str]) -> None:
    """A question before which nothing of the vectors was in memory."""
    MATRICES.clear()
    _ask(workspace, words, names, random.Random(3))


def remember_many(writer: Writer, words: list[str], count: int) -> None:
    writer.insert_many("memories", _memories(words, count))
    chance = random.Random(5)
    writer.insert_many("memory_entity_mentions", (
        {"memory_id": f"m{n}", "entity_id": f"e{entity}", "confidence": 0.8,
         "created_at": writer.now()}
        for n in range(count)
        # A few entities are mentioned everywhere, most of them rarely.
        for entity in {min(int(chance.paretovariate(0.7)), count // 10) - 1 for _ in range(2)}))


def _memories(words: list[str], count: int) -> Iterator[dict[str, object]]:
    chance = np.random.default_rng(6)
    weights = 1 / np.arange(1, WORDS + 1)
    lengths = chance.integers(8, 40, count)
    used = chance.choice(WORDS, int(lengths.sum()), p=weights / weights.sum()).tolist()
    at = 0
    for n, length in enumerate(lengths.tolist()):
        text = " ".join(words[word] for word in used[at:at + length])
        at += length
        made = f"2026-{n % 9 + 1:02d}-{n % 27 + 1:02d}T10:00:00.000Z"
        yield {"id": f"m{n}", "agent_id": "default", "content": text,
               "importance": n % 10 / 10, "created_at": made, "updated_at": made,
               "source_id": f"session {n // 30}", "project": f"/src/p{n % 50}"}


def names_of(workspace: Workspace) -> list[str]:
    with workspace.read() as reader:
        rows = reader.rows("SELECT name FROM entities WHERE agent_id = :agent LIMIT 500")
    return [row["name"] for row in rows]


def _filled(workspace: Workspace, memories: int) -> Figure:
    began = time.perf_counter()
    made = backfill(
        workspace.read, lambda change: workspace.write("vectors", change).result, offline())
    seconds = time.perf_counter() - began
    return Figure(f"vectors made and kept, a second ({made:,} of {memories:,})",
                  (made / seconds,), unit="")
