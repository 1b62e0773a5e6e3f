"""`diff`: what is different between two moments of a graph, or between two agents."""

from itertools import groupby
from typing import Annotated

import typer

from core.past.compared_states import Compared, compare_agents, compare_moments
from explorer.cli import output
from explorer.cli.open_graph import reading
from explorer.cli.options import EVERYONE, AgentName, Json, Store
from explorer.difference_json_and_markdown import (
    compared_json,
    counted_words,
    line,
    markdown,
    title,
)


def diff(
    since: Annotated[str, typer.Option(
        "--from", metavar="DATE", show_default=False,
        help="The earlier date: 2026-05-03, “3 May”, “last visit” (of the window).")] = "",
    until: Annotated[str, typer.Option(
        "--to", metavar="DATE", show_default=False, help="The later date; now unless given.")] = "",
    other: Annotated[str, typer.Option(
        "--with-agent", metavar="NAME", show_default=False,
        help="Compare with what this agent knows instead.")] = "",
    as_markdown: Annotated[bool, typer.Option("--markdown", help="Print Markdown.")] = False,
    store: Store = None, agent: AgentName = EVERYONE, as_json: Json = False,
) -> None:
    """Show what was added, changed or taken away between two dates, or between two agents."""
    if bool(since) == bool(other):
        raise typer.BadParameter("either --from or --with-agent says what to compare with")
    if as_json and as_markdown:
        raise typer.BadParameter("--json and --markdown exclude each other")
    with reading(store, agent) as workspace:
        compared = (compare_agents(workspace, other, until) if other
                    else compare_moments(workspace, since, until))
    if output.answered(as_json, compared_json(compared) if as_json else None):
        return
    if as_markdown:
        for text in markdown(compared):
            output.say(text, whole=True)
    else:
        _print(compared)


def _print(compared: Compared) -> None:
    output.say(f"{title(compared)}: {counted_words(compared.items)}")
    for (_, name), items in groupby(compared.items, lambda one: (one.entity_id, one.entity_name)):
        output.say(name)
        for one in items:
            output.say(f"  {line(one)}")
