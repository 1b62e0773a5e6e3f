"""The merge wizard: the target, a choice for each claim that collides, the result, the merge."""

from collections.abc import Callable, Sequence
from functools import partial

from PySide6.QtWidgets import QStackedLayout, QWidget

from core.errors import OperationError
from core.expectations.forecast import Forecast
from core.model.text_formatting import counted, one_line
from core.review.as_shown import changed_since_shown
from core.review.effects import Effect
from core.review.merge_conflicts import MergePlan, merge_plan
from core.store.reader_and_writer import Reader
from ui.apply_operation import operate
from ui.context import Context
from ui.dialogs.merge_choices import ChoicesPage
from ui.dialogs.merge_preview import ResultPage
from ui.dialogs.merge_target import TargetPage
from ui.error_words import words_of
from ui.models.merge import merged, payload_of, try_merge
from ui.widgets.buttons import push_button
from ui.widgets.dialogs import Dialog
from ui.widgets.labels import label
from ui.widgets.layouts import column_layout, put, row_layout

WIDTH = 740
LEAST, MOST, AROUND = 260, 520, 250
"""Pixels of a page's height: at least, at most, and what the window keeps around it."""
Apply = Callable[[dict[str, object], bool, Callable[[object], None],
                  Callable[[BaseException], None]], None]
"""Carries the merge out: the payload, whether by force, what to call then, or if it failed."""


class MergeWizard(Dialog):
    """Three pages: which entity stays, what holds where they differ, how it will look.

    Args:
        sources: the ids of the entities that go.
        target: the id of the one that stays; asked for if it is not given.
        apply: carries it out; by default as one step of its own.
    """

    def __init__(
        self, context: Context, sources: Sequence[str], target: str = "", *,
        apply: Apply | None = None,
    ) -> None:
        super().__init__("Merge entities", context.shell.window(), width=WIDTH)
        self._context, self._sources, self._target = context, tuple(sources), target
        self._apply = apply or self._operate
        self.plan: MergePlan | None = None
        self._asked = 0
        self.target_page = TargetPage(context, self._sources)
        self.choices = ChoicesPage()
        self.result_page = ResultPage(context)
        self._head = label("Merge entities", "head", wrap=True)
        self._line = label("", "soft", wrap=True)
        self._error = label(role="bad", wrap=True)
        self._error.hide()
        self.back = push_button("Back", self._go_back)
        self.swap = push_button("Swap the two", self._swap)
        self.next = push_button("Next", self._go_on, "primary", default=True)
        self._middle = QWidget()
        self._pages = QStackedLayout(self._middle)
        self._lay_out()
        self.target_page.picked.connect(self._picked)
        self._read() if target else self._show_target()

    @property
    def page(self) -> str:
        """`target`, `choices` or `result`."""
        return ("target", "choices", "result")[self._pages.currentIndex()]

    @property
    def error(self) -> str:
        return self._error.text() if not self._error.isHidden() else ""

    def _lay_out(self) -> None:
        height = min(MOST, max(LEAST, self._context.shell.window().height() - AROUND))
        self._middle.setFixedHeight(height)
        put(column_layout(self, (20, 14, 20, 14), 8), self._head, self._line,
            self._middle, self._error, put(
                         row_layout(), self.back, self.swap, None,
                         push_button("Cancel", self.reject), self.next))
        for page in (self.target_page, self.choices, self.result_page):
            self._pages.addWidget(page)

    # -- the pages -------------------------------------------------------------------------------

    def _show_page(self, at: int, head: str, line: str, verb: str) -> None:
        self._head.setText(head)
        self._line.setText(line)
        self._line.setVisible(bool(line))
        self.next.setText(verb)
        self.next.setEnabled(True)
        self.back.setVisible(at > 0)
        self.swap.setVisible(at == 1 and len(self._sources) == 1)
        self._pages.setCurrentIndex(at)
        self._error.hide()

    def _show_target(self) -> None:
        self._show_page(0, "Merge into which entity?", "Everything moves to it, and the other name "
                        "leads to it.", "Next")
        self.target_page.take_keyboard()

    def _picked(self, entity_id: str) -> None:
        self._target = entity_id
        self._read()

    def _read(self) -> None:
        """What collides between the two."""
        self._asked += 1
        self.next.setEnabled(False)
        target, sources = self._target, self._sources
        self._context.runner.read(lambda reader: merge_plan(reader, target, sources),
                                  partial(self._show_choices, self._asked), self._failed)

    def _show_choices(self, asked: int, plan: MergePlan) -> None:
        if asked != self._asked:
            return
        self.plan = plan
        self.choices.show_plan(plan)
        self._say_choices(plan)
        self.choices.take_keyboard()

    def _say_choices(self, plan: MergePlan) -> None:
        names = ", ".join(one_line(one.name, 60) for one in plan.sources)
        count = counted(len(plan.claims), "claim")
        line = (f"They differ in {count}. What you don't change keeps both as versions."
                if plan.claims else "They differ in no claim.")
        if plan.same:
            line += f" {counted(plan.same, 'value')} both say alike."
        self._show_page(1, f"{names} → {one_line(plan.target.name, 60)}", line, "See the result")

    def _show_result(self) -> None:
        plan = self.plan
        assert plan is not None
        names = ", ".join(one_line(one.name, 60) for one in plan.sources)
        self._show_page(2, f"{names} → {one_line(plan.target.name, 60)}",
                        "The struck star goes; dashed links are those that the other one gains. "
                        "One undo takes all of it back.", self._verb(plan))
        self.next.setEnabled(False)
        self.result_page.show_sky(plan)
        payload, workspace = payload_of(plan, self.choices.chosen()), self._context.workspace
        self._asked += 1
        self._context.runner.job(lambda _job: try_merge(workspace, payload),
                                 partial(self._show_effects, self._asked), self._failed)

    def _verb(self, plan: MergePlan) -> str:
        return "Merge anyway" if plan.warnings else "Merge"

    def _show_effects(self, asked: int, lines: tuple[Effect, ...]) -> None:
        if asked == self._asked and self.page == "result" and self.plan is not None:
            self.result_page.show_effects(lines, self.plan.warnings)
            self.next.setEnabled(True)
            self.next.setFocus()
            got = partial(self._foreseen, asked, lines)
            self._context.expectations.foresee(
                partial(merged, payload=payload_of(self.plan, self.choices.chosen())), got, got)

    def _foreseen(
        self, asked: int, lines: tuple[Effect, ...], forecast: Forecast | BaseException
    ) -> None:
        """What the merge would do to the expectations; tried after the rest is shown."""
        shown = asked == self._asked and self.page == "result" and self.plan is not None
        if shown and self.plan is not None and isinstance(forecast, Forecast):
            self.result_page.show_effects(lines, self.plan.warnings, forecast)

    def _go_on(self) -> None:
        if self.page == "target":
            self.target_page.pick()
        elif self.page == "choices":
            if not self.choices.complain():
                self._show_result()
        else:
            self._merge()

    def _go_back(self) -> None:
        self._asked += 1
        if self.page == "result" and self.plan is not None:
            self._say_choices(self.plan)
            self.choices.take_keyboard()
        else:
            self._show_target()

    def _swap(self) -> None:
        [source] = self._sources
        self._sources, self._target = (self._target,), source
        self.target_page.leave_out(self._sources)
        self._read()

    # -- the merge -------------------------------------------------------------------------------

    def _merge(self) -> None:
        plan = self.plan
        assert plan is not None
        self.next.setEnabled(False)
        self._apply(payload_of(plan, self.choices.chosen()), bool(plan.warnings), self._done,
                    self._failed)

    def _operate(
        self, payload: dict[str, object], force: bool, done: Callable[[object], None],
        failed: Callable[[BaseException], None],
    ) -> None:
        operate(self._context, "merge_entities", payload, force=force, done=done, failed=failed,
                check=self._check)

    def _check(self, reader: Reader) -> None:
        """Refuse where they say something else by now than was shown."""
        plan = self.plan
        assert plan is not None
        if merge_plan(reader, plan.target.id, [one.id for one in plan.sources]) != plan:
            raise changed_since_shown()

    def _done(self, _outcome: object) -> None:
        target = self._target
        self.accept()
        self._context.selection.select_entity(target)

    def _failed(self, error: BaseException) -> None:
        self._error.setText(words_of(error))
        self._error.show()
        self.fit_wrapped_text()
        self.next.setEnabled(True)
        if isinstance(error, OperationError) and error.status == 404:
            self.next.setEnabled(False)


def merge_into(
    context: Context, sources: Sequence[str], target: str = "", *, apply: Apply | None = None
) -> MergeWizard:
    """Open the wizard over the window."""
    wizard = MergeWizard(context, sources, target, apply=apply)
    wizard.open()
    return wizard
