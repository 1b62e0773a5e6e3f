"""Archives a fact that its source says no longer, or restores what it says again."""

from collections.abc import Mapping

from core.errors import OperationError
from core.model.vocabulary import WITHDRAWN
from core.ontology import control
from core.store.reader_and_writer import Writer

SAID_BY_NOBODY_ELSE = """NOT EXISTS (
  SELECT 1 FROM epistemic_assertions a WHERE a.claim_attribute_id = v.id AND a.status = 'active')"""
"""Of a value `v` that only its source has said."""


def archive_fact(writer: Writer, id: str) -> None:
    """Archive a value because what it was imported from says it no longer."""
    control.apply(writer, "archive_claim_value", {
        "attribute_id": id, "force": True, "reason": WITHDRAWN}, reason=WITHDRAWN)


def restore(writer: Writer, operation: str, payload: Mapping[str, str]) -> bool:
    """Bring back what is said again; False of what can't come back, such as an entity whose name
    is taken.
    """
    try:
        control.apply(writer, operation, payload, reason="The notes say it again")
    except OperationError as error:
        if error.status != 409:
            raise
        return False
    return True
