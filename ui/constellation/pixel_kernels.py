"""Machine-code kernels that draw into one buffer of 0xffRRGGBB pixels.

Each kernel draws the rows `y0..y1` only and computes every pixel from the whole picture's
coordinates, so that bands drawn by different threads meet without a seam and the bytes are the
same for any division into bands. Importing this module imports numba.
"""

import math

import numpy as np

from core.jit import njit
from ui.constellation.raster_input import DASHED, DIAMOND, HEXAGON, HOLLOW

CELL = 4
"""The glow is computed for every fourth pixel and smoothed: it has no finer structure."""

_NOISE = 64
_FAINTEST = 2.5
_TINY = 2.4


@njit
def _blend(pixel: int, color: int, alpha: int) -> int:
    """`color` over `pixel` with `alpha` 0..256; two channels at a time."""
    red_blue = pixel & 0xFF00FF
    green = pixel & 0x00FF00
    red_blue = (red_blue + ((((color & 0xFF00FF) - red_blue) * alpha) >> 8)) & 0xFF00FF
    green = (green + ((((color & 0x00FF00) - green) * alpha) >> 8)) & 0x00FF00
    return 0xFF000000 | red_blue | green


@njit
def light(
    grid: np.ndarray, y0: int, y1: int, x: np.ndarray, y: np.ndarray, radius: np.ndarray,
    alpha: np.ndarray, color: np.ndarray,
) -> None:
    """Add up soft round lights in `grid`, one sample per cell: red, green, blue by alpha, alpha."""
    rows, columns = grid.shape[0], grid.shape[1]
    first = max(y0 // CELL - 1, 0)
    last = min(y1 // CELL + 2, rows - 1)
    grid[first : last + 1] = 0.0
    for i in range(len(x)):
        a = alpha[i]
        if a <= 0.0:
            continue
        cx, cy, r = x[i] / CELL + 0.5, y[i] / CELL + 0.5, radius[i] / CELL
        if cy + r + 1.0 < first or cy - r - 1.0 > last or cx + r < -1.0 or cx - r > columns:
            continue
        red = float((color[i] >> 16) & 255)
        green = float((color[i] >> 8) & 255)
        blue = float(color[i] & 255)
        if r < 1.5:
            # Smaller than the cells: its light goes to the four samples around it.
            a = min(a * r * r * 1.047, 1.0)
            left, top = math.floor(cx), math.floor(cy)
            tx, ty = cx - left, cy - top
            for k in range(4):
                column, row = int(left) + k % 2, int(top) + k // 2
                if row < first or row > last or column < 0 or column >= columns:
                    continue
                w = a * (tx if k % 2 else 1.0 - tx) * (ty if k // 2 else 1.0 - ty)
                grid[row, column, 0] += red * w
                grid[row, column, 1] += green * w
                grid[row, column, 2] += blue * w
                grid[row, column, 3] += w
            continue
        per = 1.0 / (r * r)
        for row in range(max(int(math.ceil(cy - r)), first), min(int(cy + r), last) + 1):
            dy = row - cy
            half = r * r - dy * dy
            if half <= 0.0:
                continue
            half = math.sqrt(half)
            start, end = max(int(math.ceil(cx - half)), 0), min(int(cx + half), columns - 1)
            for column in range(start, end + 1):
                dx = column - cx
                fall = 1.0 - (dx * dx + dy * dy) * per
                w = a * fall * fall
                grid[row, column, 0] += red * w
                grid[row, column, 1] += green * w
                grid[row, column, 2] += blue * w
                grid[row, column, 3] += w


@njit
def sky(
    buffer: np.ndarray, grid: np.ndarray, mixed: np.ndarray, noise: np.ndarray, y0: int, y1: int,
    top: np.ndarray, bottom: np.ndarray, strength: float,
) -> None:
    """Fill the background: a vertical gradient under the glow, dithered so that no step shows."""
    height, width = buffer.shape
    rows, columns = grid.shape[0], grid.shape[1]
    first = max(y0 // CELL - 1, 0)
    last = min(y1 // CELL + 2, rows - 1)
    for row in range(first, last + 1):
        t = min(max(((row - 1) * CELL + CELL / 2) / height, 0.0), 1.0)
        for column in range(columns):
            weight = grid[row, column, 3]
            share = weight * strength
            a = 1.0 - 1.0 / (1.0 + share + 0.5 * share * share)
            per = a / weight if weight > 0.0 else 0.0
            for k in range(3):
                base = top[k] + (bottom[k] - top[k]) * t
                value = base * (1.0 - a) + grid[row, column, k] * per
                mixed[row, column, k] = int(min(max(value, 0.0), 254.99) * 256.0)
    for y in range(y0, y1):
        row = (y + 2) // CELL
        ty = 2 * ((y + 2) % CELL) + 1
        grain = noise[y & (_NOISE - 1)]
        r1 = mixed[row, 0, 0] * (8 - ty) + mixed[row + 1, 0, 0] * ty
        g1 = mixed[row, 0, 1] * (8 - ty) + mixed[row + 1, 0, 1] * ty
        b1 = mixed[row, 0, 2] * (8 - ty) + mixed[row + 1, 0, 2] * ty
        for column in range(columns - 1):
            r0, g0, b0 = r1, g1, b1
            r1 = mixed[row, column + 1, 0] * (8 - ty) + mixed[row + 1, column + 1, 0] * ty
            g1 = mixed[row, column + 1, 1] * (8 - ty) + mixed[row + 1, column + 1, 1] * ty
            b1 = mixed[row, column + 1, 2] * (8 - ty) + mixed[row + 1, column + 1, 2] * ty
            start = column * CELL - 2
            for x in range(max(start, 0), min(start + CELL, width)):
                tx = 2 * (x - start) + 1
                dither = grain[x & (_NOISE - 1)]
                red = (r0 * 8 + (r1 - r0) * tx + dither) >> 14
                green = (g0 * 8 + (g1 - g0) * tx + dither) >> 14
                blue = (b0 * 8 + (b1 - b0) * tx + dither) >> 14
                buffer[y, x] = np.uint32(0xFF000000 | (red << 16) | (green << 8) | blue)


@njit
def dust(
    buffer: np.ndarray, y0: int, y1: int, x: np.ndarray, y: np.ndarray, radius: np.ndarray,
    alpha: np.ndarray, color: np.ndarray,
) -> None:
    """Small soft points."""
    width = buffer.shape[1]
    for i in range(len(x)):
        cx, cy, reach = float(x[i]), float(y[i]), float(radius[i]) + 0.6
        if cy + reach < y0 or cy - reach > y1:
            continue
        per, strength, rgb = 1.0 / (reach * reach), alpha[i] * 330.0, int(color[i])
        for py in range(max(int(cy - reach), y0), min(int(cy + reach) + 1, y1)):
            dy = py + 0.5 - cy
            for px in range(max(int(cx - reach), 0), min(int(cx + reach) + 1, width)):
                dx = px + 0.5 - cx
                fall = 1.0 - (dx * dx + dy * dy) * per
                if fall > 0.0:
                    buffer[py, px] = np.uint32(
                        _blend(int(buffer[py, px]), rgb, int(min(strength * fall, 256.0))))


@njit
def _gap(code: int, along: float, scale: float) -> bool:
    """True where a dashed line has a gap."""
    if code == 0:
        return False
    on, period = 9.0, 13.0
    if code == 2:
        on, period = 5.0, 9.0
    elif code == 3:
        on, period = 1.6, 5.0
    return along % (period * scale) > on * scale


@njit
def affordable(
    x: np.ndarray, y: np.ndarray, source: np.ndarray, target: np.ndarray,
    thickness: np.ndarray, width: int, height: int, most: float,
) -> int:
    """How many of the lines, from the first, are together no longer than `most` pixels."""
    spent = 0.0
    for e in range(len(source)):
        i, j = source[e], target[e]
        left, right = min(x[i], x[j]), max(x[i], x[j])
        top, bottom = min(y[i], y[j]), max(y[i], y[j])
        if right < 0.0 or left > width or bottom < 0.0 or top > height:
            continue
        steps = max(min(right, width) - max(left, 0.0), min(bottom, height) - max(top, 0.0))
        # A thick line touches more pixels a step, each of them weighed.
        spent += steps if thickness[e] <= 1.0 else 2.5 * steps
        if spent > most:
            return e
    return len(source)


@njit
def lines(
    buffer: np.ndarray, flat: np.ndarray, y0: int, y1: int,
    x: np.ndarray, y: np.ndarray, rim: np.ndarray,
    source: np.ndarray, target: np.ndarray, width: np.ndarray, alpha: np.ndarray,
    dash: np.ndarray, color: np.ndarray, count: int, scale: float, far: float, gap: float,
) -> None:
    """Antialiased lines between nodes, from rim to rim; `flat` are the buffer's pixels in a row.

    Lines longer than `far` pixels fade, so that structure remains where there are many. `gap` is
    the opacity in the gaps of dashed lines: 1 draws them whole.
    """
    wide = buffer.shape[1]
    for e in range(count):
        i, j = source[e], target[e]
        x1, p1, x2, p2 = float(x[i]), float(y[i]), float(x[j]), float(y[j])
        if min(p1, p2) > y1 + 2.0 or max(p1, p2) < y0 - 2.0:
            continue
        if max(x1, x2) < -2.0 or min(x1, x2) > wide + 2.0:
            continue
        dx, dy = x2 - x1, p2 - p1
        length = math.sqrt(dx * dx + dy * dy)
        if length - rim[i] - rim[j] < 1.0:
            continue
        strength = alpha[e] * 256.0
        if length > far:
            strength *= max(far / length, 0.06)
        thick = width[e] * scale
        if strength * min(thick, 1.0) < _FAINTEST:
            continue
        ux, uy = dx / length, dy / length
        x1, p1 = x1 + ux * rim[i], p1 + uy * rim[i]
        x2, p2 = x2 - ux * rim[j], p2 - uy * rim[j]
        if thick <= 1.0 and (dash[e] == 0 or gap >= 1.0):
            _hairline(flat, wide, y0, y1, x1, p1, x2, p2, strength * thick, int(color[e]))
        else:
            code = int(dash[e]) if gap < 1.0 else 0
            _line(buffer, y0, y1, x1, p1, x2, p2, thick * 0.5, strength, code, gap, scale,
                  int(color[e]))


@njit
def _hairline(
    flat: np.ndarray, wide: int, y0: int, y1: int, x1: float, p1: float, x2: float, p2: float,
    strength: float, color: int,
) -> None:
    """A line of one pixel or less: two pixels share each step, in 16.16 fixed point."""
    full = int(strength)
    steep = abs(p2 - p1) > abs(x2 - x1)
    if steep:
        x1, p1, x2, p2 = p1, x1, p2, x2
    if x1 > x2:
        x1, p1, x2, p2 = x2, p2, x1, p1
    if x2 - x1 < 0.5:
        return
    slope = (p2 - p1) / (x2 - x1)
    # Along the main axis: the first and last step whose pixels are in the band and the window.
    low, high = (y0, y1) if steep else (0, wide)
    near, end = (0, wide) if steep else (y0, y1)
    left, right = x1, x2
    if abs(slope) > 1e-6:
        one = x1 + (near - 2.0 - p1) / slope
        two = x1 + (end + 2.0 - p1) / slope
        left, right = max(left, min(one, two)), min(right, max(one, two))
    elif p1 < near - 2.0 or p1 > end + 2.0:
        return
    first = max(int(math.ceil(left - 0.5)), low)
    last = min(int(math.floor(right - 0.5)) + 1, high)
    origin = int(math.floor(x1))
    start = int((p1 - 0.5 + slope * (origin + 0.5 - x1)) * 65536.0)
    rise = int(slope * 65536.0)
    along, aside = (wide, 1) if steep else (1, wide)
    red_blue, green = color & 0xFF00FF, color & 0x00FF00
    at = start + rise * (first - origin)
    # A pixel's neighbour may lie in the other band or outside: those are tested, the rest not.
    for step in range(first, last):
        side = at >> 16
        share = ((at & 0xFFFF) * full) >> 16
        pixel_at = np.uint64(step * along + side * aside)
        if near <= side < end:
            pixel = int(flat[pixel_at])
            kept = pixel & 0xFF00FF
            kept = (kept + (((red_blue - kept) * (full - share)) >> 8)) & 0xFF00FF
            middle = pixel & 0x00FF00
            middle = (middle + (((green - middle) * (full - share)) >> 8)) & 0x00FF00
            flat[pixel_at] = np.uint32(0xFF000000 | kept | middle)
        if near <= side + 1 < end:
            pixel_at += np.uint64(aside)
            pixel = int(flat[pixel_at])
            kept = pixel & 0xFF00FF
            kept = (kept + (((red_blue - kept) * share) >> 8)) & 0xFF00FF
            middle = pixel & 0x00FF00
            middle = (middle + (((green - middle) * share) >> 8)) & 0x00FF00
            flat[pixel_at] = np.uint32(0xFF000000 | kept | middle)
        at += rise


@njit
def _line(
    buffer: np.ndarray, y0: int, y1: int, x1: float, p1: float, x2: float, p2: float,
    half_width: float, strength: float, code: int, gap: float, scale: float, color: int,
) -> None:
    """A line of any width, by how much of each pixel it covers."""
    wide = buffer.shape[1]
    dx, dy = x2 - x1, p2 - p1
    steep = abs(dy) > abs(dx)
    a1, a2, c1, c2 = (p1, p2, x1, x2) if steep else (x1, x2, p1, p2)
    if abs(a2 - a1) < 0.5:
        return
    slope = (c2 - c1) / (a2 - a1)
    stretch = math.sqrt(1.0 + slope * slope)
    half = half_width * stretch
    low, high = (y0, y1) if steep else (0, wide)
    near, end = (0, wide) if steep else (y0, y1)
    left, right = min(a1, a2), max(a1, a2)
    if abs(slope) > 1e-6:
        one = a1 + (near - half - 2.0 - c1) / slope
        two = a1 + (end + half + 2.0 - c1) / slope
        left, right = max(left, min(one, two)), min(right, max(one, two))
    for step in range(max(int(math.ceil(left - 0.5)), low),
                      min(int(math.floor(right - 0.5)) + 1, high)):
        centre = c1 + slope * (step + 0.5 - a1)
        value = strength
        if code != 0 and _gap(code, abs(step + 0.5 - a1) * stretch, scale):
            value *= gap
        start, stop = centre - half, centre + half
        for side in range(max(int(math.floor(start)), near),
                          min(int(math.floor(stop)) + 1, end)):
            cover = min(side + 1.0, stop) - max(float(side), start)
            alpha = int(value * cover)
            if alpha <= 0:
                continue
            if steep:
                buffer[step, side] = np.uint32(_blend(int(buffer[step, side]), color, alpha))
            else:
                buffer[side, step] = np.uint32(_blend(int(buffer[side, step]), color, alpha))


@njit
def _distance(shape: int, dx: float, dy: float, r: float) -> float:
    """How far a point is outside of a shape's rim; negative inside."""
    if shape <= DASHED:
        ax, ay = abs(dx), abs(dy)
        return max(ax, 0.5 * ax + 0.8660254 * ay) - 0.8660254 * r
    if shape == DIAMOND:
        return (abs(dx) + abs(dy) - r) * 0.7071068
    return math.sqrt(dx * dx + dy * dy) - r


@njit
def _speck(
    buffer: np.ndarray, y0: int, y1: int, cx: float, cy: float, r: float, opaque: float,
    color: int,
) -> None:
    """A thing so small that its shape can't be seen: a soft point."""
    wide = buffer.shape[1]
    outer = (r + 0.5) * (r + 0.5)
    for py in range(max(int(cy - r - 0.5), y0), min(int(cy + r + 0.5) + 1, y1)):
        dy = py + 0.5 - cy
        for px in range(max(int(cx - r - 0.5), 0), min(int(cx + r + 0.5) + 1, wide)):
            dx = px + 0.5 - cx
            square = dx * dx + dy * dy
            if square < outer:
                cover = min(r + 0.5 - math.sqrt(square), 1.0)
                buffer[py, px] = np.uint32(
                    _blend(int(buffer[py, px]), color, int(opaque * cover)))


@njit
def shapes(
    buffer: np.ndarray, y0: int, y1: int, x: np.ndarray, y: np.ndarray, radius: np.ndarray,
    alpha: np.ndarray, fill: np.ndarray, rim: np.ndarray, shape: np.ndarray, scale: float,
) -> None:
    """Hexagons with a thin rim, discs and diamonds, in the order given."""
    wide = buffer.shape[1]
    for i in range(len(x)):
        cx, cy, r, kind = x[i], y[i], radius[i], int(shape[i])
        if cy + r + 1.0 < y0 or cy - r - 1.0 > y1:
            continue
        inside, border = int(fill[i]), int(rim[i])
        opaque = alpha[i] * 256.0
        if r < _TINY and kind != HOLLOW:
            _speck(buffer, y0, y1, float(cx), float(cy), float(r), opaque, inside)
            continue
        line = min(max(r * 0.11, 0.5 * scale), 1.25 * scale)
        # On a tiny thing the rim would be all there is.
        edge = min(max((r - 2.0 * scale) / (4.0 * scale), 0.0), 1.0) * 0.75
        body = 1.0
        if kind in (HOLLOW, DASHED):
            edge = max(edge, 0.6)
            body = 0.16 if kind == HOLLOW else 0.34
        for py in range(max(int(cy - r - 1.0), y0), min(int(cy + r + 2.0), y1)):
            dy = py + 0.5 - cy
            # Light falls from above: a little of the rim's colour in the upper half.
            sheen = int(max(-dy / r, 0.0) * 40.0) if kind == HEXAGON else 0
            tone = _blend(inside, border, sheen)
            for px in range(max(int(cx - r - 1.0), 0), min(int(cx + r + 2.0), wide)):
                dx = px + 0.5 - cx
                d = _distance(kind, dx, dy, r)
                cover = opaque * min(max(0.5 - d, 0.0), 1.0)
                on_rim = min(max(d + line + 0.5, 0.0), 1.0) * edge
                if kind == DASHED and math.sin(math.atan2(dy, dx) * 9.0) < -0.2:
                    on_rim = 0.0
                pixel = _blend(int(buffer[py, px]), tone, int(cover * body))
                buffer[py, px] = np.uint32(_blend(pixel, border, int(cover * on_rim)))
