"""The options that every command has, declared once, and the groups of commands."""

from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Annotated, Any

import typer
from typer.core import TyperCommand, TyperGroup

from core.queries.search_syntax import QUESTION_SYNTAX, SYNTAX
from explorer.cli.fast_arguments import with_plain_values

_BRACES = str.maketrans("", "", "{}")


class Command(TyperCommand):
    """A command that writes a required argument as `FILE`, where Typer writes `{FILE}`."""

    def get_params(self, ctx: Any) -> list[Any]:
        return with_plain_values(super().get_params(ctx))

    def collect_usage_pieces(self, ctx: Any) -> list[str]:
        return [piece.translate(_BRACES) for piece in super().collect_usage_pieces(ctx)]


class Group(TyperGroup):
    """A group of commands, itself without one."""

    def get_params(self, ctx: Any) -> list[Any]:
        return with_plain_values(super().get_params(ctx))


class Commands(typer.Typer):
    """Declares a group whose commands are all of that kind."""

    def __init__(self, **rest: Any) -> None:
        super().__init__(**{"cls": Group, **rest})

    def command(self, name: str | None = None, **rest: Any) -> Callable[[Any], Any]:
        return super().command(name, **{"cls": Command, **rest})


def _signs(syntax: Iterable[tuple[str, str]]) -> str:
    return "also " + ", ".join(f"{sign} ({meaning})" for sign, meaning in syntax)


SIGNS, QUESTION_SIGNS = _signs(SYNTAX), _signs(QUESTION_SYNTAX)
"""What can be typed beside words, and beside a question, for `--help`."""
MOST = 2**31
"""No number of rows that is asked for is larger."""


def _named(value: str) -> str:
    if not value.strip():
        raise typer.BadParameter("must not be empty")
    return value


def countable(value: int | None) -> int | None:
    """No more than a database can count to: who asks for more wants all."""
    return value if value is None else min(value, MOST)


Store = Annotated[
    Path | None,
    typer.Option(
        "--store", readable=False,  # what can't be read has a sentence of its own
        help="The graph file; without it $CONSTELLATION_STORE, the last one opened, or Signet's.",
        show_default=False,
    ),
]
AgentName = Annotated[
    str, typer.Option("--agent", help="The agent whose memory to use.", metavar="NAME",
                      callback=_named)
]
AsOf = Annotated[
    str, typer.Option("--as-of", metavar="DATE", show_default=False,
                      help="Read the graph as it stood then: 2026-05-03, “3 May”, “last Friday”.")
]
Json = Annotated[bool, typer.Option("--json", help="Print JSON.")]
Limit = Annotated[
    int, typer.Option("--limit", "-l", min=1, metavar="N", callback=countable,
                      help="Maximum number of results.")
]
Offset = Annotated[
    int, typer.Option("--offset", min=0, metavar="N", callback=countable,
                      help="Number of results to skip.")
]
Entry = Annotated[
    int | None, typer.Argument(metavar="ENTRY", callback=countable, show_default=False,
                               help="The entry of “history” to undo; without it the last one.")
]
Actor = Annotated[
    str, typer.Option("--actor", help="The author of the change, for the record.", callback=_named)
]
Reason = Annotated[str, typer.Option("--reason", help="The reason, for the record.")]
DryRun = Annotated[bool, typer.Option("--dry-run", help="Show what would change; change nothing.")]
Propose = Annotated[bool, typer.Option("--propose", help="Add it as a proposal; change nothing "
                                                         "else.")]
Force = Annotated[
    bool, typer.Option("--force", help="Also change pinned entities and active constraints, and "
                                       "what triggers of the file add.")
]
ByTriggers = Annotated[
    bool, typer.Option("--force", help="Also keep what triggers of the file add, however much.")
]
EvidenceFile = Annotated[
    Path | None,
    typer.Option("--evidence-file", help="The evidence, a JSON array."),
]
EVERYONE = "default"
"""The agent of a file that has only one."""
OPERATOR = "operator"
"""Who decides on the command line, unless --actor says otherwise (as in Signet)."""
Set = Annotated[
    list[str] | None,
    typer.Option("--set", metavar="NAME=VALUE",
                 help="Override a setting for this run; one of another part as PART.NAME=VALUE, "
                      "such as traversal.timeoutMs=50."),
]
