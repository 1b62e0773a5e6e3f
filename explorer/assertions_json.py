"""Assertions as JSON, in the shape of upstream's own answers; shared by all the ways in."""

from core.model.claims_and_assertions import Assertion
from core.queries.assertions import AssertionFilters, list_assertions
from core.store.reader_and_writer import Reader
from explorer.model_json import Json, plain


def assertion_json(assertion: Assertion) -> Json:
    """One assertion."""
    item = plain(assertion)
    assert isinstance(item, dict)
    return {"id": item.pop("id"), "subjectEntityName": item.pop("subjectName"), **item}


def listed(reader: Reader, filters: AssertionFilters, limit: int, offset: int) -> Json:
    """The assertions that fit, and how many there are in all."""
    items, total = list_assertions(reader, filters, limit=limit, offset=offset)
    return {"items": [assertion_json(item) for item in items], "count": total}
