"""Turns a frame into the arrays that the raster draws, in a palette's colours."""

import numpy as np

from core.constellation.plain_numbers import distinct
from core.constellation.scene import CONSTRAINT, Scene
from core.constellation.visual_encoding import REFERENCE_STEP
from core.model.sky_columns import NO_TASK
from ui.constellation.frame import DASHED_STEP, REST, Frame, narrowed
from ui.constellation.raster_input import (
    DASHED,
    DIAMOND,
    DISC,
    HEXAGON,
    HOLLOW,
    EntityStyles,
    Lights,
    Lines,
    Marks,
    Paint,
    Points,
)
from ui.constellation.sky_colors import Palette, shade_of

_NEBULA_REACH = 1.3
_LINE_PIXELS, _LINE_PIXELS_MOVING = 5_000_000, 1_200_000
"""How long all lines of a frame may be together: more would be a haze, and take too long."""

_CLOSE, _PASSING = 240.0, 0.55


def dress(scene: Scene, palette: Palette) -> EntityStyles:
    """The entities' colours and shapes."""
    count = scene.entities
    code = np.maximum(scene.type_code[:count], 0)
    shade = shade_of(scene.presence[:count])
    muted, task = scene.entity_muted, scene.entity_task != NO_TASK
    grey = np.uint32(palette.muted)
    return EntityStyles(
        fill=np.where(muted, grey, palette.fill[code, shade]),
        rim=np.where(muted, grey, palette.rim[code]), glow=palette.glow[code],
        shape=np.where(muted, HOLLOW, np.where(task, DASHED, HEXAGON)).astype(np.uint8),
        shining=np.where(muted, np.float32(0.0), scene.brightness[:count]),
    )


def compose(frame: Frame, palette: Palette, styles: EntityStyles, scale: float) -> Paint:
    """The frame's arrays for the raster, `scale` device pixels per pixel."""
    lines = [_edges(frame, palette, scale)]
    if len(frame.near):
        lines.append(_spokes(frame, palette, scale))
    return Paint(palette.top, palette.bottom, palette.light, _lights(frame, styles, scale),
                 _points(frame, palette, scale), tuple(lines),
                 _marks(frame, palette, styles, scale), scale)


def _lights(frame: Frame, styles: EntityStyles, scale: float) -> Lights:
    """Two lights an entity: a wide faint one that makes a nebula of a group, and its own glow."""
    camera, step = frame.viewpoint.camera, frame.step
    wide = np.float32(min(step * _NEBULA_REACH, 190.0))
    x, y = frame.x, frame.y
    seen = np.flatnonzero((x > -wide) & (x < camera.width + wide)
                          & (y > -wide) & (y < camera.height + wide))
    color, alpha, radius = styles.glow[seen], frame.alpha[seen], frame.radius[seen]
    bright = styles.shining[seen]
    nebula = alpha * np.float32(0.05 * min(max(700.0 / max(step, 1.0), 0.2), 1.0))
    own = np.flatnonzero(bright > 0.0)
    b = bright[own]
    glow_radius = radius[own] * (1.7 + 1.5 * b) + 5.0 * min(step / REFERENCE_STEP, 1.0)
    glow = alpha[own] * (0.25 + 1.0 * b * b)
    return Lights(
        np.concatenate((x[seen], x[seen[own]])) * np.float32(scale),
        np.concatenate((y[seen], y[seen[own]])) * np.float32(scale),
        np.concatenate((np.full(len(seen), wide, np.float32), glow_radius)).astype(np.float32)
        * np.float32(scale),
        np.concatenate((nebula, glow)).astype(np.float32),
        np.concatenate((color, color[own])),
    )


def _points(frame: Frame, palette: Palette, scale: float) -> Points:
    scene, camera, rows = frame.scene, frame.viewpoint.camera, frame.dust
    far = camera.scale
    x = (scene.x[rows] - np.float32(camera.x)) * np.float32(far) + np.float32(camera.width / 2)
    y = (scene.y[rows] - np.float32(camera.y)) * np.float32(far) + np.float32(camera.height / 2)
    larger = 1.0 + 0.9 * frame.viewpoint.detail.memories
    # Where there is much of it, each grain is fainter, so that dust never becomes fog.
    crowd = min(1.0, (camera.width * camera.height / 160.0 / max(len(rows), 1)) ** 0.5)
    alpha = np.full(len(rows), 0.5 * frame.dust_alpha * crowd, np.float32)
    lighting = frame.viewpoint.lighting
    if lighting.level > 0.0:
        alpha *= np.float32(1.0 - 0.55 * lighting.level)
        first = scene.starts[3]
        lit = np.array([node for node in lighting.nodes if node >= first], np.int64)
        alpha[np.isin(rows, lit)] = 0.95
    return Points(x * np.float32(scale), y * np.float32(scale),
                  scene.size[rows] * np.float32(larger * scale), alpha,
                  np.full(len(rows), palette.dust, np.uint32))


def _edges(frame: Frame, palette: Palette, scale: float) -> Lines:
    scene, viewpoint, step = frame.scene, frame.viewpoint, frame.step
    count = len(scene.edge_source)
    most = _LINE_PIXELS_MOVING if viewpoint.moving else _LINE_PIXELS
    # Far out each line is fainter and thinner, near it is as written.
    far = min(max((step / 80.0) ** 0.55, 0.16), 1.0)
    if viewpoint.opened and step > _CLOSE:
        # Lines that only pass by an opened entity must not run through its values.
        far *= _PASSING
    alpha = scene.edge_alpha * np.float32(far * (1.0 - (1.0 - REST) * viewpoint.lighting.level))
    bright = narrowed(scene, viewpoint)
    if bright is not None:
        alpha *= np.where(bright[scene.edge_source] & bright[scene.edge_target],
                          np.float32(1.0), np.float32(REST))
    color = np.full(count, palette.edge, np.uint32)
    lit = list(viewpoint.lighting.edges)
    if lit:
        level = np.float32(viewpoint.lighting.level)
        alpha[lit] = np.maximum(alpha[lit], level * np.float32(0.9))
        color[lit] = palette.accent
    shrink = min(max(step / 60.0, 0.45), 1.0)
    width = scene.edge_width * np.float32(shrink)
    marked = list(viewpoint.marked)
    if marked:
        alpha[marked] = np.maximum(alpha[marked], np.float32(0.8))
        color[marked] = palette.accent
        width[marked] = np.maximum(width[marked], np.float32(1.7 * shrink))
    gap = 1.0 - 0.8 * min(max((step - DASHED_STEP) / 30.0, 0.0), 1.0)
    return Lines(
        frame.x * np.float32(scale), frame.y * np.float32(scale),
        frame.radius * np.float32(0.97 * scale),
        scene.edge_source, scene.edge_target, width, alpha,
        scene.edge_dash, color, most * max(scale, 1.0), max(4.0 * step, 70.0) * scale, gap,
    )


def _spokes(frame: Frame, palette: Palette, scale: float) -> Lines:
    """Fine lines from an entity to its aspects and from an aspect to its values."""
    scene, near = frame.scene, frame.near
    count = len(near)
    parent = scene.parent[near].astype(np.int64)
    # Entities come after the near nodes in the columns of points.
    owners = distinct(parent[parent < scene.starts[1]])
    ends = np.where(parent < scene.starts[1], count + np.searchsorted(owners, parent),
                    np.searchsorted(near, parent))
    x = np.concatenate((frame.near_x, frame.x[owners])) * np.float32(scale)
    y = np.concatenate((frame.near_y, frame.y[owners])) * np.float32(scale)
    rim = np.concatenate((frame.near_radius, frame.radius[owners])) * np.float32(scale)
    return Lines(
        x, y, rim, ends.astype(np.int32), np.arange(count, dtype=np.int32),
        np.full(count, 0.9, np.float32), frame.near_alpha * np.float32(0.3),
        np.zeros(count, np.uint8), palette.spoke[np.maximum(scene.type_code[near], 0)], 1e9,
        1e9, 1.0,
    )


def _marks(frame: Frame, palette: Palette, styles: EntityStyles, scale: float) -> Marks:
    scene, near = frame.scene, frame.near
    # The first in the seeds' order lie on top.
    rows = frame.visible[::-1]
    kind = scene.kind[near]
    near_code = np.maximum(scene.type_code[near], 0)
    constraint = kind == CONSTRAINT
    is_aspect = near < scene.starts[2]
    near_color = np.where(constraint, np.uint32(palette.constraint),
                          np.where(is_aspect, palette.aspect[near_code],
                                   np.uint32(palette.value))).astype(np.uint32)
    near_rim = np.where(is_aspect, palette.rim[near_code], near_color).astype(np.uint32)
    return Marks(
        np.concatenate((frame.near_x, frame.x[rows])) * np.float32(scale),
        np.concatenate((frame.near_y, frame.y[rows])) * np.float32(scale),
        np.concatenate((frame.near_radius, frame.radius[rows])) * np.float32(scale),
        np.concatenate((frame.near_alpha * np.float32(0.92), frame.alpha[rows])),
        np.concatenate((near_color, styles.fill[rows])),
        np.concatenate((near_rim, styles.rim[rows])),
        np.concatenate((np.where(constraint, DIAMOND, DISC).astype(np.uint8), styles.shape[rows])),
    )
