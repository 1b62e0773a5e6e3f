"""What changed: since the last visit, or since the moment that is shown."""

from collections.abc import Iterator, Mapping
from functools import partial
from itertools import groupby
from typing import ClassVar

from PySide6.QtWidgets import QWidget

from core.constellation.change_marks import ChangeMarks
from core.model.changes import Changes
from core.model.entity import Agent
from core.model.text_formatting import counted, one_line
from core.past.compared_marks import compared_marks
from core.past.compared_states import (
    Compared,
    compare_again,
    compare_agents,
    compare_with_now,
)
from core.queries.graph_difference import CHANGES, Change, Difference, counts_of
from core.queries.stats import list_agents
from ui.context import Context
from ui.error_words import words_of
from ui.panel import Panel
from ui.panels.sky_highlight import SkyHighlight
from ui.runner import Job
from ui.thread_bridge import merge
from ui.widgets.buttons import ComboBox, push_button
from ui.widgets.labels import label
from ui.widgets.layouts import column_layout, put, row_layout
from ui.widgets.scored_list import ScoredList, ScoredRow

NEVER = ("Nothing to compare with yet: each time that you leave this graph, the moment is noted. "
         "To compare with a day, choose it with the clock above.")
SIGNS = {"added": "+", "gone": "−", "changed": "△"}
"""The signs of the sky, before the words of the list."""
HERE, SHOWN = "since your last visit", "since the moment shown"
_MANY = {"entity": "entities", "claim": "claims", "constraint": "constraints", "link": "links",
         "pin": "pins"}
ONLY_THESE, ALL_LIT = "Only these are lit in the sky · light all", "Light only these in the sky"
MOST = 2000
"""Lines that are listed; the command line lists all."""


class WhatChanged(Panel):
    """Every difference under its entity; Enter goes there, and the sky lights them."""

    name: ClassVar[str] = "changes"
    shows: ClassVar[frozenset[str]] = frozenset((
        "entities", "entity_aspects", "entity_attributes", "entity_dependencies"))

    def __init__(self, context: Context, parent: QWidget | None = None) -> None:
        super().__init__(context, parent)
        self.list = ScoredList(context.theme, "Changes")
        self.other = ComboBox()
        self.other.setAccessibleName("Compare")
        self.other.activated.connect(lambda _index: self.refresh(None))
        self.compared: Compared | None = None
        self._highlight = SkyHighlight(self)
        self.summary = label(role="soft", wrap=True)
        self.narrow = push_button(ONLY_THESE, self._turn, "link")
        self._narrows = True
        head = put(row_layout(None, (14, 0, 14, 0), 12), (self.summary, 1), self.narrow,
                   self.other)
        put(column_layout(self.body, (0, 4, 0, 0), 4), head, self.list)
        self.list.opened.connect(self._open)
        self._reading = False
        self._changed: Changes | None = None
        """What was written since it was compared last; None where nothing was."""
        self._unknown = True
        """All is to be compared: another agent was chosen, or it is not known what was written."""
        self._choices: dict[str, str] = {}
        self._nothing = ""
        """What is said where there is no difference."""
        self.show_state("loading", "Comparing…")

    def refresh(self, changes: Changes | None) -> None:
        if changes is None:
            self._unknown = True
        else:
            self._changed = changes if self._changed is None else merge(self._changed, changes)
        if not self._reading:
            self._compare()

    def _compare(self) -> None:
        changed, self._changed = self._changed, None
        known = None if self._unknown else self.compared
        self._reading, self._unknown = True, False
        self.context.runner.read(list_agents, self._got_agents, key=(id(self), "agents"))
        self.context.runner.job(
            partial(_compare, self.context, self.other.currentData() or "", known, changed),
            self._got, self._failed)

    def focus(self) -> None:
        self.list.setFocus()

    def _got_agents(self, agents: list[Agent]) -> None:
        """What can be compared with; without another agent there is nothing to choose."""
        workspace, before = self.context.workspace, self.other.currentData() or ""
        choices = {"": SHOWN if workspace.past else HERE} | {
            agent.id: f"with {one_line(agent.name, 24)}" for agent in agents
            if agent.id != workspace.agent}
        if choices != self._choices:
            self._choices = choices
            self.other.clear()
            for id, words in choices.items():
                self.other.addItem(words, id)
            self.other.setCurrentIndex(max(self.other.findData(before), 0))
            self.other.setVisible(len(choices) > 1)
            if self._nothing:
                self._say_nothing(self._nothing)

    def _say_nothing(self, words: str) -> None:
        """That there is no difference to list; the choice stays where there is one."""
        self._nothing = words
        self.narrow.hide()
        self.summary.setText(words)
        self.list.show_rows(())
        if len(self._choices) > 1:
            self.show_state("ready")
        else:
            self.show_state("empty", words)

    def _got(self, result: tuple[Compared, ChangeMarks] | None) -> None:
        compared, marks = result or (None, None)
        self._reading, self.compared = False, compared
        self._highlight.mark(marks)
        if self._unknown or self._changed is not None:
            self._compare()
        if compared is None:
            self._light(())
            self._say_nothing(NEVER)
            return
        items = compared.items
        self._light(items)
        if not items:
            self._say_nothing(
                f"Nothing has changed since {compared.since_words}." if compared.since
                else f"{compared.agent} and {compared.other} know the same.")
            return
        self._nothing = ""
        self.narrow.show()
        kinds, words = counts_of(items), compared.words
        head = (f"Since {compared.since_words}" if compared.since
                else f"{compared.agent} and {compared.other}")
        self.summary.setText(f"{head}: " + ", ".join(
            f"{counted(kinds[what][change], what, _MANY[what])} {words[change]}"
            for what in kinds for change in CHANGES if kinds[what][change]))
        self.list.show_rows(tuple(_rows(items[:MOST], words)))
        self.show_state("ready")

    def _turn(self) -> None:
        """Light all of the sky, or again only what has changed."""
        self._narrows = not self._narrows
        self._light(self.compared.items if self.compared is not None else ())

    def _light(self, items: tuple[Difference, ...]) -> None:
        lit = dict.fromkeys(id for one in items for id in (one.entity_id, one.earlier_id)
                            if id) if self._narrows else ()
        self._highlight.light(tuple(lit))
        self.narrow.setText(ONLY_THESE if self._narrows else ALL_LIT)

    def _failed(self, error: BaseException) -> None:
        self._reading, self._unknown = False, True
        self.show_state("failed", words_of(error))

    def _open(self, row: ScoredRow) -> None:
        self.context.selection.select_entity(row.id.partition(" ")[0])


def _compare(
    context: Context, other: str, known: Compared | None, changed: Changes | None, _job: Job
) -> tuple[Compared, ChangeMarks] | None:
    """Both states and their marks; None where there is nothing to compare with.

    Args:
        known: what was compared last, if only `changed` was written since.
    """
    workspace, compared = context.workspace, None
    if known is not None and changed is not None and not other:
        compared = compare_again(workspace, known, changed)
    if compared is None:
        compared = compare_agents(workspace, other) if other else compare_with_now(workspace)
    if compared is None:
        return None
    return compared, compared_marks(compared, workspace.sidecar.positions())


def _rows(items: tuple[Difference, ...], words: Mapping[Change, str]) -> Iterator[ScoredRow]:
    """The entities with their differences; each is known by its entity and its number."""
    for (_, name), group in groupby(items, lambda one: (one.entity_id, one.entity_name)):
        differences = list(group)
        yield ScoredRow(name, name, counted(len(differences), "change"), head=True)
        for number, one in enumerate(differences):
            text = f"{one.before}  →  {one.after}" if one.change == "changed" else (
                one.after or one.before)
            yield ScoredRow(f"{one.earlier_id or one.entity_id} {number}",
                            text or one.where or one.entity_name,
                            f"{one.what} {one.where if text else ''}".strip(), "",
                            f"{SIGNS[one.change]} {words[one.change]}", kind="difference",
                            stays=words[one.change] != one.change)
