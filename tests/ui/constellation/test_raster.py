"""The raster: the same bytes each time, no seam between bands, the pictures as they were seen."""

from pathlib import Path

import numpy as np
import pytest
from PySide6.QtGui import QImage, QPainter

from core.constellation.scene import Scene
from core.constellation.zoom_detail import Detail, follow
from tests.skies import cross, orbit, sample_scene
from ui.constellation import frame_arrays, painter_fallback, pixel_kernels, raster
from ui.constellation.camera import Camera
from ui.constellation.frame import Lighting, Viewpoint, project
from ui.constellation.offscreen_frames import opened, whole
from ui.constellation.raster_input import HEXAGON, Lines, Marks, Paint
from ui.constellation.sky_colors import make_palette
from ui.theme import load_theme

PICTURES = Path(__file__).parents[2] / "pictures"
WIDTH, HEIGHT = 320, 200


def painted(
    scene: Scene, camera: Camera, name: str = "dusk", scale: float = 1.0, **sight: object
) -> Paint:
    """The arrays of a scene through a camera."""
    palette = make_palette(load_theme(name), scene.type_words)
    what = Viewpoint(camera, follow(scene.unit * camera.scale), **sight)
    styles = frame_arrays.dress(scene, palette)
    return frame_arrays.compose(project(scene, what), palette, styles, scale)


def banded(paint: Paint, cuts: list[int], width: int = WIDTH, height: int = HEIGHT) -> np.ndarray:
    """Draw in bands that end at the given rows."""
    buffer = np.zeros((height, width), np.uint32)
    noise = raster._grain()
    for top, bottom in zip([0, *cuts], [*cuts, height], strict=True):
        raster._draw_band(pixel_kernels, buffer, raster._Scratch(width, height), noise, top, bottom,
                          paint)
    return buffer


def channels(buffer: np.ndarray) -> np.ndarray:
    return np.stack([(buffer >> shift) & 255 for shift in (16, 8, 0)], axis=-1).astype(int)


@pytest.fixture(scope="module")
def scene() -> Scene:
    return sample_scene(60)


@pytest.mark.parametrize("cuts", [[100], [1], [199], [37, 38, 121], [50, 100, 150]])
@pytest.mark.parametrize("zoom", [1.0, 4.0, 15.0])
def test_bands_meet_without_a_seam(scene: Scene, cuts: list[int], zoom: float) -> None:
    paint = painted(scene, whole(scene, WIDTH, HEIGHT).zoomed(zoom, 90, 80))
    assert np.array_equal(banded(paint, []), banded(paint, cuts))


def test_two_threads_draw_the_same_bytes_every_time(scene: Scene) -> None:
    paint = painted(scene, whole(scene, WIDTH, HEIGHT))
    drawing = raster.Raster()
    drawing.load()
    once = drawing.paint(WIDTH, HEIGHT, paint).copy()
    again = drawing.paint(WIDTH, HEIGHT, paint).copy()
    drawing.close()
    assert once == again
    pixels = np.frombuffer(once.constBits(), np.uint32).reshape(HEIGHT, WIDTH)
    assert np.array_equal(pixels, banded(paint, []))


def test_every_pixel_is_opaque(scene: Scene) -> None:
    pixels = banded(painted(scene, whole(scene, WIDTH, HEIGHT)), [100])
    assert ((pixels >> 24) == 255).all()


def test_more_constraints_glow_further() -> None:
    scene = cross()
    scene.brightness[1:3] = 0.0, 1.0
    camera = Camera(width=WIDTH, height=HEIGHT, scale=70.0)
    light = channels(banded(painted(scene, camera), [])).sum(axis=2)
    west, east = (tuple(round(v) for v in camera.to_screen(x, 0)) for x in (-1, 1))
    below = 17
    assert light[east[1] + below, east[0]] > light[west[1] + below, west[0]] + 30


def test_a_line_is_hidden_behind_no_thing_and_ends_at_the_rim() -> None:
    x, y = np.array([20.0, 120.0], np.float32), np.array([50.0, 50.0], np.float32)
    one = np.ones(1, np.float32)
    lines = Lines(x, y, np.full(2, 15, np.float32), np.zeros(1, np.int32), np.ones(1, np.int32),
                  one, one, np.zeros(1, np.uint8), np.full(1, 0xFFFFFF, np.uint32), 1e9, 1e9, 1.0)
    buffer = np.full((100, 140), 0xFF000000, np.uint32)
    raster._lines(pixel_kernels, buffer, 0, 100, lines, 1, 1.0)
    lit = np.flatnonzero(channels(buffer).sum(axis=(0, 2)))
    assert 34 <= lit.min() <= 36
    assert 104 <= lit.max() <= 106


@pytest.mark.parametrize("width", [0.6, 1.0, 2.0, 3.5])
@pytest.mark.parametrize("end", [(120.0, 50.0), (120.0, 90.0), (70.0, 95.0), (20.0, 97.0),
                                 (24.0, 7.0)])
def test_a_line_carries_as_much_ink_as_it_is_long_and_wide(
    width: float, end: tuple[float, float]
) -> None:
    x, y = np.array([20.0, end[0]], np.float32), np.array([50.0, end[1]], np.float32)
    one = np.ones(1, np.float32)
    lines = Lines(x, y, np.zeros(2, np.float32), np.zeros(1, np.int32), np.ones(1, np.int32),
                  one * np.float32(width), one, np.zeros(1, np.uint8),
                  np.full(1, 0xFFFFFF, np.uint32), 1e9, 1e9, 1.0)
    buffer = np.full((100, 140), 0xFF000000, np.uint32)
    raster._lines(pixel_kernels, buffer, 0, 100, lines, 1, 1.0)
    text_cache = channels(buffer)[..., 0].sum() / 255
    length = float(np.hypot(x[1] - x[0], y[1] - y[0]))
    # Thin lines are laid down along their main axis, a little lighter where they are oblique.
    assert 0.66 * length * width <= text_cache <= 1.06 * length * width + 2


def test_lines_stop_at_what_a_frame_can_afford(scene: Scene) -> None:
    paint = painted(scene, whole(scene, WIDTH, HEIGHT))
    lines = paint.lines[0]
    ends = (lines.x, lines.y, lines.source, lines.target, lines.width, WIDTH, HEIGHT)
    everything = len(lines.source)
    assert pixel_kernels.affordable(*ends, 1e9) == everything
    assert pixel_kernels.affordable(*ends, 0.0) == 0
    assert 0 < pixel_kernels.affordable(*ends, 2000.0) < everything


@pytest.mark.parametrize("radius", [0.8, 2.0, 5.0, 20.0])
@pytest.mark.parametrize("shape", range(5))
def test_a_shape_stays_within_its_radius(radius: float, shape: int) -> None:
    one = np.ones(1, np.float32)
    marks = Marks(one * 30, one * 30, one * np.float32(radius), one,
                  np.full(1, 0xFFFFFF, np.uint32), np.full(1, 0xFFFFFF, np.uint32),
                  np.full(1, shape, np.uint8))
    buffer = np.full((60, 60), 0xFF000000, np.uint32)
    raster._marks(pixel_kernels, buffer, 0, 60, marks, 1.0)
    rows, columns = np.nonzero(channels(buffer).sum(axis=2))
    assert len(rows)
    assert np.hypot(rows + 0.5 - 30, columns + 0.5 - 30).max() <= radius + 1.3


def test_hover_dims_the_rest_and_lights_the_neighbours() -> None:
    scene = cross()
    camera = Camera(width=WIDTH, height=HEIGHT, scale=70.0)
    lit = Lighting(frozenset({0, 1, 2}), frozenset({0, 1}), 1.0)
    plain, dimmed = (channels(banded(painted(scene, camera, lighting=lighting), []))
                     for lighting in (Lighting(), lit))

    def at(pixels: np.ndarray, x: float, y: float) -> int:
        px, py = camera.to_screen(x, y)
        return int(pixels[round(py), round(px) + 6].sum())

    assert at(dimmed, 0, 1) < 0.6 * at(plain, 0, 1)
    assert at(dimmed, 1, 0) >= 0.98 * at(plain, 1, 0)


@pytest.mark.parametrize("name", ["dusk", "paper"])
@pytest.mark.parametrize("what", ["whole", "near"])
def test_the_picture_is_the_one_that_was_seen_and_liked(
    scene: Scene, name: str, what: str
) -> None:
    """Delete a picture in tests/pictures to have it made anew; then look at it."""
    camera = whole(scene, WIDTH, HEIGHT)
    if what == "near":
        camera = camera.centred(float(scene.x[3]), float(scene.y[3]), 150 / scene.unit)
    paint = painted(scene, camera, name, opened=opened(scene, camera, 3),
                    marked=frozenset(scene.edges_of(3).tolist()))
    image = raster.as_image(banded(paint, [90]))
    file = PICTURES / f"sky_{what}_{name}.png"
    if not file.exists():
        image.save(str(file))
        pytest.fail(f"{file.name} was made anew: look at it and keep it if it is good")
    seen = QImage(str(file)).convertToFormat(QImage.Format.Format_RGB32)
    a, b = (channels(np.frombuffer(i.constBits(), np.uint32).reshape(HEIGHT, WIDTH))
            for i in (image, seen))
    apart = np.abs(a - b).max(axis=2)
    assert apart.mean() < 0.6
    assert (apart > 12).mean() < 0.004


def test_without_kernels_the_same_things_are_in_the_same_places(scene: Scene) -> None:
    paint = painted(scene, whole(scene, WIDTH, HEIGHT))
    image = QImage(WIDTH, HEIGHT, QImage.Format.Format_RGB32)
    painter = QPainter(image)
    painter_fallback.paint(painter, WIDTH, HEIGHT, paint)
    painter.end()
    plain = channels(np.frombuffer(image.constBits(), np.uint32).reshape(HEIGHT, WIDTH))
    drawn = channels(banded(paint, []))
    big = (paint.marks.radius > 3.5) & (paint.marks.shape == HEXAGON)
    assert big.any()
    for x, y in zip(paint.marks.x[big][-10:], paint.marks.y[big][-10:], strict=True):
        assert np.abs(plain[int(y), int(x)] - drawn[int(y), int(x)]).max() < 60


def test_a_machine_without_a_compiler_says_so_and_draws_on(monkeypatch: pytest.MonkeyPatch) -> None:
    def missing(*_: object) -> None:
        raise ImportError("llvmlite")

    monkeypatch.setattr(raster, "functions", missing)
    drawing = raster.Raster()
    drawing.load()
    assert drawing.broken()
    assert not drawing.ready()


def test_twice_the_pixels_show_the_same_sky(scene: Scene) -> None:
    camera = whole(scene, WIDTH, HEIGHT)
    small = channels(banded(painted(scene, camera), []))
    large = channels(banded(painted(scene, camera, scale=2.0), [], 2 * WIDTH, 2 * HEIGHT))
    halved = large.reshape(HEIGHT, 2, WIDTH, 2, 3).mean(axis=(1, 3))
    assert np.abs(halved - small).mean() < 4.0


def test_nothing_to_draw_is_the_plain_gradient() -> None:
    scene = sample_scene(0)
    pixels = channels(banded(painted(scene, Camera(width=WIDTH, height=HEIGHT)), []))
    theme = load_theme("dusk")
    for row, token in ((0, "sky.top"), (HEIGHT - 1, "sky.bottom")):
        color = theme.color(token)
        wanted = np.array([color.red(), color.green(), color.blue()])
        assert np.abs(pixels[row] - wanted).max() <= 2


def test_detail_decides_which_rings_are_drawn(scene: Scene) -> None:
    camera = whole(scene, WIDTH, HEIGHT)
    none = project(scene, Viewpoint(camera, Detail()))
    aspects = project(scene, Viewpoint(camera, Detail(aspects=1.0)))
    both = project(scene, Viewpoint(camera, Detail(aspects=1.0, values=1.0)))
    one = project(scene, Viewpoint(camera, Detail(), opened=(3,)))
    assert len(none.near) == 0
    assert len(aspects.near) == 180
    assert len(both.near) == 180 + 720
    assert one.near.tolist() == sorted(orbit(scene, 3).tolist())
