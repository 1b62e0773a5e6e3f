"""The demo graph: one developer's year, read from `assets/demo.jsonl` into a graph file."""

import hashlib
import json
import os
import tempfile
from collections.abc import Mapping
from importlib.resources import files
from pathlib import Path
from typing import Any

from core.errors import OpenError
from core.model.names import canonical, name_key
from core.ontology.memory_for_every_value import keep_in_step_with_dates
from core.store.file_identity import clear_logs
from core.store.reader_and_writer import Writer
from core.workspace import Workspace
from explorer.default_graph import demo_store
from explorer.demo_expectations import put_expectations

_CANONICAL = {"name": ("canonical_name", name_key), "alias": ("canonical_alias", name_key),
              "content": ("normalized_content", canonical)}
"""A column of the file -> the stored column with the canonical form of its text, and its maker."""


def build_demo(path: Path) -> Path:
    """Create a new graph file with the demo; the same one each time.

    It is created next to `path` and moved there when complete, so that an incomplete demo is never
    opened. Raises OpenError where there is a file already or the folder can't be written.
    """
    if path.exists():
        raise OpenError("foreign", "This file exists already", where=str(path),
                        do="Choose another name; nothing was changed")
    making = path.with_name(f".{path.name}.{os.getpid()}.making")
    try:
        with tempfile.TemporaryDirectory(prefix="constellation-demo-") as beside:
            workspace = Workspace.open(making, data_dir=Path(beside), create=True)
            try:
                workspace.write("Create the demo graph", _insert_demo)
            finally:
                workspace.close()
        clear_logs(path)
        os.replace(making, path)
    finally:
        for leftover in path.parent.glob(f"{making.name}*"):
            leftover.unlink()
    return path


def ready_demo() -> Path:
    """The person's own demo graph, made at the first call."""
    path = demo_store()
    try:
        if not path.is_file():
            put_beside(build_demo(path))
    except OpenError as error:
        if error.kind != "unwritable":
            raise
        raise OpenError(
            "unwritable", "The demo graph can't be written", where=str(path), detail=error.detail,
            do="Make its folder writable, or set CONSTELLATION_DATA to one that is") from error
    return path


def put_beside(path: Path) -> None:
    """Put what is shipped with the demo graph beside it: places in the sky, and expectations."""
    # The window stands without what places are made of.
    from explorer.demo_positions import put_places  # noqa: PLC0415

    put_places(path)
    put_expectations(path)


def _insert_demo(writer: Writer) -> None:
    """Insert the demo's rows into an empty graph, as where its history begins."""
    # A new graph knows its first agent already; the demo's row says more of it.
    writer.delete_where("agents", "id = 'default'")
    for table, rows in _tables().items():
        writer.insert_many(table, rows)
    keep_in_step_with_dates(writer)
    # The demo is the ground that a person starts from: undo must not take it away.
    writer.journal.clear()


def _tables() -> dict[str, list[Mapping[str, object]]]:
    """The rows of each table, parents before children.

    A line of the file is an object that begins a table (`table`, `columns`) or an array, one row.
    """
    tables: dict[str, list[Mapping[str, object]]] = {}
    with files("assets").joinpath("demo.jsonl").open(encoding="utf-8") as lines:
        for line in map(json.loads, lines):
            if isinstance(line, dict):
                columns, rows = line["columns"], tables.setdefault(line["table"], [])
            else:
                rows.append(_row(columns, line))
    return tables


def _row(columns: list[str], values: list[Any]) -> dict[str, object]:
    """One row with what follows from its texts; the table takes those that it has columns for."""
    row = dict(zip(columns, values, strict=True))
    row |= {stored: form(row[text]) for text, (stored, form) in _CANONICAL.items() if text in row}
    if "content" in row:
        row["content_hash"] = hashlib.sha256(row["normalized_content"].encode()).hexdigest()
    return row
