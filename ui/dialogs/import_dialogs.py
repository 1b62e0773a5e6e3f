"""Where an imported file goes, and what of it could not be taken."""

from collections import Counter
from collections.abc import Callable, Sequence
from functools import partial
from itertools import islice
from pathlib import Path

from msgspec import Struct
from PySide6.QtCore import QSignalBlocker, Qt, Signal
from PySide6.QtWidgets import QWidget

from core.constellation.import_preview import ImportSky
from core.constellation.scene import Scene
from core.constellation.type_numbers import numbered
from core.errors import ConstellationError
from core.model.entity import Agent
from core.model.text_formatting import counted, one_line, unturned
from core.queries.graph_difference import Change
from core.transfer.import_report import ImportReport
from core.workspace import Workspace
from ui.constellation.frame import Found
from ui.constellation.layers import legend
from ui.constellation.view import SkyView
from ui.error_words import what_to_do, words_of
from ui.screen_fit import TITLE_BAR, free_area, keep_on_screen
from ui.theme import Theme, body_font, load_theme
from ui.widgets.buttons import ComboBox, push_button
from ui.widgets.dialogs import Dialog, TextDialog, read_only_text
from ui.widgets.labels import label, set_tip
from ui.widgets.layouts import column_layout, put, row_layout
from ui.widgets.tick_box import TickBox

WIDTH = 560
LISTED = 5000
SKY_LEAST, SKY_MOST = 120, 290
_PROMISE = ("Existing entries are not changed; importing the same file again adds nothing. "
            "The import can be undone in one step.")
_PROMISE_TO_ARCHIVE = ("No other existing entry is changed. The import and what it archives can be "
                       "undone in one step.")
_LOOKING = "Looking at what it holds…"
DETAILS_LEAST, DETAILS_HEIGHT = 64, 220


class Preview(Struct, frozen=True):
    """What a file is, what it holds, and what an import into the open graph would do.

    Attributes:
        title: what a person calls such a file.
        entities, values, links: how many of each it holds.
        report: what a dry run said; None where the file is too long to try.
        of_agent: False where the file says itself for which agents its rows are.
        sky: the sky as it would be; None where it is not drawn.
    """

    title: str
    entities: int
    values: int
    links: int
    report: ImportReport | None = None
    of_agent: bool = True
    sky: ImportSky | None = None

    @property
    def words(self) -> str:
        """`GraphML with 1 entity, 1 value and 2 links: all would be new`, or how many of each."""
        text = f"{self.title[:1].upper()}{self.title[1:]} with {_amounts(self)}"
        if self.report is None:
            return text
        new = (self.report.entities_new, self.report.values_new, self.report.links_new)
        if not any(new) and not self.report.rows_new:
            return f"{text}: nothing in it is new"
        if new == (self.entities, self.values, self.links):
            return f"{text}: all would be new"
        return f"{text}: {_amounts(Preview('', *new))} would be new"


def _amounts(preview: Preview) -> str:
    return (f"{counted(preview.entities, 'entity')}, {counted(preview.values, 'value')} and "
            f"{counted(preview.links, 'link')}")


class ImportDialog(Dialog):
    """Where a file goes: into the open graph or a new one, and for which agent."""

    agent_chosen = Signal(str)

    def __init__(
        self,
        path: Path,
        workspace: Workspace,
        here: Callable[[str, bool], None],
        new: Callable[[str], None],
        theme: Theme,
        parent: QWidget | None = None,
    ) -> None:
        """
        Args:
            here: imports into the open graph for an agent; also archives what is no longer in
                the file.
            new: asks for a new graph for an agent.
        """
        super().__init__("Import", parent, width=WIDTH)
        self.here_button = push_button(
            f"Into {workspace.path.name}".replace("&", "&&"),
            partial(self._choose, self._into_open_graph), "primary")
        self._here = here
        self.here_button.setAutoDefault(True)
        self.new_button = push_button("Into a new graph…", partial(self._choose, new))
        self.cancel_button = push_button("Cancel", self.reject)
        self.preview = label(_LOOKING, wrap=True)
        self._theme = theme
        self.sky: SkyView | None = None
        self._sky_words = label("", "soft", wrap=True)
        self._sky_area = QWidget()
        self._sky_column = column_layout(self._sky_area, (0, 0, 0, 0), 6)
        self._sky_column.addWidget(self._sky_words)
        self._sky_area.hide()
        self._agent = workspace.agent
        self.agents = ComboBox(self)
        self.agents.setEditable(True)
        self.agents.setInsertPolicy(ComboBox.InsertPolicy.NoInsert)
        self.agents.setAccessibleName("For the agent")
        set_tip(self.agents, "Choose an agent, or type the name of a new one")
        self.show_agents([Agent(self._agent, self._agent, 0)])
        self.agents.activated.connect(self._follow_agent)
        if (line := self.agents.lineEdit()) is not None:
            line.editingFinished.connect(self._follow_agent)
        self._agent_row = QWidget()
        put(row_layout(self._agent_row, (0, 0, 0, 0), 8), label("For the agent", "soft"),
            (self.agents, 1))
        self.details = read_only_text("What is left out or kept elsewhere")
        self.details.setFont(body_font())
        self.details.setMinimumHeight(DETAILS_LEAST)
        self.details.setMaximumHeight(DETAILS_HEIGHT)
        self.details.hide()
        self.archive_box = TickBox("")
        self.archive_box.hide()
        self.archive_box.toggled.connect(self._promise_for)
        self._promise = label(_PROMISE, "soft", wrap=True)
        put(column_layout(self, (22, 18, 22, 18), 10),
            label(f"Import {path.name}", "head", wrap=True), self.preview, self._sky_area,
            self.details, self.archive_box, self._agent_row, self._promise,
            put(row_layout(), self.cancel_button, None, self.new_button, self.here_button))
        self.here_button.setFocus()

    @property
    def agent(self) -> str:
        """For whom the things come in."""
        typed = self.agents.currentText().strip()
        place = self.agents.findText(typed)
        return str(self.agents.itemData(place)) if place >= 0 else typed

    def show_agents(self, agents: Sequence[Agent]) -> None:
        """List the agents of the file; what is chosen or typed stays."""
        typed = self.agents.currentText() or self._agent
        with QSignalBlocker(self.agents):
            self.agents.clear()
            for each in agents:
                self.agents.addItem(each.name, each.id)
            place = self.agents.findData(typed)
            self.agents.setEditText(self.agents.itemText(place) if place >= 0 else typed)

    def _follow_agent(self) -> None:
        """Another agent has other things already: look again."""
        if not self.agent:
            self.agents.setEditText(self._agent)
        if self.agent != self._agent:
            self._agent = self.agent
            self.preview.setText(_LOOKING)
            self.agent_chosen.emit(self._agent)

    def show_preview(self, preview: Preview) -> None:
        """Say what the file is and what an import would bring."""
        self.preview.setText(preview.words)
        text = unturned(details(preview.report)) if preview.report is not None else ""
        self.details.setPlainText(text)
        self.details.setVisible(bool(text))
        self._offer_to_archive(preview.report)
        self._agent_row.setVisible(preview.of_agent)
        self._show_sky(preview.sky)
        self._take_room()

    def _offer_to_archive(self, report: ImportReport | None) -> None:
        """Where lines are left out, what is missing may be among them."""
        gone = report.no_longer if report is not None and not report.problems else None
        self.archive_box.setVisible(gone is not None)
        if gone is None:
            self.archive_box.setChecked(False)
            return
        facts = "the fact" if gone.count == 1 else f"the {gone.count:,} facts"
        self.archive_box.setText(f"Archive {facts} that it no longer has")

    def _take_room(self) -> None:
        """As high as all of it needs, as far as the screen is."""
        layout = self.layout()
        if layout is not None:
            layout.activate()
        room = free_area(self).height() - TITLE_BAR.height()
        self.resize(self.width(), min(self.sizeHint().height(), room))
        keep_on_screen(self)

    def _show_sky(self, after: ImportSky | None) -> None:
        """Draw the sky as it would be, in a view of its own that can be moved and zoomed."""
        self._sky_area.setVisible(after is not None)
        if after is None:
            return
        if self.sky is None:
            self.sky = SkyView(_with_types(self._theme, after.scene), reduced_motion=True)
            self.sky.bare = True
            self.sky.setMinimumHeight(SKY_LEAST)
            self.sky.setMaximumHeight(SKY_MOST)
            self.sky.setFocusPolicy(Qt.FocusPolicy.ClickFocus)
            self.sky.setAccessibleName("The sky after the import")
            self._sky_column.insertWidget(0, self.sky)
            self.sky.show()
        self.sky.set_scene(after.scene)
        self.sky.compare(after.marks)
        self.sky.show_found(Found(after.marks.changes))
        self._sky_words.setText(_sky_words(after))

    def show_fault(self, error: BaseException) -> None:
        """Say why there is nothing to import; the only button left closes."""
        self.preview.setText(f"{error.what}. {what_to_do(error)}"
                             if isinstance(error, ConstellationError) else words_of(error))
        for button in (self.here_button, self.new_button):
            button.setEnabled(False)
        for widget in (self.here_button, self.new_button, self._agent_row, self._promise):
            widget.hide()
        self.cancel_button.setText("Close")
        self.adjustSize()

    def _promise_for(self, archives: bool) -> None:
        self._promise.setText(_PROMISE_TO_ARCHIVE if archives else _PROMISE)

    def _into_open_graph(self, agent: str) -> None:
        self._here(agent, self.archive_box.isChecked())

    def _choose(self, way: Callable[[str], None]) -> None:
        agent = self.agent or self._agent
        self.accept()
        way(agent)


def _with_types(theme: Theme, scene: Scene) -> Theme:
    """The theme with the colours and signs that the file's own types will have."""
    own = load_theme(theme.name)
    counts = sorted(legend.types(scene), key=lambda each: (-each[1], each[0]))
    own.number_types(numbered([word for word, _ in counts], theme.type_numbers, own.types))
    return own


def _sky_words(after: ImportSky) -> str:
    """`In the sky: + 4 entities would come, ▲ 1 entity would get more`."""
    many = Counter(after.marks.changes.values())
    signs: tuple[tuple[Change, str], ...] = (("added", "+"), ("changed", "▲"))
    return "In the sky: " + ", ".join(
        f"{sign} {counted(many[change], 'entity')} {after.marks.words[change]}"
        for change, sign in signs if many[change])


class ReportDialog(TextDialog):
    """What was left out, and why, and what was taken otherwise."""

    def __init__(self, path: Path, report: ImportReport, parent: QWidget | None = None) -> None:
        super().__init__(f"Imported {path.name}", parent, details(report), "What to know",
                         label(_head(report), "head", wrap=True))
        self.text.setFont(body_font())
        self.resize(620, 420)


def details(report: ImportReport) -> str:
    """What is left out, what is taken otherwise than it is written, and what to look at."""
    groups = (("Left out", _left_out(report)), ("Taken, but otherwise than it is written",
                                                _otherwise(report)),
              ("No longer in it, and still told", _no_longer(report)),
              ("To look at", _to_look_at(report)))
    return "\n\n".join("\n".join((f"{head}:", *(f"  {line}" for line in lines[:LISTED])))
                       for head, lines in groups if lines)


def _left_out(report: ImportReport) -> list[str]:
    skipped = f"{report.skipped:,} were archived or deleted before and are not imported"
    return [*(f"{report.places.where(p.line)}: {p.words}"
              for p in report.problems[:LISTED]),
            *(f"{report.places.where(each.line)}: {each.words}"
              for each in report.archived[:LISTED]),
            *report.rows_kept, *((skipped,) if report.skipped else ())]


def _otherwise(report: ImportReport) -> list[str]:
    return [*islice(report.changed(), LISTED),
            *(f"“{name}” appears only in a relation: added as an entity of unknown type"
              for name in report.dangling[:LISTED]),
            *(f"“{one_line(words, 60)}” is kept as the words of a link “related to”"
              for words in report.kept_words[:LISTED])]


def _no_longer(report: ImportReport) -> list[str]:
    gone = report.no_longer
    return [] if gone is None or gone.archived else [line.strip() for line in gone.lines()[1:]]


def _to_look_at(report: ImportReport) -> list[str]:
    return [*(each.words for each in report.secrets),
            *(f"“{one_line(one.newer, 60)}” seems to take back “{one_line(one.older, 60)}”: "
              "decide it under Proposals" for one in report.disputes[:LISTED]),
            *(each.words for each in report.full)]


def _head(report: ImportReport) -> str:
    if report.rows_kept:
        return "Some rows of the bundle stay as they are here, or have no place"
    if report.secrets and not report.problems:
        many = counted(len(report.secrets), "text may be a key or a password",
                       "texts may be keys or passwords")
        return f"Everything was imported; {many}"
    if not report.problems and report.disputes:
        rules = counted(len(report.disputes), "rule is", "rules are")
        return f"Everything was imported; {rules} disputed now"
    if not report.problems and report.no_longer is not None:
        return f"Everything was imported; {report.no_longer.head}"
    if not report.problems:
        return "Everything was imported" + (
            "; some names appear only in relations" if report.dangling else
            "; some names became one, or are archived")
    n = len(report.problems)
    what = "1 line or field was" if n == 1 else f"{n:,} lines or fields were"
    return f"{what} left out; the rest was imported"
