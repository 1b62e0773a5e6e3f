"""What a person's decision on a proposal is worth: impact × uncertainty."""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from math import log2

from msgspec import Struct

from core.model.entity import EntityRow
from core.model.names import canonical
from core.model.proposal import Proposal
from core.ontology.request_descriptions import Target
from core.review.risk_levels import is_high
from core.store.reader_and_writer import Reader

SURE = 0.1
"""The least uncertainty: of a proposal that is certain, or certainly wrong."""
PINNED, RULE = 2.0, 2.0

Pairs = Sequence[tuple[Proposal, Target]]


class _Known(Struct, frozen=True):
    """How much the graph knows of an entity."""

    links: int = 0
    claims: int = 0


def worths(reader: Reader, pairs: Pairs) -> list[float]:
    """The worth of a decision on each proposal, 0 or more, in a fixed number of statements.

    Impact says how much of what the agent is told would differ. It begins with how often the
    entity comes up: log2(2 + its mentions + its links in force), of both ends where there are two.
    It is multiplied by log2(2 + its claims in force) where the whole entity changes (a merge, an
    archive, a new name), by 2 where the entity is pinned, since every session is told it, and by 2
    for a constraint.

    Uncertainty is 4·p·(1 − p) of the confidence p: 1 at one half, and never below 0.1, since a
    person may know better. It is 1 as well where no confidence is given (0), the risk is high, or
    another pending proposal wants something else for the same claim.
    """
    known = _known(reader, pairs)
    contested = _contested(target for _, target in pairs)
    return [round(_impact(target, known) * _uncertainty(proposal, target, contested), 4)
            for proposal, target in pairs]


def _impact(target: Target, known: Mapping[str, _Known]) -> float:
    ends = _ends(target)
    impact = log2(2 + sum(end.mentions + known.get(end.id, _Known()).links for end in ends))
    if ends and _is_whole(target):
        impact *= log2(2 + sum(known.get(end.id, _Known()).claims for end in ends))
    if any(end.pinned for end in ends):
        impact *= PINNED
    return impact * RULE if target.kind == "constraint" else impact


def _is_whole(target: Target) -> bool:
    """Whether it is about a whole entity, and not about one part of it."""
    parts = (target.aspect, target.link_type, target.link_id, target.attribute_id)
    return target.info.effect in ("go", "change") and not any(parts)


def _uncertainty(
    proposal: Proposal, target: Target, contested: frozenset[tuple[str, ...]]
) -> float:
    sure = min(1.0, max(0.0, proposal.confidence))
    if sure == 0 or is_high(proposal) or target.slot in contested:
        return 1.0
    return max(SURE, 4 * sure * (1 - sure))


def _contested(targets: Iterable[Target]) -> frozenset[tuple[str, ...]]:
    """The slots for which different values are wanted."""
    wishes: defaultdict[tuple[str, ...], set[str]] = defaultdict(set)
    for target in targets:
        if target.slot is not None and target.value:
            wishes[target.slot].add(canonical(target.value))
    return frozenset(slot for slot, values in wishes.items() if len(values) > 1)


_KNOWN = """
WITH asked AS MATERIALIZED (SELECT key AS id, value AS whole FROM json_each(:ids))
SELECT id, (
  SELECT COUNT(*) FROM entity_dependencies d
  WHERE d.source_entity_id = asked.id AND +d.agent_id = :agent AND +d.status = 'active'
) + (
  SELECT COUNT(*) FROM entity_dependencies d
  WHERE d.target_entity_id = asked.id AND +d.agent_id = :agent AND +d.status = 'active'
) AS links, CASE WHEN whole THEN (
  SELECT COUNT(*) FROM entity_aspects s CROSS JOIN entity_attributes v ON v.aspect_id = s.id
  WHERE s.entity_id = asked.id AND +s.agent_id = :agent AND +v.agent_id = :agent
    AND v.status = 'active'
) ELSE 0 END AS claims
FROM asked"""


def _known(reader: Reader, pairs: Pairs) -> dict[str, _Known]:
    """The links of each entity, and the claims of those that a proposal is about as a whole."""
    whole: dict[str, bool] = {}
    for _, target in pairs:
        for end in _ends(target):
            whole[end.id] = whole.get(end.id, False) or _is_whole(target)
    return {row["id"]: _Known(row["links"], row["claims"])
            for row in reader.rows(_KNOWN, ids=whole)}


def _ends(target: Target) -> list[EntityRow]:
    return [end for end in (target.entity, target.other) if end is not None]
