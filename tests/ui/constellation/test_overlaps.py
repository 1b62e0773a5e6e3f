"""No word of the sky lies on another, nor on a star, at any zoom and while zooming."""

from contextlib import closing
from typing import Any

import numpy as np
import pytest
from msgspec.structs import replace
from pytestqt.qtbot import QtBot

from core.constellation.label_board import Board
from core.constellation.label_placement import AWAY
from core.constellation.positions import positions_at_once
from core.constellation.scene import Scene
from core.constellation.scene_assembly import assemble, scene_of
from core.constellation.sky_rows import sky as read_sky
from core.embedding.word_vectors import WordEmbedder
from core.workspace import Workspace
from explorer.demo import build_demo
from explorer.demo_positions import put_places
from tests.overlaps import in_pictures, noting, overlaps, while_panning, while_zooming, wrong
from tests.skies import sample, sample_scene
from ui.constellation.frame import Found, Frame, project
from ui.constellation.frame_painter import Picture, paint_image
from ui.constellation.layers.node_labels import NodeLabels, Places
from ui.constellation.layers.obstacles import outlines
from ui.constellation.layers.paint_context import Canvas, Overlay, Walk
from ui.constellation.layers.text_cache import TextCache
from ui.constellation.offscreen_frames import still_frame
from ui.theme import Theme

FEW, MANY = 40, 5_000


@pytest.fixture(scope="module")
def demo(tmp_path_factory: pytest.TempPathFactory) -> Scene:
    folder = tmp_path_factory.mktemp("demo")
    path = build_demo(folder / "demo.db")
    put_places(path)
    with closing(Workspace.open(path)) as workspace, workspace.read() as reader:
        rows = read_sky(reader)
        places, _ = positions_at_once(reader, rows, workspace.sidecar, WordEmbedder())
        return scene_of(rows, places)


def test_nothing_overlaps_in_the_demo(qtbot: QtBot, theme: Theme, demo: Scene) -> None:
    counts = in_pictures(demo, theme)
    assert wrong(counts) == {}
    assert counts["texts"] > 12 * FEW


def test_every_name_in_the_demo_is_nearest_to_its_own_star_or_has_a_line_to_it(
    qtbot: QtBot, theme: Theme, demo: Scene, monkeypatch: pytest.MonkeyPatch
) -> None:
    placed: list[tuple[Canvas, Places]] = []
    place = NodeLabels.place

    def noted(names: NodeLabels, canvas: Canvas, *rest: Any) -> tuple[Places, Places]:
        chosen, leaving = place(names, canvas, *rest)
        placed.append((canvas, chosen))
        return chosen, leaving

    monkeypatch.setattr(NodeLabels, "place", noted)
    in_pictures(demo, theme)
    names = 0
    for canvas, chosen in placed:
        rows = canvas.frame.visible
        x, y, r = canvas.frame.x[rows], canvas.frame.y[rows], outlines(canvas, rows)
        for node, label in chosen.items():
            if node < demo.entities and label.side < AWAY:
                left, top, wide, high = label.box
                far = np.hypot(x - np.clip(x, left, left + wide),
                               y - np.clip(y, top, top + high)) - r
                assert rows[np.argmin(far)] == node, demo.labels[node]
                names += 1
    assert names > 5 * FEW


def test_what_a_search_found_has_its_name_also_in_a_small_and_dense_sky(
    qtbot: QtBot, theme: Theme, demo: Scene, monkeypatch: pytest.MonkeyPatch
) -> None:
    crowded = [demo.labels.index(name) for name in ("deploy policy", "settlement job", "Lena")]
    for node in (*crowded, *range(0, demo.entities, 9)):
        frame, overlay = still_frame(demo, 560, 290)
        found = replace(frame.viewpoint, found=Found([demo.ids[node]]))
        names = drawn_names(monkeypatch, project(demo, found), overlay, theme)
        assert demo.labels[node] in names


def test_nothing_overlaps_while_the_demo_is_zoomed(
    qtbot: QtBot, theme: Theme, demo: Scene
) -> None:
    assert wrong(while_zooming(demo, theme)) == {}


def test_nothing_overlaps_while_the_demo_is_panned(
    qtbot: QtBot, theme: Theme, demo: Scene
) -> None:
    counts = while_panning(demo, theme, frames=15)
    assert wrong(counts) == {}
    assert counts["texts"] > 45 * 28


def test_names_moved_along_onto_a_plate_would_be_seen(
    qtbot: QtBot, theme: Theme, demo: Scene, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(Board, "shows", lambda *_: True)
    assert while_panning(demo, theme, frames=15)["plate on text"] > 0


def test_nothing_overlaps_among_five_thousand(qtbot: QtBot, theme: Theme) -> None:
    counts = in_pictures(sample_scene(MANY, aspects=1, values=1), theme)
    assert wrong(counts) == {}
    assert counts["texts"] > 12 * 15


def test_nothing_overlaps_while_two_thousand_are_zoomed(qtbot: QtBot, theme: Theme) -> None:
    assert wrong(while_zooming(sample_scene(2_000, aspects=1, values=1), theme)) == {}


@pytest.mark.parametrize(("step", "kind"), [("cover", "text on star"), ("take", "text on text")])
def test_the_counter_sees_what_would_overlap(
    qtbot: QtBot, theme: Theme, demo: Scene, monkeypatch: pytest.MonkeyPatch, step: str, kind: str
) -> None:
    monkeypatch.setattr(Board, step, lambda *_: None)
    assert in_pictures(demo, theme)[kind] > 0


def drawn_names(
    monkeypatch: pytest.MonkeyPatch, frame: Frame, overlay: Overlay, theme: Theme
) -> list[str]:
    names: list[str] = []
    whole = TextCache.picture

    def noted(cache: TextCache, text: str, *rest: object, **more: object) -> object:
        names.append(text)
        return whole(cache, text, *rest, **more)  # type: ignore[arg-type]

    monkeypatch.setattr(TextCache, "picture", noted)
    picture = Picture()
    paint_image(picture, frame, theme, overlay, 1.0, chrome=False)
    picture.close()
    return names


def test_a_community_called_like_its_star_is_named_once(
    qtbot: QtBot, theme: Theme, monkeypatch: pytest.MonkeyPatch
) -> None:
    scene = sample_scene(300)
    first = scene.communities.names[0]
    labels = [first, *scene.labels[1:]]
    scene = replace(scene, labels=labels)
    for size in ((500, 400), (1400, 900)):
        frame, overlay = still_frame(scene, *size)
        assert drawn_names(monkeypatch, frame, overlay, theme).count(first) <= 1
        pointed = replace(overlay, hovered=0)
        assert drawn_names(monkeypatch, frame, pointed, theme).count(first) == 1


def test_the_badges_of_a_walk_stand_beside_each_other(qtbot: QtBot, theme: Theme) -> None:
    scene = sample_scene(60, memories=1)
    first = scene.starts[3]
    x, y = scene.x.copy(), scene.y.copy()
    x[first : first + 9], y[first : first + 9] = x[3], y[3]
    scene = replace(scene, x=x, y=y)
    frame, overlay = still_frame(scene, 900, 700)
    overlay = replace(overlay, walk=Walk(memories=tuple(range(first, first + 9))))
    picture = Picture()
    with noting() as drawn:
        paint_image(picture, frame, theme, overlay, 1.0)
    picture.close()
    assert len(drawn.badges) == 9
    assert wrong(overlaps(frame, drawn)) == {}


def test_a_badge_without_room_is_left_out_rather_than_put_on_a_star(
    qtbot: QtBot, theme: Theme
) -> None:
    rows, places = sample(3_000, aspects=0, values=0, memories=1)
    crowd = np.random.default_rng(1).uniform(0, 55, (3_000, 2)).astype(np.float32)
    dust = np.random.default_rng(2).uniform(0, 55, (len(places.memories), 2)).astype(np.float32)
    scene = assemble(rows, replace(places, entities=crowd, memories=dust, unit=1.0))
    frame, overlay = still_frame(scene, 600, 500)
    first = scene.starts[3]
    overlay = replace(overlay, walk=Walk(memories=tuple(range(first, first + 40))))
    picture = Picture()
    with noting() as drawn:
        paint_image(picture, frame, theme, overlay, 1.0)
    picture.close()
    assert len(drawn.badges) < 40
    assert overlaps(frame, drawn)["badge on star"] == 0


def test_badges_at_and_beyond_the_edge_of_the_window_do_not_overlap_either(
    qtbot: QtBot, theme: Theme
) -> None:
    scene = sample_scene(60, memories=1)
    frame, overlay = still_frame(scene, 900, 700)
    first = scene.starts[3]
    for at in ((2.0, 2.0), (-30.0, -40.0), (898.0, 300.0), (450.0, 730.0)):
        x, y = scene.x.copy(), scene.y.copy()
        x[first : first + 40], y[first : first + 40] = frame.viewpoint.camera.to_world(*at)
        there = project(replace(scene, x=x, y=y), frame.viewpoint)
        walk = replace(overlay, walk=Walk(memories=tuple(range(first, first + 40))))
        picture = Picture()
        with noting() as drawn:
            paint_image(picture, there, theme, walk, 1.0)
        picture.close()
        assert overlaps(there, drawn)["badge on badge"] == 0


def test_the_name_of_what_is_pointed_at_is_shown_in_a_sky_without_room(
    qtbot: QtBot, theme: Theme, monkeypatch: pytest.MonkeyPatch
) -> None:
    rows, places = sample(3_000, aspects=0, values=0, memories=0)
    crowd = np.random.default_rng(1).uniform(0, 55, (3_000, 2)).astype(np.float32)
    scene = assemble(rows, replace(places, entities=crowd, unit=1.0))
    frame, overlay = still_frame(scene, 300, 250)
    names = drawn_names(monkeypatch, frame, replace(overlay, hovered=7), theme)
    assert "Entity 7" in names


def test_ghosts_without_links_stand_above_the_sky_apart_from_stars_and_each_other() -> None:
    rows, places = sample(200)
    count = 30
    rows = replace(
        rows, proposal_ids=[f"p{k}" for k in range(count)],
        proposal_labels=[f"thing {k}" for k in range(count)],
        proposal_effect=np.zeros(count, np.int8), proposal_target=np.full(count, -1, np.int32),
        proposal_other=np.full(count, -1, np.int32))
    scene = assemble(rows, places)
    gx, gy = scene.ghosts.x, scene.ghosts.y
    assert len(gx) == count
    assert (gy < np.median(scene.y[:200]) + scene.unit).all()
    apart = np.hypot(gx[:, None] - scene.x[:200], gy[:, None] - scene.y[:200])
    assert apart.min() > scene.unit
    each = np.hypot(gx[:, None] - gx, gy[:, None] - gy) + 9 * scene.unit * np.eye(count)
    assert each.min() > scene.unit
