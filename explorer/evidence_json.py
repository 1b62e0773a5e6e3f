"""What claims and links rest on, as JSON; shared by all the ways in."""

from core.errors import OperationError
from core.queries import claims, links
from core.store.reader_and_writer import Reader
from explorer import knowledge_json
from explorer.model_json import Json, plain


def claim_evidence(
    reader: Reader, entity: str, aspect: str, group: str, claim: str, *, kind: str = "",
    status: str = "active", limit: int = 20, offset: int = 0,
) -> Json:
    """The values of a claim, newest first, each with what it rests on."""
    listed = knowledge_json.attributes(reader, entity, aspect, group, claim, kind=kind,
                                       status=status, limit=limit, offset=offset)
    items = [_with_evidence(reader, value) for value in listed["items"]]
    return {**listed, "items": items, "count": len(items)}


def value_evidence(reader: Reader, attribute_id: str) -> Json:
    """One value with what it rests on, in the shape of a claim's."""
    value = plain(claims.get_value(reader, attribute_id))
    assert isinstance(value, dict)
    return {"items": [_with_evidence(reader, value)], "count": 1}


def _with_evidence(reader: Reader, value: Json) -> Json:
    return {**value, "evidence": plain(claims.evidence_of(reader, value["id"]))}


def link_evidence(reader: Reader, link_id: str) -> Json:
    """A link, and what it rests on; OperationError (404) where there is none."""
    link = links.get_link(reader, link_id)
    if link is None:
        raise OperationError(404, "Link not found", field="id")
    items = links.evidence_of(reader, link.id)
    return {"link": link, "items": items, "count": len(items)}
