"""What the agent sees: asked as one types, lit in the sky, compared with and without."""

from functools import partial
from typing import ClassVar

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QHBoxLayout, QSplitter, QVBoxLayout, QWidget

from core.errors import ConstellationError
from core.model.changes import Changes
from core.model.session import SessionRow
from core.ontology.proposals import Outcome
from core.queries.proposals import get_proposal
from core.queries.sessions import list_sessions
from core.store.handles import Reader
from core.traversal.signals import Signals
from ui.actions.operate import operate
from ui.context import Context
from ui.engine import embedder_of
from ui.models import what_if
from ui.models.agent_sight import Comparison, Sight, rows_of, see
from ui.models.what_if import Step, Thing
from ui.panel import Area, Panel
from ui.panels.agent_view.ask import AskView
from ui.panels.agent_view.compare import CompareBar
from ui.panels.agent_view.focus import FocusList
from ui.panels.agent_view.injected import InjectedText
from ui.panels.agent_view.reasons import ReasonsView
from ui.panels.lamp import Lamp
from ui.runner import Job
from ui.widgets.labels import SectionHead
from ui.widgets.scored import ScoredList, ScoredRow

WIDTHS = (250, 330, 520, 320)
PINNED_OFFERED = 12


class AgentView(Panel):
    """Shows exactly what a session would be told, why, and what would change it."""

    name: ClassVar[str] = "agent_view"
    title: ClassVar[str] = "What the agent sees"
    icon: ClassVar[str] = "unmute"
    shows: ClassVar[frozenset[str]] = frozenset((
        "entities", "entity_aspects", "entity_attributes", "entity_dependencies",
        "entity_aliases", "memories", "memory_entity_mentions", "session_checkpoints",
        "session_memories", "ontology_proposals",
    ))
    area: ClassVar[Area] = "bottom"

    def __init__(self, context: Context, parent: QWidget | None = None) -> None:
        super().__init__(context, parent)
        theme = context.theme
        self.ask = AskView(context)
        self.focal = FocusList(theme)
        self.compare = CompareBar()
        self.memories = ScoredList(theme, "What is told, by score")
        self.injected = InjectedText(theme)
        self.reasons = ReasonsView(theme)
        self.lamp = Lamp(self)
        self._agent = context.workspace.agent
        self._sight: Sight | None = None
        self._compared: Comparison | None = None
        self._thing: Thing | None = None
        self._turn = 0
        self._lay_out()
        self._connect()
        self.set_face("loading", "Asking what a session would be told…")

    def refresh(self, changes: Changes | None) -> None:
        if self.context.workspace.agent != self._agent:
            self._agent = self.context.workspace.agent
            self.ask.forget_entities()
            self._thing = None
        self._load()

    def focus(self) -> None:
        self.ask.question.setFocus()

    @property
    def sight(self) -> Sight | None:
        """The answer that is shown."""
        return self._sight

    @property
    def comparison(self) -> Comparison | None:
        """The comparison that is shown."""
        return self._compared

    # -- asking --------------------------------------------------------------------------------

    def _load(self) -> None:
        self._turn += 1
        given, settings = self.ask.signals, self.context.engine.settings

        def look(reader: Reader) -> tuple[Sight, tuple[SessionRow, ...], Thing | None]:
            seen = see(reader, given, settings, embedder_of(settings))
            return seen, list_sessions(reader), self._edit(reader)

        self.context.runner.read(look, partial(self._got, self._turn), self._failed,
                                 key=("agent_view", id(self)))

    def _edit(self, reader: Reader) -> Thing | None:
        """The proposed edit that is looked at, as far as it waits."""
        found = get_proposal(reader, self.context.selection.proposal_id)
        if found is None or found.status != "pending":
            return None
        title = f"{found.summary} · {found.target_name}" if found.target_name else found.summary
        return what_if.edit(found, title)

    def _got(
        self, turn: int, told: tuple[Sight, tuple[SessionRow, ...], Thing | None]
    ) -> None:
        sight, sessions, edit = told
        self._sight = sight
        self.ask.show_sessions(sessions)
        self.compare.show_things(self._things(sight, edit))
        self.set_face("ready")
        if self._thing is not None:
            self._compare(turn)
        else:
            self._show(None)

    def _failed(self, error: BaseException) -> None:
        if not isinstance(error, ConstellationError):
            raise error
        self.lamp.light()
        self.set_face("failed", f"It could not be found out what a session would be told: {error}",
                      ("Try again", self._load), detail=error.detail)

    # -- showing -------------------------------------------------------------------------------

    def _show(self, compared: Comparison | None) -> None:
        sight = self._sight
        assert sight is not None
        self._compared = compared
        self.focal.show_focal(sight.started.focal, asked=self.ask.signals != Signals())
        self.memories.show_rows(rows_of(sight, compared))
        self.injected.show_text(sight.started.text, compared)
        self.reasons.show_sight(sight, self.context.engine.settings.traversal.timeout_ms)
        if compared is not None:
            self.compare.show_comparison(compared)
        walk = sight.started.walk
        self.lamp.light(walk.entity_ids, walk.dependency_ids, sight.taken_ids)

    def _look(self, row: ScoredRow | None) -> None:
        """Only the path of the line that is looked at."""
        path = None
        for sight in self._sights():
            if row is not None and path is None:
                path = sight.path_of(row.kind, row.id)
        self.lamp.glance(path, row.id if row is not None and row.kind == "memory" else "")

    def _sights(self) -> list[Sight]:
        other = [self._compared.other] if self._compared is not None else []
        return [sight for sight in (self._sight, *other) if sight is not None]

    def _open(self, row: ScoredRow) -> None:
        """Go to where a line comes from."""
        for sight in self._sights():
            path = sight.path_of(row.kind, row.id)
            if path is not None and path.entity_ids:
                self.context.selection.select_entity(path.entity_ids[-1])
                break
        if row.kind == "memory":
            self.context.selection.select_memory(row.id)

    # -- comparing -----------------------------------------------------------------------------

    def _things(self, sight: Sight, edit: Thing | None) -> list[Thing]:
        """What can be compared: pins, the selected entity, mutes, a proposed edit."""
        focal = [one for one in sight.started.focal.entities if one.name]
        pinned = [one for one in focal if one.reason == "pinned"]
        things = [what_if.pin(one.id, one.name) for one in pinned[:PINNED_OFFERED]]
        row = self.context.selection.entity
        if row is not None and row.status == "active":
            if all(one.id != row.id for one in pinned):
                things.append(what_if.pin(row.id, row.name))
            things.append(what_if.mute(row.id, row.name))
        things += [what_if.mute(one.id, one.name) for one in focal
                   if row is None or one.id != row.id][:PINNED_OFFERED]
        return [*things, edit] if edit is not None else things

    def compare_with(self, thing: Thing | None) -> None:
        """Show what enters and what leaves with a thing; None for the plain answer."""
        self._thing = thing
        self.compare.show_thing(thing)
        if thing is None:
            if self._sight is not None:
                self._show(None)
            return
        self._compare(self._turn)

    def _compare(self, turn: int) -> None:
        thing, given = self._thing, self.ask.signals
        assert thing is not None
        settings = self.context.engine.settings

        def rehearse(_job: Job) -> tuple[bool, Sight]:
            return what_if.rehearsed(
                self.context.workspace, thing,
                lambda reader: see(reader, given, settings, embedder_of(settings)))

        self.context.runner.job(rehearse, partial(self._got_other, turn, thing),
                                partial(self._not_compared, turn, thing))

    def _got_other(self, turn: int, thing: Thing, told: tuple[bool, Sight]) -> None:
        if turn == self._turn and thing is self._thing and self._sight is not None:
            holds, other = told
            new = self._compared is None or self._compared.word != thing.word
            self._show(Comparison(thing.word, holds, self._sight, other))
            if new:
                self.memories.go_to_mark()
                self.injected.go_to_difference()

    def _not_compared(self, turn: int, thing: Thing, error: BaseException) -> None:
        if not isinstance(error, ConstellationError):
            raise error
        if turn == self._turn and thing is self._thing:
            self._show(None)
            self.compare.show_refusal(f"This can't be compared: {error}")

    # -- doing ---------------------------------------------------------------------------------

    def _let_in(self, thing: Thing) -> None:
        """Let something in, and show what that changes."""
        step = thing.undo if thing.key.startswith("mute") else thing.make
        if step is not None:
            self._carry_out(thing, step)

    def _carry_out_compared(self) -> None:
        thing, compared = self._thing, self._compared
        step = thing.step(compared.holds) if thing is not None and compared is not None else None
        if thing is None or step is None:
            return
        if not step.operation:
            self.context.selection.select_proposal(str(step.payload["proposal_id"]))
            self.context.shell.show_panel("proposals")
            return
        self._carry_out(thing, step)

    def _carry_out(self, thing: Thing, step: Step) -> None:
        def done(_outcome: Outcome) -> None:
            self.compare_with(thing)

        operate(self.context, step.operation, step.payload, done=done)

    # -- parts ---------------------------------------------------------------------------------

    def _connect(self) -> None:
        selection = self.context.selection
        self.ask.asked.connect(self._load)
        self.focal.chosen.connect(selection.select_entity)
        self.compare.compared.connect(self.compare_with)
        self.compare.carried_out.connect(self._carry_out_compared)
        self.memories.looked_at.connect(self._look)
        self.memories.opened.connect(self._open)
        self.reasons.let_in.connect(self._let_in)
        self.reasons.looked_up.connect(selection.select_entity)
        selection.entity_loaded.connect(self._reoffer)
        selection.proposal_changed.connect(self._reload_if_seen)
        self.context.engine.changed.connect(self._reload_if_seen)

    def _reoffer(self, _row: object) -> None:
        self._reload_if_seen()

    def _reload_if_seen(self, _id: str = "") -> None:
        if self.isVisible() and self._sight is not None:
            self._load()

    def _lay_out(self) -> None:
        left = QWidget()
        column = QVBoxLayout(left)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(4)
        column.addWidget(self.ask)
        head = SectionHead("In focus because")
        head.setContentsMargins(14, 0, 0, 0)
        column.addWidget(head)
        column.addWidget(self.focal, 1)
        column.addWidget(self.compare)
        parts = QSplitter(Qt.Orientation.Horizontal)
        parts.setHandleWidth(1)
        parts.setChildrenCollapsible(False)
        views = ((left, 190), (self.memories, 200), (self.injected, 180), (self.reasons, 210))
        for part, least in views:
            part.setMinimumWidth(least)
            parts.addWidget(part)
        parts.setSizes(WIDTHS)
        parts.setStretchFactor(2, 1)
        row = QHBoxLayout(self.body)
        row.setContentsMargins(0, 0, 0, 0)
        row.addWidget(parts)
