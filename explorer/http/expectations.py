"""Expectations: what must, or must not, come for a question. A program reads and checks them; a
person writes them down."""

from core.expectations.check import check as check_all
from core.expectations.current_targets import standing
from core.expectations.store import expectations
from explorer.caller_arguments import Arguments, Json
from explorer.graph_for_caller import Door
from explorer.http.endpoint import Endpoint
from explorer.model_json import checked_json, expectation_json


def list_expectations(door: Door, given: Arguments) -> Json:
    """List what must, or must not, come for a question, each with its target as it stands now."""
    with door.read() as reader:
        asked = expectations(reader)
        targets = standing(reader, asked)
    return {"items": [expectation_json(one, targets[one.id]) for one in asked],
            "count": len(asked)}


def check(door: Door, given: Arguments) -> Json:
    """Check every expectation: whether it holds, and if not, why, and what came instead."""
    with door.read() as reader:
        return checked_json(check_all(reader, expectations(reader), door.engine.settings,
                                      door.engine.embedder))


EXPECTATIONS = (
    Endpoint("GET", "/api/expectations", list_expectations),
    Endpoint("GET", "/api/expectations/check", check),
)
