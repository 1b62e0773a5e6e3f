"""Runs one operation: applies it, dry-runs it, or proposes it."""

import json
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path
from typing import TypeVar

import typer
from msgspec import Struct

from core.errors import WritesMore
from core.model.changes import RowChange
from core.model.dispute import Dispute
from core.model.text_formatting import counted, one_line
from core.ontology.wording import is_new_entity, the_entity
from core.queries.find_by_name_or_id import aspect_meant, entity_meant, match_aspects
from core.store.reader_and_writer import Reader, Writer
from core.workspace import Label
from explorer.cli import output
from explorer.cli.dry_run_expectations import note_expectations
from explorer.cli.errors import typed
from explorer.cli.given_files import read_json
from explorer.cli.open_graph import reading, writing
from explorer.operation_outcome import Done, do, done_json, listed

INITIATOR = "command line"
_IN_WORDS = ("warnings", "disputes", "replacedConstraints")
"""What of a result is told in sentences of its own."""
T = TypeVar("T")


class Asked(Struct, frozen=True, kw_only=True):
    """What every write command is given beside the operation's own fields."""

    store: Path | None
    agent: str
    actor: str
    reason: str
    evidence_file: Path | None
    dry_run: bool
    propose: bool
    as_json: bool
    force: bool = False
    confidence: float | None = None

    @property
    def evidence(self) -> Sequence[object]:
        """The content of the evidence file."""
        if self.evidence_file is None:
            return ()
        items = read_json(self.evidence_file)
        return items if isinstance(items, list) else [items]


Meant = Callable[[Reader, Mapping[str, object]], tuple[str, Mapping[str, object]]]


def decide(
    operation: str, payload: Mapping[str, object], asked: Asked, meant: Meant | None = None
) -> None:
    """Run one operation and print its result.

    Args:
        meant: what finds the rows that a person named by their words: the operation and payload.
    """
    refuse_both(asked.dry_run, asked.propose)
    evidence = asked.evidence
    doubts: list[str] = []

    def change(writer: Writer) -> Done:
        name, given = meant(writer, payload) if meant else (operation, payload)
        doubts[:] = _perhaps_misspelt(writer, given)
        return do(writer, name, given, propose=asked.propose, reason=asked.reason,
                  evidence=evidence, confidence=asked.confidence)

    done, changes = carry_out(
        asked.store, asked.agent, asked.actor,
        lambda done: f"Propose: {done.title}" if done.waits else done.title, change,
        dry_run=asked.dry_run, force=asked.force)
    _tell(done, asked, changes)
    if done.changed and not asked.as_json:
        for doubt in doubts:
            output.note(f"! {typed(doubt)}")


def _perhaps_misspelt(reader: Reader, payload: Mapping[str, object]) -> list[str]:
    """Which names would be new and are nearly those of what is there, with these."""
    doubts = []
    for field in ("entity", "source_entity", "target_entity"):
        name = payload.get(field)
        if isinstance(name, str) and is_new_entity(reader, name) and (
                meant := entity_meant(reader, name)):
            doubts.append(f"“{one_line(name, 80)}” is a new entity. {meant}")
    owner, aspect = the_entity(reader, str(payload.get("entity") or "")), payload.get("aspect")
    if owner and isinstance(aspect, str) and not match_aspects(reader, owner["id"], aspect) and (
            meant := aspect_meant(reader, owner["id"], aspect)):
        doubts.append(f"“{one_line(aspect, 80)}” is a new aspect. {meant}")
    return doubts


def carry_out(
    store: Path | None, agent: str, actor: str, label: Label[T], change: Callable[[Writer], T], *,
    dry_run: bool = False, force: bool | None = None,
) -> tuple[T, Sequence[RowChange]]:
    """The result of a change; of a dry run also the rows that it touched and put back.

    Args:
        force: keep also what triggers of the file change beside it, however much; None where the
            command has no such option.
    """
    if dry_run:
        with reading(store, agent) as workspace:
            rehearsal = workspace.rehearse(change, actor=actor)
            note_expectations(workspace, change, rehearsal.changes)
            return rehearsal.result, rehearsal.changes
    with writing(store, agent) as workspace:
        try:
            return workspace.write(label, change, initiator=INITIATOR, actor=actor,
                                   force=bool(force)).result, ()
        except WritesMore as error:
            if force is not None:
                error.do += ", or use --force to do it all the same; undo takes all of it back"
            raise


def _tell(done: Done, asked: Asked, changes: Sequence[RowChange]) -> None:
    if asked.as_json:
        output.answer_json(done_json(done, dry_run=asked.dry_run, changes=changes))
        return
    for warning in done.warnings:
        output.note(f"! {typed(warning)}")
    if done.waits:
        said = "Proposed, not done" if done.changed else "Already proposed, nothing added"
        output.say(f"{said}: {done.sentence}")
        output.table(("", ""), [("proposal", done.proposal.id)] if done.proposal else [], empty="")
    elif not done.changed:
        output.say(f"No change needed: {done.sentence}")
    elif asked.dry_run:
        output.say(f"Dry run, nothing changed: {done.sentence}")
        tell_changes(changes)
    else:
        output.say(f"Done: {done.sentence}")
        output.table(("", ""), ((name, _worded(value)) for name, value in
                                (done.result or {}).items()
                                if name not in _IN_WORDS
                                and value is not None and value is not False and value != []),
                     empty="")
        tell_replaced(listed(done.result, "replacedConstraints"))
        tell_disputes(Dispute(**one) for one in listed(done.result, "disputes"))


def _worded(value: object) -> object:
    """A result as a person reads it."""
    if value is True:
        return "yes"
    return json.dumps(value, ensure_ascii=False) if isinstance(value, list | dict) else value


def refuse_both(dry_run: bool, propose: bool) -> None:
    """A dry run proposes nothing."""
    if dry_run and propose:
        raise typer.BadParameter("--dry-run and --propose can't be combined")


def tell_replaced(rules: Iterable[str]) -> None:
    """Print which rules a person's own words have taken the place of."""
    for rule in rules:
        output.say(f"replaced the constraint “{one_line(rule, 80)}”; undo with"
                   " “constellation undo”")


def tell_disputes(disputes: Iterable[Dispute]) -> None:
    """Print which rules new values seem to take back, and how to decide."""
    for one in disputes:
        output.say(f"“{one_line(one.newer, 80)}” seems to take back “{one_line(one.older, 80)}”")
        if one.proposal_id:
            output.say(f"  both are in force until you decide: ontology apply (or reject) "
                       f"{output.short_id(one.proposal_id)}")
        else:
            output.say("  the older one is marked until you archive one of the two; this file is"
                       " from before proposals")


def tell_changes(changes: Sequence[RowChange]) -> None:
    """Print how many rows a dry run touched: `1 new entity`."""
    from core.review.effects import PLURALS  # noqa: PLC0415
    from core.review.row_differences import NOUNS  # noqa: PLC0415 - others need none of it

    counts = Counter(
        (change.table, "new" if change.before is None else
         "gone" if change.after is None else "changed")
        for change in changes if change.table != "ontology_proposals"
    )
    for (table, what), number in sorted(counts.items()):
        noun = NOUNS.get(table, f"row of {table}")
        output.say(counted(number, f"{what} {noun}",
                           f"{what} {PLURALS.get(noun, f'{noun}s')}"))
