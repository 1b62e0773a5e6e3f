"""Tries the changes that would include a near miss, and tells those that work from the others."""

from collections.abc import Callable

from msgspec import Struct

from core.embedding.embedder_interface import Embedder
from core.errors import OperationError
from core.model.walk import Miss
from core.settings import Settings
from core.store.reader_and_writer import Reader
from core.traversal.focal_signals import Signals
from core.workspace import Workspace
from ui.error_words import words_of
from ui.models import what_if
from ui.models.agent_view import Sight, see
from ui.models.near_miss_fixes import NearMiss, near_misses_of
from ui.models.walk_wording import RANKS, miss_words
from ui.models.what_if import Thing

TRIES = 4
"""Stronger and stronger forms of one change that are tried."""


class TriedFix(Struct, frozen=True):
    """A change that would include a near miss, with what a dry run of it gave.

    Attributes:
        still: what keeps it out after the change; empty if nothing does.
        limited: whether that is a limit of the settings.
    """

    thing: Thing
    still: str = ""
    limited: bool = False

    @property
    def works(self) -> bool:
        return not self.still


class _Outcome(Struct, frozen=True):
    """What became of a near miss in a dry run: in, or out with the next changes to try."""

    still: str = ""
    stronger: tuple[Thing, ...] = ()
    limited: bool = False


def try_fixes(
    workspace: Workspace, near: NearMiss, given: Signals, settings: Settings,
    embedder: Embedder | None,
) -> tuple[TriedFix, ...]:
    """Try each change; one that falls short gives way to the stronger one that works."""
    def look(reader: Reader) -> _Outcome:
        return _outcome(reader, near, see(reader, given, settings, embedder), settings)

    return tuple(_try(workspace, thing, look) for thing in near.ways)


def _try(workspace: Workspace, thing: Thing, look: Callable[[Reader], _Outcome]) -> TriedFix:
    outcome = _Outcome()
    for _ in range(TRIES):
        try:
            outcome = what_if.rehearsed(workspace, thing, look)[1]
        except OperationError as error:
            return TriedFix(thing, words_of(error))
        stronger = next((one for one in outcome.stronger if _changes_the_same(one, thing)
                         and one.key != thing.key), None)
        if stronger is None:
            break
        thing = stronger
    return TriedFix(thing, outcome.still, outcome.limited)


def _changes_the_same(one: Thing, other: Thing) -> bool:
    return (one.make.operation, one.word) == (other.make.operation, other.word)


def _outcome(reader: Reader, near: NearMiss, sight: Sight, settings: Settings) -> _Outcome:
    if is_in(near, sight):
        return _Outcome()
    walk = sight.started.walk
    miss = next((one for one in walk.misses or () if (one.kind, one.id) == (
        near.miss.kind, near.miss.id)), None)
    if miss is None:
        return _Outcome("the text has no room for it" if near.miss.id in sight.scores
                        else "the walk does not reach it")
    again = near_misses_of(reader, [miss], walk, settings.traversal)[0]
    return _Outcome(_still(miss), again.ways, again.limited)


def is_in(near: NearMiss, sight: Sight) -> bool:
    """Whether a near miss has come along in another answer."""
    walk, miss = sight.started.walk, near.miss
    if miss.kind == "link":
        return near.entity_id in walk.entity_ids
    if miss.kind == "entity":
        return miss.id in walk.entity_ids
    if miss.kind == "memory":
        return miss.id in sight.taken_ids
    if any((one.kind, one.id) == (miss.kind, miss.id) for one in walk.misses or ()):
        return False
    return miss.kind == "aspect" or near.memory_id is None or (
        near.memory_id in {one.id for one in walk.memories}
        or miss.id in {one.id for one in sight.started.constraints})


def _still(miss: Miss) -> str:
    """What keeps it out, as `it would be link 8, and 4 are taken`."""
    if miss.rule in RANKS and miss.value is not None and miss.limit is not None:
        return f"it would be {RANKS[miss.rule]} {miss.value:.0f}, and {miss.limit:.0f} are taken"
    return miss_words(miss)
