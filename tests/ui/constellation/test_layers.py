"""What is told over the sky: counts, legend, breadcrumbs and names."""

import numpy as np
import pytest
from msgspec.structs import replace
from PySide6.QtCore import QPointF, QRectF, QSize
from PySide6.QtGui import QColor, QImage, QPainter
from pytestqt.qtbot import QtBot

from core.constellation.scene import CONSTRAINT, Ghosts, Scene
from core.constellation.visual_encoding import DASHES, FAMILIES
from core.constellation.zoom_detail import Detail, follow
from core.model.sky_columns import APPEAR, GO, LINK
from tests.overlaps import noting, overlaps, wrong
from tests.skies import cross, sample_scene
from ui.constellation.camera import Camera
from ui.constellation.frame import Frame, Viewpoint, growth, project
from ui.constellation.frame_painter import Picture, paint_image
from ui.constellation.layers import (
    breadcrumbs,
    legend,
    minimap,
    proposal_ghosts,
    visible_counts,
)
from ui.constellation.layers.paint_context import Canvas, Overlay
from ui.constellation.layers.text_cache import TextCache, Weight, text_style
from ui.constellation.offscreen_frames import dive_camera, still_frame, whole
from ui.constellation.transitions import moved_one
from ui.theme import Theme


def framed(scene: Scene, zoom: float = 1.0) -> Frame:
    camera = whole(scene, 800, 600)
    camera = camera.zoomed(zoom, 400, 300)
    return project(scene, Viewpoint(camera, follow(scene.unit * camera.scale)))


def test_what_is_in_sight_is_counted_of_all_there_is() -> None:
    scene = sample_scene(60)
    assert visible_counts.sentence(framed(scene)).startswith("60 entities · ")
    near = framed(scene, 8.0)
    seen = visible_counts.in_sight(near)
    assert 0 < seen < 60
    assert visible_counts.sentence(near).startswith(f"{seen} of 60 entities")


def test_what_is_left_out_is_named_and_counted_apart() -> None:
    words = visible_counts.sentence(framed(replace(sample_scene(60), hidden=12)))
    assert words.startswith("60 entities · ")
    assert words.endswith(" · 12 archived left out")
    assert "left out" not in visible_counts.sentence(framed(sample_scene(60)))


def test_large_numbers_have_thousands_and_one_is_singular() -> None:
    assert visible_counts.sentence(framed(sample_scene(2000))).startswith("2,000 entities")
    words = visible_counts.sentence(framed(sample_scene(1, memories=1)))
    assert words.startswith("1 entity · ")
    assert "1 memory" in words


def test_values_are_counted_when_they_are_near_enough_to_be_seen() -> None:
    frame = project(cross(), Viewpoint(whole(cross(), 800, 600), Detail(1.0, 1.0, 1.0)))
    words = visible_counts.sentence(frame)
    rules = int((cross().kind == CONSTRAINT).sum())
    assert f" · {10 - rules} values · {rules} constraints · " in words
    assert "values" not in visible_counts.sentence(framed(sample_scene(60)))


def test_the_legend_names_the_types_in_the_sky_the_most_frequent_first() -> None:
    scene = sample_scene(14, values=4)
    assert legend.types(scene) == [("concept", 14)]
    counted = legend.types(sample_scene(60))
    assert {word for word, _ in counted} == {"concept", "person", "project", "system", "task"}
    assert sum(count for _, count in counted) == 60
    assert [count for _, count in counted] == sorted((n for _, n in counted), reverse=True)
    assert "constraint" in legend.marks(scene)
    assert "constraint" not in legend.marks(sample_scene(60, values=0))


def test_the_legend_explains_the_rings_and_dashes_that_there_are_and_no_others() -> None:
    scene = sample_scene(60, values=0)
    bare = replace(scene, entity_pinned=np.zeros(60, bool), entity_muted=np.zeros(60, bool),
                   edge_dash=np.zeros_like(scene.edge_dash), ghosts=ghosts())
    assert legend.marks(bare) == []
    plain = legend.Legend().plate(bare, 800, 600, opened=False)
    dash = bare.edge_dash.copy()
    dash[0] = 3
    family = scene.edge_family.copy()
    family[0] = FAMILIES.index("impact")
    marked = replace(bare, entity_pinned=np.arange(60) == 3, entity_muted=np.arange(60) == 4,
                     edge_dash=dash, edge_family=family,
                     ghosts=ghosts(APPEAR, GO))
    assert legend.marks(marked) == ["pinned", "muted", "to be added", "to be removed", "impact"]
    said = {entry.word: entry.text for entry in legend.Legend().entries(
        marked, 900, 700, opened=True)}
    assert said["impact"] == "affects"
    assert set(legend.LINES) == {word for word, dash in DASHES.items() if dash}
    assert legend.Legend().plate(marked, 800, 600, opened=False).height() > plain.height()


def ghosts(*effects: int) -> Ghosts:
    count = len(effects)
    nowhere, none = np.zeros(count, np.float32), np.full(count, -1, np.int32)
    return Ghosts([f"g{n}" for n in range(count)], [""] * count, np.array(effects, np.uint8),
                  nowhere, nowhere, none, none)


def test_links_to_be_added_are_drawn_where_they_cross_the_window_alone(theme: Theme) -> None:
    links = replace(ghosts(LINK, LINK, LINK), node=np.array((0, 2, 4)), other=np.array((1, 3, 4)))
    scene = replace(sample_scene(12, values=0), ghosts=links)
    scene.x[:4], scene.y[:4] = (-50.0, 50.0, -50.0, 50.0), (0.0, 0.0, 90.0, 90.0)
    camera = Camera(0.0, 0.0, 10.0, 400, 400)
    frame = project(scene, Viewpoint(camera, Detail(0.0, 0.0, 0.0)))
    drawn = QImage(400, 400, QImage.Format.Format_RGB32)
    painter = QPainter(drawn)
    canvas = Canvas(painter, frame, theme, Overlay(), 400, 400, 1.0)
    [line] = proposal_ghosts._links_in_sight(canvas)
    painter.end()
    assert line.p1().x() < 0 < 400 < line.p2().x()


def test_what_would_be_added_is_drawn_again_only_where_the_sky_is(
    qtbot: QtBot, theme: Theme, monkeypatch: pytest.MonkeyPatch
) -> None:
    scene, drawn = cross(), list[Canvas]()
    monkeypatch.setattr(proposal_ghosts, "paint", drawn.append)
    picture = Picture()
    picture.load()
    for entity_id in ("east", "east", ""):
        frame, overlay = still_frame(scene, 500, 400, entity_id)
        paint_image(picture, frame, theme, overlay, 2.0)
    picture.close()
    assert [canvas.frame.viewpoint.opened for canvas in drawn] == [(2,), ()]


def test_a_long_trail_keeps_its_beginning_and_its_last_steps() -> None:
    scene = sample_scene(12)
    steps = breadcrumbs.boxes(scene, tuple(range(9)))
    texts = [text for _, text, _ in steps]
    assert texts == ["All", "…", "Entity 6", "Entity 7", "Entity 8"]
    lefts = [box.left() for _, _, box in steps]
    assert lefts == sorted(lefts)


def test_the_minimap_goes_where_there_is_no_room_for_it() -> None:
    assert minimap.card_rect(300, 700) is None
    card = minimap.card_rect(900, 700)
    assert card is not None
    assert card.right() < 900
    assert card.bottom() < 700


def test_the_whole_sky_has_nothing_behind_the_minimap() -> None:
    scene = moved_one(sample_scene(30), 0, 8.0, 3.4)
    camera = whole(scene, 840, 562)
    card = minimap.card_rect(840, 562)
    assert card is not None
    shown = [camera.to_screen(float(x), float(y)) for x, y in
             zip(scene.x[:30], scene.y[:30], strict=True)]
    assert not any(card.contains(*spot) for spot in shown)
    assert all(0 < x < 840 and 34 < y < 562 - 34 for x, y in shown)


@pytest.mark.parametrize("size", [(664, 468), (664, 300), (530, 365), (240, 228), (1200, 700)])
@pytest.mark.parametrize("top", [0.0, 72.0])
def test_a_sky_opened_afresh_has_no_star_under_legend_minimap_or_hint(
    size: tuple[int, int], top: float
) -> None:
    scene = sample_scene(240, values=30)
    corners = scene.x[:4], scene.y[:4]
    left, upper, right, lower = scene.bounds()
    corners[0][:], corners[1][:] = (left, right, left, right), (upper, upper, lower, lower)
    camera = whole(scene, *size, top)
    plate = legend.Legend().plate(scene, *size, opened=False)
    covers = [plate, minimap.card_rect(*size) or plate, QRectF(0, 0, size[0], top)]
    for x, y in zip(scene.x[:scene.entities], scene.y[:scene.entities], strict=True):
        at = QPointF(*camera.to_screen(float(x), float(y)))
        assert QRectF(0, 0, *size).contains(at)
        assert not any(cover.contains(at) for cover in covers)


def test_the_legend_folds_where_the_sky_is_low() -> None:
    scene = sample_scene(240)
    low = legend.Legend().plate(scene, 664, 468, opened=False)
    assert low.height() < 0.2 * 468


def test_things_grow_less_than_the_world_when_near_and_shrink_when_far() -> None:
    sizes = [growth(step) for step in (2, 8, 30, 80, 300, 2000)]
    assert sizes == sorted(sizes)
    assert sizes[0] < 0.1
    assert sizes[-1] <= 2.2


def test_a_dive_has_the_rings_fill_the_window() -> None:
    scene = cross()
    camera = dive_camera(scene, whole(scene, 800, 600), 2)
    reach = float(scene.reach[2]) * camera.scale
    assert 0.25 * 600 < reach < 0.5 * 600
    assert camera.to_screen(1.0, 0.0) == pytest.approx((400, 300), abs=0.1)


def test_a_still_of_an_entity_has_it_selected_in_the_middle() -> None:
    scene = cross()
    frame, overlay = still_frame(scene, 800, 600, "east")
    assert overlay.selected == 2
    assert (frame.x[2], frame.y[2]) == pytest.approx((400, 300), abs=0.1)
    whole_frame, nothing = still_frame(scene, 800, 600, "no such id")
    assert nothing.selected == -1
    assert len(whole_frame.visible) == 5


def test_a_picture_needs_no_window(qtbot: QtBot, theme: Theme) -> None:
    frame, overlay = still_frame(cross(), 500, 400, "east")
    picture = Picture()
    picture.load()
    image = paint_image(picture, frame, theme, overlay, 2.0)
    picture.close()
    assert image.size() == QSize(1000, 800)


def test_pictures_do_not_depend_on_what_was_drawn_before(qtbot: QtBot, theme: Theme) -> None:
    picture = Picture()
    picture.load()
    images = []
    for entity_id in ("east", "", "east"):
        frame, overlay = still_frame(cross(), 500, 400, entity_id)
        images.append(paint_image(picture, frame, theme, overlay, 1.0))
    picture.close()
    assert images[0] == images[2]
    assert images[0] != images[1]


def test_a_long_name_is_cut_with_an_ellipsis_and_stays_one_line(qtbot: QtBot) -> None:
    text_cache = TextCache()
    line, width, height = text_cache.size("word " * 20_000, text_style(13), 230.0)
    assert line.endswith("…")
    assert width <= 230.0
    assert text_cache.size("a\nb\tc", text_style(13))[0] == "a b c"
    assert text_cache.size("a\nb\tc", text_style(13))[2] == height


def test_a_name_is_drawn_once_and_then_kept(qtbot: QtBot) -> None:
    text_cache, white = TextCache(), QColor("white")
    text_cache.begin(QColor("black"), 1.0)
    assert not text_cache.has("uv", text_style(13), white)
    first = text_cache.picture("uv", text_style(13), white)
    assert text_cache.has("uv", text_style(13), white)
    assert text_cache.picture("uv", text_style(13), white) is first
    assert text_cache.picture("uv", text_style(13, Weight.DemiBold), white) is not first
    text_cache.begin(QColor("black"), 2.0)
    assert not text_cache.has("uv", text_style(13), white)


def test_a_name_has_a_halo_of_the_sky_s_colour(qtbot: QtBot) -> None:
    text_cache = TextCache()
    text_cache.begin(QColor("black"), 1.0)
    image = QImage(80, 40, QImage.Format.Format_RGB32)
    image.fill(QColor("green"))
    painter = QPainter(image)
    picture = text_cache.picture("IIII", text_style(13, Weight.Bold), QColor("white"))
    text_cache.draw(painter, picture, 20, 10)
    painter.end()
    colors = [image.pixelColor(x, y) for x in range(80) for y in range(40)]
    assert any(c.lightness() > 200 for c in colors)
    assert any(c.lightness() < 20 for c in colors)
    assert image.pixelColor(1, 1) == QColor("green")


@pytest.mark.parametrize("width", [240, 300, 420, 900])
def test_the_counts_take_the_room_that_the_breadcrumbs_leave(
    qtbot: QtBot, theme: Theme, width: int
) -> None:
    frame, overlay = still_frame(sample_scene(2_000, aspects=0, values=0), width, 400)
    picture = Picture()
    with noting() as drawn:
        paint_image(picture, frame, theme, overlay, 1.0)
    picture.close()
    assert wrong(overlaps(frame, drawn)) == {}
    assert all(left >= 0 for left, *_ in drawn.plates)


def test_the_legend_says_what_dashes_mean_only_where_lines_are_dashed(theme: Theme) -> None:
    scene = sample_scene(60)
    scene = replace(scene, edge_dash=np.ones_like(scene.edge_dash), edge_family=np.full_like(
        scene.edge_family, FAMILIES.index("knowledge")))
    for step, said in ((60.0, False), (400.0, True)):
        camera = Camera(float(scene.x[0]), float(scene.y[0]), step / scene.unit, 900, 700)
        frame = project(scene, Viewpoint(camera, Detail(0.0, 0.0, 0.0)))
        drawn = QImage(900, 700, QImage.Format.Format_RGB32)
        painter = QPainter(drawn)
        shown = legend.Legend()
        shown.on_canvas(Canvas(painter, frame, theme, Overlay(), 900, 700, 1.0))
        painter.end()
        assert ("knowledge" in [entry.word for entry in shown._entries]) == said
