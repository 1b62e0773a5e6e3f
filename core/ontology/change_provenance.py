"""Why and on whose word a change is made, stamped on every row that it touches."""

import json

from msgspec import Struct

from core.errors import OperationError
from core.store.reader_and_writer import Writer


class Source(Struct, frozen=True):
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


UNKNOWN = Source()
"""No source was named."""


class Provenance(Struct, frozen=True):
    """The proposal (or the audit row of a direct operation) that a handler acts for."""

    proposal_id: str
    confidence: float = 1.0
    rationale: str = ""
    evidence: tuple[object, ...] = ()
    source: Source = UNKNOWN

    @property
    def marks(self) -> frozenset[str]:
        """Columns that only record when and why a row was touched.

        Evidence given with a change is more than such a mark.
        """
        columns = {"updated_at", "proposal_id"}
        if not self.evidence:
            columns.add("proposal_evidence")
        if self.source == UNKNOWN:
            columns.update(UNKNOWN.columns())
        return frozenset(columns)

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
    """Compact JSON, as in every JSON column; 400 for values that JSON can't represent."""
    try:
        text = _json(value, plain=False)
        return text if text.isascii() or _whole(text) else _json(value, plain=True)
    except (TypeError, ValueError, RecursionError) as error:
        raise OperationError(
            400, "Payload and evidence must be plain JSON", detail=str(error)
        ) from error


def _json(value: object, plain: bool) -> str:
    return json.dumps(value, ensure_ascii=plain, separators=(",", ":"), allow_nan=False)


def _whole(text: str) -> bool:
    """False if it holds half a surrogate pair: no text to the store, but fine as an escape."""
    return not any("\ud800" <= sign <= "\udfff" for sign in text)
