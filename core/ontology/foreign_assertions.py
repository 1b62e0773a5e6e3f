"""Reads assertions as other programs write them, and makes each one a request."""

from collections.abc import Mapping, Sequence
from typing import Any

from core.errors import OperationError

OPERATION = "create_assertion"
_GROUNDS = ("evidence", "source_kind", "source_id", "source_path", "source_root", "reason")
_SPELLINGS = {
    "subjectEntityId": "entity_id", "subject_entity_id": "entity_id",
    "subjectEntityName": "entity", "entityId": "entity_id", "claimAttributeId": "attribute_id",
    "attributeId": "attribute_id", "assertedAt": "asserted_at", "sourceKind": "source_kind",
    "sourceId": "source_id", "sourcePath": "source_path", "sourceRoot": "source_root",
    "observerId": "observer_id", "text": "content",
}
"""How upstream's own answers spell what an assertion takes."""


def requests_of(data: object, agent: str) -> list[object]:
    """The requests of a file's JSON: an array, or an object with `assertions` or `items`.

    Raises OperationError: 400 where it is neither, 403 for what another agent has observed.
    """
    if isinstance(data, Mapping):
        data = data.get("assertions", data.get("items", data))
    items = [data] if isinstance(data, Mapping) else data
    if not isinstance(items, Sequence) or isinstance(items, str):
        raise OperationError(400, "assertions must be an array", field="assertions")
    return [request_of(item, agent) for item in items]


def request_of(item: object, agent: str) -> object:
    """The request for one assertion; what is no object stays as it is, and is refused later."""
    if not isinstance(item, Mapping):
        return item
    given: dict[str, Any] = {_SPELLINGS.get(str(name), str(name)): value
                             for name, value in item.items() if value is not None}
    refuse_foreign_observer(given.pop("observer_id", None), agent)
    if given.get("entity_id"):
        given.pop("entity", None)
    grounds = {name: given.pop(name) for name in _GROUNDS if name in given}
    # Its confidence is its own; the request's says how sure its proposal is.
    return {"operation": OPERATION, "payload": given, **grounds}


def refuse_foreign_observer(observer: object, agent: str) -> None:
    """Raise OperationError (403) unless what was observed is the agent's own."""
    if observer not in (None, "", agent):
        raise OperationError(403, "observer_id must be the agent whose memory this is",
                             field="observer_id", do=f"Use {agent}, or leave it out")
