"""Describes a change row by row and field by field, for display."""

from collections.abc import Iterable, Mapping, Sequence

from msgspec import Struct

from core.model.changes import RowChange
from core.model.link import own_words
from core.model.names import slot_key, spoken
from core.model.partly_compared_struct import PartlyCompared
from core.model.text_formatting import one_line
from core.model.times import day_words
from core.queries.row_names import Labels
from core.queries.rows_to_model import text

Row = Mapping[str, object]

QUOTED = 60
"""Letters of what a row says."""
ARCHIVED = "deleted"
"""The status of archived values, in the file's own words."""
_REVIEW = {"review_after": "confirm after"}
_ALIAS = {"alias": "alias", "entity_id": "entity", "status": "status"}
FIELDS: Mapping[str, Mapping[str, str]] = {
    "entities": {
        "name": "name", "entity_type": "type", "description": "description", "status": "status",
        "pinned": "pinned", "muted": "muted", "mentions": "mentions", "archive_reason": "why",
    },
    "entity_aspects": {
        "name": "name", "entity_id": "entity", "weight": "weight", "status": "status",
        "archive_reason": "why",
    },
    "entity_attributes": {
        "content": "value", "kind": "kind", "group_key": "group", "claim_key": "claim",
        "status": "status", "confidence": "confidence", "importance": "importance",
        "aspect_id": "aspect", "archive_reason": "why",
    },
    "entity_dependencies": {
        "dependency_type": "type", "source_entity_id": "from", "target_entity_id": "to",
        "strength": "strength", "confidence": "confidence", "reason": "reason",
        "status": "status", "archive_reason": "why",
    },
    "entity_aliases": _ALIAS, "other_names": _ALIAS,
    "memory_entity_mentions": {"entity_id": "entity", "mention_text": "link type"},
    "task_meta": {"status": "status", "expires_at": "expires"},
    "epistemic_assertions": {
        "content": "text", "predicate": "how", "speaker": "who",
        "subject_entity_id": "about", "status": "status",
    },
    "muted_entities": {"muted_at": "muted"},
    "claim_reviews": _REVIEW, "review_dates": _REVIEW,
    "ontology_proposals": {"status": "status", "operation": "operation"},
}
"""The columns that say something to a person, by table; every other column is bookkeeping."""

NOUNS = {
    "entities": "entity", "entity_aspects": "aspect", "entity_attributes": "value",
    "entity_dependencies": "link", "entity_aliases": "alias", "other_names": "alias",
    "memory_entity_mentions": "mention", "task_meta": "task", "memories": "memory",
    "epistemic_assertions": "assertion", "relations": "relation",
    "ontology_proposals": "proposal", "muted_entities": "mute", "places": "position in the sky",
    "claim_reviews": "review date", "review_dates": "review date",
}
_UNSAID = {"entities": {"status", "pinned", "muted", "mentions"}, "entity_aspects": {"status"},
           "entity_attributes": {"status", "kind", "content", "aspect_id", "group_key",
                                 "claim_key"},
           "entity_dependencies": {"status", "dependency_type", "source_entity_id",
                                   "target_entity_id"},
           "claim_reviews": {"review_after"}, "review_dates": {"review_after"}}
"""Of a new or a gone row these go without saying: its title says them."""


class FieldChange(Struct, frozen=True):
    """One column of a row; None where the row did not exist."""

    name: str
    before: str | None
    after: str | None


class Difference(PartlyCompared, frozen=True, eq=False):
    """The change of one row, or of a value and the one that it replaces.

    `old` and `new` are texts of a claim, None if there are none. `fields` are other changes of
    interest, `more` are internal fields.
    """

    ASIDE = frozenset({"more"})

    table: str
    verb: str
    """`new`, `changed` or `gone`."""
    title: str
    old: str | None = None
    new: str | None = None
    constraint: bool = False
    aspect_id: str = ""
    """The aspect of a value."""
    fields: tuple[FieldChange, ...] = ()
    more: tuple[FieldChange, ...] = ()


def differences(changes: Iterable[RowChange], labels: Labels) -> tuple[Difference, ...]:
    """The changed rows in words: values first, each with the value that it replaces."""
    rows = [change for change in changes if change.table in NOUNS]
    values = [change for change in rows if change.table == "entity_attributes"]
    rest = [change for change in rows if change.table != "entity_attributes"]
    order = list(NOUNS)
    rest.sort(key=lambda change: order.index(change.table))
    return (*_values(values, labels), *(_row(change, labels) for change in rest))


def _values(changes: Sequence[RowChange], labels: Labels) -> list[Difference]:
    """A value that comes into force and the one that goes from the same slot are one thing."""
    comes = [change for change in changes if not _active(change.before) and _active(change.after)]
    goes = [change for change in changes if _active(change.before) and not _active(change.after)]
    values = []
    for change in comes:
        pair = next((other for other in goes if _slot(other) == _slot(change)), None)
        if pair is not None:
            goes.remove(pair)
        values.append(_value(change, labels, pair))
    values += [_value(change, labels) for change in goes]
    return values + [_value(change, labels) for change in changes
                    if _active(change.before) == _active(change.after)]


def _value(change: RowChange, labels: Labels, gone: RowChange | None = None) -> Difference:
    after, before = change.after, (gone or change).before
    row = after or before or {}
    old = text(before["content"]) if _active(before) and before else None
    new = text(after["content"]) if _active(after) and after else None
    if gone is None and change.before and after and old == new:
        old = new = None  # The words stay: it moves, or one of its numbers changes.
    verb = "changed" if (old is None) == (new is None) else "new" if new else "gone"
    fields, more = _fields(change, labels)
    return Difference("entity_attributes", verb, slot_title(row, labels), old, new,
                      row.get("kind") == "constraint", text(row.get("aspect_id")), fields, more)


def slot_title(row: Row, labels: Labels) -> str:
    """Where a value is: `schedule · start time`."""
    claim = spoken(text(row.get("claim_key"))) if row.get("claim_key") else ""
    return " · ".join(part for part in (labels.aspect(row.get("aspect_id")), claim) if part) \
        or "a value"


def _active(row: Row | None) -> bool:
    return row is not None and row.get("status", "active") == "active"


def _slot(change: RowChange) -> tuple[object, ...]:
    row = change.after or change.before or {}
    claim = slot_key(text(row.get("claim_key")))
    own = None if claim else row.get("version_root_id") or row.get("id")
    return (row.get("aspect_id"), row.get("kind"), slot_key(text(row.get("group_key")), "general"),
            claim, own)


def _row(change: RowChange, labels: Labels) -> Difference:
    verb = "changed" if change.before and change.after else "new" if change.after else "gone"
    fields, more = _fields(change, labels)
    return Difference(change.table, verb, row_title(change, labels), fields=fields, more=more)


def row_title(change: RowChange, labels: Labels) -> str:
    """What kind of row it is and which: `link settlement job → depends on → Postgres`."""
    row = change.after or change.before or {}
    noun = NOUNS.get(change.table, change.table)
    if change.table == "entities":
        return f"{kind_word(row)} {text((change.before or row).get('name'))}"
    if change.table == "entity_aspects":
        return f"aspect {text((change.before or row).get('name'))} of " \
               f"{labels.entity(row.get('entity_id'))}"
    if change.table == "entity_dependencies":
        return f"link {link_title(row, labels)}"
    if change.table == "ontology_proposals":
        return f"proposal to {spoken(text(row.get('operation')))}"
    if change.table == "memories":
        return f"memory “{one_line(text(row.get('content')), QUOTED)}”"
    if change.table == "memory_entity_mentions":
        return f"mention of {labels.entity(row.get('entity_id'))}"
    if change.table in ("entity_aliases", "other_names"):
        return f"alias {text(row.get('alias'))}"
    if row.get("review_after"):
        return f"{noun} {day_words(row['review_after'])}"
    if row.get("entity_id"):
        return f"{noun} of {labels.entity(row['entity_id'])}"
    return noun


def kind_word(entity: Row) -> str:
    """What an entity is: its type, or only that it is one."""
    word = spoken(text(entity.get("entity_type"))) if entity.get("entity_type") else ""
    return word if word not in ("", "unknown") else "entity"


def link_title(row: Row, labels: Labels) -> str:
    """`settlement job → depends on → Postgres`."""
    return (f"{labels.entity(row.get('source_entity_id'))} → "
            f"{_link_words(row)} → {labels.entity(row.get('target_entity_id'))}")


def _link_words(row: Row) -> str:
    kind, reason, source = map(text, map(row.get, ("dependency_type", "reason", "source_kind")))
    return own_words(kind, reason, source) or spoken(kind)


def _fields(
    change: RowChange, labels: Labels
) -> tuple[tuple[FieldChange, ...], tuple[FieldChange, ...]]:
    words = FIELDS.get(change.table, {})
    whole = change.before is None or change.after is None
    unsaid = _UNSAID.get(change.table, set()) if whole else set()
    shown, more = [], []
    for column in change.columns:
        before, after = (_said(column, row, labels) for row in (change.before, change.after))
        if before == after or (whole and not (before or after)):
            continue
        if column in words and column not in unsaid:
            if column != "content":
                shown.append(FieldChange(words[column], before, after))
        elif column not in words and not whole:
            more.append(FieldChange(spoken(column), before, after))
    return tuple(shown), tuple(more)


def _said(column: str, row: Row | None, labels: Labels) -> str | None:
    """A stored value as a person reads it; None where there is no row."""
    if row is None:
        return None
    value = row.get(column)
    if column.endswith("entity_id"):
        return labels.entity(value)
    if column == "aspect_id":
        owner = labels.owner(value)
        return f"{labels.aspect(value)} of {labels.entity(owner)}" if owner else "none"
    if column in ("pinned", "muted"):
        return "yes" if value else "no"
    if column in ("dependency_type", "claim_key", "group_key"):
        return spoken(text(value)) if value else "none"
    if column == "review_after":
        return day_words(value)
    if column == "status" and value == ARCHIVED:
        return "archived"
    if isinstance(value, float):
        return f"{value:.2f}"
    if isinstance(value, bytes):
        return f"{len(value)} bytes"
    return "" if value is None else text(value)
