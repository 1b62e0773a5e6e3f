"""Says in words what a property of a note or a node tells."""

import re
from collections.abc import Mapping

from core.model.names import spoken

_FOR_PROGRAMS = re.compile(r"^_|(^|_)(id|uuid|hash|embedding|at)$|(Id|Uuid|Hash|Embedding|At)$")
_LOOKS = frozenset((
    "color", "colour", "shape", "icon", "style", "image", "fill", "stroke", "font", "group", "size",
    "x", "y", "z", "fx", "fy", "fz", "vx", "vy", "viz", "index", "position", "value", "val", "r",
    "radius", "width", "height", "opacity", "mass", "layer"))
"""How a node is drawn."""
_TAKEN = frozenset(("description", "aliases", "pinned", "muted"))
"""What an import takes as what it is."""
_MEASURES = re.compile(
    r"(^|_)(score|confidence|relevance|importance|salience|weight|strength|rank|pagerank|degree|"
    r"centrality|frequency|counts?|times|version|level|depth|order|community|cluster|mastery|"
    r"complexity|last_mentioned|last_accessed|last_seen|first_seen|mentions|modularity_class|hub|"
    r"eigencentrality|betweenness|closeness|eccentricity|authority|indegree|outdegree|file_?path)$",
    re.IGNORECASE)
"""What programs have worked out about a node, and where they have read of it."""


def own_properties(given: object) -> frozenset[str]:
    """Which of the properties of a node tell something of it; none where that is no object.

    What only programs read tells nothing: an id, a time, a vector.
    """
    return frozenset(key for key, value in (given.items() if isinstance(given, dict) else ())
                     if not _FOR_PROGRAMS.search(key) and _is_flat(value))


def telling_fields(fields: Mapping[str, object]) -> frozenset[str]:
    """Which fields of a record tell something of its node, where they stand among those of the
    program that wrote it: neither how it is drawn nor what was worked out about it."""
    return frozenset(
        key for key in own_properties(fields)
        if key.lower() not in _LOOKS | _TAKEN and not _MEASURES.search(key)
        and isinstance(fields[key], str | list | int | float)
        and not str(fields[key]).startswith(("[{", "{")))


def _is_flat(value: object) -> bool:
    return all(isinstance(each, str) for each in value) if isinstance(value, list) else True


def facts_of(key: str, value: object) -> tuple[str, ...]:
    """`owner: Anna` for a property of texts or numbers; nothing where it says none, or is nested.

    Of a list each link is told by itself: it is a relation.
    """
    values = value if isinstance(value, list) else [value]
    if not all(isinstance(each, str | int | float) for each in values):
        return ()
    words = [" ".join(str(each).lower().split() if isinstance(each, bool) else str(each).split())
             for each in values]
    told = words if any("[[" in each for each in words) else [", ".join(words)]
    return tuple(f"{spoken(key)}: {each}" for each in told if each)
