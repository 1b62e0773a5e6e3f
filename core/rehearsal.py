"""A change that is run for real and rolled back: what it would return, and touch."""

import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Generic, TypeVar

from msgspec import Struct

from core.model.changes import RowChange, without_derived
from core.ontology.memory_for_every_value import keep_in_step
from core.ontology.person_only_changes import refuse_changed_rules
from core.store.graph_file import GraphFile
from core.store.malformed_fields import wrong_fields_in_words
from core.store.reader_and_writer import Writer

T = TypeVar("T")


class Rehearsal(Struct, Generic[T], frozen=True):
    """What a change would return and which rows it would touch, from a run that was rolled back."""

    result: T
    changes: tuple[RowChange, ...]


def rehearse(writer: Writer, change: Callable[[Writer], T], agent: str,
             actor: str) -> Rehearsal[T]:
    """Run `change` on a graph that may be written, and roll it back; raises what it raises."""
    writer.begin(agent, actor)
    try:
        with wrong_fields_in_words(writer):
            result = change(writer)
            refuse_changed_rules(writer)
            keep_in_step(writer)
        return Rehearsal(result, without_derived(writer.journal.net()))
    finally:
        writer.take_back()


def rehearse_on_copy(file: GraphFile, change: Callable[[Writer], T], agent: str,
                     actor: str) -> Rehearsal[T]:
    """The same for a graph that may not be written, on a copy that is deleted."""
    with tempfile.TemporaryDirectory(prefix="constellation-") as folder:
        writer = file.open_copy(Path(folder), agent)
        try:
            return rehearse(writer, change, agent, actor)
        finally:
            writer.close()
