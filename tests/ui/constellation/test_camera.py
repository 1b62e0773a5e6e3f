"""The camera: what is under the pointer stays there, and a journey is one even movement."""

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from ui.constellation.camera import CLOSEST_STEP, FARTHEST_STEP, Camera, between, ease_out

place = st.floats(-1e4, 1e4)
pixel = st.floats(0, 2000)
cameras = st.builds(Camera, x=place, y=place, scale=st.floats(0.01, 1e3),
                    width=st.floats(50, 4000), height=st.floats(50, 4000))


def close(a: tuple[float, float], b: tuple[float, float], within: float) -> bool:
    return abs(a[0] - b[0]) <= within and abs(a[1] - b[1]) <= within


@given(cameras, pixel, pixel)
def test_screen_and_world_are_inverse(camera: Camera, px: float, py: float) -> None:
    assert close(camera.to_screen(*camera.to_world(px, py)), (px, py), 1e-4)


@given(cameras, pixel, pixel, st.floats(0.05, 20))
def test_zooming_keeps_the_place_under_the_pointer(
    camera: Camera, px: float, py: float, factor: float
) -> None:
    there = camera.to_world(px, py)
    zoomed = camera.zoomed(factor, px, py)
    assert close(zoomed.to_screen(*there), (px, py), 1e-3)


@given(cameras, st.floats(-500, 500), st.floats(-500, 500))
def test_panning_moves_everything_by_as_many_pixels(camera: Camera, dx: float, dy: float) -> None:
    x, y = camera.to_screen(3.0, 4.0)
    assert close(camera.panned(dx, dy).to_screen(3.0, 4.0), (x + dx, y + dy), 1e-3)


@given(cameras, place, place, st.floats(0.1, 1e3), st.floats(0.1, 1e3))
def test_what_is_fitted_is_wholly_seen(
    camera: Camera, left: float, top: float, across: float, down: float
) -> None:
    fitted = camera.fitted(left, top, left + across, top + down)
    a, b, c, d = fitted.sees()
    assert a <= left + 1e-3
    assert b <= top + 1e-3
    assert c >= left + across - 1e-3
    assert d >= top + down - 1e-3


def test_zoom_ends_at_its_bounds() -> None:
    camera = Camera(width=800, height=600).bounded(2.0)
    assert camera.zoomed(1e9, 1, 1).scale * 2.0 == pytest.approx(CLOSEST_STEP)
    assert camera.zoomed(1e-9, 1, 1).scale * 2.0 == pytest.approx(FARTHEST_STEP)


@given(cameras, place, place)
def test_the_sky_is_never_lost_from_sight(camera: Camera, x: float, y: float) -> None:
    kept = camera.centred(x, y).kept_near(0.0, 0.0, 10.0, 10.0)
    left, top, right, bottom = kept.sees()
    assert left <= 10.0
    assert right >= 0.0
    assert top <= 10.0
    assert bottom >= 0.0


@given(cameras, place, place, st.floats(0.02, 500))
def test_a_journey_begins_and_ends_where_it_says(
    start: Camera, x: float, y: float, scale: float
) -> None:
    end = start.centred(x, y, scale)
    assert close((between(start, end, 0.0).x, between(start, end, 0.0).y), (start.x, start.y), 1e-6)
    assert between(start, end, 1.0) == end
    middle = between(start, end, 0.5)
    assert min(start.scale, end.scale) <= middle.scale * 1.001
    assert middle.scale <= max(start.scale, end.scale) * 1.001


@given(cameras, pixel, pixel, st.floats(0.1, 8))
def test_on_a_zooming_journey_the_pointer_s_place_stays(
    camera: Camera, px: float, py: float, factor: float
) -> None:
    assume(abs(factor - 1.0) > 0.01)
    there = camera.to_world(px, py)
    half = between(camera, camera.zoomed(factor, px, py), 0.5)
    assert close(half.to_screen(*there), (px, py), 0.5)


def test_motion_is_fast_at_first_and_slow_at_last() -> None:
    steps = [ease_out(k / 10) for k in range(11)]
    gains = [b - a for a, b in zip(steps, steps[1:], strict=False)]
    assert steps[0] == 0.0
    assert steps[-1] == 1.0
    assert gains == sorted(gains, reverse=True)
