"""What the engine is set to for all windows."""

from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal

if TYPE_CHECKING:
    from core.settings import Ignored, Loaded, Settings


class Engine(QObject):
    """The person's settings, read when they are first asked for.

    Args:
        path: the settings file; the person's own where none is given.
    """

    changed = Signal()

    def __init__(self, path: Path | None = None, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._path = path
        self._loaded: Loaded | None = None

    @property
    def settings(self) -> "Settings":
        """What the engine is set to."""
        return self._read().settings

    @property
    def ignored(self) -> "tuple[Ignored, ...]":
        """Lines of the file that could not be used."""
        return self._read().ignored

    def keep(self, settings: "Settings") -> None:
        """Save other settings and tell everybody; raises ConstellationError where it can't."""
        from core.settings import Loaded, save  # noqa: PLC0415  as in _read

        save(settings, self._path)
        self._loaded = Loaded(settings)
        self.changed.emit()

    def _read(self) -> "Loaded":
        # pydantic, which reads them, takes long to load: the window stands without.
        from core.settings import load  # noqa: PLC0415

        if self._loaded is None:
            self._loaded = load(self._path)
        return self._loaded
