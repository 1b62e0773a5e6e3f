"""Assertions: who said what about an entity or a claim, and when."""

from collections.abc import Mapping

from msgspec import Struct

from core import error_advice
from core.errors import OperationError
from core.model.claims_and_assertions import Assertion
from core.model.names import canonical
from core.model.vocabulary import ASSERTION_STATUSES, PREDICATES
from core.queries.find_by_name_or_id import find_entity, whole_id
from core.queries.rows_to_model import assertion_of
from core.store.database import Row
from core.store.reader_and_writer import Reader

_JOINED = ("FROM epistemic_assertions a JOIN entities e"
           " ON e.id = a.subject_entity_id AND e.agent_id = :agent")
_COLUMNS = "SELECT a.*, e.name AS subject_name"
_NEWEST_FIRST = " ORDER BY replace(a.asserted_at, 'T', ' ') DESC, a.created_at DESC, a.rowid DESC"


class AssertionFilters(Struct, frozen=True, kw_only=True):
    """Which assertions; an empty word asks for any.

    Attributes:
        entity: the name or id of what they are about.
        attribute_id: the claim value that they are linked to.
        status: `active`, `archived`, `superseded` or `all`.
        query: words that the text holds.
    """

    entity: str = ""
    attribute_id: str = ""
    predicate: str = ""
    status: str = "active"
    speaker: str = ""
    source_kind: str = ""
    source_id: str = ""
    query: str = ""


def list_assertions(
    reader: Reader, filters: AssertionFilters, *, limit: int = 50, offset: int = 0
) -> tuple[tuple[Assertion, ...], int]:
    """The assertions that fit, the latest said first, and how many there are in all.

    Raises OperationError: 400 for a predicate or a status that there is not, 404 for the entity.
    """
    where, given = _conditions(reader, filters)
    rows = reader.rows(f"{_COLUMNS} {_JOINED} WHERE {where}{_NEWEST_FIRST}"
                       " LIMIT :limit OFFSET :offset", limit=limit, offset=offset, **given)
    total = reader.value(f"SELECT COUNT(*) {_JOINED} WHERE {where}", **given)
    return tuple(map(assertion_of, rows)), int(total)


def _conditions(reader: Reader, filters: AssertionFilters) -> tuple[str, Mapping[str, object]]:
    known_word(filters.predicate, PREDICATES, "predicate")
    known_word(filters.status, (*ASSERTION_STATUSES, "all"), "status")
    given: dict[str, object] = {
        "subject_entity_id": filters.entity and find_entity(reader, filters.entity)["id"],
        "claim_attribute_id": filters.attribute_id, "predicate": filters.predicate,
        "status": "" if filters.status == "all" else filters.status, "speaker": filters.speaker,
        "source_kind": filters.source_kind, "source_id": filters.source_id,
    }
    given = {column: word for column, word in given.items() if word}
    parts = ["a.agent_id = :agent", *(f"a.{column} = :{column}" for column in given)]
    if filters.query.strip():
        given["words"] = canonical(filters.query)
        parts.append("instr(a.normalized_content, :words) > 0")
    return " AND ".join(parts), given


def known_word(word: str, known: tuple[str, ...], field: str) -> None:
    """Raise OperationError (400) for a word that is none of these; empty is none."""
    if word and word not in known:
        raise OperationError(400, f"{field} is invalid", field=field,
                             do=f"Choose one of {', '.join(known)}")


def find_assertion(reader: Reader, selector: str) -> Assertion:
    """The assertion of any status with this id, or beginning of an id; 404 where there is none."""
    return assertion_of(assertion_row(reader, selector))


def assertion_row(reader: Reader, selector: str) -> Row:
    """Its row with the name of what it is about; 404 where the agent has none with this id."""
    row = assertion_or_none(reader, selector)
    if row is None:
        raise OperationError(404, f"Assertion not found: {selector}", field="id",
                             do=error_advice.ASSERTIONS)
    return row


def assertion_or_none(reader: Reader, selector: str) -> Row | None:
    """Its row, None where the agent has none with this id."""
    id = whole_id(reader, "epistemic_assertions", "+m.agent_id = :agent", selector, "assertions")
    return reader.row(f"{_COLUMNS} {_JOINED} WHERE a.id = :id AND +a.agent_id = :agent", id=id)


def assertions_of(
    reader: Reader, entity_id: str, *, archived: bool = False, limit: int = 20
) -> tuple[Assertion, ...]:
    """What is said of an entity, the latest first; with `archived` also what is said no more."""
    where = "" if archived else " AND a.status = 'active'"
    return tuple(map(assertion_of, reader.rows(
        f"{_COLUMNS} {_JOINED} WHERE a.agent_id = :agent AND a.subject_entity_id = :entity{where}"
        f"{_NEWEST_FIRST} LIMIT :limit", entity=entity_id, limit=limit)))


def count_assertions_of(reader: Reader, entity_id: str, *, archived: bool = False) -> int:
    """How many there are of `assertions_of`."""
    where = "" if archived else " AND a.status = 'active'"
    return int(reader.value(
        f"SELECT COUNT(*) {_JOINED} WHERE a.agent_id = :agent AND a.subject_entity_id = :entity"
        f"{where}", entity=entity_id))


def voices_for_and_against(reader: Reader, entity_id: str) -> Mapping[str, tuple[int, int]]:
    """How many voices agree and disagree with each value of an entity that any speaks of."""
    rows = reader.rows(
        "SELECT a.claim_attribute_id AS id, SUM(a.predicate IN ('denies', 'questions')) AS against,"
        " COUNT(*) AS voices FROM epistemic_assertions a WHERE a.agent_id = :agent"
        " AND a.subject_entity_id = :entity AND a.status = 'active'"
        " AND a.claim_attribute_id IS NOT NULL GROUP BY a.claim_attribute_id", entity=entity_id)
    return {row["id"]: (row["voices"] - row["against"], row["against"]) for row in rows}
