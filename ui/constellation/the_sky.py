"""The widget in the middle of the window, where it is the sky."""

from typing import TYPE_CHECKING

from PySide6.QtWidgets import QWidget

if TYPE_CHECKING:
    from ui.constellation.sky_loader import Sky


def as_sky(widget: QWidget | None) -> "Sky | None":
    """The widget, where it shows the sky of an open graph."""
    if widget is None:
        return None
    # A window without a graph stands without loading what draws one.
    from ui.constellation.sky_loader import Sky  # noqa: PLC0415

    return widget if isinstance(widget, Sky) else None
