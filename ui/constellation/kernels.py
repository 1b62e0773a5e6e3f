"""Machine-code kernels that draw into one buffer of 0xffRRGGBB pixels.

Each kernel draws the rows `y0..y1` only and computes every pixel from the whole picture's
coordinates, so that bands drawn by different threads meet without a seam and the bytes are the
same for any division into bands. Importing this module imports numba.
"""

import math

import numpy as np

from core.jit import njit

CELL = 4
"""The glow is computed for every fourth pixel and smoothed: it has no finer structure."""

HEXAGON, HOLLOW, DASHED, DISC, DIAMOND = 0, 1, 2, 3, 4

_NOISE = 64


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
                mixed[row, column, k] = int(min(max(value, 0.0), 255.0) * 256.0)
    for y in range(y0, y1):
        row = (y + 2) // CELL
        ty = 2 * ((y + 2) % CELL) + 1
        for column in range(columns - 1):
            r0 = mixed[row, column, 0] * (8 - ty) + mixed[row + 1, column, 0] * ty
            g0 = mixed[row, column, 1] * (8 - ty) + mixed[row + 1, column, 1] * ty
            b0 = mixed[row, column, 2] * (8 - ty) + mixed[row + 1, column, 2] * ty
            dr = mixed[row, column + 1, 0] * (8 - ty) + mixed[row + 1, column + 1, 0] * ty - r0
            dg = mixed[row, column + 1, 1] * (8 - ty) + mixed[row + 1, column + 1, 1] * ty - g0
            db = mixed[row, column + 1, 2] * (8 - ty) + mixed[row + 1, column + 1, 2] * ty - b0
            start = column * CELL - 2
            for j in range(CELL):
                x = start + j
                if x < 0 or x >= width:
                    continue
                grain = noise[y & (_NOISE - 1), x & (_NOISE - 1)]
                tx = 2 * j + 1
                red = min((r0 * 8 + dr * tx + grain) >> 14, 255)
                green = min((g0 * 8 + dg * tx + grain) >> 14, 255)
                blue = min((b0 * 8 + db * tx + grain) >> 14, 255)
                buffer[y, x] = np.uint32(0xFF000000 | (red << 16) | (green << 8) | blue)


@njit
def dust(
    buffer: np.ndarray, y0: int, y1: int, x: np.ndarray, y: np.ndarray, radius: np.ndarray,
    alpha: np.ndarray, color: np.ndarray,
) -> None:
    """Small soft points."""
    width = buffer.shape[1]
    for i in range(len(x)):
        r = radius[i]
        reach = r + 0.7
        if y[i] + reach < y0 or y[i] - reach > y1:
            continue
        a, rgb = alpha[i] * 256.0, int(color[i])
        for py in range(max(int(y[i] - reach), y0), min(int(y[i] + reach) + 1, y1)):
            for px in range(max(int(x[i] - reach), 0), min(int(x[i] + reach) + 1, width)):
                distance = math.hypot(px + 0.5 - x[i], py + 0.5 - y[i])
                cover = min(max((reach - distance) / 1.2, 0.0), 1.0)
                value = int(a * cover)
                if value > 0:
                    buffer[py, px] = np.uint32(_blend(int(buffer[py, px]), rgb, value))


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
def lines(
    buffer: np.ndarray, y0: int, y1: int, x: np.ndarray, y: np.ndarray, rim: np.ndarray,
    source: np.ndarray, target: np.ndarray, width: np.ndarray, alpha: np.ndarray,
    dash: np.ndarray, color: np.ndarray, count: int, scale: float, far: float, gap: float,
) -> None:
    """Antialiased lines between nodes, from rim to rim.

    Lines longer than `far` pixels fade, so that structure remains where there are many. `gap` is
    the opacity in the gaps of dashed lines: 1 draws them whole.
    """
    high, wide = y1, buffer.shape[1]
    for e in range(count):
        i, j = source[e], target[e]
        x1, p1, x2, p2 = x[i], y[i], x[j], y[j]
        hw = width[e] * 0.5 * scale
        low, top = min(p1, p2) - hw - 1.0, max(p1, p2) + hw + 1.0
        if top < y0 or low > high or max(x1, x2) < -2.0 or min(x1, x2) > wide + 2.0:
            continue
        dx, dy = x2 - x1, p2 - p1
        length = math.sqrt(dx * dx + dy * dy)
        clear = rim[i] + rim[j]
        if length - clear < 1.0:
            continue
        strength = alpha[e] * 256.0
        if length > far:
            strength *= max(far / length, 0.3)
        if strength < 1.5:
            continue
        ux, uy = dx / length, dy / length
        x1, p1 = x1 + ux * rim[i], p1 + uy * rim[i]
        x2, p2 = x2 - ux * rim[j], p2 - uy * rim[j]
        rgb, code = int(color[e]), int(dash[e])
        if abs(dx) >= abs(dy):
            slope = dy / dx
            half = hw * math.sqrt(1.0 + slope * slope)
            left, right = min(x1, x2), max(x1, x2)
            if abs(slope) > 1e-6:
                # Only the columns where the line is near this band.
                one = x1 + (y0 - half - 2.0 - p1) / slope
                two = x1 + (high + half + 2.0 - p1) / slope
                left, right = max(left, min(one, two)), min(right, max(one, two))
            for px in range(max(int(math.ceil(left - 0.5)), 0), min(int(right + 0.5), wide)):
                along = (px + 0.5 - x1) * dx / abs(dx)
                centre = p1 + slope * (px + 0.5 - x1)
                value = strength
                if code != 0 and gap < 1.0 and _gap(code, along / max(abs(ux), 0.1), scale):
                    value *= gap
                start, end = centre - half, centre + half
                for py in range(max(int(math.floor(start)), y0),
                                min(int(math.floor(end)) + 1, high)):
                    cover = min(py + 1.0, end) - max(float(py), start)
                    a = int(value * cover)
                    if a > 0:
                        buffer[py, px] = np.uint32(_blend(int(buffer[py, px]), rgb, a))
        else:
            slope = dx / dy
            half = hw * math.sqrt(1.0 + slope * slope)
            first = max(int(math.ceil(min(p1, p2) - 0.5)), y0)
            last = min(int(max(p1, p2) + 0.5), high)
            for py in range(first, last):
                along = (py + 0.5 - p1) * dy / abs(dy)
                centre = x1 + slope * (py + 0.5 - p1)
                value = strength
                if code != 0 and gap < 1.0 and _gap(code, along / max(abs(uy), 0.1), scale):
                    value *= gap
                start, end = centre - half, centre + half
                for px in range(max(int(math.floor(start)), 0),
                                min(int(math.floor(end)) + 1, wide)):
                    cover = min(px + 1.0, end) - max(float(px), start)
                    a = int(value * cover)
                    if a > 0:
                        buffer[py, px] = np.uint32(_blend(int(buffer[py, px]), rgb, a))


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
        line = min(max(r * 0.11, 0.5 * scale), 1.25 * scale)
        # On a tiny thing the rim would be all there is.
        edge = min(max((r - 2.0 * scale) / (4.0 * scale), 0.0), 1.0) * 0.75
        if kind == HOLLOW or kind == DASHED:
            edge = max(edge, 0.6)
        for py in range(max(int(cy - r - 1.0), y0), min(int(cy + r + 2.0), y1)):
            dy = py + 0.5 - cy
            for px in range(max(int(cx - r - 1.0), 0), min(int(cx + r + 2.0), wide)):
                dx = px + 0.5 - cx
                d = _distance(kind, dx, dy, r)
                cover = min(max(0.5 - d, 0.0), 1.0)
                if cover <= 0.0:
                    continue
                on_rim = min(max(d + line + 0.5, 0.0), 1.0) * edge
                body = 1.0
                if kind == HOLLOW:
                    body = 0.16
                elif kind == DASHED:
                    body = 0.34
                    if math.sin(math.atan2(dy, dx) * 9.0) < -0.2:
                        on_rim = 0.0
                # Light falls from above: a little of the rim's colour in the upper half.
                sheen = int(max(-dy / r, 0.0) * 40.0) if kind == HEXAGON else 0
                pixel = int(buffer[py, px])
                tone = _blend(inside, border, sheen)
                pixel = _blend(pixel, tone, int(opaque * cover * body))
                pixel = _blend(pixel, border, int(opaque * cover * on_rim))
                buffer[py, px] = np.uint32(pixel)
