"""Finds links that a person's newer correction of a value answers otherwise."""

from collections.abc import Iterable, Mapping, Sequence

from core.model.link import own_sentence, own_words
from core.model.link_and_type_synonyms import asked_for_link, asked_for_words
from core.model.names import spoken
from core.model.search_words import STOP_WORDS, stem, words
from core.queries.authors import is_by_person
from core.queries.rows_to_model import text
from core.queries.values_of_memories import resting_on
from core.store.database import Row
from core.store.reader_and_writer import Reader

MOST = 200
"""Links of one entity that are compared with a correction."""
_LINK = """
SELECT d.id, d.dependency_type, d.reason, d.source_kind, d.created_at,
  d.source_entity_id AS source, t.name AS target
FROM {of} CROSS JOIN entities t ON t.id = d.target_entity_id
WHERE d.status = 'active' AND +d.agent_id = :agent AND t.status = 'active'"""
_BY_ID = _LINK.format(
    of="json_each(:ids) f CROSS JOIN entity_dependencies d ON d.id = f.value")
_FROM = _LINK.format(of="entity_dependencies d") + (
    " AND d.source_entity_id = :entity ORDER BY d.created_at DESC LIMIT :most")
_VALUE = """
SELECT v.id, v.memory_id, v.content, v.claim_key, v.created_at, s.name AS aspect, s.entity_id,
  coalesce(p.applied_by, p.created_by) AS who
FROM entity_attributes v CROSS JOIN entity_aspects s ON s.id = v.aspect_id
LEFT JOIN ontology_proposals p ON p.id = v.proposal_id
WHERE {meant} AND +v.status = 'active' AND +v.agent_id = :agent AND (EXISTS (
  SELECT 1 FROM entity_attributes o WHERE o.aspect_id = v.aspect_id AND o.status = 'superseded'
  AND o.superseded_by = v.id) OR EXISTS (
  SELECT 1 FROM entity_attributes o WHERE o.aspect_id = v.aspect_id AND o.superseded_by = v.id))"""
# The one that was replaced is looked for among the superseded ones first: most values are active.


def corrected_links(
    reader: Reader, links: Iterable[str], memories: Sequence[str]
) -> Mapping[str, str]:
    """Of some links those that are told otherwise since; by each the memory that tells it so.

    Args:
        memories: ids of what may rest on a correction, the best first.
    """
    rows = reader.rows(_BY_ID, ids=sorted(links)) if memories else []
    if not rows or not reader.has_table("ontology_proposals"):
        return {}
    meant = resting_on(reader, "v", "SELECT value FROM json_each(:ids)")
    values = {row[id]: row for row in reader.rows(
        _VALUE.format(meant=f"({meant} OR v.id IN (SELECT value FROM json_each(:ids)))"),
        ids=list(memories)) for id in ("id", "memory_id") if is_by_person(row["who"], reader.agent)}
    found: dict[str, str] = {}
    for link in rows:
        for id in memories:
            if id in values and _corrects(values[id], link):
                found.setdefault(link["id"], id)
    return found


def links_otherwise(reader: Reader, value_id: str) -> list[tuple[str, str]]:
    """The links, by id and in words, that still say otherwise than a value that replaced another.
    """
    if not reader.has_table("ontology_proposals"):
        return []
    value = next(iter(reader.rows(_VALUE.format(meant="v.id = :id"), id=value_id)), None)
    if value is None:
        return []
    rows = reader.rows(_FROM, entity=value["entity_id"], most=MOST)
    return [(row["id"], f"{_called(row)} {text(row['target'])}")
            for row in rows if _corrects(value, row)]


def _corrects(value: Row, link: Row) -> bool:
    """True where a value is newer than a link of its entity, of the same point, and says other."""
    if link["source"] != value["entity_id"] or not (
            text(link["created_at"]) < text(value["created_at"])):
        return False
    told, key = words(text(value["content"])), words(spoken(text(value["claim_key"])))
    if set(words(text(link["target"]))) <= set(told):
        return False
    called, kind = _called(link), text(link["dependency_type"])
    # `employer` is asked for as `works at` is.
    asked = _stems((*words(called), *asked_for_link(kind), *asked_for_words(called)))
    return not (_stems(words(called)).isdisjoint(_stems(told)) and asked.isdisjoint(_stems(key)))


def _called(link: Row) -> str:
    kind, reason = text(link["dependency_type"]), text(link["reason"])
    own = (find(kind, reason, link["source_kind"]) for find in (own_words, own_sentence))
    return next(filter(None, own), spoken(kind))


def _stems(spoken_words: Iterable[str]) -> frozenset[str]:
    return frozenset(stem(word) for word in spoken_words if word not in STOP_WORDS)
