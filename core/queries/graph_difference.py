"""What is added, gone or changed between two states of what is known."""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from typing import Literal

from msgspec import Struct
from msgspec.structs import replace

from core.queries.comparison_snapshot import Contents, Place

What = Literal["entity", "claim", "constraint", "link", "pin"]
WHAT: tuple[What, ...] = ("entity", "claim", "constraint", "link", "pin")
Change = Literal["added", "gone", "changed"]
CHANGES: tuple[Change, ...] = ("added", "gone", "changed")
CHANGE_WORDS: Mapping[Change, str] = {change: change for change in CHANGES}
"""What each is called where one state is later than the other."""


class Difference(Struct, frozen=True):
    """One difference.

    Attributes:
        entity_id: the entity that it is about, by the later state where it is there.
        where: `aspect › group › claim` of a value, `uses Kotlin` of a link, the field of an entity.
        before: the text before; empty for what is added.
        after: the text after; empty for what is gone.
        other_id: the entity at the other end of a link.
        value_ids: the values after; empty for what is gone.
        earlier_id: the entity by the earlier state, where it is another one: of two agents each
            has an entity of its own.
        earlier_other_id: the same of the other end of a link.
    """

    what: What
    change: Change
    entity_id: str
    entity_name: str
    where: str = ""
    before: str = ""
    after: str = ""
    other_id: str = ""
    value_ids: tuple[str, ...] = ()
    earlier_id: str = ""
    earlier_other_id: str = ""


def differences(before: Contents, after: Contents) -> tuple[Difference, ...]:
    """Every difference, by the name of the entity that it is about."""
    every = (*_entities(before, after), *_values(before, after), *_links(before, after))
    return tuple(sorted(_with_earlier(before, after, every), key=lambda one: (
        one.entity_name.casefold(), one.entity_id, WHAT.index(one.what), one.where, one.before)))


def _with_earlier(
    before: Contents, after: Contents, every: Iterable[Difference]
) -> Iterator[Difference]:
    """Each difference, with the earlier ids of its entities where they are others."""
    others = {new.id: old.id for key, new in after.entities.items()
              if (old := before.entities.get(key)) is not None and old.id != new.id}
    for one in every:
        yield replace(one, earlier_id=others.get(one.entity_id, ""),
                      earlier_other_id=others.get(one.other_id, "")) if others else one


def counts_of(every: tuple[Difference, ...]) -> dict[str, dict[str, int]]:
    """How many of each kind and change; without the kinds that have none."""
    numbers = Counter((one.what, one.change) for one in every)
    return {what: {change: numbers[what, change] for change in CHANGES}
            for what in WHAT if any(numbers[what, change] for change in CHANGES)}


def _entities(before: Contents, after: Contents) -> Iterator[Difference]:
    for key in before.entities.keys() | after.entities.keys():
        old, new = before.entities.get(key), after.entities.get(key)
        if old is None and new is not None:
            yield Difference("entity", "added", new.id, new.name, after=new.entity_type)
        elif new is None and old is not None:
            yield Difference("entity", "gone", old.id, old.name, before=old.entity_type)
        elif old is not None and new is not None:
            for name in ("name", "entity_type", "description"):
                was, is_now = getattr(old, name), getattr(new, name)
                if was != is_now:
                    yield Difference("entity", "changed", new.id, new.name, _FIELDS[name],
                                     was, is_now)
        pinned = bool(new and new.pinned)
        if bool(old and old.pinned) != pinned:
            one = new or old
            assert one is not None
            yield Difference("pin", "added" if pinned else "gone", one.id, one.name)


_FIELDS = {"name": "name", "entity_type": "type", "description": "description"}


def _values(before: Contents, after: Contents) -> Iterator[Difference]:
    for place in before.values.keys() | after.values.keys():
        was, is_now = (sorted(state.values.get(place, ())) for state in (before, after))
        if was == is_now:
            continue
        thing = after.entities.get(place.entity) or before.entities[place.entity]
        aspects = after.aspects | before.aspects if place.aspect not in after.aspects \
            else after.aspects
        yield Difference(
            "constraint" if place.kind == "constraint" else "claim",
            "added" if not was else "gone" if not is_now else "changed",
            thing.id, thing.name, _slot(place, aspects[place.aspect]),
            "; ".join(was), "; ".join(is_now),
            value_ids=tuple(after.value_ids.get(place, ())))


def _slot(place: Place, aspect: str) -> str:
    return " › ".join(part for part in (aspect, place.group, place.claim) if part)


def _links(before: Contents, after: Contents) -> Iterator[Difference]:
    for key in before.links.keys() | after.links.keys():
        was, is_now = before.links.get(key), after.links.get(key)
        if was == is_now:
            continue
        source, target, kind = key
        state = after if is_now is not None else before
        start, end = state.entities[source], state.entities[target]
        yield Difference(
            "link", "added" if was is None else "gone" if is_now is None else "changed",
            start.id, start.name, f"{kind} {end.name}", was or "", is_now or "", end.id)
