"""Notices that a memory takes back a rule in force, and has a person decide.

Plain words make no values, except here: "We no longer require two approvals" becomes the next
version of the rule that it takes back, so that it is told as the newer one, and can be approved or
turned down like any other value.
"""

from core.ingest.remember_state import RememberState
from core.learning.rule_reversal_wording import reverses, rule_sentences
from core.model.contradiction import Verdict
from core.model.dispute import Dispute
from core.model.names import canonical
from core.model.times import later, not_ahead
from core.ontology import disputes
from core.queries.rows_to_model import text
from core.store.database import Row
from core.store.reader_and_writer import new_id


def note_reversals(state: RememberState, content: str) -> None:
    """Ask about what the new values and the memory's own words seem to take back."""
    state.disputes.extend(one for one in disputes.check(state.writer, state.places)
                          if one not in state.disputes)
    sentences = list(rule_sentences(content)) if state.fresh else []
    if sentences:
        _note_in_text(state, content, sentences)
    for dispute in state.disputes:
        state.note(state.places.get(dispute.newer_id, "$.content"), dispute.newer,
                   f"seems to take back “{dispute.older}”; a person decides")


def _note_in_text(state: RememberState, content: str, sentences: list[str]) -> None:
    rules = _rules(state)
    for sentence in sentences:
        taken_back = [(rule, verdict) for rule in rules
                      if (verdict := reverses(sentence, text(rule["content"]))) is not None]
        # Where the memory names whose rule it is, a like one of something else is not meant.
        named = [pair for pair in taken_back if pair[0]["entity_id"] in state.linked]
        for rule, verdict in named or taken_back:
            whole = canonical(sentence) == canonical(content).rstrip(".!")
            state.disputes.extend(_say(state, rule, sentence, verdict, whole))


def _rules(state: RememberState) -> list[Row]:
    """The rules from before this memory that it may be about, and that it has not asked about."""
    known = {id for dispute in state.disputes for id in (dispute.older_id, dispute.newer_id)}
    types = _types(state)
    return [row for row in disputes.rules_in_force(state.writer)
            if row["id"] not in known and row["id"] not in state.places
            and not later(not_ahead(row["created_at"], state.writer.now()), state.at)
            # The rule of one project is not meant where the memory names another one.
            and (row["entity_id"] in state.linked or row["entity_type"] not in types)]


def _types(state: RememberState) -> set[str]:
    """The types of the entities that the memory names."""
    return {row["entity_type"] for row in state.writer.rows(
        "SELECT e.entity_type FROM entities e"
        " WHERE e.id IN (SELECT value FROM json_each(:ids)) AND +e.agent_id = :agent",
        ids=sorted(state.linked))}


def _say(
    state: RememberState, rule: Row, sentence: str, verdict: Verdict, whole: bool
) -> tuple[Dispute, ...]:
    """Store the sentence as the next version of the rule, and ask which of them holds.

    It rests on the memory where that says nothing else: a memory that is told no longer, because
    its sentence was turned down, takes nothing along.
    """
    writer, id, settings = state.writer, new_id(), state.settings
    writer.insert(
        "entity_attributes", id=id, aspect_id=rule["aspect_id"], agent_id=writer.agent,
        memory_id=state.memory_id if whole else None, kind="constraint", content=sentence,
        normalized_content=canonical(sentence), confidence=settings.confidence,
        importance=settings.decision_importance, status="active", group_key=rule["group_key"],
        claim_key=rule["claim_key"], version=(rule["version"] or 1) + 1,
        version_root_id=rule["version_root_id"] or rule["id"], previous_attribute_id=rule["id"],
        created_at=state.at, updated_at=writer.now())
    state.places[id] = "$.content"
    return disputes.ask(writer, [rule["id"]], id, verdict)
