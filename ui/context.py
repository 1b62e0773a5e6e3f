"""What every panel and every action is given: the open graph beside the window's services."""

from collections.abc import Callable
from pathlib import Path
from typing import ClassVar, Protocol

from msgspec import Struct, field
from PySide6.QtWidgets import QWidget

from core.workspace import Workspace
from ui.action import Actions
from ui.check_expectations_on_change import ExpectationWatch
from ui.engine_settings import Engine
from ui.preferences import Preferences
from ui.runner import Runner
from ui.selection import Selection
from ui.theme import Theme


class Say(Protocol):
    """Shows one line in a toast; its Undo takes back the step with the number `entry`, or calls
    `take_back`."""

    def __call__(self, text: str, entry: int | None = None,
                 take_back: Callable[[], None] | None = None) -> None: ...


class Shell(Protocol):
    """What actions may ask of the window around the panels."""

    def window(self) -> QWidget:
        """The parent for dialogs."""

    def open_path(self, path: Path, *, agent: str = "", create: bool = False) -> None:
        """Show another graph in this window; what is no graph but can be imported is imported."""

    def import_file(self, path: Path) -> None:
        """Import a memory file into a graph that the person chooses."""

    def restore_backup(self) -> None: ...
    def open_demo(self) -> None: ...
    def close_graph(self) -> None: ...
    def close_window(self) -> None: ...
    def switch_agent(self, agent: str) -> None: ...
    def open_agents(self) -> None: ...
    def allow_writing(self) -> None: ...
    def let_agents_in(self) -> None:
        """Show how agents come to the open graph, and who is there."""

    def show_watched_folders(self) -> None:
        """Show the folders that the open graph follows."""

    def reset_places(self) -> None: ...
    def focus_search(self) -> None: ...
    def focus_next_part(self, step: int) -> None: ...
    def open_palette(self) -> None: ...
    def review(self) -> None:
        """Give the proposals the height of the window, or take it back."""

    def reviewing(self) -> bool:
        """True while the proposals have the height of the window."""

    def travel(self) -> None:
        """Show the strip for another time of the graph, or go back to now."""

    def time_travels(self) -> bool:
        """True while that strip is there."""

    def show_error(self, error: BaseException) -> None: ...

    def panel(self, name: str) -> QWidget:
        """The panel of that name, as it is."""

    def show_panel(self, name: str) -> QWidget:
        """The panel of that name, raised and with the keyboard in it."""

    def sky(self) -> QWidget | None:
        """The widget in the middle, None while it shows a face."""


class Desk(Struct, frozen=True, kw_only=True):
    """What is there even while no file is open."""

    has_graph: ClassVar[bool] = False

    actions: Actions
    theme: Theme
    preferences: Preferences
    say: Say
    shell: Shell
    engine: Engine = field(default_factory=Engine)


class Context(Desk, frozen=True, kw_only=True):
    """One open graph in one window. A new file means a new context."""

    has_graph: ClassVar[bool] = True

    workspace: Workspace
    selection: Selection
    runner: Runner
    expectations: ExpectationWatch
