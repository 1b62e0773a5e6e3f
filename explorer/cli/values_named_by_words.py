"""Lets a person name a value on the command line by its entity and what it says."""

import inspect
from collections.abc import Mapping
from typing import Annotated, Any

import typer

from core.ontology.claims import SLOT
from core.ontology.operation_catalog import Operation
from core.queries.find_by_name_or_id import find_value, match_aspects, match_entities
from core.queries.values_by_words import keyless_value_called, value_by_words
from core.store.reader_and_writer import Reader
from explorer.cli.claim_or_value import named_value

WHOSE, WORDS = "value_of", "value_words"
"""The arguments that name a value: its entity, and what it says."""
SUPERSEDE, SET, REVIEW = "supersede_claim_value", "set_claim_value", "set_review_date"
_NOUNS = ("claim", "review")
_HOW = "name a value: ENTITY and what it says, or --attribute-id"


def takes_words(operation: Operation) -> bool:
    """True for a command about one value: it may be named by its entity and its words."""
    fields = operation.fields.model_fields
    return (operation.words[1] in _NOUNS and "attribute_id" in fields
            and (operation.info.arguments or ("attribute_id",))[0] == "attribute_id")


def fewer_will_do(operation: Operation, argument: str) -> bool:
    """True for an argument that may be left out where a value is named by what it says."""
    return operation.name in (SUPERSEDE, REVIEW) or operation.name == SET and argument != "entity"


def arguments() -> tuple[inspect.Parameter, ...]:
    """`ENTITY VALUE`, both of which may be left out."""
    return tuple(
        inspect.Parameter(name, inspect.Parameter.KEYWORD_ONLY, default="", annotation=Annotated[
            str, typer.Argument(metavar=metavar, help=help, show_default=False)])
        for name, metavar, help in (
            (WHOSE, "ENTITY", "The entity that the value is of, or the value's id alone"),
            (WORDS, "VALUE", "What the value says, or its beginning, or its id")))


def with_value_found(
    operation: str, given: Mapping[str, Any], reader: Reader, payload: Mapping[str, object]
) -> tuple[str, Mapping[str, object]]:
    """The operation and its payload, with the id of a value that was named by its words."""
    if operation == SUPERSEDE:
        return operation, _replaced(reader, dict(payload))
    if operation == SET:
        return _set(reader, payload)
    whose, words = given.get(WHOSE), given.get(WORDS)
    if operation == REVIEW and not payload.get("review_after"):
        # The last word is the day; of two before it the second is what the value says.
        payload = {**payload, "review_after": words or whose or None}
        whose, words = whose if words else "", ""
    if not (whose or words):
        if not payload.get("attribute_id"):
            raise typer.BadParameter(_HOW)
        return operation, payload
    id = value_by_words(reader, str(whose), str(words), in_force=not operation.startswith(
        "restore"))["id"] if words else whose
    return operation, {**payload, "attribute_id": id}


def _replaced(reader: Reader, payload: dict[str, object]) -> Mapping[str, object]:
    """Two words are an entity and what its value says; one is a value's id."""
    if payload.get("attribute_id") or payload.get("claim_key"):
        return payload
    entity, words = payload.get("entity"), payload.get("old_value") or payload.get("aspect")
    if not entity:
        raise typer.BadParameter(_HOW)
    found = (value_by_words(reader, str(entity), str(words), corrected=True) if words
             else find_value(reader, str(entity)))
    return {**_without(payload), "attribute_id": found["id"]}


def _without(payload: Mapping[str, object]) -> dict[str, object]:
    """What is left when the value itself tells where it stands."""
    told = ("entity", "aspect", "group_key", "old_value", "kind")
    return {name: value for name, value in payload.items() if name not in told}


def _set(
    reader: Reader, payload: Mapping[str, object]
) -> tuple[str, Mapping[str, object]]:
    """A claim by its four names, or a value by its entity and what it says.

    Where a value without a key was given for the claim, that is replaced: two would stand side by
    side.
    """
    id = named_value(reader, *(str(payload.get(name) or "") for name in SLOT),
                     corrected=True)
    found = id or _keyless(reader, payload)
    if found is None:
        return SET, payload
    kept = {name: payload[name] for name in ("confidence", "importance", "force", "reason")
            if name in payload}
    return SUPERSEDE, {**kept, "attribute_id": found, "new_value": payload["value"]}


def _keyless(reader: Reader, payload: Mapping[str, object]) -> str | None:
    owners = match_entities(reader, str(payload["entity"]))
    aspects = match_aspects(reader, owners[0]["id"], str(payload["aspect"])) if (
        len(owners) == 1) else ()
    return keyless_value_called(
        reader, aspects[0]["id"], str(payload.get("kind") or "attribute"),
        str(payload["claim_key"])) if len(aspects) == 1 else None
