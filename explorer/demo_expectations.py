"""The demo graph's expectations, from `assets/demo_expectations.jsonl`: what must come, and what
must not."""

import json
import uuid
from importlib.resources import files
from pathlib import Path

from core.model.expectation import CLAIM, Expectation
from core.workspace import Workspace

EXPECTATIONS = files("assets").joinpath("demo_expectations.jsonl")
MADE_AT = "2026-11-23T20:{:02d}:00.000Z"


def put_expectations(path: Path) -> None:
    """Write the shipped expectations beside a demo graph; no step of its history."""
    workspace = Workspace.open(path)
    try:
        workspace.sidecar.add_expectations(workspace.agent, list(demo_expectations()))
    finally:
        workspace.close()


def demo_expectations() -> tuple[Expectation, ...]:
    """Each with an id that is the same in every demo."""
    lines = EXPECTATIONS.read_text(encoding="utf-8").splitlines()
    return tuple(
        Expectation(str(uuid.uuid5(uuid.NAMESPACE_OID, line)), question, must, CLAIM, target,
                    MADE_AT.format(number), "robin")
        for number, line in enumerate(lines)
        for question, must, target in (json.loads(line),))
