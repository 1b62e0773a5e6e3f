"""Puts the picture together: the raster below, QPainter's layers above."""

from collections.abc import Callable, Iterator

from msgspec.structs import replace
from PySide6.QtCore import QRectF
from PySide6.QtGui import QImage, QPainter

from core.constellation.scene import Scene
from ui.constellation import painter_fallback
from ui.constellation.frame import Frame
from ui.constellation.frame_arrays import compose, dress
from ui.constellation.layers import (
    asked_lights,
    change_marks,
    community_names,
    highlighted_links,
    lasso,
    minimap,
    proposal_ghosts,
    rings,
    walk_numbers,
)
from ui.constellation.layers.breadcrumbs import Breadcrumbs
from ui.constellation.layers.legend import Legend
from ui.constellation.layers.paint_context import Box, Canvas, Overlay
from ui.constellation.layers.text_cache import TextCache
from ui.constellation.layers.type_glyphs import TypeGlyphs
from ui.constellation.layers.visible_counts import VisibleCounts
from ui.constellation.placed_names import WordPlaces
from ui.constellation.raster import Raster
from ui.constellation.raster_input import EntityStyles, Paint
from ui.constellation.sky_colors import Palette, make_palette, palette_key
from ui.theme import Theme

_HEAD = 40.0
"""The upper edge is for the breadcrumbs and the counts."""


class Picture:
    """Draws frames, and caches what can be reused.

    `legend` is that of the window unless another is given.
    """

    def __init__(self, legend: Legend | None = None) -> None:
        self._raster = Raster()
        self._text_cache = TextCache()
        self._places = WordPlaces()
        self._signs = TypeGlyphs()
        self._breadcrumbs = Breadcrumbs()
        self._counts = VisibleCounts()
        self._legend = legend or Legend()
        self._minimap = minimap.Minimap()
        self._palette: Palette | None = None
        self._palette_key: tuple = ()
        self._ground: QImage | None = None
        self._ground_of: tuple = ()
        self._scene: Scene | None = None
        self._worn: EntityStyles | None = None
        self._worn_of: tuple = ()
        self._worn_scene: Scene | None = None
        """Kept, so that no other scene's columns can have the same identity."""

    def new_legend(self) -> Legend:
        """Another legend of the kind that it draws."""
        return type(self._legend)()

    @property
    def settled(self) -> bool:
        """False while names still fade: paint again soon."""
        return self._places.names.settled

    def warm(self, done: Callable[[], None]) -> None:
        """Compile the kernels beside the window."""
        self._raster.warm(done)

    def load(self) -> None:
        """Compile the kernels now."""
        self._raster.load()

    def close(self) -> None:
        """Stop the drawing threads."""
        self._raster.close()

    def forget_names(self) -> None:
        """Clear the names: the nodes have changed."""
        self._places.clear()

    def paint(
        self, painter: QPainter, frame: Frame, theme: Theme, overlay: Overlay, dpr: float,
        now: float, *, chrome: bool = True, fade: bool = True,
    ) -> None:
        """Paint a frame. `now` is in seconds; without `fade` names are there at once."""
        for _ in self.steps(painter, frame, theme, overlay, dpr, now, chrome=chrome, fade=fade):
            pass

    def steps(
        self, painter: QPainter, frame: Frame, theme: Theme, overlay: Overlay, dpr: float,
        now: float, *, chrome: bool = True, fade: bool = True,
    ) -> Iterator[None]:
        """Paint a frame, and yield where something else may be done before the rest."""
        camera = frame.viewpoint.camera
        palette = self._palette_for(theme, frame.scene)
        canvas = Canvas(painter, frame, theme, overlay, camera.width, camera.height, dpr)
        yield from self._paint_ground(canvas, palette)
        yield
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        self._text_cache.begin(theme.mix("sky.top", "sky.bottom", 0.5), dpr)
        plates = self._plates(canvas) if chrome else ()
        words = self._places.place(canvas, self._text_cache, plates, now)
        yield
        community_names.paint(canvas, self._text_cache, words.groups)
        asked_lights.paint(canvas)
        highlighted_links.paint(canvas)
        self._signs.paint(canvas)
        rings.paint(canvas)
        change_marks.paint(canvas)
        walk_numbers.paint(canvas, self._text_cache, words.badges)
        yield
        self._places.names.paint(canvas, self._text_cache, words.chosen, words.leaving, now, fade)
        lasso.paint(canvas)
        if chrome:
            self._paint_chrome(canvas, palette)

    def _paint_chrome(self, canvas: Canvas, palette: Palette) -> None:
        end = self._breadcrumbs.paint(canvas, self._text_cache)
        self._counts.paint(canvas, self._text_cache, end)
        self._minimap.paint(canvas, palette)
        self._legend.paint(canvas, self._text_cache)

    def _plates(self, canvas: Canvas) -> list[Box]:
        """Where the breadcrumbs, the counts, the legend and the minimap are: no name goes there."""
        size = canvas.width, canvas.height
        cards = [self._legend.on_canvas(canvas)]
        card = minimap.card_rect(*size)
        if card is not None and canvas.scene.entities > 1:
            cards.append(card)
        reserved = [canvas.overlay.reserved] if canvas.overlay.reserved[2] > 0 else []
        return [(0.0, 0.0, canvas.width, _HEAD), *reserved,
                *((each.x() - 4, each.y() - 4, each.width() + 8, each.height() + 8)
                  for each in cards if not each.isEmpty())]

    def _palette_for(self, theme: Theme, scene: Scene) -> Palette:
        key = palette_key(theme, scene.type_words)
        if self._palette is None or key != self._palette_key:
            self._palette, self._palette_key = make_palette(theme, scene.type_words), key
        return self._palette

    def _dress(self, scene: Scene, palette: Palette) -> EntityStyles:
        # A scene whose things only move shares these columns with the one before.
        key = (id(scene.entity_muted), id(scene.presence), id(scene.type_code), palette.key)
        if self._worn is None or key != self._worn_of:
            self._worn, self._worn_of, self._worn_scene = dress(scene, palette), key, scene
        return self._worn

    def _paint_ground(self, canvas: Canvas, palette: Palette) -> Iterator[None]:
        """Paint the things and links, and above them the ghosts."""
        frame, camera = canvas.frame, canvas.frame.viewpoint.camera
        if not self._raster.ready():
            painter_fallback.paint(canvas.painter, camera.width, camera.height, compose(
                frame, palette, self._dress(frame.scene, palette), 1.0))
            proposal_ghosts.paint(canvas)
            return
        scale = 1.0 if frame.viewpoint.moving else canvas.dpr
        key = (frame.viewpoint, palette.key, scale)
        if self._ground is None or frame.scene is not self._scene or key != self._ground_of:
            things = compose(frame, palette, self._dress(frame.scene, palette), scale)
            yield
            self._ground = self._draw_ground(canvas, things, scale)
            self._ground_of, self._scene = key, frame.scene
        canvas.painter.drawImage(QRectF(0, 0, camera.width, camera.height), self._ground)

    def _draw_ground(self, canvas: Canvas, things: Paint, scale: float) -> QImage:
        ground = self._raster.paint(
            max(round(canvas.width * scale), 1), max(round(canvas.height * scale), 1), things)
        # Hundreds of dashed lines take longer than all the rest, and change no more often.
        painter = QPainter(ground)
        try:
            painter.scale(scale, scale)
            proposal_ghosts.paint(replace(canvas, painter=painter))
        finally:
            painter.end()
        return ground


def paint_image(
    picture: Picture, frame: Frame, theme: Theme, overlay: Overlay, dpr: float, *,
    chrome: bool = True,
) -> QImage:
    """A frame as an image of its own."""
    camera = frame.viewpoint.camera
    image = QImage(round(camera.width * dpr), round(camera.height * dpr),
                   QImage.Format.Format_RGB32)
    image.setDevicePixelRatio(dpr)
    painter = QPainter(image)
    try:
        picture.paint(painter, frame, theme, overlay, dpr, 0.0, chrome=chrome, fade=False)
    finally:
        painter.end()
    return image
