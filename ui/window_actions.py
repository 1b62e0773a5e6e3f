"""The actions that the window has from the start: all that stand in its menus or have keys in it.

What only the palette has, and what a panel has for itself, is loaded when it is looked at.
"""

from collections.abc import Iterator
from functools import partial
from typing import Any

from ui.action import Action, declared
from ui.actions import (
    app,
    claims,
    edit,
    entities,
    file,
    maintenance,
    sky_navigation,
    view_and_go,
)
from ui.context import Context
from ui.panel import PanelKind
from ui.panels import PANELS

BEFORE_PANELS: tuple[Action[Any], ...] = (
    *file.ACTIONS, *edit.ACTIONS, *view_and_go.ACTIONS, *sky_navigation.ACTIONS)
ABOUT_THE_GRAPH: tuple[Action[Any], ...] = (*entities.ACTIONS, *claims.ACTIONS)
AT_LAST: tuple[Action[Any], ...] = (*maintenance.ACTIONS, *app.ACTIONS)


def way_to(at: int, kind: PanelKind) -> Action[Context]:
    """The action that goes to a panel, the first of them by Ctrl and its number."""
    return Action(f"go.{kind.name}", kind.title, partial(_show, kind.name),
                  (f"Ctrl+{at}",) if at < 10 else (), kind.icon, "Go", "panels")


def _show(panel: str, context: Context) -> None:
    context.shell.show_panel(panel)


def _of_panels() -> Iterator[Action[Any]]:
    for at, kind in enumerate(PANELS, start=1):
        yield way_to(at, kind)
        yield from declared(kind.in_menus, kind.name)


WINDOW_ACTIONS: tuple[Action[Any], ...] = declared(
    (*BEFORE_PANELS, *_of_panels(), *ABOUT_THE_GRAPH, *AT_LAST))
