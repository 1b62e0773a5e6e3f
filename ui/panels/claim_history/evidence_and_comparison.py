"""The right columns of the claim history: a version's evidence, comparison, restoring."""

from collections.abc import Sequence
from functools import partial

from PySide6.QtCore import QAbstractListModel, QModelIndex, QPersistentModelIndex, Qt, Signal
from PySide6.QtWidgets import QWidget

from core.model.claims_and_assertions import Assertion, Version
from core.model.proposal import Evidence, Proposal
from core.model.text_formatting import one_line
from ui.models.claim_history import History, VersionEvidence, proposal_line, stance, valid_words
from ui.models.evidence_wording import OPENABLE, source_words
from ui.models.inspector_facts import voices_words
from ui.models.time_wording import day
from ui.theme import Theme
from ui.widgets.buttons import ComboBox, push_button
from ui.widgets.flow_layout import FlowLayout
from ui.widgets.highlighted_text import QuotedText
from ui.widgets.labels import SectionHead, label
from ui.widgets.layouts import column_layout, put, row_layout
from ui.widgets.lines_of_text import shrinking
from ui.widgets.link_button import link_button
from ui.widgets.scroll_column import Quote, ScrollColumn
from ui.widgets.word_diff import DiffLabel

MEASURED = 100
"""Versions that the list to compare with is as wide as all of."""


class EvidenceView(ScrollColumn):
    """Evidence, proposal and voices of one version."""

    opened = Signal(str)
    """The person wants to see this memory."""
    record_wanted = Signal(object)
    """The person wants to say who said what of this value."""
    voice_menu_wanted = Signal(object, object)
    """The person wants the menu of this voice, below this button."""
    detached = Signal(str, str)
    """This value is no longer to rest on this source."""

    def __init__(self, theme: Theme) -> None:
        super().__init__("Evidence for the version", margins=(18, 10, 14, 8))
        self._theme = theme
        self._value = ""

    def show_ground(self, version: Version, ground: VersionEvidence, history: History) -> None:
        self._value = version.value.id
        pieces = [*map(self._quote, ground.evidence),
                  *([self._proposal(ground.proposal)] if ground.proposal else [])]
        with self.filling() as column:
            put(column, SectionHead(f"Evidence for version {version.value.version}"),
                *(pieces or [label("No evidence recorded", "soft", wrap=True)]))
            put(column, 6, SectionHead(_said(history.voices)), *map(self._voice, history.voices))
            record = link_button("Record what is said of it…", partial(
                self.record_wanted.emit, version.value))
            put(column, (record, 0, Qt.AlignmentFlag.AlignLeft))

    def show_nothing(self) -> None:
        with self.filling():
            pass  # An empty column.

    def _quote(self, piece: Evidence) -> QWidget:
        quote = Quote()
        passage = QuotedText(self._theme)
        passage.set_passage(piece.quote, piece.text)
        quote.column.addWidget(passage)
        quote.column.addWidget(label(source_words(piece), "caption", wrap=True))
        foot = row_layout(spacing=12)
        if piece.source_id and piece.kind != "ontology_proposal" and self._value:
            foot.addWidget(link_button("detach", partial(
                self.detached.emit, self._value, piece.source_id)))
        if piece.kind in OPENABLE and piece.source_id:
            foot.addWidget(link_button("open ↗", partial(self.opened.emit, piece.source_id)))
        foot.addStretch(1)
        quote.column.addLayout(foot)
        return quote

    def _voice(self, voice: Assertion) -> QWidget:
        word, role = stance(voice)
        over = voice.status != "active"
        box = QWidget()
        more = link_button("…", lambda: self.voice_menu_wanted.emit(voice, more))
        more.setAccessibleName(f"What to do with “{one_line(voice.content, 60)}”")
        row = put(row_layout(spacing=6), label(word, "soft" if over else role),
                  shrinking(one_line(voice.speaker or voice.created_by or "someone", 60), ""),
                  label(f"{day(voice.asserted_at)}{f' · {voice.status}' if over else ''}",
                        "soft"), None, more)
        put(column_layout(box, (0, 0, 0, 0), 0), row,
            label(voice.content, "soft", wrap=True, selectable=True))
        return box

    def _proposal(self, proposal: Proposal) -> QWidget:
        quote = Quote()
        quote.column.addWidget(label(proposal_line(proposal), "soft", wrap=True, selectable=True))
        if proposal.rationale:
            quote.column.addWidget(label(proposal.rationale, wrap=True, selectable=True))
        return quote


class OtherVersions(QAbstractListModel):
    """The versions but one, as a list to choose from: each is put in words when it is shown."""

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self._versions: Sequence[Version] = ()
        self._history: History | None = None
        self._left_out = 0

    def show_versions(self, history: History, left_out: str) -> None:
        """List all but that one."""
        self.beginResetModel()
        self._history, self._versions = history, history.versions
        place = history.place_of(left_out)
        self._left_out = len(self._versions) if place is None else place
        self.endResetModel()

    def rowCount(  # noqa: N802
        self, parent: QModelIndex | QPersistentModelIndex = QModelIndex()  # noqa: B008
    ) -> int:
        return len(self._versions) - (self._left_out < len(self._versions))

    def data(
        self, index: QModelIndex | QPersistentModelIndex, role: int = Qt.ItemDataRole.DisplayRole
    ) -> object:
        if not index.isValid() or role not in (Qt.ItemDataRole.DisplayRole,
                                               Qt.ItemDataRole.UserRole):
            return None
        one = self._versions[index.row() + (index.row() >= self._left_out)]
        return one.value.id if role == Qt.ItemDataRole.UserRole else (
            f"v{one.value.version} · {day(one.when)}")

    def row_of(self, id: str) -> int:
        """The row of a version, -1 if it is not listed."""
        place = self._history.place_of(id) if self._history is not None else None
        if place is None:
            return -1
        return -1 if place == self._left_out else place - (place > self._left_out)


class CompareView(ScrollColumn):
    """Puts an old version back, and compares any two."""

    restore_wanted = Signal(str)

    def __init__(self, theme: Theme) -> None:
        super().__init__("Restore and compare", margins=(18, 12, 14, 8))
        self._history: History | None = None
        self._version: Version | None = None
        self._other = ""
        self.restore_button = push_button("Restore", self._restore)
        self.refusal = label(role="bad", wrap=True, selectable=True)
        self.others = ComboBox()
        self.others.setAccessibleName("The version to compare with")
        self._listed = OtherVersions(self)
        self.others.setModel(self._listed)
        self._compared = label()
        self._words = DiffLabel(theme)
        self._valid = label(role="soft", wrap=True)
        self._comparing = QWidget()
        self._lay_out_comparing()
        with self.filling() as column:
            column.setSpacing(8)
            put(column, (self.restore_button, 0, Qt.AlignmentFlag.AlignLeft), self.refusal,
                self._comparing, self._valid)
        self.others.activated.connect(self._compare_with)

    @property
    def words(self) -> str:
        return self._words.text()

    def show_version(self, history: History, version: Version) -> None:
        """Offer what can be done with this version."""
        if self._version is None or self._version.value.id != version.value.id:
            self.say_refusal("")
        self._history, self._version = history, version
        target = history.to_restore(version)
        number = target.value.version if target else version.value.version
        self.restore_button.setText(f"Restore version {number}")
        self.restore_button.setEnabled(target is not None)
        self._valid.setText(valid_words(version))
        self._fill_others(history, version)
        self._compare()

    def show_nothing(self) -> None:
        self._history = self._version = None
        self.restore_button.setEnabled(False)
        self.restore_button.setText("Restore")
        self._comparing.hide()
        self._valid.setText("")
        self.say_refusal("")

    def say_refusal(self, text: str) -> None:
        self.refusal.setText(text)
        self.refusal.setVisible(bool(text))

    def _lay_out_comparing(self) -> None:
        pair = QWidget()
        flow = FlowLayout(pair)
        flow.addWidget(self._compared)
        flow.addWidget(self.others)
        put(column_layout(self._comparing, (0, 0, 0, 0)), pair, self._words)

    def _fill_others(self, history: History, version: Version) -> None:
        # Before they are listed: a list that is as wide as its widest line measures all of them.
        few = len(history.versions) <= MEASURED
        policy = ComboBox.SizeAdjustPolicy
        self.others.setSizeAdjustPolicy(policy.AdjustToContents if few
                                        else policy.AdjustToMinimumContentsLengthWithIcon)
        self._listed.show_versions(history, version.value.id)
        count = self._listed.rowCount()
        self.others.setMinimumContentsLength(0 if few else max(
            len(self.others.itemText(at)) for at in (0, count - 1)))
        self._comparing.setVisible(bool(count))
        at = self._listed.row_of(self._other) if self._other else -1
        if at < 0:  # What the button would change is seen before it is pressed.
            exchanged = history.exchanged(version)
            at = self._listed.row_of(exchanged.value.id) if exchanged is not None else -1
        self.others.setCurrentIndex(at if at >= 0 else count - 1)
        self._compared.setText(f"Compare v{version.value.version} with")

    def _compare_with(self, _at: int) -> None:
        self._other = self.others.currentData() or ""
        self._compare()

    def _compare(self) -> None:
        history, version = self._history, self._version
        if history is None or version is None:
            return
        other = history.version(self.others.currentData() or "")
        if other is not None:
            self._words.set_texts(other.value.content, version.value.content)

    def _restore(self) -> None:
        if self._history is not None and self._version is not None:
            target = self._history.to_restore(self._version)
            if target is not None:
                self.restore_wanted.emit(target.value.id)


def _said(voices: tuple[Assertion, ...]) -> str:
    """`Assertions: 2 agree, 1 against`."""
    now = [voice for voice in voices if voice.status == "active"]
    against = sum(voice.disagrees for voice in now)
    words = voices_words(len(now) - against, against)
    return f"Assertions: {words}" if words else "Assertions"
