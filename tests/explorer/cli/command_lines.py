"""A line that works for every command, in the small world of `tests/contracts/files.py`.

The operations' lines are made of their samples; a command without a line fails a test.
"""

import json
from collections.abc import Iterator, Mapping
from contextlib import closing
from pathlib import Path
from typing import Any

import typer
import typer.core

from core.expectations.store import expectations
from core.ontology.operation_catalog import CATALOG
from core.workspace import Workspace
from explorer.cli import app
from explorer.http.tokens import list_tokens
from tests.contracts.samples import SAMPLES

SLOT = ("Harbor Ledger", "schedule", "nightly", "start time")
MEMORIES = '{"type":"entity","name":"Ferry","entityType":"boat","observations":["is white"]}\n'
STREAM = '{"operation":"create_entity","payload":{"name":"Night Ferry"}}\n'
ASSERTION = ('{"entity":"Harbor Ledger","predicate":"claims","content":"It is fast",'
             '"evidence":["she said so"]}')
PAYLOAD = '{"name":"Night Ferry"}'
REMEMBERED = json.dumps({"content": "Harbor Ledger runs at seven", "structured": {
    "entities": [{"source": "Harbor Ledger", "relationship": "uses", "target": "Tide API"}]}})
OTHERS: dict[str, tuple[tuple[str, ...], str]] = {
    "new": (("{folder}/new.db",), ""),
    "info": (("{graph}",), ""),
    "import": (("-", "--store", "{graph}"), MEMORIES),
    "watch": ((), ""),
    "export": ((), ""),
    "traverse": (("Harbor Ledger",), ""),
    "neighborhood": (("Harbor Ledger",), ""),
    "recall": (("When does the run start?",), ""),
    "remember": (("-",), REMEMBERED),
    "forget": (("m-2",), ""),
    "maintenance": ((), ""),
    "settings": ((), ""),
    "render": (("--out", "{folder}/sky.png", "--size", "64x64"), ""),
    "history": ((), ""),
    "undo": ((), ""),
    "redo": ((), ""),
    "backup": (("{folder}/new.db",), ""),
    "restore": ((), ""),
    "completion": (("bash",), ""),
    "knowledge entities": ((), ""),
    "knowledge entity": (SLOT[:1], ""),
    "knowledge tree": (SLOT[:1], ""),
    "knowledge aspects": (SLOT[:1], ""),
    "knowledge groups": (SLOT[:2], ""),
    "knowledge claims": (SLOT[:3], ""),
    "knowledge attributes": (SLOT, ""),
    "knowledge merge-plan": (("Harbor Ledger", "Anna"), ""),
    "knowledge hygiene": ((), ""),
    "knowledge stats": ((), ""),
    "knowledge communities": ((), ""),
    "knowledge health": (SLOT[:1], ""),
    "expect add": (("When does the run start?", "--must", "m-1"), ""),
    "expect list": ((), ""),
    "expect remove": (("{expectation}",), ""),
    "check": ((), ""),
    "diff": (("--from", "2020-01-01"), ""),
    "doctor": ((), ""),
    "inbox keep": (("m-1",), ""),
    "inbox hold": (("claude",), ""),
    "inbox forget": (("m-2",), ""),
    "inbox pin": (("m-1",), ""),
    "inbox correct": (("v-raw", "every other day"), ""),
    "ontology proposals": ((), ""),
    "ontology proposal": (("p-1",), ""),
    "ontology evidence": (("p-1",), ""),
    "ontology conflicts": ((), ""),
    "ontology propose": (("--operation", "create_entity", "--payload-file", "-"), PAYLOAD),
    "ontology apply": (("p-1",), ""),
    "ontology reject": (("p-1",), ""),
    "ontology settle": (("v-seven", "v-raw"), ""),
    "ontology claim versions": (SLOT, ""),
    "ontology claim evidence": (SLOT, ""),
    "ontology link evidence": (("d-uses",), ""),
    "ontology repair": ((), ""),
    "ontology review list": ((), ""),
    "ontology alias list": (SLOT[:1], ""),
    "ontology extract": (("-",), "Harbor Ledger uses [[Night Ferry]]."),
    "ontology consolidate": ((), ""),
    "ontology assertions": ((), ""),
    "ontology assertion list": ((), ""),
    "ontology assertion show": (("s-eight",), ""),
    "ontology assertion import": (("-",), ASSERTION),
    "ontology assertion link-claim": (("s-eight", "v-raw"), ""),
    "ontology stream apply": (("-",), STREAM),
    "session start": (("--session", "evening", "--query", "Harbor Ledger start time"), ""),
    "session hits": (("morning", "m-1"), ""),
    "session end": (("morning",), ""),
    "session asked": ((), ""),
    "session list": ((), ""),
    "session show": (("morning",), ""),
    "token create": (("recall",), ""),
    "token list": ((), ""),
    "token revoke": (("{token}",), ""),
}
"""What follows each command that is no operation, and what it is given on standard input."""
SILENT = frozenset({"open", "mcp", "serve"})
"""The window, and the servers of agents: they answer by other ways."""


def leaves(command: Any = None, words: tuple[str, ...] = ()) -> Iterator[tuple[str, Any]]:
    """Every command that can be run, by its words."""
    command = command or typer.main.get_command(app)
    if isinstance(command, typer.core.TyperGroup):
        for name, inner in command.commands.items():
            yield from leaves(inner, (*words, name))
    else:
        yield " ".join(words), command


LEAVES = dict(leaves())
OPERATIONS = {f"ontology {operation.words[1]} {operation.words[0]}": name
              for name, operation in CATALOG.items()}


def line(command: str, graph: Path) -> tuple[list[str], str]:
    """The words of a command that works, and its standard input."""
    if command in OPERATIONS:
        words, stdin = list(_of_operation(command)), ""
    else:
        given, stdin = OTHERS[command]
        known = {"token": next((token.id for token in list_tokens()), ""),
                 "expectation": _expectation(graph) if "{expectation}" in given else ""}
        words = [word.format(graph=graph, folder=graph.parent, **known) for word in given]
    return [*command.split(), *words], stdin


def _expectation(graph: Path) -> str:
    """The id of the first expectation that is kept beside the graph."""
    with closing(Workspace.open(graph)) as workspace, workspace.read() as reader:
        return next((one.id for one in expectations(reader)), "")


def _of_operation(command: str) -> Iterator[str]:
    operation = CATALOG[OPERATIONS[command]]
    given = operation.fields.model_validate(SAMPLES[operation.name].payload)
    payload: Mapping[str, Any] = given.model_dump(exclude_unset=True)
    parameters = {one.name: one for one in LEAVES[command].params}
    order = sorted(payload, key=lambda name: list(parameters).index(name))
    for name in order:
        values = payload[name] if isinstance(payload[name], list) else [payload[name]]
        flag = [] if parameters[name].param_type_name == "argument" else [parameters[name].opts[0]]
        for value in values:
            yield from (*flag, str(value))
