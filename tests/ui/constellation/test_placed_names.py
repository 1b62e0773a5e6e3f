"""Words are chosen when something changes, and moved along while the sky is panned."""

import pytest
from msgspec.structs import replace
from PySide6.QtGui import QImage, QPainter
from pytestqt.qtbot import QtBot

from core.constellation.label_board import Board
from tests.skies import sample_scene
from ui.constellation.frame import Viewpoint, project
from ui.constellation.frame_painter import Picture
from ui.constellation.layers.paint_context import Overlay
from ui.constellation.offscreen_frames import still_frame
from ui.theme import Theme

SIZE = 900, 700


class Sky:
    """Paints frames of one sky, and counts for how many words were chosen."""

    def __init__(self, theme: Theme, monkeypatch: pytest.MonkeyPatch) -> None:
        self.scene, self.theme, self.chosen = sample_scene(300), theme, 0
        frame, self.overlay = still_frame(self.scene, *SIZE)
        self.viewpoint = replace(frame.viewpoint, moving=True)
        self.picture = Picture()
        self._image = QImage(*SIZE, QImage.Format.Format_RGB32)
        cover = Board.cover

        def counts(board: Board, *discs) -> None:
            self.chosen += 1
            cover(board, *discs)

        monkeypatch.setattr(Board, "cover", counts)

    def paint(self, now: float, viewpoint: Viewpoint, overlay: Overlay | None = None) -> None:
        painter = QPainter(self._image)
        self.picture.paint(painter, project(self.scene, viewpoint), self.theme,
                           overlay or self.overlay, 1.0, now)
        painter.end()

    def panned(self, dx: float) -> Viewpoint:
        return replace(self.viewpoint, camera=self.viewpoint.camera.panned(dx, 0.0))


def test_words_are_chosen_at_first_and_at_rest_and_now_and_then_in_a_pan(
    qtbot: QtBot, theme: Theme, monkeypatch: pytest.MonkeyPatch
) -> None:
    sky = Sky(theme, monkeypatch)
    for step in range(6):
        sky.paint(step / 60, sky.panned(5.0 * step))
    assert sky.chosen == 1
    sky.paint(0.3, sky.panned(30.0))
    assert sky.chosen == 2
    resting = replace(sky.panned(30.0), moving=False)
    sky.paint(0.31, resting)
    assert sky.chosen == 3
    sky.paint(9.0, resting)
    assert sky.chosen == 3
    sky.picture.close()


def test_words_are_chosen_anew_for_what_is_pointed_at_and_for_new_texts(
    qtbot: QtBot, theme: Theme, monkeypatch: pytest.MonkeyPatch
) -> None:
    sky = Sky(theme, monkeypatch)
    sky.paint(0.0, sky.viewpoint)
    pointed = replace(sky.overlay, hovered=3)
    sky.paint(0.01, sky.viewpoint, pointed)
    assert sky.chosen == 2
    sky.paint(0.02, sky.viewpoint, replace(pointed, texts={}))
    assert sky.chosen == 3
    sky.paint(0.03, replace(sky.viewpoint, camera=sky.viewpoint.camera.zoomed(1.1, 400, 300)),
              pointed)
    assert sky.chosen == 4
    sky.picture.close()
