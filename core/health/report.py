"""The health report: all findings of a graph, counted by kind. Reads, and never writes."""

from collections.abc import Collection, Iterable, Mapping, Sequence
from types import MappingProxyType

from msgspec import Struct

from core.errors import OperationError
from core.health.finding import Finding, Rules, SomeFindings
from core.health.kinds import KINDS
from core.model.did_you_mean import choices
from core.store.reader_and_writer import Reader

NOTHING_LEFT: Mapping[str, Collection[str]] = MappingProxyType({})


class Report(Struct, frozen=True):
    """What is wrong with a graph.

    Attributes:
        findings: by kind in the order of `KINDS`.
        counts: how many there are of each kind that was looked for, also where findings are cut.
        partial: the kinds of which findings are left out, or that did not look at everything.
        left: how many findings a person has left as they are; they are neither given nor counted.
    """

    findings: tuple[Finding, ...]
    counts: dict[str, int]
    partial: tuple[str, ...] = ()
    left: int = 0


def report(
    reader: Reader, rules: Rules | None = None, *, kinds: Collection[str] = (),
    limit: int | None = None, left: Mapping[str, Collection[str]] = NOTHING_LEFT,
) -> Report:
    """Look for findings.

    Args:
        kinds: names of the kinds to look for; all without any.
        limit: the most findings of each kind that are given.
        left: by kind the ids of findings that a person has left as they are: they are not given
            and not counted.

    Raises OperationError (400) for a kind that there is not.
    """
    settings = rules or Rules()
    findings: list[Finding] = []
    counts: dict[str, int] = {}
    partial: list[str] = []
    passed = 0
    for name in wanted(kinds):
        of_kind, some = _of_kind(reader, settings, name, left.get(name, ()))
        passed += some
        counts[name] = len(of_kind)
        findings += of_kind[:limit]
        if isinstance(of_kind, SomeFindings) or (limit is not None and len(of_kind) > limit):
            partial.append(name)
    return Report(tuple(findings), counts, tuple(partial), passed)


def _of_kind(
    reader: Reader, rules: Rules, name: str, left: Collection[str]
) -> tuple[Sequence[Finding], int]:
    """All findings of a kind but those that were left, and how many those are."""
    findings = KINDS[name].find(reader, rules)
    if not isinstance(findings, Sequence):
        findings = list(findings)
    if not left:
        return findings, 0
    some = SomeFindings if isinstance(findings, SomeFindings) else list
    stay = some(one for one in findings if one.id not in left)
    return stay, len(findings) - len(stay)


def wanted(kinds: Iterable[str]) -> tuple[str, ...]:
    """These kinds in the order of the list, all without any; 400 for one that there is not."""
    asked = tuple(kinds)
    for name in asked:
        if name not in KINDS:
            raise OperationError(400, f"No such kind of finding: {name}", field="kind",
                                 do=choices(name, KINDS))
    return tuple(name for name in KINDS if not asked or name in asked)
