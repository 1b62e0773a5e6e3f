"""Runs one operation as a person asked: apply it, rehearse it, or put it in the queue."""

import json
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import typer

from core.errors import ConstellationError, OperationError
from core.model.changes import RowChange
from core.ontology import control
from core.ontology.catalog import Operation
from core.queries import proposals
from core.store.handles import Writer
from core.workspace import Workspace
from explorer.cli import output
from explorer.cli.graphs import reading, writing


@dataclass(frozen=True, slots=True)
class Decision:
    """What every write command is given beside the operation's own fields."""

    store: Path | None
    agent: str
    actor: str
    reason: str
    evidence_file: Path | None
    dry_run: bool
    propose: bool
    as_json: bool


def decide(operation: Operation, payload: Mapping[str, object], decision: Decision) -> None:
    """Do one operation and print what came of it."""
    if decision.dry_run and decision.propose:
        raise typer.BadParameter("--dry-run and --propose do not go together")
    if decision.dry_run:
        _rehearse(operation, payload, decision)
    else:
        _commit(operation, payload, decision)
