"""Says where a piece of evidence is from."""

from core.model.proposal import Evidence
from core.model.wording import one_line
from ui.models.moments import day

OPENABLE = ("memory",)
"""Kinds of source that the window can show."""
WORDS = {
    "memory": "memory", "session_transcript": "session", "memory_artifact": "document",
    "provided_quote": "quoted with it", "ontology_proposal": "proposal",
}


def source_words(piece: Evidence) -> str:
    """`memory of 24 Nov · claude-code`."""
    kind = WORDS.get(piece.kind, piece.kind.replace("_", " "))
    when = f" of {day(piece.when)}" if piece.when else ""
    name = one_line(piece.label, 60)
    return f"{kind}{when}" + (f" · {name}" if name and name != piece.source_id else "")
