"""Claim slots (aspect + kind + group + claim): their rows, and the hands that change them."""

from msgspec import Struct

from core.model.names import canonical, slot_key
from core.ontology.change_provenance import Provenance
from core.queries.rows_to_model import text
from core.store.database import Row
from core.store.reader_and_writer import Reader, Writer, new_id

GENERAL = "general"
"""The group of claims that name none."""


class SlotKey(Struct, frozen=True):
    """A slot under its canonical keys."""

    aspect_id: str
    kind: str
    group_key: str
    claim_key: str


_PERHAPS = """
SELECT * FROM entity_attributes
WHERE aspect_id = :aspect AND agent_id = :agent AND kind = :kind AND claim_key IS NOT NULL AND (
  length(claim_key) <> length(CAST(claim_key AS BLOB))
  OR claim_key LIKE :within ESCAPE '\\' AND (
    claim_key LIKE :written ESCAPE '\\' OR claim_key LIKE '%  %' OR claim_key LIKE ' %'
    OR claim_key LIKE '% ' OR claim_key GLOB '*[^ -~]*'))"""
# An aspect may have 20,000 values: only those whose key may be the same are taken out of the file,
# and each is asked what takes SQLite the least time. A key in ASCII has as many signs as its
# canonical form, but where there is more white space; `slot_rows` looks at the others.
_ENOUGH = 100
"""Characters of a key that are looked for: what begins and ends so may be the same."""


def slot_rows(reader: Reader, slot: SlotKey) -> list[Row]:
    """All rows of the slot, whatever their status, newest version first.

    Keys are compared in canonical form: Signet's `add_claim_value` stores them unchanged,
    and its `set_claim_value` then never finds that slot again. Times come in two formats.
    """
    rows = reader.rows(_PERHAPS, aspect=slot.aspect_id, kind=slot.kind, **_patterns(slot.claim_key))
    same = [
        row for row in rows
        if slot_key(text(row["claim_key"])) == slot.claim_key
        and slot_key(text(row["group_key"]), GENERAL) == slot.group_key
    ]
    return sorted(same, key=_age, reverse=True)


def _patterns(key: str) -> dict[str, str]:
    """The LIKE patterns of a canonical key: as it is written, where `_` is any one sign, and by its
    first and last word, with any white space."""
    first, *others = key.split("_")
    more = "%" if len(key) > _ENOUGH else ""
    last = f"{_escaped(others[-1][-_ENOUGH:])}%" if others else ""
    return {"written": _escaped(key[:_ENOUGH]) + more,
            "within": f"%{_escaped(first[:_ENOUGH])}%{last}"}


def _escaped(text: str) -> str:
    return text.replace("\\", "\\\\").replace("%", "\\%")


def _age(row: Row) -> tuple[int, str, str]:
    return (
        row["version"] or 1,
        str(row["created_at"] or "").replace("T", " "),
        row["id"],
    )


def says(row: Row, value: str) -> bool:
    """True if a row's value is the same as `value`, in canonical form."""
    return bool((row["normalized_content"] or canonical(text(row["content"]))) == canonical(value))


def active(rows: list[Row]) -> list[Row]:
    """The rows that count now."""
    return [row for row in rows if row["status"] == "active"]


def insert_value(
    writer: Writer,
    slot: SlotKey,
    content: str,
    provenance: Provenance,
    *,
    confidence: float | None,
    importance: float | None,
    previous: Row | None = None,
    version: int = 1,
) -> tuple[str, str]:
    """Write a new active value; returns its id and the id of its first version."""
    attribute_id, now = new_id(), writer.now()
    certainty = provenance.confidence if confidence is None else confidence
    root = (previous["version_root_id"] or previous["id"]) if previous else attribute_id
    writer.insert(
        "entity_attributes",
        id=attribute_id, aspect_id=slot.aspect_id, agent_id=writer.agent, kind=slot.kind,
        group_key=slot.group_key, claim_key=slot.claim_key or None,
        content=content, normalized_content=canonical(content),
        confidence=certainty, importance=certainty if importance is None else importance,
        status="active", version=version, version_root_id=root,
        previous_attribute_id=previous["id"] if previous else None,
        created_at=now, updated_at=now, **provenance.origin(),
    )
    return attribute_id, root


def supersede(writer: Writer, attribute_id: str, by: str | None) -> None:
    """Mark a value as replaced.

    The value keeps the proposal and evidence that it came from: the claim history names who
    wrote each version. Signet overwrites them with those of the replacement.
    """
    writer.update(
        "entity_attributes", attribute_id,
        status="superseded", superseded_by=by, updated_at=writer.now(),
    )
