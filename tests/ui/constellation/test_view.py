"""The sky under a hand: real clicks, wheels and keys on a real widget."""

from collections.abc import Iterator

import numpy as np
import pytest
from msgspec.structs import replace
from PySide6.QtCore import QEvent, QPoint, QPointF, Qt
from PySide6.QtGui import QKeyEvent
from PySide6.QtTest import QTest
from pytestqt.qtbot import QtBot

from core.constellation.scene import CONSTRAINT
from core.constellation.scene_assembly import assemble
from core.model.sky_columns import Positions
from tests.skies import cross, orbit, sample, sample_scene, with_proposals
from tests.ui.sky_hand import LEFT, NONE, SHIFT, drag, move, spot, wheel
from ui.constellation import gestures
from ui.constellation.highlights import LitRows
from ui.constellation.layers import breadcrumbs, minimap
from ui.constellation.offscreen_frames import whole
from ui.constellation.view import SkyView
from ui.theme import Theme, load_theme


@pytest.fixture
def sky(qtbot: QtBot, theme: Theme) -> Iterator[SkyView]:
    """A sky of five entities, warm and at rest, without motion."""
    view = SkyView(theme, reduced_motion=True)
    view.resize(900, 700)
    view.set_scene(cross())
    view.show()
    qtbot.waitExposed(view)
    qtbot.waitUntil(view._picture._raster.ready, timeout=60_000)
    view.repaint()
    yield view
    view.close()
    view.deleteLater()


def test_a_click_selects_and_a_click_on_the_empty_sky_gives_up(qtbot: QtBot, sky: SkyView) -> None:
    with qtbot.waitSignal(sky.entity_selected) as said:
        QTest.mouseClick(sky, LEFT, NONE, spot(sky, "east"))
    assert said.args == ["east"]
    assert sky.selected == "east"
    with qtbot.waitSignal(sky.entity_selected) as said:
        QTest.mouseClick(sky, LEFT, NONE, QPoint(120, 120))
    assert said.args == [""]


def test_selecting_from_outside_says_nothing_back(qtbot: QtBot, sky: SkyView) -> None:
    with qtbot.assertNotEmitted(sky.entity_selected):
        sky.select("west")
    assert sky.selected == "west"
    sky.select("no such id")
    assert sky.selected == ""


def test_hover_says_what_is_under_the_pointer_once(qtbot: QtBot, sky: SkyView) -> None:
    said: list[str] = []
    sky.hovered.connect(said.append)
    at = spot(sky, "north")
    for dx in (0, 1, 2):
        move(sky, at + QPoint(dx, 0))
    move(sky, QPoint(150, 100))
    assert said == ["north", ""]


def test_hover_lights_the_neighbours_and_dims_the_rest(qtbot: QtBot, sky: SkyView) -> None:
    move(sky, spot(sky, "mid"))
    qtbot.waitUntil(lambda: sky._state.frame.viewpoint.lighting.level == 1.0)
    alpha = dict(zip(sky.scene.ids, sky._state.frame.alpha.tolist(), strict=False))
    assert alpha["mid"] == alpha["west"] == alpha["east"] == 1.0
    assert alpha["north"] == alpha["south"] == pytest.approx(0.25)
    move(sky, QPoint(150, 100))
    qtbot.waitUntil(lambda: sky._state.frame.viewpoint.lighting.level == 0.0)


def test_dragging_the_sky_moves_it_by_as_much(sky: SkyView) -> None:
    before = sky.screen_of(0)
    drag(sky, QPoint(150, 150), QPoint(180, 170), QPoint(230, 190))
    after = sky.screen_of(0)
    assert after == pytest.approx((before[0] + 80, before[1] + 40), abs=0.01)
    assert sky.selected == ""


def test_dragging_an_entity_puts_it_there_and_moves_no_other(qtbot: QtBot, sky: SkyView) -> None:
    others = {id: sky.screen_of(k) for k, id in enumerate(sky.scene.ids[:5]) if id != "east"}
    start = spot(sky, "east")
    sky.select("east")
    with qtbot.waitSignal(sky.positioned) as said:
        drag(sky, start, start + QPoint(20, 0), start + QPoint(60, 50))
    id, x, y = said.args
    assert id == "east"
    assert sky.camera.to_screen(x, y) == pytest.approx(
        (start.x() + 60, start.y() + 50), abs=1.0)
    assert all(sky.screen_of(sky.scene.index[id]) == place for id, place in others.items())


def test_a_drag_that_starts_on_a_star_pans_and_grabs_it_only_after_a_hold(
    qtbot: QtBot, sky: SkyView, monkeypatch: pytest.MonkeyPatch
) -> None:
    start, north = spot(sky, "east"), sky.screen_of(sky.scene.index["north"])
    with qtbot.assertNotEmitted(sky.positioned):
        drag(sky, start, start + QPoint(20, 0), start + QPoint(60, 50))
    assert sky.screen_of(sky.scene.index["north"]) == pytest.approx(
        (north[0] + 60, north[1] + 50), abs=0.5)
    monkeypatch.setattr(gestures, "HOLD_SECONDS", 0.05)
    start = spot(sky, "east")
    with qtbot.waitSignal(sky.positioned) as moved:
        QTest.mousePress(sky, LEFT, NONE, start)
        qtbot.wait(80)
        for step in (QPoint(20, 0), QPoint(40, 10)):
            move(sky, start + step, LEFT)
        QTest.mouseRelease(sky, LEFT, NONE, start + QPoint(40, 10))
    assert moved.args[0] == "east"


def test_a_lasso_holds_the_entities_inside_it(qtbot: QtBot, sky: SkyView) -> None:
    north, west = spot(sky, "north"), spot(sky, "west")
    corners = [QPoint(west.x() - 60, north.y() - 60), QPoint(north.x() + 60, north.y() - 60),
               QPoint(north.x() + 60, west.y() + 60), QPoint(west.x() - 60, west.y() + 60)]
    with qtbot.waitSignal(sky.lassoed) as said:
        drag(sky, corners[0], *corners[1:], corners[0], modifier=SHIFT)
    assert sorted(said.args[0]) == ["mid", "north", "west"]


def test_what_is_in_sight_is_selected_without_a_journey(sky: SkyView) -> None:
    before = sky.camera
    sky.reveal("east")
    assert sky.selected == "east"
    assert sky.camera == before
    card = minimap.card_rect(sky.width(), sky.height())
    assert card is not None
    for behind in (QPoint(sky.width() + 50, 200), card.center().toPoint()):
        sky.select("")
        sky.navigation.pan(behind.x() - spot(sky, "east").x(), behind.y() - spot(sky, "east").y())
        sky.reveal("east")
        assert (spot(sky, "east") - sky.rect().center()).manhattanLength() <= 3


def test_the_whole_sky_stays_whole_in_a_window_of_another_size(sky: SkyView) -> None:
    wheel(sky, spot(sky, "east"), 600)
    sky.resize(700, 600)
    assert not sky.rect().contains(spot(sky, "west")), "what one looks at stays"
    sky.fit()
    sky.resize(500, 420)
    for id in ("mid", "west", "east", "north", "south"):
        assert sky.rect().contains(spot(sky, id))
    assert sky.camera == whole(sky.scene, 500, 420)


def test_the_wheel_zooms_to_the_pointer(sky: SkyView) -> None:
    at = spot(sky, "east") + QPoint(40, 30)
    there, scale = sky.camera.to_world(at.x(), at.y()), sky.camera.scale
    wheel(sky, at, 240)
    assert sky.camera.scale > 1.2 * scale
    assert sky.camera.to_screen(*there) == pytest.approx((at.x(), at.y()), abs=0.01)
    wheel(sky, at, -240)
    assert sky.camera.scale == pytest.approx(scale)


def test_a_double_click_dives_in_and_escape_goes_back(qtbot: QtBot, sky: SkyView) -> None:
    before = sky.camera
    with qtbot.waitSignals([sky.dived, sky.entity_selected]):
        at = spot(sky, "east")
        QTest.mouseClick(sky, LEFT, NONE, at)
        QTest.mouseDClick(sky, LEFT, NONE, at)
    assert sky.trail == ("east",)
    assert sky.selected == "east"
    # In the middle of what the legend leaves free: it hid facts of what one dived to.
    assert sky.screen_of(2) == pytest.approx(
        (450, (700 - sky.navigation.legend_height) / 2), abs=1)
    assert sky.navigation.legend_height > 0
    assert len(sky._state.frame.near) >= len(orbit(sky.scene, 2))
    with qtbot.waitSignal(sky.went_back):
        QTest.keyClick(sky, Qt.Key.Key_Escape)
    assert sky.camera == before
    assert sky.trail == ()
    QTest.keyClick(sky, Qt.Key.Key_Escape)
    assert sky.selected == ""


def test_after_a_click_on_empty_sky_the_path_names_nothing_out_of_view(
    qtbot: QtBot, sky: SkyView
) -> None:
    sky.dive("east")
    QTest.mouseClick(sky, LEFT, NONE, QPoint(120, 560))
    assert sky.trail == ("east",), "it is still in view"
    sky.look_at((-40.0, 0.0, sky.camera.scale))
    with qtbot.waitSignal(sky.went_back):
        QTest.mouseClick(sky, LEFT, NONE, QPoint(450, 350))
    assert sky.trail == ()


def test_diving_again_and_again_leaves_a_trail_that_can_be_clicked(
    qtbot: QtBot, sky: SkyView
) -> None:
    for id in ("east", "mid", "west"):
        sky.dive(id)
    assert sky.trail == ("east", "mid", "west")
    steps = breadcrumbs.boxes(sky.scene, sky._state.trail_nodes())
    assert [text for _, text, _ in steps] == ["All", "East", "Mid", "West"]
    QTest.mouseClick(sky, LEFT, NONE, steps[1][2].center().toPoint())
    assert sky.trail == ("east",)
    with qtbot.waitSignal(sky.went_back):
        QTest.mouseClick(sky, LEFT, NONE, steps[0][2].center().toPoint())
    assert sky.trail == ()
    assert all(0 < sky.screen_of(k)[0] < 900 for k in range(5))


@pytest.mark.parametrize(("key", "found"), [
    (Qt.Key.Key_Right, "east"), (Qt.Key.Key_Left, "west"), (Qt.Key.Key_Up, "north"),
    (Qt.Key.Key_Down, "south"),
])
def test_arrow_keys_go_to_the_nearest_in_their_direction(
    sky: SkyView, key: Qt.Key, found: str
) -> None:
    QTest.keyClick(sky, key)
    assert sky.selected == "mid"
    QTest.keyClick(sky, key)
    assert sky.selected == found
    QTest.keyClick(sky, key)
    assert sky.selected == found


def test_enter_dives_into_the_selection_and_f_shows_all(sky: SkyView) -> None:
    sky.select("south")
    QTest.keyClick(sky, Qt.Key.Key_Return)
    assert sky.trail == ("south",)
    QTest.keyClick(sky, Qt.Key.Key_F)
    assert sky.trail == ()
    assert all(0 < sky.screen_of(k)[1] < 700 for k in range(5))


def test_a_key_without_a_meaning_goes_to_the_window(sky: SkyView) -> None:
    event_taken = sky._gestures.key
    other = QKeyEvent(QEvent.Type.KeyPress, Qt.Key.Key_P, NONE)
    undo = QKeyEvent(QEvent.Type.KeyPress, Qt.Key.Key_F, Qt.KeyboardModifier.ControlModifier)
    assert not event_taken(other)
    assert not event_taken(undo)


def test_values_and_constraints_can_be_clicked(qtbot: QtBot, sky: SkyView) -> None:
    sky.dive("east")
    scene = sky.scene
    values = [k for k in orbit(scene, 2).tolist() if k >= scene.starts[2]]
    for node in values:
        with qtbot.waitSignal(sky.picked) as said:
            QTest.mouseClick(sky, LEFT, NONE, spot(sky, scene.ids[node]))
        kind = "constraint" if scene.kind[node] == CONSTRAINT else "attribute"
        assert said.args == [kind, scene.ids[node]]
    assert sky.selected == "east"


def test_values_that_come_near_ask_for_their_texts(qtbot: QtBot, sky: SkyView) -> None:
    with qtbot.waitSignal(sky.texts_wanted) as said:
        sky.dive("east")
    ring = {sky.scene.ids[k] for k in orbit(sky.scene, 2).tolist()}
    wanted = set(said.args[0])
    assert {id for id in ring if id.startswith("v")} <= wanted
    sky.set_texts(dict.fromkeys(wanted, "02:00 UTC"))
    assert sky._state.missing_texts() == ()
    with qtbot.waitSignal(sky.texts_wanted) as said:
        sky.set_scene(cross())
    assert set(said.args[0]) == wanted
    assert sky._state.overlay().texts == dict.fromkeys(wanted, "02:00 UTC")


def test_a_scene_that_is_shown_already_is_not_painted_again_but_its_texts_are_read(
    qtbot: QtBot, sky: SkyView
) -> None:
    with qtbot.waitSignal(sky.texts_wanted) as said:
        sky.dive("east")
    wanted = said.args[0]
    sky.set_texts(dict.fromkeys(wanted, "02:00 UTC"))
    frame = sky._state.frame
    with qtbot.waitSignal(sky.texts_wanted) as said:
        sky.set_scene(sky.scene)
        assert sky._state.frame is frame
    assert said.args[0] == wanted


def test_the_same_places_again_change_nothing_on_the_screen(sky: SkyView) -> None:
    wheel(sky, QPoint(300, 300), 120)
    sky.select("west")
    camera, before = sky.camera, sky.grab().toImage()
    sky.set_scene(cross())
    assert sky.camera == camera
    assert sky.selected == "west"
    assert sky.grab().toImage() == before


def test_a_new_entity_leaves_the_camera_and_the_rest_where_they_are(
    qtbot: QtBot, theme: Theme
) -> None:
    view = SkyView(theme)
    qtbot.addWidget(view)
    rows, places = sample(30)
    view.resize(800, 600)
    view.set_scene(assemble(rows, places))
    view.show()
    before = [view.screen_of(k) for k in range(30)]
    more, more_places = sample(31)
    entities = np.vstack([places.entities, more_places.entities[-1:]])
    view.set_scene(assemble(more, Positions(entities, more_places.memories,
                                            unit=view.scene.unit)))
    assert [view.screen_of(k) for k in range(30)] == before
    qtbot.waitUntil(lambda: not view._motion._ticker.isActive())
    assert [view.screen_of(k) for k in range(30)] == before


def test_what_got_another_place_travels_there(qtbot: QtBot, theme: Theme) -> None:
    view = SkyView(theme)
    qtbot.addWidget(view)
    rows, places = sample(30)
    view.resize(800, 600)
    view.set_scene(assemble(rows, places))
    view.show()
    moved = places.entities.copy()
    moved[4] += 3.0
    scene = assemble(rows, Positions(moved, places.memories, unit=view.scene.unit))
    start = view.screen_of(4)
    view.set_scene(scene)
    view._motion._tick()
    early = view.screen_of(4)
    qtbot.waitUntil(lambda: not view._motion._ticker.isActive())
    end = view.screen_of(4)
    assert end == pytest.approx(
        view.camera.to_screen(float(scene.x[4]), float(scene.y[4])))
    assert np.hypot(early[0] - start[0], early[1] - start[1]) < np.hypot(
        end[0] - start[0], end[1] - start[1])


def test_a_journey_ends_where_it_was_going_and_the_clock_stops(qtbot: QtBot, theme: Theme) -> None:
    view = SkyView(theme)
    qtbot.addWidget(view)
    view.resize(900, 700)
    view.set_scene(cross())
    view.show()
    qtbot.waitExposed(view)
    with qtbot.waitSignal(view.rested):
        view.dive("east")
    assert view.screen_of(2) == pytest.approx(
        (450, (700 - view.navigation.legend_height) / 2), abs=1)
    qtbot.waitUntil(lambda: not view._motion._ticker.isActive())
    assert not view._state.moving


def test_the_minimap_brings_one_where_it_is_pressed(sky: SkyView) -> None:
    sky.dive("west")
    card = minimap.card_rect(sky.width(), sky.height())
    assert card is not None
    east = minimap.chart(sky.scene).to_screen(1.0, 0.0)
    QTest.mouseClick(sky, LEFT, NONE, (card.topLeft() + QPointF(*east)).toPoint())
    assert sky.camera.x == pytest.approx(1.0, abs=0.05)
    assert sky.selected == "west"


def test_it_speaks_to_a_screen_reader(sky: SkyView) -> None:
    assert sky.accessibleName() == "Sky"
    sky.select("east")
    assert sky.accessibleDescription().startswith("East, ")
    assert "5 entities" in sky.accessibleDescription()


HOSTILE = ["<b>bold</b><img src=x onerror=alert(1)>", "שלום עולם", "🦊🦊🦊", "\x00\x07\x1b[31m",
           "a" * 100_000, "", "line\nbreak\ttab", "&lt;&amp;", "\u202eover\u202c", "%s %n {0}"]


def test_names_are_plain_text_whatever_they_hold(qtbot: QtBot, theme: Theme) -> None:
    rows, places = sample(20)
    names = [HOSTILE[k % len(HOSTILE)] for k in range(20)]
    rows = replace(with_proposals(rows), entity_names=names,
                   aspect_names=[HOSTILE[k % len(HOSTILE)] for k in range(len(rows.aspect_ids))],
                   proposal_labels=HOSTILE[:5], community_names=HOSTILE[:1],
                   type_words=(HOSTILE[0], *rows.type_words[1:]))
    view = SkyView(theme, reduced_motion=True)
    qtbot.addWidget(view)
    view.resize(900, 700)
    view.set_scene(assemble(rows, places))
    view.show()
    view.set_texts(dict.fromkeys(rows.attribute_ids, HOSTILE[4]))
    for id in ("e0", "e2", "e4"):
        view.dive(id)
        view.repaint()
    assert view.trail == ("e0", "e2", "e4")


@pytest.mark.parametrize("count", [0, 1, 2])
def test_almost_nothing_is_a_sky_too(qtbot: QtBot, theme: Theme, count: int) -> None:
    view = SkyView(theme, reduced_motion=True)
    qtbot.addWidget(view)
    view.resize(500, 400)
    view.set_scene(sample_scene(count))
    view.show()
    for key in (Qt.Key.Key_F, Qt.Key.Key_Right, Qt.Key.Key_Return, Qt.Key.Key_Escape):
        QTest.keyClick(view, key)
    move(view, QPoint(250, 200))
    wheel(view, QPoint(250, 200), 120)
    assert not view.grab().isNull()


def test_another_theme_is_seen_at_once(sky: SkyView) -> None:
    assert sky.grab().toImage().pixelColor(3, 300).lightness() < 40
    sky._theme.become(load_theme("paper"))
    assert sky.grab().toImage().pixelColor(3, 300).lightness() > 200


def test_a_walk_is_lit_and_its_memories_numbered(sky: SkyView) -> None:
    sky.set_highlight(["mid", "east", "gone"], ["me", "gone"], ["m2", "m0", "gone"])
    lighting = sky._state.frame.viewpoint.lighting
    assert lighting.nodes >= {0, 2}
    assert [sky.scene.edge_ids[k] for k in lighting.edges] == ["me"]
    assert [sky.scene.ids[k] for k in sky._state.walk.memories] == ["m2", "m0"]
    sky.repaint()
    sky.set_highlight()
    assert sky._state.frame.viewpoint.lighting.level == 0.0


@pytest.mark.parametrize("count", [3, 60])
def test_few_and_many_ids_of_a_walk_are_found_where_they_stand(count: int) -> None:
    scene = sample_scene(60)
    first = scene.starts[3]
    nodes, edges = scene.ids[2:5], scene.edge_ids[:count]
    memories = scene.ids[first:first + count]
    lit = (tuple(nodes), (*edges, "gone"), (*reversed(memories), nodes[0], "gone"))
    walk = LitRows().walk(scene, lit)
    assert walk.nodes == (2, 3, 4)
    assert walk.edges == tuple(range(count))
    assert walk.memories == tuple(range(first + count - 1, first - 1, -1))
