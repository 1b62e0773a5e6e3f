"""What pydantic checks: sections of settings, and what is wrong with an input, in words."""

from collections.abc import Iterator, Mapping
from typing import Any

from pydantic import BaseModel, ConfigDict, Field, ValidationError
from pydantic.alias_generators import to_camel


class SettingsSection(BaseModel):
    """Numbers that are set together; every name is also taken as upstream spells it: `maxHops`."""

    model_config = ConfigDict(
        frozen=True, extra="forbid", alias_generator=to_camel, populate_by_name=True)


def setting(default: Any, description: str, *, title: str) -> Any:
    """A setting that is on or off, a word, or a list; `title` is what a dialog calls it."""
    return Field(default=default, title=title, description=description)


def limited(
    default: float | None, least: float, most: float, description: str, *, title: str
) -> Any:
    """A number with its limits, which are allowed themselves."""
    return Field(default=default, ge=least, le=most, title=title, description=description)


def share(default: float, description: str, *, title: str) -> Any:
    """A number from 0 to 1."""
    return limited(default, 0, 1, description, title=title)


_WORDS = {
    "missing": "is required", "extra_forbidden": "is not known",
    "bool_type": "must be true or false", "bool_parsing": "must be true or false",
    "float_type": "must be a number", "float_parsing": "must be a number",
    "int_type": "must be a whole number", "int_parsing": "must be a whole number",
    "int_from_float": "must be a whole number", "finite_number": "must be a finite number",
    "string_type": "must be text", "string_unicode": "must be text",
    "list_type": "must be a list", "tuple_type": "must be a list",
    "dict_type": "must be an object", "model_type": "must be an object",
    "model_attributes_type": "must be an object",
    "greater_than": "must be more than {gt:,.10g}",
    "greater_than_equal": "must be at least {ge:,.10g}",
    "less_than": "must be less than {lt:,.10g}",
    "less_than_equal": "must be at most {le:,.10g}",
    "value_error": "{error}", "literal_error": "must be {expected}",
}


def faults_of(error: ValidationError) -> Iterator[tuple[tuple[int | str, ...], str, str]]:
    """Each fault: where it is, what pydantic calls its kind, and the end of a sentence that
    begins with the field: `is required`."""
    for fault in error.errors(include_url=False, include_input=False):
        yield fault["loc"], fault["type"], _words(fault)


def _words(fault: Mapping[str, Any]) -> str:
    if fault["type"] not in _WORDS:
        return f"is not valid: {fault['msg']}"
    context = fault.get("ctx", {})
    if "expected" in context:
        context = {"expected": str(context["expected"]).replace("'", "")}
    return _WORDS[fault["type"]].format(**context)
