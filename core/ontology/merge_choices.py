"""Where entities that become one say different things of one claim, and which of them holds."""

from collections.abc import Collection, Iterable, Iterator, Sequence
from itertools import groupby

from msgspec import Struct

from core.errors import OperationError
from core.model.names import canonical, name_key, slot_key
from core.ontology.change_provenance import Provenance, archive_marks
from core.ontology.claim_slots import GENERAL, SlotKey, insert_value, slot_rows, supersede
from core.ontology.payload_base import Result
from core.queries.rows_to_model import CLAIM_KEY, GROUP_KEY, text, whole
from core.store.database import Row
from core.store.reader_and_writer import Reader, Writer

OTHER_HOLDS = "another value was chosen in a merge"
Slot = tuple[str, str, str]
"""An aspect's canonical name, a group and a claim; an attribute and a constraint share it."""

_VALUES = f"""
SELECT v.*, s.entity_id, s.name AS aspect, s.canonical_name AS aspect_key,
  {GROUP_KEY} AS slot_group, COALESCE({CLAIM_KEY}, '') AS slot_claim
FROM json_each(:ids) AS one CROSS JOIN entity_aspects s ON s.entity_id = one.value
CROSS JOIN entity_attributes v ON v.aspect_id = s.id
WHERE +s.agent_id = :agent AND +v.agent_id = :agent AND +v.status = 'active'
  AND (:without_claim OR trim(v.claim_key) <> '')
ORDER BY s.canonical_name, slot_group, slot_claim, one.key, v.updated_at DESC, v.id"""


class Collision(Struct, frozen=True):
    """One claim that the entities say different things of; the target's values come first."""

    aspect: str
    group_key: str
    claim_key: str
    values: tuple[Row, ...]


def collisions(reader: Reader, ids: Sequence[str]) -> tuple[Collision, ...]:
    """The claims in which these entities would collide as one, in the order of their names.

    Two values collide if different entities have them in force and they say different things, or
    the same as an attribute and as a constraint.

    Args:
        ids: the entities; the one that the others go into is the first.
    """
    rows = reader.rows(_VALUES, ids=list(ids), without_claim=False)
    return tuple(
        Collision(first["aspect"], first["slot_group"], first["slot_claim"], tuple(same))
        for _, group in groupby(rows, key=_slot)
        if _collide(same := list(group)) and (first := same[0]))


def same_values(reader: Reader, ids: Sequence[str]) -> list[tuple[Row, Row]]:
    """Values that say in one aspect what another of the entities says, each after what holds.

    Of a claim the first entity's holds. One without a claim key yields to the only claim that says
    it, else to the oldest one; values of two claims are never one.
    """
    alike: dict[tuple[object, ...], list[Row]] = {}
    for row in reader.rows(_VALUES, ids=list(ids), without_claim=True):
        alike.setdefault((_slot(row)[0], *_saying(row)), []).append(row)
    return [(holds, double) for rows in alike.values() if len(rows) > 1
            for holds, double in _doubles(rows) if holds["entity_id"] != double["entity_id"]]


def _doubles(rows: Sequence[Row]) -> Iterator[tuple[Row, Row]]:
    claims: dict[Slot, Row] = {}
    for row in rows:
        if row["slot_claim"]:
            yield claims.setdefault(_slot(row), row), row
    loose = sorted((row for row in rows if not row["slot_claim"]),
                   key=lambda row: text(row["created_at"]).replace("T", " "))
    for row in loose:
        yield (next(iter(claims.values())) if len(claims) == 1 else loose[0]), row


def _slot(row: Row) -> Slot:
    return (text(row["aspect_key"]) or name_key(text(row["aspect"])), text(row["slot_group"]),
            text(row["slot_claim"]))


def _saying(row: Row) -> tuple[str, str]:
    return text(row["kind"]), canonical(text(row["content"]))


def _collide(rows: Iterable[Row]) -> bool:
    by_entity: dict[str, set[tuple[str, str]]] = {}
    for row in rows:
        by_entity.setdefault(row["entity_id"], set()).add(_saying(row))
    return len(by_entity) > 1 and len(set().union(*by_entity.values())) > 1


class Choices(Struct, frozen=True):
    """What a person chose for claims that collide; each value stands for its claim.

    Attributes:
        keep: values that hold; the others of the claim are archived.
        newer: values that hold; the others of the claim stay as its earlier versions.
        own: what a claim says instead, by a value of it; its values stay as earlier versions.
    """

    keep: Collection[str] = ()
    newer: Collection[str] = ()
    own: Sequence[tuple[str, str]] = ()

    @property
    def ids(self) -> list[str]:
        return [*self.keep, *self.newer, *(id for id, _ in self.own)]


def own_text(choice: str) -> tuple[str, str]:
    """The two parts of `ID=words`; raises ValueError where one is missing."""
    id, _, words = choice.partition("=")
    if not (id.strip() and words.strip()):
        raise ValueError("must be a value's id, “=” and the words")
    return id.strip(), words.strip()


def check_choices(found: Sequence[Collision], choices: Choices) -> None:
    """Refuse (400) a value that is in no claim that collides, and two choices for one claim."""
    claims = {row["id"]: at for at, one in enumerate(found) for row in one.values}
    chosen: set[int] = set()
    for id in choices.ids:
        if id not in claims:
            raise OperationError(400, f"The value {id} collides with no other",
                                 field="keep_values", do="Leave it out: it moves as it is")
        if claims[id] in chosen:
            raise OperationError(400, "Two choices are for one claim", field="keep_values")
        chosen.add(claims[id])


def settle(
    writer: Writer, found: Sequence[Collision], choices: Choices, provenance: Provenance
) -> Result:
    """Carry the choices out, after everything has moved; returns what was retired, by its id."""
    claims = {row["id"]: one for one in found for row in one.values}
    retired: list[str] = []
    for id in choices.keep:
        others = _others(claims[id], id)
        for row in others:
            writer.update("entity_attributes", row["id"], status="deleted",
                          **archive_marks(writer, OTHER_HOLDS, provenance))
        retired += [row["id"] for row in others]
    for id in choices.newer:
        others = _others(claims[id], id)
        _put_before(writer, id, others)
        retired += [row["id"] for row in others]
    for id, words in choices.own:
        newest = _write(writer, claims[id], id, words, provenance)
        others = list(claims[id].values)
        _put_before(writer, newest, others)
        retired += [row["id"] for row in others]
    return {"retiredAttributeIds": retired} if retired else {}


def _others(claim: Collision, id: str) -> list[Row]:
    return [row for row in claim.values if row["id"] != id]


def _write(
    writer: Writer, claim: Collision, id: str, words: str, provenance: Provenance
) -> str:
    """The person's own words as the newest version of the chosen value."""
    row = _now(writer, id)
    slot = SlotKey(row["aspect_id"], row["kind"], claim.group_key, claim.claim_key)
    newest, _ = insert_value(writer, slot, words, provenance, confidence=None, importance=None)
    return newest


def _put_before(writer: Writer, newest: str, others: Sequence[Row]) -> None:
    """Make the others earlier versions of the newest, the oldest first, in one line with it.

    They are numbered after the versions that both had before, so that no number is there twice.
    """
    row = _now(writer, newest)
    line = sorted((other for other in others if other["kind"] == row["kind"]),
                  key=lambda other: text(other["created_at"]).replace("T", " "))
    for other in others:
        supersede(writer, other["id"], newest)
    if not line:
        return
    root, previous = row["version_root_id"] or newest, line[0]["previous_attribute_id"]
    number = _last_before(writer, row, {newest, *(other["id"] for other in line)})
    for id in (*(other["id"] for other in line), newest):
        number += 1
        writer.update("entity_attributes", id, version=number, version_root_id=root,
                      previous_attribute_id=previous, updated_at=writer.now())
        previous = id


def _last_before(writer: Writer, row: Row, line: Collection[str]) -> int:
    """The highest version of the row's claim beside these."""
    slot = SlotKey(row["aspect_id"], row["kind"], slot_key(text(row["group_key"]), GENERAL)
                   or GENERAL, slot_key(text(row["claim_key"])) or "")
    return max((whole(other["version"], 1) for other in slot_rows(writer, slot)
                if other["id"] not in line), default=0)


def _now(writer: Writer, id: str) -> Row:
    row = writer.row("SELECT * FROM entity_attributes WHERE id = :id AND agent_id = :agent", id=id)
    assert row is not None, "it was in force when the merge began"
    return row
