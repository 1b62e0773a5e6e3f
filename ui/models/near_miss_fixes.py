"""Near misses as text, with the changes that would include them, or why there are none."""

from collections.abc import Mapping, Sequence
from math import ceil

from msgspec import Struct

from core.model.claims_and_assertions import Slot, Value
from core.model.entity import EntityRow
from core.model.link import Link
from core.model.text_formatting import one_line
from core.model.walk import Miss, Walk
from core.queries.claims import get_value, versions
from core.queries.entities import entities_by_id
from core.queries.knowledge import get_aspect, heaviest_aspects
from core.queries.links import links_by_id
from core.store.reader_and_writer import Reader
from core.traversal.config import TraversalSettings
from core.traversal.walk_queries import read_last_branch
from ui.models import what_if
from ui.models.walk_wording import RANKS, STEP, miss_words
from ui.models.what_if import Thing
from ui.widgets.labels import isolate

WHY = {
    "no memory": "This value has no memory, so it can't be injected",
    "deleted": "Its memory was deleted. Undo this in Activity",
    "archived": "Its memory is archived",
    "gone": "Its target was deleted",
    "budget": "The walk's limit of memories was reached",
    "importance rank": "More important values of its aspect were chosen",
    "mention rank": "Other memories of its entity were chosen",
    "weight rank": "The aspects ranked above it already have full weight",
    "strength rank": "The links ranked above it already have full strength",
    "strength": "The link's confidence is too low, however strong it is",
    "links in all": "The walk's limit of links was reached",
    "deadline": "The walk ran out of time",
}
"""Why nothing can be done to the graph that lets it in, by the rule."""
LIMITS = frozenset((*RANKS, "links in all", "deadline"))
"""Rules with a number that the settings can change."""


class NearMiss(Struct, frozen=True):
    """A near miss: its name, the rule with its numbers, and the changes that would include it.

    Attributes:
        entity_id: the entity to look at.
        slot: the claim whose history has details.
        memory_id: the memory behind a value.
    """

    miss: Miss
    name: str
    words: str
    ways: tuple[Thing, ...] = ()
    entity_id: str = ""
    slot: Slot | None = None
    memory_id: str | None = None

    @property
    def why(self) -> str:
        """Why no change would include it; empty if one would."""
        return "" if self.ways else WHY.get(self.miss.rule, "No change to the graph would include "
                                                            "it")

    @property
    def limited(self) -> bool:
        """Whether other settings would include it."""
        return self.miss.rule in LIMITS


class _Around(Struct, frozen=True):
    """What near misses are looked into with: the links and the entities that they speak of."""

    reader: Reader
    walk: Walk
    limits: TraversalSettings
    links: Mapping[str, Link]
    entities: Mapping[str, EntityRow]

    def named(self, entity_id: str) -> str:
        """An entity's name; empty if it is not there."""
        row = self.entities.get(entity_id)
        return row.name if row else ""

    def owner(self, miss: Miss) -> str:
        """The name of the entity at whose door a near miss stopped."""
        return self.walk.labels.get(miss.entity_id) or self.named(miss.entity_id)


def near_misses_of(
    reader: Reader, misses: Sequence[Miss], walk: Walk, limits: TraversalSettings
) -> list[NearMiss]:
    """The near misses with everything a person needs to decide."""
    links = links_by_id(reader, [miss.id for miss in misses if miss.kind == "link"])
    ids = {*(link.other_id for link in links.values()), *(miss.entity_id for miss in misses),
           *(miss.id for miss in misses if miss.kind == "entity")}
    around = _Around(reader, walk, limits, links, entities_by_id(reader, sorted(ids)))
    look = {"link": _link, "aspect": _aspect, "entity": _entity, "attribute": _value}
    return [look.get(miss.kind, _memory)(around, miss) for miss in misses]


def _entity(around: _Around, miss: Miss) -> NearMiss:
    name = around.named(miss.id) or miss.label
    ways: tuple[Thing, ...] = ()
    if name and miss.rule in ("muted", "muted over pinned"):
        ways = (what_if.mute(miss.id, name),)
    elif name and miss.rule == "archived":
        ways = (what_if.back_from_archive(miss.id, name),)
    elif name and miss.rule in ("match rank", "not asked", "common word"):
        ways = (what_if.pin(miss.id, name),)
    return NearMiss(miss, _told(name), miss_words(miss), ways, miss.id)


def _link(around: _Around, miss: Miss) -> NearMiss:
    link = around.links.get(miss.id)
    if link is None:
        return NearMiss(miss, _told(miss.label), miss_words(miss))
    row = around.entities.get(link.other_id)
    name = row.name if row else miss.label
    ways: list[Thing] = []
    if link.status != "active":
        ways.append(what_if.restored_link(link, name))
    elif row is not None and row.status != "active":
        ways.append(what_if.back_from_archive(row.id, name))
    elif row is not None and row.muted:
        ways.append(what_if.mute(row.id, name))
    elif row is not None:
        ways += _firmer(around.reader, miss, link, name, around.limits)
    if row is not None and row.status == "active" and not row.pinned and not row.muted:
        ways.append(what_if.pin(row.id, name))
    owner = around.walk.labels.get(miss.entity_id, "")
    title = f"{_told(name)} ← {_told(owner)}" if owner else _told(name)
    return NearMiss(miss, title, miss_words(miss), tuple(ways), link.other_id)


def _firmer(
    reader: Reader, miss: Miss, link: Link, name: str, limits: TraversalSettings
) -> list[Thing]:
    """A link that is just strong enough, if a link can be."""
    sure = max(link.confidence, limits.min_confidence) if limits.weigh_confidence else 1.0
    wanted = limits.min_dependency_strength
    if miss.rule == "strength rank":
        wanted = max(wanted, read_last_branch(reader, link.source_entity_id, limits) + 0.01)
    elif miss.rule not in ("strength", "confidence"):
        return []
    strength = max(link.strength, _up(wanted / sure)) if sure else 2.0
    if strength > 1.0:
        return []
    confidence = max(sure, link.confidence) if limits.weigh_confidence else link.confidence
    return [what_if.firmer_link(link, name, strength, confidence)]


def _aspect(around: _Around, miss: Miss) -> NearMiss:
    reader, name = around.reader, _told(around.owner(miss)) + STEP + _told(miss.label)
    aspect = get_aspect(reader, miss.id)
    ways: tuple[Thing, ...] = ()
    if aspect is not None and miss.rule == "weight rank":
        before = heaviest_aspects(
            reader, miss.entity_id, limit=around.limits.max_aspects_per_entity)
        if before and before[-1].weight < 1.0:
            ways = (what_if.heavier_aspect(aspect, min(1.0, _up(before[-1].weight + 0.005))),)
    elif aspect is not None and miss.rule == "archived":
        ways = (what_if.restored_aspect(aspect),)
    return NearMiss(miss, name, miss_words(miss), ways, miss.entity_id)


def _value(around: _Around, miss: Miss) -> NearMiss:
    value = get_value(around.reader, miss.id)
    ways: tuple[Thing, ...] = ()
    if value is not None and value.status != "active":
        ways = (what_if.value_in_force(value, _instead(around.reader, value)),)
    return NearMiss(miss, one_line(miss.label, 56), miss_words(miss), ways, miss.entity_id,
                    value.slot if value else None, value.memory_id if value else None)


def _instead(reader: Reader, value: Value) -> Value | None:
    """What is in force in the value's place."""
    return next((one.value for one in versions(reader, value.slot)
                 if one.value.status == "active"), None)


def _memory(around: _Around, miss: Miss) -> NearMiss:
    """It stays out at an entity's door."""
    name = around.owner(miss)
    ways: tuple[Thing, ...] = ()
    if miss.rule == "budget" and name and miss.entity_id not in around.walk.focal.pinned_ids:
        ways = (what_if.pin(miss.entity_id, name),)
    return NearMiss(miss, one_line(miss.label, 56), miss_words(miss), ways, miss.entity_id)


def _told(name: str) -> str:
    return isolate(one_line(name, 60) or "an unnamed item")


def _up(value: float) -> float:
    """Two digits, never less than the value."""
    return ceil(round(value * 100, 6)) / 100
