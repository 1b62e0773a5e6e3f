"""`remember` and `forget`: takes memories into the graph, and out of it."""

from collections import defaultdict
from collections.abc import Sequence
from functools import partial
from pathlib import Path
from typing import Annotated

import typer
from msgspec.structs import replace

from core.errors import ConstellationError
from core.ingest.payload import Remembered
from core.ingest.remember import remember as remember_memory
from core.model.changes import RowChange
from core.model.ingest_results import ForgetReport, Note, Proposed, RememberReport, Skipped
from core.model.text_formatting import counted, one_line
from core.ontology.forget_and_link_memories import forget as forget_memory
from core.queries.find_by_name_or_id import memory_id
from core.queries.memories import get_memory
from core.store.reader_and_writer import Writer
from explorer.cli import engine_options, output
from explorer.cli.engine_options import Explain, Set
from explorer.cli.errors import typed
from explorer.cli.given_files import is_text_itself, read_text
from explorer.cli.options import (
    EVERYONE,
    OPERATOR,
    Actor,
    AgentName,
    ByTriggers,
    DryRun,
    Force,
    Json,
    Reason,
    Store,
)
from explorer.cli.read_memory_payload_file import read_payload_file
from explorer.cli.run_operation import carry_out, tell_changes, tell_disputes, tell_replaced
from explorer.operation_outcome import new_ids, without

_COUNTED = (
    ("entities_inserted", "new entity", "new entities"),
    ("mentions_linked", "link to an entity", "links to entities"),
    ("relations_inserted", "new relation", "new relations"),
    ("aspects_inserted", "new aspect", "new aspects"),
    ("attributes_inserted", "new value", "new values"),
    ("attributes_known", "value known already", "values known already"),
    ("attributes_superseded", "value replaced", "values replaced"),
    ("co_occurrences", "weak link", "weak links"),
)
_ALIKE = 3
"""What was left out for one reason is told so many times; --json lists all."""


def remember(
    file: Annotated[str, typer.Argument(
        metavar="FILE",
        help="A memory: JSON (one, a list, or one per line) or plain text; - for standard input. "
             "With --text the words themselves, too.")],
    text: Annotated[bool, typer.Option(
        "--text", help="Read it as plain text; what is no file is remembered itself.")] = False,
    who: Annotated[str | None, typer.Option("--who", help="The person it comes from.")] = None,
    project: Annotated[str | None, typer.Option("--project", help="The project.")] = None,
    tags: Annotated[str | None, typer.Option("--tags", help="Tags, separated by commas.")] = None,
    kind: Annotated[str | None, typer.Option("--type", help="fact, decision, ...")] = None,
    importance: Annotated[float | None, typer.Option("--importance", help="0 to 1.")] = None,
    visibility: Annotated[str | None, typer.Option(
        "--visibility", help="global or private. What an agent other than default remembers is "
                             "private where nothing is said.")] = None,
    setting: Set = None, explain: Explain = False, force: ByTriggers = False,
    dry_run: DryRun = False, store: Store = None, agent: AgentName = EVERYONE,
    actor: Actor = OPERATOR, as_json: Json = False,
) -> None:
    """Store a memory with its entities, relations and claims.

    Storing it twice changes nothing. Invalid input is refused completely, with all faults.
    """
    given: dict[str, object] = {
        "who": who, "project": project, "tags": tags, "type": kind, "importance": importance,
        "visibility": visibility}
    if not file.strip():
        raise ConstellationError("There is nothing to remember", do="Name a file, or give the "
                                 "words: constellation remember --text “…”")
    words = file if text and is_text_itself(file) else read_text(Path(file))
    payload = read_payload_file(Path(file), words, text)
    tree = engine_options.settings_with("ingest", setting)
    memories = payload.checked(given, tree.ingest.max_characters)

    def change(writer: Writer) -> list[RememberReport]:
        return [remember_memory(writer, item, tree.ingest, tree.supersession, explain=explain)
                for item in memories]

    reports, changes = carry_out(store, agent, actor, partial(_label, memories), change,
                                 dry_run=dry_run, force=force)
    if as_json:
        output.answer_json(without(reports[0] if payload.single else {"items": reports},
                                   new_ids(changes)))
    else:
        _tell(reports, dry_run, changes)
        if agent != EVERYONE and any(item.visibility is None for item in memories):
            output.say(f"private: only {agent} is told of it; --visibility global shares it")


def _label(memories: Sequence[Remembered], reports: Sequence[RememberReport]) -> str:
    if not any(report.memory_id for report in reports):
        return f"Propose to say again: {one_line(memories[0].content, 60)}"
    if len(memories) > 1:
        return f"Remember {len(memories)} memories"
    return f"Remember: {one_line(memories[0].content, 60)}"


def _tell(reports: Sequence[RememberReport], dry_run: bool, changes: Sequence[RowChange]) -> None:
    known_already = sum(bool(report.duplicate) for report in reports)
    new = sum(bool(report.memory_id) for report in reports) - known_already
    known = f", {known_already} known already" if known_already else ""
    output.say(f"{'Would remember' if dry_run else 'Remembered'} {new}{known}"
               f"{'; nothing changed' if dry_run else ''}")
    for words in dict.fromkeys(report.waits for report in reports if report.waits):
        output.say(words)
    if len(reports) == 1 and reports[0].memory_id not in ("", *new_ids(changes)):
        output.say(f"memory {reports[0].memory_id}")
    for name, one, many in _COUNTED:
        number = sum(getattr(report, name) for report in reports)
        if number:
            output.say(f"{number} {one if number == 1 else many}")
    for warning in dict.fromkeys(one for report in reports for one in report.warnings):
        output.note(f"! {typed(warning)}")
    if any(report.decision for report in reports):
        output.say("stored as a decision: its values are constraints")
    tell_replaced([rule for report in reports for rule in report.replaced_constraints])
    tell_disputes([one for report in reports for one in report.disputes])
    _tell_proposed([item for report in reports for item in report.proposed])
    _tell_skipped([item if len(reports) == 1 else replace(item, path=f"$[{place}]{item.path[1:]}")
                   for place, report in enumerate(reports) for item in report.skipped])
    for report in reports:
        for merged in report.merged:
            output.say(f"{merged.path}: {merged.words}")
    tell_changes(changes)
    for report in reports:
        _tell_notes(report.notes)


def _tell_proposed(proposed: Sequence[Proposed]) -> None:
    if proposed:
        values = counted(len(proposed), "value is", "values are")
        output.say(f"{values} proposed, not stored:")
    for item in proposed[:_ALIKE]:
        weakest = ", ".join(f"“{one_line(one, 40)}”" for one in item.could_go)
        could_go = f"; what could go: {weakest}" if weakest else ""
        output.say(f"  {output.short_id(item.proposal_id)}  “{one_line(item.name, 60)}”: "
                   f"{item.what}{could_go}")
    if len(proposed) > _ALIKE:
        output.say(f"  and {len(proposed) - _ALIKE} more; --json lists all")


def _tell_skipped(skipped: Sequence[Skipped]) -> None:
    alike: defaultdict[str, list[Skipped]] = defaultdict(list)
    for item in skipped:
        alike[item.reason].append(item)
    for items in alike.values():
        for item in items[:_ALIKE]:
            output.say(f"left out {item.path} “{one_line(item.name, 60)}”: {item.what}"
                       f"{f'. {item.do}' if item.do else ''}")
        if len(items) > _ALIKE:
            output.say(f"left out {len(items) - _ALIKE} more for the same reason; --json lists all")


def _tell_notes(notes: Sequence[Note]) -> None:
    for note in notes:
        output.say(f"because {note.path} “{one_line(note.name, 60)}”: {note.why}")


def forget(
    memory: Annotated[str, typer.Argument(metavar="ID", help="The memory's id, or its first "
                                                             "characters.")],
    reason: Reason = "", force: Force = False, explain: Explain = False, dry_run: DryRun = False,
    store: Store = None, agent: AgentName = EVERYONE, actor: Actor = OPERATOR,
    as_json: Json = False,
) -> None:
    """Forget a memory, the values based on it and the entities that only it mentions."""
    label = "Forget a memory"

    def change(writer: Writer) -> ForgetReport:
        nonlocal label
        id = memory_id(writer, memory)
        known = get_memory(writer, id)
        label = f"Forget: {one_line(known.content, 60)}" if known else label
        return forget_memory(writer, id, reason, force=force, explain=explain)

    report, _ = carry_out(store, agent, actor, lambda _: label, change, dry_run=dry_run,
                          force=force)
    if output.answered(as_json, report):
        return
    output.say("Would forget it; nothing changed" if dry_run else "Forgotten")
    for number, one, many in (
        (report.mentions_removed, "link to an entity removed", "links to entities removed"),
        (report.attributes_retired, "value retired", "values retired"),
    ):
        if number:
            output.say(f"{number} {one if number == 1 else many}")
    for name in report.orphans:
        output.say(f"also removed: {name}")
    _tell_notes(report.notes)
