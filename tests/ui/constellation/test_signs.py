"""What the sky's colours and signs say: each type its own, pins gold, proposals dashed."""

from itertools import combinations

import numpy as np
import pytest
from msgspec.structs import replace
from PySide6.QtCore import QPoint, QRectF, Qt
from PySide6.QtGui import QColor, QImage, QPainter
from PySide6.QtTest import QTest
from pytestqt.qtbot import QtBot

from core.constellation.scene import Scene
from core.constellation.type_numbers import numbered
from core.model.sky_columns import APPEAR, CHANGE, GO
from tests.skies import sample_scene
from tests.ui.constellation.test_layers import ghosts
from ui.constellation.frame_painter import Picture, paint_image
from ui.constellation.layers.community_names import _ALPHA
from ui.constellation.layers.legend import FEWER, Legend, PrintedLegend
from ui.constellation.offscreen_frames import still_frame
from ui.constellation.sky_colors import SHADES, fill_color, make_palette, sign_color
from ui.constellation.view import SkyView
from ui.theme import THEMES, Theme, contrast, load_theme
from ui.widgets.glyph_paths import FILE_GLYPHS, GLYPH_PATHS, draw_glyph

READABLE, LARGE = 4.5, 3.0
TWENTY = tuple(f"kind {k}" for k in range(20))

# Machado, Oliveira and Fernandes 2009, severity 1, on linear light.
EYES = {
    "usual": np.eye(3),
    "protan": np.array([[0.152286, 1.052583, -0.204868], [0.114503, 0.786281, 0.099216],
                        [-0.003882, -0.048116, 1.051998]]),
    "deutan": np.array([[0.367322, 0.860646, -0.227968], [0.280085, 0.672501, 0.047413],
                        [-0.011820, 0.042940, 0.968881]]),
    "tritan": np.array([[1.255528, -0.076749, -0.178779], [-0.078411, 0.930809, 0.147602],
                        [0.004733, 0.691367, 0.303900]]),
}


def seen(color: QColor, eyes: str) -> np.ndarray:
    """A colour in Oklab as these eyes see it: 0.02 apart can just be told apart."""
    light = np.array([part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4
                      for part in (color.redF(), color.greenF(), color.blueF())])
    light = np.clip(EYES[eyes] @ light, 0.0, 1.0)
    cones = np.cbrt(np.array([[0.4122, 0.5363, 0.0515], [0.2119, 0.6807, 0.1074],
                              [0.0883, 0.2817, 0.6300]]) @ light)
    return np.array([[0.2105, 0.7936, -0.0041], [1.9780, -2.4286, 0.4506],
                     [0.0259, 0.7828, -0.8087]]) @ cones


def twenty_types() -> Scene:
    """Forty entities of twenty types that nobody listed."""
    scene = sample_scene(40)
    code = scene.type_code.copy()
    code[:40] = np.arange(40) % 20
    return replace(scene, type_words=TWENTY, type_code=code)


@pytest.fixture(params=THEMES)
def worn(request: pytest.FixtureRequest) -> Theme:
    """A theme with the twenty types numbered."""
    theme = load_theme(request.param)
    theme.number_types(numbered(TWENTY, {}))
    return theme


def test_a_type_keeps_its_number_and_new_ones_come_after_by_frequency() -> None:
    kept = numbered(["workflow", "Meeting", "person", "unknown", ""], {}, {"person"})
    assert kept == {"workflow": 0, "meeting": 1}
    again = numbered(["recipe", "meeting", "workflow", "WORKFLOW"], kept, {"person"})
    assert again == {"workflow": 0, "meeting": 1, "recipe": 2}


def test_no_two_of_seventy_two_types_look_alike_and_none_is_grey(theme: Theme) -> None:
    theme.number_types(numbered([f"kind {k}" for k in range(72)], {}))
    looks = {(theme.type_color(word).name(), theme.type_numbers[word] % len(FILE_GLYPHS))
             for word in theme.type_numbers}
    assert len(looks) == 72
    assert not {color for color, _ in looks} & {theme.types["other"], theme.types["policy"]}


def test_a_listed_type_keeps_its_own_look_and_capitals_make_no_difference(worn: Theme) -> None:
    worn.number_types({"person": 3, "recipe": 4})
    assert worn.type_color("Person").name() == worn.types["person"]
    assert worn.type_color("Recipe") == worn.type_color("recipe")
    assert worn.type_color("unknown").name() == worn.types["other"]


def test_every_sign_of_a_type_is_a_shape_of_its_own(worn: Theme) -> None:
    pictures = {word: drawn(worn, word) for word in (*GLYPH_PATHS, *TWENTY[:9])}
    for (first, one), (second, other) in combinations(pictures.items(), 2):
        if {first, second} != {"source", "artifact"}:
            assert np.mean(one != other) > 0.03, (first, second)


def drawn(theme: Theme, word: str) -> np.ndarray:
    """The shape of a sign: which of 20 by 20 pixels are drawn on."""
    image = QImage(20, 20, QImage.Format.Format_ARGB32)
    image.fill(Qt.GlobalColor.transparent)
    painter = QPainter(image)
    draw_glyph(painter, QRectF(1, 1, 18, 18), theme, word)
    painter.end()
    return np.array([[image.pixelColor(x, y).alpha() > 127 for x in range(20)]
                     for y in range(20)])


@pytest.mark.parametrize("eyes", EYES)
def test_the_hues_are_told_apart_by_colour_blind_eyes(worn: Theme, eyes: str) -> None:
    for first, second in combinations(worn.hues, 2):
        apart = np.linalg.norm(seen(QColor(first), eyes) - seen(QColor(second), eyes))
        assert apart > 0.09, (first, second, apart)


def test_words_on_the_sky_and_on_the_legend_can_be_read(worn: Theme) -> None:
    for token in ("text", "text.soft", "proposal", "constraint"):
        for ground in ("sky.top", "sky.bottom", "raised"):
            ratio = contrast(worn.color(token), worn.color(ground))
            assert ratio >= READABLE, (token, ground, ratio)
    assert contrast(worn.color("accent"), worn.color("raised")) >= READABLE
    for ground in ("sky.top", "sky.bottom"):
        assert contrast(worn.mix(ground, "text", _ALPHA), worn.color(ground)) >= LARGE


def test_rings_rims_and_signs_stand_out_from_what_they_lie_on(worn: Theme) -> None:
    rims = make_palette(worn, (*worn.types, *TWENTY)).rim.tolist()
    rings = [worn.color(token) for token in ("pin", "proposal", "accent", "constraint",
                                             "text.faint")]
    for color in (*map(QColor.fromRgb, rims), *rings):
        for ground in ("sky.top", "sky.bottom", "raised"):
            ratio = contrast(color, worn.color(ground))
            assert ratio >= LARGE, (color.name(), ground, ratio)
    for hue in (*worn.types.values(), *worn.hues):
        for shade in range(SHADES):
            fill = fill_color(worn, QColor(hue), shade)
            assert contrast(sign_color(worn, QColor(hue), shade), fill) >= LARGE, (hue, shade)


def test_only_a_pin_has_a_whole_ring_and_what_would_change_has_dashes(theme: Theme) -> None:
    pinned, changed = ring_of(theme, "pin"), ring_of(theme, "proposal")
    assert pinned > 0.97
    assert 0.3 < changed < 0.8


def ring_of(theme: Theme, token: str) -> float:
    """How much of the way round an entity its ring is drawn in a token's colour."""
    scene = sample_scene(1, values=0, memories=0)
    none = np.full(1, -1, np.int32)
    scene = replace(
        scene, entity_pinned=np.array([token == "pin"]),
        entity_pending=np.array([int(token != "pin")], np.int32),
        ghosts=replace(scene.ghosts, ids=["p"], labels=[""], x=np.zeros(1, np.float32),
                       y=np.zeros(1, np.float32), node=np.zeros(1, np.int32), other=none,
                       effect=np.array([CHANGE if token != "pin" else -1], np.int8)))
    frame, overlay = still_frame(scene, 400, 400)
    picture = Picture()
    picture.load()
    image = paint_image(picture, frame, theme, overlay, 2.0, chrome=False)
    picture.close()
    x, y, radius = (float(part[0]) for part in (frame.x, frame.y, frame.radius))
    wanted = theme.color(token)
    hits = [any(_near(image.pixelColor(round(2 * (x + reach * np.cos(turn))),
                                       round(2 * (y + reach * np.sin(turn)))), wanted)
                for reach in np.arange(radius + 1.5, 1.4 * radius + 6, 0.25))
            for turn in np.linspace(0, 2 * np.pi, 360, endpoint=False)]
    return float(np.mean(hits))


def _near(color: QColor, wanted: QColor) -> bool:
    return all(abs(a - b) < 30 for a, b in zip(color.getRgb(), wanted.getRgb(), strict=True))


def test_the_legend_lists_every_type_with_its_count_within_the_window(theme: Theme) -> None:
    scene, legend = twenty_types(), Legend()
    for width in (500.0, 900.0, 1600.0):
        entries = legend.entries(scene, width, 700.0, opened=True)
        assert [entry.word for entry in entries if entry.kind == "type"] == list(TWENTY)
        assert entries[0].text == "kind 0 2"
        plate = legend.plate(scene, width, 700.0, opened=True)
        assert QRectF(0, 0, width, 700).contains(plate)
        assert not any(one.box.intersects(other.box) for one, other in combinations(entries, 2))


def test_a_narrow_legend_says_how_many_it_leaves_out_and_shows_them_on_a_click(
    qtbot: QtBot, theme: Theme
) -> None:
    view = shown(qtbot, theme, 520)
    entries = legend_of(view)
    more = entries["more"]
    everything = Legend().entries(view.scene, view.width(), view.height(), opened=True)
    assert more.text == f"{len(everything) - len(entries)} more…"
    QTest.mouseClick(view, Qt.MouseButton.LeftButton, pos=more.box.center().toPoint())
    assert set(TWENTY) <= legend_of(view).keys()
    view.close()


def test_the_folded_legend_takes_two_rows_and_counts_what_it_leaves_out() -> None:
    scene = twenty_types()
    scene = replace(scene, entity_pinned=np.arange(scene.entities) == 3,
                    ghosts=ghosts(APPEAR, GO, CHANGE))
    for size in ((720, 508), (864, 605), (1200, 620)):
        entries = Legend().entries(scene, *size, opened=False)
        whole = Legend().entries(scene, *size, opened=True)
        assert len({entry.box.top() for entry in entries}) == 2
        more = next(entry for entry in entries if entry.kind == "more")
        assert more.text == f"{len(whole) - len(entries)} more…"
        printed = PrintedLegend().entries(scene, *size, opened=False)
        assert {entry.word for entry in printed} == {entry.word for entry in whole} - {FEWER}


def test_a_click_on_a_type_of_the_legend_asks_for_it_and_grabs_no_star(
    qtbot: QtBot, theme: Theme
) -> None:
    view = shown(qtbot, theme, 900)
    with qtbot.waitSignal(view.type_clicked) as clicked, \
            qtbot.assertNotEmitted(view.entity_selected):
        QTest.mouseClick(view, Qt.MouseButton.LeftButton, pos=middle_of(view, "kind 7"))
    assert clicked.args == ["kind 7"]
    view.show_types(frozenset(("kind 7",)))
    alpha = view._state.frame.alpha
    assert {float(alpha[7]), float(alpha[27])} == {1.0}
    assert max(np.delete(alpha, (7, 27))) < 0.5
    view.close()


def shown(qtbot: QtBot, theme: Theme, width: int) -> SkyView:
    view = SkyView(theme, reduced_motion=True)
    qtbot.addWidget(view)
    view.resize(width, 700)
    view.set_scene(twenty_types())
    view.show()
    qtbot.waitExposed(view)
    return view


def legend_of(view: SkyView) -> dict:
    entries = Legend().entries(view.scene, view.width(), view.height(),
                               opened=view._state.legend_open)
    return {entry.word: entry for entry in entries}


def middle_of(view: SkyView, word: str) -> QPoint:
    return legend_of(view)[word].box.center().toPoint()


@pytest.mark.parametrize("size", [(900, 700), (1440, 900)])
def test_the_whole_sky_is_beside_its_legend(
    qapp: object, size: tuple[int, int]
) -> None:
    scene = sample_scene(40)
    frame, _ = still_frame(scene, *size)
    plate = Legend().plate(scene, *size, opened=False)
    assert not any(plate.contains(x, y) for x, y in
                   zip(frame.x.tolist(), frame.y.tolist(), strict=True))


@pytest.mark.parametrize("eyes", EYES)
def test_twenty_types_are_told_apart_by_colour_or_sign_where_hexagons_are_small(
    worn: Theme, eyes: str
) -> None:
    """Two types that look alike in colour to these eyes have other signs; small stars show them."""
    shapes = {word: drawn(worn, word) for word in TWENTY}
    for first, second in combinations(TWENTY, 2):
        apart = np.linalg.norm(seen(worn.type_color(first), eyes)
                               - seen(worn.type_color(second), eyes))
        assert apart > 0.09 or np.mean(shapes[first] != shapes[second]) > 0.03, (first, second)


def test_the_signs_of_two_hundred_entities_are_seen_in_the_first_picture(
    qtbot: QtBot, worn: Theme
) -> None:
    scene = sample_scene(190, aspects=0, values=0)
    frame, overlay = still_frame(scene, 1440, 900)
    picture, painted = Picture(), []
    stamp = picture._signs._stamp

    def noted(*rest: object) -> None:
        painted.append(rest[4])
        stamp(*rest)  # type: ignore[arg-type]

    picture._signs._stamp = noted  # type: ignore[method-assign]
    paint_image(picture, frame, worn, overlay, 1.0)
    picture.close()
    assert len(painted) == 190
    assert all(not sign.isNull() for sign in painted)
