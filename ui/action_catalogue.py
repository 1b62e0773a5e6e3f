"""Every action of the window: menus, keys, palette and key sheet are made from this list."""

from collections.abc import Iterator
from dataclasses import replace
from functools import partial
from typing import Any

from ui.action import Action
from ui.actions import (
    app,
    claims,
    edit,
    entities,
    file,
    maintenance,
    operation_forms,
    sky,
    view,
)
from ui.context import Context
from ui.panel import Panel
from ui.panels import PANELS


def _of_panel(at: int, kind: type[Panel]) -> Iterator[Action[Any]]:
    """The way to a panel, and what the panel itself declares."""
    yield Action(f"go.{kind.name}", kind.title, partial(_show, kind.name),
                 (f"Ctrl+{at}",) if at < 10 else (), kind.icon, "Go", "panels")
    for action in kind.ACTIONS:
        yield replace(action, panel=kind.name)


def _show(panel: str, context: Context) -> None:
    context.shell.show_panel(panel)


ACTIONS: tuple[Action[Any], ...] = (
    *file.ACTIONS, *edit.ACTIONS, *view.ACTIONS, *sky.ACTIONS,
    *(action for at, kind in enumerate(PANELS, start=1) for action in _of_panel(at, kind)),
    *entities.ACTIONS, *claims.ACTIONS, *operation_forms.ACTIONS, *maintenance.ACTIONS,
    *app.ACTIONS,
)
