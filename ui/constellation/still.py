"""Frames without a window: the whole sky, or one entity dived into."""

from core.constellation.detail import follow
from core.constellation.scene import Scene
from ui.constellation.camera import Camera
from ui.constellation.frame import Frame, Sight, look
from ui.constellation.layers.canvas import Showing

_RINGS_SHARE = 0.36
_DIVE_STEPS = (360.0, 640.0)
_RINGS_FROM = 48.0


def whole(scene: Scene, width: float, height: float) -> Camera:
    """The camera that shows every entity."""
    camera = Camera(width=max(width, 1.0), height=max(height, 1.0)).bounded(scene.unit)
    return camera.fitted(*scene.bounds())


def dive_camera(scene: Scene, camera: Camera, node: int) -> Camera:
    """The camera that has an entity's rings fill the window."""
    reach = max(float(scene.reach[node]), 1e-9)
    scale = min(camera.width, camera.height) * _RINGS_SHARE / reach
    low, high = (step / scene.unit for step in _DIVE_STEPS)
    return camera.centred(float(scene.x[node]), float(scene.y[node]), min(max(scale, low), high))


def opened(scene: Scene, camera: Camera, *nodes: int) -> tuple[int, ...]:
    """Those of the nodes whose rings are shown: entities, unless too far out to see rings."""
    if scene.unit * camera.scale < _RINGS_FROM:
        return ()
    return tuple(sorted({node for node in nodes if 0 <= node < scene.entities}))


def still_frame(
    scene: Scene, width: float, height: float, entity_id: str = ""
) -> tuple[Frame, Showing]:
    """The frame and what is shown over it, selected and dived into if an entity is named."""
    camera = whole(scene, width, height)
    node = scene.index.get(entity_id, -1)
    showing = Showing()
    if node >= 0:
        camera = dive_camera(scene, camera, node)
        showing = Showing(selected=node, trail=(node,))
    marked = frozenset(scene.edges_of(node).tolist()) if node >= 0 else frozenset()
    sight = Sight(camera, follow(scene.unit * camera.scale),
                  opened=opened(scene, camera, node), marked=marked)
    return look(scene, sight), showing
