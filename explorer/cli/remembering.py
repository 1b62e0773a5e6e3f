"""`remember` and `forget`: takes memories into the graph, and out of it."""

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Annotated, Any

import typer

from core import settings
from core.errors import ConstellationError
from core.ingest.forget import forget as forget_memory
from core.ingest.payload import Remembered, read_many
from core.ingest.remember import remember as remember_memory
from core.model.changes import RowChange
from core.model.remembered import ForgetReport, RememberReport
from core.store.handles import Writer
from explorer.cli import output
from explorer.cli.deciding import INITIATOR, read_text, tell_changes
from explorer.cli.graphs import reading, writing
from explorer.cli.options import (
    EVERYONE,
    OPERATOR,
    Actor,
    AgentName,
    DryRun,
    Force,
    Json,
    Reason,
    Store,
)

_COUNTED = (
    ("entities_inserted", "new entities"), ("mentions_linked", "links to entities"),
    ("relations_inserted", "new relations"), ("aspects_inserted", "new aspects"),
    ("attributes_inserted", "new values"), ("attributes_known", "values known already"),
    ("attributes_superseded", "values replaced"), ("co_occurrences", "weak links"),
)


def remember(
    file: Annotated[Path, typer.Argument(
        help="A memory: JSON (one, a list, or one a line), or plain text; - is standard input.")],
    text: Annotated[bool, typer.Option("--text", help="Take it as plain text.")] = False,
    who: Annotated[str | None, typer.Option("--who", help="Who says so.")] = None,
    project: Annotated[str | None, typer.Option("--project", help="The project.")] = None,
    tags: Annotated[str | None, typer.Option("--tags", help="Words, with commas.")] = None,
    kind: Annotated[str | None, typer.Option("--type", help="fact, decision, ...")] = None,
    importance: Annotated[float | None, typer.Option("--importance", help="0 to 1.")] = None,
    dry_run: DryRun = False, store: Store = None, agent: AgentName = EVERYONE,
    actor: Actor = OPERATOR, as_json: Json = False,
) -> None:
    """Remember something: the memory, whom and what it names, and what is known by it.

    Doing it twice changes nothing. What is not valid is refused whole, with every fault.
    """
    given: dict[str, object] = {
        "who": who, "project": project, "tags": tags, "type": kind, "importance": importance}
    told = read_text(file)
    single, payloads = ("plain", [{"content": told}]) if text else _payloads(file, told)
    tree = settings.load().settings
    found = _checked(single, [_with(item, given) for item in payloads],
                     tree.ingest.max_characters)

    def change(writer: Writer) -> list[RememberReport]:
        return [remember_memory(writer, item, tree.ingest, tree.supersession) for item in found]

    changes: Sequence[RowChange] = ()
    if dry_run:
        with reading(store, agent) as workspace:
            rehearsal = workspace.rehearse(change, actor=actor)
        reports, changes = rehearsal.result, rehearsal.changes
    else:
        with writing(store, agent) as workspace:
            reports = workspace.write(_label(found), change, initiator=INITIATOR, actor=actor)
    if as_json:
        output.answer_json(reports[0] if single else {"items": reports})
    else:
        _tell(reports, dry_run, changes)


def _payloads(file: Path, told: str) -> tuple[str, list[Any]]:
    """What the file holds, and a word if it is one memory: `one` or `plain`."""
    start = told.lstrip()[:1]
    if file.suffix.lower() not in (".json", ".jsonl") and start not in ("{", "["):
        return "plain", [{"content": told}]
    try:
        found = json.loads(told)
    except (ValueError, RecursionError) as error:
        lines = _lines(told)
        if lines is not None:
            return "", lines
        if start == "[" and file.suffix.lower() not in (".json", ".jsonl"):
            return "plain", [{"content": told}]
        raise ConstellationError("This is not JSON", where=str(file), detail=str(error),
                                 do="Use --text to take it as plain text") from None
    return ("", found) if isinstance(found, list) else ("one", [found])


def _lines(told: str) -> list[Any] | None:
    """JSON Lines, None if some line is no JSON."""
    try:
        return [json.loads(line) for line in told.split("\n") if line.strip()]
    except (ValueError, RecursionError):
        return None


def _with(payload: Any, given: dict[str, object]) -> Any:
    """What the options say, where the payload says nothing."""
    if not isinstance(payload, dict):
        return payload
    return {**{name: value for name, value in given.items() if value is not None}, **payload}


def _checked(single: str, payloads: list[Any], longest: int) -> tuple[Remembered, ...]:
    if single:
        return (Remembered.read(payloads[0], longest=longest),)
    if not payloads:
        raise ConstellationError("There is nothing to remember")
    return read_many(payloads, longest=longest)


def _label(found: Sequence[Remembered]) -> str:
    if len(found) > 1:
        return f"Remember {len(found)} memories"
    words = " ".join(found[0].content.split())
    return f"Remember: {words if len(words) <= 60 else words[:59] + '…'}"


def _tell(reports: Sequence[RememberReport], dry_run: bool, changes: Sequence[RowChange]) -> None:
    new = sum(not report.duplicate for report in reports)
    known = f", {len(reports) - new} known already" if new < len(reports) else ""
    output.say(f"{'Would remember' if dry_run else 'Remembered'} {new}{known}"
               f"{'; nothing is changed' if dry_run else ''}")
    if len(reports) == 1:
        output.say(f"memory {reports[0].memory_id}")
    for name, words in _COUNTED:
        number = sum(getattr(report, name) for report in reports)
        if number:
            output.say(f"{number} {words}")
    for report in reports:
        for item in report.skipped:
            output.say(f"left out {item.path} “{item.name}”: {item.what}"
                       f"{f'. {item.do}' if item.do else ''}")
    tell_changes(changes)


def forget(
    memory: Annotated[str, typer.Argument(metavar="ID", help="The memory's id.")],
    reason: Reason = "", force: Force = False, dry_run: DryRun = False, store: Store = None,
    agent: AgentName = EVERYONE, actor: Actor = OPERATOR, as_json: Json = False,
) -> None:
    """Forget a memory, with the values that rest on it and the entities only it told of."""
    def change(writer: Writer) -> ForgetReport:
        return forget_memory(writer, memory, reason, force=force)

    if dry_run:
        with reading(store, agent) as workspace:
            report = workspace.rehearse(change, actor=actor).result
    else:
        with writing(store, agent) as workspace:
            report = workspace.write("Forget a memory", change, initiator=INITIATOR, actor=actor)
    if as_json:
        output.answer_json(report)
        return
    output.say("Would forget it; nothing is changed" if dry_run else "Forgotten")
    for number, words in ((report.mentions_removed, "links to entities are gone"),
                          (report.attributes_retired, "values count no longer")):
        if number:
            output.say(f"{number} {words}")
    for name in report.orphans:
        output.say(f"gone with it: {name}")
