"""Health: what is wrong with the graph, a preview of the fix, singly or all of a kind."""

from collections.abc import Callable, Mapping
from functools import partial
from typing import ClassVar, get_args

from PySide6.QtCore import QItemSelectionModel, QModelIndex, QTimer
from PySide6.QtWidgets import QAbstractItemView, QListView, QWidget

from core.health.dismissed_findings import leave, report_again
from core.health.finding import Finding, Rules
from core.health.mend import Mended, label, mend
from core.health.name_match_strictness import Strictness
from core.health.report import Report
from core.model.changes import Changes
from core.model.text_formatting import counted
from core.review.as_shown import changed_since_shown
from core.review.competing_values import TwoValues, of_values
from core.store.reader_and_writer import Writer
from core.workspace import Written
from ui.action import Action
from ui.context import Context
from ui.dialogs.competing_values import TwoValuesDialog
from ui.error_words import told, words_of
from ui.models.health import (
    KindHead,
    Preview,
    all_of_kind,
    lines_of,
    load_preview,
    load_report,
)
from ui.panel import Panel
from ui.panels.health.preview import TWO_VALUES, FindingPreview
from ui.panels.health.rows import FindingRows, key_of, spoken
from ui.theme import Theme
from ui.widgets.buttons import ComboBox
from ui.widgets.labels import label as text_label
from ui.widgets.labels import set_tip
from ui.widgets.layouts import column_layout, put, row_layout, side_by_side
from ui.widgets.line_list_model import LineModel, LineRole
from ui.widgets.row_delegate import set_up_view

WIDTHS = (520, 520)
LEVELS: tuple[Strictness, ...] = get_args(Strictness)
LEVEL_WORDS: Mapping[Strictness, str] = {
    "exact": "the same name", "punctuation": "the same letters, signs aside",
    "aliases": "a name or another name in common", "words": "the same words in any order",
    "spelling": "nearly the same spelling", "neighbours": "similar names and neighbours"}
"""Each strictness, as the end of “Duplicates have …”."""
EMPTY = "Nothing is wrong with this graph. Duplicates, contradictions and names that are none " \
        "are listed here, each with a fix that you can undo."
SETTLE_MS = 250
"""Milliseconds after the last choice in which nothing is read."""


class FindingList(QListView):
    """The findings, with a head for each kind."""

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self.lines = LineModel(key_of, spoken, self, tip_of=spoken)
        self.setModel(self.lines)
        self.setItemDelegate(FindingRows(theme, self))
        self.setSelectionMode(QAbstractItemView.SelectionMode.SingleSelection)
        set_up_view(self, "Findings")

    def go_to(self, key: str) -> None:
        """Make a finding the current one."""
        self.selectionModel().setCurrentIndex(
            self.lines.index_of(key), QItemSelectionModel.SelectionFlag.ClearAndSelect)


class HealthPanel(Panel):
    """The list at the left, the finding and its fix at the right."""

    name: ClassVar[str] = "health"
    shows: ClassVar[frozenset[str]] = frozenset((
        "entities", "entity_aspects", "entity_attributes", "entity_dependencies", "memories",
        "memory_entity_mentions", "task_meta", "claim_reviews", "entity_aliases", "relations",
        "ontology_proposals"))
    ACTIONS = (
        Action["HealthPanel"]("health.fix", "Fix the finding", lambda panel: panel.fix(),
                              ("F",), "apply"),
        Action["HealthPanel"]("health.all", "Fix all findings of this kind…",
                              lambda panel: panel.try_all(), ("G",)),
        Action["HealthPanel"]("health.compare", "Compare the two values side by side…",
                              lambda panel: panel.compare(), ("C",)),
        Action["HealthPanel"]("health.leave", "Leave the finding as it is",
                              lambda panel: panel.leave_it(), ("L",)),
        Action["HealthPanel"]("health.again", "Report what was left again",
                              lambda panel: panel.report_left(), ("U",)),
    )

    def __init__(self, context: Context, parent: QWidget | None = None) -> None:
        super().__init__(context, parent)
        self.list = FindingList(context.theme)
        self.preview = FindingPreview(context)
        self.level = ComboBox()
        self._report = Report((), {})
        self._current = ""
        self._group = ""
        self._previews: dict[str, Preview] = {}
        self._settling = QTimer(self, singleShot=True, interval=SETTLE_MS)
        self._settling.timeout.connect(partial(self.refresh, None))
        self._lay_out()
        self.list.selectionModel().currentChanged.connect(self._went)
        for signal, act in ((self.preview.fix_wanted, self.fix),
                            (self.preview.all_wanted, self.try_all),
                            (self.preview.compare_wanted, self.compare),
                            (self.preview.leave_wanted, self.leave_it),
                            (self.preview.back_wanted, self._back)):
            signal.connect(act)
        self.show_state("loading", "Looking for what is wrong…")

    @property
    def rules(self) -> Rules:
        """What counts, with the strictness that is chosen."""
        settings = self.context.engine.settings
        return Rules(settings.health.model_copy(update={"duplicates": self.strictness}),
                     settings.ingest, settings.maintenance, settings.supersession)

    @property
    def strictness(self) -> Strictness:
        return LEVELS[self.level.currentIndex()]

    def refresh(self, changes: Changes | None) -> None:
        self.context.runner.read(partial(load_report, self.context.workspace, self.rules),
                                 self._got, self._failed, key=(id(self), "report"), long=True)

    def focus(self) -> None:
        self.list.setFocus()

    @property
    def current(self) -> Finding | None:
        """The finding that is looked at."""
        line = self.list.lines.index_of(self._current).data(LineRole)
        return line if isinstance(line, Finding) else None

    def _read(self, key: str, read: Callable[[], object], done: Callable[..., None]) -> None:
        """Read on a pool thread; of several with one key the newest is answered."""
        self.context.runner.read(lambda _reader: read(), done, self._failed,
                                 key=(id(self), key))

    def _lay_out(self) -> None:
        self.level.addItems([LEVEL_WORDS[level] for level in LEVELS])
        self.level.setCurrentIndex(LEVELS.index(self.context.engine.settings.health.duplicates))
        self.level.setAccessibleName("How much the names of duplicates may differ")
        set_tip(self.level, "How much two names may differ and count as one entity")
        self.level.currentIndexChanged.connect(lambda _: self._settling.start())
        head = put(row_layout(margins=(14, 6, 8, 4), spacing=8),
                   text_label("Duplicates have", "soft"), self.level, None)
        left = QWidget()
        put(column_layout(left, (0, 0, 0, 0), 0), head, (self.list, 1))
        views = ((left, 200), (self.preview, 200))
        row_layout(self.body, (0, 0, 0, 0)).addWidget(side_by_side(views, WIDTHS, (1, 1)))

    # -- what is shown -----------------------------------------------------------------------

    def _got(self, found: Report) -> None:
        self._report, self._previews, self._group = found, {}, ""
        lines = lines_of(found)
        scrolled = self.list.verticalScrollBar().value()
        before = self.list.lines.index_of(self._current).row()
        model = self.list.selectionModel()
        model.blockSignals(True)
        self.list.lines.set_lines(lines)
        if not self.list.lines.index_of(self._current).isValid():
            self._current = _nearest(lines, before)
        self.list.go_to(self._current)
        model.blockSignals(False)
        self.list.viewport().update()
        self.list.verticalScrollBar().setValue(scrolled)
        serious = sum(one.severity != "info" for one in found.findings)
        self.badged.emit(f"{serious:,}" if serious else "")
        if lines:
            self.show_state("ready")
            self._look()
        else:
            self.show_state("empty", EMPTY)

    def _failed(self, error: BaseException) -> None:
        self.show_failure("The health of the graph could not be read", error,
                          partial(self.refresh, None))

    def _went(self, index: QModelIndex) -> None:
        line = index.data(LineRole)
        if not isinstance(line, Finding):
            return
        self._current, self._group = line.id, ""
        if line.entity_id:
            self.context.selection.select_entity(line.entity_id)
        self._look()

    def _look(self) -> None:
        """Show the current finding, and try its fix."""
        finding = self.current
        if finding is None:
            self.preview.show_nothing("Choose a finding.")
            return
        known = self._previews.get(finding.id)
        self.preview.show_finding(finding, self._fixable(finding.kind), known)
        if known is None and finding.fix is not None:
            workspace = self.context.workspace
            self._read("preview", lambda: load_preview(workspace, (finding,)),
                       partial(self._tried, finding.id))

    def _fixable(self, kind: str) -> int:
        """How many of a kind have a fix, of those that are listed all."""
        listed = [one for one in self._report.findings if one.kind == kind]
        fixable = sum(one.fix is not None for one in listed)
        return self._report.counts[kind] if fixable == len(listed) else fixable

    def _tried(self, id: str, preview: Preview) -> None:
        self._previews[id] = preview
        if id == self._current and not self._group:
            self._look()

    def _back(self) -> None:
        self._group = ""
        self._look()

    # -- what is done ------------------------------------------------------------------------

    def try_all(self) -> None:
        """Show what all fixes of the current finding's kind would do."""
        finding = self.current
        if finding is None or finding.fix is None or self._group:
            return
        kind, workspace, rules = finding.kind, self.context.workspace, self.rules
        self._group = kind
        self.preview.show_group(kind, None, self._fixable(kind))
        self._read("group", lambda: load_preview(workspace, all_of_kind(workspace, rules, kind)),
                   partial(self._tried_all, kind))

    def _tried_all(self, kind: str, preview: Preview) -> None:
        if kind == self._group:
            self._previews[kind] = preview
            self.preview.show_group(kind, preview, len(preview.findings))

    def fix(self) -> None:
        """Carry out what is shown: one fix, or all of a kind."""
        preview = self._previews.get(self._group or self._current)
        if preview is None or preview.blocked or not preview.findings:
            return
        findings = preview.findings
        self.context.runner.write(
            label(findings), lambda writer: mend(writer, findings), self._fixed, self._not_fixed)

    def _fixed(self, written: Written[Mended]) -> None:
        mended = written.result
        if mended.refused:
            self.context.say(
                f"{counted(len(mended.done), 'finding')} mended, {len(mended.refused)} left:"
                f" {told(mended.refused[0].error)}", entry=written.entry)

    def _not_fixed(self, error: BaseException) -> None:
        self.context.say(f"Not mended: {words_of(error)}")
        self.refresh(None)

    def compare(self) -> None:
        """Show the two values of the current finding side by side, to keep one or combine."""
        finding = self.current
        if finding is None or finding.kind not in TWO_VALUES or self._group:
            self.context.say("Only a finding about two values in force can be compared")
            return
        older, newer = finding.rows
        self.context.runner.read(lambda reader: of_values(reader, older, newer),
                                 self._show_two, self._failed, key=(id(self), "two"))

    def _show_two(self, shown: TwoValues | None) -> None:
        if shown is None:
            self._not_fixed(changed_since_shown())
            return
        self.two = TwoValuesDialog(shown, self._settle, self.context.theme,
                                   self.context.shell.window())
        self.two.open()

    def _settle(
        self, label: str, _word: object, act: Callable[[Writer], object],
        done: Callable[[object], None], failed: Callable[[BaseException], None],
    ) -> None:
        self.context.runner.write(label, act, done, failed, initiator=self.name)

    def leave_it(self) -> None:
        """Do not report the current finding again; out of a group's preview go back."""
        finding = self.current
        if self._group:
            self._back()
        elif finding is not None:
            workspace = self.context.workspace
            leave(workspace.sidecar, workspace.agent, {finding.id: finding.kind})
            self.context.say("Left as it is, and not reported again",
                             take_back=partial(self._take_back, finding.id))
            self.refresh(None)

    def _take_back(self, id: str) -> None:
        workspace = self.context.workspace
        report_again(workspace.sidecar, workspace.agent, frozenset((id,)))
        self._current = id
        self.refresh(None)

    def report_left(self) -> None:
        """Report again what was left as it is."""
        workspace = self.context.workspace
        count = report_again(workspace.sidecar, workspace.agent)
        self.context.say(f"{counted(count, 'finding')} reported again" if count
                         else "No finding was left as it is")
        self.refresh(None)


def _nearest(lines: list[KindHead | Finding], row: int) -> str:
    """The finding at a place, or the nearest after or before it."""
    findings = [(abs(at - max(row, 0)), at, line.id) for at, line in enumerate(lines)
                if isinstance(line, Finding)]
    return min(findings)[2] if findings else ""
