"""Faults of a payload, each by its JSON path, in the payload's own names."""

import json
from collections.abc import Iterator, Mapping
from typing import Any

from msgspec import Struct
from pydantic import ValidationError

from core.errors import OperationError
from core.model import pydantic_helpers

PARTS = ("entities", "aspects", "hints")
"""What upstream puts into `structured`."""

_OUT_OF_BOUNDS = ("greater_than_equal", "less_than_equal", "finite_number")
"""All numbers of a payload are shares."""


class Fault(Struct, frozen=True):
    """One thing that is wrong with a payload, and where: `$.aspects[0].attributes[2].content`."""

    path: str
    what: str


class Invalid(OperationError):
    """A payload that was refused whole; `faults` lists everything that is wrong with it."""

    def __init__(self, faults: tuple[Fault, ...]) -> None:
        lines = [f"{fault.path} {fault.what}" for fault in faults]
        more = f" (and {len(lines) - 1} more)" if len(lines) > 1 else ""
        super().__init__(400, f"{lines[0]}{more}; nothing was written", field=faults[0].path,
                         detail="\n".join(lines) if more else "")
        self.faults = faults


class RepeatedKeys(dict[str, Any]):
    """A JSON object with repeated keys; `names` are the keys."""

    names: tuple[str, ...] = ()


def parse(text: str) -> Any:
    """The JSON in a text; an object that says a key twice is told apart.

    Raises ValueError where it is no JSON, RecursionError where it is nested too deeply.
    """
    return json.loads(text, object_pairs_hook=_object)


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    value = dict(pairs)
    if len(value) == len(pairs):
        return value
    names = [name for name, _ in pairs]
    repeated = RepeatedKeys(value)
    repeated.names = tuple(name for name in value if names.count(name) > 1)
    return repeated


def given_twice(payload: Mapping[str, object], root: str) -> Iterator[Fault]:
    """Fields that a payload sets in two ways, one of which would be lost."""
    inner = payload.get("structured")
    if inner is not None and not isinstance(inner, Mapping):
        yield Fault(f"{root}.structured", "must be an object")
    elif inner:
        for name in PARTS:
            if payload.get(name) and inner.get(name):
                yield Fault(f"{root}.{name}", "is set twice, here and in structured")
    waiting: list[tuple[str, object]] = [(root, payload)]
    while waiting:
        path, here = waiting.pop()
        if isinstance(here, Mapping):
            yield from (Fault(f"{path}.{name}", f"is set twice, {how}")
                        for name, how in _keys_given_twice(here))
            waiting += reversed([(f"{path}.{name}", value) for name, value in here.items()
                                 if isinstance(value, Mapping | list)])
        elif isinstance(here, list):
            waiting += reversed([(f"{path}[{place}]", value) for place, value in enumerate(here)
                                 if isinstance(value, Mapping | list)])


def _keys_given_twice(here: Mapping[str, object]) -> Iterator[tuple[str, str]]:
    if isinstance(here, RepeatedKeys):
        yield from ((name, "and only one can count") for name in here.names)
    for name, value in here.items():
        other = _snake(name)
        if other != name and here.get(other) not in (None, "", value) and value not in (None, ""):
            yield name, f"also as {other}"


def faults_of(
    error: ValidationError, payload: Mapping[str, object], root: str
) -> tuple[Fault, ...]:
    """What the check of a payload found, in words."""
    return tuple(Fault(_path(root, place, payload),
                       "must be 0 to 1" if kind in _OUT_OF_BOUNDS else words)
                 for place, kind, words in pydantic_helpers.faults_of(error))


def _path(root: str, place: tuple[int | str, ...], payload: Mapping[str, object]) -> str:
    """A place as a JSON path, in the names that the payload uses."""
    steps = [step for step in place if step not in ("triple", "named")]
    inner = payload.get("structured")
    path = root
    at: Any = payload
    if isinstance(inner, Mapping) and steps and steps[0] in PARTS and inner.get(steps[0]):
        path, at = f"{root}.structured", inner
    for step in steps:
        if isinstance(step, int):
            path += f"[{step}]"
            at = at[step] if isinstance(at, list | tuple) and step < len(at) else None
            continue
        name = next((n for n in (step, _snake(step)) if isinstance(at, Mapping) and n in at), step)
        path += f".{name}"
        at = at.get(name) if isinstance(at, Mapping) else None
    return path


def _snake(name: str) -> str:
    return "".join(f"_{sign.lower()}" if sign.isupper() else sign for sign in name)
