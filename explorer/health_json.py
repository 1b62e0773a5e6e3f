"""The health report as JSON: one shape for the command line, HTTP and MCP."""

from collections.abc import Mapping, Sequence
from typing import Any

from core.health.finding import Finding, Fix, Rules
from core.health.mend import Mended
from core.health.report import Report
from core.settings import Settings

Json = dict[str, Any]


def rules_of(settings: Settings, **changed: object) -> Rules:
    """The rules of the report in a person's settings; those given, of the report, otherwise."""
    given = {name: value for name, value in changed.items() if value not in (None, "")}
    return Rules(settings.health.model_copy(update=given), settings.ingest, settings.maintenance,
                 settings.supersession)


def report_json(report: Report) -> Json:
    """Findings and counts.

    `partial` is there only where something is cut off, `left` (how many) only where a person has
    left findings as they are.
    """
    answer: Json = {"findings": [finding_json(one) for one in report.findings],
                    "counts": {kind: count for kind, count in report.counts.items() if count}}
    if report.left:
        answer["left"] = report.left
    if report.partial:
        answer |= {"partial": True, "partialKinds": list(report.partial)}
    return answer


def finding_json(finding: Finding) -> Json:
    """One finding; its id is the same in every report."""
    return {"id": finding.id, "kind": finding.kind, "severity": finding.severity,
            "entityId": finding.entity_id, "entityName": finding.entity_name,
            "text": finding.text, "fix": _fix(finding.fix)}


def _fix(fix: Fix | None) -> Mapping[str, object] | None:
    return None if fix is None else {"operation": fix.operation, "payload": dict(fix.payload)}


def mended_json(mended: Mended) -> Json:
    """What came of fixes."""
    def all_of(findings: Sequence[Finding]) -> list[Json]:
        return [finding_json(one) for one in findings]

    return {"done": all_of(mended.done), "proposed": all_of(mended.waiting),
            "unchanged": all_of(mended.unchanged),
            "refused": [{**finding_json(one.finding), "error": one.error}
                        for one in mended.refused]}
