"""Carries out an operation of the catalogue from the window."""

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import TYPE_CHECKING

from msgspec.structs import replace

from core.model.text_formatting import one_line
from core.store.reader_and_writer import Reader, Writer
from core.workspace import Written
from ui.context import Context
from ui.error_words import told
from ui.models.past_tense_wording import deed
from ui.runner import alive

if TYPE_CHECKING:
    from core.ontology.proposals import Outcome

WARNED = 240
"""Characters of what is to be minded, in the toast."""


def operate(
    context: Context,
    operation: str,
    payload: Mapping[str, object],
    *,
    done: "Callable[[Outcome], None] | None" = None,
    failed: Callable[[BaseException], None] | None = None,
    force: bool = False,
    first: Sequence[tuple[str, Mapping[str, object]]] = (),
    check: Callable[[Reader], None] | None = None,
) -> None:
    """Apply an operation as one undoable step that is named after what it does.

    Args:
        check: refuses by an error where the graph is no longer as it was shown.
        first: operations and payloads that belong to it: all are done or none is. They go before,
            so that what is to be minded is told of the graph as it is after the step.
    """

    def title(reader: Reader) -> str:
        # On the reader's thread: the operations take long to load, at the first of them.
        from core.ontology.step_titles import step_title  # noqa: PLC0415

        return step_title(reader, operation, payload)

    def change(writer: Writer) -> "Outcome":
        from core.ontology import control  # noqa: PLC0415  as above

        if check is not None:
            check(writer)
        others = [control.apply(writer, name, fields, force=force)
                  for name, fields in first]
        outcome = control.apply(writer, operation, payload, force=force)
        if not outcome.changed and any(other.changed for other in others):
            return replace(outcome, status="applied")
        return outcome

    def finish(label: str, written: "Written[Outcome]") -> None:
        outcome = written.result
        if words := _worth_saying(label, outcome.result or {}):
            context.say(words, entry=written.entry)
        if done is not None and alive(done):
            done(outcome)

    def write(label: str) -> None:
        context.runner.write(label, change, partial(finish, label), failed)

    context.runner.read(title, write, failed)


def _worth_saying(label: str, result: Mapping[str, object]) -> str:
    """What a person may not have expected: a rule was replaced, or something is to be minded."""
    for key, words in (("replacedConstraints", "Replaced the constraint “{}”."),
                       ("warnings", f"{deed(label)}. {{}}")):
        items = result.get(key)
        if isinstance(items, list) and items:
            return words.replace("{}", one_line(told(items[0]), WARNED))
    return ""
