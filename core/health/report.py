"""The health report: all findings of a graph, counted by kind. Reads, and never writes."""

from collections.abc import Collection, Iterable
from dataclasses import dataclass

from core.errors import OperationError
from core.health.finding import Finding, Rules
from core.health.kinds import KINDS
from core.model.names import choices
from core.store.handles import Reader


@dataclass(frozen=True, slots=True)
class Report:
    """What is wrong with a graph.

    Attributes:
        findings: by kind in the order of `KINDS`.
        counts: how many there are of each kind that was looked for, also where findings are cut.
        partial: the kinds of which findings are left out.
    """

    findings: tuple[Finding, ...]
    counts: dict[str, int]
    partial: tuple[str, ...] = ()


def report(
    reader: Reader, rules: Rules | None = None, *, kinds: Collection[str] = (),
    limit: int | None = None, left: Collection[str] = (),
) -> Report:
    """Look for findings.

    Args:
        kinds: names of the kinds to look for; all without any.
        limit: the most findings of each kind that are given.
        left: ids of findings that a person has left as they are: they are not given or counted.

    Raises OperationError (400) for a kind that there is not.
    """
    settings = rules or Rules()
    findings: list[Finding] = []
    counts: dict[str, int] = {}
    partial: list[str] = []
    for name in wanted(kinds):
        of_kind = [one for one in KINDS[name].find(reader, settings) if one.id not in left]
        counts[name] = len(of_kind)
        findings += of_kind[:limit]
        if limit is not None and len(of_kind) > limit:
            partial.append(name)
    return Report(tuple(findings), counts, tuple(partial))


def wanted(kinds: Iterable[str]) -> tuple[str, ...]:
    """These kinds in the order of the list, all without any; 400 for one that there is not."""
    asked = tuple(kinds)
    for name in asked:
        if name not in KINDS:
            raise OperationError(400, f"No such kind of finding: {name}", field="kind",
                                 do=choices(name, KINDS))
    return tuple(name for name in KINDS if not asked or name in asked)
