"""What a thing of the sky is named by, in which style and colour, and how large that is."""

import numpy as np
from msgspec import Struct

from core.constellation.scene import CONSTRAINT
from ui.constellation.layers.paint_context import Canvas
from ui.constellation.layers.text_cache import TextCache, TextStyle, Weight, text_style

FAR_STEP = 24.0
"""Below this step only pinned entities stand out, by colour."""
_PROMINENT = 0.45
_ENTITY_WIDTH, _ASPECT_WIDTH, _VALUE_WIDTH = 230.0, 160.0, 240.0


class LabelText(Struct, frozen=True):
    """A name, how it is written, and how wide it may be."""

    text: str
    style: TextStyle
    most: float
    token: str


class LabelTexts:
    """Measures the names of a scene's entities once in each style."""

    def __init__(self) -> None:
        self._labels: list[str] | None = None
        self._widths: dict[bool, np.ndarray] = {}

    def sizes(
        self, canvas: Canvas, text_cache: TextCache, nodes: np.ndarray
    ) -> tuple[np.ndarray, np.ndarray]:
        """Width and height of each node's name; `nodes` begin with the entities."""
        entities = nodes[nodes < canvas.scene.entities]
        wide, high = self._of_entities(canvas, text_cache, entities)
        others = []
        for node in nodes[len(entities) :].tolist():
            label = label_text(canvas, node)
            others.append(text_cache.size(label.text, label.style, label.most)[1:])
        more = np.array(others, np.float64).reshape(-1, 2)
        return np.concatenate((wide, more[:, 0])), np.concatenate((high, more[:, 1]))

    def _of_entities(
        self, canvas: Canvas, text_cache: TextCache, rows: np.ndarray
    ) -> tuple[np.ndarray, np.ndarray]:
        scene = canvas.scene
        if self._labels is not scene.labels:
            self._labels = scene.labels
            self._widths = {strong: np.full(scene.entities, np.nan) for strong in (False, True)}
        strong = _prominence(canvas, rows) == 2
        wide, high = np.zeros(len(rows)), np.zeros(len(rows))
        for kind in (False, True):
            of_kind, widths, style = strong == kind, self._widths[kind], _entity_style(kind)
            mine = rows[of_kind]
            for node in mine[np.isnan(widths[mine])].tolist():
                widths[node] = text_cache.size(scene.labels[node], style, _ENTITY_WIDTH)[1]
            wide[of_kind], high[of_kind] = widths[mine], style.metrics.height()
        return wide, high


def label_text(canvas: Canvas, node: int) -> LabelText:
    """How a node is named; a ghost is counted from the last node on."""
    scene = canvas.scene
    if node >= scene.starts[4]:
        row, known = node - scene.starts[4], scene.ghosts.labels
        marks = canvas.overlay.marks
        label, token = ((known[row], "proposal") if row < len(known) or marks is None
                        else (marks.labels[row - len(known)], "text.soft"))
        return LabelText(label, text_style(12, Weight.Medium), _ENTITY_WIDTH, token)
    if node >= scene.starts[2]:
        token = "constraint" if scene.kind[node] == CONSTRAINT else "text.soft"
        text = canvas.overlay.texts.get(scene.ids[node], "")
        return LabelText(text, text_style(11), _VALUE_WIDTH, token)
    if node >= scene.starts[1]:
        return LabelText(scene.labels[node], text_style(12), _ASPECT_WIDTH, "text.soft")
    prominence = int(_prominence(canvas, np.array([node]))[0])
    return LabelText(scene.labels[node], _entity_style(prominence == 2), _ENTITY_WIDTH,
                     "text" if prominence else "text.soft")


def _entity_style(strong: bool) -> TextStyle:
    return text_style(13, Weight.DemiBold) if strong else text_style(12)


def _prominence(canvas: Canvas, rows: np.ndarray) -> np.ndarray:
    """How much each entity's name stands out: 0 little, 1 in colour, 2 in weight too."""
    scene, overlay = canvas.scene, canvas.overlay
    pinned = scene.entity_pinned[rows]
    if canvas.frame.step < FAR_STEP:
        prominence = pinned.astype(np.int8)
    else:
        prominence = 2 * (pinned | (scene.presence[rows] > _PROMINENT)).astype(np.int8)
    prominence[(rows == overlay.selected) | (rows == overlay.hovered)] = 2
    return prominence
