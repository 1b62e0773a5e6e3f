"""`restore`: puts a backup in a graph's place, or lists the backups."""

from collections.abc import Sequence
from pathlib import Path
from typing import Annotated

import typer

from core.errors import Damaged, OpenError
from core.model.text_formatting import one_line
from core.store.backup import WHEN
from core.store.restore import (
    Backup,
    changed_since,
    count_rows,
    difference,
    list_backups,
    put_back_closed,
)
from explorer.cli import output
from explorer.cli.open_graph import writing
from explorer.cli.options import EVERYONE, OPERATOR, Json, Store
from explorer.default_graph import chosen_store

_LONGEST = 60
"""Characters of what was changed last that are shown."""


def restore(
    backup: Annotated[
        str, typer.Argument(metavar="[BACKUP]", show_default=False,
                            help="Its number in the list, or its file; without it the list.")
    ] = "",
    store: Store = None, as_json: Json = False,
) -> None:
    """Put a backup in a graph's place; what was there becomes a backup, too."""
    graph = chosen_store(store)
    backups = list_backups(graph)
    if not backup:
        _list(graph, backups, as_json)
        return
    chosen = _chosen(backup, backups, graph)
    aside = _put_back(graph, chosen)
    if output.answered(as_json, {"restored": chosen, "aside": aside}):
        return
    output.say(f"Restored {graph} from {chosen}")
    output.note(
        f"“constellation undo” takes this back. What was there is kept; go back to it later with: "
        f"constellation restore {output.typed(aside)} --store {output.typed(graph)}" if aside else
        f"The damaged file was kept next to it, as {graph.name}.damaged-…")


def _put_back(graph: Path, backup: Path) -> Path | None:
    """Through the open graph, or past it where its file can't be opened any more."""
    try:
        with writing(graph, EVERYONE) as workspace:
            workspace.permit()
            return workspace.restore(backup, actor=OPERATOR).result
    except (OpenError, Damaged):
        return put_back_closed(graph, backup)


def _list(graph: Path, backups: Sequence[Backup], as_json: bool) -> None:
    now = count_rows(graph)
    if output.answered(as_json, {"store": graph.absolute(), "counts": now, "backups": backups}):
        return
    output.table(
        ("", "made", "MB", "entities", "values", "memories", "against now", "last change",
         "changed since"),
        ((number, f"{one.made_at.astimezone():%Y-%m-%d %H:%M}", round(one.bytes / 1e6, 1),
          *(one.counts.get(table, "?") for table in ("entities", "entity_attributes", "memories")),
          difference(one.counts, now), one_line(one.last_change, _LONGEST),
          changed_since(one, _LONGEST))
         for number, one in enumerate(backups, 1)),
        empty=f"No backups of {graph} yet. One is made {WHEN}.")
    if backups:
        output.note("What every agent has is counted. Put one back with “constellation restore "
                    "NUMBER”; that can be taken back")


def _chosen(word: str, backups: Sequence[Backup], graph: Path) -> Path:
    if word.isdecimal() and not Path(word).exists():
        if 1 <= int(word) <= len(backups):
            return backups[int(word) - 1].path
        raise OpenError("missing", f"There is no backup number {word}", where=str(graph),
                        do="“constellation restore” lists them")
    file = Path(word).expanduser()
    if not file.exists():
        raise OpenError("missing", f"There is no backup called {word}", where=str(graph),
                        do="“constellation restore” lists them; name one by its number or file")
    return file
