"""What the agent sees: updated while typing, highlighted in the sky, compared with and without."""

from collections.abc import Mapping
from functools import partial
from typing import ClassVar

from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QMenu, QWidget

from core.embedding.choose_embedder import choose
from core.expectations.store import add_expectation
from core.model.changes import Changes
from core.model.claims_and_assertions import Slot
from core.model.entity import EntityRow
from core.model.expectation import must_words
from core.model.text_formatting import one_line
from core.ontology.proposals import Outcome
from core.queries.entities import entities_by_id
from core.review.as_shown import changed_since_shown
from core.store.reader_and_writer import Reader
from core.traversal.focal_signals import Signals
from ui.action import Action
from ui.apply_operation import operate
from ui.context import Context
from ui.models.agent_view import LOOKED, Comparison, Sight, rows_of
from ui.models.agent_view_reading import Answer, Sessions, answer, sessions, things
from ui.models.near_miss_fixes import NearMiss
from ui.models.near_miss_trials import try_fixes
from ui.models.what_if import Step, Thing
from ui.panel import Panel
from ui.panels.agent_view.budgets_and_walk_numbers import RunDetails
from ui.panels.agent_view.focal_list import FocalList
from ui.panels.agent_view.injected_text import InjectedText
from ui.panels.agent_view.pin_changes_since_question import PinSinceQuestion
from ui.panels.agent_view.session_start_form import SessionStartForm
from ui.panels.agent_view.what_if_bar import CompareBar
from ui.panels.agent_view.what_if_trial import WhatIfTrial
from ui.panels.sky_highlight import SkyHighlight
from ui.panels.vector_preload import prepare
from ui.widgets.flow_layout import FlowLayout
from ui.widgets.labels import SectionHead
from ui.widgets.layouts import column_layout, put
from ui.widgets.scored_list import ScoredList, ScoredRow
from ui.widgets.scroll_column import scrolling
from ui.widgets.side_by_side_or_tabs import FoldingViews, Part

WIDTHS = (250, 330, 520, 320)
SHARES = (1, 3, 5, 2)
"""How much of more or less room each of them takes."""
LOW = 200
"""A panel lower than this has little room for its lists, in pixels."""
LEAST_FOCAL = 72
"""Pixels of height: three entities."""


Act = Action["AgentView"]
MUST, MUST_NOT = "This must come for this question", "This must not come for this question"
NO_QUESTION = "An expectation belongs to a question: type one first"
NO_LINE = "Select a memory or a constraint of the list first"


class AgentView(Panel):
    """Shows exactly what a session would start with, why, and what would change it."""

    name: ClassVar[str] = "agent_view"
    shows: ClassVar[frozenset[str]] = frozenset((
        "entities", "entity_aspects", "entity_attributes", "entity_dependencies",
        "entity_aliases", "epistemic_assertions", "memories", "memory_entity_mentions",
        "session_checkpoints", "session_memories", "automatic_changes", "ontology_proposals",
    ))
    ACTIONS = (
        Act("agent_view.must", "Expect that the line comes for this question",
            lambda panel: panel.expect(must=True), ("Y",), "expect"),
        Act("agent_view.must_not", "Expect that the line does not come for this question",
            lambda panel: panel.expect(must=False), ("U",), "reject"),
    )

    def __init__(self, context: Context, parent: QWidget | None = None) -> None:
        super().__init__(context, parent)
        theme = context.theme
        self.ask = SessionStartForm(context)
        self.focal = FocalList(theme)
        self.compare = CompareBar()
        self.memories = ScoredList(theme, "What is injected, by score")
        self.injected = InjectedText(theme)
        self.reasons = RunDetails(theme)
        self.highlight = SkyHighlight(self)
        self._agent = context.workspace.agent
        self.sight: Sight | None = None
        """The answer that is shown."""
        self.comparison: Comparison | None = None
        """The comparison that is shown."""
        self._thing: Thing | None = None
        self._pin = PinSinceQuestion()
        self._looked = LOOKED
        """Near misses that are looked into."""
        self._trial = WhatIfTrial(context, self)
        self._connect()
        self.show_state("loading", "Computing what the agent would see…")

    def refresh(self, changes: Changes | None) -> None:
        if self.context.workspace.agent != self._agent:
            self._agent = self.context.workspace.agent
            self.ask.forget_entities()
            self._thing = None
            self._pin = PinSinceQuestion()
        prepare(self.context)
        self.context.runner.read(
            partial(sessions, sidecar=self.context.workspace.sidecar), self._got_sessions,
            self._failed, key=("agent_view.sessions", id(self)))
        self._load()

    def focus(self) -> None:
        self.ask.question.setFocus()

    # -- asking --------------------------------------------------------------------------------

    def _load(self) -> None:
        wanted = partial(
            answer, given=self.ask.signals, settings=self.context.engine.settings,
            proposal_id=self.context.selection.proposal_id, looked=self._looked)
        self.context.runner.read(wanted, self._got, self._failed, key=("agent_view", id(self)))

    def _ask_again(self, given: Signals) -> None:
        """Ask what an agent has asked; the names of entities are read first."""
        self.context.runner.read(lambda reader: entities_by_id(reader, given.entity_ids),
                                 partial(self._got_entities, given), self._failed,
                                 key=("agent_view.again", id(self)))

    def _got_entities(self, given: Signals, entities: Mapping[str, EntityRow]) -> None:
        self.ask.show_signals(given, {id: row.name for id, row in entities.items()})

    def _got_sessions(self, sessions: Sessions) -> None:
        self.ask.show_sessions(sessions.last)
        self.reasons.show_last(sessions)

    def _got(self, answer: Answer) -> None:
        self.sight = answer.sight
        self.compare.show_things(things(answer, self.context.selection.entity))
        self.reasons.show_session(answer.given.session_key, answer.record)
        self.show_state("ready")
        self._follow_pin(answer)
        if self._thing is not None:
            self._trial.want(self._thing, self.ask.signals)
        else:
            self._show(None)

    def _failed(self, error: BaseException) -> None:
        self.highlight.light()
        self.show_failure("The session start could not be computed", error,
                          self._load)

    # -- showing -------------------------------------------------------------------------------

    def _show(self, compared: Comparison | None) -> None:
        sight = self.sight
        assert sight is not None
        self.comparison = compared
        self.focal.show_focal(sight.started.focal, asked=self.ask.signals != Signals())
        self.memories.show_rows(rows_of(sight, compared))
        self.injected.show_text(sight.started.text, compared)
        self.reasons.show_sight(sight, self.context.engine.settings.traversal.timeout_ms)
        if compared is not None:
            self.compare.show_comparison(compared)
        walk = sight.started.walk
        self.highlight.light(walk.entity_ids, walk.dependency_ids, sight.taken_ids)

    def _look(self, row: ScoredRow | None) -> None:
        """Only the path of the line that is looked at."""
        path = None
        for sight in self._sights():
            if row is not None and path is None:
                path = sight.path_of(row.kind, row.id)
        self.highlight.glance(path, row.id if row is not None and row.kind == "memory" else "")

    def _sights(self) -> list[Sight]:
        other = [self.comparison.other] if self.comparison is not None else []
        return [sight for sight in (self.sight, *other) if sight is not None]

    def _open(self, row: ScoredRow) -> None:
        """Go to where a line comes from."""
        for sight in self._sights():
            path = sight.path_of(row.kind, row.id)
            if path is not None and path.entity_ids:
                self.context.selection.select_entity(path.entity_ids[-1])
                break
        if row.kind == "memory":
            self.context.selection.select_memory(row.id)

    # -- expecting -----------------------------------------------------------------------------

    def expect(self, *, must: bool) -> None:
        """Write down that the current line must, or must not, come for this question."""
        row, question = self.memories.current, self.ask.signals.query.strip()
        if row is None or row.kind not in ("memory", "constraint") or not question:
            self.context.say(NO_QUESTION if row is not None and not question else NO_LINE)
            return
        label = f"Expect for “{one_line(question, 60)}” that it {must_words(must=must)}"
        self.context.runner.write(
            label, lambda writer: add_expectation(writer, question, row.id, must=must))

    def _offer(self, spot: QPoint) -> None:
        """The menu of a line of the list."""
        if self.memories.current is None:
            return
        menu = QMenu(self)
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        for words, must in ((MUST, True), (MUST_NOT, False)):
            menu.addAction(words).triggered.connect(
                lambda _checked=False, must=must: self.expect(must=must))
        menu.popup(self.memories.viewport().mapToGlobal(spot))

    # -- comparing -----------------------------------------------------------------------------

    def compare_with(self, thing: Thing | None) -> None:
        """Show what enters and what leaves with a thing; None for the plain answer."""
        self._thing = thing
        self.compare.show_thing(thing)
        if thing is not None:
            self._trial.want(thing, self.ask.signals)
            return
        self._trial.forget()
        if self.sight is not None:
            self._show(None)

    def _follow_pin(self, answer: Answer) -> None:
        """Compare with what was pinned since the question, unless something else was chosen."""
        before = self._pin.thing
        pin = self._pin.note(answer)
        if pin is before or self._thing is not before:
            return
        self._thing, self.comparison = pin, None
        self.compare.show_thing(pin)
        if pin is None:
            self._trial.forget()

    def _got_other(self, thing: Thing, holds: bool, other: Sight) -> None:
        if thing is not self._thing or self.sight is None:
            return
        new = self.comparison is None or self.comparison.word != thing.word
        self._show(Comparison(thing.word, holds, self.sight, other))
        if new:
            self.memories.go_to_mark()
            self.injected.go_to_difference()

    def _wait(self) -> None:
        """The plain answer need not wait for the comparison."""
        if self.sight is not None:
            self._show(None)
        self.compare.show_waiting()

    def _not_compared(self, thing: Thing, why: str) -> None:
        if thing is self._thing and self.sight is not None:
            self._show(None)
            self.compare.show_refusal(f"This can't be compared: {why}")

    # -- doing ---------------------------------------------------------------------------------

    def _let_in(self, thing: Thing) -> None:
        """Let something in, and show what that changes."""
        step = thing.entering
        if step is not None:
            self._carry_out(thing, step, holds=thing.word == "mute")

    def _look_further(self, looked: int) -> None:
        """Look into more of the near misses."""
        self._looked = looked
        self._load()

    def _try_fixes(self, near: NearMiss) -> None:
        """Try in a dry run what would include a near miss."""
        workspace, given = self.context.workspace, self.ask.signals
        settings = self.context.engine.settings
        self.context.runner.job(
            lambda _job: try_fixes(workspace, near, given, settings, choose(settings.embedding)),
            partial(self.reasons.list.show_tried, near))

    def _look_up(self, where: str | Slot) -> None:
        """Go to what a near miss is about."""
        if isinstance(where, str):
            self.context.selection.select_entity(where)
        else:
            self.context.selection.select_slot(where, where.attribute_id or "")
            self.context.shell.show_panel("claim_history")

    def _carry_out_compared(self) -> None:
        thing, compared = self._thing, self.comparison
        step = thing.step(compared.holds) if thing is not None and compared is not None else None
        if thing is None or step is None or compared is None:
            return
        if not step.operation:
            self.context.selection.select_proposal(str(step.payload["proposal_id"]))
            self.context.shell.show_panel("proposals")
            return
        self._carry_out(thing, step, holds=compared.holds)

    def _carry_out(self, thing: Thing, step: Step, *, holds: bool) -> None:
        def check(reader: Reader) -> None:
            if thing.holds(reader) != holds:
                raise changed_since_shown()

        def done(_outcome: Outcome) -> None:
            # The answer that is shown is of before: the comparison follows the new one.
            self._thing = thing
            self.compare.show_thing(thing)
            self._load()

        operate(self.context, step.operation, step.payload, done=done, check=check)

    # -- parts ---------------------------------------------------------------------------------

    def _connect(self) -> None:
        selection = self.context.selection
        self.ask.asked.connect(self._load)
        selection.question_chosen.connect(self._ask_again)
        self.focal.chosen.connect(selection.select_entity)
        self.compare.compared.connect(self.compare_with)
        self.compare.carried_out.connect(self._carry_out_compared)
        self._trial.tried.connect(self._got_other)
        self._trial.refused.connect(self._not_compared)
        self._trial.lasts.connect(self._wait)
        self.memories.looked_at.connect(self._look)
        self.memories.opened.connect(self._open)
        self.memories.setContextMenuPolicy(Qt.ContextMenuPolicy.CustomContextMenu)
        self.memories.customContextMenuRequested.connect(self._offer)
        self.reasons.let_in.connect(self._let_in)
        self.reasons.list.rest_wanted.connect(self._look_further)
        self.reasons.list.try_wanted.connect(self._try_fixes)
        self.reasons.looked_up.connect(self._look_up)
        self.reasons.more_wanted.connect(lambda: self.context.actions.run("app.settings"))
        selection.entity_loaded.connect(self._reoffer)
        selection.proposal_changed.connect(self._reload_if_seen)
        self.context.engine.changed.connect(self._reload_if_seen)

    def _reoffer(self, _row: object) -> None:
        self._reload_if_seen()

    def _reload_if_seen(self, _id: str = "") -> None:
        if self.isVisible() and self.sight is not None:
            self._load()

    def resizeEvent(self, event: QResizeEvent) -> None:  # noqa: N802
        super().resizeEvent(event)
        self.ask.set_low(self.height() < LOW)

    def lay_out(self) -> None:
        left = QWidget()
        column = column_layout(left, (0, 0, 0, 0), 2)
        head = QWidget()
        flow = FlowLayout(head, spacing=10)
        flow.setContentsMargins(14, 8, 12, 0)
        for part in (SectionHead("Why it is focal"), self.ask.add):
            flow.addWidget(part)
        column.addWidget(head)
        self.ask.named.setContentsMargins(14, 0, 12, 0)
        column.addWidget(self.ask.named)
        self.focal.setMinimumHeight(LEAST_FOCAL)
        column.addWidget(self.focal, 1)
        middle = QWidget()
        below_text = column_layout(middle, (0, 0, 0, 0), 0)
        self.injected.put_beside_copy(self.compare.start)
        below_text.addWidget(self.injected, 1)
        below_text.addWidget(self.compare)
        starts = scrolling(left, "From what the walk starts")
        self.views = FoldingViews((
            Part("Why it is focal", starts, 206), Part("What is injected", self.memories, 190),
            Part("The exact text", middle, 202), Part("Budgets", self.reasons, 215),
        ), WIDTHS, SHARES, first=1)
        put(column_layout(self.body, (0, 0, 0, 0), 0), self.ask, (self.views, 1))
