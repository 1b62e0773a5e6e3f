"""The sky as a widget: shows a scene, handles input, reports picks."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from time import monotonic

from msgspec.structs import replace
from PySide6.QtCore import QEvent, QRect, QSize, Qt, QTimer, Signal
from PySide6.QtGui import QPainter, QPaintEvent, QResizeEvent
from PySide6.QtWidgets import QSizePolicy, QWidget

from core.constellation.change_marks import ChangeMarks
from core.constellation.scene import Scene
from core.model.text_formatting import one_line
from ui.constellation.asked_lights import AskedLights
from ui.constellation.camera import Camera
from ui.constellation.frame_painter import Picture
from ui.constellation.frames_in_steps import FramesInSteps
from ui.constellation.gestures import Gestures
from ui.constellation.interaction import Navigation
from ui.constellation.layers import visible_counts
from ui.constellation.layers.paint_context import AskedLight
from ui.constellation.outside_matches import OutsideMatches
from ui.constellation.transitions import SETTLE_SECONDS
from ui.constellation.view_animation import Motion
from ui.constellation.view_state import ViewState
from ui.theme import Theme

GLOW_MS = 50
"""Milliseconds between two pictures while what an agent asked fades."""
LARGE = 10_000
"""From so many entities on a frame is painted in several turns of the event loop."""


class SkyView(QWidget):
    """Draws a `Scene`. Ids go in and out; nodes are numbers only inside.

    Positions belong to the scene: the view moves the camera and, when the person drags one, a
    single entity. A new scene with the same positions changes nothing on the screen.

    The state says what is shown, `Navigation` changes it, `Motion` does over time, `Gestures`
    turns input into calls of the navigation. The navigation's ways and signals and the motion's
    signals are the view's.
    """

    frame_took = Signal(float)
    """Milliseconds that the last frame took to paint."""
    _warm = Signal()

    def __init__(
        self, theme: Theme, parent: QWidget | None = None, *, reduced_motion: bool = False
    ) -> None:
        super().__init__(parent)
        self._theme = theme
        self._state = ViewState()
        self._state.reduced = reduced_motion
        self.bare = False
        """Whether only the sky itself is drawn, without path, counts, map and legend."""
        picture = self._picture = Picture()
        self._frames = FramesInSteps(self._paint_steps, self)
        self._frames.ready.connect(self._show_frame)
        self._motion = Motion(self._state, self, lambda: picture.settled)
        self.navigation = Navigation(self._state, self._motion, self)
        self._gestures = Gestures(self.navigation, self)
        self.outside = OutsideMatches(self._state, self._motion, self, self.reserve)
        self._asked = AskedLights()
        self._glow = QTimer(self, interval=GLOW_MS)
        self._glow.timeout.connect(self._follow_glow)
        self._share()
        self.setMouseTracking(True)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setAttribute(Qt.WidgetAttribute.WA_OpaquePaintEvent)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Expanding)
        self.setAccessibleName("Sky")
        theme.changed.connect(self.update)
        self._warm.connect(self.update)
        frames = self._frames
        self.destroyed.connect(lambda: frames.close())
        self.destroyed.connect(lambda: picture.close())

    def _share(self) -> None:
        navigation, motion = self.navigation, self._motion
        self.entity_selected, self.picked = navigation.entity_selected, navigation.picked
        self.hovered, self.lassoed = navigation.hovered, navigation.lassoed
        self.positioned, self.dived = navigation.positioned, navigation.dived
        self.went_back, self.type_clicked = navigation.went_back, navigation.type_clicked
        self.menu_asked = navigation.menu_asked
        self.texts_wanted, self.rested = motion.texts_wanted, motion.rested
        self.select, self.reveal = navigation.select, navigation.reveal
        self.focus, self.fit = navigation.focus, navigation.fit
        self.dive, self.back = navigation.dive, navigation.back
        self.show_types, self.show_found = navigation.show_types, navigation.show_found
        navigation.selection_changed.connect(self._describe)
        motion.rested.connect(self._describe)
        for changed in (motion.rested, navigation.bright_changed):
            changed.connect(self._offer_outside)

    def warm(self) -> None:
        """Begin to load what draws, beside the window; a scene does so at the latest."""
        self._picture.warm(self._say_warm)

    def _say_warm(self) -> None:
        # The window may be gone by the time the kernels are there.
        with suppress(RuntimeError):
            self._warm.emit()

    # What is shown

    @property
    def scene(self) -> Scene:
        """The scene that is shown."""
        return self._state.scene

    @property
    def camera(self) -> Camera:
        """Where the view looks now."""
        return self._state.camera

    @property
    def selected(self) -> str:
        """The selected entity's id, or empty."""
        return self._state.id(self._state.selected)

    @property
    def trail(self) -> tuple[str, ...]:
        """The entities dived into, outermost first."""
        return tuple(id for id, _ in self._state.trail)

    def screen_of(self, node: int) -> tuple[float, float]:
        """Where a node is in the window."""
        return self._state.screen_of(node)

    @property
    def place(self) -> tuple[float, ...]:
        """Where the view looks: x, y, pixels per world unit; empty while it shows everything."""
        camera = self._state.heading
        return (camera.x, camera.y, camera.scale) if self._state.touched else ()

    def look_at(self, place: tuple[float, ...]) -> None:
        """Look at once where `place` says; an empty one changes nothing."""
        if len(place) == 3 and self._state.scene.entities:
            self._motion.move_to(self._state.camera.centred(*place))

    def settle_into(self, scene: Scene) -> None:
        """Show the lasting positions of what is shown, slowly; the camera goes along."""
        now = monotonic()
        moves = self._state.take(scene, now, SETTLE_SECONDS)
        if not self._state.touched:
            self._state.fit_gently(now, SETTLE_SECONDS)
        self._show_taken(moves or self._state.travelling)

    def set_scene(self, scene: Scene) -> None:
        """Show another scene; selection, trail and camera stay, and what moved is seen moving.

        The one that is shown already is not painted again: its texts alone are read anew.
        """
        if scene is self._state.scene:
            self._state.outdate_texts()
            self._motion.ask_soon()
            return
        self._show_taken(self._state.take(scene, monotonic()))

    def _show_taken(self, moves: bool) -> None:
        self._picture.forget_names()
        if moves:
            self._motion.animate()
        self.warm()
        self._motion.ask_soon()
        self._offer_outside()
        self.update()

    def reserve(self, covered: QRect) -> None:
        """Keep names out of what something lies over; an empty rectangle gives it back."""
        self._state.reserve((covered.x(), covered.y(), covered.width(), covered.height()))
        self.update()

    def set_reduced_motion(self, reduced: bool) -> None:
        """With reduced motion, the camera jumps and nothing fades."""
        self._state.reduced = reduced

    def set_texts(self, texts: Mapping[str, str]) -> None:
        """Set the texts of values and memories, by id, as plain text."""
        self._state.add_texts(texts)
        self.update()

    def set_highlight(
        self, nodes: Sequence[str] = (), edges: Sequence[str] = (), memories: Sequence[str] = ()
    ) -> None:
        """Highlight a walk: entities and links by id, memories numbered in order."""
        self._state.set_walk(nodes, edges, memories)
        self._offer_outside()
        self.update()

    def mark_new(self, marks: ChangeMarks | None) -> None:
        """Mark what is new, with signs that stay; None for nothing."""
        self._show_marks(self._state.marks.set_new, marks)

    def compare(self, marks: ChangeMarks | None) -> None:
        """Mark what is different between two states instead of what is new, until None."""
        self._show_marks(self._state.marks.compare, marks)

    def _show_marks(
        self, choose: Callable[[ChangeMarks | None], bool], marks: ChangeMarks | None
    ) -> None:
        before = self._state.marks.absent(self._state.scene)
        if not choose(marks):
            return
        if self._state.marks.absent(self._state.scene) != before:
            # Things that are not in the scene are named by numbers that are others now.
            self._picture.forget_names()
        self._state.renew()
        self.update()

    def light_asked(
        self, focal: Sequence[str], nodes: Sequence[str], edges: Sequence[str],
        memories: Sequence[str],
    ) -> None:
        """Let what an agent has asked for glow for some seconds; nothing else changes."""
        self._asked.add(self._state.shown, (tuple(nodes), tuple(edges), tuple(memories)), focal,
                        monotonic())
        self._glow.start()
        self.update()

    @property
    def asked_lights(self) -> tuple[AskedLight, ...]:
        """What glows now."""
        return self._asked.lit(self._state.shown, monotonic(), reduced=self._state.reduced)

    def _follow_glow(self) -> None:
        if not self.asked_lights:
            self._glow.stop()
        self.update()

    def sizeHint(self) -> QSize:  # noqa: N802
        return QSize(900, 640)

    def minimumSizeHint(self) -> QSize:  # noqa: N802
        return QSize(240, 180)

    def update(self) -> None:  # type: ignore[override]
        """Paint another frame soon; the last one is shown until a large sky's is whole."""
        if self._state.scene.entities < LARGE or not self.isVisible():
            self.paint_whole()
        else:
            self._frames.ask()

    def paint_whole(self) -> None:
        """Paint the next frame in one go, also that of a large sky."""
        self._frames.forget()
        super().update()

    def _show_frame(self, took: float) -> None:
        super().update()
        self._tell_frame(took)

    def paintEvent(self, _event: QPaintEvent) -> None:  # noqa: N802
        began, whole = monotonic(), self._frames.image
        painter = QPainter(self)
        try:
            if whole is not None:
                painter.drawImage(0, 0, whole)
                return
            self._frames.forget()
            for _ in self._paint_steps(painter):
                pass
        finally:
            painter.end()
        self._tell_frame((monotonic() - began) * 1000)

    def _paint_steps(self, painter: QPainter) -> Iterator[None]:
        """Paint what is to be shown now."""
        yield from self._picture.steps(
            painter, self._state.frame, self._theme,
            replace(self._state.overlay(), asked=self.asked_lights),
            self.devicePixelRatioF(), monotonic(), chrome=not self.bare,
            fade=not self._state.reduced)

    def _tell_frame(self, took: float) -> None:
        self.frame_took.emit(took)
        if not self._picture.settled:
            self._motion.animate()

    def save_picture(self, out: Path, scale: float, title: str) -> None:
        """Write what is shown, with its legend, as PNG, SVG or PDF; raises ConstellationError."""
        from ui.constellation.svg_and_pdf import save_picture  # noqa: PLC0415  few write any

        save_picture(self._picture, self._state.frame, self._theme, self._state.overlay(), out,
                     scale=scale, title=title)

    def resizeEvent(self, _event: QResizeEvent) -> None:  # noqa: N802
        self._state.resize(self.width(), self.height())
        self._offer_outside()
        self.paint_whole()

    def event(self, event: QEvent) -> bool:
        if event.type() == QEvent.Type.DevicePixelRatioChange:
            self._state.renew()
            self.paint_whole()
        return super().event(event)

    def _offer_outside(self, _text: str = "") -> None:
        self.outside.follow(wanted=not self.bare)

    def _describe(self, _text: str = "") -> None:
        """What a screen reader says: how much is in sight and what is selected."""
        text = visible_counts.sentence(self._state.frame) + " in sight"
        node = self._state.selected
        if node >= 0:
            name = one_line(self.scene.labels[node], 200)
            kind = self.scene.type_words[int(self.scene.type_code[node])]
            text = f"{name}, {kind}, selected. {text}"
        self.setAccessibleDescription(text)
