"""Finds notes that have another name now by what they say."""

from collections import Counter
from collections.abc import Mapping

from core.model.watched_folder import WatchedNote
from core.transfer.note_statements_to_compare import ALIAS, ENTITY, entity_of, kind_of, said_of

_SAME = 0.8
"""The share of what two notes say that is the same where they are one that was renamed."""


def renamed_notes(
    gone: Mapping[str, WatchedNote], fresh: Mapping[str, WatchedNote]
) -> dict[str, str]:
    """The new places of notes that are gone, where one that is new says nearly the same of an
    entity of another name; of several that do it is not known which.

    Args:
        gone, fresh: the notes that are gone, and those that are new, by their places.
    """
    before = {place: _told(note) for place, note in gone.items()}
    now = {place: _told(note) for place, note in fresh.items()}
    holders: dict[str, list[str]] = {}
    for place, told in now.items():
        for each in told:
            holders.setdefault(each, []).append(place)
    pairs = [(old, new) for old, told in before.items()
             for new, count in Counter(each for said in told
                                       for each in holders.get(said, ())).items()
             if count >= _SAME * max(len(told), len(now[new]))
             and own_name(gone[old]) != own_name(fresh[new])]
    olds, news = Counter(old for old, _ in pairs), Counter(new for _, new in pairs)
    return {old: new for old, new in pairs if olds[old] == news[new] == 1}


def own_name(note: WatchedNote) -> str:
    """What a note calls its entity, in canonical form; empty if it says nothing."""
    return entity_of(note.said[0]) if note.said else ""


def _told(note: WatchedNote) -> frozenset[str]:
    """What a note says of its entity, whatever that is called."""
    return frozenset(said_of(said, own_name(note), "") for said in note.said
                     if kind_of(said) not in (ENTITY, ALIAS))
