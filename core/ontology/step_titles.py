"""Names a step of the history after what it does and whom it is about."""

from collections.abc import Mapping

from core.model.text_formatting import one_line
from core.ontology.request_descriptions import describe
from core.queries.entities import entities_by_id
from core.store.reader_and_writer import Reader

NAMED = 40
"""Characters of an entity's name in the label of a step."""


def step_title(reader: Reader, operation: str, payload: Mapping[str, object]) -> str:
    """`Set schedule · window · settlement job`; the entity is left out where the title says it."""
    said = describe(reader, operation, payload)
    found = entities_by_id(reader, [said.target_id]) if said.target_id else {}
    return with_name(said.title, *(row.name for row in found.values()))


def with_name(title: str, *names: str) -> str:
    """The title with the names that it does not say itself."""
    # Half a name is enough: a title cuts long ones.
    new = [name for name in (one_line(each, NAMED) for each in names)
           if name and name[:NAMED // 2] not in title]
    return " · ".join([title, *new])
