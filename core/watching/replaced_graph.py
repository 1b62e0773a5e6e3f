"""Notices that a graph was put back to an earlier state, and has a folder compared with it anew.

What notes said last is kept beside the graph. A backup that is restored brings its own; a file
that was put in the graph's place by other hands, or an older backup, does not.
"""

from collections.abc import Mapping

from msgspec.structs import replace

from core.model.watched_folder import LastStep, WrittenRow
from core.store import watched_folders
from core.transfer.note_statements_to_compare import (
    ALIAS,
    DESCRIPTION,
    ENTITY,
    entity_of,
    kind_of,
    statement,
)
from core.transfer.rows_of_notes import has_row, record_of_undo, states
from core.workspace import Workspace

_NEVER = (0, -1)
"""No file has this stamp, so that its note is read again."""


def compare_anew_if_replaced(workspace: Workspace, folder: str) -> None:
    """Remember of a folder only what the graph has, where the graph lacks its last step.

    A step that was undone was in the graph, and its record still is.
    """
    step = watched_folders.last_step(workspace.sidecar, folder)
    if step is None:
        return
    with workspace.read() as reader:
        if has_row(reader, step):
            return
        undo = record_of_undo(reader, step.entry)
        if not undo:
            rows = watched_folders.every_written_row(workspace.sidecar, folder)
            active = states(reader, rows)
    if undo:
        watched_folders.note_last_step(
            workspace.sidecar, folder, LastStep(step.entry, "ontology_proposals", undo))
    else:
        _remember_only(workspace, folder, rows, active)


def _remember_only(
    workspace: Workspace, folder: str, rows: Mapping[str, WrittenRow], active: Mapping[str, bool]
) -> None:
    """Forget statements whose rows there are not; what is in force again was said before."""
    again = {said for said, row in rows.items() if row.archived and active.get(said)}
    notes = watched_folders.notes(workspace.sidecar, folder)
    for place, note in notes.items():
        said = tuple(each for each in note.said if _is_known(each, active))
        notes[place] = replace(note, stamp=_NEVER, said=said)
    about = {each: place for place, note in notes.items() for each in note.said}
    for each in sorted(again):
        whose = about.get(statement(ENTITY, entity_of(each)), next(iter(notes), ""))
        if whose:
            notes[whose] = replace(notes[whose], said=(*notes[whose].said, each))
    watched_folders.replace_all(workspace.sidecar, folder, notes, {
        said: WrittenRow(row.id, row.archived and said not in again)
        for said, row in rows.items() if said in active})


def _is_known(said: str, active: Mapping[str, bool]) -> bool:
    """True for what the graph has in any state; it does not say by whom it has a description."""
    if kind_of(said) == DESCRIPTION:
        return statement(ENTITY, entity_of(said)) in active
    return said in active and kind_of(said) != ALIAS

