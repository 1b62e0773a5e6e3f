"""Brings back archived rows that an agent's tools state again, except what a person archived:
that is proposed, and the person decides."""

from collections.abc import Iterable, Mapping, Sequence

from msgspec import Struct
from msgspec.structs import replace

from core.errors import OperationError
from core.model.names import canonical, name_key
from core.model.vocabulary import DEPENDENCY_TYPES
from core.ontology import control
from core.ontology.change_provenance import UNARCHIVED
from core.queries.authors import is_by_person
from core.store.database import Row
from core.store.reader_and_writer import Writer
from core.transfer.import_context import KIND
from core.transfer.import_observations import ASPECT
from core.transfer.mcp_export import observation
from core.transfer.reference_server_nodes import Edge, Node

STATED_AGAIN = "An agent states it again"
_GONE = """
SELECT v.id, v.kind, v.claim_key, v.content, v.source_kind, v.status, s.entity_id, s.name AS aspect,
  COALESCE(v.archived_by, p.applied_by, p.created_by) AS gone_by,
  s.canonical_name = :aspect AND v.kind = 'attribute' AND v.status = 'deleted' AS plain
FROM json_each(:ids) f CROSS JOIN entity_aspects s ON s.entity_id = f.value
CROSS JOIN entity_attributes v ON v.aspect_id = s.id
LEFT JOIN entity_attributes n ON n.id = v.superseded_by AND +n.agent_id = :agent
  AND v.status = 'superseded'
LEFT JOIN ontology_proposals p ON p.id = n.proposal_id AND +p.agent_id = :agent
WHERE +v.agent_id = :agent AND v.status IN ('deleted', 'superseded')
ORDER BY v.updated_at, v.rowid"""
_TOLD = """
SELECT s.entity_id, v.content FROM json_each(:ids) f
CROSS JOIN entity_aspects s ON s.entity_id = f.value
CROSS JOIN entity_attributes v ON v.aspect_id = s.id
WHERE +v.agent_id = :agent AND v.status = 'active' AND s.status = 'active'"""
_CLOSED = """
SELECT s.id, s.entity_id, s.name, s.archived_by FROM json_each(:ids) f
CROSS JOIN entity_aspects s ON s.entity_id = f.value
WHERE s.canonical_name = :aspect AND s.status = 'archived' AND +s.agent_id = :agent"""
_ARCHIVED = """
SELECT e.id, e.name, e.archived_by FROM json_each(:ids) f CROSS JOIN entities e ON e.id = f.value
WHERE +e.agent_id = :agent AND e.status = 'archived'"""


class KeptOut(Struct, frozen=True):
    """Something that a person took away and an agent states again.

    Attributes:
        words: what it is.
        how: archived, or corrected.
        proposal_id: the proposal that waits; empty where the person has turned it down before, or
            the file is from before proposals.
    """

    words: str
    proposal_id: str = ""
    how: str = "archived"


def _values_kept_out(
    writer: Writer, wanted: Mapping[str, Mapping[str, str]]
) -> dict[str, dict[str, KeptOut]]:
    """Restore archived observations that are stated again, as the same values as before; returns
    those that wait for a person instead, by entity and words.

    Args:
        wanted: the observations of each entity, by its id and their canonical words.
    """
    ids = sorted(wanted)
    told = {(row["entity_id"], canonical(str(row["content"])))
            for row in writer.rows(_TOLD, ids=ids)}
    last: dict[tuple[str, str], tuple[Row, bool]] = {}
    for row in writer.rows(_GONE, ids=ids, aspect=ASPECT):
        by_person = is_by_person(row["gone_by"], writer.agent)
        for words in {canonical(str(row["content"])), canonical(str(observation(row)))}:
            place = row["entity_id"], words
            if words in wanted[row["entity_id"]] and (
                    row["plain"] or by_person and place not in told):
                last[place] = row, by_person
    kept: dict[str, dict[str, KeptOut]] = {id: {} for id in ids}
    for (entity, words), (row, by_person) in last.items():
        one = _restore(writer, wanted[entity][words], by_person, "restore_claim_version",
                       attribute_id=row["id"])
        if one is not None:
            kept[entity][words] = one if row["status"] == "deleted" else replace(
                one, how="corrected")
    return kept


def _aspects_kept_out(writer: Writer, ids: Sequence[str]) -> dict[str, KeptOut]:
    """The entities whose aspect of observations a person archived, each with what waits."""
    return {row["entity_id"]: one for row in writer.rows(_CLOSED, ids=ids, aspect=ASPECT)
            if is_by_person(row["archived_by"], writer.agent)
            and (one := _restore(writer, f"the aspect {row['name']}", True, "restore_aspect",
                                 entity=row["entity_id"], aspect=row["id"]))}


def entities_kept_out(writer: Writer, ids: Sequence[str]) -> dict[str, KeptOut]:
    """The entities that a person archived, each with what waits."""
    return {row["id"]: one for row in writer.rows(_ARCHIVED, ids=ids)
            if is_by_person(row["archived_by"], writer.agent)
            and (one := _restore(writer, str(row["name"]), True, "restore_entity",
                                 entity=row["id"]))}


def _link_kept_out(writer: Writer, row: Row, words: str) -> KeptOut | None:
    """What waits where a person archived this link, None where it may come back."""
    if not is_by_person(row["archived_by"], writer.agent):
        return None
    return _restore(writer, words, True, "restore_link", id=row["id"])


def _restore(
    writer: Writer, words: str, by_person: bool, operation: str, **payload: object
) -> KeptOut | None:
    try:
        outcome = control.apply(writer, operation, payload, reason=STATED_AGAIN)
    except OperationError as error:
        if not by_person or error.status not in (403, 409):
            raise
        return KeptOut(words)
    return KeptOut(words, outcome.proposal_id) if outcome.status == "pending" else None


def tell_waiting(waiting: list[KeptOut] | None, kept: Iterable[KeptOut]) -> None:
    """Tell whoever asked what waits."""
    if waiting is not None:
        waiting.extend(one for one in kept if one not in waiting)


def bring_back_values(
    writer: Writer, nodes: Iterable[Node], called: Mapping[str, Row],
    waiting: list[KeptOut] | None,
) -> list[Node]:
    """Restore archived observations that are stated again; returns the nodes without what waits."""
    nodes = list(nodes)
    ids = {name_key(node.name): called[name_key(node.name)]["id"] for node in nodes
           if name_key(node.name) in called}
    closed = _aspects_kept_out(writer, sorted(
        ids[name_key(node.name)] for node in nodes if node.observations
        and name_key(node.name) in ids))
    tell_waiting(waiting, closed.values())
    _open_aspects(writer, sorted(set(ids.values()) - closed.keys()))
    kept = _values_kept_out(writer, {
        ids[name_key(node.name)]: {canonical(words): words for words in node.observations}
        for node in nodes if ids.get(name_key(node.name), "") not in ("", *closed)})
    results = []
    for node in nodes:
        id = ids.get(name_key(node.name), "")
        out = kept.get(id, {})
        tell_waiting(waiting, (out[words] for words in map(canonical, node.observations)
                           if words in out))
        results.append(replace(node, observations=tuple(
            words for words in node.observations
            if canonical(words) not in out and id not in closed)))
    return results


def bring_back_links(
    writer: Writer, edges: Iterable[Edge], called: Mapping[str, Row],
    waiting: list[KeptOut] | None,
) -> list[tuple[str, str, str]]:
    """Bring archived links of these relations back, without the words that they had; returns the
    keys of those that wait."""
    waits = []
    for edge in edges:
        source, target, words = edge.key
        if source not in called or target not in called:
            continue
        kind = words if words in DEPENDENCY_TYPES else "related_to"
        for row in writer.rows(
            "SELECT d.id, d.archived_by FROM entity_dependencies d"
            " WHERE d.source_entity_id = :source"
            " AND d.target_entity_id = :target AND +d.agent_id = :agent"
            " AND d.status = 'archived' AND d.dependency_type = :type",
            source=called[source]["id"], target=called[target]["id"],
            type=kind,
        ):
            kept = _link_kept_out(writer, row, f"{edge.source} {edge.words} {edge.target}")
            if kept is not None:
                tell_waiting(waiting, [kept])
                waits.append(edge.key)
                continue
            reason = edge.words if kind == "related_to" else None
            writer.update("entity_dependencies", row["id"], status="active", reason=reason,
                          source_kind=KIND, source_id=canonical(edge.words),
                          updated_at=writer.now(), **UNARCHIVED)
            writer.delete_where("source_fields", "owner_id = :id", id=row["id"])
    return waits


def _open_aspects(writer: Writer, ids: Sequence[str]) -> None:
    """Bring back the aspect that observations are stored under, where it was archived."""
    if not writer.has_column("entity_aspects", "status"):
        return
    writer.update_where(
        "entity_aspects", "entity_id IN (SELECT value FROM json_each(:ids))"
        " AND canonical_name = :aspect AND status = 'archived' AND agent_id = :agent",
        {"status": "active", "updated_at": writer.now(), **UNARCHIVED}, ids=ids, aspect=ASPECT)
