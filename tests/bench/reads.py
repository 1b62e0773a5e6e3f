"""What a person waits for without a window: lists, search, the inspector, a verdict, an import."""

import json
import random
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path

from core.ontology import control
from core.queries.entities import count_entities, get_entity, list_entities
from core.queries.knowledge import aspects_of
from core.queries.links import links_of
from core.queries.memories import memories_of
from core.store.reader_and_writer import Reader, Writer
from core.transfer.mcp_import import import_mcp, read_mcp
from core.workspace import Workspace
from tests.bench.big import WORDS
from tests.bench.figures import Figure, timed


def of_lists(
    workspace: Workspace, entities: int, clock: Callable[[], float] = time.perf_counter
) -> list[Figure]:
    """Pages of the list, search as you type, one entity in full; `clock` as for `timed`."""
    chance, measured = random.Random(1), partial(timed, clock=clock)

    def read(fn: Callable[[Reader], object]) -> Callable[[], object]:
        def run() -> object:
            with workspace.read() as reader:
                return fn(reader)
        return run

    def search(letters: int) -> Callable[[Reader], object]:
        return lambda reader: list_entities(reader, text=chance.choice(WORDS)[:letters], limit=100)

    def inspect(reader: Reader) -> None:
        id = f"e{chance.randrange(entities)}"
        get_entity(reader, id), aspects_of(reader, id), links_of(reader, id)
        memories_of(reader, id)

    return [
        measured("list, first page", read(lambda r: list_entities(r, limit=200))),
        measured("list, a page deep inside",
              read(lambda r: list_entities(r, limit=200, offset=entities // 2))),
        measured("list, count", read(count_entities)),
        measured("search, 2 letters", read(search(2)), must=50, aim=16),
        measured("search, 4 letters", read(search(4)), must=50, aim=16),
        measured("search, two words in any facts",
              read(lambda r: list_entities(r, text=" ".join(chance.sample(WORDS, 2)), limit=100))),
        measured("search, a typo",
              read(lambda r: list_entities(r, text="thckets", limit=100)), must=50),
        measured("search, nothing found",
              read(lambda r: list_entities(r, text="xyzzyplugh", limit=100)), must=50, aim=16),
        measured("inspector, one entity", read(inspect)),
    ]


def of_writes(workspace: Workspace, entities: int) -> list[Figure]:
    """A verdict until it is durable, undone and done again."""
    chance = random.Random(2)

    def pin(writer: Writer, id: str) -> object:
        return control.apply(writer, "pin_entity", {"entity": id})

    def set_value(writer: Writer, id: str) -> object:
        return control.apply(writer, "set_claim_value", {
            "entity": writer.value("SELECT name FROM entities WHERE id = :id", id=id),
            "aspect": "state", "claim_key": "now", "value": f"value {chance.random()}"})

    def write(change: Callable[[Writer, str], object]) -> object:
        id = f"e{chance.randrange(entities)}"
        return workspace.write("bench", lambda w: change(w, id)).result

    return [
        timed("pin, durable", partial(write, pin), must=100, aim=50),
        timed("set a claim value, durable", partial(write, set_value), must=100, aim=50),
        timed("undo", workspace.undo, runs=10, warm=1, must=100, aim=50),
        timed("redo", workspace.redo, runs=10, warm=1, must=100, aim=50),
        timed("rehearse (the card's dry run)",
              lambda: workspace.rehearse(lambda w: set_value(w, "e5"))),
    ]


def of_import(folder: Path, lines: int) -> list[Figure]:
    """An MCP memory file of this many lines, read and imported."""
    file = folder / "memory.jsonl"
    chance = random.Random(3)
    with file.open("w", encoding="utf-8") as out:
        for n in range(lines // 2):
            out.write(json.dumps({"type": "entity", "name": f"Thing {n}", "entityType": "tool",
                                  "observations": [" ".join(chance.choices(WORDS, k=6))]}) + "\n")
            out.write(json.dumps({"type": "relation", "from": f"Thing {n}",
                                  "to": f"Thing {n * 7 % (lines // 2)}",
                                  "relationType": "uses"}) + "\n")

    number = iter(range(99))

    def run() -> None:
        workspace = Workspace.open(folder / f"import{next(number)}.db", data_dir=folder / "data",
                                   create=True)
        found = read_mcp(file)
        workspace.write("import", lambda w: import_mcp(w, found))
        workspace.close()

    figure = timed(f"import an MCP file of {lines:,} lines", run, runs=3, warm=0)
    return [Figure(figure.name, tuple(v / 1000 for v in figure.values), unit="s")]
