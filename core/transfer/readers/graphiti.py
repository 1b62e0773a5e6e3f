"""Reads entities and facts dumped from Graphiti or Zep; facts that no longer hold are left out."""

from collections.abc import Iterator

from core.model.text_formatting import counted, one_line
from core.progress import Report
from core.transfer.readers.foreign_tables import Row
from core.transfer.readers.graph_records import GraphRecords
from core.transfer.readers.json_lists import listed
from core.transfer.readers.reader_interface import ImportFormat, Look, Notes, Placed

_NODES = ("nodes", "entity_nodes", "entities")
_EDGES = ("edges", "entity_edges", "facts", "relationships")
_EPISODES = ("episodes", "episodic_nodes", "episodic_edges", "communities", "community_nodes",
             "community_edges")
_LISTS = (*_NODES, *_EDGES, *_EPISODES)
_FROM, _TO = "source_node_uuid", "target_node_uuid"
_TAKEN = (_FROM, _TO, "fact", "name", "valid_at", "uuid", "group_id")
_VECTORS = ("name_embedding", "fact_embedding", "summary_embedding")


def _knows(look: Look) -> bool:
    keys = look.keys
    if any(f"{part}{_FROM}" in keys for part in ("", *(f"{name}." for name in _EDGES))):
        return True
    if {"uuid", "fact"} <= keys:
        return True
    return any(f"{name}.uuid" in keys and {f"{name}.summary", f"{name}.group_id"} & keys
               for name in _NODES)


def _read(look: Look, notes: Notes, report: Report) -> Iterator[Placed]:
    graph, edges, left = GraphRecords(notes), list[tuple[int, Row]](), 0
    for line, part, given in listed(look, notes, report, _LISTS):
        row = {key: value for key, value in given.items() if key not in _VECTORS}
        if part in _EPISODES or "episode_body" in row or row.get("source_description"):
            left += 1
        elif _FROM in row or "fact" in row:
            edges.append((line, row))
        elif row.get("uuid") and row.get("name"):
            yield graph.node(line, str(row.pop("uuid")), _node(row))
        else:
            notes.complain(line, "is neither an entity nor a fact of Graphiti")
    for line, row in edges:
        yield from _edge(line, row, graph, notes)
    yield from graph.rest()
    if left:
        notes.remark(0, f"{counted(left, 'episode or community', 'episodes and communities')}"
                        " left out: facts are kept without the texts that they came from")


def _node(row: Row) -> Row:
    attributes = row.pop("attributes", None)
    return {**(attributes if isinstance(attributes, dict) else {}), **row}


def _edge(line: int, row: Row, graph: GraphRecords, notes: Notes) -> Iterator[Placed]:
    """A fact of its first entity, and the relation between the two."""
    source, target = str(row.get(_FROM) or ""), str(row.get(_TO) or "")
    fact = row.get("fact")
    over = row.get("invalid_at") or row.get("expired_at")
    if over:
        words = one_line(str(fact or row.get("name") or ""), 60)
        notes.remark(line, f"no longer holds since {over}: left out: {words}")
        return
    when = row.get("valid_at") or row.get("created_at")
    rest = {key: value for key, value in row.items()
            if key not in _TAKEN and value not in (None, "", [], {})}
    if when and rest.get("created_at") == when:
        del rest["created_at"]
    name = str(row.get("name") or "")
    words = name.replace("_", " ").lower() if name.isupper() else name
    if isinstance(fact, str) and fact.strip() and source in graph.names:
        yield line, {"type": "entity", "name": graph.names[source], "observations": [
            {**rest, "text": fact, "aspect": words, "timestamp": when}]}
        rest = {}
    elif not (source and target):
        notes.complain(line, "names no two ends", "edge")
        return
    if source and target:
        yield from graph.edge(line, source, target, {**rest, "label": words, "timestamp": when})


GRAPHITI = ImportFormat("graphiti", "entities and facts of Graphiti or Zep", _knows, _read)
