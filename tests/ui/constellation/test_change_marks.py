"""The signs at what is added, changed or gone: told apart by shape, read in both themes."""

from collections.abc import Iterator

import numpy as np
import pytest
from msgspec.structs import replace
from PySide6.QtCore import QPointF, QRectF
from PySide6.QtGui import QColor, QImage, QPainter
from pytestqt.qtbot import QtBot

from core.constellation.change_marks import ChangeMarks, LinkMark, placed
from core.constellation.scene import Scene
from core.queries.graph_difference import CHANGES
from tests.skies import cross
from ui.constellation.difference_signs import TOKENS, draw_sign
from ui.constellation.frame_painter import Picture, paint_image
from ui.constellation.layers import change_marks, legend
from ui.constellation.offscreen_frames import still_frame
from ui.constellation.view import SkyView
from ui.theme import THEMES, Theme, contrast, load_theme

EVERY = ChangeMarks(
    {"mid": "added", "west": "changed", "old": "gone"}, {"old": "Old harbour"},
    (LinkMark(("old",), ("north",), "gone"), LinkMark(("mid",), ("south",), "added")),
    places={"old": (0.6, -0.6)})


@pytest.fixture(scope="module")
def picture() -> Iterator[Picture]:
    made = Picture()
    made.load()
    yield made
    made.close()


def drawn(picture: Picture, theme: Theme, marks: ChangeMarks | None, scene: Scene) -> QImage:
    frame, overlay = still_frame(scene, 600, 600)
    picture.forget_names()
    return paint_image(picture, frame, theme, replace(
        overlay, marks=placed(marks, scene) if marks is not None else None), 1.0)


def bits(image: QImage) -> np.ndarray:
    rows = np.frombuffer(image.constBits(), np.uint8)
    return rows.reshape(image.height(), image.width(), 4)[:, :, :3].astype(int)


@pytest.mark.parametrize("name", THEMES)
def test_each_change_has_a_sign_of_its_colour_and_a_word_in_the_legend(
    picture: Picture, name: str
) -> None:
    theme, scene = load_theme(name), cross()
    plain, marked = (bits(drawn(picture, theme, marks, scene)) for marks in (None, EVERY))
    differs = np.abs(plain - marked).sum(axis=2) > 60
    for token in TOKENS.values():
        color = theme.color(token)
        near = np.abs(marked - [color.blue(), color.green(), color.red()]).sum(axis=2) < 60
        assert (near & differs).sum() > 8, token
        for ground in ("sky.top", "sky.bottom", "raised"):
            assert contrast(color, theme.color(ground)) >= 3.0, (token, ground)
    words = placed(EVERY, scene).words
    entries = legend.Legend().entries(scene, 600, 600, opened=True, changes=words)
    assert [entry.text for entry in entries if entry.word in CHANGES] == list(CHANGES)


def test_a_sky_without_marks_is_drawn_as_before(picture: Picture, theme: Theme) -> None:
    scene = cross()
    plain, empty = (drawn(picture, theme, marks, scene) for marks in (None, ChangeMarks()))
    assert plain == empty


def test_the_signs_are_told_apart_without_colour(theme: Theme) -> None:
    shapes = [sign(theme, code) for code in TOKENS]
    for one in shapes:
        assert 8 < one.sum() < 0.8 * one.size
        for other in shapes:
            assert one is other or (one ^ other).mean() > 0.08


def sign(theme: Theme, code: int) -> np.ndarray:
    """Where a sign of the smallest size covers its square."""
    image = QImage(9, 9, QImage.Format.Format_RGB32)
    image.fill(QColor(theme.mix("sky.top", "sky.bottom", 0.5)))
    painter = QPainter(image)
    draw_sign(painter, theme, QPointF(4.5, 4.5), 7.0, code)
    painter.end()
    inked = bits(image)
    return np.asarray(np.abs(inked - inked[0, 0]).sum(axis=2) > 120)


def test_no_name_lies_on_a_sign(qtbot: QtBot, theme: Theme) -> None:
    view = SkyView(theme, reduced_motion=True)
    qtbot.addWidget(view)
    view.resize(500, 500)
    view.set_scene(cross())
    view.mark_new(ChangeMarks(dict.fromkeys(cross().ids[:5], "added")))
    view.grab()
    last = view._picture._places._last
    assert last is not None
    x, y, radius = change_marks.discs(last.canvas)
    assert len(x) == 5
    for label in last.words.chosen.values():
        box = QRectF(*label.box)
        for sx, sy, sr in zip(x.tolist(), y.tolist(), radius.tolist(), strict=True):
            assert not box.intersects(QRectF(sx - sr, sy - sr, 2 * sr, 2 * sr))


def test_comparing_takes_the_place_of_what_is_new_and_gives_it_back(
    qtbot: QtBot, theme: Theme
) -> None:
    view = SkyView(theme, reduced_motion=True)
    qtbot.addWidget(view)
    view.resize(500, 500)
    view.set_scene(cross())
    new, other = ChangeMarks({"mid": "added"}), ChangeMarks({"west": "changed"})
    shown = []
    for step in (lambda: view.mark_new(new), lambda: view.compare(other),
                 lambda: view.set_scene(cross()), lambda: view.compare(None),
                 lambda: view.mark_new(None)):
        step()
        marks = view._state.overlay().marks
        shown.append({} if marks is None else {
            view.scene.ids[node]: CHANGES[code]
            for node, code in zip(marks.nodes.tolist(), marks.codes.tolist(), strict=True)})
    assert shown == [{"mid": "added"}, {"west": "changed"}, {"west": "changed"},
                     {"mid": "added"}, {}]
