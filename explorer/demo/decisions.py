"""Proposals that wait or were decided, the records of what was written, and who said what."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import datetime
from typing import Any

from core.model.names import canonical
from explorer.demo.chance import id_of, iso, later_by, moment
from explorer.demo.claims import Said, decided_by, slot_id
from explorer.demo.ground import Ground
from explorer.demo.story import Story

Row = Mapping[str, object]


def write_ups(ground: Ground, told: Iterable[Said]) -> Iterator[Row]:
    """The applied proposal behind each value that a hand wrote on purpose."""
    for said in told:
        if not said.by:
            continue
        approver = decided_by(said.by, said.at)
        waited = 0 if approver == said.by else -36000
        evidence = [ground.evidence(said.note, said.line.text)] if said.note else []
        payload = {"entity": said.figure.name, "aspect": said.aspect, "group_key": said.group,
                   "claim_key": said.claim, "kind": said.kind, "value": said.line.text}
        yield _proposal(
            id=said.proposal_id, agent=said.figure.agent,
            operation="set_claim_value" if said.number > 1 else "add_claim_value",
            payload=payload, confidence=said.confidence, evidence=evidence, by=said.by,
            at=later_by(said.at, waited, 0, "waited", said.id), status="applied",
            decided=said.at, decider=approver,
            result={"entityId": said.figure.id, "attributeId": said.id, "version": said.number},
        )


def proposal_rows(story: Story, told: Sequence[Said]) -> Iterator[Row]:
    """The proposals written in the demo, pending and decided."""
    versions = _by_slot(told)
    for written in story.proposals:
        agent, status = written.get("agent", "default"), written.get("status", "pending")
        payload = {**written["payload"], **_ids(story, versions, written, agent)}
        decided = moment(written["decided"]) if "decided" in written else None
        yield _proposal(
            id=id_of("proposal", agent, written["operation"], written["on"]), agent=agent,
            operation=written["operation"], payload=payload, by=written["by"],
            confidence=written.get("confidence", 1.0), rationale=written.get("rationale", ""),
            evidence=[{"memory_id": story.note_with(quote, agent).id, "quote": quote}
                      for quote in written["quotes"]],
            risk=written.get("risk"), at=moment(written["on"]), status=status, decided=decided,
            decider="you" if status in ("applied", "rejected") else None,
            result=_result(written),
        )


def assertion_rows(story: Story, told: Sequence[Said]) -> Iterator[Row]:
    """Who said what about which claim."""
    versions = _by_slot(told)
    for written in story.assertions:
        figure, at = story.figure(written["entity"]), iso(moment(written["on"]))
        claim = versions[slot_id(figure, *written["about"])][-1]
        quote, path = written.get("quote"), written.get("path")
        evidence = [{"memory_id": story.note_with(quote, figure.agent).id, "quote": quote}] if (
            quote) else []
        yield {
            "id": id_of("assertion", figure.id, written["on"], written["text"]),
            "agent_id": figure.agent, "subject_entity_id": figure.id,
            "claim_attribute_id": claim.id, "predicate": written["predicate"],
            "content": written["text"], "normalized_content": canonical(written["text"]),
            "speaker": written["speaker"], "asserted_at": at,
            "confidence": written["confidence"], "evidence": evidence,
            "source_kind": "memory" if quote else "notes",
            "source_id": evidence[0]["memory_id"] if evidence else None, "source_path": path,
            "status": "active", "created_by": "claude-code", "created_at": at, "updated_at": at,
        }


def _by_slot(told: Iterable[Said]) -> dict[str, list[Said]]:
    found: dict[str, list[Said]] = {}
    for said in told:
        if said.claim is not None:
            found.setdefault(
                slot_id(said.figure, said.aspect, said.group, said.claim), []).append(said)
    return found


def _ids(story: Story, versions: Mapping[str, list[Said]], written: Mapping[str, Any],
         agent: str) -> dict[str, str]:
    """The ids of the value or the link that a proposal is about."""
    if "value" in written:
        entity, aspect, group, claim, *number = written["value"]
        of_slot = versions[slot_id(story.figure(entity, agent), aspect, group, claim)]
        return {"attribute_id": of_slot[number[0] - 1 if number else -1].id}
    if "link" in written:
        return {"id": id_of("link", agent, *written["link"])}
    return {}


def _result(written: Mapping[str, Any]) -> dict[str, str] | None:
    """What became of a decided proposal, as the operations store it."""
    return next(({key: written[key]} for key in ("reason", "error") if key in written), None)


def _proposal(
    *, id: str | None, agent: str, operation: str, payload: Row, confidence: float,
    evidence: Sequence[Row], by: str, at: datetime, status: str, decided: datetime | None,
    decider: str | None, result: Row | None, rationale: str = "", risk: str | None = None,
) -> Row:
    source = evidence[0]["memory_id"] if evidence else None
    when = iso(decided) if decided else None
    return {
        "id": id, "agent_id": agent, "operation": operation, "status": status,
        "payload": payload, "confidence": confidence, "rationale": rationale,
        "evidence": list(evidence), "risk": risk, "source_kind": "memory" if source else None,
        "source_id": source, "created_by": by,
        "applied_by": decider if status == "applied" else None,
        "rejected_by": decider if status == "rejected" else None, "result": result,
        "created_at": iso(at), "updated_at": when or iso(at),
        "applied_at": when if status == "applied" else None,
        "rejected_at": when if status == "rejected" else None,
    }
