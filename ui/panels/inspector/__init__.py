"""Everything that is known about the selected entity."""

from ui.panels.inspector.panel import Inspector

__all__ = ["Inspector"]
