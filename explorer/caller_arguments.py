"""What a caller asks: read and checked, with its JSON schema; shared by MCP and HTTP."""

import json
from collections.abc import Mapping
from typing import Any, TypeVar

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from core.errors import OperationError
from core.model.did_you_mean import choices
from core.model.names import storable
from core.model.pydantic_helpers import faults_of

Json = dict[str, Any]
A = TypeVar("A", bound="Arguments")
_TOLD = 5
"""Faults of one call that are told."""


class Arguments(BaseModel):
    """What is asked; a name that is not known is refused, so that the caller notices."""

    model_config = ConfigDict(frozen=True, extra="forbid", populate_by_name=True)


class Dated(Arguments):
    """What can be asked of the past, too."""

    as_of: str = Field("", alias="asOf", description="Read it as it stood then: `2026-05-03`, "
                                                     "`3 May`, `last Friday`; else now")


class Anything(Arguments):
    """Whatever is given; it is checked by what takes it."""

    model_config = ConfigDict(frozen=True, extra="allow")


def checked(takes: type[A], given: Mapping[str, object], *, strict: bool = False) -> A:
    """What was asked, read; OperationError (400) says what is wrong with it.

    Args:
        strict: it came as JSON, whose kinds are taken as they are: `"5"` and `true` are no numbers.
    """
    try:
        if strict:
            return takes.model_validate_json(json.dumps(whole(given)), strict=True)
        return takes.model_validate(whole(given))
    except ValidationError as error:
        faults = list(faults_of(error))
        unknown = next((str(place[0]) for place, kind, _ in faults
                        if kind == "extra_forbidden" and len(place) == 1), "")
        known = (part.alias or name for name, part in takes.model_fields.items())
        raise OperationError(
            400, "; ".join(f"{_dotted(place)} {words}".strip() for place, _, words
                           in faults[:_TOLD]),
            field=_dotted(faults[0][0]),
            do=choices(unknown, known) if unknown else "Nothing was done") from error


def _dotted(place: tuple[int | str, ...]) -> str:
    return ".".join(map(str, place))


def schema(model: type[BaseModel]) -> Json:
    """The JSON schema of a model in one piece: not every client follows references."""
    whole = model.model_json_schema(by_alias=True)
    definitions = whole.pop("$defs", {})
    inlined = _inlined(whole, definitions)
    assert isinstance(inlined, dict)
    return inlined


def _inlined(part: object, definitions: Mapping[str, object]) -> object:
    if isinstance(part, list):
        return [_inlined(item, definitions) for item in part]
    if not isinstance(part, dict):
        return part
    if "$ref" in part:
        return _inlined(definitions[part["$ref"].rpartition("/")[2]], definitions)
    return {key: _inlined(value, definitions) for key, value in part.items()
            if not (key == "title" and isinstance(value, str))}


def whole(thing: Any) -> Any:
    """What came as JSON, without halves of characters."""
    if isinstance(thing, str):
        return storable(thing)
    if isinstance(thing, list):
        return [whole(item) for item in thing]
    if isinstance(thing, Mapping):
        return {storable(str(key)): whole(value) for key, value in thing.items()}
    return thing
