"""Docks, preferences, labels, chips, faces and themes, each by itself."""

from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from msgspec.structs import replace
from PySide6.QtCore import QByteArray, QEvent, QObject, Qt
from PySide6.QtWidgets import (
    QApplication,
    QDockWidget,
    QLabel,
    QMainWindow,
    QPlainTextEdit,
    QProgressBar,
    QPushButton,
    QVBoxLayout,
    QWidget,
)
from pytestqt.qtbot import QtBot
from shiboken6 import delete

from core.model.changes import Changes, CountChange
from core.model.entity import Counts
from tests.ui.conftest import settle
from ui.context import Context
from ui.dock import Dock
from ui.main_window import MainWindow
from ui.panel import Panel, PanelKind
from ui.preferences import KEPT_FILES, Preferences
from ui.theme import THEMES, Theme, contrast, dress, icon, load_theme
from ui.theme.apply_theme import stylesheet
from ui.theme.icons import ICONS
from ui.thread_bridge import merge
from ui.widgets.empty_states import Placeholder
from ui.widgets.filter_chips import ChipRow
from ui.widgets.glyph_paths import GLYPH_PATHS
from ui.widgets.labels import ElidedLabel, label, set_role, set_tip
from ui.widgets.layouts import column_layout, put
from ui.widgets.list_edges import Fades
from ui.widgets.meter_and_type_glyph import Meter, TypeGlyph
from ui.widgets.scroll_column import VerticalScrollArea
from ui.window_services import WindowServices

pytestmark = pytest.mark.usefixtures("every_panel")

READABLE = 4.5


class Painted(QObject):
    """The colours of the words of a label each time that a widget was painted."""

    def __init__(self, watched: QWidget, words: QLabel) -> None:
        super().__init__(watched)
        self.colors: list[str] = []
        self._words = words
        watched.installEventFilter(self)

    def eventFilter(self, _watched: QObject, event: QEvent) -> bool:  # noqa: N802
        if event.type() == QEvent.Type.Paint:
            self.colors.append(color_of(self._words))
        return False


class Seen(QObject):
    """Counts how often a widget was told that its colours changed."""

    def __init__(self, watched: QWidget) -> None:
        super().__init__(watched)
        self.changes = 0
        watched.installEventFilter(self)

    def eventFilter(self, _watched: QObject, event: QEvent) -> bool:  # noqa: N802
        self.changes += event.type() == QEvent.Type.PaletteChange
        return False


class Left(Panel):
    """A panel that counts its refreshes."""

    name, title, area = "left", "Left", "left"
    shows = frozenset({"entities"})

    def __init__(self, context: Context) -> None:
        super().__init__(context)
        self.heard: list[Changes | None] = []

    def refresh(self, changes: Changes | None) -> None:
        self.heard.append(changes)


class First(Left):
    name, title, area = "first", "First", "bottom"


class Second(Left):
    name, title, area = "second", "Second", "bottom"
    shows = frozenset({"memories"})


class Counting(Left):
    name, title, area = "counting", "Counting", "bottom"


def kind_of(panel: type[Panel]) -> PanelKind:
    return PanelKind(panel.name, panel.title, "entities", panel.area,
                     f"{__name__}:{panel.__name__}")


@pytest.fixture
def small(
    qtbot: QtBot, theme: Theme, preferences: Preferences, graph, tmp_path  # noqa: ANN001
) -> MainWindow:
    window = MainWindow(theme, preferences, WindowServices(make_demo=lambda: tmp_path),
                        tuple(map(kind_of, (Left, First, Second))))
    window.show()
    with qtbot.waitSignal(window.graph_shown):
        window.open_path(graph)
    settle(qtbot, window)
    qtbot.waitUntil(lambda: heard(window, "left") == [None])
    yield window
    window.close()
    window.deleteLater()


def heard(window: MainWindow, name: str) -> list[Changes | None]:
    panel = window.docks.panel(name)
    assert isinstance(panel, Left)
    return panel.heard


def test_a_panel_is_refreshed_when_its_table_changes(small: MainWindow) -> None:
    changes = Changes(frozenset({"entities"}), {"entities": frozenset({"x"})})
    small.docks.changed(changes)
    assert heard(small, "left") == [None, changes]


def test_a_panel_hears_nothing_of_other_tables(small: MainWindow) -> None:
    small.docks.changed(Changes(frozenset({"memories"})))
    assert heard(small, "left") == [None]


def test_a_hidden_panel_is_refreshed_once_when_it_is_shown(
    qtbot: QtBot, small: MainWindow
) -> None:
    assert small.docks.panel("second").visibleRegion().isEmpty()
    for _ in range(3):
        small.docks.changed(Changes(frozenset({"memories"})))
    assert heard(small, "second") == []
    small.show_panel("second")
    qtbot.waitUntil(lambda: heard(small, "second") == [None])
    small.show_panel("first")
    small.docks.changed(Changes(frozenset({"memories"}), {"memories": frozenset({"a"})}))
    small.docks.changed(Changes(frozenset({"memories"}), {"memories": frozenset({"b"})}))
    small.show_panel("second")
    qtbot.waitUntil(lambda: len(heard(small, "second")) == 2)
    last = heard(small, "second")[-1]
    assert last is not None
    assert last.ids["memories"] == {"a", "b"}


def test_hidden_panels_look_at_commits_that_follow_each_other_together(
    qtbot: QtBot, small: MainWindow, monkeypatch: pytest.MonkeyPatch
) -> None:
    looked: list[Changes | None] = []
    monkeypatch.setattr(small.docks.panel("second"), "glance", looked.append)
    for id in "abc":
        small.docks.changed(Changes(frozenset({"memories"}), {"memories": frozenset({id})}))
    assert [changes.ids["memories"] for changes in looked if changes] == [{"a"}]
    qtbot.waitUntil(lambda: len(looked) == 2)
    assert looked[1] is not None
    assert looked[1].ids["memories"] == {"b", "c"}
    small.docks.changed(Changes(frozenset(), external=True))
    assert len(looked) == 3


def test_a_panel_whose_tab_says_what_waits_is_made_before_the_others_out_of_sight(
    qtbot: QtBot, theme: Theme, preferences: Preferences, graph: Path, tmp_path: Path
) -> None:
    made: list[str] = []
    kinds = (Left, First, Second, Counting)
    window = MainWindow(theme, preferences, WindowServices(make_demo=lambda: tmp_path), tuple(
        replace(kind_of(kind), counts=kind is Counting) for kind in kinds))
    window.docks.made.connect(lambda panel: made.append(panel.name))
    window.show()
    window.open_path(graph)
    qtbot.waitUntil(lambda: len(made) == len(kinds))
    window.close()
    window.deleteLater()
    assert made.index("counting") < made.index("second")


def test_a_badge_is_on_the_tab(qtbot: QtBot, small: MainWindow) -> None:
    for number in ("12", "3"):
        small.docks.panel("first").badged.emit(number)
        qtbot.waitUntil(lambda n=number: n in [
            w.text() for w in small.findChildren(QLabel) if w.isVisible()])


def test_docks_are_found_where_they_were_left(
    qtbot: QtBot, small: MainWindow, preferences: Preferences
) -> None:
    docks = {dock.kind.name: dock for dock in small.findChildren(Dock)}
    small.addDockWidget(Qt.DockWidgetArea.RightDockWidgetArea, docks["left"])
    docks["second"].hide()
    small.close_graph()
    assert not preferences.bytes("docks").isEmpty()
    with qtbot.waitSignal(small.graph_shown):
        small.open_path(preferences.recent[0])
    settle(qtbot, small)
    assert small.dockWidgetArea(docks["left"]) == Qt.DockWidgetArea.RightDockWidgetArea
    assert docks["second"].isHidden()
    small.actions_.run("view.reset_places")
    assert small.dockWidgetArea(docks["left"]) == Qt.DockWidgetArea.LeftDockWidgetArea
    assert not docks["second"].isHidden()


def test_merged_changes_hold_what_either_touched() -> None:
    first = Changes(frozenset({"a"}), {"a": frozenset({"1"})}, "me", "One")
    second = Changes(frozenset({"a", "b"}), {"a": frozenset({"2"})}, "you", "Two")
    both = merge(first, second)
    assert both.tables == {"a", "b"}
    assert both.ids == {"a": {"1", "2"}}
    assert (both.initiator, both.label, both.external) == ("", "Two", False)
    assert merge(both, Changes(frozenset(), external=True)).touches("anything")
    unknown = merge(both, Changes(frozenset(both.tables)))
    assert unknown.tables == both.tables
    assert not any(unknown.ids.values())


def test_what_commits_add_to_the_counts_is_added_up_while_none_is_missing() -> None:
    first, second, later = (
        Changes(frozenset(), counted=CountChange(at, at + 1, Counts(entities=at)))
        for at in (1, 2, 4))
    assert merge(first, second).counted == CountChange(1, 3, Counts(entities=3))
    assert merge(second, later).counted is None
    assert merge(first, replace(second, counted=CountChange(2, 3))).counted == CountChange(1, 3)
    assert merge(first, Changes(frozenset(), external=True)).counted is None


def test_recent_files_are_few_and_newest_first(preferences: Preferences, tmp_path) -> None:  # noqa: ANN001
    for n in range(KEPT_FILES + 5):
        preferences.add_recent(tmp_path / f"{n}.db")
    preferences.add_recent(tmp_path / "7.db")
    assert preferences.recent[0] == tmp_path / "7.db"
    assert len(preferences.recent) == KEPT_FILES
    assert len(set(preferences.recent)) == KEPT_FILES


def test_preferences_outlive_the_window(tmp_path) -> None:  # noqa: ANN001
    first = Preferences(tmp_path / "w.ini")
    first.theme = "paper"
    first.put_bytes("docks", QByteArray(b"\x00\xff"))
    first.set_agent_for(tmp_path / "a b.db", "cl[au]de/1")
    first.sync()
    again = Preferences(tmp_path / "w.ini")
    assert again.theme == "paper"
    assert again.bytes("docks") == QByteArray(b"\x00\xff")
    assert again.agent_for(tmp_path / "a b.db") == "cl[au]de/1"


def test_a_damaged_preferences_file_means_first_settings(tmp_path) -> None:  # noqa: ANN001
    path = tmp_path / "w.ini"
    path.write_bytes(b"\x00\x01[[[files\nrecent={{{\n[files]\nrecent=nonsense\n")
    preferences = Preferences(path)
    assert preferences.recent == []
    assert preferences.theme == "system"


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], max_examples=25)
@given(st.text(max_size=400))
def test_any_text_can_be_shown(qtbot: QtBot, text: str) -> None:
    elided = ElidedLabel(text)
    elided.resize(60, 20)
    elided.grab()
    plain = label(text, wrap=True)
    plain.resize(80, 40)
    plain.grab()
    assert plain.textFormat() == Qt.TextFormat.PlainText
    set_tip(plain, text)
    elided.deleteLater()
    plain.deleteLater()


def test_markup_is_never_drawn_as_markup(qtbot: QtBot) -> None:
    hostile = "<img src='file:///etc/passwd'><b>bold</b>"
    made = label(hostile)
    qtbot.addWidget(made)
    assert made.text() == hostile
    set_tip(made, hostile)
    assert "<img" not in made.toolTip()
    assert "&lt;img" in made.toolTip()


def chip_row(qtbot: QtBot, count: int, width: int = 260) -> ChipRow:
    row = ChipRow()
    qtbot.addWidget(row)
    row.set_chips([(f"t{n}", f"type number {n}") for n in range(count)])
    row.resize(width, row.height())
    row.show()
    return row


def shown_chips(row: ChipRow) -> dict[str, QPushButton]:
    return {b.text(): b for b in row.findChildren(QPushButton) if b.isVisible()}


def test_chips_wrap_into_rows(qtbot: QtBot) -> None:
    row = chip_row(qtbot, 5)
    shown = shown_chips(row)
    assert set(shown) == {"all", *(f"type number {n}" for n in range(5))}
    assert all(row.rect().contains(chip.geometry()) for chip in shown.values())
    assert len({chip.y() for chip in shown.values()}) == 3
    chips = list(shown.values())
    assert not any(one.geometry().intersects(other.geometry())
                   for at, one in enumerate(chips) for other in chips[at + 1:])
    row.resize(900, row.height())
    assert len({chip.y() for chip in shown_chips(row).values()}) == 1
    assert row.height() == chips[0].height() + 4, "no room is left empty under them"


def test_a_narrow_row_still_shows_all_its_chips_inside(qtbot: QtBot) -> None:
    row = chip_row(qtbot, 12, 70)
    assert all(chip.geometry().right() < 70 for chip in shown_chips(row).values())


def test_every_chip_that_does_not_fit_can_be_chosen_in_the_last_one(qtbot: QtBot) -> None:
    row = chip_row(qtbot, 12)
    heard: list[tuple[str, ...]] = []
    row.chosen.connect(heard.append)
    shown = shown_chips(row)
    assert "…" in shown
    assert "type number 11" not in shown
    row._fill_menu()
    hidden = {action.text(): action for action in row._menu.actions()}
    assert {f"type number {n}" for n in range(12)} == ({*shown} | {*hidden}) - {"all", "…"}
    hidden["type number 11"].trigger()
    assert heard == [("t11",)]
    assert row.keys == ("t11",)
    assert shown["…"].isChecked()
    assert not shown["all"].isChecked()
    row._fill_menu()
    again = {action.text(): action for action in row._menu.actions()}["type number 11"]
    assert again.isChecked()
    again.trigger()
    assert row.keys == ()


def test_chips_keep_the_choice_when_they_are_set_again(qtbot: QtBot) -> None:
    row = ChipRow()
    qtbot.addWidget(row)
    row.set_chips([("a", "a"), ("b", "b")])
    row.choose("b")
    row.set_chips([("b", "b (2)"), ("c", "c")])
    assert row.keys == ("b",)


def test_the_three_faces_differ(qtbot: QtBot, theme: Theme) -> None:
    face = Placeholder(theme)
    qtbot.addWidget(face)
    done: list[str] = []
    face.show_state("empty", "Nothing here yet.", ("Begin", lambda: done.append("begun")))
    face.show()
    qtbot.mouseClick(face.button, Qt.MouseButton.LeftButton)
    assert done == ["begun"]
    empty = face.grab().toImage()
    face.show_state("loading", "Nothing here yet.")
    assert face.button.isHidden()
    assert face.grab().toImage() != empty
    face.show_state("failed", "It broke.", detail="trace <b>")
    assert "trace <b>" not in face.text


@pytest.mark.parametrize("name", THEMES)
@pytest.mark.parametrize("ground", ["surface", "raised", "selected"])
@pytest.mark.parametrize("token", ["text", "text.soft"])
def test_words_can_be_read(name: str, ground: str, token: str) -> None:
    theme = load_theme(name)
    assert contrast(theme.color(token), theme.color(ground)) >= READABLE


@pytest.mark.parametrize("name", THEMES)
@pytest.mark.parametrize("token", ["accent", "constraint", "proposal", "good", "bad"])
def test_coloured_words_can_be_read(name: str, token: str) -> None:
    theme = load_theme(name)
    assert contrast(theme.color(token), theme.color("surface")) >= READABLE


def test_both_themes_have_the_same_tokens() -> None:
    dusk, paper = (load_theme(name) for name in THEMES)
    assert dusk.tokens.keys() == paper.tokens.keys()
    assert dusk.types.keys() == paper.types.keys()


def test_every_type_has_a_colour_and_a_sign() -> None:
    assert GLYPH_PATHS.keys() == {
        "person", "project", "system", "tool", "concept", "skill", "task", "source", "artifact",
        "agent", "event", "policy"}
    assert GLYPH_PATHS.keys() <= load_theme("dusk").types.keys()
    theme = load_theme("dusk")
    assert theme.type_color("no such type") == theme.type_color("other")


@pytest.mark.parametrize("name", THEMES)
def test_the_stylesheet_has_no_colour_left_open(name: str) -> None:
    assert "@" not in stylesheet(load_theme(name))


def test_another_theme_moves_no_dock_and_asks_no_widget_again_for_each_it_lies_in(
    qtbot: QtBot, qapp: QApplication,
) -> None:
    window = QMainWindow()
    qtbot.addWidget(window)
    inner = box = QWidget()
    for _ in range(8):
        QVBoxLayout(box).addWidget(deeper := QWidget())
        box = deeper
    window.setCentralWidget(inner)
    docks = [QDockWidget(), QDockWidget()]
    window.addDockWidget(Qt.DockWidgetArea.LeftDockWidgetArea, docks[0])
    window.addDockWidget(Qt.DockWidgetArea.RightDockWidgetArea, docks[1])
    window.resize(700, 400)
    window.show()
    window.resizeDocks(docks, [150, 250], Qt.Orientation.Horizontal)
    qapp.processEvents()
    inner.setMinimumWidth(inner.width())
    qapp.processEvents()
    places, seen = [dock.geometry() for dock in docks], Seen(box)
    for name in ("paper", "dusk"):
        told = seen.changes
        dress(qapp, load_theme(name))
        qtbot.waitUntil(lambda before=told: seen.changes > before)
    qtbot.waitUntil(window.updatesEnabled)
    assert [dock.geometry() for dock in docks] == places
    assert 0 < seen.changes <= 2 * 2 * 2


def color_of(words: QLabel) -> str:
    return words.palette().color(words.foregroundRole()).name()


def test_nothing_is_painted_half_in_another_theme(qtbot: QtBot, qapp: QApplication) -> None:
    box = QWidget()
    qtbot.addWidget(box)
    lines = [label(f"Line {number}", "good") for number in range(4)]
    put(column_layout(box), *lines)
    with qtbot.waitExposed(box):
        box.show()
    painted = [Painted(line, line) for line in lines]
    for name in ("paper", "dusk", "paper"):  # The second one comes before the first is painted.
        dress(qapp, load_theme(name))
        for line in lines:
            line.update()
    qtbot.waitUntil(lambda: all(each.colors for each in painted))
    paper = load_theme("paper").color("good").name()
    assert {color for each in painted for color in each.colors} == {paper}
    assert box.updatesEnabled()
    dress(qapp, load_theme("dusk"))
    box.hide()
    qtbot.waitUntil(box.updatesEnabled)


def test_another_theme_is_on_what_is_seen_first_and_on_the_rest_soon(
    qtbot: QtBot, qapp: QApplication,
) -> None:
    box = QWidget()
    qtbot.addWidget(box)
    seen, hidden, anew = label("Seen", "good"), label("Hidden", "strong"), label("Anew", "strong")
    put(column_layout(box), seen, hidden, anew)
    box.show()
    hidden.hide()
    anew.hide()
    paper = load_theme("paper")
    good, text, soft = (paper.color(token).name() for token in ("good", "text", "text.soft"))
    dress(qapp, paper)
    qtbot.waitUntil(lambda: color_of(seen) == good)
    set_role(anew, role="soft")
    assert (color_of(anew), anew.font().bold()) == (soft, False)
    qtbot.waitUntil(lambda: color_of(hidden) == text)
    set_role(hidden, role="soft")
    assert (color_of(hidden), hidden.font().bold()) == (soft, False)
    dress(qapp, load_theme("dusk"))
    hidden.show()
    dress(qapp, paper)
    qtbot.waitUntil(lambda: color_of(hidden) == soft)
    gone = label("Gone", "good")
    gone.show()
    gone.hide()
    dress(qapp, load_theme("dusk"))
    delete(gone)
    qtbot.waitUntil(lambda: color_of(anew) == load_theme("dusk").color("text.soft").name())


def test_what_lies_beyond_the_edge_of_a_list_gets_another_theme_a_little_later(
    qtbot: QtBot, qapp: QApplication,
) -> None:
    area = VerticalScrollArea("Lines")
    qtbot.addWidget(area)
    lines = [label(f"Line {number}", "good") for number in range(60)]
    put(area.hold((0, 0, 0, 0)), *lines)
    area.resize(200, 100)
    area.show()
    qapp.processEvents()
    before, first = color_of(lines[-1]), Painted(lines[0], lines[-1])
    dress(qapp, load_theme("paper"))
    qtbot.waitUntil(lambda: bool(first.colors))
    assert color_of(lines[0]) == load_theme("paper").color("good").name()
    assert first.colors[0] == before
    qtbot.waitUntil(lambda: color_of(lines[-1]) == color_of(lines[0]))


def test_a_place_has_parts_for_waiting_failing_and_scrolling_once_it_needs_them(
    qtbot: QtBot, theme: Theme
) -> None:
    place = Placeholder(theme)
    qtbot.addWidget(place)
    place.show_state("empty", "Nothing yet")
    assert not place.findChildren(QPlainTextEdit)
    assert not place.findChildren(QProgressBar)
    place.show_state("loading", "Loading…")
    assert len(place.findChildren(QProgressBar)) == 1
    place.show_state("failed", "It broke", detail="line 1")
    assert [each.toPlainText() for each in place.findChildren(QPlainTextEdit)] == ["line 1"]
    text = QPlainTextEdit()
    qtbot.addWidget(text)
    Fades(text)
    text.resize(200, 60)
    text.show()
    parts = len(text.findChildren(QWidget))
    text.setPlainText("a line\n" * 40)
    qtbot.waitUntil(lambda: len(text.findChildren(QWidget)) == parts + 1)


def test_every_icon_is_in_the_font(qapp: object, theme: Theme) -> None:
    blank = icon(theme, "entities").pixmap(16, 16).toImage()
    blank.fill(Qt.GlobalColor.transparent)
    for name in ICONS:
        assert icon(theme, name).pixmap(16, 16).toImage() != blank, name


def test_an_icon_has_the_colours_of_the_theme_that_is_shown(qtbot: QtBot) -> None:
    theme = load_theme("dusk")
    made = icon(theme, "close", "text")
    dark = made.pixmap(16, 16).toImage()
    theme.become(load_theme("paper"))
    assert made.pixmap(16, 16).toImage() == icon(
        load_theme("paper"), "close", "text").pixmap(16, 16).toImage() != dark



@pytest.mark.parametrize("make", [
    lambda theme: Meter(theme, 0.5, "weight"),
    lambda theme: TypeGlyph(theme, "constraint"), lambda theme: TypeGlyph(theme, "event"),
])
def test_marks_are_drawn_in_the_theme(qtbot: QtBot, theme: Theme, make) -> None:  # noqa: ANN001
    mark: QWidget = make(theme)
    qtbot.addWidget(mark)
    mark.resize(mark.sizeHint())
    before = mark.grab().toImage()
    theme.become(load_theme("paper"))
    assert mark.grab().toImage() != before
    assert mark.accessibleName()
