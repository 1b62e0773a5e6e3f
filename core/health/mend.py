"""Carries out the fixes of findings, as one step of the history."""

from collections.abc import Sequence

from msgspec import Struct

from core.errors import OperationError
from core.health.finding import Finding
from core.ontology import control
from core.store.reader_and_writer import Writer


class Refused(Struct, frozen=True):
    """A finding whose fix was refused, and why."""

    finding: Finding
    error: str


class Mended(Struct, frozen=True):
    """What came of the fixes.

    Attributes:
        done: mended.
        waiting: proposed, since an agent asked for what a person decides.
        unchanged: what an earlier one of the same group had mended already.
    """

    done: tuple[Finding, ...] = ()
    waiting: tuple[Finding, ...] = ()
    unchanged: tuple[Finding, ...] = ()
    refused: tuple[Refused, ...] = ()


def mend(writer: Writer, findings: Sequence[Finding]) -> Mended:
    """Apply the fix of each finding in their order; those without one are passed over.

    One that is refused, since the fix of another has changed what it is about, does not stop the
    rest. Raises OperationError where all are refused: then nothing is written.
    """
    by_status: dict[str, list[Finding]] = {"applied": [], "pending": [], "unchanged": []}
    refused: list[Refused] = []
    for finding in findings:
        if finding.fix is None:
            continue
        try:
            outcome = control.apply(
                writer, finding.fix.operation, finding.fix.payload, reason=finding.text)
            by_status[outcome.status].append(finding)
        except OperationError as error:
            refused.append(Refused(finding, error.what))
            if len(refused) == len(findings):
                raise
    return Mended(tuple(by_status["applied"]), tuple(by_status["pending"]),
                  tuple(by_status["unchanged"]), tuple(refused))


def label(findings: Sequence[Finding]) -> str:
    """How the history names the step."""
    if len(findings) == 1:
        return f"Mend: {findings[0].text}"[:120]
    kinds = sorted({finding.kind.replace("_", " ") for finding in findings})
    return f"Mend {len(findings)} findings: {', '.join(kinds)}"[:120]
