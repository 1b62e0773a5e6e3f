"""What is under the pointer, which names are shown, and how detail follows zoom."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.constellation.label_board import Board
from core.constellation.label_placement import (
    ABOVE,
    AWAY,
    BEHIND,
    BELOW,
    LOWER_RIGHT,
    OVER,
    POINTED,
    RIGHT,
    RINGS,
    choose,
    corner,
)
from core.constellation.picking import Grid, in_polygon, toward
from core.constellation.zoom_detail import Detail, follow, near

coordinate = st.floats(-100, 100, width=32)
points = st.lists(st.tuples(coordinate, coordinate), min_size=1, max_size=40)


@given(points, coordinate, coordinate, st.floats(0.1, 80))
def test_the_grid_finds_the_nearest_as_a_search_of_all_does(
    points: list[tuple[float, float]], x: float, y: float, reach: float
) -> None:
    xs, ys = np.array(points, np.float32).T
    nearest = Grid(xs, ys).nearest(x, y, reach)
    distance = np.hypot(xs - x, ys - y)
    if nearest is None:
        assert distance.min() >= reach * 0.9999
    else:
        assert distance[nearest] == pytest.approx(distance.min())


@given(points, coordinate, coordinate, st.floats(0, 90), st.floats(0, 90))
def test_the_grid_finds_all_in_a_rectangle(
    points: list[tuple[float, float]], x: float, y: float, width: float, height: float
) -> None:
    xs, ys = np.array(points, np.float32).T
    rows = Grid(xs, ys).inside(x, y, x + width, y + height)
    xs, ys = xs.astype(np.float64), ys.astype(np.float64)
    inside = (xs >= x) & (xs <= x + width) & (ys >= y) & (ys <= y + height)
    assert sorted(rows.tolist()) == np.flatnonzero(inside).tolist()


def test_a_large_thing_is_picked_by_its_rim() -> None:
    grid = Grid(np.array([0.0, 10.0]), np.array([0.0, 0.0]))
    reach = np.array([7.0, 1.0])
    assert grid.nearest(6.0, 0.0, 7.0, reach) == 0
    assert grid.nearest(9.5, 0.0, 7.0, reach) == 1
    assert grid.nearest(8.5, 0.0, 7.0, reach) is None


def test_nothing_is_found_in_an_empty_sky() -> None:
    grid = Grid(np.zeros(0), np.zeros(0))
    assert grid.nearest(0, 0, 10) is None
    assert len(grid.inside(-1, -1, 1, 1)) == 0


def test_a_lasso_holds_what_is_inside_it() -> None:
    x, y = np.array([0.0, 2.0, 5.0]), np.array([0.0, 2.0, 5.0])
    square = np.array([[-1, -1], [3, -1], [3, 3], [-1, 3]], float)
    assert in_polygon(x, y, square).tolist() == [0, 1]
    horseshoe = np.array([[-1, -1], [3, -1], [3, 3], [1, 3], [1, 1], [-1, 1]], float)
    assert in_polygon(x, y, horseshoe).tolist() == [0, 1]
    assert in_polygon(x, y, square[:2]).tolist() == []


def test_the_next_in_a_direction_is_near_and_not_far_off_it() -> None:
    x = np.array([0.0, 1.0, 3.0, 0.0, -1.0])
    y = np.array([0.0, 0.2, 0.0, 1.0, 0.1])
    assert toward(x, y, 0, (1, 0)) == 1
    assert toward(x, y, 0, (0, 1)) == 3
    assert toward(x, y, 0, (-1, 0)) == 4
    assert toward(x, y, 0, (0, -1)) is None


boxes = st.lists(
    st.tuples(st.floats(0, 400), st.floats(0, 300), st.floats(0, 20), st.floats(5, 120),
              st.floats(8, 20), st.floats(0, 3)),
    max_size=40,
)


@given(boxes)
def test_no_two_names_overlap_and_none_leaves_the_screen(rows: list[tuple]) -> None:
    x, y, radius, width, height, priority = np.array(rows, float).reshape(-1, 6).T
    shown = choose(Board(400, 300), x, y, radius, width, height, priority)
    boxes = [(left, top, left + width[k], top + height[k]) for k, left, top in
             zip(shown.index, shown.x, shown.y, strict=True)]
    for a in boxes:
        assert a[0] >= 0
        assert a[1] >= 0
        assert a[2] <= 400
        assert a[3] <= 300
        assert not any(a is not b and a[0] < b[2] and b[0] < a[2] and a[1] < b[3] and b[1] < a[3]
                       for b in boxes)


def one(*values: float) -> np.ndarray:
    return np.array(values, float)


def test_the_more_important_name_gets_the_room() -> None:
    shown = choose(Board(90, 40), one(45, 45), one(5, 6), one(2, 2), one(80, 80), one(14, 14),
                   one(1, 2), most=1)
    assert shown.index.tolist() == [1]


def test_a_shown_name_stays_on_its_side_against_a_near_equal() -> None:
    both = (one(100, 100), one(60, 61), one(4, 4), one(60, 60), one(14, 14))
    before = np.array([ABOVE, -1], np.int8)
    shown = choose(Board(200, 90), *both, one(1.0, 1.1), before, most=1)
    assert shown.index.tolist() == [0]
    assert shown.side.tolist() == [ABOVE]


def test_a_name_lies_on_no_thing_but_one_that_is_pointed_at_lies_on_a_plate() -> None:
    board = Board(120, 60)
    board.cover(one(60), one(30), one(80))
    alone = (one(60), one(20), one(4), one(50), one(14))
    assert len(choose(board, *alone, one(1.0), rings=np.array([BEHIND - 1])).index) == 0
    insisting = choose(board, *alone, one(1.0), rings=np.array([RINGS]))
    assert insisting.side.tolist() == [OVER + BELOW]
    assert insisting.y.tolist() == [corner(BELOW, 60, 20, 4, 50, 14)[1]]


def test_a_name_without_room_beside_its_thing_is_put_further_off() -> None:
    alone = (one(200), one(150), one(4), one(60), one(14))
    board = Board(400, 300)
    around = np.linspace(0, 2 * np.pi, 4, endpoint=False)
    board.cover(200 + 20 * np.cos(around), 150 + 20 * np.sin(around), np.full(4, 6.0))
    assert len(choose(board, *alone, one(1.0)).index) == 0
    shown = choose(board, *alone, one(1.0), rings=np.array([5]))
    assert AWAY <= shown.side[0] < OVER


def test_the_name_of_what_is_pointed_at_is_never_far_from_it() -> None:
    """Among lit links a line of 80 pixels was lost, and the name read as that of another star."""
    alone = (one(200), one(150), one(4), one(60), one(14))
    board = Board(400, 300)
    around = np.linspace(0, 2 * np.pi, 40, endpoint=False)
    for distance in (20, 40, 60):
        board.cover(200 + distance * np.cos(around), 150 + distance * np.sin(around),
                    np.full(40, 6.0))
    further = choose(board, *alone, one(1.0), rings=np.array([RINGS]))
    assert AWAY <= further.side[0] < OVER
    pointed = choose(board, *alone, one(1.0), rings=np.array([POINTED]))
    assert pointed.side.tolist() == [OVER + BELOW]


def test_the_name_of_what_is_shown_in_any_case_is_rather_put_behind_others_than_on_them() -> None:
    alone = (one(200), one(150), one(4), one(60), one(14))
    board = Board(400, 300)
    board.cover(one(200), one(150), one(30))
    assert len(choose(board, *alone, one(1.0), rings=np.array([BEHIND - 1])).index) == 0
    shown = choose(board, *alone, one(1.0), rings=np.array([RINGS]))
    assert AWAY <= shown.side[0] < OVER


def test_a_name_behind_other_things_has_its_line_where_it_crosses_least() -> None:
    board = Board(400, 300)
    around = np.linspace(0, 2 * np.pi, 16, endpoint=False)
    reach = np.where((around > 3.5) & (around < 5.9), 4.0, 13.0)
    board.cover(200 + 40 * np.cos(around), 150 + 40 * np.sin(around), reach)
    shown = choose(board, one(200), one(150), one(8), one(60), one(14), one(1.0),
                   rings=np.array([RINGS]))
    assert shown.y[0] < 150, "above it the things round it are small"


def test_the_line_to_a_name_further_off_passes_over_no_other_thing() -> None:
    board = Board(400, 300)
    board.cover(one(200, 200, 160, 240), one(115, 185, 150, 150), one(12, 12, 12, 12))
    shown = choose(board, one(200), one(150), one(4), one(60), one(14), one(1.0),
                   rings=np.array([6]))
    end = np.array([np.clip(200, shown.x[0], shown.x[0] + 60),
                    np.clip(150, shown.y[0], shown.y[0] + 14)])
    way = np.array([200, 150]) + np.linspace(0, 1, 200)[:, None] * (end - (200, 150))
    for x, y in ((200, 115), (200, 185), (160, 150), (240, 150)):
        assert np.hypot(*(way - (x, y)).T).min() >= 12


def test_a_name_stands_nearer_to_its_own_thing_than_to_any_other() -> None:
    stars = one(100, 118, 250), one(100, 118, 100), one(8, 8, 8)
    board = Board(400, 200)
    board.cover(*stars)
    shown = choose(board, *stars, one(60, 60, 60), one(14, 14, 14), one(3, 2, 1))
    assert shown.side[shown.index.tolist().index(0)] not in (BELOW, RIGHT, LOWER_RIGHT)
    for k, left, top in zip(shown.index, shown.x, shown.y, strict=True):
        dx = stars[0] - np.clip(stars[0], left, left + 60)
        dy = stars[1] - np.clip(stars[1], top, top + 14)
        assert np.argmin(np.hypot(dx, dy)) == k


def test_no_name_lies_on_the_line_to_a_name_further_off() -> None:
    board = Board(400, 300)
    x, y = one(200, 200, 168), one(150, 132, 124)
    board.cover(one(200, 180, 220, 200), one(150, 150, 150, 170), one(4, 9, 9, 9))
    spots = x, y, one(4, 2, 2), one(40, 60, 60), one(14, 14, 14)
    shown = choose(board, *spots, one(3, 2, 1), rings=np.array([5, 0, 0]))
    assert shown.side[0] >= AWAY
    end = np.array([np.clip(200, shown.x[0], shown.x[0] + 40),
                    np.clip(150, shown.y[0], shown.y[0] + 14)])
    way = np.array([200, 150]) + np.linspace(0, 1, 200)[:, None] * (end - (200, 150))
    for left, top in zip(shown.x[1:], shown.y[1:], strict=True):
        inside = ((way[:, 0] > left) & (way[:, 0] < left + 60)
                  & (way[:, 1] > top) & (way[:, 1] < top + 14))
        assert not inside.any()


def test_a_name_that_was_further_off_comes_back_where_there_is_room() -> None:
    alone = (one(200), one(150), one(4), one(60), one(14))
    shown = choose(Board(400, 300), *alone, one(1.0), np.array([AWAY + ABOVE], np.int8),
                   rings=np.array([4]))
    assert shown.side.tolist() == [BELOW]


@given(st.lists(st.tuples(st.floats(-50, 450), st.floats(-50, 350), st.floats(0.1, 60)),
                min_size=1, max_size=30), boxes)
def test_no_name_touches_a_disc(discs: list[tuple], rows: list[tuple]) -> None:
    cx, cy, reach = np.array(discs, float).T
    board = Board(400, 300)
    board.cover(cx, cy, reach)
    x, y, radius, width, height, priority = np.array(rows, float).reshape(-1, 6).T
    shown = choose(board, x, y, radius, width, height, priority,
                   rings=np.full(len(x), BEHIND))
    for k, left, top in zip(shown.index, shown.x, shown.y, strict=True):
        dx = cx - np.clip(cx, left, left + width[k])
        dy = cy - np.clip(cy, top, top + height[k])
        assert (np.hypot(dx, dy) >= reach - 1e-6).all()


def test_a_name_goes_to_a_corner_where_every_side_is_taken() -> None:
    board = Board(200, 120)
    for box in ((72, 66, 20, 2), (72, 40, 20, 2), (112, 48, 80, 5), (0, 48, 88, 5)):
        board.take(*box)
    shown = choose(board, one(100), one(54), one(4), one(60), one(6), one(1.0))
    assert shown.side.tolist() == [LOWER_RIGHT]


def test_a_name_stands_clear_of_its_thing() -> None:
    for side in range(8):
        left, top = corner(side, 50, 50, 10, 30, 12)
        assert left >= 60 or left + 30 <= 40 or top >= 60 or top + 12 <= 40


def test_detail_comes_in_the_order_entities_aspects_values_memories() -> None:
    words = [near(follow(step)) for step in (20, 200, 330, 600)]
    assert words == ["entities", "aspects", "values", "memories"]


@given(st.floats(1, 1000), st.floats(1, 1000))
def test_going_out_a_little_after_coming_in_changes_nothing(step: float, start: float) -> None:
    coming = follow(step, follow(start))
    back = follow(step * 0.95, coming)
    again = follow(step, back)
    if start <= step:
        assert back == coming
    assert again == coming or start > step


@given(st.lists(st.floats(1, 2000), min_size=1, max_size=8))
def test_detail_stays_within_its_two_ramps(steps: list[float]) -> None:
    detail: Detail | None = None
    for step in steps:
        detail = follow(step, detail)
    low, high = follow(steps[-1]), follow(steps[-1] / 0.8)
    for kind in ("aspects", "values", "dust", "memories"):
        assert getattr(low, kind) <= getattr(detail, kind) <= getattr(high, kind) + 1e-9
