"""Fields of operations that name a row: of which kind it is, so that a person can choose one."""

from collections.abc import Iterator
from typing import Annotated, Any, Literal, get_args

from msgspec import Struct
from pydantic.fields import FieldInfo

from core.ontology.payload_base import Text, Texts

RowKind = Literal["entity", "aspect", "alias", "value", "link", "memory", "assertion", "source"]


class NamesRow(Struct, frozen=True):
    """The mark of a field that takes the id of a row of this kind; of the first three its name
    would do as well."""

    kind: RowKind


EntityName = Annotated[Text, NamesRow("entity")]
EntityNames = Annotated[Texts, NamesRow("entity")]
AspectName = Annotated[Text, NamesRow("aspect")]
AspectNames = Annotated[Texts, NamesRow("aspect")]
AliasName = Annotated[Text, NamesRow("alias")]
ValueId = Annotated[Text, NamesRow("value")]
ValueIds = Annotated[Texts, NamesRow("value")]
LinkId = Annotated[Text, NamesRow("link")]
LinkIds = Annotated[Texts, NamesRow("link")]
MemoryId = Annotated[Text, NamesRow("memory")]
MemoryIds = Annotated[Texts, NamesRow("memory")]
AssertionId = Annotated[Text, NamesRow("assertion")]
SourceId = Annotated[Text, NamesRow("source")]


def row_kind(field: FieldInfo) -> RowKind | None:
    """Of which kind the row is that a field names; None if it names none."""
    return next((mark.kind for mark in _marks(field.metadata, field.annotation)), None)


def _marks(metadata: list[Any], annotation: Any) -> Iterator[NamesRow]:  # noqa: ANN401
    yield from (mark for mark in metadata if isinstance(mark, NamesRow))
    for part in get_args(annotation):
        if isinstance(part, NamesRow):
            yield part
        else:
            yield from _marks([], part)
