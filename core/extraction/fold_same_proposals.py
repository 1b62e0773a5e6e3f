"""Folds waiting proposals that mean the same into one; the graph is not changed."""

from collections import defaultdict
from collections.abc import Sequence

from msgspec import Struct
from msgspec.structs import replace

from core.errors import ConstellationError
from core.extraction import provider, read_structured_json
from core.extraction.config import ExtractionSettings
from core.extraction.extracted import Request, Text
from core.model.names import canonical
from core.model.proposal import Proposal
from core.ontology.change_provenance import Source
from core.ontology.operation_request import OperationRequest
from core.ontology.proposals import reject_proposals
from core.ontology.request_descriptions import Target, targets
from core.ontology.store_proposal import create_proposal
from core.queries.authors import is_person
from core.review.proposal_queue import list_proposals
from core.store.reader_and_writer import Reader, Writer

KIND = "ontology_consolidation"


class Folded(Struct, frozen=True):
    """One proposal in the place of several that wait."""

    request: Request
    replaces: tuple[str, ...]


class Consolidation(Struct, frozen=True):
    """What would be folded; `mode` says who has compared them."""

    items: tuple[Folded, ...]
    mode: str = "text"
    warnings: tuple[str, ...] = ()
    questions: tuple[str, ...] = ()


def consolidate(
    reader: Reader, settings: ExtractionSettings, *, use_provider: bool = False, limit: int = 200
) -> Consolidation:
    """The waiting proposals that mean the same, each group as one; changes nothing.

    Two mean the same if they ask for the same value of one claim, or the same of one entity, link
    or assertion, in whatever spelling.
    """
    waiting = list_proposals(reader, status="pending", limit=limit)
    warnings: list[str] = []
    if use_provider:
        asked = _asked(reader, waiting, settings, warnings)
        if asked is not None:
            return asked
    groups: defaultdict[tuple[object, ...], list[Proposal]] = defaultdict(list)
    meant = targets(reader, [(one.operation, one.payload) for one in waiting])
    for proposal, target in zip(waiting, meant, strict=True):
        groups[_meaning(proposal, target)].append(proposal)
    return Consolidation(tuple(_folded(group) for group in groups.values() if len(group) > 1),
                         warnings=tuple(warnings))


def _meaning(proposal: Proposal, target: Target) -> tuple[object, ...]:
    other = target.other.id if target.other else canonical(target.other_name)
    about = (proposal.operation, target.entity_key, target.slot, other, target.link_type,
             target.link_id, target.attribute_id, target.assertion_id, canonical(target.new_name),
             canonical(target.value))
    named = target.slot or target.link_type or target.value or target.new_name
    return about if named or proposal.operation == "create_entity" else (*about, proposal.id)


def _folded(group: Sequence[Proposal]) -> Folded:
    """The one of which one is surest, with the evidence and reasons of all."""
    best = max(group, key=lambda one: one.confidence)
    evidence: list[object] = []
    for proposal in group:
        evidence += [piece for piece in proposal.evidence if piece not in evidence]
    reasons = dict.fromkeys(one.rationale.strip() for one in group if one.rationale.strip())
    return Folded({
        "operation": best.operation, "payload": dict(best.payload), "evidence": evidence,
        "confidence": best.confidence, "rationale": "; ".join(reasons), "risk": best.risk,
        "source_kind": KIND}, tuple(one.id for one in group))


def _asked(
    reader: Reader, waiting: Sequence[Proposal], settings: ExtractionSettings, warnings: list[str]
) -> Consolidation | None:
    if not provider.is_on(settings):
        warnings.append("No server is configured (extraction.provider); they were compared here")
        return None
    try:
        answer = provider.ask_to_fold(
            [{"operation": one.operation, "payload": one.payload, "confidence": one.confidence,
              "rationale": one.rationale} for one in waiting], settings)
    except ConstellationError as error:
        why = getattr(error, "detail", "") or error.what
        warnings.append(f"The extraction server did not answer ({why}); they were compared here")
        return None
    result = read_structured_json.extracted(
        answer, Text("", Source(KIND)), reader.agent, "provider")
    return Consolidation(tuple(Folded(request, ()) for request in result.proposals), "provider",
                         result.warnings, result.questions)


def write(writer: Writer, folded: Sequence[Folded]) -> tuple[str, ...]:
    """Propose each in the place of those that it replaces, which a person thereby rejects; what
    an agent folds stays beside them. Returns the new ids."""
    return tuple(_put(writer, one) for one in folded)


def _put(writer: Writer, one: Folded) -> str:
    with writer.savepoint():
        draft = replace(OperationRequest.read(one.request), created_by=writer.actor)
        # It may be one of them, if that has the evidence of all.
        id = create_proposal(writer, draft)
        others = [each for each in one.replaces if each != id]
        if others and is_person(writer):
            reject_proposals(writer, others, f"Folded into {id}")
        return id
