"""Two values for one place as JSON: one shape for the command line and HTTP."""

from typing import Any

from core.review.competing_values import Side, TwoValues

Json = dict[str, Any]


def two_values_json(shown: TwoValues) -> Json:
    """Both sides, and what they would say in one; `valueId` is null for what is proposed."""
    return {"entityId": shown.entity_id, "entityName": shown.entity_name, "where": shown.where,
            "proposalId": shown.proposal_id or None, "first": _side(shown.first),
            "second": _side(shown.second), "combined": shown.combined}


def _side(side: Side) -> Json:
    return {"content": side.text, "kind": side.kind, "speaker": side.who or None,
            "saidAt": side.said_at, "confidence": side.confidence,
            "valueId": side.value_id or None, "evidence": list(side.evidence)}
