"""The model's structs as JSON, in the shapes that Signet's own tools give.

A walk, its status and a neighbourhood have our own fields, and the seeds' names beside them.
"""

import json
import math
import re
from collections.abc import Mapping, Sequence
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any

from msgspec import Struct

if TYPE_CHECKING:
    from core.model.expectation import CheckedExpectation, Expectation, Target
    from core.model.inbox import Inbox
    from core.model.neighborhood import Edge, Neighbor, Neighborhood
    from core.model.recall import Recall
    from core.model.walk import Walk, WalkStatus

Json = dict[str, Any]
# Signs that JSON may hold as they are but that a terminal would obey.
_OBEYED = re.compile("[\x7f-\x9f\u2028\u2029\u202a-\u202e\u2066-\u2069]")


def camel(name: str) -> str:
    """`created_at` -> `createdAt`, the spelling of every key on the wire."""
    first, *rest = name.split("_")
    return first + "".join(word.title() for word in rest)


def plain(thing: object) -> object:
    """`thing` in JSON's own types; a struct becomes an object with camel case keys.

    Mappings keep their keys: they are payloads and results, whose spelling is their author's.
    """
    if isinstance(thing, str):
        return thing
    if isinstance(thing, Struct):
        return {camel(name): plain(getattr(thing, name)) for name in thing.__struct_fields__}
    if isinstance(thing, Mapping):
        return {str(key): plain(value) for key, value in thing.items()}
    if isinstance(thing, set | frozenset | Sequence) and not isinstance(thing, bytes):
        return [plain(item) for item in thing]
    if isinstance(thing, bytes):
        return thing.hex()
    if isinstance(thing, float) and not math.isfinite(thing):
        return None
    if isinstance(thing, datetime):
        return thing.isoformat()
    return str(thing) if isinstance(thing, Path) else thing


def text(thing: object) -> str:
    """`thing` as indented JSON that is safe to print."""
    json_text = json.dumps(plain(thing), ensure_ascii=False, indent=2, allow_nan=False)
    return _OBEYED.sub(lambda sign: f"\\u{ord(sign[0]):04x}", json_text)


def walk_json(walk: "Walk") -> Json:
    """Every field of a walk, and the fields of the seeds' `TraversalResult`."""
    return {
        **_fields(walk), **partial(walk.timed_out, walk.missing),
        "shares": plain(walk.shares),
        "focalEntityIds": list(walk.focal.ids),
        "memoryIds": [memory.id for memory in walk.memories],
        "memoryScores": {memory.id: memory.score for memory in walk.memories},
        "memoryPaths": {memory.id: plain(memory.path) for memory in walk.memories},
    }


def recall_json(recall: "Recall") -> Json:
    """Every field of an answer, its lines in order, and whether it is partial."""
    return {**_fields(recall), "lines": lines_json(recall),
            **partial(recall.timed_out, recall.notes)}


def lines_json(recall: "Recall") -> list[Json]:
    """What is told, best first: memories, and what the graph itself says. `kind` tells which."""
    return [{"kind": line.kind, "id": line.id, "text": line.own_text, "entity": line.entity,
             "score": line.score, "why": line.why, "when": line.when} for line in recall.lines]


def partial(timed_out: bool, why: Sequence[str]) -> Json:
    """Whether time left something out, and what, in sentences."""
    return {"partial": timed_out, "missing": list(why) if timed_out else []}


def status_json(status: "WalkStatus | None") -> Json:
    """The result of the last walk, as `/api/knowledge/traversal/status` gives it."""
    return {"status": None if status is None else {
        **_fields(status), "focalEntityNames": list(status.focal_names),
        "memoryCount": status.memories, "constraintCount": status.constraints}}


def neighborhood_json(neighborhood: "Neighborhood") -> Json:
    """The nodes and edges, each also in the words of seed 004 (`type`, `from_id`, `label`, …)."""
    return {"nodes": [node_json(node) for node in neighborhood.nodes],
            "edges": [_edge(edge) for edge in neighborhood.edges],
            "leftOut": plain(neighborhood.left_out)}


def node_json(node: "Neighbor") -> Json:
    """An entity of a neighbourhood."""
    return {**_fields(node), "type": node.entity_type, "mention_count": node.mentions}


def _edge(edge: "Edge") -> Json:
    """`mention_count` is None: how often a link was extracted is not recorded."""
    return {**_fields(edge), "from_id": edge.source_id, "to_id": edge.target_id,
            "label": edge.words, "notes": edge.reason, "mention_count": None}


def expectation_json(one: "Expectation", target: "Target | None" = None) -> Json:
    """An expectation, with its target as it stands now where that is known."""
    fields = dict(_fields(one))
    return fields if target is None else {**fields, "target": plain(target)}


def checked_json(checked: "Sequence[CheckedExpectation]") -> Json:
    """Every expectation with whether it holds, why not, and what came instead."""
    items = [{**expectation_json(each.expectation, each.target), "holds": each.holds,
              "why": each.why, "came": list(each.came)} for each in checked]
    return {"items": items, "checked": len(items),
            "failed": sum(not each.holds for each in checked)}


def inbox_json(inbox: "Inbox") -> Json:
    """What is new, each item with what it is grouped by."""
    return {**_fields(inbox), "count": len(inbox.items)}


def _fields(thing: object) -> Mapping[str, Any]:
    fields = plain(thing)
    assert isinstance(fields, dict)
    return fields
