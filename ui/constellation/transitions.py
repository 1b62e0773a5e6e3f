"""What moves by itself: the camera on a journey, and things on their way to a new place."""

import numpy as np
from msgspec import Struct
from msgspec.structs import replace

from core.constellation.scene import Difference, Scene
from ui.constellation.camera import Camera, between, ease_out

FEEDBACK_SECONDS = 0.12
TRAVEL_SECONDS = 0.24
SETTLE_SECONDS = 1.4
"""How long a first picture takes to become the lasting one: gently, not in a jump."""


class CameraMove(Struct, frozen=True):
    """The camera's way from one place to another, begun at a time in seconds."""

    start: Camera
    end: Camera
    begun: float
    seconds: float = TRAVEL_SECONDS

    def at(self, now: float) -> tuple[Camera, bool]:
        """The camera at a time, and whether it has arrived."""
        t = 1.0 if self.seconds <= 0 else (now - self.begun) / self.seconds
        return between(self.start, self.end, ease_out(t)), t >= 1.0


class SceneMove(Struct, frozen=True, eq=False):
    """A scene on its way from old places: entities move with their rings, new ones fade in."""

    scene: Scene
    dx: np.ndarray
    dy: np.ndarray
    fresh: np.ndarray
    begun: float
    seconds: float = TRAVEL_SECONDS

    def at(self, now: float) -> tuple[Scene, float, bool]:
        """The scene at a time, how far new things have faded in, and whether it is over."""
        t = 1.0 if self.seconds <= 0 else (now - self.begun) / self.seconds
        if t >= 1.0:
            return self.scene, 1.0, True
        left = np.float32(1.0 - ease_out(t))
        if not (self.dx.any() or self.dy.any()):
            return self.scene, t, False
        return displaced(self.scene, self.dx * left, self.dy * left), t, False


def morph(old: Scene, new: Scene, change: Difference, begun: float, seconds: float) -> SceneMove:
    """From the places in `old` to those in `new`."""
    dx, dy = np.zeros(new.entities, np.float32), np.zeros(new.entities, np.float32)
    rows = change.moved
    there = change.before[rows]
    dx[rows], dy[rows] = old.x[there] - new.x[rows], old.y[there] - new.y[rows]
    return SceneMove(new, dx, dy, change.appeared, begun, seconds)


def displaced(scene: Scene, dx: np.ndarray, dy: np.ndarray) -> Scene:
    """The scene with each entity, its aspects and its values moved; memories stay."""
    aspects = scene.parent[scene.starts[1] : scene.starts[2]]
    values = aspects[scene.parent[scene.starts[2] : scene.starts[3]] - scene.starts[1]]
    still = np.zeros(scene.memories, np.float32)
    return replace(scene, x=scene.x + np.concatenate((dx, dx[aspects], dx[values], still)),
                   y=scene.y + np.concatenate((dy, dy[aspects], dy[values], still)))


def moved_one(scene: Scene, node: int, x: float, y: float) -> Scene:
    """The scene with one entity put elsewhere."""
    dx, dy = np.zeros(scene.entities, np.float32), np.zeros(scene.entities, np.float32)
    dx[node], dy[node] = x - float(scene.x[node]), y - float(scene.y[node])
    return displaced(scene, dx, dy)
