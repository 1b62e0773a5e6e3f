"""The sky of one open graph: loads it, gives everything its place, follows what changes."""

from collections.abc import Callable, Collection
from concurrent.futures import Future
from contextlib import suppress
from functools import partial
from threading import Event
from time import monotonic
from typing import Any

from msgspec import Struct
from PySide6.QtCore import Qt, QTimer, Signal
from PySide6.QtGui import QCloseEvent
from PySide6.QtWidgets import QWidget

from core.constellation.node_vectors import made, material_for
from core.constellation.positions import lasting_positions, points_projected, positions_at_once
from core.constellation.provisional_sky import provisional_positions
from core.constellation.reread_changed_sky_rows import patched
from core.constellation.scene import Scene
from core.constellation.scene_assembly import Assembled, assemble, scene_of
from core.constellation.sky_rows import many_values
from core.constellation.sky_rows import sky as read_sky
from core.constellation.type_numbers import kept_numbers, type_numbers
from core.constellation.unchanged_positions import same_positions
from core.embedding.choose_embedder import offline
from core.embedding.embedder_interface import Embedder
from core.embedding.vector_set import VectorSet
from core.errors import Cancelled
from core.model.changes import Changes
from core.model.claims_and_assertions import Slot
from core.model.sky_columns import Positions, SkyRows
from core.model.text_formatting import one_line
from core.progress import Report, ignore, part
from core.projection.worker import Worker
from core.queries.claims import slot_of
from core.queries.embedding_texts import texts_by_id
from core.release_memory import give_back
from core.store.reader_and_writer import Reader, Writer
from core.workspace import AS_OF
from ui.constellation.frame import Found
from ui.constellation.view import SkyView
from ui.context import Context
from ui.runner import Job
from ui.thread_bridge import merge

SHOWS = frozenset({
    "entities", "entity_aspects", "entity_attributes", "entity_dependencies", "memories",
    "memory_entity_mentions", "ontology_proposals", "task_meta", "places", "entity_communities",
    "muted_entities",
})
ALL = Changes(SHOWS)
"""As if every row had changed: all of it is read."""
NOTHING = Changes(frozenset())
_PLACED = Changes(frozenset(("places",)))
"""Only positions have changed: no row of the graph is read for them."""
LISTEN = 0.05
"""Seconds between two looks at whether who waits for a first picture is to stop."""
BREATH = 3
"""After a load the next one waits this many times as long as the load took; another moment, which a
person has gone to, does not wait."""


PAINTED_MS = 60
"""So long at most it is waited for that the window is painted, before the graph is read."""


class _Loaded(Struct, frozen=True, eq=False):
    """A graph read and placed; `vectors` as far as they are known by then."""

    rows: SkyRows
    scene: Scene
    positions: Positions
    vectors: VectorSet | None
    types: dict[str, int]
    seconds: float
    whole: bool
    """False for a large graph's first picture, which comes before its values."""


class Sky(SkyView):
    """The widget in the middle of the window."""

    glimpsed = Signal()
    """Something of this graph is on the screen, be it its communities alone."""
    painted = Signal()
    """The first scene of this graph is on the screen."""
    shown_anew = Signal(int)
    """Another scene is shown, with so many entities."""
    settled = Signal()
    """Everything has its lasting place."""
    _glanced = Signal(object)
    _being_placed = Signal(object)

    def __init__(
        self, context: Context, worker: Worker, embedder: Embedder, parent: QWidget | None = None
    ) -> None:
        super().__init__(context.theme, parent,
                         reduced_motion=context.preferences.less_motion)
        self._context, self._worker, self._embedder = context, worker, embedder
        self._sidecar = context.workspace.sidecar
        self.shows_archived = False
        """Whether archived entities are drawn, too."""
        self._loading = self._known = self._glimpsed = False
        self._closed = Event()
        self._before: _Loaded | None = None
        """What was read last, with its values; None where all of it is to be read."""
        self._changed = NOTHING
        """What was written since."""
        self._stale = self._waited_for = False
        """Something was written since; a person waits for it, who went to another moment."""
        self._settling: Job | None = None
        self._first: Future[Positions] | None = None
        """The first picture of an unseen file, which those who settle wait for."""
        self._vectors: VectorSet | None = None
        self._next = QTimer(self, singleShot=True)
        self._next.timeout.connect(self._load)
        self._not_before = 0.0
        self._glanced.connect(self._show_glance)
        self._being_placed.connect(self._settle_ahead)
        selection = context.selection
        selection.entity_changed.connect(self._follow_selection)
        self.entity_selected.connect(selection.select_entity)
        self.type_clicked.connect(selection.toggle_type)
        selection.types_changed.connect(lambda types: self.show_types(frozenset(types)))
        selection.search_found.connect(self._show_found)
        self.hovered.connect(selection.hover_entity)
        self.picked.connect(self._follow_pick)
        self.positioned.connect(self._save_position)
        self.texts_wanted.connect(self._read_texts)
        self._theme.number_types(kept_numbers(self._sidecar))
        self._show_found(selection.found)
        # What reads and what loads keep the window's thread waiting for them hundreds of times
        # while it puts everything in its place and paints it.
        self._next.start(PAINTED_MS)
        self.frame_took.connect(self._load_soon, Qt.ConnectionType.SingleShotConnection)

    # -- what the shell and the actions ask ------------------------------------------------------

    def refresh(self, changes: Changes) -> None:
        """Update to what was written; positions and selection stay."""
        if self._closed.is_set() or not changes.touches(*SHOWS):
            return
        self._changed, self._stale = merge(self._changed, changes), True
        if changes.initiator == AS_OF:
            self._waited_for = True
            self._next.stop()
        self._read_soon()

    def _load_soon(self, _took: float) -> None:
        if self._next.isActive():
            self._next.start(0)

    def _read_soon(self) -> None:
        if self._stale and not self._loading and not self._next.isActive():
            breath = 0 if self._waited_for else self._not_before - monotonic()
            self._next.start(max(0, int(breath * 1000)))

    def show_archived(self, shown: bool) -> None:
        """Draw archived entities, too, or not."""
        if shown != self.shows_archived:
            self.shows_archived = shown
            self.refresh(ALL)

    def lay_out_anew(self) -> None:
        """Recompute all positions, also manual ones."""
        self._sidecar.forget_positions()
        self._sidecar.drop("dust")
        self.refresh(ALL)

    def closeEvent(self, event: QCloseEvent) -> None:  # noqa: N802
        """Another sky takes its place: nothing is read or placed for this one any more."""
        self._closed.set()
        self._next.stop()
        if self._settling is not None:
            self._settling.cancel()
        super().closeEvent(event)

    # -- loading ---------------------------------------------------------------------------------

    def _load(self) -> None:
        self.warm()  # So that the first scene is drawn by the kernels, and not twice.
        changed, self._changed = self._changed, NOTHING
        follows = self._before is not None and not self._waited_for
        self._loading, self._stale, self._waited_for = True, False, False
        self._context.runner.read(partial(self._gather, self._before, changed), self._show,
                                  self._could_not_load, key=(id(self), "sky"), later=follows)

    def _gather(self, before: _Loaded | None, changed: Changes, reader: Reader) -> _Loaded:
        began, unseen = monotonic(), not self._known and not self._sidecar.has_positions
        glance = None
        if unseen:
            glance = self._glance(reader)
        rows = before and patched(reader, before.rows, changed, archived=self.shows_archived,
                                  index=before.scene.index)
        whole = bool(rows) or self._known or not many_values(reader)
        if not rows:
            rows = read_sky(reader, archived=self.shows_archived, values=whole, glance=glance)
            reader.let_go_of_pages()
            give_back()  # What reading took is free now, and the scene is made of the same.
        types = self._types_of(reader, rows, before, changed)
        positions, vectors = self._places_of(rows, before, changed), self._vectors
        if positions is None:
            if glance is not None and (rows.entity_ids or rows.memory_ids):
                with suppress(RuntimeError):  # The window may be gone.
                    self._being_placed.emit(rows)
            positions, vectors = positions_at_once(
                reader, rows, self._sidecar, self._embedder, vectors, run=self._elsewhere)
            if unseen:
                self._worker.prewarm(points_projected(rows))
        scene = scene_of(rows, positions, run=self._elsewhere, before=None if before is None else (
            Assembled(before.rows, before.positions, before.scene)))
        return _Loaded(rows, scene, positions, vectors, types, monotonic() - began, whole)

    def _glance(self, reader: Reader) -> SkyRows:
        """Show the communities alone: all the rest, and what computes positions, takes longer.

        Returns their rows.
        """
        rows = read_sky(reader, archived=self.shows_archived, values=False, alone=True)
        if rows.entity_ids:
            types = type_numbers(reader, self._sidecar, self._theme.types)
            with suppress(RuntimeError):  # The window may be gone.
                self._glanced.emit((assemble(rows, provisional_positions(rows)), types))
        return rows

    def _elsewhere(
        self, task: Callable[..., Any], *args: object, progress: Report = ignore
    ) -> Any:
        """A task's result from the other process; what it loads would stay in this one."""
        return self._worker.run(task, *args, progress=progress, cancelled=self._closed)

    def _settle_ahead(self, rows: SkyRows) -> None:
        """Make the vectors that are wanted after the first picture while that is made."""
        if self._loading and self._settling is None and not self._closed.is_set():
            self._first = Future()
            self._settle(rows, self._first)

    def _types_of(
        self, reader: Reader, rows: SkyRows, before: _Loaded | None, changed: Changes
    ) -> dict[str, int]:
        """The numbers of types, counted again only where there may be another type."""
        same = before is not None and (not changed.touches("entities") or (
            not rows.hidden and rows.type_words == before.rows.type_words))
        return before.types if before and same else type_numbers(
            reader, self._sidecar, self._theme.types)

    def _places_of(
        self, rows: SkyRows, before: _Loaded | None, changed: Changes
    ) -> Positions | None:
        """The positions that were shown, None if any of them may be another now."""
        if before is None or changed.touches("places"):
            return None
        return same_positions(rows, before.rows, before.positions, before.scene.index)

    def _show_glance(self, glance: tuple[Scene, dict[str, int]]) -> None:
        """The communities alone, until the first picture is there."""
        scene, types = glance
        if self._loading and not self._closed.is_set() and not self._known:
            self._glimpsed = True
            self._theme.number_types(types)
            self.set_scene(scene)
            self.glimpsed.emit()

    def _show(self, loaded: _Loaded) -> None:
        self._loading, self._vectors = False, loaded.vectors
        self._before = loaded if loaded.whole else None
        if self._closed.is_set():
            return
        first, self._first = self._first, None
        self._not_before = monotonic() + BREATH * loaded.seconds
        self._theme.number_types(loaded.types)
        waits = self._settling is not None and first is None
        if not (loaded.positions.provisional and waits):
            show = self.settle_into if self._glimpsed and not self._known else self.set_scene
            show(loaded.scene)
            # What was selected may be back in the sky: it was archived, and is restored.
            self.select(self._context.selection.entity_id)
            self._say_painted()
            self.shown_anew.emit(loaded.scene.entities)
        if first is not None:
            first.set_result(loaded.positions)
        elif loaded.positions.provisional and not waits:
            self._settle(loaded.rows, _done(loaded.positions))
        elif not loaded.positions.provisional:
            # Starting a process takes longer than the window may stand still.
            points = points_projected(loaded.rows)
            self._context.runner.job(lambda _job: self._worker.prewarm(points))
            self.settled.emit()
        if not loaded.whole and self._settling is None:
            self.refresh(ALL)
        self._read_soon()

    def _say_painted(self) -> None:
        if not self._known:
            self._known = True
            self.painted.emit()
            self.glimpsed.emit()

    def _could_not_load(self, error: BaseException) -> None:
        self._loading, self._before = False, None
        first, self._first = self._first, None
        if first is not None:
            first.set_exception(error)  # Who settles says what went wrong.
        elif not self._closed.is_set():
            self._context.shell.show_error(error)

    def _settle(self, rows: SkyRows, first: "Future[Positions]") -> None:
        count = len(rows.entity_ids) + len(rows.memory_ids)
        self._settling = self._context.runner.job(
            partial(self._find_places, rows, first, self._vectors),
            self._settled_down, self._stopped,
            label=f"Computing positions for {count:,} entities and memories")

    def _find_places(
        self, rows: SkyRows, first: "Future[Positions]", known: VectorSet | None, job: Job
    ) -> tuple[Scene, VectorSet]:
        def run(task: Callable[..., Any], *args: object, progress: Report = ignore) -> Any:
            return self._worker.run(task, *args, progress=progress, cancelled=job.stopped)

        if first.done():  # Else the first picture, which a person waits for, is laid out before.
            self._worker.prewarm(points_projected(rows))  # It loads while texts are read here.
        with self._context.workspace.read() as reader:
            material = material_for(reader, rows, self._embedder, known)
            reader.let_go_of_pages()
        vectors = made(material, self._embedder, known, part(job.report, 0.0, 0.2))
        del material  # Its texts need as much room as the vectors.
        offline().let_go()  # So do the words: a question or a later change loads them again.
        give_back()
        positions = lasting_positions(rows, vectors, self._sidecar, run=run,
                                      report=part(job.report, 0.2, 1.0), first=_awaited(first, job))
        give_back()  # What computing took is free now; next come a large graph's values.
        return scene_of(rows, positions, run=run), vectors

    def _settled_down(self, result: tuple[Scene, VectorSet]) -> None:
        scene, self._vectors = result
        self._settling = None
        if self._closed.is_set():
            return
        self.settle_into(scene)
        self.settled.emit()
        # Rows that came meanwhile find their places among the others now, and the values of a large
        # graph are read, for which its first picture did not wait.
        self.refresh(_PLACED)

    def _stopped(self, error: BaseException) -> None:
        self._settling = None
        if self._closed.is_set():
            return
        if self._before is None and self._known:
            self.refresh(ALL)
        if isinstance(error, Cancelled):
            self._context.say("Stopped: everything stays where it is")
        else:
            self._context.shell.show_error(error)

    # -- the selection ---------------------------------------------------------------------------

    def _follow_selection(self, entity_id: str) -> None:
        if entity_id != self.selected:
            self.reveal(entity_id)

    def _show_found(self, ids: Collection[str] | None) -> None:
        """Light what the list of entities lists, too."""
        self.show_found(None if ids is None else Found(ids))

    def _follow_pick(self, kind: str, id: str) -> None:
        if kind == "memory":
            self._context.selection.select_memory(id)
        elif kind in ("attribute", "constraint"):
            self._context.runner.read(partial(_slot_of, id), self._open_slot, key="sky.slot")

    def _open_slot(self, slot: tuple[Slot, str] | None) -> None:
        if slot is not None:
            self._context.selection.select_slot(*slot)

    def _save_position(self, id: str, x: float, y: float) -> None:
        name = one_line(self.scene.labels[self.scene.index[id]], 60)
        self._context.runner.write(f"Place {name}", partial(_place, id, x, y), initiator="sky")

    def _read_texts(self, ids: tuple[str, ...]) -> None:
        self._context.runner.read(
            lambda reader: texts_by_id(reader, ids), self.set_texts, key="sky.texts")


def _done(positions: Positions) -> "Future[Positions]":
    first: Future[Positions] = Future()
    first.set_result(positions)
    return first


def _awaited(first: "Future[Positions]", job: Job) -> Positions:
    while True:
        job.check()
        with suppress(TimeoutError):
            return first.result(LISTEN)


def _place(id: str, x: float, y: float, writer: Writer) -> None:
    writer.place(id, x, y)


def _slot_of(id: str, reader: Reader) -> tuple[Slot, str]:
    return slot_of(reader, id), id
