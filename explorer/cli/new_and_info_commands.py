"""`new` and `info`: a graph file made, or looked at."""

from pathlib import Path
from typing import Annotated

import typer

from core.errors import Damaged, OpenError
from core.model.entity import Agent, Counts
from core.model.text_formatting import counted
from core.queries import stats
from core.store.reader_and_writer import Reader
from core.workspace import Workspace
from explorer.cli import output
from explorer.cli.open_graph import reading
from explorer.cli.options import EVERYONE, AgentName, Json, Store
from explorer.default_graph import require_folder

_SHOWN = 20
"""Problems that are listed one by one for a person; `--json` has all."""


def new(
    path: Annotated[Path, typer.Argument(metavar="PATH", help="The file to create.")],
    demo: Annotated[bool, typer.Option("--demo", help="Fill it with the demo graph.")] = False,
    as_json: Json = False,
) -> None:
    """Create a graph file."""
    if path.is_dir():
        raise OpenError("folder", "This is a folder", where=str(path),
                        do="Add a file name, such as my-graph.db")
    if path.exists():
        raise OpenError("foreign", "This file exists already", where=str(path),
                        do="Choose another name; nothing was changed")
    require_folder(path)
    if demo:
        # Only the demo needs what draws: the other commands start without it.
        from explorer.demo import build_demo, put_beside  # noqa: PLC0415

        put_beside(build_demo(path))
    else:
        Workspace.open(path, create=True).close()
    if not output.answered(as_json, {"path": path.absolute(), "demo": demo}):
        output.say(f"Created {path}. Open it with: constellation {output.typed(path)}")


_WORDS = {"attributes": "values", "dependencies": "links", "pending": "pending proposals"}
"""What the window calls them."""


def info(
    graph: Annotated[
        Path | None,
        typer.Argument(metavar="STORE", readable=False,
                       help="The graph file; without it the default one."),
    ] = None,
    store: Store = None, agent: AgentName = EVERYONE, as_json: Json = False,
) -> None:
    """Show a graph file's kind, contents and problems."""
    with reading(graph or store, agent) as workspace:
        with workspace.read() as reader:
            agents, counts = _counted(reader)
        problems, undo = workspace.find_problems(), workspace.undo_step()
        answer = {
            "path": workspace.path.absolute(), "kind": workspace.kind, "agent": agent,
            "writable": workspace.writable, "allowed": workspace.allowed, "agents": agents,
            "counts": counts, "problems": problems, "undo": undo and undo.label,
            "backups": workspace.backup_folder,
        }
    if output.answered(as_json, answer):
        return
    kind = {"native": "a graph of this program", "signet": "a Signet database"}[workspace.kind]
    output.say(f"{workspace.path}: {kind}")
    output.table(("agent", "entities"), ((a.name, a.entities) for a in agents), empty="No agents.")
    rows_of = output.fields(counts) if counts else ()
    output.table((f"{agent} has", ""), ((_WORDS.get(name, name), n) for name, n in rows_of),
                 empty="")
    if problems:
        rows = counted(len(problems), "row")
        output.say(f"{rows} could not be read correctly:")
        output.table(("table", "row", "field", "what"),
                     ((p.table, p.row, p.field, p.what) for p in problems[:_SHOWN]), empty="")
    if len(problems) > _SHOWN:
        output.say(f"… and {len(problems) - _SHOWN} more; “info --json” has them all.")


def _counted(reader: Reader) -> tuple[list[Agent], Counts | None]:
    """Who is in the file and how much; what damage keeps from being counted is left out."""
    agents: list[Agent] = []
    try:
        agents = stats.list_agents(reader)
        return agents, stats.counts(reader)
    except Damaged:
        return agents, None
