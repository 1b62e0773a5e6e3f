"""A group of commands whose usage lines read as those of other programs: `recall [QUERY]`."""

from collections.abc import Callable
from typing import Any

import typer
from typer.core import TyperCommand

_BRACES = str.maketrans("", "", "{}")


class Command(TyperCommand):
    """A command that writes a required argument as `FILE`, where Typer writes `{FILE}`."""

    def collect_usage_pieces(self, ctx: Any) -> list[str]:
        return [piece.translate(_BRACES) for piece in super().collect_usage_pieces(ctx)]


class Commands(typer.Typer):
    """A group whose commands are all of that kind."""

    def command(self, name: str | None = None, **rest: Any) -> Callable[[Any], Any]:
        return super().command(name, **{"cls": Command, **rest})
