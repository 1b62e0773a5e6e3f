"""The panels of the window, in the order of their docks. A new panel is one file and one line."""

from ui.panel import Panel

PANELS: tuple[type[Panel], ...] = ()
