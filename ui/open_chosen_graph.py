"""Opens what a person has chosen: a file, the demo, a memory to import, a backup to restore."""

from collections.abc import Callable
from functools import partial
from pathlib import Path

from PySide6.QtCore import QMimeData, QObject, Signal
from PySide6.QtWidgets import QWidget

from core.errors import Cancelled, ConstellationError, OpenError
from core.model.text_formatting import one_line
from ui.context import Desk
from ui.dialogs.close_during_import import CloseDuringImport
from ui.dropped_files import dropped_file
from ui.graph_restore import Restorer
from ui.graph_session import Session
from ui.memory_import import Importer, can_import
from ui.open_graph_in_background import Opener
from ui.outcome_messages import OutcomeMessages
from ui.start_page import StartPage
from ui.window_services import WindowServices


class GraphChoice(QObject):
    """Asks first where an import still runs, and says what is opened and why it could not be.

    Args:
        desk: what is there while no graph is open.
        session: the open graph, if there is one.
        outside: writes the demo graph, and loads what a graph is shown with.
        start: says the same while no graph is open.
        window: the parent of the dialog.
    """

    opened = Signal(object)
    failed = Signal(object)
    job_started = Signal(object)
    """Bringing the file up to date takes a while; carries its job."""

    def __init__(
        self, desk: Desk, session: Callable[[], Session | None], outside: WindowServices,
        messages: OutcomeMessages, start: StartPage, window: QWidget,
    ) -> None:
        super().__init__(window)
        self._desk, self._session, self._make_demo = desk, session, outside.make_demo
        self._messages, self._start, self._window = messages, start, window
        self._not_opened: Path | None = None
        self.importer = Importer(self)
        self._restorer = Restorer(messages.error_bar.show_error, self)
        self._opener = Opener(outside.load_sky, self)
        self._opener.opened.connect(self.opened)
        self._opener.failed.connect(self._failed)
        self._opener.job_started.connect(self.job_started)

    def open_path(self, path: Path, *, agent: str = "", create: bool = False) -> None:
        """Open a graph; a memory file of another program is imported."""
        path = path.expanduser().absolute()
        if not create and can_import(path):
            self.import_file(path)
            return
        name = one_line(path.name, 40)
        if self.asks_to_leave(f"open {name}",
                              partial(self.open_path, path, agent=agent, create=create)):
            return
        self._wait_for(path)
        agent = agent or self._desk.preferences.agent_for(path)
        self._opener.open(path, agent, create=create)

    def open_demo(self) -> None:
        """Open the demo graph, which is made where it is not there."""
        if not self.asks_to_leave("open the demo", self.open_demo):
            self._wait_for(None)
            self._opener.prepare(self._make_demo)

    def import_file(self, path: Path) -> None:
        """Ask into which graph a memory file goes."""
        self._messages.error_bar.hide()
        session = self._session()
        running = session.runner.unfinished if session else None
        if running is not None:
            self._desk.say(f"{running.label} isn't finished: import {path.name} after that")
            return
        self.importer.start(session.context if session else self._desk, path)

    def open_dropped(self, data: QMimeData) -> None:
        """Open the file that was dropped on the window."""
        try:
            path = dropped_file(data)
        except ConstellationError as error:
            self._messages.error_bar.show_error(error)
            return
        self.open_path(path)

    def restore_backup(self) -> None:
        """Of the graph that is shown, else of the one that could not be opened last."""
        session = self._session()
        if session is not None:
            self._restorer.ask(session.context, session.workspace.path)
        elif self._not_opened is not None:
            self._restorer.ask(self._desk, self._not_opened)
        else:
            self._desk.say("Open the graph first; where that fails, choose this again")

    def asks_to_leave(self, wish: str, leave: Callable[[], None]) -> bool:
        """True if an import still runs here: then the person decides, and `leave` may follow."""
        session = self._session()
        job = session.runner.unfinished if session else None
        if job is not None:
            CloseDuringImport(job, wish, leave, self._window).open()
        return job is not None

    def close(self) -> None:
        """Wait for what is being opened or restored."""
        self._opener.close()
        self._restorer.close()

    def _wait_for(self, path: Path | None) -> None:
        """The open graph stays until the other one is there."""
        self._messages.error_bar.hide()
        self._say_not_imported()
        if self._session() is None:
            self._start.loading(path)
        else:
            self._desk.say(f"Opening {path.name if path else 'the demo'}…")

    def _say_not_imported(self) -> None:
        path = self.importer.give_up()
        if path is not None:
            self._desk.say(f"Not imported: {path.name}")

    def _failed(self, error: ConstellationError, path: Path | None) -> None:
        if isinstance(error, Cancelled):
            error = ConstellationError("Opening was stopped, the file is unchanged",
                                       where=str(path or ""))
        self._not_opened = path
        if isinstance(error, OpenError) and error.kind == "missing" and path is not None:
            self._desk.preferences.forget_recent(path)
        self._messages.toast.hide()
        self._say_not_imported()
        if self._session() is None:
            self._start.failed(error, path)
        else:
            self._messages.error_bar.show_error(error)
        self.failed.emit(error)
