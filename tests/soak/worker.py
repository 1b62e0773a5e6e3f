"""A process that puts facts into a graph until it is killed, writing down each before and after.

Run as `python -m tests.soak.worker KIND FILE SEED OUT`, or as `python -m tests.soak.worker`, which
starts one worker for each such line on its standard input without loading everything again.
"""

import io
import json
import os
import random
import signal
import subprocess
import sys
import traceback
from collections.abc import Callable, Iterator
from contextlib import redirect_stderr, redirect_stdout
from pathlib import Path

from core.errors import ConstellationError
from core.ontology import control
from core.workspace import Workspace
from tests.soak.facts import IMPORTED, Fact

Say = Callable[[str, object], None]


def facts(seed: str) -> Iterator[tuple[Fact, str, dict]]:
    """Facts without end, each with the operation that states it."""
    chance, names, number = random.Random(seed), [], 0
    while True:
        number += 1
        kind = chance.choice(["entity", "value", "value", "link"]) if len(names) > 1 else "entity"
        own = f"{kind} {seed}.{number}"
        if kind == "entity":
            names.append(own)
            yield [kind, own], "create_entity", {"name": own, "entity_type": "tool"}
        elif kind == "value":
            text = f"{own} " + "because " * chance.randint(0, 60)
            yield [kind, text.strip()], "set_claim_value", {
                "entity": chance.choice(names), "aspect": "state", "group_key": "general",
                "claim_key": "now", "value": text.strip()}
        else:
            yield [kind, own], "create_link", {
                "source_entity": chance.choice(names), "target_entity": f"end of {own}",
                "link_type": "related_to", "reason": own}


def core(graph: Path, seed: str, say: Say) -> None:
    """Writes of the engine."""
    workspace = Workspace.open(graph)
    for fact, operation, payload in facts(seed):
        say("try", fact)
        try:
            workspace.write(operation, lambda w, o=operation, p=payload: control.apply(w, o, p))
        except ConstellationError:
            say("refused", fact)
        else:
            say("done", fact)


def remembered(seed: str, number: int) -> tuple[Fact, str]:
    """A memory about an entity, as JSON."""
    text = f"Memory {seed}.{number} says that the ferry was late again"
    return ["memory", text], json.dumps({"content": text, "structured": {"entities": [
        {"source": f"Ferry {seed}", "relationship": "uses", "target": f"Ferry {seed}"}]}})


def memory_file(own: str) -> str:
    """A memory file whose entities are linked in a row."""
    names = [f"{own} {number}" for number in range(IMPORTED)]
    entities = [{"type": "entity", "name": name, "entityType": "boat",
                 "observations": [f"{name} is white"]} for name in names]
    links = [{"type": "relation", "from": one, "to": other, "relationType": "uses"}
             for one, other in zip(names, names[1:], strict=False)]
    return "\n".join(json.dumps(line) for line in entities + links)


def typed(operation: str, payload: dict) -> list[str]:
    """The words of the same operation on the command line."""
    if operation == "create_entity":
        return ["entity", "create", payload["name"], "--type", payload["entity_type"]]
    if operation == "create_link":
        return ["link", "create", payload["source_entity"], payload["link_type"],
                payload["target_entity"], "--reason", payload["reason"]]
    return ["claim", "set", payload["entity"], payload["aspect"], payload["group_key"],
            payload["claim_key"], "--value", payload["value"]]


Asked = tuple[Fact, list[str], str]


def commands(seed: str) -> Iterator[Asked]:
    """Commands that write, one after the other."""
    for number, (fact, operation, payload) in enumerate(facts(seed)):
        yield fact, ["ontology", *typed(operation, payload)], ""
        if number % 4 == 3:
            told, text = remembered(seed, number)
            yield told, ["remember", "-"], text


def imports(seed: str) -> Iterator[Asked]:
    """Imports of small memory files."""
    number = 0
    while True:
        number += 1
        own = f"import {seed}.{number}"
        yield ["import", own], ["import", "-"], memory_file(own)


def inside(words: list[str], stdin: str) -> tuple[int, str]:
    """Run a command in this process; its code and what it said of errors."""
    from explorer.main import main  # noqa: PLC0415  it loads for half a second

    sys.stdin, errors = io.TextIOWrapper(io.BytesIO(stdin.encode()), "utf-8"), io.StringIO()
    with redirect_stdout(io.StringIO()), redirect_stderr(errors):
        try:
            main(words)
        except SystemExit as ended:
            return int(ended.code or 0), errors.getvalue()
        except BaseException:
            return 1, traceback.format_exc()
    return 0, ""


def outside(words: list[str], stdin: str) -> tuple[int, str]:
    """Run a command in a process of its own."""
    done = subprocess.run([sys.executable, "-m", "explorer", *words], input=stdin, text=True,
                          capture_output=True)
    return done.returncode, done.stderr


def carry_out(asked: Iterator[Asked], graph: Path, say: Say,
              run: Callable[[list[str], str], tuple[int, str]]) -> None:
    """Run commands; one that is not refused in words but fails is an error."""
    for fact, words, stdin in asked:
        say("try", fact)
        code, errors = run([*words, "--store", str(graph)], stdin)
        say({0: "done", 2: "refused"}.get(code, "error"), fact if code in (0, 2) else errors)
        if code:
            say("error", errors)


def window(graph: Path, seed: str, say: Say) -> None:
    """The real window: a person looks around in it while facts are written."""
    from tests.soak.window_worker import work  # noqa: PLC0415  the others need no Qt

    work(graph, facts(seed), random.Random(seed), say)


KINDS: dict[str, Callable[[Path, str, Say], None]] = {
    "core": core, "window": window,
    "command": lambda graph, seed, say: carry_out(commands(seed), graph, say, inside),
    "import": lambda graph, seed, say: carry_out(imports(seed), graph, say, inside),
    "terminal": lambda graph, seed, say: carry_out(commands(seed), graph, say, outside),
}


def work(kind: str, graph: str, seed: str, out: str) -> None:
    """Do one worker's work; every line is out of this process before it goes on."""
    notes = os.open(out, os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o644)

    def say(word: str, thing: object) -> None:
        os.write(notes, (json.dumps([word, thing]) + "\n").encode())

    try:
        KINDS[kind](Path(graph), seed, say)
    except ConstellationError as error:  # such as a full disk, on which nothing can be opened
        say("error", str(error))
        signal.pause()
    except BaseException:
        say("error", traceback.format_exc())
        raise


def nursery() -> None:
    """Start workers with everything loaded; each line of standard input names one."""
    import explorer.cli.dispatch  # noqa: PLC0415, F401
    import tests.soak.window_worker  # noqa: PLC0415, F401

    for line in sys.stdin:
        child = os.fork()
        if not child:
            os.setsid()
            try:
                work(*line.rstrip("\n").split("\t"))
            finally:
                os._exit(1)
        sys.stdout.write(f"{child}\n")
        sys.stdout.flush()
        os.waitpid(child, 0)
        sys.stdout.write("gone\n")
        sys.stdout.flush()


if __name__ == "__main__":
    work(*sys.argv[1:]) if len(sys.argv) > 1 else nursery()
