"""A picture of the sky as PNG, SVG or PDF: whole, sharp, with its legend, and replaced as one."""

from pathlib import Path
from xml.etree import ElementTree

import numpy as np
import pypdfium2
import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QImage, QPainter
from PySide6.QtSvg import QSvgRenderer
from pytestqt.qtbot import QtBot

from core.errors import ConstellationError
from tests.skies import sample_scene
from ui.constellation.frame_painter import Picture
from ui.constellation.layers.legend import Legend
from ui.constellation.layers.paint_context import Overlay
from ui.constellation.offscreen_frames import still_frame
from ui.constellation.svg_and_pdf import save_picture
from ui.theme import Theme

ENDINGS = (".png", ".svg", ".pdf")

WIDTH, HEIGHT = 640, 400


def save(out: Path, theme: Theme, scale: float = 1.0) -> None:
    frame, _ = still_frame(sample_scene(30), WIDTH, HEIGHT)
    picture = Picture()
    try:
        save_picture(picture, frame, theme, Overlay(), out, scale=scale, title="graph <1>")
    finally:
        picture.close()


def pixels(out: Path) -> np.ndarray:
    """What a viewer shows, one pixel for each of the frame: rows of red, green and blue."""
    if out.suffix == ".pdf":
        page = pypdfium2.PdfDocument(out)[0]
        shown = page.render(scale=WIDTH / page.get_width()).to_numpy()[:HEIGHT, :WIDTH, ::-1]
        return np.ascontiguousarray(shown)
    image = QImage(WIDTH, HEIGHT, QImage.Format.Format_RGBA8888)
    image.fill(0)
    painter = QPainter(image)
    if out.suffix == ".svg":
        QSvgRenderer(str(out)).render(painter)
    else:
        painter.drawImage(0, 0, QImage(str(out)).scaled(
            WIDTH, HEIGHT, mode=Qt.TransformationMode.SmoothTransformation))
    painter.end()
    return np.frombuffer(image.constBits(), np.uint8).reshape(HEIGHT, WIDTH, 4)[:, :, :3].copy()


@pytest.mark.parametrize("ending", ENDINGS)
@pytest.mark.parametrize("scale", [1.0, 2.0])
def test_a_picture_shows_the_sky_and_its_legend(
    qtbot: QtBot, theme: Theme, tmp_path: Path, ending: str, scale: float
) -> None:
    out = tmp_path / f"sky{ending}"
    out.write_bytes(b"older")
    save(out, theme, scale)
    shown = pixels(out).astype(int)
    plate = Legend().plate(sample_scene(30), WIDTH, HEIGHT, opened=False).toRect()
    legend = shown[plate.top() + 2:plate.bottom() - 2, plate.left() + 2:plate.right() - 2]
    assert legend.max() > 150, "words on a dark plate"
    above = shown[:plate.top() - 4]
    assert len(np.unique(above.reshape(-1, 3) // 16, axis=0)) > 10, "hexagons in several hues"
    assert above.mean() < 90, "the night"


def test_a_page_has_the_size_that_was_asked_for(
    qtbot: QtBot, theme: Theme, tmp_path: Path
) -> None:
    save(tmp_path / "a.pdf", theme, 2.0)
    document = pypdfium2.PdfDocument(tmp_path / "a.pdf")
    assert len(document) == 1
    assert document[0].get_size() == pytest.approx((WIDTH * 1.5, HEIGHT * 1.5))
    save(tmp_path / "a.svg", theme)
    root = ElementTree.parse(tmp_path / "a.svg").getroot()
    assert root.get("viewBox") == f"0 0 {WIDTH} {HEIGHT}"
    assert next(each.text for each in root if each.tag.endswith("title")) == "graph <1>"
    assert not list(root.iter("{http://www.w3.org/2000/svg}text")), "no font is needed"


@pytest.mark.parametrize("ending", ENDINGS)
def test_where_it_can_t_be_written_nothing_is_left(
    qtbot: QtBot, theme: Theme, tmp_path: Path, ending: str
) -> None:
    with pytest.raises(ConstellationError, match="can't be written"):
        save(tmp_path / "no" / f"sky{ending}", theme)
    assert not list(tmp_path.iterdir())
