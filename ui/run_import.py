"""Imports a memory file into the open graph: looks at it while its dialog is open, runs it in the
background, reports what was left."""

from collections.abc import Callable
from functools import partial
from pathlib import Path

from PySide6.QtCore import QObject

from core.constellation.import_preview import BeforeImport, ImportSky, sky_after
from core.embedding.choose_embedder import offline
from core.errors import Cancelled
from core.ingest.config import IngestSettings
from core.model.changes import IMPORT
from core.model.text_formatting import counted
from core.progress import part
from core.queries.stats import list_agents
from core.store.reader_and_writer import Writer
from core.transfer.bundle_import import Bundle
from core.transfer.import_file import Importable, read_import, write_import
from core.transfer.import_report import ImportReport
from core.transfer.readers.reader_interface import Look
from core.workspace import Workspace, Written
from ui.context import Context
from ui.dialogs.import_dialogs import ImportDialog, Preview, ReportDialog
from ui.runner import Job

TRIED = 20_000
"""Entities, values and links up to which an import is tried first: others can't write meanwhile."""
READING = 0.4
"""The share of the whole that reading takes."""


def ask_where(
    context: Context, path: Path, here: Callable[[str, bool], None], new: Callable[[str], None]
) -> None:
    """Ask whether it goes into the open graph or into a new one, and show what it would bring."""
    dialog = ImportDialog(path, context.workspace, here, new, context.theme,
                          context.shell.window())
    _Looking(context, path, dialog)
    dialog.open()


def run_import(
    context: Context, path: Path, agent: str, *, archive_gone: bool = False
) -> None:
    """Import in the background for an agent, as one undoable step."""
    context.runner.job(
        partial(_import, context.workspace, path, context.engine.settings.ingest, agent,
                archive_gone),
        partial(_say_report, context, path),
        label=f"Importing {path.name}", writes=True,
    )


def summary(report: ImportReport) -> str:
    """`Imported 12 entities, 40 values and 1 link`."""
    new = (report.entities_new, report.values_new, report.links_new)
    gone = report.no_longer
    left = f" · archived {counted(gone.count, 'fact')} no longer in it" if (
        gone is not None and gone.archived) else ""
    if not any(new) and not report.rows_new:
        return f"Nothing in this file was new{left}"
    entities, values, links = map(counted, new, ("entity", "value", "link"))
    text = f"Imported {entities}, {values} and {links}{left}"
    many = counted(len(report.kept_words), "relation word is", "relation words are")
    return f"{text} · {many} imported as “related to …”" if report.kept_words else text


class _Looking(QObject):
    """Looks at a file while its dialog is open; the file is read once."""

    def __init__(self, context: Context, path: Path, dialog: ImportDialog) -> None:
        super().__init__(dialog)
        self._context, self._path, self._dialog = context, path, dialog
        self._content: Importable | None = None
        self._job: Job | None = None
        self._agent = ""
        dialog.agent_chosen.connect(self._look)
        dialog.finished.connect(self._stop)
        context.runner.read(list_agents, dialog.show_agents)
        self._look(context.workspace.agent)

    def _look(self, agent: str) -> None:
        self._stop()
        self._agent = agent
        self._job = self._context.runner.job(
            partial(_preview, self._context.workspace, self._path, agent, self._content,
                    self._context.engine.settings.ingest),
            partial(self._show, agent), partial(self._show_fault, agent))

    def _stop(self) -> None:
        if self._job is not None:
            self._job.cancel()

    def _show(self, agent: str, looked: tuple[Importable, Preview]) -> None:
        self._content = looked[0]
        if agent == self._agent:
            self._dialog.show_preview(looked[1])

    def _show_fault(self, agent: str, error: BaseException) -> None:
        if agent == self._agent and not isinstance(error, Cancelled):
            self._dialog.show_fault(error)


def _preview(
    workspace: Workspace, path: Path, agent: str, known: Importable | None,
    settings: IngestSettings, job: Job,
) -> tuple[Importable, Preview]:
    """What a file holds, and what an import would do, tried and rolled back.

    Args:
        known: what was read of the file before.
    """
    content = known or read_import(path, job.report)
    return content, _tried_preview(workspace, path, agent, content, settings, job)


def _tried_preview(
    workspace: Workspace, path: Path, agent: str, content: Importable, settings: IngestSettings,
    job: Job,
) -> Preview:
    if isinstance(content, Bundle):
        tables = content.tables
        title = "graph" if Look.at(path).is_graph else "bundle"
        held = (tables.get("entities", 0), tables.get("entity_attributes", 0),
                tables.get("entity_dependencies", 0))
        report, sky = _tried(workspace, agent, content, settings, job) if sum(
            tables.values()) <= TRIED else (None, None)
        return Preview(title, *held, report, of_agent=False, sky=sky)
    values = sum(len(each.observations) for each in content.entities)
    many = values + len(content.entities) + len(content.relations)
    report, sky = (_tried(workspace, agent, content, settings, job) if many <= TRIED
                   else (None, None))
    return Preview(content.title, len(content.entities), values, len(content.relations), report,
                   sky=sky)


def _tried(
    workspace: Workspace, agent: str, content: Importable, settings: IngestSettings, job: Job
) -> tuple[ImportReport, ImportSky | None]:
    """What an import would do, and the sky after it."""
    embedder = offline()

    def change(writer: Writer) -> tuple[ImportReport, ImportSky | None]:
        before = BeforeImport.of(writer)
        report = write_import(writer, content, job.report, settings=settings)
        job.check()
        return report, sky_after(writer, before, workspace.sidecar, embedder)

    return workspace.rehearse(change, agent=agent).result


def _import(
    workspace: Workspace, path: Path, settings: IngestSettings, agent: str,
    archive_gone: bool, job: Job,
) -> Written[ImportReport]:
    content = read_import(path, part(job.report, 0, READING))
    writing = part(job.report, READING, 1)
    return workspace.write(f"{IMPORT}{path.name}", lambda w: write_import(
        w, content, writing, settings=settings, archive_gone=archive_gone), agent=agent)


def _say_report(context: Context, path: Path, written: Written[ImportReport]) -> None:
    report = written.result
    context.say(summary(report), written.entry)
    stays = report.no_longer is not None and not report.no_longer.archived
    if report.problems or report.dangling or stays or any(report.notes()):
        ReportDialog(path, report, context.shell.window()).open()
