"""Move through the sky, and say what it shows."""

from collections.abc import Callable

from ui.action import Action
from ui.constellation.sky_loader import Sky
from ui.context import Context


def sky_of(context: Context) -> Sky | None:
    """The sky of this graph; None while a face is in its place."""
    found = context.shell.sky()
    return found if isinstance(found, Sky) else None


def has_sky(context: Context) -> bool:
    return sky_of(context) is not None


def has_selection(context: Context) -> bool:
    return has_sky(context) and context.selection.entity is not None


def fit(context: Context) -> None:
    _with_sky(context, lambda sky: sky.fit())


def find(context: Context) -> None:
    """Bring the selected entity into the middle, and the keyboard to the sky."""
    sky = sky_of(context)
    if sky is not None:
        sky.focus(context.selection.entity_id)
        sky.setFocus()


def dive(context: Context) -> None:
    _with_sky(context, lambda sky: sky.dive(context.selection.entity_id))


def back_out(context: Context) -> None:
    _with_sky(context, lambda sky: sky.back())


def lay_out_anew(context: Context) -> None:
    _with_sky(context, lambda sky: sky.lay_out_anew())


def toggle_archived(context: Context) -> None:
    _with_sky(context, lambda sky: sky.show_archived(not sky.shows_archived))


def shows_archived(context: Context) -> bool:
    sky = sky_of(context)
    return sky is not None and sky.shows_archived


def _with_sky(context: Context, do: Callable[[Sky], object]) -> None:
    sky = sky_of(context)
    if sky is not None:
        do(sky)


ACTIONS = (
    Action("sky.fit", "Show the whole sky", fit, ("Ctrl+Shift+0",), "fit", "View", "sky",
           enabled=has_sky),
    Action("sky.find", "Find the entity in the sky", find, (), "search", "View", "sky",
           enabled=has_selection),
    Action("sky.dive", "Dive into the entity", dive, ("Ctrl+Return",), "dive", "View", "sky",
           enabled=has_selection),
    Action("sky.back", "Back out", back_out, ("Ctrl+Backspace",), "back", "View", "sky",
           enabled=has_sky),
    Action("sky.archived", "Show archived entities", toggle_archived, (), "archive", "View",
           "shown", enabled=has_sky, checked=shows_archived),
    Action("sky.anew", "Lay the sky out anew", lay_out_anew, (), "refresh", "View", "shown",
           enabled=has_sky),
)
