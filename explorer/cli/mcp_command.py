"""`mcp`: lets an agent use a graph as its memory, by the Model Context Protocol."""

import os
from collections.abc import Iterator
from contextlib import contextmanager
from importlib import import_module
from pathlib import Path
from typing import Annotated, Any

import typer

from core.errors import ConstellationError
from core.model.text_formatting import counted
from core.settings import load
from core.store.sidecar_file import data_folder
from core.transfer.import_file import write_import
from core.workspace import Workspace
from explorer.cli import output
from explorer.cli.engine_options import patient
from explorer.cli.import_command import read_content
from explorer.cli.open_graph import note_if_slow, note_open_doors, note_other_agents
from explorer.cli.options import EVERYONE, OPERATOR, AgentName, Store
from explorer.cli.run_operation import INITIATOR
from explorer.default_graph import demo_store, remember_opened, require_folder, usual_store
from explorer.program_version import version
from explorer.streams import stop_at_once

MEMORY_FILE = "MEMORY_FILE_PATH"
_SECRETS = 10
"""Keys and passwords in a file taken over of which it is told where they are."""
"""The variable by which the reference memory server is told where its file is."""
_TAKEN = "memory file"
"""The fact kept beside a graph: which memory file it has taken over, and as it was when."""


def serve_agents(
    http: Annotated[int | None, typer.Option(
        "--http", metavar="PORT", min=0, max=65_535, show_default=False,
        help="Serve clients on this machine over HTTP; 0 for any port that is free.")] = None,
    store: Store = None, agent: AgentName = EVERYONE,
) -> None:
    """Let an agent use a graph as its memory, over standard input and output (MCP).

    It has the tools of the MCP reference memory server. What it deletes can be undone. Where
    MEMORY_FILE_PATH names that server's file, its content is taken over; the file stays as it is.
    """
    server = _with_sdk("server" if http is None else "http")
    try:
        with graph_for_agents(store, agent) as workspace:
            given = workspace, patient(load().settings, None), version()
            if http is None:
                server.serve_stdio(*given)
            else:
                note_open_doors(workspace)
                server.serve_http(
                    *given, http, lambda address: output.note(f"Listening on {address}"))
    except KeyboardInterrupt:
        stop_at_once()  # The graph is closed, but a thread still waits for the client's next line.


@contextmanager
def graph_for_agents(store: Path | None, agent: str) -> Iterator[Workspace]:
    """The graph that agents are let into, made if there is none yet."""
    memory_file = _memory_file()
    path = (store or _beside(memory_file) or _usual()).expanduser()
    require_folder(path)
    workspace = Workspace.open(path, agent=agent, create=True, report=note_if_slow())
    try:
        if memory_file is not None:
            take_over(workspace, memory_file)
        note_other_agents(workspace)
        yield workspace
    finally:
        workspace.close()


def _memory_file() -> Path | None:
    """The reference server's file, if a client's configuration names one."""
    named = os.environ.get(MEMORY_FILE, "").strip()
    return Path(named).expanduser().absolute() if named else None


def _beside(memory_file: Path | None) -> Path | None:
    """The graph that takes a memory file over where none is named: `memory.jsonl`, `memory.db`."""
    return memory_file.with_suffix(".db") if memory_file else None


def _usual() -> Path:
    """The usual graph, but not the demo; else one of the agents' own."""
    usual = usual_store()
    if usual is not None and usual != demo_store():
        return usual
    own = data_folder() / "memory.db"
    own.parent.mkdir(parents=True, exist_ok=True)
    remember_opened(own)
    return own


def take_over(workspace: Workspace, memory_file: Path) -> None:
    """Import the reference server's file, unless that was done and it is as it was then.

    The file stays as it is, and what was deleted since stays deleted.
    """
    as_it_is = _as_it_is(memory_file)
    if not memory_file.exists():
        output.note(f"There is no {memory_file} yet; if there should be, check {MEMORY_FILE}")
    if not as_it_is or workspace.sidecar.meta().get(_TAKEN) == as_it_is:
        return
    content = read_content(memory_file)
    report = workspace.write(
        f"Take over {memory_file.name}", lambda writer: write_import(writer, content),
        initiator=INITIATOR, actor=OPERATOR).result
    workspace.sidecar.remember(_TAKEN, as_it_is)
    output.note(f"Took over {counted(report.entities_new, 'entity')} from {memory_file}")
    if report.problems:
        lines = counted(len(report.problems), "line or field", "lines or fields")
        output.note(f"{lines} left out; “constellation import” lists them")
    for secret in report.secrets[:_SECRETS]:
        output.note(secret.words)
    if report.secrets:
        output.note(output.SECRET_TAKEN)


def _as_it_is(memory_file: Path) -> str:
    """What changes with the file; empty where there is nothing yet, as before the first entity."""
    try:
        state = memory_file.stat()
    except FileNotFoundError:
        return ""
    except OSError:
        return str(memory_file)  # Reading it says what is wrong.
    return f"{memory_file} {state.st_size} {state.st_mtime_ns}" if state.st_size else ""


def _with_sdk(name: str) -> Any:
    """A module that needs the protocol's SDK, loaded by this command only: the others start
    without it."""
    try:
        return import_module(f"explorer.mcp.{name}")
    except ImportError as error:
        if (error.name or "").split(".")[0] != "mcp":
            raise
        raise ConstellationError(
            "The SDK of the Model Context Protocol is not installed", detail=str(error),
            do="Run “make set-up”, or install the package “mcp”") from error
