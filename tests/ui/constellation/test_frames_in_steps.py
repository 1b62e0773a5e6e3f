"""A large sky is painted over several turns of the event loop, and shows whole frames only."""

from collections.abc import Iterator

import pytest
from PySide6.QtCore import QCoreApplication
from PySide6.QtGui import QImage
from pytestqt.qtbot import QtBot

from tests.skies import cross, sample_scene
from ui.constellation import view
from ui.constellation.view import SkyView
from ui.theme import Theme


@pytest.fixture
def sky(qtbot: QtBot, theme: Theme, monkeypatch: pytest.MonkeyPatch) -> Iterator[SkyView]:
    """A sky that counts as large, warm and at rest, without motion."""
    monkeypatch.setattr(view, "LARGE", 1)
    sky = SkyView(theme, reduced_motion=True)
    sky.resize(900, 700)
    sky.set_scene(sample_scene(200))
    sky.show()
    qtbot.waitExposed(sky)
    qtbot.waitUntil(sky._picture._raster.ready, timeout=60_000)
    _come_to_rest(qtbot, sky)
    yield sky
    sky.close()
    sky.deleteLater()


def _come_to_rest(qtbot: QtBot, sky: SkyView) -> None:
    """Until what has changed is in the frame that is shown, which was painted in steps."""
    def is_shown() -> bool:
        if sky._frames._painter is not None:
            return False
        if sky._frames.image is None:  # Qt wanted all of it painted before there was a frame.
            sky.update()
            return False
        return True

    sky.update()
    qtbot.waitUntil(is_shown)


def _picture(sky: SkyView) -> QImage:
    return sky.grab().toImage()


def test_the_frame_is_the_one_that_is_painted_at_once(qtbot: QtBot, sky: SkyView) -> None:
    sky.select(sky.scene.ids[3])
    _come_to_rest(qtbot, sky)
    in_steps = _picture(sky)
    assert sky._frames.image is not None
    sky._frames.forget()
    assert _picture(sky) == in_steps


def test_the_last_frame_is_shown_until_the_next_one_is_whole(qtbot: QtBot, sky: SkyView) -> None:
    before = _picture(sky)
    sky.select(sky.scene.ids[3])
    QCoreApplication.processEvents()
    assert _picture(sky) == before
    qtbot.waitUntil(lambda: _picture(sky) != before)


def test_what_changes_while_a_frame_is_painted_is_in_the_next(qtbot: QtBot, sky: SkyView) -> None:
    frames: list[float] = []
    sky.frame_took.connect(frames.append)
    sky.select(sky.scene.ids[3])
    QCoreApplication.processEvents()
    sky.select(sky.scene.ids[5])
    qtbot.waitUntil(lambda: len(frames) >= 2)
    in_steps = _picture(sky)
    sky._frames.forget()
    assert _picture(sky) == in_steps


def test_a_picture_of_it_can_be_had_of_what_is_so_now(sky: SkyView) -> None:
    before = _picture(sky)
    sky.select(sky.scene.ids[3])
    assert _picture(sky) == before
    sky.paint_whole()
    assert _picture(sky) != before


def test_another_size_is_painted_at_once(sky: SkyView) -> None:
    sky.resize(700, 500)
    assert sky._frames.image is None
    assert _picture(sky).size() == sky.size()
    assert _picture(sky).pixelColor(3, 300) != _picture(sky).pixelColor(350, 250)


def test_what_changes_while_it_is_hidden_is_seen_at_once_after(sky: SkyView) -> None:
    sky.hide()
    sky.set_scene(cross())
    sky.show()
    shown = _picture(sky)
    sky._frames.forget()
    assert _picture(sky) == shown


def test_it_may_be_closed_while_a_frame_is_painted(
    qtbot: QtBot, theme: Theme, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(view, "LARGE", 1)
    sky = SkyView(theme, reduced_motion=True)
    sky.resize(300, 200)
    sky.set_scene(cross())
    sky.show()
    qtbot.waitExposed(sky)
    sky.update()
    QCoreApplication.processEvents()
    sky.close()
    sky.deleteLater()
    QCoreApplication.processEvents()
