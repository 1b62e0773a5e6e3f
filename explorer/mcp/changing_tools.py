"""What an agent changes: it remembers, and proposes what a person decides."""

from collections.abc import Iterator, Mapping
from typing import Any, Literal

from pydantic import Field

from core.errors import OperationError
from core.ingest.payload import Remembered
from core.ingest.remember import remember as store
from core.model.ingest_results import RememberReport
from core.model.proposal import Proposal
from core.model.text_formatting import counted, one_line
from core.ontology import control
from core.ontology.id_beginnings import with_whole_ids
from core.ontology.operation_catalog import CATALOG, find_operation
from core.ontology.proposals import Outcome
from core.ontology.request_descriptions import describe
from core.ontology.step_titles import step_title
from core.queries.find_by_name_or_id import memory_id
from core.review import proposal_queue
from core.review.warnings import warnings
from core.session.end import close
from core.store.reader_and_writer import Writer
from explorer.caller_arguments import Anything, Arguments, Json, schema
from explorer.graph_for_caller import Answer, Door
from explorer.mcp.tool import Tool
from explorer.model_json import plain

WAITING = "Proposed, not done: a person decides. my_proposals tells the verdict."


_OF_A_PERSON = ("pinned", "visibility", "scope")
"""What of a memory steers others; an agent does not set it."""


def memory_schema() -> Json:
    """What `remember` takes, as core reads it."""
    whole = schema(Remembered)
    whole["properties"] = {name: part for name, part in whole["properties"].items()
                           if name not in _OF_A_PERSON}
    return whole


def remember(door: Door, given: Anything) -> Answer:
    """Store something worth knowing later: one fact, decision or preference in full sentences, with
    its structure where you know it.

    `entities` are names, or triples of source, relationship and target. `aspects` say what is known
    of one side of an entity; a value with a claimKey replaces what that claim said before, unless
    that is a rule: a person decides about rules.
    """
    payload = dict(given.model_extra or {})
    for name in _OF_A_PERSON:
        if payload.get(name) and not door.of_a_person:
            raise OperationError(403, f"{name} is set by a person", field=name, do="Leave it out")
    settings = door.engine.settings
    memory = Remembered.read(payload, longest=settings.ingest.max_characters)
    words = one_line(memory.content, 60)
    report = door.write(
        lambda report: f"{'Remember' if report.memory_id else 'Propose to say again'}: {words}",
        lambda writer: store(writer, memory, settings.ingest, settings.supersession))
    structured = plain(report)
    assert isinstance(structured, dict)
    return Answer(structured, "\n".join(_remembered(report)))


def _remembered(report: RememberReport) -> Iterator[str]:
    yield (f"{'Known already' if report.duplicate else 'Remembered'}: {report.memory_id}"
           if report.memory_id else "Not remembered")
    if report.waits:
        yield report.waits
    if report.attributes_superseded:
        yield f"{counted(report.attributes_superseded, 'value')} replaced"
    for dispute in report.disputes:
        newer, older = one_line(dispute.newer, 120), one_line(dispute.older, 120)
        yield f"“{newer}” seems to take back “{older}”; a person decides, until then both hold"
    for item in report.proposed:
        yield f"Proposed only, since {item.what}: {one_line(item.name, 120)} ({item.proposal_id})"
    yield from report.warnings
    for skipped in report.skipped:
        yield f"Left out {skipped.path}: {skipped.what}. {skipped.do}".rstrip()


class OperationName(Arguments):
    """Which operation."""

    operation: str = Field("", description="Its name; without it all are listed")


def list_operations(door: Door, given: OperationName) -> Answer:
    """List the operations that can be proposed, or tell what one of them takes."""
    if given.operation:
        return Answer.of(find_operation(given.operation).schema())
    items = [{"operation": each.name, "what": each.summary, "destructive": each.destructive}
             for each in CATALOG.values()]
    return Answer({"operations": items},
                  "\n".join(f"- {item['operation']}: {item['what']}" for item in items))


class Proposed(Arguments):
    """A change that a person is asked for."""

    operation: str = Field(description="Its name, as list_operations tells it",
                           json_schema_extra={"enum": list(CATALOG)})
    payload: dict[str, Any] = Field(description="What it takes, as list_operations tells it")
    reason: str = Field("", description="Why, for the person who decides")
    evidence: list[Any] = Field(
        [], description="What it rests on: objects with quote, and source_id of a memory")
    confidence: float | None = Field(None, ge=0, le=1, description="How sure you are")


def propose(door: Door, given: Proposed) -> Answer:
    """Propose a change of the graph: any operation. Nothing changes until a person applies it."""
    return _proposed(door, given.operation, given.payload, given.reason,
                     evidence=given.evidence, confidence=given.confidence or 0.0)


class Forgotten(Arguments):
    """A memory to forget."""

    memory: str = Field(description="Its id, or the first six or more characters of it")
    reason: str = Field("", description="Why, for the person who decides")


def forget(door: Door, given: Forgotten) -> Answer:
    """Propose to forget a memory, with the values that rest on it alone. A person decides."""
    with door.read() as reader:
        memory = memory_id(reader, given.memory)
    return _proposed(door, "forget_memory", {"memory_id": memory}, given.reason, confidence=0.0)


def _proposed(
    door: Door, operation: str, payload: Mapping[str, object], reason: str, **grounds: Any
) -> Answer:
    words: dict[str, str] = {}
    minded: list[str] = []
    label = ""

    def change(writer: Writer) -> Outcome:
        nonlocal label
        whole = with_whole_ids(writer, operation, payload)
        label = f"Propose: {step_title(writer, operation, whole)}"
        with door.told(writer):
            described = describe(writer, operation, whole)
        words.update(title=described.title, sentence=described.sentence)
        outcome = control.propose_what_works(writer, operation, whole, reason=reason, **grounds)
        with door.told(writer):
            waiting = outcome.proposal_id and proposal_queue.get_proposal(
                writer, outcome.proposal_id)
            minded.extend(warnings(writer, waiting) if waiting else ())
        return outcome

    outcome = door.write(lambda _: label, change)
    answer = {"proposalId": outcome.proposal_id or None, "status": outcome.status, **words,
              "warnings": list(map(str, minded))}
    told = WAITING if outcome.proposal_id else "It is so already; nothing was proposed."
    lines = [words["sentence"], told, *(f"! {warning}" for warning in minded)]
    if outcome.proposal_id:
        lines.append(f"proposal {outcome.proposal_id}")
    return Answer({**answer, "message": told}, "\n".join(lines))


class Verdicts(Arguments):
    """Which of your proposals."""

    status: Literal["pending", "applied", "rejected", "failed", "all"] = Field(
        "all", description="Only these")
    limit: int = Field(20, ge=1, le=200, description="The most proposals, last decided first")


def my_proposals(door: Door, given: Verdicts) -> Answer:
    """List what you have proposed and what became of it: waiting, applied, or rejected and why."""
    with door.read() as reader:
        proposals = proposal_queue.list_proposals(
            reader, status=given.status, created_by=door.actor, limit=given.limit)
    items = [_verdict(each) for each in proposals]
    lines = [f"- {item['status']}: {item['target']} — {item['what']}{_why(item)} [{item['id']}]"
             for item in items]
    return Answer({"items": items}, "\n".join(lines) or "You have proposed nothing.")


def _verdict(proposal: Proposal) -> Json:
    result = proposal.result or {}
    return {"id": proposal.id, "operation": proposal.operation, "status": proposal.status,
            "target": proposal.target_name, "what": proposal.summary,
            "decidedBy": proposal.applied_by or proposal.rejected_by,
            "decidedAt": proposal.applied_at or proposal.rejected_at,
            "reason": result.get("reason") or result.get("error"),
            "proposedAt": proposal.created_at}


def _why(item: Json) -> str:
    return f" ({item['reason']})" if item["reason"] else ""


class Ended(Arguments):
    """The end of a session."""

    session: str = Field(min_length=1, description="The key that session_context was given")
    ratings: dict[str, float] = Field(
        {}, description="How useful memories were, by id: from -1, wrong, to 1")


def session_end(door: Door, given: Ended) -> Answer:
    """End a session that session_context began with a key: what was useful is told sooner next
    time.
    """
    ended = door.write(
        f"End the session {given.session}",
        lambda writer: close(writer, given.session, door.engine.settings, ratings=given.ratings))
    structured = plain(ended)
    assert isinstance(structured, dict)
    return Answer(structured, "\n".join(ended.notes) or "The session has ended.")


CHANGING_TOOLS = (
    Tool(remember, Anything, shape=memory_schema, idempotent=True),
    Tool(list_operations, OperationName, reads=True),
    Tool(propose, Proposed),
    Tool(my_proposals, Verdicts, reads=True),
    Tool(forget, Forgotten),
    Tool(session_end, Ended, idempotent=True),
)
