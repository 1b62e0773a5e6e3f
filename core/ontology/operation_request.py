"""A requested operation with its evidence, before it is applied or proposed."""

import json
from collections.abc import Mapping, Sequence
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from core.errors import OperationError
from core.model.names import storable
from core.ontology.change_provenance import UNKNOWN, Provenance, Source, encode
from core.ontology.payload_base import clamped

OWN_WORD = 1.0
"""The confidence of what a person asks for or applies and nobody gives a number to.

Signet takes 0: such a value is told last, and such a link is never walked.
"""
LIMIT = 500
"""The most operations or proposals that are taken at once."""


class OperationRequest(Struct, frozen=True):
    """One operation with its payload, reason, evidence and source."""

    operation: str
    payload: Mapping[str, object]
    rationale: str = ""
    evidence: tuple[object, ...] = ()
    confidence: float = 0.0
    risk: str | None = None
    source: Source = UNKNOWN
    created_by: str | None = None

    @classmethod
    def read(cls, item: object, defaults: Mapping[str, object] | None = None) -> "OperationRequest":
        """A request from a JSON object; raises OperationError 400 for missing fields."""
        if not isinstance(item, Mapping):
            raise OperationError(400, "An operation must be a JSON object")
        given: dict[str, Any] = {**(defaults or {}), **item}
        payload, evidence = given.get("payload"), given.get("evidence") or ()
        if not isinstance(payload, Mapping):
            raise OperationError(400, "payload object is required", field="payload")
        if isinstance(evidence, str | Mapping) or not isinstance(evidence, Sequence):
            raise OperationError(400, "evidence must be an array", field="evidence")
        return cls(
            operation=_text(given, "operation") or "",
            payload=payload,
            rationale=_text(given, "rationale") or _text(given, "reason") or "",
            evidence=tuple(evidence),
            confidence=clamped(given.get("confidence")) or 0.0,
            risk=_text(given, "risk"),
            source=Source(*(_text(given, f"source_{part}")
                            for part in ("kind", "id", "path", "root"))),
            created_by=_text(given, "created_by") or _text(given, "actor"),
        ).checked()

    def checked(self) -> "OperationRequest":
        """Itself; raises OperationError 400 if the operation or the payload is missing."""
        if not self.operation.strip():
            raise OperationError(400, "operation is required", field="operation")
        if not self.payload:
            raise OperationError(400, "payload is required", field="payload")
        return self

    def forced(self) -> "OperationRequest":
        """The same with `force`."""
        return replace(self, payload={**self.payload, "force": True})

    def unforced(self) -> "OperationRequest":
        """The same without `force`."""
        return replace(self, payload={name: value for name, value in self.payload.items()
                                      if name != "force"})

    def provenance(self, proposal_id: str) -> Provenance:
        """What its handler stamps on the rows that it touches."""
        return Provenance(
            proposal_id, self.confidence, self.rationale, self.evidence, self.source
        )

    def columns(self) -> dict[str, object]:
        """The columns of its `ontology_proposals` row that do not depend on the decision."""
        return {
            "operation": self.operation, "payload": encode(self.payload),
            "confidence": self.confidence, "rationale": self.rationale,
            "evidence": encode(self.evidence), "risk": self.risk, **self.source.columns(),
        }

    def same_words(self, payload: object, evidence: object) -> bool:
        """True if stored payload and evidence equal this draft's."""
        return bool(
            payload == json.loads(encode(self.payload))
            and evidence == tuple(json.loads(encode(self.evidence)))
        )


def _text(given: Mapping[str, Any], key: str) -> str | None:
    value = given.get(key)
    if not isinstance(value, str) or not value.strip():
        return None
    return storable(value.strip())
