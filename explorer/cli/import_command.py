"""`import`: takes another tool's memory file into a graph."""

import shutil
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from itertools import islice
from pathlib import Path
from tempfile import TemporaryDirectory, TemporaryFile
from threading import Event
from typing import Annotated, BinaryIO

import typer
from msgspec.structs import replace

from core.errors import Cancelled, OpenError
from core.model.did_you_mean import did_you_mean
from core.model.text_formatting import counted, one_line
from core.progress import Report, ignore, part
from core.store.file_detection import MAGIC, other_file
from core.transfer.bundle_import import is_bundle
from core.transfer.import_file import (
    IMPORT_FORMATS,
    Importable,
    format_of,
    read_import,
    with_content,
    write_import,
)
from core.transfer.import_report import ImportReport
from core.transfer.read_mcp_file import read_mcp
from core.transfer.readers.reader_interface import BEGINNING, Look
from core.workspace import Workspace
from explorer.cli import output
from explorer.cli.engine_options import settings_with
from explorer.cli.open_graph import created
from explorer.cli.options import EVERYONE, OPERATOR, Actor, AgentName, DryRun, Json
from explorer.cli.output import progress
from explorer.cli.run_operation import INITIATOR, tell_disputes
from explorer.default_graph import beside, chosen_store, require_folder
from explorer.streams import standard_input

_STDIN = "standard input"
_HEAD = 16
"""Bytes that tell what a file is."""
_LISTED = 200
"""Lines of one list that are printed."""
_KEPT = 1_000
"""Signs of kept words that are printed."""
_READING = 0.4
"""The share of the whole that reading takes."""


def import_file(
    file: Annotated[
        Path, typer.Argument(metavar="PATH", readable=False, help=(
            "A memory file (memory.jsonl), a bundle, or what another program keeps: "
            f"{', '.join(each.title for each in IMPORT_FORMATS)}; - for standard input."))],
    store: Annotated[
        Path | None,
        typer.Option("--store", readable=False, show_default=False,
                     help="The graph to import into; created if it does not exist."),
    ] = None,
    archive_gone: Annotated[
        bool, typer.Option("--archive-gone", help=(
            "Archive facts of an earlier import from there that are no longer in it."))] = False,
    dry_run: DryRun = False, agent: AgentName = EVERYONE, actor: Actor = OPERATOR,
    as_json: Json = False,
) -> None:
    """Import what another program keeps into a graph; twice changes nothing more."""
    backup = None
    with _progress() as (report, stop):
        content = read_content(file, part(report, 0, _READING))
        if store is not None:
            require_folder(store)
        writing = part(report, _READING, 1)
        is_new = store is not None and not dry_run and not store.expanduser().exists()
        with _graph(store, agent, dry_run) as workspace:
            if dry_run:
                result = _rehearse(workspace, content, actor, writing, archive_gone)
            else:
                backup = workspace.allow_writing()
                result = _write(workspace, content, file, actor, writing, stop, archive_gone)
    if backup is not None:
        output.note(f"This is the first write to this file. A backup was made: {backup}")
    if is_new and store is not None:
        output.note(created(store))
    if not output.answered(as_json, result):
        _print_report(result)


@contextmanager
def _graph(store: Path | None, agent: str, dry_run: bool) -> Iterator[Workspace]:
    """The graph to import into; a dry run makes none, but tries it on an empty one."""
    with TemporaryDirectory(prefix="constellation-") as folder:
        place = chosen_store(store)
        if dry_run and store is not None and not store.exists():
            place = Path(folder) / store.name
        workspace = Workspace.open(place, agent=agent, create=store is not None,
                                   data_dir=Path(folder) if place.parent == Path(folder) else None)
        try:
            yield workspace
        finally:
            workspace.close()


def _rehearse(
    workspace: Workspace, content: Importable, actor: str, report: Report, archive_gone: bool
) -> ImportReport:
    """What an import would do, from one that is rolled back."""
    settings = settings_with("ingest", None)
    return replace(workspace.rehearse(lambda writer: write_import(
        writer, content, report, settings=settings.ingest, archive_gone=archive_gone),
        actor=actor).result, dry_run=True)


def read_content(file: Path, report: Report = ignore) -> Importable:
    """What the file, or standard input, holds; raises OpenError where that is nothing."""
    if str(file) != "-":
        if not file.is_dir():
            _refuse_no_text(_head(file), str(file))
        return read_import(file, report)
    with TemporaryFile() as kept_input:  # It is read twice, and may be long.
        shutil.copyfileobj(standard_input(), kept_input)
        kept_input.seek(0)
        return _of_input(kept_input, report)


def _of_input(stream: BinaryIO, report: Report) -> Importable:
    """What standard input holds."""
    beginning = stream.read(BEGINNING)
    _refuse_no_text(beginning[:_HEAD], _STDIN)
    if is_bundle(beginning):
        # It is read twice, to be sure of it before the first row is written.
        raise OpenError("foreign", "A bundle is imported from a file", where=_STDIN,
                        do="Save it as a file and import that; nothing was changed")
    other = format_of(Look(Path(_STDIN), beginning))
    if other is not None:
        raise OpenError("foreign", f"This is no memory file but: {other.title}",
                        where=_STDIN, do="Save it as a file and import that; nothing was changed")
    return with_content(read_mcp(stream, report, path=_STDIN), _STDIN)


def _head(file: Path) -> bytes:
    """The first bytes of the file; raises OpenError where there is none to read."""
    where = str(file)
    try:
        with file.open("rb") as stream:
            return stream.read(_HEAD)
    except (FileNotFoundError, NotADirectoryError):
        raise OpenError("missing", "File not found", where=where,
                        do=did_you_mean(file.name, beside(file))
                        or "Check the path; nothing was imported") from None
    except OSError as error:
        raise OpenError("unreadable", "The file can't be read", where=where,
                        do="Check its permissions", detail=str(error)) from error


def _refuse_no_text(head: bytes, where: str) -> None:
    """Refuse what is no memory file, each case in its own sentence."""
    if head.startswith(MAGIC) and where == _STDIN:
        raise OpenError("foreign", "This is a database, not a memory file", where=where,
                        do="Open its file as it is: constellation FILE")
    other = other_file(head, where)
    if other is not None:
        raise other


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
    workspace: Workspace, content: Importable, file: Path, actor: str, report: Report, stop: Event,
    archive_gone: bool,
) -> ImportReport:
    """Write it in one transaction; Ctrl+C takes all of it back."""
    name, settings = _STDIN if str(file) == "-" else file.name, settings_with("ingest", None)
    future = workspace.submit(f"Import {name}", lambda w: write_import(
        w, content, report, settings=settings.ingest, archive_gone=archive_gone),
                              initiator=INITIATOR, actor=actor)
    try:
        return future.result().result
    except KeyboardInterrupt:
        stop.set()
        return future.result().result


def kept(words: Sequence[str]) -> str:
    """The note that relations without a known type keep their words."""
    return (f"{counted(len(words), 'relation')} of no known type became “related to”, with the "
            "word kept")


def _print_report(report: ImportReport) -> None:
    if report.dry_run:
        output.say("Dry run, nothing changed. An import would do this:")
    output.table(("", "new", "there already"), (
        ("entities", report.entities_new, report.entities_unchanged),
        ("values", report.values_new, report.values_unchanged),
        ("links", report.links_new, report.links_unchanged),
        *((("all rows", report.rows_new, report.rows_unchanged),)
          if report.rows_new or report.rows_unchanged else ()),
    ), empty="")
    if report.skipped:
        were = counted(report.skipped, "was archived or deleted before and stays",
                            "were archived or deleted before and stay")
        output.say(f"{were} so")
    tell_disputes(report.disputes)
    if report.kept_words:
        words = ", ".join(report.kept_words[:_KEPT])
        output.say(f"{kept(report.kept_words)}: {one_line(words, _KEPT)}")
    _say_some(report.notes())
    if report.secrets:
        output.say("Take the key or password out of the file first" if report.dry_run
                   else output.SECRET_TAKEN)
    for name in report.dangling:
        output.say(f"{one_line(name)} appears only in a relation: added as an entity of unknown"
                   " type")
    _tell_gone(report)
    if report.problems:
        were = counted(len(report.problems), "line or field was", "lines or fields were")
        output.say(f"{were} left out:")
    _say_some(f"{report.places.where(problem.line)}: {problem.words}"
              for problem in report.problems)


def _tell_gone(report: ImportReport) -> None:
    """Tell what an earlier import brought and the file no longer has, and what to do."""
    if report.no_longer is None:
        return
    for line in report.no_longer.lines():
        output.say(line)
    if not report.no_longer.archived:
        output.say("Lines were left out, so it may be among these: nothing was archived"
                   if report.problems else "Archive what no longer holds with --archive-gone")


def _say_some(lines: Iterable[str]) -> None:
    """Print the first lines; how many more there are, where there are very many."""
    rest = iter(lines)
    for line in islice(rest, _LISTED):
        output.say(line)
    if more := sum(1 for _ in rest):
        output.say(f"… and {more:,} more: --json lists all")
