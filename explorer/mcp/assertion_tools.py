"""What an agent reads and records of who said what, and when."""

from typing import Any, Literal

from pydantic import Field

from core.model.text_formatting import counted
from core.ontology import control
from core.ontology.change_provenance import Source
from core.queries.assertions import AssertionFilters, find_assertion
from core.store.reader_and_writer import Writer
from explorer.assertions_json import assertion_json, listed
from explorer.caller_arguments import Arguments
from explorer.graph_for_caller import Answer, Door
from explorer.mcp.tool import Tool

Predicate = Literal["claims", "believes", "observed", "decided", "prefers", "denies", "questions"]


class Listing(Arguments):
    """Which assertions."""

    entity: str = Field("", description="Only about this entity: its name, or its id")
    speaker: str = Field("", description="Only by this speaker")
    predicate: Predicate | Literal[""] = Field("", description="Only said so")
    status: Literal["active", "archived", "superseded", "all"] = Field(
        "active", description="Only these")
    query: str = Field("", description="Words in the text")
    limit: int = Field(20, ge=1, le=200, description="The most assertions")
    offset: int = Field(0, ge=0, description="How many to pass over")


def list_assertions(door: Door, given: Listing) -> Answer:
    """List who said what about whom and when, the latest first: also what is no claim, and voices
    that disagree with one.
    """
    filters = AssertionFilters(**given.model_dump(exclude={"limit", "offset"}))
    with door.read() as reader:
        answer = listed(reader, filters, given.limit, given.offset)
    lines = [f"- {item['assertedAt'][:10]} {item['speaker'] or item['createdBy']}"
             f" {item['predicate']} ({item['subjectEntityName']}): {item['content']} [{item['id']}]"
             for item in answer["items"]]
    return Answer(answer, "\n".join((f"{counted(answer['count'], 'assertion')} in all", *lines)))


class Recorded(Arguments):
    """What somebody said."""

    entity: str = Field(description="What it is about: its name, or its id")
    predicate: Predicate = Field(description="How it is said")
    content: str = Field(description="What is said")
    speaker: str = Field("", description="Who says it")
    asserted_at: str = Field("", description="When it was said, such as 2026-03-14; else now")
    confidence: float | None = Field(None, ge=0, le=1, description="How sure you are that it was"
                                                                   " said; 0.7, if left out")
    attribute_id: str = Field("", description="The id of the claim value that it speaks of")
    evidence: list[Any] = Field(
        [], description="What it rests on: objects with quote, and source_id of a memory")
    source_kind: str = Field("", description="What it comes from, such as transcript")
    source_id: str = Field("", description="The id of that")


def record_assertion(door: Door, given: Recorded) -> Answer:
    """Record who said what about an entity or a claim, with evidence or a source. No claim changes;
    propose promote_assertion to make it one.
    """
    source = Source(given.source_kind or None, given.source_id or None)
    payload = given.model_dump(exclude={"source_kind", "source_id", "evidence"})

    def change(writer: Writer) -> str:
        outcome = control.apply(writer, "create_assertion", payload, evidence=given.evidence,
                                source=source)
        return str((outcome.result or {})["assertionId"])

    id = door.write(f"Record what was said of {given.entity}", change)
    with door.read() as reader:
        item = assertion_json(find_assertion(reader, id))
    return Answer(item, f"Recorded: {item['content']}\nassertion {id}")


ASSERTION_TOOLS = (
    Tool(list_assertions, Listing, reads=True),
    Tool(record_assertion, Recorded),
)
