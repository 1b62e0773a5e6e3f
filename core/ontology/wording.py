"""Words for sentences about changes: names in quotes, long text cut, rows named."""

from core.model.names import spoken
from core.model.text_formatting import one_line
from core.queries.find_by_name_or_id import ID, match_aspects, match_entities
from core.store.database import Row
from core.store.reader_and_writer import Reader

BACK = " (restored from the archive)"
"""Said of an aspect that is taken back by being used."""


def short(text: object, limit: int = 60) -> str:
    """Text on one line, cut with an ellipsis."""
    return one_line(str(text or ""), limit)


def quoted(text: object, limit: int = 160) -> str:
    """Text on one line in quotation marks."""
    return f"“{short(text, limit)}”"


def the_entity(reader: Reader, selector: str | None) -> Row | None:
    """The one active entity for a selector, None if it is not exactly one."""
    rows = match_entities(reader, selector) if selector else []
    return rows[0] if len(rows) == 1 else None


def entity_id(reader: Reader, selector: str | None) -> str | None:
    """The id of the one active entity for a selector."""
    row = the_entity(reader, selector)
    return row["id"] if row else None


def entity_name(reader: Reader, selector: str | None) -> str:
    """The name of the selected entity, or the selector itself."""
    row = the_entity(reader, selector)
    return (row["name"] if row else None) or selector or "a deleted entity"


def is_new_entity(reader: Reader, selector: str | None) -> bool:
    """True if no entity is called so, also none in the archive: it would be made."""
    return bool(selector) and not ID.fullmatch(selector or "") and not (
        match_entities(reader, selector or "")
        or match_entities(reader, selector or "", "archived"))


def named(reader: Reader, selector: str | None) -> str:
    """The entity's name in quotes; marked if it would be created."""
    made = " (new entity)" if is_new_entity(reader, selector) else ""
    return f"{quoted(entity_name(reader, selector))}{made}"


def the_aspect(reader: Reader, entity: str | None, selector: str) -> Row | None:
    """The one active aspect for two selectors."""
    owner = entity_id(reader, entity)
    rows = match_aspects(reader, owner, selector) if owner else []
    return rows[0] if len(rows) == 1 else None


def aspect_name(reader: Reader, entity: str | None, selector: str) -> str:
    """The name of the selected aspect, or the selector itself."""
    row = the_aspect(reader, entity, selector)
    return row["name"] if row else selector


def aspect_mark(reader: Reader, entity: str, selector: str) -> str:
    """What becomes of an aspect that the entity does not have: ` (new aspect)`.

    Empty where it has it, and where the entity itself would be made.
    """
    owner = entity_id(reader, entity)
    if owner is None or match_aspects(reader, owner, selector):
        return ""
    archived = match_aspects(reader, owner, selector, "archived")
    return BACK if archived else " (new aspect)"


def slot(aspect: object, claim_key: str | None, mark: str = "") -> str:
    """Aspect and claim as one reads them: `schedule · start time`."""
    parts = [short(aspect, 40) + mark] if aspect else []
    if claim_key:
        parts.append(short(spoken(claim_key), 40))
    return " · ".join(parts) or "a claim without a key"


def in_force(constraint: object, limit: int = 60) -> str:
    """The message that an attribute's claim has a constraint."""
    return f"The constraint {quoted(constraint, limit)} is active here"
