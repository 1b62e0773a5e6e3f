"""The services that the program hands its window: the demo graph, the sky, the doors for agents."""

from collections.abc import Callable
from pathlib import Path

from msgspec import Struct
from PySide6.QtWidgets import QWidget

from core.workspace import Workspace
from ui.context import Context
from ui.mcp_and_http_doors import MakeDoors, no_doors


class WindowServices(Struct, frozen=True):
    """Makes what is not the window's business.

    Attributes:
        make_demo: writes the demo graph if it is not there, and says where; on any thread.
        load_sky: loads what `make_sky` needs for a graph that has been opened; on any thread.
        make_sky: the widget in the middle for a graph.
        opened: told each graph that is shown.
        make_doors: lets agents into a graph.
    """

    make_demo: Callable[[], Path]
    load_sky: Callable[[Workspace], object] = lambda workspace: None
    make_sky: Callable[[Context], QWidget] = lambda context: QWidget()
    opened: Callable[[Path], None] = lambda path: None
    make_doors: MakeDoors = no_doors
