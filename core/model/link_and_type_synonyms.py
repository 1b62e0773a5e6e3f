"""The words by which people ask for links, assertions and types of entities.

"Who wrote the deploy policy?" is answered by the link "deploy policy authored by Ines", "Which
library parses cron?" by one that leads to a tool: neither is said in the question's words.
"""

from core.model.names import spoken

_LINKS = {
    "uses": "use employ rely run build write language framework library package tool dependency"
            " depend",
    "requires": "require need depend rely use necessary dependency prerequisite",
    "depends_on": "depend need require rely use run dependency",
    "owned_by": "own owner belong charge responsible lead",
    "owns": "own owner belong have charge responsible",
    "blocks": "block blocker stop prevent hold wait obstacle",
    "informs": "inform tell feed help advise influence notify",
    "maintains": "maintain maintainer keep care look responsible",
    "implements": "implement realise realize enforce",
    "built": "build builder make create develop construct write program draw",
    "related_to": "relate relation connection connect do",
    "learned_from": "learn teach lesson come",
    "teaches": "teach teacher learn train show",
    "knows": "know meet acquaintance contact friend",
    "assumes": "assume assumption presume take suppose",
    "supports_claim": "support prove evidence show back",
    "authored_by": "write author writer create draw draft make",
    "links_to": "link refer reference point",
    "contains": "contain include hold part inside consist",
    "contains_note": "contain include note hold",
    "contradicts": "contradict disagree doubt against dispute object",
    "supersedes": "supersede replace instead successor",
    "part_of": "part belong contain include component consist inside",
    "produced_artifact": "produce create make result lead outcome",
    "precedes": "precede before",
    "follows": "follow after come",
    "triggers": "trigger start cause launch begin",
    "may_execute": "execute run open start use operate",
    "requires_approval_from": "approve approval permission permit sign agree allow",
    "impacts": "impact affect hit hurt influence change damage",
    "produces": "produce create make generate write output",
    "consumes": "consume take read need use eat input get",
}
_PREDICATES = {
    "claims": "claim say state tell argue maintain",
    "believes": "believe think opinion expect view say belief",
    "observed": "observe see notice find say report happen",
    "decided": "decide decision choose agree settle say",
    "prefers": "prefer preference like want favour wish rather say",
    "denies": "deny disagree contradict dispute reject say",
    "questions": "question ask wonder doubt",
}
_TYPES = {
    "tool": "tool library framework package program software app dependency technology module",
    "system": "system service component package app application software module",
    "project": "project app application product program",
    "person": "person people human",
    "agent": "agent assistant bot",
    "policy": "policy rule",
    "task": "task todo job",
    "event": "event",
    "artifact": "artifact document file",
    "source": "source document file",
}


def asked_for_link(dependency_type: str) -> tuple[str, ...]:
    """The plain words by which such a link is asked for, beside its own."""
    return tuple(_LINKS.get(dependency_type, "").split())


def asked_for_assertion(predicate: str) -> tuple[str, ...]:
    """The plain words by which such an assertion is asked for, beside its own."""
    return tuple(_PREDICATES.get(predicate, "").split())


def asked_for_type(entity_type: str) -> tuple[str, ...]:
    """The plain words by which people call something of this type."""
    return tuple(_TYPES.get(entity_type, spoken(entity_type).lower()).split())


def points_back(dependency_type: str) -> bool:
    """True for a type that is said the other way round: what is `owned_by` somebody, they own."""
    return dependency_type.endswith("_by")
