"""How long work says how far it has come, and hears that it should stop."""

from collections.abc import Callable

Report = Callable[[float], None]
"""Takes the finished share, 0 to 1; raises `core.errors.Cancelled` when the work should stop."""


def ignore(share: float) -> None:
    """For callers who neither show progress nor stop."""


def part(report: Report, start: float, end: float) -> Report:
    """The report of one stage that reaches from share `start` to share `end` of the whole."""

    def inner(share: float) -> None:
        report(start + (end - start) * share)

    return inner
