"""Move through the sky, and say what it shows."""

from collections.abc import Callable
from typing import TYPE_CHECKING

from ui.action import Action
from ui.constellation.the_sky import as_sky
from ui.context import Context

if TYPE_CHECKING:
    from ui.constellation.sky_loader import Sky


def sky_of(context: Context) -> "Sky | None":
    """The sky of this graph; None while a face is in its place."""
    return as_sky(context.shell.sky())


def has_sky(context: Context) -> bool:
    return sky_of(context) is not None


def has_selection(context: Context) -> bool:
    return has_sky(context) and context.selection.entity is not None


def find(context: Context) -> None:
    """Bring the selected entity into the middle, and the keyboard to the sky."""
    sky = sky_of(context)
    if sky is not None:
        sky.focus(context.selection.entity_id)
        sky.setFocus()


def shows_archived(context: Context) -> bool:
    sky = sky_of(context)
    return sky is not None and sky.shows_archived


def _with_sky(do: "Callable[[Sky, Context], object]") -> Callable[[Context], None]:
    """Does it if the sky is shown."""
    def run(context: Context) -> None:
        sky = sky_of(context)
        if sky is not None:
            do(sky, context)

    return run


ACTIONS = (
    Action("sky.fit", "Show the whole sky", _with_sky(lambda sky, _: sky.fit()),
           ("Ctrl+Shift+0",), "fit", "View", "sky", enabled=has_sky),
    Action("sky.find", "Show the entity in the sky", find, (), "search", "View", "sky",
           enabled=has_selection,
           why="select an entity first"),
    Action("sky.dive", "Zoom in on the entity",
           _with_sky(lambda sky, context: sky.dive(context.selection.entity_id)),
           ("Ctrl+Return",), "dive", "View", "sky", enabled=has_selection,
           why="select an entity first"),
    Action("sky.back", "Back in the sky", _with_sky(lambda sky, _: sky.back()), ("Ctrl+Backspace",),
           "back", "View", "sky", enabled=has_sky),
    Action("sky.archived", "Show archived entities",
           _with_sky(lambda sky, _: sky.show_archived(not sky.shows_archived)), (), "archive",
           "View", "shown", enabled=has_sky, checked=shows_archived),
    Action("sky.anew", "Recompute layout", _with_sky(lambda sky, _: sky.lay_out_anew()), (),
           "refresh", "View", "shown", enabled=has_sky),
)
