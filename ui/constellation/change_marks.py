"""What the sky marks now: what is new, or while two states are compared what is different."""

from core.constellation.change_marks import ChangeMarks, PlacedMarks, placed
from core.constellation.scene import Scene


class SkyMarks:
    """The marks of both kinds, placed once a scene."""

    def __init__(self) -> None:
        self._new: ChangeMarks | None = None
        self._compared: ChangeMarks | None = None
        self._placed: PlacedMarks | None = None
        self._scene: Scene | None = None

    def set_new(self, marks: ChangeMarks | None) -> bool:
        """Mark what is new since the last visit; False where it was so before."""
        changed = marks != self._new
        if changed:
            self._new, self._scene = marks, None
        return changed

    def compare(self, marks: ChangeMarks | None) -> bool:
        """Mark what is different instead, until None; False where it was so before."""
        changed = marks is not self._compared
        if changed:
            self._compared, self._scene = marks, None
        return changed

    def placed(self, scene: Scene) -> PlacedMarks | None:
        """The marks in a scene; None where nothing is marked."""
        marks = self._new if self._compared is None else self._compared
        if marks is None:
            return None
        if scene is not self._scene:
            self._scene, self._placed = scene, placed(marks, scene)
        return self._placed

    def absent(self, scene: Scene) -> list[str]:
        """The names of what is marked and not in the scene."""
        marks = self.placed(scene)
        return marks.labels if marks is not None else []
