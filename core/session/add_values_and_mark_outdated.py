"""Brings what a session is told up to date: adds values without a memory, marks outdated ones."""

from collections.abc import Mapping, Sequence
from functools import lru_cache

from msgspec.structs import replace

from core.model.detect_retractions import Said, taken_back
from core.model.search_words import STOP_WORDS, words
from core.model.session_start_and_end import SessionCandidate
from core.model.walk import Walk, WalkedConstraint
from core.queries.memory_subjects import NOBODY, owners
from core.queries.outdated_memories import standing
from core.recall.question import Question
from core.recall.values_without_memory import ValueWithoutMemory, find_untold
from core.store.reader_and_writer import Reader

LONGEST_LABEL = 20
"""Characters of a label that programs put before a rule which they remember."""


def values_at_hand(
    reader: Reader, question: Question, walk: Walk, most: int
) -> Mapping[str, ValueWithoutMemory]:
    """The values without a memory that the walk reached or that hold words of the question.

    Constraints are left out: they have their own section.
    """
    values = find_untold(reader, question.terms, ids=[memory.id for memory in walk.memories],
                         most=most)
    return {value.memory.id: value for value in values if "constraint" not in value.memory.tags}


def as_it_stands(
    reader: Reader, candidates: Sequence[SessionCandidate], further: Sequence[SessionCandidate],
    constraints: Sequence[WalkedConstraint],
) -> tuple[list[SessionCandidate], list[SessionCandidate]]:
    """The candidates and the expected memories with whose each is, and what of it no longer holds.

    A memory that says nothing but a constraint in force is left out: that has its own section.
    """
    every = (*candidates, *further)
    stands = standing(reader, [each.id for each in every])
    owned = owners(reader, {each.id: each.content for each in every})
    disputed = {**taken_back(Said(each.id, each.content, each.created_at) for each in every),
                **stands.disputed}
    rules = [_telling_words(f"{rule.entity_name} {rule.content}") for rule in constraints]

    def says_a_rule(each: SessionCandidate) -> bool:
        said = _telling_words(_without_label(each.content))
        return each.id in stands.constraints and any(said <= rule for rule in rules)

    def marked(several: Sequence[SessionCandidate]) -> list[SessionCandidate]:
        return [replace(each, outdated=stands.outdated.get(each.id, ()),
                        past=each.id in stands.past, disputed=disputed.get(each.id),
                        entity=owner.entity, before=owner.before)
                for each in several if not says_a_rule(each)
                for owner in (owned.get(each.id, NOBODY),)]

    return marked(candidates), marked(further)


def _without_label(content: str) -> str:
    """The text without a label such as `critical rule:` before it."""
    label, _, rest = content.partition(": ")
    return rest if rest and len(label) <= LONGEST_LABEL else content


@lru_cache(maxsize=1_000)
def _telling_words(content: str) -> frozenset[str]:
    """The words of a text; as one types, the same texts come again."""
    return frozenset(words(content)) - STOP_WORDS
