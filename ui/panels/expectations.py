"""Expectations: what must, or must not, come for a question, and whether it does."""

from collections.abc import Iterator
from typing import ClassVar

from PySide6.QtWidgets import QWidget

from core.expectations.store import remove_expectation
from core.model.changes import Changes
from core.model.expectation import CLAIM, CheckedExpectation
from core.model.text_formatting import counted, one_line
from ui.action import Action
from ui.context import Context
from ui.panel import Panel
from ui.widgets.layouts import column_layout, put
from ui.widgets.scored_list import ScoredList, ScoredRow

EMPTY = ("Write down what must come for a question: in “What the agent sees”, right-click a line, "
         "or press Y (must come) or U (must not). Each change is then checked against it.")
BY = "window"
Act = Action["Expectations"]


class Expectations(Panel):
    """Those that fail come first, with why and what came instead; Enter goes to the target."""

    name: ClassVar[str] = "expectations"
    shows: ClassVar[frozenset[str]] = frozenset(("expectations",))
    ACTIONS = (
        Act("expectations.remove", "Remove the expectation", lambda panel: panel.remove(),
            ("Delete",), "archive"),
    )

    def __init__(self, context: Context, parent: QWidget | None = None) -> None:
        super().__init__(context, parent)
        self.list = ScoredList(context.theme, "Expectations")
        put(column_layout(self.body, (0, 2, 0, 0)), self.list)
        self.list.opened.connect(self._open)
        context.expectations.changed.connect(self._show)
        self.show_state("loading", "Checking what must come…")

    def refresh(self, changes: Changes | None) -> None:
        watch = self.context.expectations
        if watch.ready:
            self._show(watch.checked)
        else:
            watch.look()

    def glance(self, changes: Changes | None) -> None:
        self._tell_badge()

    def focus(self) -> None:
        self.list.setFocus()

    def remove(self) -> None:
        """Remove the current one, as a step that can be undone."""
        row = self.list.current
        if row is None:
            self.context.say("Select an expectation first")
            return
        self.context.runner.write(
            f"Remove the expectation for “{one_line(row.text, 60)}”",
            lambda writer: remove_expectation(writer, row.id), initiator=BY)

    def _show(self, checked: tuple[CheckedExpectation, ...]) -> None:
        self._tell_badge()
        if not checked:
            self.list.show_rows(())
            self.show_state("empty", EMPTY)
            return
        self.list.show_rows(tuple(_rows(checked)))
        self.show_state("ready")

    def _tell_badge(self) -> None:
        failing = len(self.context.expectations.failing)
        self.badged.emit(str(failing) if failing else "")

    def _open(self, row: ScoredRow) -> None:
        """Go to the target of a line."""
        each = next((one for one in self.context.expectations.checked
                     if one.expectation.id == row.id), None)
        if each is None:
            return
        if each.target.entity_id:
            self.context.selection.select_entity(each.target.entity_id)
        if each.expectation.kind != CLAIM:
            self.context.selection.select_memory(each.expectation.target_id)


def _rows(checked: tuple[CheckedExpectation, ...]) -> Iterator[ScoredRow]:
    """The failing ones under their head, then those that hold."""
    for head, holds in (("Fail", False), ("Hold", True)):
        these = [each for each in checked if each.holds == holds]
        if these:
            yield ScoredRow(head, head, counted(len(these), "expectation"), head=True)
            yield from map(_row, these)


def _row(each: CheckedExpectation) -> ScoredRow:
    """The question; below why it fails, then what must come and of which entity."""
    one, target = each.expectation, each.target
    wanted = f"{one.word}: {target.text or one.target_id}"
    came = "".join(f"\nCame instead: {line}" for line in each.came)
    below = " · ".join(filter(None, (each.why, wanted, target.entity_name)))
    return ScoredRow(one.id, one.question, below,
                     "✓" if each.holds else "✗", why=came.strip(), kind="expectation")
