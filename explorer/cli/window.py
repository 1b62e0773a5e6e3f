"""`open` and `render`: the window, and its pictures without a screen.

The only commands that need Qt; it is imported when one of them runs, so that the others start
at once and work where Qt is not installed.
"""

import os
import re
from enum import StrEnum
from importlib import import_module
from pathlib import Path
from typing import Annotated, Any

import typer

from core.errors import ConstellationError
from explorer import display
from explorer.cli import output
from explorer.cli.options import EVERYONE, AgentName, Json, Store
from explorer.demo import ready_demo
from explorer.paths import chosen_store, usual_store

_SIZE = re.compile(r"(\d{2,5})x(\d{2,5})")
Demo = Annotated[bool, typer.Option("--demo", help="The demo graph: a developer's year.")]
LastAgent = Annotated[
    str, typer.Option("--agent", help="Whose memory; who was shown last without it.",
                      metavar="NAME", show_default=False)
]


class Theme(StrEnum):
    """The two looks."""

    dusk = "dusk"
    paper = "paper"


def open_window(
    graph: Annotated[
        Path | None,
        typer.Argument(metavar="[STORE]", readable=False,
                       help="The graph file; else the usual one.")
    ] = None,
    store: Store = None, agent: LastAgent = "", demo: Demo = False,
    picture: Annotated[
        Path | None,
        typer.Option("--picture", help="Where no display is: draw the window into this PNG."),
    ] = None,
) -> None:
    """Open the window: the same as `constellation STORE`."""
    path = ready_demo() if demo else graph or store or usual_store()
    if display.is_there():
        raise typer.Exit(_with_qt("desktop").open_window(path, agent))
    if picture is None:
        raise ConstellationError(
            "There is no display here to open a window on",
            do="“constellation render --out sky.png” draws a picture without one",
        )
    output.say(f"There is no display here, so the window is drawn into {picture}.")
    os.environ["QT_QPA_PLATFORM"] = "offscreen"
    _with_qt("pictures").draw_window(path, agent, picture)


def render(
    out: Annotated[Path, typer.Option("--out", help="The PNG to write.")],
    size: Annotated[str, typer.Option("--size", metavar="WxH", help="In pixels.")] = "1440x900",
    theme: Annotated[Theme, typer.Option("--theme", help="The look.")] = Theme.dusk,
    entity: Annotated[str, typer.Option("--entity", help="Dive in: its name or id.")] = "",
    window: Annotated[
        bool, typer.Option("--window", help="The whole window, not the sky alone.")
    ] = False,
    store: Store = None, agent: AgentName = EVERYONE, demo: Demo = False, as_json: Json = False,
) -> None:
    """Draw the sky, or the window, into a picture."""
    width, height = _measure(size)
    path = ready_demo() if demo else chosen_store(store)
    os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")
    pictures = _with_qt("pictures")
    draw = pictures.draw_window if window else pictures.draw_sky
    drawn = draw(path, agent, out, size=(width, height), theme=theme.value, entity=entity)
    if as_json:
        output.answer_json({"out": out, "width": width, "height": height, "nodes": drawn.nodes,
                            "edges": drawn.edges, "shown": drawn.shown})
    else:
        output.say(f"{drawn.nodes} nodes, {drawn.edges} edges, {drawn.shown} shown: {out}")


def _measure(size: str) -> tuple[int, int]:
    match = _SIZE.fullmatch(size)
    if match is None:
        raise typer.BadParameter("--size is width x height in pixels, such as 1440x900")
    return int(match[1]), int(match[2])


def _with_qt(name: str) -> Any:
    """A module of `explorer` that loads Qt; says in words if Qt can't be loaded."""
    try:
        return import_module(f"explorer.{name}")
    except ImportError as error:
        if (error.name or "").split(".")[0] not in {"PySide6", "shiboken6", "qtawesome"}:
            raise
        raise ConstellationError(
            "Qt, which draws the window, can't be loaded here", detail=str(error),
            do="Run “make run”, which installs what is missing",
        ) from error
