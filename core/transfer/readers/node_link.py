"""Reads graphs of nodes and links as networkx, D3, Neo4j, NexusAI's endpoints and others write."""

import re
from collections.abc import Iterator

from core.progress import Report
from core.transfer.readers.graph_records import GraphRecords
from core.transfer.readers.json_lists import listed
from core.transfer.readers.reader_interface import ImportFormat, Look, Notes, Placed

_NODES, _EDGES = ("nodes",), ("links", "edges", "relationships")
_FROM = ("source", "from", "from_id", "source_id", "start", "startNode", "src", "subject")
_TO = ("target", "to", "to_id", "target_id", "end", "endNode", "dst", "object")
_FOR_PROGRAMS = re.compile(r"^_|(^|_)(id|uuid|hash|embedding|at)$|(Id|Uuid|Hash|Embedding|At)$")
_PARTS = {"node": "nodes", "relationship": "links"}
_ID = ("id", "key", "uuid", "name", "label")


def _knows(look: Look) -> bool:
    keys = look.keys
    if {"subject", "predicate", "object"} <= keys or {"labels", "properties"} <= keys:
        return True  # Triples; nodes and relationships of Neo4j, a line each.
    # A long file has its links where nobody looks at first, but networkx says what it is.
    has_edges = {"directed", "multigraph"} <= keys or any(
        f"{name}.{end}" in keys for name in _EDGES for end in _FROM)
    nodes = any(f"nodes.{key}" in keys for key in (*_ID, "data", "data.id", "attributes"))
    return nodes and (has_edges or not {"nodes.observations", "entities"} & keys)


def _read(look: Look, notes: Notes, report: Report) -> Iterator[Placed]:
    graph = GraphRecords(notes)
    for count, (line, part, given) in enumerate(
            listed(look, notes, report, (*_NODES, *_EDGES))):
        fields = _flat(given)
        source, target = _first(fields, _FROM), _first(fields, _TO)
        if not part and "properties" in given:
            part = _property_graph_part(fields, bool(source and target))
        if part in _NODES:
            id = _first(fields, _ID) or str(count)
            fields.pop("id", None)
            yield graph.node(line, id, fields, properties=_properties(given))
        elif part in _EDGES and source and target:
            for key in (*_FROM, *_TO, "id"):
                fields.pop(key, None)
            yield from graph.edge(line, source, target, fields)
        elif source and target:
            yield line, {**{key: value for key, value in fields.items()
                            if key not in (*_FROM, *_TO, "predicate")}, "type": "relation",
                         "from": source, "to": target, "relationType": fields.get("predicate")}
        else:
            notes.complain(line, "names no two ends", "link")
    yield from graph.rest()


def _properties(given: dict[str, object]) -> frozenset[str]:
    """The properties of a node of Neo4j that tell something of it: texts, numbers, lists of texts.

    What only programs read is none: an id, a time, a vector.
    """
    inner = given.get("properties")
    return frozenset(
        key for key, value in (inner.items() if isinstance(inner, dict) else ())
        if not _FOR_PROGRAMS.search(key) and (
            all(isinstance(each, str) for each in value) if isinstance(value, list) else True))


def _property_graph_part(fields: dict[str, object], has_ends: bool) -> str:
    """What a record is that stands alone, as programs write Neo4j's nodes and relationships.

    Its `type` says `node` or `relationship`, or else what the relationship is called.
    """
    kind = fields.get("type")
    if isinstance(kind, str) and kind in _PARTS:
        del fields["type"]
        return _PARTS[kind]
    if has_ends and kind:
        fields["label"] = fields.pop("type")
    return "links" if has_ends else "nodes"


def _flat(given: dict[str, object]) -> dict[str, object]:
    """The fields with those that stand under `data`, `attributes` or `properties`."""
    fields = dict(given)
    for key in ("data", "attributes", "properties"):
        inner = fields.get(key)
        if isinstance(inner, dict):
            fields = {**inner, **{name: value for name, value in fields.items() if name != key}}
    return fields


def _first(fields: dict[str, object], keys: tuple[str, ...]) -> str:
    """The id under the first of these keys; of a node that stands there as a whole its own."""
    for key in keys:
        value = fields.get(key)
        if isinstance(value, dict):
            value = next((value[name] for name in _ID if value.get(name) is not None), None)
        if isinstance(value, str | int | float) and not isinstance(value, bool) and str(value):
            return str(value)
    return ""


NODE_LINK = ImportFormat("node-link", "graph of nodes and links (JSON)", _knows, _read)
