"""What the nine tools of the MCP reference memory server do, on a graph.

An entity's observations are its values, and a relation is a link: as in an import of that server's
file, so that the file, the tools and the window tell the same. Names that differ only in case are
one. Deletes archive, and are one step of the history; where a rule in force or a pinned entity
would go, a person is asked first.
"""

import json
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from msgspec.structs import replace

from core.errors import OperationError
from core.model.names import canonical, name_key, storable
from core.model.vocabulary import NAMED_ONLY
from core.ontology import control
from core.ontology.change_provenance import UNARCHIVED
from core.ontology.proposals import Outcome
from core.queries.rows_to_model import text
from core.store.database import Row
from core.store.reader_and_writer import Reader, Writer
from core.transfer import import_queries
from core.transfer.archived_rows_stated_again import (
    KeptOut,
    bring_back_links,
    bring_back_values,
    entities_kept_out,
    tell_waiting,
)
from core.transfer.import_queries import entities_called
from core.transfer.mcp_export import observation, relations, type_of
from core.transfer.mcp_import import import_mcp
from core.transfer.mcp_records import McpFile
from core.transfer.read_mcp_file import gather
from core.transfer.reference_server_nodes import Edge, Node, Nodes, plain_words

Json = dict[str, Any]


# -- reading ---------------------------------------------------------------------------------

_THERE = """
SELECT e.id FROM entities e WHERE e.agent_id = :agent AND e.status = 'active'
  AND (COALESCE(e.description, '') <> :named_only OR EXISTS (
    SELECT 1 FROM entity_aspects s WHERE s.entity_id = e.id AND s.status = 'active'))"""
"""Entities that are told: a mere end of a relation is none in the reference server either."""
_SHOWN = f"{_THERE} AND NOT e.muted"
"""Those that are told without being asked for by their name."""
_AMONG = f"{_THERE} AND e.id IN (SELECT value FROM json_each(:ids))"
_MATCHING = f"""{_SHOWN} AND (
  instr(COALESCE(e.canonical_name, lower(e.name)), :name) OR instr(lower(e.entity_type), :words)
  OR e.id IN (
    SELECT s.entity_id FROM entity_attributes v CROSS JOIN entity_aspects s ON s.id = v.aspect_id
    WHERE v.agent_id = :agent AND v.status = 'active' AND s.status = 'active' AND (
      instr(COALESCE(v.normalized_content, lower(v.content)), :words)
      OR instr(replace(COALESCE(v.claim_key, s.name), '_', ' '), :words))))"""
_ENTITIES = """
SELECT e.id, e.name, e.entity_type FROM json_each(:ids) f
CROSS JOIN entities e ON e.id = f.value WHERE +e.agent_id = :agent ORDER BY e.rowid"""
_VALUES = """
SELECT s.entity_id, s.name AS aspect, v.id, v.kind, v.claim_key, v.content, v.source_kind
FROM json_each(:ids) f CROSS JOIN entity_aspects s ON s.entity_id = f.value
CROSS JOIN entity_attributes v ON v.aspect_id = s.id
WHERE +v.agent_id = :agent AND v.status = 'active' AND s.status = 'active' ORDER BY v.rowid"""
_LINKS = """
SELECT d.id, d.dependency_type, d.reason, d.source_kind, d.created_at, s.name AS source,
  t.name AS target
FROM (
  SELECT d.id FROM json_each(:ids) f CROSS JOIN entity_dependencies d
    ON d.source_entity_id = f.value
  UNION SELECT d.id FROM json_each(:ids) f CROSS JOIN entity_dependencies d
    ON d.target_entity_id = f.value) k
CROSS JOIN entity_dependencies d ON d.id = k.id
CROSS JOIN entities s ON s.id = d.source_entity_id
CROSS JOIN entities t ON t.id = d.target_entity_id
WHERE d.agent_id = :agent AND d.status = 'active' AND s.status = 'active' AND t.status = 'active'
  AND +s.agent_id = :agent AND +t.agent_id = :agent
  AND (NOT s.muted OR s.id IN (SELECT value FROM json_each(:ids)))
  AND (NOT t.muted OR t.id IN (SELECT value FROM json_each(:ids)))
ORDER BY d.rowid"""


def read_graph(reader: Reader) -> Nodes:
    """Everything that the agent may see."""
    return _nodes(reader, _ids(reader, _SHOWN))


def search_nodes(reader: Reader, query: str) -> Nodes:
    """The entities with this text in their name, their type or an observation; muted ones only
    where it is their whole name."""
    matching = _ids(reader, _MATCHING, name=name_key(query), words=canonical(query))
    return _nodes(reader, list(dict.fromkeys((*matching, *_called(reader, [query])))))


def open_nodes(reader: Reader, names: Sequence[str]) -> Nodes:
    """The entities that are called so; names that nothing is called are left out."""
    return _nodes(reader, _called(reader, names))


def _called(reader: Reader, names: Sequence[str]) -> list[str]:
    """The ids of the entities that are called so, muted ones among them."""
    ids = [row["id"] for row in entities_called(reader, names).values()]
    return _ids(reader, _AMONG, ids=ids)


def _ids(reader: Reader, statement: str, **params: object) -> list[str]:
    return [row["id"] for row in reader.rows(statement, named_only=NAMED_ONLY, **params)]


def _shown(reader: Reader, called: Mapping[str, Row]) -> dict[str, Row]:
    """Those that the reference server would have."""
    there = {row["id"] for row in called.values()
             if row["status"] == "active" and row["description"] != NAMED_ONLY}
    rest = [row["id"] for row in called.values() if row["id"] not in there]
    there |= set(_ids(reader, _AMONG, ids=rest)) if rest else set()
    return {key: row for key, row in called.items() if row["id"] in there}


def _nodes(reader: Reader, ids: Sequence[str]) -> Nodes:
    rows = reader.rows(_ENTITIES, ids=ids)
    links = reader.rows(_LINKS, ids=ids)
    fields = _fields(reader, [row["id"] for row in (*rows, *links)])
    values: defaultdict[str, list[str]] = defaultdict(list)
    for value in reader.rows(_VALUES, ids=ids):
        values[value["entity_id"]].append(str(observation(value)))
    return Nodes(
        tuple(Node(text(row["name"]), type_of(row, fields[row["id"]]), tuple(values[row["id"]]))
              for row in rows),
        tuple(Edge(each["from"], each["to"], each["relationType"])
              for row in links for each in relations(row, fields[row["id"]])),
        tuple(row["id"] for row in rows))


def _fields(reader: Reader, owners: Sequence[str]) -> defaultdict[str, list[Json]]:
    """What imports have kept of these entities and links."""
    fields: defaultdict[str, list[Json]] = defaultdict(list)
    for row in reader.rows(import_queries.FIELDS, ids=owners):
        fields[row["owner_id"]].append(json.loads(row["fields"]))
    return fields


# -- adding ----------------------------------------------------------------------------------


def create_entities(
    writer: Writer, nodes: Sequence[Node], waiting: list[KeptOut] | None = None
) -> list[Node]:
    """Create the entities that there are not yet; returns them. What exists stays as it is.

    One that was deleted comes back without what it had: it is described anew.

    Args:
        waiting: gets what a person archived, and is proposed instead.
    """
    called = entities_called(writer, [node.name for node in nodes])
    there = _shown(writer, called)
    closed = _kept_out(writer, called, waiting)
    new: dict[str, Node] = {}
    for node in nodes:
        if name_key(node.name) not in there and name_key(node.name) not in closed:
            new.setdefault(name_key(node.name), node)
    _begin_anew(writer, [row["id"] for key, row in called.items()
                         if key in new and row["status"] == "archived"])
    made = bring_back_values(writer, new.values(), called, waiting)
    _take(writer, [{"type": "entity", "name": node.name, "entityType": node.entity_type,
                    "observations": list(node.observations)} for node in made])
    return made


def _kept_out(
    writer: Writer, called: Mapping[str, Row], waiting: list[KeptOut] | None
) -> set[str]:
    """The keys of names whose entities a person archived."""
    kept = entities_kept_out(writer, sorted({row["id"] for row in called.values()}))
    tell_waiting(waiting, kept.values())
    return {key for key, row in called.items() if row["id"] in kept}


def add_observations(
    writer: Writer, added: Sequence[Node], waiting: list[KeptOut] | None = None
) -> list[Node]:
    """Add observations to entities, and return those that are new; the types are not looked at.

    What a person archived waits for them: `waiting`, as for `create_entities`.

    Raises OperationError (404) where an entity does not exist.
    """
    there = _shown(writer, entities_called(writer, [node.name for node in added]))
    known: dict[str, set[str]] = {key: set() for key in there}
    for row in writer.rows(_VALUES, ids=[row["id"] for row in there.values()]):
        for key in (key for key, entity in there.items() if entity["id"] == row["entity_id"]):
            known[key].add(canonical(str(observation(row))))
    results = []
    for node in added:
        key = name_key(node.name)
        if key not in there:
            raise OperationError(404, f"Entity with name {storable(node.name)} not found",
                                 field="entityName", do="Create it first")
        fresh = {canonical(words): words for words in reversed(node.observations)
                 if canonical(words) not in known[key]}
        known[key] |= fresh.keys()
        results.append(replace(node, observations=tuple(
            words for words in node.observations if fresh.get(canonical(words)) is words)))
    results = bring_back_values(writer, results, there, waiting)
    _take(writer, [{"type": "entity", "name": node.name,
                    "observations": list(node.observations)} for node in results])
    return results


def create_relations(
    writer: Writer, edges: Sequence[Edge], waiting: list[KeptOut] | None = None
) -> list[Edge]:
    """Create the relations that there are not yet; returns them.

    An end that nothing describes is made as a mere name, and one that was deleted comes back so.
    What a person archived waits for them: `waiting`, as for `create_entities`.
    """
    ends = {name_key(name): name for edge in reversed(edges) for name in (edge.target, edge.source)}
    called = entities_called(writer, ends)
    there = {edge.key for edge in _nodes(writer, [row["id"] for row in called.values()]).relations}
    closed = _kept_out(writer, called, waiting)
    new = {edge.key: edge for edge in edges
           if edge.key not in there and closed.isdisjoint(edge.key[:2])}
    for key in bring_back_links(writer, new.values(), called, waiting):
        del new[key]
    gone = [called[end]["id"] for key in new for end in key[:2]
            if end in called and called[end]["status"] == "archived"]
    _begin_anew(writer, gone)
    for id in gone:
        writer.update("entities", id, description=NAMED_ONLY)
    _take(writer, [{"type": "relation", "from": ends[key[0]], "to": ends[key[1]],
                    "relationType": edge.words} for key, edge in new.items()])
    return list(new.values())


def _take(writer: Writer, records: Sequence[Json]) -> None:
    file: McpFile = gather(records)
    problems = file.problems or import_mcp(writer, file, anew=True).problems
    for problem in problems:
        raise OperationError(400, f"Item {problem.line} {problem.what}", field=problem.field,
                             do="Nothing was stored")


_OF_THESE = "IN (SELECT value FROM json_each(:ids))"


def _begin_anew(writer: Writer, ids: Sequence[str]) -> None:
    """Bring archived entities back empty; what they had is archived, but for their rules."""
    if not ids:
        return
    gone = {"archived_at": writer.now(), "archived_by": writer.actor, "updated_at": writer.now(),
            "archive_reason": "The entity was deleted, and is described anew"}
    writer.update_where("entities", f"id {_OF_THESE} AND agent_id = :agent",
                        {"status": "active", "updated_at": writer.now(), **UNARCHIVED}, ids=ids)
    writer.update_where(
        "entity_attributes", "status = 'active' AND kind = 'attribute' AND agent_id = :agent"
        f" AND aspect_id IN (SELECT s.id FROM entity_aspects s WHERE s.entity_id {_OF_THESE})",
        {"status": "deleted", **gone}, ids=ids)
    writer.update_where(
        "entity_dependencies", "status = 'active' AND agent_id = :agent"
        f" AND (source_entity_id {_OF_THESE} OR target_entity_id {_OF_THESE})",
        {"status": "archived", **gone}, ids=ids)


# -- deleting --------------------------------------------------------------------------------

ASKED = "An agent asked to delete it"


def delete_entities(
    writer: Writer, names: Sequence[str], missing: list[str] | None = None
) -> list[Outcome]:
    """Archive the entities that are called so, with their relations.

    Args:
        missing: gets what was not found.
    """
    called = {key: row["id"] for key, row in entities_called(writer, names).items()
              if row["status"] == "active"}
    _tell(missing, (name for name in names if name_key(name) not in called))
    ids = set(called.values())
    return [_archive(writer, "archive_entity", entity=id) for id in sorted(ids)]


def delete_observations(
    writer: Writer, deletions: Sequence[Node], missing: list[str] | None = None
) -> list[Outcome]:
    """Archive the values that say so, with the name of their claim or without; what is not there
    is left out, and told in `missing`."""
    there = entities_called(writer, [node.name for node in deletions])
    wanted: defaultdict[str, set[str]] = defaultdict(set)
    for node in deletions:
        if name_key(node.name) in there:
            wanted[there[name_key(node.name)]["id"]] |= set(map(canonical, node.observations))
    gone: list[str] = []
    found: set[tuple[str, str]] = set()
    for row in writer.rows(_VALUES, ids=sorted(wanted)):
        said = {canonical(str(observation(row))), canonical(text(row["content"]))}
        if meant := said & wanted[row["entity_id"]]:
            gone.append(row["id"])
            found |= {(row["entity_id"], words) for words in meant}
    ids = {key: row["id"] for key, row in there.items()}
    _tell(missing, (words for node in deletions for words in node.observations
                    if (ids.get(name_key(node.name), ""), canonical(words)) not in found))
    return [_archive(writer, "archive_claim_value", attribute_id=id) for id in gone]


def _tell(missing: list[str] | None, names: Iterable[str]) -> None:
    if missing is not None:
        missing.extend(names)


def delete_relations(
    writer: Writer, edges: Sequence[Edge], reason: str = ASKED, missing: list[str] | None = None
) -> list[Outcome]:
    """Archive the links that say so; of one with several phrases only these go.

    Args:
        missing: gets what was not found.
    """
    called = entities_called(writer, [end for edge in edges for end in (edge.source, edge.target)])
    gone = {edge.key for edge in edges}
    links = writer.rows(_LINKS, ids=sorted({row["id"] for row in called.values()}))
    fields = _fields(writer, [row["id"] for row in links])
    outcomes: list[Outcome] = []
    found: set[tuple[str, str, str]] = set()
    for row in links:
        words = [each["relationType"] for each in relations(row, fields[row["id"]])]
        ends = name_key(row["source"]), name_key(row["target"])
        left = [word for word in words if (*ends, plain_words(word)) not in gone]
        found |= {(*ends, plain_words(word)) for word in words}
        if not left:
            outcomes.append(_archive(writer, "archive_link", reason, id=row["id"]))
        elif len(left) < len(words):
            _keep_phrases(writer, row["id"], left, set(words))
    _tell(missing, (f"{edge.source} {edge.words} {edge.target}" for edge in edges
                    if edge.key not in found))
    return outcomes


def _archive(
    writer: Writer, operation: str, reason: str = ASKED, **payload: object
) -> Outcome:
    return control.apply(writer, operation, payload, at_once=True, reason=reason)


def _keep_phrases(writer: Writer, link: str, left: Sequence[str], words: set[str]) -> None:
    """Leave a link with these phrases only; the first is its own, the others are kept beside."""
    writer.update("entity_dependencies", link, reason="; ".join(left), updated_at=writer.now(),
                  source_id="; ".join(map(canonical, left)))
    writer.delete_where(
        "source_fields", "owner_id = :id AND json_extract(fields, '$.relationType')"
        " IN (SELECT value FROM json_each(:gone))", id=link, gone=sorted(words - set(left[1:])))
