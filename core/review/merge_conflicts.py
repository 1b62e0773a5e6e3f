"""What a merge has to settle first: claims of which the merged entities say different things."""

from collections.abc import Sequence

from msgspec import Struct

from core.ontology.merge_choices import Collision, collisions, same_values
from core.ontology.merges import MergeEntities, merge_warnings, sides
from core.queries.rows_to_model import number, text, whole
from core.store.database import Row
from core.store.reader_and_writer import Reader


class Merging(Struct, frozen=True):
    """One of the entities that become one."""

    id: str
    name: str
    entity_type: str


class Side(Struct, frozen=True):
    """What one of the entities says of a claim."""

    id: str
    entity_id: str
    entity_name: str
    kind: str
    content: str
    version: int
    confidence: float
    created_at: str
    updated_at: str


class Colliding(Struct, frozen=True):
    """One claim of which they say different things; the target's values come first."""

    aspect: str
    group_key: str
    claim_key: str
    values: tuple[Side, ...]

    @property
    def newest(self) -> Side:
        """The value that was written last; of several the first."""
        return max(self.values, key=lambda side: side.updated_at.replace("T", " "))


class MergePlan(Struct, frozen=True):
    """What a person chooses before entities become one.

    Attributes:
        claims: what collides, in the order of aspects, groups and claims.
        same: how many values of the sources say what another says already.
        warnings: what needs `force`.
    """

    target: Merging
    sources: tuple[Merging, ...]
    claims: tuple[Colliding, ...]
    same: int
    warnings: tuple[str, ...]


def merge_plan(reader: Reader, target: str, sources: Sequence[str]) -> MergePlan:
    """The plan of a merge of the sources into the target, each by name or id; changes nothing.

    Raises:
        OperationError: 404 where one of them is not there, 409 where a name fits several.
    """
    return plan_of(reader, MergeEntities.read(
        {"target_entity": target, "source_entities": list(sources)}))


def plan_of(reader: Reader, fields: MergeEntities) -> MergePlan:
    """The same for a payload of `merge_entities`."""
    into, rows, _ = sides(reader, fields)
    ids = [row["id"] for row in (into, *rows)]
    names = {row["id"]: text(row["name"]) for row in (into, *rows)}
    return MergePlan(
        _merging(into), tuple(map(_merging, rows)),
        tuple(_colliding(one, names) for one in collisions(reader, ids)),
        len(same_values(reader, ids)), tuple(merge_warnings(into, rows)))


def _merging(row: Row) -> Merging:
    return Merging(row["id"], text(row["name"]), text(row["entity_type"]))


def _colliding(collision: Collision, names: dict[str, str]) -> Colliding:
    return Colliding(collision.aspect, collision.group_key, collision.claim_key, tuple(
        Side(row["id"], row["entity_id"], names[row["entity_id"]], text(row["kind"]),
             text(row["content"]), whole(row["version"], 1), number(row["confidence"]),
             text(row["created_at"]), text(row["updated_at"])) for row in collision.values))
