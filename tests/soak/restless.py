"""A process that changes a graph at random until it is killed, saying each step before and after.

Run as `python -m tests.soak.restless FILE DATA SEED`. Each line on standard output is JSON:
`["try", step]` before a step is asked for, `["done", step]` once it has been acknowledged.
"""

import json
import random
import sys
from pathlib import Path

from core.errors import ConstellationError
from core.ontology import control
from core.workspace import Workspace


def steps(seed: int, names: list[str]):
    """Random steps: a new entity, a value, a pin, a link, or the last step taken back."""
    chance = random.Random(seed)
    number = 0
    while True:
        number += 1
        kind = chance.choices(["entity", "value", "pin", "link", "undo"], [3, 4, 2, 2, 2])[0]
        fresh = f"thing {seed} {number}"
        if kind == "entity" or len(names) < 2:
            names.append(fresh)
            yield ["entity", fresh]
        elif kind == "value":
            yield ["value", chance.choice(names), f"value {seed} {number}" * chance.randint(1, 40)]
        elif kind == "link":
            yield ["link", *chance.sample(names, 2)]
        elif kind == "pin":
            yield ["pin", chance.choice(names)]
        else:
            yield ["undo"]


def payload(step: list) -> tuple[str, dict]:
    """The operation of one step."""
    kind, *rest = step
    if kind == "entity":
        return "create_entity", {"name": rest[0], "entity_type": "tool"}
    if kind == "value":
        return "set_claim_value", {"entity": rest[0], "aspect": "state", "group_key": "general",
                                   "claim_key": "now", "value": rest[1]}
    if kind == "link":
        return "create_link", {"source_entity": rest[0], "target_entity": rest[1],
                               "link_type": "uses"}
    return "pin_entity", {"entity": rest[0]}


def perform(workspace: Workspace, step: list) -> None:
    """Carry one step out; returns when it has been acknowledged."""
    if step[0] == "undo":
        workspace.undo()
        return
    operation, fields = payload(step)
    workspace.write(operation, lambda w: control.apply(w, operation, fields))


def say(word: str, step: list) -> None:
    """One line, out of this process before it goes on."""
    sys.stdout.write(json.dumps([word, step]) + "\n")
    sys.stdout.flush()


def main(file: str, data: str, seed: int) -> None:
    """Work until killed."""
    workspace = Workspace.open(Path(file), data_dir=Path(data))
    with workspace.read() as reader:
        names = [r["name"] for r in reader.rows(
            "SELECT name FROM entities WHERE agent_id = :agent ORDER BY name")]
    for step in steps(seed, names):
        if step[0] == "undo" and workspace.undo_step() is None:
            continue
        say("try", step)
        try:
            perform(workspace, step)
        except ConstellationError:
            say("refused", step)  # such as a pin on an entity whose making was taken back
        else:
            say("done", step)


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2], int(sys.argv[3]))
