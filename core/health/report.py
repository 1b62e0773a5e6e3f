"""The health report: all findings of a graph, counted by kind. Reads, and never writes."""

from collections.abc import Collection, Iterable, Mapping
from types import MappingProxyType
from typing import TypeVar

from msgspec import Struct

from core.errors import OperationError
from core.health.finding import Finding, Findings, Rules, SomeFindings, Unmade
from core.health.kinds import KINDS
from core.model.did_you_mean import choices
from core.store.reader_and_writer import Reader

One = TypeVar("One", Finding, Unmade)
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
        found = KINDS[name].find(reader, settings)
        given, counts[name], some = _counted(found, limit, left.get(name, ()))
        findings += given
        passed += some
        if isinstance(found, SomeFindings) or counts[name] > len(given):
            partial.append(name)
    return Report(tuple(findings), counts, tuple(partial), passed)


def _counted(
    found: Iterable[Finding] | Findings, limit: int | None, left: Collection[str]
) -> tuple[list[Finding], int, int]:
    """The first findings of a kind, how many there are, and how many a person has left.

    Those beyond the limit are counted and let go: a wide aspect has tens of thousands.
    """
    if isinstance(found, Findings):
        some, count, passed = _first(found, limit, left)
        return found.made(some), count, passed
    return _first(found, limit, left)


def _first(
    found: Iterable[One], limit: int | None, left: Collection[str]
) -> tuple[list[One], int, int]:
    given: list[One] = []
    count = passed = 0
    for one in found:
        if left and one.id in left:
            passed += 1
            continue
        count += 1
        if limit is None or count <= limit:
            given.append(one)
    return given, count, passed


def wanted(kinds: Iterable[str]) -> tuple[str, ...]:
    """These kinds in the order of the list, all without any; 400 for one that there is not."""
    asked = tuple(kinds)
    for name in asked:
        if name not in KINDS:
            raise OperationError(400, f"No such kind of finding: {name}", field="kind",
                                 do=choices(name, KINDS))
    return tuple(name for name in KINDS if not asked or name in asked)
