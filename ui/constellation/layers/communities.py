"""Names of communities, large and faint, above the nebula that their members make."""

from ui.constellation.layers.canvas import Canvas
from ui.constellation.layers.ink import Hand, Ink, Weight, hand

_ALPHA = 0.4
_FULL, _GONE = 170.0, 330.0
"""The names fade between these steps: near, the entities' own names say it."""
_MOST = 24


def paint(canvas: Canvas, ink: Ink) -> list[tuple[float, float, float, float]]:
    """Draw names, the largest community first; returns the boxes they take."""
    step = canvas.frame.step
    fade = min(max((_GONE - step) / (_GONE - _FULL), 0.0), 1.0)
    if fade <= 0.0:
        return []
    fade *= 1.0 - 0.6 * canvas.frame.sight.lighting.level
    boxes: list[tuple[float, float, float, float]] = []
    groups, camera = canvas.scene.communities, canvas.frame.sight.camera
    for place, name in enumerate(groups.names):
        if len(boxes) >= _MOST:
            break
        reach = float(groups.radius[place]) * camera.scale
        if reach < 26.0:
            continue
        x, y = camera.to_screen(float(groups.x[place]), float(groups.top[place]))
        stamp = ink.stamp(name, _hand(reach), canvas.theme.color("text"), halo=False, most=360)
        left, top = x - stamp.width / 2, max(y - stamp.height, 34.0)
        box = (left - 6, top, stamp.width + 12, stamp.height)
        off_screen = x < 0 or x > canvas.width or y < -reach or top > canvas.height
        if off_screen or any(_meet(box, other) for other in boxes):
            continue
        boxes.append(box)
        canvas.painter.setOpacity(_ALPHA * fade)
        ink.draw(canvas.painter, stamp, left, top)
    canvas.painter.setOpacity(1.0)
    return boxes


def _hand(reach: float) -> Hand:
    return hand(int(min(max(11 + reach / 28.0, 12), 17)), Weight.Medium, 2.0)


def _meet(a: tuple[float, float, float, float], b: tuple[float, float, float, float]) -> bool:
    return (a[0] < b[0] + b[2] and b[0] < a[0] + a[2]
            and a[1] < b[1] + b[3] and b[1] < a[1] + a[3])
