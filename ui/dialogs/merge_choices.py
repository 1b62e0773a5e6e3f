"""The merge wizard's second page: what holds where the entities differ."""

from functools import partial

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QFrame, QGridLayout, QLineEdit, QWidget

from core.model.text_formatting import one_line
from core.model.times import ago
from core.review.merge_conflicts import Colliding, MergePlan, Side
from ui.models.merge import Choice, Option, Way, options_of, title_of
from ui.widgets.buttons import ComboBox, push_button
from ui.widgets.labels import label
from ui.widgets.layouts import column_layout, put, row_layout
from ui.widgets.link_button import link_button
from ui.widgets.scroll_column import ScrollColumn

LISTED = 40
"""Claims that are shown at a time; the rest keep both as versions until they are shown."""


class ClaimChoice(QFrame):
    """One claim: what each says, and the way to settle it."""

    def __init__(self, claim: Colliding) -> None:
        super().__init__()
        self.claim = claim
        self.options = options_of(claim)
        self.box = ComboBox()
        self.box.addItems([option.words for option in self.options])
        self.box.setAccessibleName(f"What holds of {title_of(claim)}")
        self.box.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.text = QLineEdit()
        self.text.setPlaceholderText("What the claim says instead")
        self.text.setAccessibleName(f"Own words for {title_of(claim)}")
        self.text.hide()
        self._missing = label("Own words are empty", "bad")
        self._missing.hide()
        sides = QGridLayout()
        sides.setHorizontalSpacing(12)
        sides.setVerticalSpacing(2)
        for at, side in enumerate(claim.values):
            sides.addWidget(label(_who(side), "caption"), at, 0, Qt.AlignmentFlag.AlignTop)
            sides.addWidget(label(side.content, wrap=True, selectable=True), at, 1)
        sides.setColumnStretch(1, 1)
        put(column_layout(self, (0, 6, 8, 8), 4), label(title_of(claim), "head", wrap=True), sides,
            self.box, self.text, self._missing)
        self.box.currentIndexChanged.connect(self._changed)
        self.text.textChanged.connect(self._missing.hide)

    @property
    def option(self) -> Option:
        return self.options[self.box.currentIndex()]

    def choice(self) -> Choice:
        return Choice(self.option, self.text.text())

    def take(self, way: Way, entity_id: str = "") -> None:
        """Choose this way, if the claim has it."""
        owners = {side.id: side.entity_id for side in self.claim.values}
        for at, option in enumerate(self.options):
            if option.way == way and entity_id in ("", owners.get(option.id, "")):
                self.box.setCurrentIndex(at)
                return

    def complain(self) -> bool:
        """Say that words are missing; True if they are."""
        missing = self.option.way == "own" and not self.text.text().strip()
        self._missing.setVisible(missing)
        if missing:
            self.text.setFocus()
        return missing

    def _changed(self, *_: object) -> None:
        own = self.option.way == "own"
        self.text.setVisible(own)
        self._missing.hide()
        if own:
            if not self.text.text():
                self.text.setText(self.claim.newest.content)
            self.text.setFocus()
            self.text.selectAll()


def _who(side: Side) -> str:
    kind = " (rule)" if side.kind == "constraint" else ""
    return f"{one_line(side.entity_name, 40)}{kind} · {ago(side.updated_at)}"


class ChoicesPage(QWidget):
    """The claims that collide, and a way for all of them at once."""

    def __init__(self) -> None:
        super().__init__()
        self.column = ScrollColumn("Claims that collide", margins=(0, 4, 8, 4))
        self.rows: list[ClaimChoice] = []
        self._plan: MergePlan | None = None
        self._owner = ""
        """Whose values hold in all claims; empty for both as versions."""
        self.warning = label(role="proposal", wrap=True)
        self.all_buttons = [push_button("", partial(self._take_all, at)) for at in range(3)]
        self._bar = QWidget()
        put(row_layout(self._bar, (0, 0, 0, 0), 6), label("All:", "caption"), *self.all_buttons,
            None)
        put(column_layout(self, (0, 0, 0, 0), 6), self.warning, self._bar, (self.column, 1))

    def take_keyboard(self) -> None:
        if self.rows:
            self.rows[0].box.setFocus()

    def show_plan(self, plan: MergePlan) -> None:
        """Show what collides, all as versions to begin with."""
        self._plan, self._owner = plan, ""
        self.rows = [ClaimChoice(claim) for claim in plan.claims[:LISTED]]
        self.warning.setText("⚠ " + "; ".join(plan.warnings))
        self.warning.setVisible(bool(plan.warnings))
        self._bar.setVisible(len(plan.claims) > 1 and len(plan.sources) == 1)
        if plan.sources:
            names = (f"Only {one_line(plan.target.name, 24)}",
                     f"Only {one_line(plan.sources[0].name, 24)}", "Both as versions")
            for button, words in zip(self.all_buttons, names, strict=True):
                button.setText(words.replace("&", "&&"))
        self._fill()

    def chosen(self) -> list[Choice]:
        """One choice for each claim, also for those that were not shown."""
        plan = self._plan
        assert plan is not None
        shown = [row.choice() for row in self.rows]
        return shown + [Choice(self._default(claim)) for claim in plan.claims[len(shown):]]

    def complain(self) -> bool:
        """Say where words are missing; True if they are."""
        return sum(row.complain() for row in self.rows) > 0

    def _default(self, claim: Colliding) -> Option:
        """What holds for the claims below those that are shown: what was said for all."""
        options, owner = options_of(claim), self._owner
        sides = {side.id: side.entity_id for side in claim.values}
        return next((option for option in options if owner and option.way == "keep"
                     and sides[option.id] == owner), options[0])

    def _take_all(self, at: int) -> None:
        plan = self._plan
        assert plan is not None
        self._owner = (plan.target.id, plan.sources[0].id, "")[at]
        for row in self.rows:
            if self._owner:
                row.take("keep", self._owner)
            else:
                row.take("newer")

    def _fill(self) -> None:
        plan = self._plan
        assert plan is not None
        with self.column.filling() as column:
            if not plan.claims:
                column.addWidget(label("Nothing has to be chosen.", "soft"))
            for row in self.rows:
                column.addWidget(row)
            if len(self.rows) < len(plan.claims):
                column.addWidget(link_button(
                    f"{len(self.rows):,} of {len(plan.claims):,} claims · show more",
                    self._show_more), 0, Qt.AlignmentFlag.AlignLeft)

    def _show_more(self) -> None:
        plan = self._plan
        assert plan is not None
        for claim in plan.claims[len(self.rows):len(self.rows) + LISTED]:
            row = ClaimChoice(claim)
            if self._owner:
                row.take("keep", self._owner)
            self.rows.append(row)
        scrolled = self.column.verticalScrollBar().value()
        for row in self.rows:
            row.setParent(None)
        self._fill()
        self.column.verticalScrollBar().setValue(scrolled)
