"""What the health panel shows: findings by kind, and what their fixes would do."""

from collections.abc import Sequence

from msgspec import Struct, field

from core.errors import ConstellationError, OperationError
from core.health.dismissed_findings import left_findings
from core.health.finding import Finding, Rules
from core.health.kinds import KINDS
from core.health.mend import Mended, mend
from core.health.report import Report, report
from core.ontology.operation_catalog import CATALOG
from core.ontology.request_descriptions import describe
from core.queries.row_names import labels_of
from core.review.effects import Effect, effects
from core.review.row_differences import Difference, differences
from core.store.reader_and_writer import Reader
from core.workspace import Workspace
from ui.error_words import told, words_of

SHOWN = 200
"""Findings of each kind that are listed."""
SAMPLE = 5
"""Fixes of a group that are told in words."""
ROWS = 40
"""Rows that a fix would change that are shown."""


class KindHead(Struct, frozen=True):
    """The head of a group: its kind, and how many there are."""

    kind: str
    title: str
    count: int
    listed: int

    @property
    def words(self) -> str:
        """`Duplicate entities · 12`; how many are listed where that is less."""
        cut = f", the first {self.listed:,} are listed" if self.listed < self.count else ""
        return f"{self.title} · {self.count:,}{cut}"


class Preview(Struct, frozen=True):
    """What fixes would do, from a dry run.

    Attributes:
        findings: those with a fix.
        sentences: what the first of them do, in words.
        blocked: why it can't be done; empty if it can.
        refused: of several, those that the others leave nothing to do for, each with the reason.
    """

    findings: tuple[Finding, ...]
    sentences: tuple[str, ...] = ()
    destructive: bool = False
    effects: tuple[Effect, ...] = ()
    differences: tuple[Difference, ...] = ()
    rows: int = 0
    blocked: str = ""
    refused: tuple[str, ...] = field(default=())


def load_report(workspace: Workspace, rules: Rules, reader: Reader) -> Report:
    """The findings that are listed."""
    left = left_findings(workspace.sidecar, workspace.agent)
    return report(reader, rules, limit=SHOWN, left=left)


def lines_of(found: Report) -> list[KindHead | Finding]:
    """The findings with a head for each kind."""
    lines: list[KindHead | Finding] = []
    for kind, count in found.counts.items():
        of_kind = [one for one in found.findings if one.kind == kind]
        if of_kind:
            lines += [KindHead(kind, KINDS[kind].title, count, len(of_kind)), *of_kind]
    return lines


def all_of_kind(workspace: Workspace, rules: Rules, kind: str) -> tuple[Finding, ...]:
    """Every finding of a kind that has a fix."""
    left = left_findings(workspace.sidecar, workspace.agent)
    with workspace.read() as reader:
        return tuple(one for one in report(reader, rules, kinds=(kind,), left=left).findings
                     if one.fix is not None)


def load_preview(workspace: Workspace, findings: Sequence[Finding]) -> Preview:
    """Try the fixes in a dry run."""
    fixable = tuple(one for one in findings if one.fix is not None)
    sentences, destructive = _words(workspace, fixable)
    preview = Preview(fixable, sentences, destructive)
    if not fixable:
        return preview
    try:
        rehearsal = workspace.rehearse(lambda writer: mend(writer, fixable))
    except (OperationError, ConstellationError) as error:
        return Preview(fixable, sentences, destructive, blocked=words_of(error))
    changes = [change for change in rehearsal.changes if change.table != "ontology_proposals"]
    with workspace.read() as reader:
        labels = labels_of(reader, changes)
    rows = differences(changes, labels)
    return Preview(fixable, sentences, destructive, effects(changes, labels), rows[:ROWS],
                   len(rows), refused=_refused(rehearsal.result))


def _words(
    workspace: Workspace, findings: Sequence[Finding]
) -> tuple[tuple[str, ...], bool]:
    with workspace.read() as reader:
        sentences = tuple(describe(reader, one.fix.operation, one.fix.payload).sentence
                          for one in findings[:SAMPLE] if one.fix)
    return sentences, any(one.fix and CATALOG[one.fix.operation].destructive for one in findings)


def _refused(mended: Mended) -> tuple[str, ...]:
    return tuple(f"{one.finding.text}: {told(one.error)}" for one in mended.refused)
