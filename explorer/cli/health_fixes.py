"""`knowledge hygiene --fix`: mends one finding, or all of a kind."""

from collections.abc import Collection, Mapping, Sequence
from pathlib import Path

from core.errors import OperationError
from core.health.dismissed_findings import leave, left_findings
from core.health.finding import Finding, Rules
from core.health.kinds import KINDS
from core.health.mend import Mended, label, mend
from core.health.report import report
from core.model.did_you_mean import choices
from core.model.text_formatting import counted
from core.store.reader_and_writer import Reader, Writer
from core.workspace import Workspace
from explorer.cli import output
from explorer.cli.open_graph import reading
from explorer.cli.run_operation import carry_out, tell_changes
from explorer.health_json import mended_json
from explorer.model_json import plain


def carry_out_fix(
    which: str, rules: Rules, store: Path | None, agent: str, actor: str, dry_run: bool,
    as_json: bool,
) -> None:
    """Mend what `which` names, a kind or an id, and tell what came of it."""
    with reading(store, agent) as workspace:
        left = left_findings(workspace.sidecar, agent) if which in KINDS else {}

    def change(writer: Writer) -> tuple[Sequence[Finding], Mended]:
        findings = meant(writer, rules, which, left)
        return findings, mend(writer, findings)

    (_, mended), changes = carry_out(
        store, agent, actor, lambda result: label(result[0]), change, dry_run=dry_run)
    if as_json:
        answer = {**mended_json(mended), "dryRun": dry_run}
        output.answer_json({**answer, "changes": plain(changes)} if dry_run else answer)
        return
    _tell(mended, dry_run)
    if dry_run:
        tell_changes(changes)


def leave_as_is(workspace: Workspace, rules: Rules, id: str) -> None:
    """Do not report a finding again; 404 where there is none with this id."""
    with workspace.read() as reader:
        finding = next((one for one in report(reader, rules).findings if one.id == id), None)
    if finding is None:
        raise OperationError(404, f"No finding “{id}”", field="leave")
    leave(workspace.sidecar, workspace.agent, {id: finding.kind})


def meant(
    reader: Reader, rules: Rules, which: str, left: Mapping[str, Collection[str]]
) -> list[Finding]:
    """The findings with a fix that a kind or an id names; 404 where there is none."""
    kinds = (which,) if which in KINDS else ()
    findings = [one for one in report(reader, rules, kinds=kinds, left=left).findings
                if kinds or one.id == which]
    if not findings:
        raise OperationError(404, f"No finding “{which}”", field="fix",
                             do=choices(which, KINDS) if not kinds else "There is none any more")
    fixable = [one for one in findings if one.fix]
    if not fixable:
        raise OperationError(
            409, "Only a person can say how to mend this" if len(findings) == 1 else
            f"None of the {len(findings)} findings has a fix", field="fix",
            detail=findings[0].text)
    return fixable


def _tell(mended: Mended, dry_run: bool) -> None:
    said = "Dry run, nothing changed. Would mend" if dry_run else "Mended"
    if mended.done:
        output.say(f"{said} {counted(len(mended.done), 'finding')}:")
        output.table(("", "", ""), ((f"  {one.fix.operation if one.fix else ''}", one.id, one.text)
                                    for one in mended.done), empty="")
    if mended.waiting:
        output.say(f"{counted(len(mended.waiting), 'fix', 'fixes')} proposed: a person decides")
    if mended.unchanged:
        output.say(f"{counted(len(mended.unchanged), 'finding')} mended by another fix already")
    for one in mended.refused:
        output.note(f"Left as it is: {one.finding.text}: {one.error}")
    if mended.done and not dry_run:
        output.note("“constellation undo” takes all of it back")
