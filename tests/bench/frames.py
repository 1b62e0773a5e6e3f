"""How long one frame of the sky takes while it is panned and zoomed, labels on."""

import time
from collections.abc import Iterator
from contextlib import contextmanager

import numpy as np
from msgspec.structs import replace
from PySide6.QtCore import QEventLoop, QTimer
from PySide6.QtGui import QImage
from PySide6.QtWidgets import QApplication

from core.constellation.scene import Scene
from core.constellation.scene_assembly import assemble
from core.model.sky_columns import Positions
from tests.bench.figures import Figure
from tests.skies import plain
from ui.constellation.view import SkyView
from ui.theme import load_theme

SIZE = (1280, 800)
ROUNDS = 60


def scene(nodes: int) -> Scene:
    """`nodes` entities in clusters with twice as many links."""
    chance = np.random.default_rng(nodes)
    clusters = max(4, nodes // 250)
    middle = chance.uniform(-1, 1, (clusters, 2)) * np.sqrt(nodes) * 60
    home = chance.integers(0, clusters, nodes)
    spots = (middle[home] + chance.normal(0, 550, (nodes, 2))).astype(np.float32)
    source = chance.integers(0, nodes, nodes * 2)
    target = (source + chance.integers(1, 250, nodes * 2)) % nodes
    rows = replace(
        plain(nodes),
        entity_ids=[f"e{n}" for n in range(nodes)],
        entity_names=[f"entity number {n}" for n in range(nodes)],
        type_words=("person", "project", "system", "tool"),
        entity_type=chance.integers(0, 4, nodes).astype(np.int16),
        entity_mentions=chance.integers(0, 400, nodes).astype(np.int32),
        entity_constraints=chance.integers(0, 9, nodes).astype(np.int32),
        entity_pinned=chance.random(nodes) < 0.001, entity_community=home.astype(np.int32),
        community_names=[f"cluster {n}" for n in range(clusters)],
        dependency_ids=[f"d{n}" for n in range(nodes * 2)], dependency_words=("uses",),
        dependency_type=np.zeros(nodes * 2, np.int16),
        dependency_source=source.astype(np.int32), dependency_target=target.astype(np.int32),
        dependency_strength=chance.random(nodes * 2).astype(np.float32),
        dependency_confidence=chance.random(nodes * 2).astype(np.float32),
    )
    return assemble(rows, Positions(spots, np.zeros((0, 2), np.float32)))


def of_frames(nodes: int, must: float | None, aim: float | None) -> list[Figure]:
    """Frames while panning with everything in sight, and while zooming in."""
    with sky_view(scene(nodes)) as view:
        pan = pan_frames(view, ROUNDS)
        zoom = _frames(view, ROUNDS, lambda step: view.navigation.zoom(
            1.04, SIZE[0] / 2, SIZE[1] / 2))
    name = f"{nodes:,} nodes + {nodes * 2:,} links"
    return [Figure(f"frame, pan, {name}", tuple(pan), must=must, aim=aim),
            Figure(f"frame, zoom in, {name}", tuple(zoom), must=must, aim=aim)]


@contextmanager
def sky_view(shown: Scene) -> Iterator[SkyView]:
    """Our sky of a scene, all of it in sight, its kernels compiled."""
    app = QApplication.instance() or QApplication([])
    view = SkyView(load_theme("dusk"), reduced_motion=True)
    view.resize(*SIZE)
    view.show()
    view.set_scene(shown)
    _until_warm(app, view)
    view.fit()
    view.hide()  # Where it is seen, a large sky paints its frames in several turns.
    yield view
    view.close()
    view.deleteLater()


def pan_frames(view: SkyView, rounds: int) -> list[float]:
    """Milliseconds of each frame while panning."""
    return _frames(view, rounds, lambda step: view.navigation.pan(
        3 if step % 2 else -3, 2 if step % 4 < 2 else -2))


def _frames(view: SkyView, rounds: int, move) -> list[float]:
    target = QImage(*SIZE, QImage.Format.Format_RGB32)
    times = []
    for step in range(rounds + 5):
        move(step)
        began = time.perf_counter()
        view.render(target)
        times.append((time.perf_counter() - began) * 1000)
    return times[5:]


def _until_warm(app: QApplication, view: SkyView) -> None:
    """Let the kernels be compiled; nothing is measured before."""
    view.grab()
    loop = QEventLoop()
    QTimer.singleShot(1500, loop.quit)
    loop.exec()
    app.processEvents()
