"""Keeps a graph in step with a folder of notes, look by look, and never writes into the folder."""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import partial
from pathlib import Path

from msgspec import Struct
from msgspec.structs import replace

from core.errors import OpenError
from core.ingest.config import IngestSettings
from core.model.text_formatting import counted
from core.model.watched_folder import (
    LEFT,
    FolderStep,
    LastStep,
    NoteChange,
    Stamp,
    WatchedFolder,
    WatchedNote,
)
from core.progress import Report, ignore, part
from core.store import watched_folders
from core.store.reader_and_writer import stamp
from core.store.sidecar import Sidecar
from core.transfer.mcp_records import McpFile
from core.transfer.note_folder_scan import NoteFiles, Settling, find_notes
from core.transfer.note_statements_to_compare import (
    ENTITY,
    LINK,
    entity_of,
    kind_of,
    link_of,
    names_in,
    statement,
    statements,
)
from core.transfer.readers.markdown_notes import UNREAD, NoteName, name_of, read_notes
from core.transfer.renamed_notes import own_name, renamed_notes
from core.watching.replaced_graph import compare_anew_if_replaced
from core.watching.watched_list import watched
from core.workspace import Workspace

ONE_BY_ONE = 20
"""Notes that changed between two looks and get a step each; more are one step."""
AWAY = "The folder is not there: nothing is changed until it is back"
EMPTY = "All its notes are gone at once: nothing is changed until they are back"
_NAMED, _READ = 0.1, 0.4
"""The share of a look when the names of notes are known, and when they are read."""
INITIATOR = "watch"
"""Who writes, for those who hear of changes."""


def watch(workspace: Workspace, folder: Path) -> WatchedFolder:
    """Watch a folder for the agent from now on, also after a restart.

    Raises OpenError where there is no such folder.
    """
    path = folder.expanduser().absolute()
    if not path.is_dir():
        raise OpenError("missing", "There is no such folder", where=str(folder),
                        do="Choose a folder of notes in Markdown; nothing was changed")
    watched_folders.add(workspace.sidecar, workspace.agent, str(path), stamp())
    return next(each for each in watched(workspace) if each.path == str(path))


def stop_watching(workspace: Workspace, folder: Path) -> bool:
    """Watch a folder no more; what came from it stays. False where it is not watched."""
    path = str(folder.expanduser().absolute())
    one = next((each for each in watched(workspace) if each.path == path), None)
    if one is not None:
        watched_folders.remove(workspace.sidecar, one.id)
    return one is not None


class Looked(Struct, frozen=True):
    """What a look did: the steps that it wrote, and whether notes are still being written.

    `due` is how many notes are to be taken over in a look of their own, since they are many.
    """

    steps: tuple[FolderStep, ...] = ()
    waiting: bool = False
    due: int = 0


class FolderWatch:
    """Looks at one folder again and again. Each look writes what has changed since the last one.

    Not safe for several threads at once.
    """

    def __init__(
        self, workspace: Workspace, folder: WatchedFolder, settings: IngestSettings | None = None,
        actor: str | None = None,
    ) -> None:
        self.folder, self._workspace = folder, workspace
        self._settings, self._actor = settings, actor
        self._top, self._settling = Path(folder.path), Settling()
        self._left: frozenset[str] = frozenset()
        self.fault = folder.fault
        """Why the folder, or some notes, are left alone now, in words; empty while none are."""

    @property
    def _sidecar(self) -> Sidecar:
        return self._workspace.sidecar

    def look(self, report: Report = ignore, most: int | None = None) -> Looked:
        """Look once.

        Args:
            report: hears the share of a long look; raising Cancelled leaves nothing of the step.
            most: how many notes are taken over at most; of more is only said that they are due.
        """
        compare_anew_if_replaced(self._workspace, self.folder.id)
        files = find_notes(self._top)
        known = watched_folders.stamps(self._sidecar, self.folder.id)
        fault = _fault(files, known)
        if files is None or fault:
            self._note_fault(fault)
            return Looked()
        changed, gone, waiting = self._settling.settled(files, known)
        many = len(set(changed) - self._left) + len(gone)
        if most is not None and many > most:
            return Looked(waiting=waiting, due=many)
        names = {place: name for place in _told(changed, part(report, 0, _NAMED))
                 if (name := name_of(self._top / place))}
        self._left = frozenset(changed) - names.keys()
        self._note_fault(_left_out(sorted(self._left), files))
        if not names and not gone:
            return Looked(waiting=waiting)
        return Looked(tuple(self._take(files.stamps, names, gone, report)), waiting)

    def _note_fault(self, fault: str) -> None:
        if fault != self.fault:
            self.fault = fault
            watched_folders.note_fault(self._sidecar, self.folder.id, fault)

    def _take(
        self, stamps: Mapping[str, Stamp], names: Mapping[str, NoteName], gone: Sequence[str],
        report: Report,
    ) -> Iterator[FolderStep]:
        """Read what has changed and write a step for each note, or one for very many."""
        before = watched_folders.notes(self._sidecar, self.folder.id)
        state = _State(self._top, before, names, gone, stamps, part(report, _NAMED, _READ))
        places = [*names, *gone]
        rest = [place for place in state.after if place not in names]
        as_one = len(places) > ONE_BY_ONE or not before
        pairs = [list(pair) for pair in state.renamed.items()]
        paired = {place for pair in pairs for place in pair}
        single = [[place] for place in places if place not in paired]
        groups = [places] if as_one else [*pairs, *single]
        groups += [[place] for place in rest if state.differs(place)]
        for number, group in enumerate(groups):
            share = part(part(report, _READ, 1), number / len(groups), (number + 1) / len(groups))
            step = self._write(state, group, share)
            if step is not None:
                yield step
        watched_folders.keep(self._sidecar, self.folder.id, state.after, gone, {})

    def _write(self, state: "_State", group: Sequence[str], report: Report) -> FolderStep | None:
        """Write one step and remember it.

        None where its notes say what they said before, or what the graph has already: another
        program that watches the folder, too, may have taken it over meanwhile.
        """
        change = state.change(self._sidecar, self.folder, group)
        if not (change.fresh or change.gone):
            return None
        from core.transfer.note_sync import sync_notes  # noqa: PLC0415  notes change seldom

        words = _words(state, group, self._top.name)
        files = [state.files[place] for place in group if place in state.files]
        written = self._workspace.write(
            words, partial(sync_notes, change=change, files=files, report=report,
                           settings=self._settings),
            initiator=INITIATOR, actor=self._actor)
        done = written.result
        if written.entry is not None and done.mark is not None:
            watched_folders.note_last_step(
                self._sidecar, self.folder.id, LastStep(written.entry, *done.mark))
        watched_folders.keep(
            self._sidecar, self.folder.id,
            {place: state.after[place] for place in group if place in state.after},
            [place for place in group if place in state.gone], done.rows)
        if written.entry is not None:
            watched_folders.note_steps(self._sidecar, self.folder.id, 1, stamp())
        elif not done.problems:
            return None
        return FolderStep(tuple(group), words, done.new, done.archived, written.entry,
                          done.problems, tuple(each for file in files for each in file.secrets))


class _State:
    """What the notes of a folder said before and say now."""

    def __init__(
        self, top: Path, before: Mapping[str, WatchedNote], changed: Mapping[str, NoteName],
        gone: Iterable[str], stamps: Mapping[str, Stamp], report: Report,
    ) -> None:
        self.before, self.gone = before, frozenset(gone)
        names = {place: NoteName(note.title, note.permalink) for place, note in before.items()
                 if place not in self.gone}
        # A note that others may link to by another name now: each is read again.
        others = () if all(
            names.get(place) == replace(name, heading="") for place, name in changed.items()) and (
            len(names) == len(before)) else tuple(names)
        names |= changed
        wanted = tuple(dict.fromkeys((*changed, *others)))
        self.files: dict[str, McpFile] = dict(
            read_notes(top, names, _told(wanted, report)))
        self.after = {place: WatchedNote(
            stamps[place] if place in changed else before[place].stamp,
            names[place].title, names[place].permalink, statements(file))
            for place, file in self.files.items()}
        self.renamed = renamed_notes(
            {place: before[place] for place in before if place in self.gone},
            {place: note for place, note in self.after.items() if place not in before})
        """The new places of notes that have another name now, by the old ones."""
        self._said_before = Counter(each for note in before.values() for each in note.said)
        rest = (note for place, note in before.items() if place in names
                and place not in self.files)
        self._said_now = {each for note in (*rest, *self.after.values()) for each in note.said}
        self._called = frozenset(
            entity_of(each) for each in self._said_now if kind_of(each) == ENTITY)
        self._ever_called = self._called | {
            entity_of(each) for each in self._said_before if kind_of(each) == ENTITY}

    def differs(self, place: str) -> bool:
        """True if a note says something else than before."""
        return place in self.after and (
            place not in self.before or self.after[place].said != self.before[place].said)

    def change(
        self, sidecar: Sidecar, folder: WatchedFolder, group: Iterable[str]
    ) -> NoteChange:
        """What becomes of some notes."""
        places = tuple(group)
        said = {each for place in places if place in self.after for each in self.after[place].said}
        was = {each for place in places if place in self.before
               for each in self.before[place].said}
        fresh = frozenset(each for each in said if not self._said_before[each])
        gone = frozenset(was - self._said_now)
        ends = {statement(ENTITY, end) for each in fresh | gone if kind_of(each) == LINK
                for end in link_of(each)[:2]}
        ends |= {statement(ENTITY, entity_of(each)) for each in fresh}
        renamed = dict(self._new_names(places))
        rows = watched_folders.written_rows(sidecar, folder.id, fresh | gone | ends)
        if renamed:
            rows |= {each: row for each, row in watched_folders.every_written_row(
                sidecar, folder.id).items() if not renamed.keys().isdisjoint(names_in(each))}
        return NoteChange(places, fresh, gone, rows, folder.path, self._ever_called, renamed)

    def _new_names(self, places: Sequence[str]) -> Iterator[tuple[str, str]]:
        """The old canonical names and the new names of entities that only these notes name."""
        for old in self.renamed.keys() & set(places):
            name = own_name(self.before[old])
            file = self.files[self.renamed[old]]
            if name not in self._called and file.entities and not self._said_before[
                    statement(ENTITY, file.entities[0].key)]:
                yield name, file.entities[0].name


def _told(places: Iterable[str], report: Report) -> Iterator[str]:
    """The notes one by one; the report hears how far it is."""
    every = tuple(places)
    for number, place in enumerate(every):
        report(number / len(every))
        yield place


def _fault(files: NoteFiles | None, known: Mapping[str, Stamp]) -> str:
    """Why a folder is left alone: it, or all that was in it, is away, as a drive may be."""
    if files is None:
        return AWAY
    return EMPTY if len(known) > 1 and not files.stamps else ""


def _left_out(places: Sequence[str], files: NoteFiles) -> str:
    """Which notes are left as they were, since they can't be read; empty for none."""
    left = [*(f"{place} {UNREAD}" for place in places),
            *(f"the name of {place} is not UTF-8" for place in files.unnamed)]
    if left[1:]:
        left[1:] = [f"{counted(len(left) - 1, 'more note')} as well"]
    left += [] if files.whole else ["a folder within can't be read"]
    return f"{LEFT}{', '.join(left)}" if left else ""


def _words(state: _State, group: Sequence[str], folder: str) -> str:
    """`Notes: Ada.md changed`, `Notes: 2,000 notes of vault`."""
    if [state.renamed.get(group[0])] == group[1:]:
        return f"Notes: {group[0]} is now called {group[1]}"
    if len(group) > 1:
        return f"Notes: {counted(len(group), 'note')} of {folder}"
    place = group[0]
    if place in state.gone:
        return f"Notes: {place} is gone"
    return f"Notes: {place} {'changed' if place in state.before else 'is new'}"
