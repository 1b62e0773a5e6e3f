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
from core.garbage_collection import loading
from core.model.text_formatting import counted
from explorer import display
from explorer.cli import output
from explorer.cli.options import EVERYONE, AgentName, AsOf, Json, Store
from explorer.default_graph import chosen_store, missing, usual_store
from explorer.demo import ready_demo
from explorer.streams import on_interrupt, stop_at_once

_SIZE = re.compile(r"(\d{2,5})x(\d{2,5})")
_LONGEST, _AREA = 16_384, 64_000_000
"""Pixels of a side and of a whole picture: more takes more memory than many machines have."""
_PAGES = (".svg", ".pdf")
_BEGINNINGS = (b"\x89PNG", b"<?xml", b"<svg", b"%PDF-")
Demo = Annotated[bool, typer.Option("--demo", help="The demo graph: a developer's year.")]
LastAgent = Annotated[
    str, typer.Option("--agent", help="The agent; without it the last one shown.",
                      metavar="NAME", show_default=False)
]


class Theme(StrEnum):
    """The two looks."""

    dusk = "dusk"
    paper = "paper"


def open_window(
    graph: Annotated[
        Path | None,
        typer.Argument(metavar="STORE", readable=False,
                       help="The graph file; without it the default one.")
    ] = None,
    store: Store = None, agent: LastAgent = "", demo: Demo = False,
    picture: Annotated[
        Path | None,
        typer.Option("--picture", help="Without a display: draw the window into this PNG."),
    ] = None,
) -> None:
    """Open the window: the same as `constellation STORE`."""
    named = graph or store
    if named is not None and not demo and not named.expanduser().exists():
        raise missing(named)
    path = ready_demo() if demo else named or usual_store()
    if picture is not None:
        _refuse_no_picture(picture)
    if display.is_there() and not (picture and display.shows_nothing()):
        raise typer.Exit(_with_qt("desktop").open_window(path, agent))
    if picture is None:
        raise ConstellationError(
            "No display is available to open a window",
            do="Draw a picture instead: “constellation render --out sky.png”",
        )
    os.environ["QT_QPA_PLATFORM"] = "offscreen"
    _with_qt("pictures").draw_window(path, agent, picture)
    output.say(f"No display is available, so the window was drawn into {picture}.")


def render(
    out: Annotated[Path, typer.Option(
        "--out", help="The picture to write: .png, or .svg or .pdf, which stay sharp.")],
    size: Annotated[str, typer.Option("--size", metavar="WxH", help="In pixels.")] = "1440x900",
    theme: Annotated[Theme, typer.Option("--theme", help="The theme.")] = Theme.dusk,
    entity: Annotated[str, typer.Option("--entity", help="The entity to zoom in on.")] = "",
    window: Annotated[
        bool, typer.Option("--window", help="Draw the whole window, not only the sky.")
    ] = False,
    scale: Annotated[float, typer.Option(
        "--scale", min=0.25, max=8.0, help="How many times as large; names grow along.")] = 1.0,
    since: Annotated[str, typer.Option(
        "--since", metavar="DATE", show_default=False,
        help="Mark what was added, changed or is gone since; “last visit” is that of the window."),
    ] = "",
    other: Annotated[str, typer.Option(
        "--with-agent", metavar="NAME", show_default=False,
        help="Mark how this agent's knowledge is different.")] = "",
    store: Store = None, agent: AgentName = EVERYONE, demo: Demo = False, as_of: AsOf = "",
    as_json: Json = False,
) -> None:
    """Draw the sky, or the window, into a picture."""
    width, height = _measure(size, scale if out.suffix.lower() == ".png" else 1.0)
    _refuse_no_picture(out, () if window else _PAGES)
    if (since or other) and (window or (since and other)):
        raise typer.BadParameter("the sky alone marks what is different, from one other state")
    path = ready_demo() if demo else chosen_store(store)
    os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")
    if window and scale != 1.0:
        os.environ["QT_SCALE_FACTOR"] = str(scale)  # As on a screen of so many times the points.
    pictures = _with_qt("pictures")
    draw = pictures.draw_window if window else pictures.draw_sky
    more = {} if window else {"scale": scale, "since": since, "other": other}
    drawn = draw(path, agent, out, size=(width, height), theme=theme.value, entity=entity,
                 as_of=as_of, **more)
    if as_json:
        output.answer_json({"out": out, "width": width, "height": height, "nodes": drawn.nodes,
                            "edges": drawn.edges, "shown": drawn.shown})
    else:
        every = drawn.entities_shown == drawn.entities
        seen = "" if every else f"{drawn.entities_shown:,} of "
        output.say(f"{seen}{counted(drawn.entities, 'entity')}, {counted(drawn.edges, 'link')}: "
                   f"{out}")


def _measure(size: str, scale: float) -> tuple[int, int]:
    match = _SIZE.fullmatch(size)
    if match is None:
        raise typer.BadParameter("--size is width x height in pixels, such as 1440x900")
    width, height = int(match[1]), int(match[2])
    if max(width, height) * scale > _LONGEST or width * height * scale ** 2 > _AREA:
        raise typer.BadParameter(f"--size is at most {_LONGEST:,} pixels a side and "
                                 f"{_AREA // 1_000_000} million in all")
    return width, height


def _refuse_no_picture(out: Path, more: tuple[str, ...] = ()) -> None:
    """Refuse a name that is none of a picture, and to write over what is not one.

    Args:
        more: the endings that are allowed beside that of a PNG.
    """
    endings = (".png", *more)
    if out.suffix.lower() not in endings:
        raise ConstellationError(
            f"Pictures can only be written as {' or '.join(each[1:].upper() for each in endings)}",
            where=str(out), do=f"Choose a name that ends in {' or '.join(endings)}")
    try:
        with out.open("rb") as file:
            is_picture = file.read(5).startswith(_BEGINNINGS) or not file.seek(0, 2)
    except FileNotFoundError:
        return
    except OSError as error:
        raise ConstellationError("The picture can't be written", where=str(out),
                                 do="Choose another name", detail=str(error)) from error
    if not is_picture:
        raise ConstellationError("A file that is not a picture exists here",
                                 where=str(out), do="Choose another name; nothing was changed")


def _with_qt(name: str) -> Any:
    """A module of `explorer` that loads Qt; says in words if Qt can't be loaded.

    From then on Ctrl+C ends the process at once: an exception amid what Qt does crashes it.
    """
    on_interrupt(stop_at_once)
    try:
        with loading():
            return import_module(f"explorer.{name}")
    except ImportError as error:
        if (error.name or "").split(".")[0] not in {"PySide6", "shiboken6", "qtawesome"}:
            raise
        raise ConstellationError(
            "Qt, which draws the window, can't be loaded here", detail=str(error),
            do="Run “make run”, which installs what is missing",
        ) from error
