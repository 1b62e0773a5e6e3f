"""What keeps facts in good order: when to confirm them, and the other names of entities."""

from msgspec import Struct

from core.queries.rows_to_model import number, text, whole
from core.store.reader_and_writer import Reader, stamp


class Review(Struct, frozen=True):
    """A fact, and after which day it is to be confirmed."""

    attribute_id: str
    entity_id: str
    entity: str
    aspect: str
    group_key: str | None
    claim_key: str | None
    content: str
    review_after: str
    due: bool
    set_by: str


class Alias(Struct, frozen=True):
    """Another name of an entity."""

    id: str
    entity_id: str
    alias: str
    confidence: float
    source: str
    status: str
    created_at: str


def reviews(
    reader: Reader, *, due: bool = False, now: str = "", limit: int = 200, offset: int = 0
) -> tuple[Review, ...]:
    """The facts in force that are to be confirmed, the first due first; `due` alone on request."""
    moment = now or stamp()
    rows = reader.rows(
        "SELECT r.id, r.review_after, r.set_by, v.content, v.group_key, v.claim_key,"
        " s.name AS aspect, e.id AS entity_id, e.name AS entity, r.review_after <= :now AS due"
        " FROM claim_reviews r CROSS JOIN entity_attributes v ON v.id = r.id"
        " CROSS JOIN entity_aspects s ON s.id = v.aspect_id"
        " CROSS JOIN entities e ON e.id = s.entity_id"
        " WHERE r.agent_id = :agent AND +v.agent_id = :agent AND +e.agent_id = :agent"
        " AND v.status = 'active' AND s.status = 'active' AND e.status = 'active'"
        " AND (r.review_after <= :now OR NOT :due)"
        " ORDER BY r.review_after, e.name, r.id LIMIT :limit OFFSET :offset",
        now=moment, due=due, limit=limit, offset=offset)
    return tuple(Review(
        row["id"], row["entity_id"], text(row["entity"]), text(row["aspect"]), row["group_key"],
        row["claim_key"], text(row["content"]), text(row["review_after"]),
        bool(whole(row["due"])), text(row["set_by"])) for row in rows)


def aliases_of(reader: Reader, entity_id: str) -> tuple[Alias, ...]:
    """The other names of an entity, archived ones last."""
    rows = reader.rows(
        "SELECT * FROM entity_aliases WHERE agent_id = :agent AND entity_id = :entity"
        " ORDER BY status, canonical_alias, id", entity=entity_id)
    return tuple(Alias(
        row["id"], row["entity_id"], text(row["alias"]), number(row["confidence"], 1.0),
        text(row["source"]), text(row["status"]), text(row["created_at"])) for row in rows)
