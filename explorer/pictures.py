"""Pictures without a screen: the sky alone, or the whole window as a person would see it."""

import tempfile
from collections.abc import Callable
from pathlib import Path
from time import monotonic

from msgspec import Struct
from msgspec.structs import replace
from PySide6.QtCore import (
    QByteArray,
    QEventLoop,
    QMessageLogContext,
    QTimer,
    QtMsgType,
    qInstallMessageHandler,
)
from PySide6.QtGui import QImage, QImageWriter
from PySide6.QtWidgets import QApplication

from core.constellation.change_marks import placed
from core.constellation.node_vectors import vectors_of
from core.constellation.placing_tasks import in_this_process
from core.constellation.positions import lasting_positions, positions_at_once
from core.constellation.scene import Scene
from core.constellation.scene_assembly import scene_of
from core.constellation.sky_rows import sky as read_sky
from core.constellation.type_numbers import type_numbers
from core.embedding.word_vectors import WordEmbedder
from core.errors import ConstellationError
from core.past.compared_marks import compared_marks
from core.past.compared_states import compare_agents, compare_moments
from core.past.earliest_moment import moment_within
from core.queries.embedding_texts import texts_by_id
from core.queries.entities import find_entity, most_telling_entity
from core.store.reader_and_writer import Reader
from core.workspace import Workspace
from explorer.cli import output
from explorer.cli.open_graph import note_other_agents, read_moment, show_as_of
from explorer.desktop import make_app, make_window
from ui.constellation.frame import Frame
from ui.constellation.frame_painter import Picture
from ui.constellation.layers.legend import PrintedLegend
from ui.constellation.layers.visible_counts import in_sight
from ui.constellation.offscreen_frames import still_frame
from ui.constellation.sky_loader import Sky
from ui.constellation.svg_and_pdf import save_picture
from ui.main_window import MainWindow
from ui.preferences import Preferences
from ui.theme import dress, load_theme

SIZE = (1440, 900)
LONGEST = 300.0
"""Seconds to wait for a window to come to rest before giving up."""
_GLANCE_MS = 50
_READABLE = 200
"""Values whose texts may find room in one picture."""
_CALM = 8
"""Glances in a row at which nothing happens any more."""


class Drawn(Struct, frozen=True):
    """Counts of the graph's sky, and of what the picture shows of it.

    Attributes:
        nodes: everything that has a place: entities, aspects, values and memories.
        edges: its links.
        shown: nodes in the picture.
        entities: those of the nodes that are entities.
        entities_shown: entities in the picture.
    """

    nodes: int = 0
    edges: int = 0
    shown: int = 0
    entities: int = 0
    entities_shown: int = 0


def draw_sky(
    path: Path, agent: str, out: Path, *, size: tuple[int, int] = SIZE, theme: str = "dusk",
    entity: str = "", as_of: str = "", scale: float = 1.0, since: str = "", other: str = "",
) -> Drawn:
    """Draw the sky of a graph, or one entity dived into, into a PNG, SVG or PDF.

    Args:
        scale: how many times as large the picture is; names and signs grow along.
        as_of: a date, to draw it as it stood then; everything is where it is now.
        since: a date, to mark what is different since.
        other: an agent, to mark how its knowledge is different.

    Raises:
        ConstellationError: the graph can't be opened, the entity is not there, or the picture
            can't be written.
    """
    workspace = Workspace.open(path, agent=agent)
    app = make_app()  # What the legend takes is measured with its fonts.
    try:
        note_other_agents(workspace)
        if as_of:
            with workspace.read() as reader:
                _scene(reader, workspace)
            show_as_of(workspace, as_of)
        with workspace.read() as reader:
            entity_id = find_entity(reader, entity).id if entity else ""
            scene = _scene(reader, workspace)
            look = load_theme(theme)
            look.number_types(type_numbers(reader, workspace.sidecar, look.types))
            frame, showing = still_frame(scene, *size, entity_id)
            near = [scene.ids[node] for node in frame.near[:_READABLE].tolist()]
            showing = replace(showing, texts=texts_by_id(reader, near))
        if since or other:
            compared = (compare_agents(workspace, other, as_of) if other
                        else compare_moments(workspace, since, as_of))
            marks = compared_marks(compared, workspace.sidecar.positions())
            showing = replace(showing, marks=placed(marks, scene))
    finally:
        workspace.close()
    dress(app, look)
    picture = Picture(PrintedLegend())
    try:
        if out.suffix.lower() == ".png":
            picture.load()
        save_picture(picture, frame, look, showing, out, scale=scale, title=path.stem)
    finally:
        picture.close()
    return _drawn(frame)


def _scene(reader: Reader, workspace: Workspace) -> Scene:
    """The sky with everything in its lasting position, computed and saved where it is not yet."""
    rows = read_sky(reader)
    embedder = WordEmbedder()
    positions, _ = positions_at_once(reader, rows, workspace.sidecar, embedder)
    if positions.provisional:
        vectors = vectors_of(reader, rows, embedder)
        positions = lasting_positions(rows, vectors, workspace.sidecar, run=in_this_process,
                                      first=positions)
    return scene_of(rows, positions)


def _drawn(frame: Frame) -> Drawn:
    scene, entities = frame.scene, in_sight(frame)
    return Drawn(len(scene.ids), len(scene.edge_ids),
                 entities + len(frame.near) + len(frame.dust), scene.entities, entities)


def _save(image: QImage, out: Path) -> None:
    writer = QImageWriter(str(out), QByteArray(b"png"))
    if not writer.write(image):
        raise ConstellationError("The picture can't be written", where=str(out),
                                 do="Check that the folder exists and is writable",
                                 detail=writer.errorString())


def draw_window(
    path: Path | None, agent: str, out: Path, *, size: tuple[int, int] = SIZE,
    theme: str = "dusk", entity: str = "", as_of: str = "",
) -> Drawn:
    """Draw the window with a graph open and an entity selected into a PNG.

    Args:
        path: the graph; the start page without one.
        entity: the entity to select and zoom in on; if empty the one that tells most is selected.
    """
    app = make_app()
    before = qInstallMessageHandler(_pass_on)
    # Compiled now, so that the sky is never caught in the plainer look that it has before.
    picture = Picture()
    picture.load()
    picture.close()
    with tempfile.TemporaryDirectory(prefix="constellation-") as folder:
        # Not the person's own: their docks may stand anywhere.
        preferences = Preferences(Path(folder) / "window.ini")
        preferences.theme, preferences.motion = theme, "reduced"
        window = make_window(preferences, theme)
        try:
            return _pose(window, path, agent, out, size, entity, as_of)
        finally:
            window.close()
            window.deleteLater()
            # One turn of the event loop, so that all hear that the program ends.
            QTimer.singleShot(0, app.quit)
            app.exec()
            qInstallMessageHandler(before)


def _pass_on(_kind: QtMsgType, _where: QMessageLogContext, text: str) -> None:
    """Pass on what Qt says, but for what its offscreen platform says of every window."""
    if "propagateSizeHints" not in text:
        output.note(text)


def _pose(
    window: MainWindow, path: Path | None, agent: str, out: Path, size: tuple[int, int],
    entity: str, as_of: str,
) -> Drawn:
    window.setFixedSize(*size)  # Also where the screen, of which there may be none, is smaller.
    window.show()
    drawn = Drawn()
    if path is not None:
        _open(window, path, agent)
        if as_of and window.session is not None:
            window.time.show_moment(
                moment_within(window.session.workspace, read_moment(as_of)))
        chosen = _select(window, entity)
        sky = window.sky()
        if isinstance(sky, Sky):
            if entity:
                sky.dive(chosen)
            scene = sky.scene
            drawn = Drawn(len(scene.ids), len(scene.edge_ids), scene.entities, scene.entities,
                          scene.entities)
    _calm_down(window)
    if isinstance(sky := window.sky(), Sky):
        sky.paint_whole()  # On a slow machine the last frame of a large one may not be there yet.
    _save(window.grab().toImage(), out)
    return drawn


def _open(window: MainWindow, path: Path, agent: str) -> None:
    failed: list[ConstellationError] = []
    settled: list[bool] = []
    window.open_failed.connect(failed.append)
    window.graph_shown.connect(lambda _: _when_settled(window, settled))
    window.open_path(path, agent=agent)
    _wait(lambda: bool(failed or settled))
    if window.session is not None:
        window.session.is_visit = False
    if failed:
        raise failed[0]


def _when_settled(window: MainWindow, settled: list[bool]) -> None:
    sky = window.sky()
    if isinstance(sky, Sky):
        sky.settled.connect(lambda: settled.append(True))
    else:
        settled.append(True)


def _select(window: MainWindow, entity: str) -> str:
    """Select what is called so, else what tells most; returns its id, if any."""
    session = window.session
    assert session is not None
    with session.workspace.read() as reader:
        chosen = find_entity(reader, entity).id if entity else most_telling_entity(reader)
    session.selection.select_entity(chosen)
    return chosen


def _calm_down(window: MainWindow) -> None:
    """Wait until nothing has been read or computed for some time."""
    calm = 0

    def is_calm() -> bool:
        nonlocal calm
        calm = calm + 1 if window.session is None or window.session.runner.idle else 0
        return calm >= _CALM

    _wait(is_calm)


def _wait(condition: Callable[[], bool]) -> None:
    """Let Qt work until something is so."""
    loop, glance, until = QEventLoop(), QTimer(), monotonic() + LONGEST

    def look() -> None:
        if condition() or monotonic() > until:
            loop.quit()

    glance.timeout.connect(look)
    glance.start(_GLANCE_MS)
    loop.exec()
    glance.stop()
    QApplication.processEvents()
    if monotonic() > until:
        raise ConstellationError("The window did not finish drawing", do="Try again")
