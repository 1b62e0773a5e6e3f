"""`history`, `undo` and `redo`: the changes so far, reverted or done again."""

from pathlib import Path
from typing import Annotated

import typer

from core.errors import UndoRefused
from core.undo_redo import REDO, UNDO, Way
from core.workspace import Workspace
from explorer.cli import output
from explorer.cli.history_step_in_words import lines_of
from explorer.cli.open_graph import reading, writing
from explorer.cli.options import (
    EVERYONE,
    OPERATOR,
    Actor,
    AgentName,
    DryRun,
    Entry,
    Json,
    Limit,
    Offset,
    Store,
    countable,
)


def history(
    store: Store = None, agent: AgentName = EVERYONE, limit: Limit = 20, offset: Offset = 0,
    as_json: Json = False,
) -> None:
    """List changes, newest first."""
    with reading(store, agent) as workspace:
        items = workspace.history(limit, offset)
    if output.answered(as_json, {"items": items, "limit": limit, "offset": offset}):
        return
    output.table(
        ("entry", "when", "what", "who", "state", "rows"),
        ((item.undo_id or "", item.when[:19].replace("T", " "), item.label, item.who, item.state,
          item.rows) for item in items),
        empty="No changes yet.",
    )
    if any(item.state == "abandoned" for item in items):
        output.note("abandoned: undone, then followed by another change; “redo ENTRY” redoes it")


def undo(
    entry: Entry = None,
    force: Annotated[
        bool, typer.Option("--force", help="Take it back also where others changed the same.")
    ] = False,
    before: Annotated[
        int | None, typer.Option("--before", metavar="ENTRY", show_default=False,
                                 help="Skip this entry, and undo the one before it.")
    ] = None,
    dry_run: DryRun = False, store: Store = None, agent: AgentName = EVERYONE,
    actor: Actor = OPERATOR, as_json: Json = False,
) -> None:
    """Undo the last change, or one entry of the history.

    What others have written beside it stays as it is.
    """
    try:
        if dry_run:
            _try(store, agent, UNDO, entry, before=before, force=force, as_json=as_json)
            return
        with writing(store, agent) as workspace:
            label = workspace.undo(entry, actor=actor, before=before, force=force)
            _tell(workspace, "Undone", label, as_json)
    except UndoRefused as error:
        if error.by_force:
            error.do = (f"“constellation undo {error.entry} --force” takes it back anyway, "
                        f"“constellation undo --before {error.entry}” skips it")
        raise


def redo(
    entry: Annotated[int | None, typer.Argument(
        metavar="ENTRY", callback=countable, show_default=False,
        help="The entry of “history” to redo; without it what was undone last.")] = None,
    dry_run: DryRun = False, store: Store = None, agent: AgentName = EVERYONE,
    actor: Actor = OPERATOR, as_json: Json = False,
) -> None:
    """Redo what was undone last, or one entry of the history."""
    if dry_run:
        _try(store, agent, REDO, entry, as_json=as_json)
        return
    with writing(store, agent) as workspace:
        _tell(workspace, "Redone", workspace.redo(entry, actor=actor), as_json)


def _try(
    store: Path | None, agent: str, way: Way, entry: int | None, *, before: int | None = None,
    force: bool = False, as_json: bool,
) -> None:
    """Print what a step would bring back, row by row; nothing is written."""
    with reading(store, agent) as workspace:
        tried = workspace.try_step(way, entry, before=before, force=force)
        if output.answered(as_json, {"dryRun": True, way.word: tried.result,
                                     "changes": tried.changes}):
            return
        output.say(f"Dry run, nothing {'undone' if way is UNDO else 'redone'}: {tried.result}")
        for line in lines_of(workspace, tried.changes):
            output.say(f"  {line}")


def _tell(workspace: Workspace, word: str, label: str, as_json: bool) -> None:
    undo, redo = workspace.undo_step(), workspace.redo_step()
    after = {word.lower(): label, "undo": undo and undo.label, "redo": redo and redo.label}
    if not output.answered(as_json, after):
        output.say(f"{word}: {label}")
