"""The legend: colours, signs, rings and dashes of what is in the sky; a click on a type filters."""

from typing import Literal

import numpy as np
from msgspec import Struct
from msgspec.structs import replace
from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QPainter, QPen

from core.constellation.change_marks import ChangeWords
from core.constellation.plain_numbers import distinct
from core.constellation.scene import CONSTRAINT, Scene
from core.constellation.visual_encoding import DASHES, FAMILIES
from core.model.sky_columns import APPEAR, CHANGE, GO, LINK
from core.model.text_formatting import one_line
from core.queries.graph_difference import CHANGES
from ui.constellation.difference_signs import draw_sign
from ui.constellation.frame import shows_dashes
from ui.constellation.layers.minimap import card_rect
from ui.constellation.layers.paint_context import Canvas, draw_plate
from ui.constellation.layers.picture_cache import Still
from ui.constellation.layers.text_cache import TextCache, text_style
from ui.theme import Theme
from ui.widgets.glyph_paths import draw_diamond, draw_glyph, draw_star, hexagon

_LEFT, _PAD, _SIGN, _BESIDE, _GAP, _ROW = 12.0, 8.0, 9.0, 5.0, 16.0, 19.0
_LINE = 22.0
ROWS = 3
"""Rows of the folded legend at most."""
_SHARE = 0.08
"""Of the window's height that the folded legend covers at most, but for two rows."""
MORE, FEWER = "more", "fewer"
RULE_WORD = "constraint"
PINNED_WORD, MUTED_WORD = "pinned", "muted"
COME, DIFFER, LEAVE = "to be added", "to be changed", "to be removed"
LINES = {"knowledge": "relates to", "execution": "comes before", "impact": "affects"}
"""What a dashed line says, by the family of its link."""
DASH_PATTERNS = {1: (6.0, 2.7), 2: (3.3, 2.7), 3: (1.1, 2.3)}
"""On and off in pen widths, as the lines themselves are dashed."""


class Entry(Struct, frozen=True):
    """A line of the legend: a type that can be clicked, a mark, or `more`."""

    kind: Literal["type", "mark", "more"]
    word: str
    text: str
    box: QRectF


def types(scene: Scene) -> list[tuple[str, int]]:
    """Every type in the sky with how many entities have it, the most frequent first."""
    codes = scene.type_code[: scene.entities]
    counts = np.bincount(codes[codes >= 0], minlength=len(scene.type_words))
    order = np.argsort(-counts, kind="stable").tolist()
    return [(scene.type_words[code], int(counts[code])) for code in order if counts[code]]


def marks(scene: Scene, *, dashed: bool = True) -> list[str]:
    """The signs, rings, ghosts and dashed lines that there are: `constraint`, `pinned`, …"""
    effects = set(scene.ghosts.effect.tolist())
    values = scene.kind[scene.starts[2] : scene.starts[3]]
    signs = [(RULE_WORD, (values == CONSTRAINT).any()),
             (PINNED_WORD, scene.entity_pinned.any()), (MUTED_WORD, scene.entity_muted.any()),
             (COME, bool(effects & {APPEAR, LINK})), (DIFFER, CHANGE in effects),
             (LEAVE, GO in effects)]
    families = distinct(scene.edge_family[scene.edge_dash > 0]).tolist() if dashed else []
    return [*(word for word, there in signs if there), *(FAMILIES[code] for code in families)]


class Legend:
    """The legend's entries and where they stand, cached per scene and size."""

    folds = True
    """Whether it leaves out what a click brings back."""
    dashes = True
    """Whether there are dashed lines in what it explains."""

    def __init__(self) -> None:
        self._scene: Scene | None = None
        self._kept: tuple = ()
        self._entries: list[Entry] = []
        self._still = Still()

    def entries(
        self, scene: Scene, width: float, height: float, *, opened: bool,
        changes: ChangeWords = (), dashed: bool = True,
    ) -> list[Entry]:
        """What stands where in a window of this size.

        Args:
            opened: with every type.
            dashed: whether lines are near enough for their dashes to be seen.
        """
        dashed = dashed and self.dashes
        kept = width, height, opened, changes, dashed
        if self._scene is not scene or self._kept != kept:
            self._scene, self._kept = scene, kept
            most = _most_rows(width, height) if self.folds else None
            self._entries = _placed(scene, width, height, most, opened=opened, changes=changes,
                                    signs=marks(scene, dashed=dashed))
        return self._entries

    def plate(
        self, scene: Scene, width: float, height: float, *, opened: bool,
        changes: ChangeWords = (), dashed: bool = True,
    ) -> QRectF:
        """What the legend covers; empty where there is nothing to say. Arguments as `entries`."""
        entries = self.entries(scene, width, height, opened=opened, changes=changes, dashed=dashed)
        plate = QRectF()
        for entry in entries:
            plate = plate.united(entry.box)
        return plate.adjusted(-_PAD, -_PAD, _PAD, _PAD) if entries else plate

    def on_canvas(self, canvas: Canvas) -> QRectF:
        """What it covers of a painting."""
        return self.plate(
            canvas.scene, canvas.width, canvas.height, opened=canvas.overlay.legend_open,
            changes=canvas.overlay.change_words, dashed=shows_dashes(canvas.frame.step))

    def paint(self, canvas: Canvas, text_cache: TextCache) -> None:
        """Draw bottom left."""
        plate = self.on_canvas(canvas)
        if plate.isEmpty():
            return
        entries = self._entries
        self._still.paint(canvas, plate, (entries, canvas.overlay.types),
                          lambda canvas: _draw(canvas, text_cache, plate, entries))


class PrintedLegend(Legend):
    """A legend that nobody can click: it has everything."""

    folds = False


def _draw(canvas: Canvas, text_cache: TextCache, plate: QRectF, entries: list[Entry]) -> None:
    draw_plate(canvas.painter, canvas.theme, plate)
    for entry in entries:
        _draw_entry(canvas, text_cache, entry)


def _most_rows(width: float, height: float) -> int:
    """How many rows the folded legend has at most: one in a small sky, else of types and signs."""
    return 1 if card_rect(width, height) is None else min(max(int(height * _SHARE / _ROW), 2), ROWS)


def _placed(
    scene: Scene, width: float, height: float, most: int | None, *, opened: bool,
    changes: ChangeWords, signs: list[str],
) -> list[Entry]:
    card = card_rect(width, height)
    room = (card.left() if card else width) - 12 - _LEFT - _PAD
    shown = [_entry("type", word, f"{one_line(word.replace('_', ' '), 24)} {count:,}")
             for word, count in types(scene)]
    rows = _rows(shown, room)
    below = _rows([*(_entry("mark", change, text) for change, text in changes),
                   *(_entry("mark", word, LINES.get(word, word)) for word in signs)], room)
    if most is not None and len(rows) + len(below) > most:
        if opened:
            rows = _rows([*shown, _entry("more", FEWER, FEWER)], room)
        else:
            rows, below = _folded(rows, below, room, most)
    rows += below
    top = height - _LEFT - _PAD - _ROW * len(rows)
    placed = []
    for at, row in enumerate(rows):
        x = _LEFT + _PAD
        for entry in row:
            placed.append(replace(entry, box=entry.box.translated(x, top + at * _ROW)))
            x += entry.box.width() + _GAP
    return placed


def _entry(kind: Literal["type", "mark", "more"], word: str, text: str) -> Entry:
    wide = 0.0 if kind == "more" else (_LINE if DASHES.get(word) else _SIGN) + _BESIDE
    return Entry(kind, word, text,
                 QRectF(0, 0, wide + text_style(11).metrics.horizontalAdvance(text), _ROW))


def _rows(entries: list[Entry], room: float) -> list[list[Entry]]:
    """Entries in rows no wider than `room`."""
    rows: list[list[Entry]] = []
    used = room
    for entry in entries:
        wide = entry.box.width()
        if used + _GAP + wide > room:
            rows.append([])
            used = -_GAP
        rows[-1].append(entry)
        used += _GAP + wide
    return rows


def _folded(
    rows: list[list[Entry]], signs: list[list[Entry]], room: float, most: int
) -> tuple[list[list[Entry]], list[list[Entry]]]:
    """The first rows of types and one of signs, and how many entries are left out."""
    few = signs[:1] if most > 1 else []
    types_kept = max(most - len(few), 1)
    left = sum(map(len, rows[types_kept:])) + sum(map(len, signs[len(few):]))
    return _with_more(rows[:types_kept], room, left), few


def _with_more(rows: list[list[Entry]], room: float, left: int) -> list[list[Entry]]:
    """Rows whose last entry says how many are left out."""
    kept = [list(row) for row in rows] or [[]]
    while True:
        more = _entry("more", MORE, f"{left:,} more…")
        if len(_rows([*kept[-1], more], room)) == 1 or not kept[-1]:
            return [*kept[:-1], [*kept[-1], more]]
        kept[-1].pop()
        left += 1


def _draw_entry(canvas: Canvas, text_cache: TextCache, entry: Entry) -> None:
    theme, painter, box = canvas.theme, canvas.painter, entry.box
    chosen = canvas.overlay.types
    lit = entry.kind == "type" and entry.word in chosen
    token = "accent" if entry.kind == "more" else "text" if lit else "text.soft"
    picture = text_cache.picture(entry.text, text_style(11), theme.color(token), halo=False)
    wide = box.width() - text_style(11).metrics.horizontalAdvance(entry.text) - _BESIDE
    sign = QRectF(box.left(), box.center().y() - _SIGN / 2, wide, _SIGN)
    painter.setOpacity(0.5 if chosen and entry.kind == "type" and not lit else 1.0)
    if entry.kind == "type":
        draw_glyph(painter, sign, theme, entry.word)
    elif entry.kind == "mark":
        _draw_mark(painter, sign, theme, entry.word)
    text_cache.draw(painter, picture, box.left() + max(wide + _BESIDE, 0.0),
                    box.center().y() - picture.height / 2)
    painter.setOpacity(1.0)


def _draw_mark(painter: QPainter, box: QRectF, theme: Theme, word: str) -> None:
    """A small one of what is drawn in the sky."""
    painter.save()
    painter.setBrush(Qt.BrushStyle.NoBrush)
    if word in DASHES:
        pen = QPen(theme.color("text.soft"), 1.4, Qt.PenStyle.SolidLine, Qt.PenCapStyle.FlatCap)
        pen.setDashPattern(DASH_PATTERNS[DASHES[word]])
        painter.setPen(pen)
        painter.drawLine(QPointF(box.left(), box.center().y()),
                         QPointF(box.right(), box.center().y()))
    elif word in CHANGES:
        draw_sign(painter, theme, box.center(), _SIGN, CHANGES.index(word))
    elif word == RULE_WORD:
        draw_diamond(painter, box, theme.color("constraint"))
    elif word == PINNED_WORD:
        painter.setPen(QPen(theme.color("pin"), 1.4))
        painter.drawEllipse(box.adjusted(0, 1, -1, 0))
        draw_star(painter, QRectF(box.right() - 4, box.top() - 1.5, 6, 6), theme.color("pin"))
    elif word == MUTED_WORD:
        painter.setPen(QPen(theme.color("text.faint"), 1.3))
        painter.drawEllipse(box.adjusted(0.5, 0.5, -0.5, -0.5))
    else:
        _draw_change(painter, box, theme.color("proposal"), word)
    painter.restore()


def _draw_change(painter: QPainter, box: QRectF, amber: QColor, word: str) -> None:
    if word == LEAVE:
        painter.setPen(QPen(amber, 1.8, Qt.PenStyle.SolidLine, Qt.PenCapStyle.RoundCap))
        painter.drawLine(box.bottomLeft() + QPointF(0, -1.5), box.topRight() + QPointF(0, 1.5))
        return
    pen = QPen(amber, 1.3)
    pen.setDashPattern([2.2, 1.6])
    painter.setPen(pen)
    if word == COME:
        painter.setBrush(QColor(amber.red(), amber.green(), amber.blue(), 36))
        painter.drawPath(hexagon(box))
    else:
        painter.drawEllipse(box.adjusted(0.5, 0.5, -0.5, -0.5))
