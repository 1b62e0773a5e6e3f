"""`watch`: keeps a graph in step with a folder of notes."""

import time
from collections.abc import Sequence
from contextlib import nullcontext, suppress
from pathlib import Path
from typing import Annotated, Any

import typer
from msgspec.structs import asdict

from core.errors import ConstellationError
from core.model.text_formatting import counted
from core.model.watched_folder import FolderStep, WatchedFolder
from core.progress import ignore
from core.watching.folder_watch import (
    FolderWatch,
    stop_watching,
    watch,
)
from core.watching.watched_list import changes_today, watched
from core.workspace import Workspace
from explorer.cli import output
from explorer.cli.engine_options import settings_with
from explorer.cli.open_graph import create, reading, writing
from explorer.cli.options import EVERYONE, OPERATOR, Actor, AgentName, Json

MadeStore = Annotated[Path | None, typer.Option(
    "--store", readable=False, show_default=False,
    help="The graph file, created if it does not exist; without it $CONSTELLATION_STORE, the last"
         " one opened, or Signet's.")]
LOOK_S = 2.0
"""Seconds between two looks at the folder."""
SOON_S = 0.5
"""The same while notes are being written."""
MOST_PROBLEMS = 10
"""Of one step that are told in lines."""


def watch_folder(
    folder: Annotated[Path | None, typer.Argument(
        metavar="FOLDER", readable=False, show_default=False,
        help="A folder of notes in Markdown; without it the watched folders are listed.")] = None,
    once: Annotated[bool, typer.Option("--once", help="Take over what has changed, then end.")
                    ] = False,
    stop: Annotated[bool, typer.Option(
        "--stop", help="Watch the folder no more; what came from it stays.")] = False,
    store: MadeStore = None, agent: AgentName = EVERYONE, actor: Actor = OPERATOR,
    as_json: Json = False,
) -> None:
    """Keep a graph in step with a folder of notes until you stop it; the folder is only read.

    What is new in a note is imported, what only the notes said is archived once they no longer
    say it: a step for each note, which undo takes back. What you corrected or forgot stays so.
    The window watches the folder, too, whenever the graph is open in it.
    """
    if folder is None:
        with reading(store, agent) as workspace:
            _list(watched(workspace), as_json)
    elif stop:
        with reading(store, agent) as workspace:
            _stop(workspace, folder, as_json)
    else:
        if store is not None and folder.is_dir() and not store.expanduser().exists():
            create(store, agent)
        with writing(store, agent) as workspace:
            _watch(workspace, folder, actor, once, as_json)


def _list(folders: list[WatchedFolder], as_json: bool) -> None:
    items = [{"path": one.path, "since": one.since, "changedAt": one.changed_at or None,
              "changesToday": changes_today(one), "fault": one.fault or None} for one in folders]
    if not output.answered(as_json, {"items": items, "count": len(items)}):
        output.table(("folder", "since", "changes today", "fault"),
                     [(one["path"], str(one["since"])[:10], one["changesToday"], one["fault"])
                      for one in items], empty="No folder is watched.")


def _stop(workspace: Workspace, folder: Path, as_json: bool) -> None:
    if not stop_watching(workspace, folder):
        raise ConstellationError("This folder is not watched", where=str(folder),
                                 do="“constellation watch” lists those that are")
    if not output.answered(as_json, {"path": str(folder.absolute()), "stopped": True}):
        output.say(f"No longer watched: {folder}; what came from it stays")


def _watch(workspace: Workspace, folder: Path, actor: str, once: bool, as_json: bool) -> None:
    settings = settings_with("ingest", None).ingest
    one = FolderWatch(workspace, watch(workspace, folder), settings, actor)
    if not once:
        output.note(f"Watching {one.folder.path} until Ctrl+C. The window goes on with it until"
                    " “constellation watch FOLDER --stop”")
        with suppress(KeyboardInterrupt):
            _look(one, once=False, as_json=as_json)
        return
    steps = _look(one, once=True, as_json=as_json)
    answer = {"path": one.folder.path, "fault": one.fault or None,
              "steps": [_json(step) for step in steps]}
    if not output.answered(as_json, answer) and not steps and not one.fault:
        output.say("Nothing has changed")


def _look(one: FolderWatch, once: bool, as_json: bool) -> list[FolderStep]:
    """Look again and again, or until all is taken over; tells each step as it is written."""
    steps: list[FolderStep] = []
    told, is_first = "", True
    while True:
        with output.progress() if is_first else nullcontext(ignore) as show:
            looked = one.look(show)
        is_first = False
        if one.fault != told:
            told = one.fault
            output.note(told or "The folder and all its notes can be read again")
        for step in looked.steps:
            _tell(step, once, as_json)
        if once:
            steps += looked.steps
            if not looked.waiting:
                return steps
        time.sleep(SOON_S if looked.waiting else LOOK_S)


def _tell(step: FolderStep, once: bool, as_json: bool) -> None:
    if as_json and not once:
        output.answer_json(_json(step))
    elif not as_json:
        output.say(f"{step.words}: {counted(step.new, 'addition')}, {step.archived:,} archived")
        _note_some(step.problems)
        _note_some([each.words for each in step.secrets])
        if step.secrets:
            output.note(output.SECRET_TAKEN)


def _note_some(lines: Sequence[str]) -> None:
    for line in lines[:MOST_PROBLEMS]:
        output.note(line)
    if len(lines) > MOST_PROBLEMS:
        output.note(f"and {len(lines) - MOST_PROBLEMS:,} more; --once --json lists all")


def _json(step: FolderStep) -> dict[str, Any]:
    return {**asdict(step), "places": list(step.places), "problems": list(step.problems),
            "secrets": list(step.secrets)}
