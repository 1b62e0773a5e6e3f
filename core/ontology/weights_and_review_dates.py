"""Operations that keep facts in good order: how much they weigh, when to confirm them."""

from typing import Annotated

from pydantic import AfterValidator, Field, model_validator

from core.errors import OperationError
from core.model.times import day_words, parse_time
from core.ontology.change_provenance import Provenance
from core.ontology.claim_moves_and_sources import OneValue
from core.ontology.create_and_supersede_assertions import OneAssertion
from core.ontology.payload_base import OperationInfo, Result, Share, Text, called
from core.queries.assertions import assertion_row
from core.queries.find_by_name_or_id import find_value
from core.store.reader_and_writer import Reader, Writer, stamp

NEVER = "never"


class WeighClaim(OneValue):
    """What `weigh_claim` takes."""

    info = OperationInfo(line="Set weight of {slot}", past={"Set": "Set"},
                         arguments=("attribute_id",))

    importance: Share = Field(None, description="How much it matters, 0 to 1")
    confidence: Share = Field(None, description="How sure it is, 0 to 1")

    @model_validator(mode="after")
    def _says_something(self) -> "WeighClaim":
        if self.importance is None and self.confidence is None:
            raise ValueError("importance or confidence is required")
        return self

    def title(self, reader: Reader) -> str:
        return f"Set weight of {self.spot(reader)}"

    def sentence(self, reader: Reader) -> str:
        parts = [f"{name} {value:g}" for name, value in (
            ("importance", self.importance), ("confidence", self.confidence))
            if value is not None]
        return f"Set of {self.spot(reader)}: {', '.join(parts)}."


def weigh_claim(writer: Writer, fields: WeighClaim, provenance: Provenance) -> Result:
    """Set a fact's importance or confidence: what matters more is told first."""
    row = find_value(writer, fields.attribute_id)
    given = {name: value for name, value in (
        ("importance", fields.importance), ("confidence", fields.confidence))
        if value is not None}
    writer.update("entity_attributes", row["id"], **given, updated_at=writer.now())
    return {"attributeId": row["id"], "entityId": row["entity_id"], **given}


class WeighAssertion(OneAssertion):
    """What `weigh_assertion` takes."""

    info = OperationInfo(line="Set confidence of {content}", past={"Set": "Set"},
                         assertion=("id",))

    confidence: float = Field(ge=0, le=1, allow_inf_nan=False,
                              description="How sure it is, 0 to 1")

    def title(self, reader: Reader) -> str:
        return f"Set confidence of {self.words(reader, 60)}"

    def sentence(self, reader: Reader) -> str:
        return f"Set the confidence of {self.words(reader)} to {self.confidence:g}."


def weigh_assertion(writer: Writer, fields: WeighAssertion, provenance: Provenance) -> Result:
    """Set how sure an assertion is."""
    row = assertion_row(writer, fields.id)
    writer.update("epistemic_assertions", row["id"], confidence=fields.confidence,
                  updated_at=writer.now())
    return {"assertionId": row["id"], "confidence": fields.confidence}


def _day(value: str) -> str:
    if value.lower() == NEVER:
        return NEVER
    moment = parse_time(value)
    if moment is None:
        raise ValueError("must be a day, such as 2027-03-14, or “never”")
    return stamp(moment)


class SetReviewDate(OneValue):
    """What `set_review_date` takes."""

    info = OperationInfo(line="Confirm {slot} later", past={"Set": "Set"},
                         arguments=("attribute_id", "review_after"))

    review_after: Annotated[Text, AfterValidator(_day)] = Field(
        validation_alias=called("review_after", "date", "review_date"),
        description="After which day it is to be confirmed, such as 2027-03-14; or “never”")

    def title(self, reader: Reader) -> str:
        return f"Set review date of {self.spot(reader)}"

    def sentence(self, reader: Reader) -> str:
        if self.review_after == NEVER:
            return f"Never ask to confirm {self.spot(reader)}."
        return f"Ask to confirm {self.spot(reader)} after {day_words(self.review_after)}."


def set_review_date(writer: Writer, fields: SetReviewDate, provenance: Provenance) -> Result:
    """Say when a fact is to be confirmed: it is shown as due after that day.

    A new value has no such day until it is given one. A Signet file has no column for it; there
    it is kept beside the file.
    """
    row = find_value(writer, fields.attribute_id)
    if row["status"] != "active":
        raise OperationError(409, f"The value is {row['status']}", field="attribute_id",
                             do="Use the id of a value that is in force")
    before = writer.row("SELECT id FROM claim_reviews WHERE id = :id AND agent_id = :agent",
                        id=row["id"])
    result: Result = {"attributeId": row["id"], "entityId": row["entity_id"]}
    if fields.review_after == NEVER:
        if before is not None:
            writer.delete_where("claim_reviews", "id = :id AND agent_id = :agent", id=row["id"])
        return {**result, "reviewAfter": None}
    when = {"review_after": fields.review_after, "set_by": writer.actor,
            "updated_at": writer.now()}
    if before is None:
        writer.insert("claim_reviews", id=row["id"], agent_id=writer.agent, **when)
    else:
        writer.update("claim_reviews", row["id"], **when)
    return {**result, "reviewAfter": fields.review_after}
