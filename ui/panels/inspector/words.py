"""The texts of an inspector row, their colours and positions."""

from core.model.wording import one_line
from ui.models.inspector_tree import Node
from ui.theme.apply_theme import CAPTION_PIXELS
from ui.widgets.toned_text import Part

MARGIN = 16
INDENT = 15
FACT_LEFT = 92
SHOWN_CHARACTERS = 240


def left_of(node: Node) -> int:
    """Where a row's words begin."""
    if node.kind == "fact":
        return FACT_LEFT
    if node.kind in ("constraint", "aspect"):
        return MARGIN + INDENT
    if node.kind in ("claim", "group") or (node.kind == "more" and node.depth):
        return MARGIN + INDENT * node.depth + (INDENT if node.kind == "group" else 0)
    return MARGIN


def parts_of(node: Node) -> list[Part]:
    """A row's words in their tones."""
    words = one_line(node.text, SHOWN_CHARACTERS)
    if node.kind == "words":
        return [Part(one_line(node.text, 400), "text.soft")]
    if node.kind == "memory":
        return [Part(words), Part("\u2028" + node.label, "text.soft", pixels=CAPTION_PIXELS)]
    if node.kind == "fact":
        return [Part(words)]
    tone = "text.soft" if node.gone else "constraint" if node.kind == "constraint" else "text"
    parts = [Part(f"{one_line(node.label, 60)} · ", "text.soft")] if node.label else []
    parts.append(Part(words, tone))
    if node.versions > 1:
        number = node.value.version if node.value is not None else node.versions
        parts.append(Part(f"  v{number}", "text.soft", pixels=CAPTION_PIXELS))
    if node.gone:
        parts.append(Part("  archived", "text.soft", pixels=CAPTION_PIXELS))
    if node.pending:
        parts.append(Part(f"  {node.pending} pending", "proposal"))
    return parts
