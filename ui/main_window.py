"""The window: docks round the sky, and what actions may ask of it."""

from functools import partial
from pathlib import Path
from typing import Any, cast

from PySide6.QtCore import QEvent, Qt, QTimer, Signal
from PySide6.QtGui import (
    QCloseEvent,
    QDragEnterEvent,
    QDropEvent,
    QKeyEvent,
    QKeySequence,
    QShowEvent,
)
from PySide6.QtWidgets import QApplication, QMainWindow, QWidget

from core.store.past_file import Past
from core.workspace import Workspace
from ui.action import Action, Actions
from ui.central_area import CentralArea
from ui.constellation.the_sky import as_sky
from ui.context import Desk
from ui.dialogs.palette import Palette
from ui.dialogs.watched_folders import WatchedFolders
from ui.docks import Docks
from ui.first_hint import FirstHint
from ui.full_height_review import FullHeightReview
from ui.graph_session import Session
from ui.keyboard_focus import KeyboardFocus
from ui.menus import Menus
from ui.open_chosen_graph import GraphChoice
from ui.outcome_messages import OutcomeMessages
from ui.panel import Panel, PanelKind
from ui.panels import PANELS
from ui.panels.entity_list_view import open_entity_menu
from ui.preferences import Preferences
from ui.saved_view import LastLook
from ui.screen_fit import keep_on_screen, restore_geometry
from ui.shortcut_guard import EditorKeys
from ui.show_agent_questions import AgentsAtWork
from ui.status_bar import StatusBar
from ui.theme import Theme
from ui.theme_switch import ThemeSwitch
from ui.time_travel import TimeTravel
from ui.top_bar import TopBar
from ui.turns import NextTurn
from ui.widgets.banners import WriteBanner
from ui.widgets.labels import set_tip
from ui.widgets.layouts import column_layout, put
from ui.widgets.time_bar import TimeBar
from ui.window_actions import WINDOW_ACTIONS
from ui.window_services import WindowServices

FIRST_SIZE = (1440, 900)
TOOLS = ("view.past", "edit.undo", "edit.redo", "app.palette")
WAYS = ("file.open", "file.demo", "file.new")


class MainWindow(QMainWindow):
    """One window, at most one open graph."""

    graph_shown = Signal(object)
    """A graph has been opened and its panels are there; carries the context."""
    open_failed = Signal(object)

    def __init__(
        self,
        theme: Theme,
        preferences: Preferences,
        outside: WindowServices,
        panels: tuple[PanelKind, ...] = PANELS,
    ) -> None:
        super().__init__()
        self.setObjectName("MainWindow")
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose, False)
        self.setAcceptDrops(True)
        self.resize(*FIRST_SIZE)
        self._theme, self._preferences, self._outside = theme, preferences, outside
        self.session: Session | None = None
        self._look: LastLook | None = None
        """What was looked at last, until it is shown again."""
        self._looking = NextTurn(self)
        self._looking.timeout.connect(self._look_again)
        self._closed = False
        self.actions_ = Actions(WINDOW_ACTIONS, self, _every_action)
        self._make_parts(panels)
        self._desk = Desk(actions=self.actions_, theme=theme, preferences=preferences,
                          say=self.say, shell=self)
        self.choice = GraphChoice(self._desk, lambda: self.session, outside,
                                  self.messages, self.central.start, self)
        self.choice.opened.connect(self._opened)
        self.choice.failed.connect(self.open_failed)
        self.choice.job_started.connect(self.status.jobs.add)
        self._theme_switch = ThemeSwitch(theme, preferences, self)
        self.actions_.tint(theme)
        self._follow_preferences()
        preferences.changed.connect(self._follow_preferences)
        restore_geometry(self, preferences.bytes("geometry"))
        self._show_closed()

    # -- parts -----------------------------------------------------------------------------------

    def _make_parts(self, panels: tuple[PanelKind, ...]) -> None:
        self.top = TopBar(self._theme, self)
        self.docks = Docks(self, panels, self._theme, self._preferences)
        self.central = CentralArea(
            self._theme, self._preferences, [self.actions_.action(name) for name in WAYS],
            self.actions_.action("file.import"), self.open_path,
        )
        self.stage = FullHeightReview(self, self.docks, self._theme, self.central)
        self.review = self.stage.toggle
        self.hint = FirstHint(self.central, self._preferences)
        self.stage.entered.connect(self.hint.hide)
        self.messages = OutcomeMessages(self._theme, self, self.central)
        self.toast, self.error_bar = self.messages.toast, self.messages.error_bar
        self.toast.covered = self.central.covered
        self.say, self.show_error = self.toast.say, self.error_bar.show_error
        self.panel = self.docks.panel
        self.banner = WriteBanner(self.allow_writing)
        self.status = StatusBar(self._theme, self)
        self.time_bar = TimeBar(self._theme)
        self.time = TimeTravel(self.time_bar, self.say, self.actions_.lock,
                               partial(self.show_panel, "changes"), self)
        self.time.shown.connect(self._show_time)
        self.status.failing_wanted.connect(lambda: self.show_panel("expectations"))
        self.agents = AgentsAtWork(self._preferences, self.sky, self.docks.changed,
                                   self.status.set_visits, self)
        self.palette_ = Palette(self._theme, self)
        self._editor_keys = EditorKeys(cast(QApplication, QApplication.instance()), self)
        self.keyboard = KeyboardFocus(self, self.top.search, self.docks, self.sky)
        self.focus_search = self.keyboard.focus_search
        self.focus_next_part = self.keyboard.focus_next_part
        self._lay_out()
        for name in TOOLS:
            self.top.add_tool(self.actions_.action(name))
        self.menus = Menus(self.top.menus, self.actions_, self.docks.toggles(),
                           self._preferences, self.open_path)
        for action in self.actions_:
            if not action.panel:
                self.addAction(self.actions_.action(action.id))
        self.docks.made.connect(lambda panel: self.actions_.add_to(panel, panel.name))
        self.top.agent_chosen.connect(self.switch_agent)
        self.status.visits_wanted.connect(self.let_agents_in)
        self.status.folders_wanted.connect(self.show_watched_folders)

    def _lay_out(self) -> None:
        head = QWidget()
        put(column_layout(head, (0, 0, 0, 0), 0), self.top, self.time_bar, self.banner,
            self.error_bar)
        self.setMenuWidget(head)
        self.setStatusBar(self.status)
        self.setCentralWidget(self.stage.middle)

    # -- the look --------------------------------------------------------------------------------

    def _follow_preferences(self, _name: str = "") -> None:
        less_motion = self._preferences.less_motion
        self.toast.moves = not less_motion
        self.setAnimated(not less_motion)
        self.status.frame.setVisible(self._preferences.frame_time)
        sky = as_sky(self.sky())
        if sky is not None:
            sky.set_reduced_motion(less_motion)
        self.actions_.refresh()

    # -- one graph -------------------------------------------------------------------------------

    def open_path(self, path: Path, *, agent: str = "", create: bool = False) -> None:
        self.choice.open_path(path, agent=agent, create=create)

    def open_demo(self) -> None:
        self.choice.open_demo()

    def import_file(self, path: Path) -> None:
        self.choice.import_file(path)

    def close_graph(self) -> None:
        if not self.choice.asks_to_leave("close the graph", self.close_graph):
            self._end_session()
            self._show_closed()

    def close_window(self) -> None:
        self.close()

    def _opened(self, workspace: Workspace) -> None:
        self._end_session()
        session = Session(workspace, self._desk, self, self, self._outside.make_doors)
        self.session = session
        session.runner.job_started.connect(self.status.jobs.add)
        self.messages.follow(session.runner)
        self.agents.follow(session)
        self.time.follow(session)
        self.keyboard.bind(session.selection)
        session.permission.given.connect(self._may_write)
        session.bridge.changed.connect(self.docks.changed)
        session.counted.connect(self.status.set_counts)
        session.expectations.changed.connect(self.status.set_expectations)
        session.folders.changed.connect(
            lambda: self.status.set_folders(session.folders.folders))
        session.counted.connect(self.central.follow)
        session.agents_found.connect(
            lambda agents: self.top.set_agents(agents, workspace.agent))
        session.selection.slot_chosen.connect(
            lambda _slot: self.docks.uncover("claim_history", unless_busy="bottom"))
        self._show_session(session)
        session.start()
        self._preferences.add_recent(workspace.path)
        self._outside.opened(workspace.path)
        self.graph_shown.emit(session.context)
        self.choice.importer.graph_shown(session.context)

    def _show_session(self, session: Session) -> None:
        workspace = session.workspace
        self.setWindowTitle(f"{workspace.path.name.replace('[*]', '')} — Constellation")
        self.setWindowFilePath(str(workspace.path))
        self.actions_.bind(session.context)
        middle = self._outside.make_sky(session.context)
        sky = as_sky(middle)
        if sky is not None:
            sky.frame_took.connect(self.status.set_frame_time)
            sky.menu_asked.connect(partial(open_entity_menu, session.context, sky))
            session.bridge.changed.connect(sky.refresh)
            sky.glimpsed.connect(self.docks.load_soon)
            sky.painted.connect(self.docks.load_now)
            sky.shown_anew.connect(partial(self.hint.offer, session.selection))
            sky.shown_anew.connect(self.toast.keep_clear)
            sky.rested.connect(self.hint.hide)
            self.hint.placed.connect(sky.reserve)
        self.central.show_sky(middle)
        self.docks.fill(session.context)
        self.stage.bind(session.context)
        self.top.set_open(True)
        self.top.agent.set_agent(workspace.agent)
        self.status.set_graph(workspace)
        self.banner.setVisible(not session.runner.may_write)
        self._look = LastLook.kept(self._preferences, workspace)
        self.top.search.setText(self._look.search)
        self._looking.start()

    def _look_again(self) -> None:
        """Show what this agent's person looked at last, with the keyboard in the list.

        The list is made for it, which takes as long as all before: the window answers in between.
        """
        session, look = self.session, self._look
        if session is None or look is None:
            return
        if "entities" in self.docks.names and self.docks.make_ahead("entities"):
            self._looking.start()
            return
        self._look = None
        entities = self._entities()
        if entities is not None and not self.top.search.isModified():  # Somebody types already.
            entities.focus()
        look.show(session, as_sky(self.sky()), entities)

    def keyPressEvent(self, event: QKeyEvent) -> None:  # noqa: N802
        """Escape that no field has a use for clears the filter, as it does outside of fields.

        A key arrives here, too, whose action can't be done now: then it is said why.
        """
        if event.key() == Qt.Key.Key_Escape:
            self.actions_.run("view.leave")
        elif action := self.actions_.blocked(QKeySequence(event.keyCombination())):
            if self.session is None or not self.session.waits_for_entity(action):
                self.say(self.actions_.why_not(action))
        else:
            super().keyPressEvent(event)

    def _entities(self) -> Panel | None:
        return self.docks.panel("entities") if "entities" in self.docks.names else None

    def _keep_look(self, session: Session) -> None:
        self.stage.leave()
        if self._look is None:
            LastLook.of(session, as_sky(self.sky()), self._entities()).keep(
                self._preferences, session.workspace)

    def _end_session(self) -> None:
        if self.session is None:
            return
        session, self.session = self.session, None
        self._keep_look(session)
        self.messages.stop()
        self.agents.stop()
        for dialog in self.findChildren(WatchedFolders):
            dialog.close()
        self.time.stop()
        self.hint.hide()
        self.keyboard.bind(None)
        self.stage.bind(None)
        self.actions_.bind(self._desk)
        self.docks.empty()
        self.central.close_sky()
        session.close()
        session.deleteLater()

    def _show_closed(self) -> None:
        self.setWindowTitle("Constellation")
        self.setWindowFilePath("")
        self.actions_.bind(self._desk)
        self.top.set_open(False)
        self.top.search.clear()
        self.banner.hide()
        self.status.set_graph(None)
        self.central.start.welcome()

    def switch_agent(self, agent: str) -> None:
        if self.session is None or agent == self.session.workspace.agent:
            return
        workspace = self.session.workspace
        self.time.stop()
        if workspace.past is not None:
            workspace.show_as_of(None)
        self.time.follow(self.session)
        self._keep_look(self.session)
        self.session.end_visit()
        self.session.selection.clear()
        self._preferences.set_agent_for(workspace.path, agent)
        self.top.search.clear()
        # A new look at everything: no row, no place in the sky and no decision is carried over.
        self.stage.bind(None)
        self.docks.empty()
        self.central.close_sky()
        workspace.with_agent(agent)
        self._show_session(self.session)
        self.top.agent.set_agent(agent)
        self.status.set_graph(workspace)

    def open_agents(self) -> None:
        self.top.agent.showMenu()

    # -- what actions may ask --------------------------------------------------------------------

    def restore_backup(self) -> None:
        self.choice.restore_backup()

    def let_agents_in(self) -> None:
        self.agents.show_dialog()

    def show_watched_folders(self) -> None:
        if self.session is not None:
            WatchedFolders(self.session.folders, self.session.workspace.path, self).show()

    def allow_writing(self) -> None:
        if self.session is not None:
            self.session.permission.ask()

    def _may_write(self, backup: Path | None) -> None:
        self.banner.hide()
        self.actions_.refresh()
        if backup is not None:
            self.say(f"Backed up to {backup.name}")

    def show_panel(self, name: str) -> Panel:
        if name != "proposals":
            self.stage.leave()
        return self.docks.show_panel(name)

    def travel(self) -> None:
        self.time.toggle()

    def time_travels(self) -> bool:
        return self.time.is_open

    def _show_time(self, past: Past | None) -> None:
        """Say what is not known of the moment that is shown now."""
        if past is not None and past.unknown:
            set_tip(self.time_bar.words, "Not known of then:\n" + "\n".join(past.unknown))
        if self.session is not None:
            self.banner.setVisible(past is None and not self.session.runner.may_write)
        self.actions_.refresh()

    def reset_places(self) -> None:
        self.stage.leave()
        self.docks.reset()

    def reviewing(self) -> bool:
        return self.stage.on

    def sky(self) -> QWidget | None:
        return self.central.sky

    def open_palette(self) -> None:
        self.palette_.open_for(self.session.context if self.session else self._desk)

    # -- events ----------------------------------------------------------------------------------

    def showEvent(self, event: QShowEvent) -> None:  # noqa: N802
        super().showEvent(event)
        # The title bar is there only after this.
        QTimer.singleShot(0, self, partial(keep_on_screen, self))

    def dragEnterEvent(self, event: QDragEnterEvent) -> None:  # noqa: N802
        if event.mimeData().hasUrls():
            event.acceptProposedAction()

    def dropEvent(self, event: QDropEvent) -> None:  # noqa: N802
        event.acceptProposedAction()
        self.choice.open_dropped(event.mimeData())

    def closeEvent(self, event: QCloseEvent) -> None:  # noqa: N802
        if self.choice.asks_to_leave("close the window", self.close_window):
            event.ignore()
            return
        self._preferences.put_bytes("geometry", self.saveGeometry())
        self.docks.save()
        # What still runs is stopped out of sight.
        self.hide()
        self._end_session()
        self.choice.close()
        self._preferences.sync()
        if not self._closed:
            self._closed = True
            self._theme_switch.close()
        super().closeEvent(event)

    def changeEvent(self, event: QEvent) -> None:  # noqa: N802
        if event.type() == QEvent.Type.WindowStateChange:
            self.actions_.refresh()
        super().changeEvent(event)


def _every_action() -> tuple[Action[Any], ...]:
    """Also those of panels that have not been made, and of all operations."""
    # Nearly the whole program is loaded for it, and nobody sees them at the start.
    from ui.action_catalogue import ACTIONS  # noqa: PLC0415

    return ACTIONS
