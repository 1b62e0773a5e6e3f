"""Proposes what may not be written at once: there is no room for it, or a person said otherwise.

A cap never drops the newer; what could go for it is named.
"""

from collections.abc import Mapping

from core.errors import OperationError
from core.ingest.payload import AspectIn, AttributeIn
from core.ingest.remember_state import KnownEntity, RememberState
from core.model.ingest_results import Proposed
from core.model.split_words import written_words
from core.model.text_formatting import one_line
from core.ontology import control
from core.ontology.change_provenance import Source
from core.queries.disputes import SAID_BY_A_PERSON
from core.queries.rows_to_model import text

COULD_GO = 3
"""So many of the weakest are named."""
_WEAKEST_VALUES = """
SELECT v.content FROM entity_attributes v WHERE v.aspect_id = :id AND v.status = 'active'
  AND v.kind = 'attribute' AND +v.agent_id = :agent
ORDER BY v.importance, v.created_at, v.rowid LIMIT :some"""
_WEAKEST_ASPECTS = """
SELECT s.name AS content FROM entity_aspects s WHERE s.entity_id = :id AND s.status = 'active'
  AND +s.agent_id = :agent ORDER BY s.weight, s.updated_at, s.rowid LIMIT :some"""


def propose_value(
    state: RememberState, known: KnownEntity, aspect_id: str, aspect: str, item: AttributeIn,
    kind: str, path: str,
) -> None:
    """Propose a value for an aspect that is full."""
    most = state.settings.max_attributes_per_aspect
    what = f"The aspect “{aspect}” has its {most} values"
    could_go = _weakest(state, _WEAKEST_VALUES, aspect_id)
    _propose(state, "add_claim_value", _claim(known, aspect_id, item, kind), path, item.content,
             "attribute_over_cap", what, could_go,
             "Set a claim key so that it supersedes a value, merge aspects, or archive a value")


def propose_replacement(
    state: RememberState, known: KnownEntity, aspect_id: str, item: AttributeIn, kind: str,
    path: str, said: str,
) -> None:
    """Propose a value in the place of one that a person wrote or applied: `said`."""
    _propose(state, "set_claim_value", _claim(known, aspect_id, item, kind), path, item.content,
             "said_by_a_person", f"“{one_line(said, 80)}” {SAID_BY_A_PERSON}", (),
             "A person decides about it")


def propose_aspect(
    state: RememberState, known: KnownEntity, block: AspectIn, decision: bool, path: str
) -> None:
    """Propose the values of an aspect that an entity has no room for; without any, the aspect."""
    most = state.settings.max_aspects_per_entity
    what = f"“{known.name}” has its {most} aspects"
    could_go = _weakest(state, _WEAKEST_ASPECTS, known.id)
    remedy = "Merge two of its aspects, or archive one"
    if not block.attributes:
        _propose(state, "create_aspect", {"entity": known.id, "name": block.aspect}, path,
                 block.aspect, "aspect_over_cap", what, could_go, remedy)
    for number, item in enumerate(block.attributes):
        kind = item.kind or ("constraint" if decision else "attribute")
        _propose(state, "add_claim_value", _claim(known, block.aspect, item, kind),
                 f"{path}.attributes[{number}]", item.content, "aspect_over_cap", what, could_go,
                 remedy)


def _claim(
    known: KnownEntity, aspect: str, item: AttributeIn, kind: str
) -> dict[str, object]:
    """The payload that adds a value; a claim without a key is called by its first words."""
    given = {"confidence": item.confidence, "importance": item.importance,
             "group_key": item.group_key}
    key = item.claim_key or key_of_words(item.content)
    return {"entity": known.id, "aspect": aspect, "claim_key": key, "kind": kind,
            "value": item.content,
            **{name: value for name, value in given.items() if value is not None}}


def key_of_words(content: str) -> str:
    """The key of a claim without one: its first words."""
    return "_".join(written_words(content.lower())[:6]) or "value"


def _weakest(state: RememberState, statement: str, id: str) -> tuple[str, ...]:
    return tuple(text(row["content"]) for row in state.writer.rows(
        statement, id=id, some=COULD_GO))


def _propose(
    state: RememberState, operation: str, payload: Mapping[str, object], path: str, name: str,
    reason: str, what: str, could_go: tuple[str, ...], remedy: str,
) -> None:
    """Propose it; skip it in a file without proposals, and where it was turned down before."""
    weakest = ", ".join(f"“{one_line(one, 80)}”" for one in could_go)
    rationale = f"{what}." + (f" What could go for it: {weakest}." if weakest else "")
    try:
        proposal = control.propose(
            state.writer, operation, payload, reason=rationale,
            evidence=({"memory_id": state.memory_id, "quote": name},),
            source=Source("memory", state.memory_id))
    except OperationError as error:
        if error.status != 409:
            raise
        state.skip(path, name, reason, what, remedy)
        return
    state.proposed.append(Proposed(path, name, proposal, what, could_go))
    state.note(path, name, f"is proposed: {rationale}")
