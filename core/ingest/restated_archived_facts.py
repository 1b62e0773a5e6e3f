"""Notices that an agent's memory says again what a person archived or corrected, and asks them.

The memory is not stored, and what it says is proposed to come back. Only a memory that says that
one fact is such a thing, whatever else of its wording differs: the fact's own words in their order,
beside the entity's name and words that carry no meaning. One that says more is stored as it is.
"""

import re
from functools import partial

from core.errors import OperationError
from core.ingest.mentions import names_meant
from core.ingest.remember_state import RememberState
from core.learning.detect_contradiction import is_negated, words
from core.model.search_words import stem
from core.ontology import control
from core.queries.archived_by_person import by_whom, restated_value
from core.queries.authors import is_person
from core.queries.rows_to_model import text
from core.store.database import Row

_NUMBERS = re.compile(r"\d+")
_STATED_AGAIN = "An agent says so again"


def is_kept_out(state: RememberState, content: str) -> bool:
    """True if the memory is not to be stored; what waits instead is told in `skipped`."""
    row = None if is_person(state.writer) else _restated(state, content)
    if row is None:
        return False
    proposal = _ask(state, row)
    state.skip("$.content", content, "deleted_before",
               f"“{text(row['content'])}” was {by_whom(row)} before",
               f"It waits for a person as proposal {proposal}" if proposal
               else "A person decides about it")
    return True


def _restated(state: RememberState, content: str) -> Row | None:
    for name in names_meant(state.writer, content, state.settings):
        entity = state.find(name.text)
        if entity is None:
            continue
        named = frozenset(words(f"{name.text} {entity.name}").order)
        row = restated_value(state.writer, entity.id, partial(_is_one_fact, content, named))
        if row is not None:
            return row
    return None


def _is_one_fact(memory: str, named: frozenset[str], value: str) -> bool:
    told, said = _meaning(memory, named), _meaning(value, named)
    return told == said and bool(told[0])


def _meaning(said: str, named: frozenset[str]) -> tuple[object, ...]:
    """What is the same of two texts that say one fact of who is named."""
    told = words(said)
    return (tuple(stem(word) for word in told.order if word in told.telling - named),
            is_negated(told), tuple(_NUMBERS.findall(said)))


def _ask(state: RememberState, row: Row) -> str:
    """The proposal to bring it back; empty where the person has turned it down before, or the file
    is from before proposals."""
    try:
        return control.apply(state.writer, "restore_claim_version", {"attribute_id": row["id"]},
                             reason=_STATED_AGAIN).proposal_id
    except OperationError as error:
        if error.status not in (403, 409):
            raise
        return ""
