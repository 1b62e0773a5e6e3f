"""`import`: takes another tool's memory file into a graph."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from threading import Event
from typing import Annotated

import typer

from core.errors import Cancelled, OpenError
from core.jobs import Report, part
from core.transfer.mcp import ImportReport, import_mcp
from core.transfer.mcp_file import McpFile, read_mcp
from core.workspace import Workspace
from explorer.cli import output
from explorer.cli.deciding import INITIATOR
from explorer.cli.options import EVERYONE, OPERATOR, Actor, AgentName, Json
from explorer.cli.progress import progress
from explorer.paths import chosen_store

_READING = 0.4
"""The share of the whole that reading takes."""


def import_file(
    file: Annotated[
        Path, typer.Argument(readable=False, help="An MCP memory file (memory.jsonl).")],
    store: Annotated[
        Path | None,
        typer.Option("--store", readable=False, show_default=False,
                     help="The graph that takes it; made if it is not there."),
    ] = None,
    agent: AgentName = EVERYONE, actor: Actor = OPERATOR, as_json: Json = False,
) -> None:
    """Take an MCP memory file into a graph; doing it twice changes nothing."""
    _look(file)
    with _progress() as (report, stop):
        found = read_mcp(file, part(report, 0, _READING), path=str(file.absolute()))
        _refuse_nothing(file, found)
        workspace = Workspace.open(chosen_store(store), agent=agent, create=store is not None)
        try:
            backup = workspace.allow_writing()
            told = _write(workspace, found, file, actor, part(report, _READING, 1), stop)
        finally:
            workspace.close()
    if backup is not None:
        output.note(f"This is the first write to this file. A backup was made: {backup}")
    if as_json:
        output.answer_json(told)
    else:
        _tell(told)


def _look(file: Path) -> None:
    """Refuse what is no memory file, each case in its own sentence."""
    where = str(file)
    try:
        with file.open("rb") as stream:
            head = stream.read(16)
    except (FileNotFoundError, NotADirectoryError):
        raise OpenError("missing", "There is no file here", where=where,
                        do="Check the path") from None
    except IsADirectoryError:
        raise OpenError("folder", "This is a folder, not a file", where=where,
                        do="Choose the file inside it, such as memory.jsonl") from None
    except OSError as error:
        raise OpenError("unreadable", "The file can't be read", where=where,
                        do="Check its permissions", detail=str(error)) from error
    if head.startswith(b"SQLite format 3"):
        raise OpenError("foreign", "This is a database, not a memory file", where=where,
                        do=f"Open it as it is: constellation {file}")


def _refuse_nothing(file: Path, found: McpFile) -> None:
    if found.entities or found.relations or not found.problems:
        return
    first = found.problems[0]
    raise OpenError("foreign", "No line of this file is an entity or a relation", where=str(file),
                    do="Choose an MCP memory file", detail=f"line {first.line}: {first.what}")


@contextmanager
def _progress() -> Iterator[tuple[Report, Event]]:
    """What takes the finished share, and what stops the work."""
    stop = Event()
    with progress() as show:

        def report(share: float) -> None:
            if stop.is_set():
                raise Cancelled("Stopped; nothing was written")
            show(share)

        yield report, stop


def _write(
    workspace: Workspace, found: McpFile, file: Path, actor: str, report: Report, stop: Event
) -> ImportReport:
    """Write it in one transaction; Ctrl+C takes all of it back."""
    future = workspace.submit(f"Import {file.name}", lambda w: import_mcp(w, found, report),
                              initiator=INITIATOR, actor=actor)
    try:
        return future.result()
    except KeyboardInterrupt:
        stop.set()
        return future.result()


def kept(words: Sequence[str]) -> str:
    """Says that relations keep what they are called, although there is no such type."""
    many = f"{len(words)} relation word{' is' if len(words) == 1 else 's are'}"
    return f"{many} kept as related_to with these words"


def _tell(told: ImportReport) -> None:
    output.table(("", "new", "there already"), (
        ("entities", told.entities_new, told.entities_unchanged),
        ("values", told.values_new, told.values_unchanged),
        ("links", told.links_new, told.links_unchanged),
    ), empty="")
    if told.skipped:
        output.say(f"{told.skipped} were archived or deleted before and stay so")
    if told.kept_words:
        output.say(f"{kept(told.kept_words)}: {', '.join(told.kept_words)}")
    for name in told.dangling:
        output.say(f"only a relation names {name}: made as an entity of unknown type")
    if told.problems:
        output.say(f"{len(told.problems)} lines or fields were left out:")
    for problem in told.problems:
        field = f", {problem.field}" if problem.field else ""
        output.say(f"line {problem.line}{field}: {problem.what}")
