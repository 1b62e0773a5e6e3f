"""Activity: changes of the graph, their authors, and undo for each step made here."""

from functools import partial
from typing import ClassVar

from PySide6.QtCore import QItemSelectionModel, QModelIndex
from PySide6.QtWidgets import (
    QAbstractItemView,
    QApplication,
    QButtonGroup,
    QListView,
    QPushButton,
    QStackedWidget,
    QWidget,
)

from core.model.asked import BROWSE, WALK, Asked
from core.model.changes import Activity, Changes
from core.traversal.focal_signals import Signals
from ui.action import Action
from ui.context import Context
from ui.error_words import words_of
from ui.models.activity_log import (
    LOOKED,
    PAGE,
    WHOSE,
    Details,
    Log,
    Whose,
    arrange,
    key_of,
    load_activity,
    load_details,
    spoken_line,
)
from ui.models.answer_details import AnswerDetails, load_asked
from ui.panel import Panel
from ui.panels.activity.answer_column import AnswerColumn
from ui.panels.activity.details import ActivityDetails
from ui.panels.activity.rows import ActivityRows
from ui.panels.sky_highlight import SkyHighlight
from ui.theme import Theme
from ui.widgets.buttons import on_click
from ui.widgets.filter_chips import chip_button
from ui.widgets.layouts import column_layout, put, row_layout, side_by_side
from ui.widgets.line_list_model import LineModel, LineRole
from ui.widgets.load_more import MoreButton
from ui.widgets.row_delegate import set_up_view

WIDTHS = (620, 700)
EMPTY = "No changes yet. Changes by you, your agent and other programs are listed here, and each " \
        "of your changes can be undone."


class ActivityList(QListView):
    """The entries, with a head for each day."""

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self.lines = LineModel(key_of, spoken_line, self)
        self.setModel(self.lines)
        self.setItemDelegate(ActivityRows(theme, self))
        self.setSelectionMode(QAbstractItemView.SelectionMode.SingleSelection)
        set_up_view(self, "Changes")

    def go_to(self, key: str) -> None:
        """Make an entry the current one."""
        flags = QItemSelectionModel.SelectionFlag.ClearAndSelect
        self.selectionModel().setCurrentIndex(self.lines.index_of(key), flags)


class ActivityPanel(Panel):
    """The list at the left, what an entry did at the right."""

    name: ClassVar[str] = "activity"
    shows: ClassVar[frozenset[str]] = frozenset((
        "ontology_proposals", "entities", "entity_aspects", "entity_attributes",
        "entity_dependencies", "memories", "muted_entities", "task_meta", "entity_aliases",
        "epistemic_assertions", "places", "asked",
    ))
    ACTIONS = (
        Action["ActivityPanel"](
            "activity.move", "Undo or redo this entry", lambda panel: panel.move_current(),
            ("Backspace",), "undo"),
        Action["ActivityPanel"](
            "activity.earlier", "Earlier question of the session",
            lambda panel: panel.step(-1), ("Left",), "back"),
        Action["ActivityPanel"](
            "activity.later", "Later question of the session",
            lambda panel: panel.step(1), ("Right",), "forward"),
        Action["ActivityPanel"](
            "activity.walk", "Show the walk of this question",
            lambda panel: panel.show_walk(), ("W",), "unmute"),
        Action["ActivityPanel"](
            "activity.more", "Show older changes", lambda panel: panel.show_more(), ("N",)),
    )

    def __init__(self, context: Context, parent: QWidget | None = None) -> None:
        super().__init__(context, parent)
        self.list = ActivityList(context.theme)
        self.details = ActivityDetails(context)
        self.asked = AnswerColumn(context)
        self.highlight = SkyHighlight(self)
        self._lit: Asked | None = None
        self._right = QStackedWidget()
        self.more = MoreButton(context.actions.key_text("activity.more"))
        self._log, self._most = Log(), PAGE
        self._looked = LOOKED
        self._whose: Whose = "all"
        self._current, self._picked = "", False
        self._reading = self._again = False
        self.choices: dict[str, QPushButton] = {}
        self._lay_out()
        self.list.selectionModel().currentChanged.connect(self._went)
        self.list.clicked.connect(self._clicked)
        self.list.activated.connect(self._jump)
        self.details.moved.connect(self._move)
        self.asked.stepped.connect(self._step_to)
        self.asked.looked_into.connect(self._look_into)
        self.details.more_wanted.connect(self._look_further)
        for moved in (context.runner.undone, context.runner.redone):
            moved.connect(self._step_moved)
        self.show_state("loading", "Loading the activity…")

    def refresh(self, changes: Changes | None) -> None:
        if self._reading:
            self._again = True
            return
        self._reading, self._again = True, False
        workspace, most = self.context.workspace, self._most
        self.context.runner.job(lambda _job: load_activity(workspace, most), self._got,
                                self._failed)

    def _step_moved(self, _label: str) -> None:
        """Its entry reads otherwise now, whichever tables it touched."""
        self.refresh(None)

    def focus(self) -> None:
        self.list.setFocus()

    @property
    def current(self) -> Activity | None:
        """The entry that is looked at."""
        return self._entry_at(self.list.lines.index_of(self._current))

    def _entry_at(self, index: QModelIndex) -> Activity | None:
        line = index.data(LineRole)
        return line if isinstance(line, Activity) else None

    def show_whose(self, whose: Whose) -> None:
        """Show everyone's entries, only ours, or only those of others."""
        self._whose = whose
        self.choices[whose].setChecked(True)
        self._show()

    def show_more(self) -> None:
        """Read the next page of older changes."""
        if len(self._log.entries) < self._log.total:
            self._most += PAGE
            self.refresh(None)

    def step(self, by: int) -> None:
        """Go to the question before (-1) or after (1) this one in its session."""
        if self._right.currentWidget() is self.asked:
            self.asked.step(by)

    def show_walk(self) -> None:
        """Show the walk of this question in What the agent sees."""
        if self._right.currentWidget() is self.asked:
            self.asked.press_look()

    def move_current(self) -> None:
        """Undo or redo the entry that is looked at."""
        self.details.press()

    def _lay_out(self) -> None:
        head = row_layout(margins=(14, 6, 8, 4), spacing=5)
        group = QButtonGroup(self)
        for key, text in WHOSE.items():
            chip = chip_button(text, checkable=True)
            chip.setChecked(key == "all")
            on_click(chip, self.show_whose, key)
            group.addButton(chip)
            head.addWidget(chip)
            self.choices[key] = chip
        head.addStretch(1)
        left = QWidget()
        on_click(self.more, self.show_more)
        foot = put(row_layout(margins=(14, 4, 8, 6)), self.more, None)
        put(column_layout(left, (0, 0, 0, 0), 0), head, (self.list, 1), foot)
        for part in (self.details, self.asked):
            self._right.addWidget(part)
        views = ((left, 200), (self._right, 200))
        row_layout(self.body, (0, 0, 0, 0)).addWidget(side_by_side(views, WIDTHS, (0, 0)))

    # -- what is shown -----------------------------------------------------------------------

    def _got(self, log: Log) -> None:
        self._reading = False
        if log != self._log:
            self._log = log
            self._show()
        if not log.entries and not log.asked:
            self.show_state("empty", EMPTY)
        else:
            self.show_state("ready")
        if self._again:
            self.refresh(None)

    def _failed(self, error: BaseException) -> None:
        self._reading = False
        self.show_failure("The activity could not be read", error, partial(self.refresh, None))

    def _show(self) -> None:
        """Show the lines anew scrolled to the same place, with the same entry."""
        lines = arrange(self._log.entries, self._whose, self._log.asked)
        self.more.show_rest(len(self._log.entries), self._log.total, PAGE)
        bar = self.list.verticalScrollBar()
        scrolled, model = bar.value(), self.list.selectionModel()
        model.blockSignals(True)
        self.list.lines.set_lines(lines)
        shown = [key for line in lines if (key := key_of(line))]
        if self._current not in shown or self._untouched:
            self._current = shown[0] if shown else ""
        self.list.go_to(self._current)
        model.blockSignals(False)
        self.list.viewport().update()
        bar.setValue(scrolled)
        self._look()

    @property
    def _untouched(self) -> bool:
        """True while nobody looks: only then may the newest entry take the current one's place.

        What a button or a key is about to undo must not change under the hand.
        """
        focused = QApplication.focusWidget()
        at_work = self.underMouse() or (focused is not None and self.isAncestorOf(focused))
        return not self._picked and not at_work

    def _went(self, index: QModelIndex) -> None:
        line = index.data(LineRole)
        if isinstance(line, Activity | Asked):
            self._current, self._picked = key_of(line), True
            self._looked = LOOKED
            self._look()

    def _clicked(self, index: QModelIndex) -> None:
        """A click on the line that is current already lights its question, too."""
        line = index.data(LineRole)
        self._picked = True
        if isinstance(line, Asked):
            self._look_at_asked(line)

    def _look(self) -> None:
        """Read what the current entry did."""
        line = self.list.lines.index_of(self._current).data(LineRole)
        if isinstance(line, Asked):
            self._look_at_asked(line)
            return
        self._right.setCurrentWidget(self.details)
        self._light(None)
        entry = self.current
        self.details.show_entry(entry)
        if entry is None:
            return
        workspace, looked = self.context.workspace, self._looked
        self.context.runner.job(lambda _job: load_details(workspace, entry, looked),
                                self._got_details, self._no_details)

    def _look_at_asked(self, asked: Asked) -> None:
        """Show a question; the sky follows once the person has gone to one."""
        self._right.setCurrentWidget(self.asked)
        self.asked.show_asked(asked, [line for line in self.list.lines.lines
                                      if isinstance(line, Asked)])
        self._light(asked if self._picked else None)
        workspace = self.context.workspace
        self.context.runner.job(lambda _job: load_asked(workspace, asked), self._got_asked,
                                self._no_details)

    def _light(self, asked: Asked | None) -> None:
        """Light a question in the sky; for none only our own light goes, not another panel's."""
        before, self._lit = self._lit, asked
        if asked is not None:
            self.highlight.light(asked.entity_ids, asked.link_ids, asked.memory_ids)
        elif before is not None:
            self.highlight.light()

    def _got_asked(self, details: AnswerDetails) -> None:
        self.asked.show_details(details)

    def _step_to(self, asked: Asked) -> None:
        self.list.go_to(key_of(asked))
        self.list.scrollTo(self.list.currentIndex())

    def _look_into(self, asked: Asked) -> None:
        """Ask the same again where the agent's view is computed."""
        entities = asked.focal_ids if asked.kind in (WALK, BROWSE) else ()
        question = "" if entities else asked.question
        self.context.shell.show_panel("agent_view")
        self.context.selection.ask_again(
            Signals(question, asked.project, asked.session, entity_ids=entities))

    def _look_further(self) -> None:
        """Read more of the row changes of a large entry."""
        self._looked += LOOKED
        self._look()

    def _got_details(self, details: Details) -> None:
        if details.key == self._current:
            self.details.show_details(details)

    def _no_details(self, error: BaseException) -> None:
        self.details.say(f"What it changed could not be read: {words_of(error)}")

    # -- what is done ------------------------------------------------------------------------

    def _move(self, entry: Activity) -> None:
        runner, word = self.context.runner, "undone" if entry.state == "done" else "redone"
        move = runner.undo if entry.state == "done" else runner.redo
        move(entry.undo_id, partial(self._refused, word))

    def _refused(self, word: str, error: BaseException) -> None:
        self.details.say(f"Can't be {word}: {words_of(error)}")
        self.refresh(None)

    def _jump(self, *_: object) -> None:
        if self._right.currentWidget() is self.asked:
            self.show_walk()
        else:
            self.details.jump_to_first()
