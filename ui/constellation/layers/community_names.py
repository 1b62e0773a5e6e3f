"""Names of communities, large and faint, above the nebula that their members make."""

from ui.constellation.layers.canvas import Box, Canvas, meet, stars_under
from ui.constellation.layers.text_cache import TextCache, TextStyle, Weight, text_style

_ALPHA = 0.5
"""So that they can be read, at 3:1, and still lie behind the stars' own names."""
_FULL, _GONE = 170.0, 330.0
"""The names fade between these steps: near, the entities' own names say it."""
_MOST = 24
_CLEAR = 34.0
"""What the window's upper and lower edges are for other words."""
STARS_NAMED = 24.0
"""From this step on most stars have their names."""
_WAYS = ((0.0, 1.0), (0.0, 2.0), (-0.7, 1.2), (0.7, 1.2), (0.0, 3.0))


def paint(canvas: Canvas, text_cache: TextCache, taken: list[Box]) -> list[Box]:
    """Draw names, the largest community first, avoiding the boxes in `taken`; returns their
    boxes."""
    step = canvas.frame.step
    fade = min(max((_GONE - step) / (_GONE - _FULL), 0.0), 1.0)
    if fade <= 0.0:
        return []
    fade *= 1.0 - 0.6 * canvas.frame.viewpoint.lighting.level
    boxes: list[Box] = []
    own = set(canvas.scene.labels[: canvas.scene.entities])
    groups, camera = canvas.scene.communities, canvas.frame.viewpoint.camera
    for row, name in enumerate(groups.names):
        if len(boxes) >= _MOST:
            break
        reach = float(groups.radius[row]) * camera.scale
        if reach < 26.0:
            continue
        x, y = camera.to_screen(float(groups.x[row]), float(groups.top[row]))
        picture = text_cache.picture(
            name, _text_style(reach), canvas.theme.color("text"), halo=False, most=360)
        if x < 0 or x > canvas.width or y < -reach or y > canvas.height:
            continue
        left = min(max(x - picture.width / 2, 10.0), canvas.width - picture.width - 10.0)
        below = y + 2 * (float(groups.y[row]) - float(groups.top[row])) * camera.scale
        # Above its members, higher where something is in the way, beside that row, or below.
        # A name that is a star's own is said by the star where stars are named.
        if step >= STARS_NAMED and name in own:
            continue
        spots = [(max(left + right * picture.width, 10.0), y - up * picture.height)
                 for right, up in _WAYS]
        for at in (*spots, (left, below)):
            box = (at[0] - 6, at[1], picture.width + 12, picture.height)
            seen = (_CLEAR <= at[1] <= canvas.height - _CLEAR - picture.height
                    and at[0] + picture.width <= canvas.width - 8.0)
            if (seen and not any(meet(box, other) for other in (*boxes, *taken))
                    and not stars_under(canvas, box)):
                boxes.append(box)
                canvas.painter.setOpacity(_ALPHA * fade)
                text_cache.draw(canvas.painter, picture, *at)
                break
    canvas.painter.setOpacity(1.0)
    return boxes


def _text_style(reach: float) -> TextStyle:
    return text_style(int(min(max(11 + reach / 28.0, 12), 17)), Weight.Medium, 2.0)
