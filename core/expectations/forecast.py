"""Tells before a change which expectations it would break, and which it would mend."""

from collections.abc import Callable, Sequence
from typing import TypeVar

from msgspec import Struct

from core.embedding.embedder_interface import Embedder
from core.expectations.affected import affected
from core.expectations.check import check
from core.expectations.store import any_expectations, expectations
from core.model.changes import Changes
from core.model.expectation import CheckedExpectation
from core.model.text_formatting import counted
from core.ontology.memory_for_every_value import keep_in_step
from core.session.config import EngineSettings
from core.store.reader_and_writer import Writer
from core.store.touched_rows import touched_by
from core.workspace import Workspace

T = TypeVar("T")


class Forecast(Struct, frozen=True):
    """What a change would do to the expectations, each as it would be after it.

    Attributes:
        checked: how many it touches the ground of.
    """

    breaks: tuple[CheckedExpectation, ...] = ()
    mends: tuple[CheckedExpectation, ...] = ()
    checked: int = 0

    @property
    def words(self) -> str:
        """`breaks 1 expectation, mends 2 expectations`; empty if it does neither."""
        parts = [f"{verb} {counted(len(these), 'expectation')}"
                 for verb, these in (("breaks", self.breaks), ("mends", self.mends)) if these]
        return ", ".join(parts)


NOTHING = Forecast()


def forecast(
    workspace: Workspace, change: Callable[[Writer], T], settings: EngineSettings,
    embedder: Embedder | None, before: Sequence[CheckedExpectation] | None = None,
    between: Callable[[], object] = lambda: None,
) -> Forecast:
    """Run a change in a transaction that is rolled back, and check inside it what it touches.

    Without expectations nothing is run. Raises what the change raises.

    Args:
        before: the expectations as they were last checked, where they have been. What seems to
            break or to be mended is asked without the change as well, as the graph is now.
        between: called before each question; what it raises ends the forecast.
    """
    with workspace.read() as reader:
        if not any_expectations(reader):
            return NOTHING
        if before is None:
            before = check(reader, expectations(reader), settings, embedder, between)
    known = before

    def after_it(writer: Writer) -> tuple[CheckedExpectation, ...]:
        change(writer)
        keep_in_step(writer)
        touched = touched_by(writer)
        unsure = affected(writer, known, Changes(frozenset(touched), touched), settings.traversal)
        return check(writer, [each.expectation for each in unsure], settings, embedder, between)

    after = workspace.rehearse(after_it).result
    held = {each.expectation.id: each.holds for each in known}
    other = [each.expectation for each in after if each.holds != held[each.expectation.id]]
    with workspace.read() as reader:
        # The graph may have changed since they were checked: that is not this change's doing.
        held |= {each.expectation.id: each.holds
                 for each in check(reader, other, settings, embedder, between)}
    return Forecast(
        tuple(each for each in after if not each.holds and held[each.expectation.id]),
        tuple(each for each in after if each.holds and not held[each.expectation.id]),
        len(after))

