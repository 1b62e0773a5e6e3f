"""Keeps the state of the expectations true while the graph changes, at the cost of what changed."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

from core.expectations.affected import GROUND, affected
from core.expectations.store import KEPT_IN, expectations
from core.model.changes import Changes
from core.model.expectation import CheckedExpectation
from core.store.reader_and_writer import Reader

if TYPE_CHECKING:
    from core.embedding.embedder_interface import Embedder
    from core.session.config import EngineSettings

EVERYTHING = Changes(frozenset(), external=True)
"""What is not known to be as it was."""


def concerns(changes: Changes) -> bool:
    """Whether a change may matter to any expectation."""
    return changes.touches(KEPT_IN, *GROUND)


def together(first: Changes | None, then: Changes) -> Changes:
    """Both changes as one."""
    if first is None:
        return then
    ids = {table: _both(first, then, table) for table in first.tables | then.tables}
    return Changes(first.tables | then.tables, ids, external=first.external or then.external)


def _both(first: Changes, then: Changes, table: str) -> frozenset[str]:
    """The ids of a table; none, which means very many, where either has none."""
    parts = [frozenset() if table in each.ranges else each.ids.get(table, frozenset())
             for each in (first, then) if table in each.tables]
    return frozenset().union(*parts) if all(parts) else frozenset()


def follow(
    reader: Reader, before: Sequence[CheckedExpectation], changes: Changes,
    settings: "EngineSettings", embedder: "Embedder | None",
) -> tuple[CheckedExpectation, ...]:
    """Every expectation as it stands after a change: only new ones and those whose ground it
    touches are checked anew, in the order in which they were written down.
    """
    # A walk and recall, which only a graph with expectations loads.
    from core.expectations.check import check  # noqa: PLC0415

    asked = expectations(reader)
    known = {each.expectation: each for each in before}
    touched = {each.expectation for each in affected(
        reader, [known[one] for one in asked if one in known], changes, settings.traversal)}
    unsure = [one for one in asked if one not in known or one in touched]
    known |= {each.expectation: each for each in check(reader, unsure, settings, embedder)}
    return tuple(known[one] for one in asked)
