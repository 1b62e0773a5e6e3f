"""What the sky marks as added, changed or gone, and where it stands in a scene."""

from collections.abc import Iterable, Mapping

import numpy as np
from msgspec import Struct, field

from core.constellation.ghost_positions import settle, settle_alone
from core.constellation.positions import angles
from core.constellation.scene import Scene
from core.model.inbox import ENTITY, MEMORY, VALUE, InboxItem
from core.queries.graph_difference import CHANGE_WORDS, CHANGES, Change, Difference

Ids = tuple[str, ...]
ChangeWords = tuple[tuple[Change, str], ...]
"""Each change that is marked, and what the legend calls it."""
NEW_WORDS: Mapping[Change, str] = {"added": "new since your last visit"}
MOST_ABSENT = 60
"""Things that are not in the sky and yet are drawn; the list has all of them."""


class LinkMark(Struct, frozen=True):
    """A link that is added, changed or gone, by the ids that its ends may have."""

    source: Ids
    target: Ids
    change: Change


class ChangeMarks(Struct, frozen=True):
    """What is to be marked.

    Attributes:
        changes: how each entity, value or memory has changed, by id.
        names: of entities that were added or are gone, by id: one that is not in the sky is drawn
            beside what it is linked with.
        links: the links among them.
        words: what the legend calls each change.
        places: where those that are not in the sky stood, by id, as far as it is known.
    """

    changes: Mapping[str, Change] = field(default_factory=dict)
    names: Mapping[str, str] = field(default_factory=dict)
    links: tuple[LinkMark, ...] = ()
    words: Mapping[Change, str] = field(default_factory=lambda: CHANGE_WORDS)
    places: Mapping[str, tuple[float, float]] = field(default_factory=dict)


class PlacedMarks(Struct, frozen=True, eq=False):
    """Marks in one scene.

    Attributes:
        nodes: the entities and memories of the scene that are marked, sorted.
        codes: how each has changed, an index into `CHANGES`.
        others: the change of each marked value, by id.
        labels: the names of what is not in the scene, drawn like a thing of its own.
        x: where each of those stands in the world.
        y: the same, downwards.
        absent_codes: how each of those has changed.
        links: start, end and change of each link, (links, 3); an end beyond the entities counts
            on through what is not in the scene.
        words: what the legend says, by change.
    """

    nodes: np.ndarray
    codes: np.ndarray
    others: Mapping[str, int]
    labels: list[str]
    x: np.ndarray
    y: np.ndarray
    absent_codes: np.ndarray
    links: np.ndarray
    words: ChangeWords


def marks_of(
    items: Iterable[Difference], words: Mapping[Change, str] = CHANGE_WORDS,
    places: Mapping[str, tuple[float, float, bool]] | None = None,
) -> ChangeMarks:
    """The marks of what is different; an entity that is neither new nor gone has changed.

    Args:
        places: the saved positions.
    """
    changes: dict[str, Change] = {}
    names: dict[str, str] = {}
    links: list[LinkMark] = []
    for one in items:
        if one.what == "entity" and one.change != "changed":
            changes[one.entity_id], names[one.entity_id] = one.change, one.entity_name
        elif one.what == "link":
            links.append(LinkMark((one.entity_id, one.earlier_id),
                                  (one.other_id, one.earlier_other_id), one.change))
        else:
            for id in filter(None, (one.entity_id, one.earlier_id)):
                changes.setdefault(id, "changed")
            changes |= dict.fromkeys(one.value_ids, one.change)
    known = {id: places[id][:2] for id in names if id in places} if places else {}
    return ChangeMarks(changes, names, tuple(links), words, known)


def marks_of_new(items: Iterable[InboxItem], since: str) -> ChangeMarks:
    """The marks of what was written after a time: the entity that it is about, else itself."""
    ids = {id for one in items if one.written_at > since for id in _marked_ids(one) if id}
    return ChangeMarks(dict.fromkeys(ids, "added"), words=NEW_WORDS)


def _marked_ids(item: InboxItem) -> Ids:
    own = item.id if item.kind in (ENTITY, VALUE) or (
        item.kind == MEMORY and not item.entity_id) else ""
    return item.entity_id, own


def placed(marks: ChangeMarks, scene: Scene) -> PlacedMarks:
    """Where marks stand in a scene."""
    absent = _absent(marks, scene)
    index = {**scene.index, **{id: scene.entities + k for k, id in enumerate(absent)}}
    ends = [(_node(link.source, index), _node(link.target, index), CHANGES.index(link.change))
            for link in marks.links]
    links = [(start, end, code) for start, end, code in ends if 0 <= min(start, end) < max(
        start, end)]
    x, y = _places(marks, scene, absent, links)
    nodes, codes = _marked_nodes(marks, scene)
    sure = set(zip(nodes.tolist(), codes.tolist(), strict=True))
    links = [link for link in links if not _goes_without_saying(link, sure, scene.entities)]
    others = {id: CHANGES.index(change) for id, change in marks.changes.items()
              if id not in scene.index}
    seen = {*marks.changes.values(), *(link.change for link in marks.links)}
    return PlacedMarks(
        nodes, codes, others, [marks.names[id] for id in absent], x, y,
        np.array([CHANGES.index(marks.changes[id]) for id in absent], np.int8),
        np.array(links, np.int64).reshape(-1, 3),
        tuple((change, marks.words[change]) for change in CHANGES if change in seen))


def _goes_without_saying(
    link: tuple[int, int, int], marked: set[tuple[int, int]], count: int
) -> bool:
    """A link of two that are in the sky, which came or went with one of them."""
    start, end, code = link
    return max(start, end) < count and not marked.isdisjoint(((start, code), (end, code)))


def _absent(marks: ChangeMarks, scene: Scene) -> list[str]:
    """The things that are not in the scene, those of a known place first."""
    linked = {id for link in marks.links for id in (*link.source, *link.target)}
    ids = [id for id in marks.names if id not in scene.index]
    ids.sort(key=lambda id: (id not in marks.places, id not in linked))
    return ids[:MOST_ABSENT] if scene.entities else []


def _node(ids: Ids, index: Mapping[str, int]) -> int:
    return next((index[id] for id in ids if id in index), -1)


def _marked_nodes(marks: ChangeMarks, scene: Scene) -> tuple[np.ndarray, np.ndarray]:
    found = {scene.index[id]: change for id, change in marks.changes.items() if id in scene.index}
    if len(found) < len(marks.changes):
        first = scene.starts[3]
        found |= {first + k: marks.changes[id] for k, id in enumerate(scene.ids[first:])
                  if id in marks.changes}
    nodes = np.array(sorted(found), np.int64)
    return nodes, np.array([CHANGES.index(found[node]) for node in nodes.tolist()], np.int8)


def _places(
    marks: ChangeMarks, scene: Scene, absent: list[str], links: list[tuple[int, int, int]]
) -> tuple[np.ndarray, np.ndarray]:
    """Where it stood, else beside what it is linked with, else at the edge of the sky."""
    count = scene.entities
    beside = np.full(len(absent), -1, np.int64)
    for start, end, _ in links:
        for ghost, other in ((start, end), (end, start)):
            if ghost >= count > other:
                beside[ghost - count] = other
    known = [marks.places.get(id, (np.nan, np.nan)) for id in absent]
    x, y = np.array(known, np.float32).reshape(-1, 2).T.copy()
    lost = ~np.isfinite(x)
    held = lost & (beside >= 0)
    x[held], y[held] = scene.x[beside[held]], scene.y[beside[held]]
    turn, stars = angles(absent), (scene.x[:count], scene.y[:count])
    settle(x, y, np.flatnonzero(held), turn, *stars, scene.unit)
    settle_alone(x, y, np.flatnonzero(lost & (beside < 0)), turn, *stars, scene.unit)
    return x, y
