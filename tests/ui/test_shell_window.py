"""The whole window on real files: open, fail, change, undo, follow others, close."""

import shutil
import sqlite3
from pathlib import Path
from threading import Event

import pytest
from PySide6.QtCore import QEvent, QMimeData, QObject, QPoint, QPointF, Qt, QUrl
from PySide6.QtGui import QDropEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QMenu, QMenuBar, QPushButton, QTabBar, QWidget
from pytestqt.qtbot import QtBot

from core.model.changes import Changes
from core.ontology import control
from core.queries.entities import find_entity
from core.queries.followed_counts import Followed, followed_counts
from core.store import migrate
from core.store.reader_and_writer import Reader
from core.workspace import Workspace
from tests.ui.browse_scene import OPENS_A_MENU
from tests.ui.conftest import settle, shown
from ui.dialogs.allow_file_changes import PermissionDialog
from ui.dialogs.import_dialogs import ImportDialog, ReportDialog
from ui.dialogs.operation import OperationDialog
from ui.main_window import MainWindow
from ui.menus import MENUS
from ui.panels import PANELS
from ui.panels.inspector.panel import Inspector
from ui.preferences import Preferences
from ui.runner import Job
from ui.theme import Theme, load_theme
from ui.widgets.buttons import on_click
from ui.window_services import WindowServices

pytestmark = pytest.mark.usefixtures("every_panel")


def select(qtbot: QtBot, window: MainWindow, name: str) -> str:
    session = window.session
    assert session is not None
    with session.workspace.read() as reader:
        row = find_entity(reader, name)
    with qtbot.waitSignal(session.selection.entity_loaded):
        session.selection.select_entity(row.id)
    return row.id


def pinned(window: MainWindow, name: str) -> bool:
    assert window.session is not None
    with window.session.workspace.read() as reader:
        return find_entity(reader, name).pinned


def dialog_of(window: MainWindow, kind: type) -> object:
    return next(child for child in window.findChildren(kind) if child.isVisible())


def test_a_start_without_a_file_offers_the_ways_on(window: MainWindow) -> None:
    assert window.central.currentWidget() is window.central.start
    assert window.actions_.action("file.open").isEnabled()
    assert not window.actions_.action("pins.toggle").isEnabled()
    assert not any(panel.isVisible() for panel in window.docks.panels)


def test_what_changes_while_rows_are_counted_is_counted_too(
    qtbot: QtBot, opened: MainWindow, monkeypatch: pytest.MonkeyPatch
) -> None:
    waits, go_on = Event(), Event()

    def count_slowly(*asked: object) -> Followed:
        total = followed_counts(*asked)
        waits.set()
        assert go_on.wait(30)
        return total

    opened.session.workspace.tells_counts = False
    pause = opened.session._count_pause
    qtbot.waitUntil(lambda: not pause.isActive())
    pause.setInterval(60_000)
    monkeypatch.setattr("ui.graph_session.followed_counts", count_slowly)
    add_entity(opened, "First")
    qtbot.waitUntil(waits.is_set)
    with qtbot.waitSignal(opened.session.bridge.changed):
        add_entity(opened, "Second")
    go_on.set()
    qtbot.waitUntil(lambda: opened.status.counts.text().startswith("4 entities"))
    opened.session._count_now()
    qtbot.waitUntil(lambda: opened.status.counts.text().startswith("5 entities"))


def test_what_has_been_counted_is_not_counted_again_for_what_came_meanwhile(
    qtbot: QtBot, opened: MainWindow, monkeypatch: pytest.MonkeyPatch
) -> None:
    session, go_on, counted = opened.session, Event(), list[Changes]()

    def count_slowly(reader: Reader, before: Followed | None, since: Changes) -> Followed:
        counted.append(since)
        assert go_on.wait(30)
        return followed_counts(reader, before, since)

    session.workspace.tells_counts = False
    session._count_pause.setInterval(0)
    qtbot.waitUntil(lambda: session.runner.idle and not session._count_pause.isActive())
    monkeypatch.setattr("ui.graph_session.followed_counts", count_slowly)
    session._count(Changes(frozenset(), external=True))
    qtbot.waitUntil(lambda: bool(counted))
    with qtbot.waitSignal(session.bridge.changed):
        add_entity(opened, "First")
    go_on.set()
    qtbot.waitUntil(lambda: len(counted) == 2 and session.runner.idle)
    assert [since.external for since in counted] == [True, False]
    assert opened.status.counts.text().startswith("4 entities")


def test_a_change_of_ours_is_counted_without_counting_all_again(
    qtbot: QtBot, opened: MainWindow, monkeypatch: pytest.MonkeyPatch
) -> None:
    session, asked = opened.session, []
    qtbot.waitUntil(lambda: session._counted_to is not None and session.runner.idle)
    monkeypatch.setattr("ui.graph_session.followed_counts", lambda *given: asked.append(given))
    for name in ("First", "Second"):
        add_entity(opened, name)
    qtbot.waitUntil(lambda: opened.status.counts.text().startswith("5 entities"))
    session.runner.undo()
    qtbot.waitUntil(lambda: opened.status.counts.text().startswith("4 entities"))
    assert asked == []


def test_after_a_change_that_was_not_heard_of_all_is_counted_again(
    qtbot: QtBot, opened: MainWindow
) -> None:
    session = opened.session
    qtbot.waitUntil(lambda: session._counted_to is not None and session.runner.idle)
    session._counted_to += 1
    add_entity(opened, "First")
    qtbot.waitUntil(lambda: opened.status.counts.text().startswith("4 entities"))
    qtbot.waitUntil(lambda: session._counted_to == session.workspace.made)


def add_entity(window: MainWindow, name: str) -> None:
    window.session.runner.write(f"Add {name}", lambda writer: control.apply(
        writer, "create_entity", {"name": name, "entity_type": "tool"}))


def test_opening_shows_file_agent_and_counts(opened: MainWindow) -> None:
    assert opened.status.store.text() == "graph.db"
    assert opened.status.agent.text() == "agent default"
    assert opened.status.counts.text().startswith("3 entities · 1 value · 0 constraints")
    assert opened.windowTitle().startswith("graph.db")


@pytest.mark.parametrize(
    ("make", "words"),
    [
        (lambda path: None, "File not found"),
        (lambda path: path.mkdir(), "This is a folder, not a graph"),
        (lambda path: path.write_text("hello"), "This is not a database"),
    ],
)
def test_a_file_that_does_not_open_says_why(
    qtbot: QtBot, window: MainWindow, tmp_path: Path, make: object, words: str
) -> None:
    path = tmp_path / "thing.db"
    make(path)  # type: ignore[operator]
    with qtbot.waitSignal(window.open_failed):
        window.open_path(path)
    face = window.central.start.face
    assert face.kind == "failed"
    assert words in face.accessibleName()
    assert str(path) in face.text


@pytest.mark.parametrize("key", [Qt.Key.Key_Return, Qt.Key.Key_Enter])
def test_enter_presses_the_button_that_has_the_keyboard(
    qtbot: QtBot, window: MainWindow, key: Qt.Key
) -> None:
    pressed: list[str] = []
    ways = window.central.start._ways
    for way in ways:
        way.clicked.disconnect()
        on_click(way, pressed.append, way.accessibleName())
        way.setFocus()
        qtbot.waitUntil(way.hasFocus)
        QTest.keyClick(way, key)
    assert pressed == [way.accessibleName() for way in ways]


def test_each_menu_opens_with_alt_and_a_letter_of_its_own(window: MainWindow) -> None:
    titles = [action.text() for action in window.menuWidget().findChildren(QMenuBar)[0].actions()]
    letters = [title[title.index("&") + 1].lower() for title in titles]
    assert len(set(letters)) == len(letters) == len(MENUS)


@OPENS_A_MENU
def test_shift_f10_opens_the_menu_of_the_row_that_has_the_keyboard(
    qtbot: QtBot, opened: MainWindow
) -> None:
    select(qtbot, opened, "Ines Duarte")
    panel = opened.show_panel("entities")
    panel.focus()
    qtbot.waitUntil(lambda: panel.isAncestorOf(opened.focusWidget()))
    QTest.keyClick(opened.focusWidget(), Qt.Key.Key_F10, Qt.KeyboardModifier.ShiftModifier)
    qtbot.waitUntil(lambda: QApplication.activePopupWidget() is not None)
    menu = QApplication.activePopupWidget()
    assert isinstance(menu, QMenu)
    assert "Rename…" in [action.text() for action in menu.actions()]
    menu.close()


@OPENS_A_MENU
def test_enter_on_a_dialogs_other_button_is_not_yes(qtbot: QtBot, opened: MainWindow) -> None:
    opened.actions_.run("entities.new")
    dialog = next(each for each in opened.findChildren(OperationDialog) if each.isVisible())
    dialog.fields["name"].setText("Never made")
    before = opened.status.counts.text()
    cancel = next(each for each in dialog.findChildren(QPushButton) if each.text() == "Cancel")
    qtbot.waitUntil(dialog.isActiveWindow)
    cancel.setFocus()
    qtbot.waitUntil(cancel.hasFocus)
    QTest.keyClick(cancel, Qt.Key.Key_Return)
    qtbot.waitUntil(lambda: not opened.findChildren(OperationDialog))
    settle(qtbot, opened)
    assert opened.status.counts.text() == before, "nothing was made"


def test_a_closed_graph_leaves_the_start_page_as_it_was_at_first(
    qtbot: QtBot, opened: MainWindow, tmp_path: Path
) -> None:
    opened.resize(1280, 800)
    with qtbot.waitSignal(opened.open_failed):
        opened.open_path(tmp_path / "gone.db")
    qtbot.waitUntil(opened.error_bar.isVisible)
    opened.actions_.run("file.close")
    face = opened.central.start.face
    qtbot.waitUntil(face._sign.isVisible)
    assert not opened.error_bar.isVisible()
    with qtbot.waitSignal(opened.open_failed):
        opened.open_path(tmp_path / "gone.db")
    qtbot.waitUntil(lambda: face.kind == "failed" and face._sign.isVisible())


def test_an_error_that_nobody_foresaw_ends_the_waiting_for_a_graph_too(
    qtbot: QtBot, theme: Theme, preferences: Preferences, graph: Path
) -> None:
    def fails() -> Path:
        raise PermissionError(13, "Permission denied", "/somewhere/demo.db")

    with shown(qtbot, MainWindow(theme, preferences, WindowServices(make_demo=fails))) as window:
        with qtbot.waitSignal(window.open_failed):
            window.actions_.run("file.demo")
        qtbot.waitUntil(lambda: window.central.start.face.kind == "failed")
        assert "/somewhere/demo.db" in window.central.start.face.text
        assert window.central.start._ways[0].isVisible()
        with qtbot.waitSignal(window.graph_shown):
            window.open_path(graph)
        settle(qtbot, window)
        with qtbot.waitSignal(window.open_failed):
            window.actions_.run("file.demo")
        qtbot.waitUntil(window.error_bar.isVisible)
        assert "/somewhere/demo.db" in window.error_bar.words.text()
        assert not window.toast.isVisible(), "it no longer says that the demo is being opened"


class Windows(QObject):
    """Notes every widget that appears as a window of its own."""

    def __init__(self) -> None:
        super().__init__()
        self.seen: list[str] = []

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:  # noqa: N802
        shown = event.type() == QEvent.Type.Show and isinstance(watched, QWidget)
        if shown and watched.isWindow():
            self.seen.append(repr(watched))
        return False


def test_nothing_flashes_up_while_a_graph_opens(
    qtbot: QtBot, qapp: QApplication, window: MainWindow, graph: Path
) -> None:
    windows = Windows()
    qapp.installEventFilter(windows)
    try:
        with qtbot.waitSignal(window.graph_shown):
            window.open_path(graph)
        settle(qtbot, window)
        for panel in window.docks.panels:
            window.show_panel(panel.name)
        settle(qtbot, window)
    finally:
        qapp.removeEventFilter(windows)
    assert windows.seen == []
    assert window.isActiveWindow()


def test_after_a_failure_another_file_opens(
    qtbot: QtBot, window: MainWindow, graph: Path, tmp_path: Path
) -> None:
    with qtbot.waitSignal(window.open_failed):
        window.open_path(tmp_path / "nothing.db")
    with qtbot.waitSignal(window.graph_shown):
        window.open_path(graph)
    settle(qtbot, window)
    assert window.central.currentWidget() is not window.central.start


def test_p_pins_and_the_toast_takes_it_back(qtbot: QtBot, opened: MainWindow) -> None:
    select(qtbot, opened, "Ines Duarte")
    assert opened.session is not None
    with qtbot.waitSignal(opened.session.runner.wrote):
        QTest.keyClick(opened, Qt.Key.Key_P)
    assert pinned(opened, "Ines Duarte")
    assert opened.toast.text == "Pinned Ines Duarte"
    with qtbot.waitSignal(opened.session.runner.undone):
        qtbot.mouseClick(opened.toast.undo_button, Qt.MouseButton.LeftButton)
    assert not pinned(opened, "Ines Duarte")


def test_the_toast_takes_its_own_step_back_and_no_later_one(
    qtbot: QtBot, opened: MainWindow
) -> None:
    select(qtbot, opened, "Ines Duarte")
    assert opened.session is not None
    with qtbot.waitSignal(opened.session.runner.wrote):
        QTest.keyClick(opened, Qt.Key.Key_P)
    opened.session.workspace.write("Later", lambda w: w.update_where(
        "entities", "name = 'Harbor Ledger'", {"pinned": 1}))
    with qtbot.waitSignal(opened.session.runner.undone):
        qtbot.mouseClick(opened.toast.undo_button, Qt.MouseButton.LeftButton)
    assert not pinned(opened, "Ines Duarte")
    assert pinned(opened, "Harbor Ledger")


def test_the_edit_menu_names_the_step(qtbot: QtBot, opened: MainWindow) -> None:
    select(qtbot, opened, "Ines Duarte")
    opened.actions_.run("mutes.toggle")
    undo = opened.actions_.action("edit.undo")
    qtbot.waitUntil(lambda: undo.text() == "Undo: Mute Ines Duarte")
    undo.trigger()
    redo = opened.actions_.action("edit.redo")
    qtbot.waitUntil(lambda: redo.text() == "Redo: Mute Ines Duarte")


def test_what_another_process_writes_is_followed(
    qtbot: QtBot, opened: MainWindow, graph: Path
) -> None:
    entity = select(qtbot, opened, "Ines Duarte")
    other = sqlite3.connect(graph)
    with other:
        other.execute("UPDATE entities SET name = 'Ines D.' WHERE name = 'Ines Duarte'")
    other.close()
    assert opened.session is not None
    selection = opened.session.selection
    qtbot.waitUntil(lambda: selection.entity is not None and selection.entity.name == "Ines D.")
    assert selection.entity_id == entity


def test_typing_in_the_search_field_is_no_key(qtbot: QtBot, opened: MainWindow) -> None:
    select(qtbot, opened, "Ines Duarte")
    opened.activateWindow()
    QTest.keyClick(opened, Qt.Key.Key_Slash)
    QTest.keyClicks(opened.top.search, "pm")
    assert opened.session is not None
    assert opened.session.selection.search == "pm"
    qtbot.waitUntil(lambda: opened.session is not None and opened.session.runner.idle)
    assert not pinned(opened, "Ines Duarte")
    QTest.keyClick(opened.top.search, Qt.Key.Key_Escape)
    assert opened.session.selection.search == ""


def test_a_refused_operation_is_said_in_its_form(qtbot: QtBot, opened: MainWindow) -> None:
    select(qtbot, opened, "Ines Duarte")
    opened.actions_.run("entities.rename")
    dialog = dialog_of(opened, OperationDialog)
    assert isinstance(dialog, OperationDialog)
    dialog.fields["new_name"].setText("Harbor Ledger")  # type: ignore[attr-defined]
    qtbot.mouseClick(dialog.verb_button, Qt.MouseButton.LeftButton)
    qtbot.waitUntil(lambda: "Harbor Ledger" in dialog.error)
    dialog.fields["new_name"].setText("Ines D.")  # type: ignore[attr-defined]
    with qtbot.waitSignal(dialog.accepted):
        qtbot.mouseClick(dialog.verb_button, Qt.MouseButton.LeftButton)


def test_another_file_takes_the_place_of_the_first(
    qtbot: QtBot, opened: MainWindow, tmp_path: Path
) -> None:
    with qtbot.waitSignal(opened.graph_shown):
        opened.open_path(tmp_path / "second.db", create=True)
    settle(qtbot, opened)
    assert opened.status.counts.text().startswith("0 entities")
    assert not opened.actions_.action("edit.undo").isEnabled()


@pytest.mark.parametrize("again", ["the panels are put back", "the file is opened again"])
def test_each_panel_has_one_tab_however_often_it_is_placed(
    qtbot: QtBot, opened: MainWindow, graph: Path, again: str
) -> None:
    opened.resize(1000, 700)
    for _ in range(2):
        if again == "the panels are put back":
            opened.actions_.run("view.reset_places")
        else:
            with qtbot.waitSignal(opened.graph_shown):
                opened.open_path(graph)
            settle(qtbot, opened)
        qtbot.waitUntil(lambda: not opened.docks._tabs_timer.isActive())
        assert tabs(opened) == [kind.title for kind in PANELS
                                if kind.area == "bottom" and not kind.on_demand]
    assert opened.width() == 1000


def tabs(window: MainWindow) -> list[str]:
    """What the tabs that can be seen say."""
    bars = [bar for bar in window.findChildren(QTabBar) if bar.isVisible()]
    return [bar.tabText(at) for bar in bars for at in range(bar.count())]


def test_a_dropped_file_opens(qtbot: QtBot, window: MainWindow, graph: Path) -> None:
    data = QMimeData()
    data.setUrls([QUrl.fromLocalFile(str(graph))])
    event = QDropEvent(QPointF(QPoint(50, 50)), Qt.DropAction.CopyAction, data,
                       Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier)
    with qtbot.waitSignal(window.graph_shown):
        window.dropEvent(event)
    settle(qtbot, window)


def test_the_file_is_among_the_recent_ones(opened: MainWindow, graph: Path) -> None:
    opened.menus.menu("File/Open recent").aboutToShow.emit()
    assert opened.menus.menu("File/Open recent").actions()[0].text().startswith("graph.db")
    opened.close_graph()
    links = [button.text() for button in opened.central.start.findChildren(QPushButton)]
    assert graph.name in links


def test_with_less_motion_no_dock_slides(opened: MainWindow, preferences: Preferences) -> None:
    assert not opened.isAnimated()
    preferences.motion = "full"
    assert opened.isAnimated()


def test_the_theme_is_switched_and_kept(
    opened: MainWindow, preferences: Preferences
) -> None:
    assert opened.session is not None
    theme = opened.session.context.theme
    opened.actions_.run("view.switch_theme")
    assert theme.name == "paper"
    assert theme.color("text") == load_theme("paper").color("text")
    assert preferences.theme == "paper"
    opened.actions_.run("view.switch_theme")
    assert theme.name == "dusk"


def test_the_agent_switch_shows_another_memory(
    qtbot: QtBot, window: MainWindow, graph: Path
) -> None:
    workspace = Workspace.open(graph, agent="other")
    workspace.write("Theirs", lambda w: w.insert(
        "entities", id="x1", name="Theirs", canonical_name="theirs", entity_type="tool",
        agent_id="other", created_at=w.now(), updated_at=w.now(),
    ))
    workspace.close()
    with qtbot.waitSignal(window.graph_shown):
        window.open_path(graph)
    settle(qtbot, window)
    select(qtbot, window, "Ines Duarte")
    assert window.session is not None
    qtbot.waitUntil(lambda: window.session is not None and len(window.session.agents) == 2)
    with qtbot.waitSignal(window.session.counted):
        window.switch_agent("other")
    assert window.session.selection.entity_id == ""
    assert window.status.counts.text().startswith("1 entity ")


def foreign(tmp_path: Path, graph: Path) -> Path:
    """A file in Signet's shape: the tables, without this program's own mark."""
    path = tmp_path / "memories.db"
    shutil.copy(graph, path)
    other = sqlite3.connect(path)
    other.execute("PRAGMA application_id = 0")
    other.execute("PRAGMA user_version = 0")
    other.execute("CREATE TABLE schema_migrations (version INTEGER PRIMARY KEY, applied_at TEXT,"
                  " checksum TEXT)")
    other.commit()
    other.close()
    return path


def test_a_foreign_file_asks_once_before_the_first_change(
    qtbot: QtBot, window: MainWindow, graph: Path, tmp_path: Path
) -> None:
    with qtbot.waitSignal(window.graph_shown):
        window.open_path(foreign(tmp_path, graph))
    settle(qtbot, window)
    assert window.session is not None
    assert window.session.workspace.kind == "signet"
    assert window.banner.isVisible()
    select(qtbot, window, "Ines Duarte")
    with qtbot.waitSignal(window.session.runner.permission_wanted):
        window.actions_.run("pins.toggle")
    dialog = dialog_of(window, PermissionDialog)
    assert isinstance(dialog, PermissionDialog)
    with qtbot.waitSignal(window.session.runner.wrote):
        qtbot.mouseClick(dialog.allow_button, Qt.MouseButton.LeftButton)
    assert pinned(window, "Ines Duarte")
    assert not window.banner.isVisible()
    assert list(window.session.workspace.backup_folder.iterdir())
    with (
        qtbot.assertNotEmitted(window.session.runner.permission_wanted),
        qtbot.waitSignal(window.session.runner.wrote),
    ):
        window.actions_.run("mutes.toggle")


def test_refusing_permission_changes_nothing(
    qtbot: QtBot, window: MainWindow, graph: Path, tmp_path: Path
) -> None:
    path = foreign(tmp_path, graph)
    with qtbot.waitSignal(window.graph_shown):
        window.open_path(path)
    settle(qtbot, window)
    before = path.read_bytes()
    assert window.session is not None
    select(qtbot, window, "Ines Duarte")
    with qtbot.waitSignal(window.session.runner.permission_wanted):
        window.actions_.run("pins.toggle")
    dialog = dialog_of(window, PermissionDialog)
    assert isinstance(dialog, PermissionDialog)
    qtbot.mouseClick(dialog.refuse_button, Qt.MouseButton.LeftButton)
    qtbot.waitUntil(lambda: window.session is not None and window.session.runner.idle)
    assert not pinned(window, "Ines Duarte")
    assert path.read_bytes() == before


def test_a_memory_file_becomes_a_new_graph(
    qtbot: QtBot, window: MainWindow, tmp_path: Path
) -> None:
    memory = tmp_path / "memory.jsonl"
    memory.write_text(
        '{"type":"entity","name":"Nightly job","entityType":"system","observations":["at 02:00"]}\n'
        "this is broken\n", encoding="utf-8",
    )
    with qtbot.waitSignal(window.graph_shown):
        window.choice.importer.into_new(window._desk, memory, tmp_path / "new.db")
    qtbot.waitUntil(lambda: bool(window.findChildren(ReportDialog)))
    report = dialog_of(window, ReportDialog)
    assert isinstance(report, ReportDialog)
    assert report.text.toPlainText().startswith("Left out:\n  line 2")
    report.accept()
    qtbot.waitUntil(lambda: window.status.counts.text().startswith("1 entity · 1 value"))
    qtbot.waitUntil(lambda: window.toast.text.startswith("Imported 1 entity, 1 value"))
    undo = window.actions_.action("edit.undo")
    qtbot.waitUntil(lambda: undo.text() == "Undo: Import memory.jsonl")


def test_opening_a_memory_file_asks_where_it_goes(
    qtbot: QtBot, opened: MainWindow, tmp_path: Path
) -> None:
    memory = tmp_path / "memory.json"
    memory.write_text('[{"type":"entity","name":"uv","observations":["fast"]}]')
    opened.open_path(memory)
    dialog = dialog_of(opened, ImportDialog)
    assert isinstance(dialog, ImportDialog)
    qtbot.mouseClick(dialog.here_button, Qt.MouseButton.LeftButton)
    qtbot.waitUntil(lambda: opened.status.counts.text().startswith("4 entities"))
    settle(qtbot, opened)


def test_an_import_can_be_given_up(
    qtbot: QtBot, opened: MainWindow, tmp_path: Path
) -> None:
    memory = tmp_path / "memory.json"
    memory.write_text('[{"type":"entity","name":"uv","observations":["fast"]}]')
    opened.open_path(memory)
    dialog = dialog_of(opened, ImportDialog)
    assert isinstance(dialog, ImportDialog)
    qtbot.mouseClick(dialog.cancel_button, Qt.MouseButton.LeftButton)
    settle(qtbot, opened)
    assert not [one for one in opened.findChildren(ImportDialog) if one.isVisible()]
    assert opened.status.counts.text().startswith("3 entities")


def test_an_imported_link_is_called_what_the_file_calls_it(
    qtbot: QtBot, opened: MainWindow, tmp_path: Path
) -> None:
    memory = tmp_path / "memory.json"
    memory.write_text('[{"type":"relation","from":"Ines Duarte","to":"Harbor Ledger",'
                      '"relationType":"works on"}]')
    opened.open_path(memory)
    dialog = dialog_of(opened, ImportDialog)
    assert isinstance(dialog, ImportDialog)
    qtbot.mouseClick(dialog.here_button, Qt.MouseButton.LeftButton)
    qtbot.waitUntil(lambda: "1 relation word is imported" in opened.toast.text)
    select(qtbot, opened, "Ines Duarte")
    settle(qtbot, opened)
    inspector = opened.panel("inspector")
    assert isinstance(inspector, Inspector)
    qtbot.waitUntil(lambda: "works on" in [node.label for node in inspector.view.tree.walk()])


def test_a_graph_that_is_brought_up_to_date_shows_how_far_it_is(
    qtbot: QtBot, window: MainWindow, graph: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    connection = sqlite3.connect(graph)
    connection.executescript("DELETE FROM agents; DELETE FROM memory_entity_mentions;"
                             " DELETE FROM memories; PRAGMA user_version = 8")
    connection.close()
    monkeypatch.setattr(migrate, "_OFTEN", 100)
    jobs: list[Job] = []
    window.choice.job_started.connect(jobs.append)
    with qtbot.waitSignal(window.graph_shown):
        window.open_path(graph)
    settle(qtbot, window)
    assert [job.label for job in jobs] == ["Updating the graph"]
    assert not window.status.jobs.isVisible()
