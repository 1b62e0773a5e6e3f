"""Reads graphs of nodes and links as networkx, D3, Neo4j, NexusAI's endpoints and others write."""

from collections.abc import Collection, Iterator, Mapping
from pathlib import PurePosixPath

from core.model.text_formatting import one_line
from core.progress import Report
from core.transfer.json_records import NESTS
from core.transfer.readers.edge_fields import FROM, IDS, first_id, take_ends, take_target
from core.transfer.readers.graph_records import GraphRecords
from core.transfer.readers.json_lists import listed
from core.transfer.readers.property_facts import own_properties, telling_fields
from core.transfer.readers.reader_interface import ImportFormat, Look, Notes, Placed
from core.transfer.record_field_reader import TIMES
from core.transfer.record_kinds import INLINE, NAME, OBSERVATION_LIST, OTHER_NAMES, TEXT, TYPE

_NODES = ("nodes", "entities")
_EDGES = ("links", "edges", "relationships", "relations", "triples", "facts")
_ENDS_ALONE = (("subject", "predicate", "object"), ("head", "tail"), ("node_1", "node_2"),
               ("labels", "properties"), ("data", "data.source", "data.target"),
               ("subject", "fact"))
"""The keys of records that are nodes or edges, one after the other, in no list of a document."""
_CARD = ("text", "file", "url")
"""What a card of a canvas holds, which has no name."""
_ABOUT = ("subject", *NAME, "entity", "about")
"""Whom a fact is about that has no other end."""
_PARTS = {"node": "nodes", "relationship": "links"}
_OF_A_MEMORY_FILE = frozenset((*NAME, *OTHER_NAMES, *TYPE, *TIMES, *INLINE, "type"))
_CARDS = ("text", "file", "link", "group")
"""Kinds of cards, which say nothing of what is on them."""
_LONGEST_NAME = 80
"""Characters of the text of a card that are its name."""
_INNER = ("data", "attributes", "properties")


def _knows(look: Look) -> bool:
    keys = _of_the_document(look.keys)
    if any(keys.issuperset(ends) for ends in _ENDS_ALONE):
        return True
    # A long file has its links where nobody looks at first, but networkx says what it is.
    ends = any(f"{name}.{end}" in keys for name in _EDGES for end in FROM)
    has_edges = ends or {"directed", "multigraph"} <= keys or "nodes" in keys and any(
        name in keys for name in _EDGES)
    nodes = any(f"nodes.{key}" in keys for key in (*IDS, "data", "data.id", "attributes")) or (
        has_edges and "nodes" in keys)
    if nodes and (has_edges or not {"nodes.observations", "entities"} & keys):
        return True
    return _tells_by_fields(keys) or "triples" in keys or ends and not any(
        key.startswith("entities.") for key in keys)


def _of_the_document(keys: Collection[str]) -> frozenset[str]:
    """The keys of a document, also where it stands within another object."""
    first = [key.partition(".") for key in keys]
    return frozenset(keys) | {rest for name, _, rest in first if name in NESTS and rest}


def _tells_by_fields(keys: Collection[str]) -> bool:
    """True of a document whose entities say what they are in fields, not in observations."""
    fields = {key.removeprefix("entities.") for key in keys if key.startswith("entities.")}
    return bool({name for name in fields if "." not in name} - _OF_A_MEMORY_FILE
                or "relationships" in keys and fields) and fields.isdisjoint(OBSERVATION_LIST)


def _read(look: Look, notes: Notes, report: Report) -> Iterator[Placed]:
    graph, nodes = GraphRecords(notes), 0
    for line, part, given in listed(look, notes, report, (*_NODES, *_EDGES)):
        fields = _flat(given)
        ends = ("", "") if part in _NODES else take_ends(fields)
        if not part and ("properties" in given or isinstance(given.get("data"), dict)):
            part = _property_graph_part(fields, all(ends))
        if part in _NODES:
            yield from _node(graph, line, given, fields, nodes)
            nodes += 1
        elif all(ends) and (part in _EDGES or "predicate" not in fields):
            fields.pop("id", None)
            yield from graph.edge(line, *ends, fields)
        elif all(ends):
            words = fields.pop("predicate", None)
            yield line, {**fields, "type": "relation", "from": ends[0], "to": ends[1],
                         "relationType": words}
        elif part in ("", "facts") and (fact := _fact_of_one(fields)):
            yield line, fact
        else:
            notes.complain(line, "names no two ends", "link")
    yield from graph.rest()


def _fact_of_one(fields: dict[str, object]) -> dict[str, object] | None:
    """The record of whom a fact is about; None where that, or what it says, is missing."""
    name, said = (next((key for key in keys if isinstance(value := fields.get(key), str)
                        and value.strip()), None) for keys in (_ABOUT, TEXT))
    if name is None or said is None:
        return None
    rest = {key: value for key, value in fields.items()
            if key not in (name, said, "id") and value not in (None, "", [], {})}
    return {"type": "entity", "name": fields[name],
            "observations": [{**rest, "text": fields[said]}]}


def _node(
    graph: GraphRecords, line: int, given: Mapping[str, object], fields: dict[str, object],
    place: int,
) -> Iterator[Placed]:
    """A node with what it tells in fields, and the relations that stand in its record.

    Args:
        place: how many nodes come before it, by which edges name one that has no id.
    """
    key = next((key for key in IDS if first_id(fields, (key,))), "")
    id, called = first_id(fields, (key,)) or str(place), ""
    if key not in ("name", "label"):
        if not (named := first_id(fields, ("name", "label", "title"))):
            called = _of_card(fields)
        if named or called or key == "id":
            fields.pop(key, None)
    relations = [*_own_relations(fields)]
    telling = own_properties(given.get("properties")).union(
        *(telling_fields(each) for each in (fields, given.get("data"), given.get("attributes"))
          if isinstance(each, dict)))
    yield graph.node(line, id, fields, called, properties=telling)
    if key in ("", "name", "label"):
        graph.names.setdefault(str(place), graph.names[id])
    for target, each in relations:
        yield from graph.edge(line, id, target, each)


def _of_card(fields: dict[str, object]) -> str:
    """The name of a card of a canvas: the first line of its text, its file or address."""
    key = next((key for key in _CARD if isinstance(fields.get(key), str)), "")
    said = str(fields.get(key, "")).strip()
    if fields.get("type") in _CARDS:
        del fields["type"]
    if key == "file":
        return PurePosixPath(said).stem
    name, _, rest = said.partition("\n")
    if key == "text":
        del fields[key]
        fields["facts"] = rest or said if len(name) > _LONGEST_NAME else rest
    return one_line(name.lstrip("# "), _LONGEST_NAME)


def _own_relations(fields: dict[str, object]) -> Iterator[tuple[str, dict[str, object]]]:
    """Take the relations out that a node has itself: the id of the other end, and the fields."""
    for key in INLINE:
        given = fields.get(key)
        if isinstance(given, dict):  # The other end and the words.
            given = [{"target": name, "label": words} for name, words in given.items()]
        if isinstance(given, list) and given and all(
                isinstance(each, dict) and take_target(dict(each)) for each in given):
            del fields[key]
            yield from ((take_target(each), each) for each in given)


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
    for key in _INNER:
        inner = fields.get(key)
        if isinstance(inner, dict):
            fields = {**inner, **{name: value for name, value in fields.items() if name != key}}
    return fields


NODE_LINK = ImportFormat("node-link", "graph of nodes and links (JSON)", _knows, _read)
