"""`inbox`: what agents and programs wrote by themselves since you last looked."""

from collections.abc import Callable
from functools import partial
from itertools import groupby
from pathlib import Path
from typing import Annotated

import typer

from core.model.inbox import Inbox, InboxItem
from core.model.secret_wording import kinds_of_secrets
from core.model.text_formatting import counted, one_line
from core.review import inbox_acts
from core.review.unseen_writes_inbox import find_item, inbox
from core.store.reader_and_writer import Writer
from explorer.cli import output
from explorer.cli.open_graph import reading
from explorer.cli.options import (
    EVERYONE,
    OPERATOR,
    Actor,
    AgentName,
    Commands,
    DryRun,
    Json,
    Store,
)
from explorer.cli.run_operation import carry_out
from explorer.model_json import inbox_json

app = Commands(help="What agents and programs wrote by themselves since you last looked.",
               invoke_without_command=True)

Id = Annotated[str, typer.Argument(metavar="ID", help="The item, or the start of its id.")]


@app.callback()
def list_inbox(
    ctx: typer.Context,
    since: Annotated[str, typer.Option(
        "--since", help="What was written after this day instead, such as 2026-11-20.")] = "",
    store: Store = None, agent: AgentName = EVERYONE, as_json: Json = False,
) -> None:
    """List what is new, by who wrote it in which session about what."""
    if ctx.invoked_subcommand is not None:
        return
    with reading(store, agent) as workspace, workspace.read() as reader:
        new = inbox(reader, since=since)
    if not output.answered(as_json, inbox_json(new)):
        _tell(new)


def _tell(new: Inbox) -> None:
    if not new.items:
        output.say(f"Nothing new since {new.since[:16].replace('T', ' ')}.")
        return
    for (by, session, name), items in groupby(new.items, key=lambda one: one.group):
        output.say(" · ".join(part for part in (by, session, name) if part))
        for line in map(_line, items):
            output.say(f"  {line}")
    output.note(f"{counted(len(new.items), 'item')}; keep one with “constellation inbox keep ID”, "
                "all with “--all”")


def _line(one: InboxItem) -> str:
    sign = "! " if one.constraint else ""
    waits = "  (waits)" if one.waits else ""
    secret = "  (looks like a secret)" if kinds_of_secrets(one.text) else ""
    return f"{output.short_id(one.id)}  {one.kind}  {sign}{one.text}{waits}{secret}{_decided(one)}"


def _decided(one: InboxItem) -> str:
    other = one_line(one.turned_down, 80)
    return f"  (turned down, not told: “{other}” holds)" if other else ""


@app.command()
def keep(
    ids: Annotated[list[str] | None, typer.Argument(
        metavar="ID...", help="The items, or the start of their ids.", show_default=False)] = None,
    every: Annotated[bool, typer.Option("--all", help="All that is new.")] = False,
    dry_run: DryRun = False, store: Store = None, agent: AgentName = EVERYONE,
    actor: Actor = OPERATOR, as_json: Json = False,
) -> None:
    """Mark what is new as seen: it stays as it is."""
    if bool(ids) == every:
        raise typer.BadParameter("give the ids of items, or --all")

    untold: list[InboxItem] = []

    def change(writer: Writer) -> int:
        items = inbox(writer).items if every else [find_item(writer, id) for id in ids or ()]
        untold[:] = [one for one in items if one.turned_down]
        return inbox_acts.keep_all(writer) if every else inbox_acts.keep(writer, items)

    kept, _ = carry_out(store, agent, actor, lambda kept: f"Keep {counted(kept, 'item')}", change,
                        dry_run=dry_run)
    if not output.answered(as_json, {"kept": kept, "dryRun": dry_run}):
        output.say(f"{'Would keep' if dry_run else 'Kept'} {counted(kept, 'item')}")
        for one in untold:
            output.say(f"  “{one_line(one.text, 80)}” stays untold: you have decided that "
                       f"“{one_line(one.turned_down, 80)}” holds")


@app.command()
def hold(
    by: Annotated[str, typer.Argument(
        metavar="[WHO]", help="Who writes, as the inbox names it; without it, who is held.")] = "",
    off: Annotated[bool, typer.Option("--off", help="Tell what it writes at once again.")] = False,
    dry_run: DryRun = False, store: Store = None, agent: AgentName = EVERYONE,
    actor: Actor = OPERATOR, as_json: Json = False,
) -> None:
    """Hold back what an agent writes, from everybody, until you have kept or corrected it."""
    if not by.strip():
        _list_held(store, agent, as_json)
        return
    act = inbox_acts.release if off else inbox_acts.hold
    verb = "Tell at once" if off else "Hold back"
    count, _ = carry_out(store, agent, actor, f"{verb} what {one_line(by, 60)} writes",
                         lambda writer: act(writer, by), dry_run=dry_run)
    if not output.answered(as_json, {"by": by, "held": not off, "items": count,
                                     "dryRun": dry_run}):
        output.say(f"{'Dry run, nothing changed: ' if dry_run else ''}{verb} what {by} writes; "
                   f"{counted(count, 'item')} {'waited' if off else 'waiting'}")


def _list_held(store: Path | None, agent: str, as_json: bool) -> None:
    with reading(store, agent) as workspace, workspace.read() as reader:
        held = inbox(reader).held
    if not output.answered(as_json, {"held": list(held)}):
        output.say("\n".join(held) or "Nobody is held back.")


@app.command()
def forget(
    id: Id, dry_run: DryRun = False, store: Store = None, agent: AgentName = EVERYONE,
    actor: Actor = OPERATOR, as_json: Json = False,
) -> None:
    """Take an item out of the graph again: archived, or forgotten where it is a memory."""
    _do("Forget", inbox_acts.forget, id, store, agent, actor, dry_run, as_json)


@app.command()
def pin(
    id: Id, dry_run: DryRun = False, store: Store = None, agent: AgentName = EVERYONE,
    actor: Actor = OPERATOR, as_json: Json = False,
) -> None:
    """Pin what an item is about: it is always told."""
    _do("Pin", inbox_acts.pin, id, store, agent, actor, dry_run, as_json)


@app.command()
def correct(
    id: Id, value: Annotated[str, typer.Argument(help="What is right.")],
    dry_run: DryRun = False, store: Store = None, agent: AgentName = EVERYONE,
    actor: Actor = OPERATOR, as_json: Json = False,
) -> None:
    """Give a value that is new other words, as its next version."""
    act = partial(inbox_acts.correct, value=value)
    _do("Correct", act, id, store, agent, actor, dry_run, as_json)


def _do(
    verb: str, act: Callable[[Writer, InboxItem], None], id: str, store: Path | None, agent: str,
    actor: str, dry_run: bool, as_json: bool,
) -> None:
    """Carry out what a person does with one item, and tell it."""
    def change(writer: Writer) -> InboxItem:
        item = find_item(writer, id)
        act(writer, item)
        return item

    item, _ = carry_out(store, agent, actor, lambda item: f"{verb}: {one_line(item.text, 60)}",
                        change, dry_run=dry_run)
    if not output.answered(as_json, {"item": item, "dryRun": dry_run}):
        output.say(f"{'Dry run, nothing changed: ' if dry_run else ''}{verb}: {item.text}")
