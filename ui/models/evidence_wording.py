"""Words of evidence: where it is from, and how sure its author is."""

from core.model.proposal import Evidence
from core.model.text_formatting import one_line
from ui.models.time_wording import day

OPENABLE = ("memory",)
"""Kinds of source that the window can show."""
SOURCE_KINDS = {
    "memory": "memory", "session_transcript": "session", "memory_artifact": "document",
    "provided_quote": "quoted as evidence", "ontology_proposal": "proposal",
}


def source_words(piece: Evidence) -> str:
    """`memory of 24 Nov · claude-code`."""
    kind = SOURCE_KINDS.get(piece.kind, piece.kind.replace("_", " "))
    when = f" of {day(piece.when)}" if piece.when else ""
    name = one_line(piece.label, 60)
    return f"{kind}{when}" + (f" · {name}" if name and name != piece.source_id else "")


def confidence_words(share: float) -> str:
    """`confidence 0.70`; 0 is also what an agent leaves that does not say how sure it is."""
    return f"confidence {share:.2f}" if share > 0 else "confidence 0, or not said"
