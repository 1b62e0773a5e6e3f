"""One open graph in one window: its runner, its selection, its signals, from open to close."""

from contextlib import suppress
from functools import partial
from typing import Any

from PySide6.QtCore import QObject, QTimer, Signal
from PySide6.QtWidgets import QWidget

from core.errors import ConstellationError
from core.model.changes import Changes
from core.model.entity import Agent, Counts, EntityRow
from core.past.compared_states import note_visit
from core.queries.entities import row_of_entity
from core.queries.followed_counts import Followed, Parts, followed_counts
from core.queries.stats import COUNTED, FEW, added, list_agents
from core.release_memory import give_back
from core.store.outside_changes import OTHER_PROCESS
from core.store.reader_and_writer import Reader
from core.store.writer_thread import REPLACED
from core.workspace import Workspace
from ui.action import Action, Actions
from ui.actions.maintenance import do_round_if_due
from ui.agent_watch import AskedWatch
from ui.ask_write_permission import Permission
from ui.check_expectations_on_change import ExpectationWatch
from ui.context import Context, Desk
from ui.folder_watches import FolderWatches
from ui.mcp_and_http_doors import Doors, MakeDoors, no_doors
from ui.runner import Runner
from ui.selection import Selection
from ui.thread_bridge import Bridge, merge

COUNT_MS = 500
"""While commits follow each other, the rows are counted this far apart."""
ALL = Changes(frozenset(), external=True)
"""As if every row had changed."""
NOTHING = Changes(frozenset())
UPKEEP_MS = 60_000
"""How often the clock asks whether maintenance is due."""
GIVE_BACK_MS = 10_000
"""How often memory that is free is given back: the more of it there is, the longer that takes."""


class Session(QObject):
    """Owns what belongs to the graph and nothing of the window."""

    counted = Signal(object)
    agents_found = Signal(list)

    def __init__(
        self, workspace: Workspace, desk: Desk, window: QWidget, parent: QObject | None = None,
        make_doors: MakeDoors = no_doors,
    ) -> None:
        super().__init__(parent)
        self.workspace = workspace
        self.counts: Counts | None = None
        self._parts: Parts | None = None
        """What the rows were counted in last, so that only what was written is counted again."""
        self._uncounted = self._counting = self._counted_on = NOTHING
        """What was written since the last question, what questions ask about, and what was written
        since the parts were read but needed no question."""
        self._count_asked = 0
        """How often the counts were asked for: only the last answer knows all that was written."""
        workspace.tells_counts = True
        self._heard = -1 if workspace.made is None else workspace.made
        self._counted_to: int | None = None
        """How many changes from here were heard of, and how many the counts are known to hold."""
        self._count_pause = QTimer(self, singleShot=True, interval=COUNT_MS)
        self._count_pause.timeout.connect(self._count_now)
        self.agents: list[Agent] = []
        self.is_visit = True
        """False for a picture of the window, which nobody looks at: "last visit" stays."""
        self.selection = Selection(self)
        self.runner = Runner(workspace, self)
        self.permission = Permission(workspace, self.runner, window, self)
        self.bridge = Bridge(workspace, self.runner, self)
        self.watch = AskedWatch(workspace, self.runner, self)
        self.expectations = ExpectationWatch(self.runner, desk.engine, self)
        self.doors = Doors(make_doors, self.runner, self.watch, self)
        self._actions: Actions = desk.actions
        self._pressed: tuple[str, Action[Any]] | None = None
        """An action whose key was pressed for an entity that is still being read."""
        self.context = Context(
            actions=desk.actions, theme=desk.theme, preferences=desk.preferences, say=desk.say,
            shell=desk.shell, engine=desk.engine, workspace=workspace,
            selection=self.selection, runner=self.runner, expectations=self.expectations,
        )
        self.folders = FolderWatches(self.context, self)
        self._upkeep = QTimer(self, interval=UPKEEP_MS)
        self._upkeep.timeout.connect(partial(do_round_if_due, self.context))
        self._tidy = QTimer(self, interval=GIVE_BACK_MS)
        self._tidy.timeout.connect(self._give_memory_back)
        self.bridge.changed.connect(self._changed)
        self.bridge.changed.connect(self.expectations.follow)
        self.runner.steps_changed.connect(self._actions.refresh)
        self.selection.entity_changed.connect(self._load_entity)
        self.selection.entity_loaded.connect(self._refresh_actions)
        self.selection.entity_loaded.connect(self._go_on)
        for signal in (
            self.selection.slot_changed, self.selection.proposal_changed,
            self.selection.history_changed, self.selection.search_changed,
            self.selection.types_changed,
        ):
            signal.connect(self._refresh_actions)

    def start(self) -> None:
        """Read what the window's own parts show."""
        self._count(ALL)
        if self.workspace.left_logs:
            self.context.say("A log of an earlier file was set aside: "
                             + self.workspace.left_logs[0].name)
        self.runner.read(list_agents, self._got_agents, key="session.agents")
        self.runner.look_for_steps()
        self._upkeep.start()
        self._tidy.start()
        self.watch.start()
        self.expectations.start()
        self.folders.start()

    def close(self) -> None:
        """Let go of the file; returns when nothing of ours touches it any more."""
        self._upkeep.stop()
        self._tidy.stop()
        self._count_pause.stop()
        self.watch.close()
        self.expectations.close()
        self.folders.close()
        self.bridge.close()
        self.runner.close()
        self.doors.end()
        if self.workspace.past is not None:
            self.workspace.show_as_of(None)
        self.end_visit()
        self.workspace.close()

    def _give_memory_back(self) -> None:
        self.runner.look(give_back, lambda _: None, lambda _: None)

    def end_visit(self) -> None:
        """Note that this agent's graph was looked at until now."""
        with suppress(ConstellationError):  # A full disk: the visit is not worth a word.
            if self.is_visit:
                note_visit(self.workspace)

    def _changed(self, changes: Changes) -> None:
        if changes.initiator == REPLACED:
            self.context.say(f"{self.workspace.path.name} was replaced by another program: this "
                             "is what it holds now")
        self.runner.look_for_steps()
        if changes.touches("entities"):
            self._load_entity(self.selection.entity_id)
        if not self._count_on(changes) and changes.touches(*COUNTED):
            self._count(changes)
        if changes.external or changes.initiator == OTHER_PROCESS:
            self.runner.read(list_agents, self._got_agents, key="session.agents", later=True)

    def _count_on(self, changes: Changes) -> bool:
        """Go on counting by what a change of our own has added; False where that is not known.

        To count a million rows anew takes half a second.
        """
        change = changes.counted
        if change is None:
            return False
        self._heard = change.last
        if (change.by is None or self.counts is None or self._counting.touches(*COUNTED)
                or self._uncounted.touches(*COUNTED) or change.first != self._counted_to):
            return False
        self._counted_to, self.counts = change.last, added(self.counts, change.by)
        self._count_beside(changes)
        self.counted.emit(self.counts)
        return True

    def _count_beside(self, changes: Changes) -> None:
        """Keep in mind which parts are to be counted again; after very much all of them are."""
        if self._parts is not None:
            self._counted_on = merge(self._counted_on, changes)
            if sum(map(len, self._counted_on.ids.values())) > FEW:
                self._parts, self._counted_on = None, NOTHING

    def _count(self, changes: Changes) -> None:
        self._uncounted = merge(self._uncounted, changes)
        if changes.external or not self._count_pause.isActive():
            self._count_now()  # Another agent's graph, or another moment, waits for nothing.

    def _count_now(self) -> None:
        # What is written meanwhile is counted after the answer, from there on.
        if not self._uncounted.touches(*COUNTED) or (
                self._counting.touches(*COUNTED) and not self._uncounted.external):
            return
        self._count_pause.start()
        self._counting = merge(merge(self._counting, self._counted_on), self._uncounted)
        self._uncounted = self._counted_on = NOTHING
        self._count_asked += 1
        before = None if self.counts is None else Followed(self.counts, self._parts)
        self.runner.read(
            partial(self._read_counts, before, self._counting, self._heard),
            partial(self._counted, self._count_asked),
            partial(self._not_counted, self._count_asked), key="session.counts",
            question=followed_counts, later=True)

    def _read_counts(
        self, before: Followed | None, since: Changes, heard: int, reader: Reader
    ) -> tuple[Followed, int | None]:
        """The counts, and how many changes they hold where none was made after those heard of."""
        total = followed_counts(reader, before, since)
        return total, heard if self.workspace.made == heard else None

    def _counted(self, asked: int, answer: tuple[Followed, int | None]) -> None:
        followed, self._counted_to = answer
        self.counts, self._parts = followed.counts, followed.parts
        if asked == self._count_asked:
            self._counting = NOTHING
        self.counted.emit(self.counts)
        if not self._count_pause.isActive():
            self._count_now()

    def _not_counted(self, asked: int, error: BaseException) -> None:
        if asked == self._count_asked:
            self._uncounted, self._counting = merge(self._counting, self._uncounted), NOTHING
        if isinstance(error, ConstellationError):
            self.runner.went_wrong.emit(error)

    def _got_agents(self, agents: list[Agent]) -> None:
        self.agents = agents
        self.agents_found.emit(agents)

    def _load_entity(self, entity_id: str) -> None:
        if not entity_id:
            self.selection.load_entity(None)
            self._actions.refresh()
            return
        self.runner.read(partial(row_of_entity, entity_id=entity_id), self.selection.load_entity,
                         key="session.entity")

    def waits_for_entity(self, action: Action[Any]) -> bool:
        """Have a key's action done as soon as the selected entity is read; False if it is."""
        selection = self.selection
        if selection.entity is not None or not selection.entity_id:
            return False
        self._pressed = (selection.entity_id, action)
        return True

    def _go_on(self, row: EntityRow | None) -> None:
        """Do what a key asked for while the entity was being read."""
        pressed, self._pressed = self._pressed, None
        if pressed is None or row is None or row.id != pressed[0]:
            return
        made = self._actions.action(pressed[1].id)
        if made.isEnabled():
            made.trigger()
        else:
            self.context.say(self._actions.why_not(pressed[1]))

    def _refresh_actions(self, *_: object) -> None:
        self._actions.refresh()
