"""Keeps agents from changing the rules in force: they propose, and a person decides.

Signet's newest generation has it so for what a harness sends: a destructive operation becomes a
proposal, and to apply a proposal is refused (403). Here any change of a constraint in force is
such a decision as well, by whichever way it comes, and so are bringing back what a person archived
and taking away what a person said, also for something newer in its place.
"""

from collections.abc import Iterator, Mapping

from core.errors import OperationError
from core.model.changes import RowChange
from core.ontology import wording
from core.queries.archived_by_person import (
    SAID_WITH,
    WHO_SAID,
    archived_value,
    by_whom,
    is_of_person,
    is_said_by_person,
)
from core.queries.authors import is_by_person, is_person
from core.queries.rows_to_model import text
from core.store.reader_and_writer import Writer

_TABLES = ("entity_attributes", "entity_aspects", "entities", "muted_entities")
_ARCHIVABLE = ("entity_attributes", "entity_aspects", "entities", "entity_dependencies",
               "epistemic_assertions")
_MEANT = ("content", "kind", "status", "aspect_id", "agent_id")
"""The columns of a value that say what the rule is, whose, and that it is in force."""
_UNDER = """
SELECT v.content FROM (
  SELECT s.id FROM entity_aspects s WHERE s.id = :id AND +s.agent_id = :agent
  UNION SELECT s.id FROM entity_aspects s WHERE s.entity_id = :id AND +s.agent_id = :agent) k
CROSS JOIN entity_attributes v ON v.aspect_id = k.id
WHERE +v.agent_id = :agent AND v.kind = 'constraint' AND v.status = 'active'
ORDER BY v.importance DESC, v.id"""

_SAID_UNDER = f"""
SELECT v.content, {WHO_SAID} FROM (
  SELECT s.id FROM entity_aspects s WHERE s.id = :id AND +s.agent_id = :agent
  UNION SELECT s.id FROM entity_aspects s WHERE s.entity_id = :id AND +s.agent_id = :agent) k
CROSS JOIN entity_attributes v ON v.aspect_id = k.id {SAID_WITH}
WHERE +v.agent_id = :agent AND v.status = 'active' ORDER BY v.importance DESC, v.id"""


def refuse_decision(writer: Writer) -> None:
    """Raise 403 unless a person decides on a proposal, by applying or rejecting it."""
    if not is_person(writer):
        raise OperationError(403, f"{wording.short(writer.actor)} may propose, not decide",
                             do="A person applies or rejects proposals")


def refuse_changed_rules(writer: Writer, since: int = 0) -> None:
    """Raise 403 if no person makes this change and it takes a rule in force away, or alters it.

    Args:
        since: the position of the journal at which the change began.
    """
    rule = None if is_person(writer) else next(_changed_rules(writer, since), None)
    if rule is not None:
        raise OperationError(
            403, f"“{wording.short(rule)}” is a constraint in force, and"
                 f" {wording.short(writer.actor)} may only propose to change it",
            do="A person decides about rules")


def refuse_taken_away(writer: Writer, since: int = 0) -> None:
    """Raise 403 if no person makes this change and it takes away what a person wrote or applied."""
    words = None if is_person(writer) else next(_taken_away(writer, since), None)
    if words is not None:
        raise OperationError(
            403, f"“{wording.short(words)}” was said by a person, and"
                 f" {wording.short(writer.actor)} may only propose to change it",
            do="A person decides about it")


def _taken_away(writer: Writer, since: int) -> Iterator[str]:
    """The words of each value of a person in force that ends, or is told no more."""
    for change in writer.journal.changes_since(since, _TABLES):
        if change.table == "entity_attributes":
            before, after = change.before or {}, change.after or {}
            ended = before.get("status") == "active" and after.get("status") != "active"
            if ended and is_of_person(writer, str(change.key[0])):
                yield str(before["content"])
        elif _counts(change.before or {"status": ""}) and not _counts(
                change.after or {"status": "deleted"}):
            for row in writer.rows(_SAID_UNDER, id=change.key[0]):
                if is_said_by_person(row["by"], row["remembered_by"], writer.agent):
                    yield str(row["content"])


def refuse_brought_back(writer: Writer, since: int = 0) -> None:
    """Raise 403 if no person makes this change and it brings back what a person archived.

    A new value with the words of one that a person archived or corrected is such a thing, too.
    """
    if is_person(writer):
        return
    for change in writer.journal.changes_since(since, _ARCHIVABLE):
        before, after = change.before or {}, change.after or {}
        gone = _brought_back(writer, change.table, before, after)
        if gone is not None:
            words, how = gone
            raise OperationError(
                403, f"“{wording.short(words)}” was {how}, and"
                     f" {wording.short(writer.actor)} may only propose to bring it back",
                do="A person decides about it")


def _brought_back(
    writer: Writer, table: str, before: Mapping[str, object], after: Mapping[str, object]
) -> tuple[str, str] | None:
    """The words that come back, and how they had gone."""
    if after.get("status") != "active" or before.get("status") == "active":
        return None
    if before:
        words = next((before[name] for name in ("content", "name", "reason", "dependency_type")
                      if before.get(name)), "it")
        if before["status"] == "superseded" and before.get("superseded_by"):
            corrected = is_of_person(writer, str(before["superseded_by"]))
            return (str(words), "corrected by a person") if corrected else None
        gone = before["status"] in ("archived", "deleted")
        by_person = gone and is_by_person(before.get("archived_by"), writer.agent)
        return (str(words), "archived by a person") if by_person else None
    owner = table == "entity_attributes" and writer.value(
        "SELECT entity_id FROM entity_aspects WHERE id = :id AND +agent_id = :agent",
        id=after["aspect_id"])
    if not owner:
        return None
    claim, group = (text(after.get(name)) or None for name in ("claim_key", "group_key"))
    row = archived_value(
        writer, str(owner), text(after["content"]), claim, group, beside=str(after["id"]))
    return None if row is None else (str(row["content"]), by_whom(row))


def _changed_rules(writer: Writer, since: int) -> Iterator[str]:
    """The words of each rule that was in force and is changed, gone, or told no more."""
    for change in writer.journal.changes_since(since, _TABLES):
        if change.table == "entity_attributes":
            yield from _changed_value(change)
        elif _goes(change):
            for row in writer.rows(_UNDER, id=change.key[0]):
                yield str(row["content"])


def _changed_value(change: RowChange) -> Iterator[str]:
    before, after = change.before or {}, change.after or {}
    in_force = (before.get("kind"), before.get("status")) == ("constraint", "active")
    if in_force and any(before.get(name) != after.get(name) for name in _MEANT):
        yield str(before["content"])


def _goes(change: RowChange) -> bool:
    """True of an aspect or an entity that is archived, deleted, muted or given to another one."""
    if change.table == "muted_entities":
        return change.before is None
    if change.before is None:
        return False
    after = change.after or {"status": "deleted"}
    moved = change.before.get("entity_id") != after.get("entity_id")
    return moved or _counts(change.before) and not _counts(after)


def _counts(row: Mapping[str, object]) -> bool:
    return row.get("status", "active") == "active" and not row.get("muted")

