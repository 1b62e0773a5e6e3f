"""Why and on whose word a change is made, stamped on every row that it touches."""

import json
from dataclasses import dataclass

from core.store.handles import Writer


@dataclass(frozen=True, slots=True)
class Source:
    """Where a change comes from: a memory, a transcript, a file."""

    kind: str | None = None
    id: str | None = None
    path: str | None = None
    root: str | None = None

    def columns(self) -> dict[str, object]:
        """The `source_*` columns."""
        return {
            "source_kind": self.kind,
            "source_id": self.id,
            "source_path": self.path,
            "source_root": self.root,
        }


@dataclass(frozen=True, slots=True)
class Provenance:
    """The proposal (or the audit row of a direct operation) that a handler acts for."""

    proposal_id: str
    confidence: float = 1.0
    rationale: str = ""
    evidence: tuple[object, ...] = ()
    source: Source = Source()

    def stamp(self) -> dict[str, object]:
        """Columns of a row that is only touched."""
        return {"proposal_id": self.proposal_id, "proposal_evidence": encode(self.evidence)}

    def origin(self) -> dict[str, object]:
        """Columns of a row that owes its content to this change."""
        return {**self.stamp(), **self.source.columns()}


UNARCHIVED: dict[str, object] = {"archived_at": None, "archived_by": None, "archive_reason": None}


def archive_marks(writer: Writer, reason: str | None, provenance: Provenance) -> dict[str, object]:
    """The archive columns: now, the actor who applies, and the reason or the rationale."""
    return {
        "archived_at": writer.now(),
        "archived_by": writer.actor,
        "archive_reason": reason or provenance.rationale or None,
        "updated_at": writer.now(),
    }


def encode(value: object) -> str:
    """Compact JSON, as every JSON column holds it."""
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))
