"""The communities of a graph as a list: those of the file, else those that the sky shows."""

from collections import Counter
from hashlib import sha256

import numpy as np
from msgspec import Struct

from core.constellation.named_communities import with_communities
from core.constellation.positions import positions_at_once
from core.constellation.sky_rows import sky
from core.embedding.embedder_interface import Embedder
from core.model.sky_columns import SkyRows
from core.model.text_formatting import counted
from core.queries.rows_to_model import text
from core.store.database import Row
from core.store.reader_and_writer import Reader
from core.store.sidecar import Sidecar

_STORED = "SELECT * FROM entity_communities WHERE agent_id = :agent ORDER BY name, id"
_NAMED = 4
"""Members that the summary names."""


class Community(Struct, frozen=True):
    """Entities that have more to do with each other than with the rest.

    Attributes:
        id: the file's own, or one that follows from its best known member.
        cohesion: the share of its members' links, by strength, that stay inside it, 0 to 1.
        members: the ids of its members, the best known first.
        summary: who is in it, in one sentence.
    """

    id: str
    name: str
    cohesion: float
    member_count: int
    members: tuple[str, ...]
    summary: str
    created_at: str = ""
    updated_at: str = ""


def list_communities(
    reader: Reader, sidecar: Sidecar, embedder: Embedder
) -> tuple[Community, ...]:
    """The communities that the sky shows, the largest first; the same each time."""
    rows = sky(reader, values=False)
    stored = reader.rows(_STORED) if (rows.entity_community >= 0).any() else []
    if not stored and len(rows.entity_ids):
        positions, _ = positions_at_once(reader, rows, sidecar, embedder)
        rows = with_communities(rows, positions, most=len(rows.entity_ids))
    inside, around = _weights(rows)
    communities = [
        _community(rows, number, inside, around, stored[number] if stored else None)
        for number in range(len(rows.community_names))]
    return tuple(sorted((one for one in communities if one.member_count),
                        key=lambda one: (-one.member_count, one.name, one.id)))


def _weights(rows: SkyRows) -> tuple[np.ndarray, np.ndarray]:
    """For each community the weight of the links inside it, and of all links of its members."""
    count = len(rows.community_names)
    both = (rows.dependency_source >= 0) & (rows.dependency_target >= 0)
    source = rows.entity_community[rows.dependency_source[both]]
    target = rows.entity_community[rows.dependency_target[both]]
    weight = (rows.dependency_strength * rows.dependency_confidence)[both]
    same = (source == target) & (source >= 0)
    inside = np.bincount(source[same], weight[same], count)
    around = inside.copy()
    for ends in (source, target):
        crossing = (source != target) & (ends >= 0)
        around += np.bincount(ends[crossing], weight[crossing], count)
    return inside, around


def _community(
    rows: SkyRows, number: int, inside: np.ndarray, around: np.ndarray, stored: Row | None
) -> Community:
    members = np.flatnonzero(rows.entity_community == number)
    members = members[np.lexsort((members, -rows.entity_mentions[members]))]
    ids = tuple(rows.entity_ids[row] for row in members.tolist())
    cohesion = float(inside[number] / around[number]) if around[number] else 0.0
    name, summary = rows.community_names[number], _summary(rows, members)
    if stored is not None:
        return Community(stored["id"], name, cohesion, len(ids), ids, summary,
                         text(stored["created_at"]), text(stored["updated_at"]))
    id = f"community-{sha256(ids[0].encode()).hexdigest()[:12]}" if ids else ""
    return Community(id, name, cohesion, len(ids), ids, summary)


def _summary(rows: SkyRows, members: np.ndarray) -> str:
    """`12 entities, mostly system: Postgres, backups, NAS and 9 more`."""
    if not len(members):
        return "no entity"
    types = Counter(rows.type_words[code] for code in rows.entity_type[members].tolist())
    [(usual, times)] = types.most_common(1)
    names = [rows.entity_names[row] for row in members[:_NAMED].tolist()]
    more = f" and {len(members) - _NAMED} more" if len(members) > _NAMED else ""
    kind = f", mostly {usual}" if 2 * times > len(members) > 1 else ""
    entities = counted(len(members), "entity")
    return f"{entities}{kind}: {', '.join(names)}{more}"
