"""Takes the words of a command line as they were typed, where nothing has to be checked.

Typer checks each value with pydantic, which loads for longer than most commands take. Text, flags,
numbers and paths that are plainly right are taken here; all others, and the sentence about one
that is wrong, are left to Typer.
"""

import os
import stat
from collections.abc import Callable
from enum import Enum
from pathlib import Path
from typing import Any, Self, get_args, get_origin

import typer

_LONGEST = 15
"""Digits of a number that is plainly one."""


class _NotPlain(ValueError):
    """A value that Typer has to look at."""


class _Plainly:
    """Reads the values of one parameter: those that are plainly right, and the others by Typer."""

    def __init__(self, by_typer: Callable[[], Any]) -> None:
        self._by_typer = by_typer

    def __call__(self) -> Self:
        return self

    def coerce(self, value: Any, param: Any, ctx: Any) -> Any:
        try:
            if value == "" and param.type_descriptor.annotation is Path:
                raise typer.BadParameter("no name is given", ctx=ctx, param=param)
            return _plain(value, param)
        except _NotPlain:
            return self._checked(value, param, ctx)

    def _checked(self, value: Any, param: Any, ctx: Any) -> Any:
        """The value as Typer takes it; what pydantic has against it is told in our words."""
        try:
            return self._by_typer().coerce(value, param=param, ctx=ctx)
        except typer.BadParameter as error:
            if type(error.__cause__).__name__ != "ValidationError":
                raise
            raise typer.BadParameter(_told(error.__cause__), ctx=ctx, param=param) from error


def _told(error: Any) -> str:
    """What was given and what is wanted: `“abc” must be a whole number`."""
    from core.model.pydantic_helpers import faults_of  # noqa: PLC0415  only a refusal needs it

    _, kind, words = next(faults_of(error))
    # What Typer itself has found out names what was given.
    given = "" if kind == "value_error" else f"“{error.errors()[0]['input']}” "
    return f"{given}{words}"


def with_plain_values(params: list[Any]) -> list[Any]:
    """The parameters of a command, each taking values that are plainly right as they are."""
    for param in params:
        by_typer = getattr(param, "get_runtime_param", None)
        if by_typer and not isinstance(by_typer, _Plainly):
            param.get_runtime_param = _Plainly(by_typer)
    return params


def _plain(value: Any, param: Any) -> Any:
    many = param.multiple or param.nargs == -1
    if value is None:
        return () if many else None
    kind, rules = param.type_descriptor.annotation, param.type_descriptor.parameter_info
    if rules.parser is not None:
        raise _NotPlain
    if not many:
        return _one(value, kind, rules)
    if get_origin(kind) is list and isinstance(value, list | tuple):
        kind = get_args(kind)[0]
        return [_one(each, kind, rules) for each in value]
    raise _NotPlain


def _one(value: Any, kind: Any, rules: Any) -> Any:
    if isinstance(value, str) and not _is_text(value):
        raise _NotPlain
    if kind in (str, bool) and type(value) is kind:
        return value
    if kind is Path:
        return _path(value, rules)
    if kind is int and isinstance(value, str) and value.isascii() and value.isdigit() and (
            len(value) <= _LONGEST):
        value = int(value)
    if kind in (int, float) and type(value) is kind:
        return _within(value, rules)
    if isinstance(kind, type) and issubclass(kind, Enum) and isinstance(value, kind):
        return value
    raise _NotPlain


def _is_text(value: str) -> bool:
    """False for half characters, which stand for bytes that are no text, and for an inner NUL."""
    try:
        return b"\0" not in value.encode()
    except UnicodeEncodeError:
        return False


def _within(value: float, rules: Any) -> float:
    """A number that keeps the limits of its parameter."""
    if (rules.min is not None and not value >= rules.min) or (
            rules.max is not None and not value <= rules.max):
        raise _NotPlain
    return value


def _path(value: Any, rules: Any) -> Path:
    """A path that is not there, or is what its parameter takes and can be used as it wants."""
    if not isinstance(value, str | Path) or rules.resolve_path or rules.allow_dash:
        raise _NotPlain
    path = Path(value)
    try:
        mode = path.stat().st_mode
    except OSError:
        if rules.exists:
            raise _NotPlain from None
        return path
    if (stat.S_ISREG(mode) and not rules.file_okay) or (stat.S_ISDIR(mode) and not rules.dir_okay):
        raise _NotPlain
    if any(wanted and not os.access(path, way) for wanted, way in
           ((rules.readable, os.R_OK), (rules.writable, os.W_OK))):
        raise _NotPlain
    return path
