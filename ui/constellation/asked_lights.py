"""What agents have asked just now: it lights up and fades by itself, the camera stays."""

from collections.abc import Iterable

from msgspec import Struct

from core.constellation.scene import Scene
from ui.constellation.highlights import HighlightIds, LitRows
from ui.constellation.layers.paint_context import AskedLight, Walk

RISE_S, HOLD_S, FADE_S = 0.25, 2.5, 4.5
"""Seconds in which a light comes, stays and goes."""
MOST = 6
"""Lights at a time; of more questions the last ones are lit."""


class _Begun(Struct):
    """A light, and when it began."""

    ids: HighlightIds
    focal_ids: tuple[str, ...]
    at: float
    walk: Walk
    focal: tuple[int, ...] = ()


class AskedLights:
    """The lights of the last questions, each on its way from bright to dark."""

    def __init__(self) -> None:
        self._lights: list[_Begun] = []
        self._scene: Scene | None = None
        self._rows = LitRows()

    def add(self, scene: Scene, ids: HighlightIds, focal_ids: Iterable[str], now: float) -> None:
        """Light what one question came to; ids that the scene does not have are left out."""
        light = _Begun(ids, tuple(focal_ids), now, Walk())
        self._find(scene, light)
        self._scene, self._lights = scene, [*self._lights, light][-MOST:]

    def _find(self, scene: Scene, light: _Begun) -> None:
        light.walk = self._rows.walk(scene, light.ids)
        light.focal = tuple(scene.index[id] for id in light.focal_ids if id in scene.index)

    def lit(self, scene: Scene, now: float, *, reduced: bool) -> tuple[AskedLight, ...]:
        """What is lit at a time; with reduced motion each is there and then gone."""
        self._lights = [each for each in self._lights if now - each.at < RISE_S + HOLD_S + FADE_S]
        if scene is not self._scene:
            for light in self._lights:
                self._find(scene, light)
            self._scene = scene
        return tuple(AskedLight(each.walk, each.focal, 1.0 if reduced else _level(now - each.at))
                     for each in self._lights)


def _level(age: float) -> float:
    """How bright a light of this age is, 0 to 1."""
    if age < RISE_S:
        return age / RISE_S
    left = 1.0 - max(age - RISE_S - HOLD_S, 0.0) / FADE_S
    return max(left, 0.0) ** 1.5
