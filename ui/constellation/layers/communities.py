"""Names of communities, large and faint, above the nebula that their members make."""

from ui.constellation.layers.canvas import Box, Canvas, meet
from ui.constellation.layers.text_cache import Hand, TextCache, Weight, hand

_ALPHA = 0.4
_FULL, _GONE = 170.0, 330.0
"""The names fade between these steps: near, the entities' own names say it."""
_MOST = 24
_CLEAR = 34.0
"""What the window's upper and lower edges are for other words."""
_WAYS = ((0.0, 1.0), (0.0, 2.0), (-0.7, 1.2), (0.7, 1.2), (0.0, 3.0))


def paint(canvas: Canvas, text_cache: TextCache, taken: list[Box]) -> list[Box]:
    """Draw names, the largest community first, avoiding the boxes in `taken`; returns their
    boxes."""
    step = canvas.frame.step
    fade = min(max((_GONE - step) / (_GONE - _FULL), 0.0), 1.0)
    if fade <= 0.0:
        return []
    fade *= 1.0 - 0.6 * canvas.frame.sight.lighting.level
    boxes: list[Box] = []
    groups, camera = canvas.scene.communities, canvas.frame.sight.camera
    for place, name in enumerate(groups.names):
        if len(boxes) >= _MOST:
            break
        reach = float(groups.radius[place]) * camera.scale
        if reach < 26.0:
            continue
        x, y = camera.to_screen(float(groups.x[place]), float(groups.top[place]))
        stamp = text_cache.stamp(
            name, _hand(reach), canvas.theme.color("text"), halo=False, most=360)
        if x < 0 or x > canvas.width or y < -reach or y > canvas.height:
            continue
        left = min(max(x - stamp.width / 2, 10.0), canvas.width - stamp.width - 10.0)
        below = y + 2 * (float(groups.y[place]) - float(groups.top[place])) * camera.scale
        # Above its members, higher where something is in the way, beside that place, or below.
        spots = [(max(left + right * stamp.width, 10.0), y - up * stamp.height)
                 for right, up in _WAYS]
        for at in (*spots, (left, below)):
            box = (at[0] - 6, at[1], stamp.width + 12, stamp.height)
            seen = (_CLEAR <= at[1] <= canvas.height - _CLEAR - stamp.height
                    and at[0] + stamp.width <= canvas.width - 8.0)
            if seen and not any(meet(box, other) for other in (*boxes, *taken)):
                boxes.append(box)
                canvas.painter.setOpacity(_ALPHA * fade)
                text_cache.draw(canvas.painter, stamp, *at)
                break
    canvas.painter.setOpacity(1.0)
    return boxes


def _hand(reach: float) -> Hand:
    return hand(int(min(max(11 + reach / 28.0, 12), 17)), Weight.Medium, 2.0)
