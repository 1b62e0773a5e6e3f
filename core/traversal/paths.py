"""How the walk came to each thing."""

from collections.abc import Mapping, Sequence

from core.model.walk import Path
from core.traversal.walk_rows import Candidate, Stop


def path_to(stop: Stop, aspect_id: str | None) -> Path:
    """The way to something under an entity: from a focal one over the link that led there."""
    aspects = (aspect_id,) if aspect_id else ()
    hop = stop.hop
    if hop is None:
        return Path((stop.id,), aspects)
    ends = (hop.source_id, stop.id) if hop.source_id != stop.id else (stop.id,)
    return Path(ends, aspects, (hop.id,))


def way_of(candidates: Sequence[Candidate], stops: Mapping[str, Stop]) -> tuple[Candidate, Path]:
    """Of several ways to a memory the longest, the first among equals: it tells the most."""

    def path(each: Candidate) -> Path:
        return path_to(stops[each.entity_id], each.side.id if each.side else None)

    longest = candidates[0]
    if len(candidates) > 1:
        longest = max(candidates, key=lambda each: len(path(each)))
    return longest, path(longest)


def link_label(dependency_type: str, target: str) -> str:
    """A link as one reads it from its source."""
    return f"{dependency_type} → {target}"
