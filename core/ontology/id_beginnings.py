"""Puts whole ids in the place of their beginnings, before an operation reads what it is given."""

from collections.abc import Callable, Mapping

from core.ontology.operation_catalog import CATALOG
from core.ontology.row_reference_fields import RowKind, row_kind
from core.queries.find_by_name_or_id import beginning_of_entity, link_id, match_entities, value_id
from core.store.reader_and_writer import Reader


def with_whole_ids(
    reader: Reader, operation: str, payload: Mapping[str, object]
) -> Mapping[str, object]:
    """The payload with the ids of the entities, values and links that it names by a beginning.

    What a row that is named tells by itself, such as whose a value is, is put in as well. So what
    is described, carried out and kept in a proposal names the same row. A name that an
    entity has is a name; what begins no id stays as it is.

    Raises OperationError (409) where several ids begin so.
    """
    known = CATALOG.get(operation)
    if known is None:
        return payload
    whole = dict(payload)
    for name, field in known.fields.model_fields.items():
        kind = row_kind(field)
        find = _WHOLE.get(kind) if kind else None
        if find is None:
            continue
        for key in known.fields.names_of(name):
            given = whole.get(key)
            if isinstance(given, str):
                whole[key] = find(reader, given)
            elif isinstance(given, list) and all(isinstance(each, str) for each in given):
                whole[key] = [find(reader, each) for each in given]
    return known.fields.completed(reader, whole)


def _entity(reader: Reader, selector: str) -> str:
    if not selector.strip() or match_entities(reader, selector, ""):
        return selector
    return beginning_of_entity(reader, selector) or selector


_WHOLE: Mapping[RowKind, Callable[[Reader, str], str]] = {
    "entity": _entity, "value": value_id, "link": link_id}
