"""Tells the ends of an edge, whatever a program calls the fields for them."""

import re
from collections.abc import Iterator, Mapping
from itertools import product

IDS = ("id", "key", "uuid", "entity_id", "node_id", "name", "label")
"""What a node is told apart by."""
FROM = ("source", "from", "from_id", "source_id", "start", "startNode", "src", "subject")
_TO = ("target", "to", "to_id", "target_id", "end", "endNode", "dst", "object")
_PAIRS = (("source", "target"), ("from", "to"), ("subject", "object"), ("head", "tail"),
          ("1", "2"))
"""How other fields tell the two ends apart: `source_table`, `entity1_id`."""
_SURELY = re.compile("[Nn]ode|[Ee]ntity|[Nn]ame|_id$|[a-z0-9]Id$")
"""What such a field says that surely holds an end: `fromNode` before `fromSide`."""
Fields = Mapping[str, object]


def take_ends(fields: dict[str, object]) -> tuple[str, str]:
    """Take the ids of the two ends out of the fields; empty ones where not both are told."""
    for one, other in _pairs(fields):
        source, target = first_id(fields, (one,)), first_id(fields, (other,))
        if source and target:
            del fields[one], fields[other]
            return source, target
    return "", ""


def take_target(fields: dict[str, object]) -> str:
    """Take the id of the other end out of the fields of a relation that its node has itself."""
    if (target := take_ends(fields)[1]):
        return target
    for key in _TO:
        if (id := first_id(fields, (key,))):
            del fields[key]
            return id
    return ""


def _pairs(fields: Fields) -> Iterator[tuple[str, str]]:
    """The pairs of fields that may hold the ends, those that belong together first."""
    yield from ((one, other) for one, other in zip(FROM, _TO, strict=True)
                if one in fields and other in fields)
    yield from product(*([key for key in keys if key in fields] for keys in (FROM, _TO)))
    keys = sorted(fields, key=lambda key: _SURELY.search(key) is None)
    for one, other in _PAIRS:
        yield from ((key, partner) for key in keys
                    if one in key and (partner := key.replace(one, other, 1)) in fields)


def first_id(fields: Fields, keys: tuple[str, ...]) -> str:
    """The id under the first of these keys; of a node that stands there as a whole its own."""
    for key in keys:
        value = fields.get(key)
        if isinstance(value, dict):
            value = next((value[name] for name in IDS if value.get(name) is not None), None)
        if isinstance(value, str | int | float) and not isinstance(value, bool) and str(value):
            return str(value)
    return ""
