"""The arguments of a command that takes a claim by its names, or a value by what it says."""

from typing import Annotated

import typer

from core.queries.find_by_name_or_id import find_value
from core.queries.values_by_words import value_by_words
from core.store.reader_and_writer import Reader

Whose = Annotated[str, typer.Argument(
    metavar="ENTITY", help="The entity's name or id, or the id of one value alone.")]
AspectOrWords = Annotated[str, typer.Argument(
    metavar="ASPECT|VALUE", show_default=False,
    help="The claim's aspect; or what a value says, or how that begins.")]
GroupOfClaim = Annotated[str, typer.Argument(
    metavar="GROUP", show_default=False, help="The claim's group, such as general.")]
ClaimOfGroup = Annotated[str, typer.Argument(
    metavar="CLAIM", show_default=False, help="The claim's key.")]


def named_value(
    reader: Reader, entity: str, words: str, group: str, claim: str, *, corrected: bool = False
) -> str | None:
    """The id of a value that was named by what it says, or alone; None where a claim was named.

    Args:
        corrected: as for `value_by_words`.
    """
    if claim:
        return None
    if group:
        raise typer.BadParameter("name a claim: ENTITY ASPECT GROUP CLAIM; or a value: ENTITY and"
                                 " what it says, or its id alone")
    found = value_by_words(
        reader, entity, words, corrected=corrected) if words else find_value(reader, entity)
    return str(found["id"])
