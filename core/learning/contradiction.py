"""Tells by their words whether two values contradict each other (seed 000, four signals).

The signals are upstream's, in its order: the first that fires decides. Three things differ.
Contractions count as negations ("doesn't" is no other word than "does not"); words of any script
are compared; and where the two values share no claim slot, they must say much the same
(`cautious`): two facts about one thing, or two long texts about one person, are no contradiction.
"""

import re
from dataclasses import dataclass
from datetime import timedelta
from functools import lru_cache
from typing import Protocol

from core.learning.config import SupersessionSettings
from core.model import language
from core.model.contradiction import Verdict
from core.model.language import STOP_WORDS
from core.model.times import parse_time


def _set(text: str) -> frozenset[str]:
    return frozenset(text.split())


NEGATIONS = _set(
    "not no never cannot without nor neither none nobody nothing nolonger aint cant couldnt didnt "
    "doesnt dont hadnt hasnt havent isnt arent mustnt neednt shouldnt wasnt werent wont wouldnt")
OPPOSITES = tuple(tuple(pair.split("/")) for pair in sorted(_set(
    "enabled/disabled allow/deny accept/reject always/never on/off true/false yes/no "
    "together/apart dating/single married/divorced friends/strangers close/distant love/hate "
    "like/dislike prefer/avoid enjoy/dread want/refuse start/stop begin/end open/close "
    "open/closed include/exclude join/leave arrive/depart buy/sell alive/dead active/inactive "
    "positive/negative increase/decrease before/after")))
_BE = _set("is are was were has have had")
_ONE_AT_A_TIME = _set("lives moved located based")
"""Verbs that have one object at a time: who lives in Boulder does not live in Denver."""
VALUE_VERBS = _BE | _ONE_AT_A_TIME | _set("works uses prefers runs")
MARKERS = _set(
    "now currently recently today used formerly previously was were moved changed switched "
    "updated started nolonger")
_FUNCTION_WORDS = STOP_WORDS | _BE | NEGATIONS | MARKERS | _set("may might must")
_APOSTROPHES = re.compile("[\u2019\u2018\u02bc'`]")
_NO_LONGER = re.compile(r"\b(no longer|not anymore|not any more)\b")


class ContradictionJudge(Protocol):
    """A model that is asked where the words say nothing."""

    def contradicts(self, new: str, old: str) -> Verdict | None:
        """The verdict on two texts, None where both can hold. May take seconds; never raises."""


@dataclass(frozen=True, slots=True)
class Words:
    """The words of one text, in order and as a set; `telling` are those that carry meaning."""

    order: tuple[str, ...]
    all: frozenset[str]
    telling: frozenset[str]

    def before(self, verb: str) -> frozenset[str]:
        """The telling words before the verb: the subject."""
        return frozenset(self.order[: self.order.index(verb)]) & self.telling

    def after(self, verb: str) -> frozenset[str]:
        """The telling words after the verb."""
        return frozenset(self.order[self.order.index(verb) + 1:]) & self.telling


@lru_cache(maxsize=4096)
def words(text: str) -> Words:
    """The words of a text, two letters or more, lower case, contractions as one word."""
    plain = _NO_LONGER.sub("nolonger", _APOSTROPHES.sub("", text[:20_000]).lower())
    order = tuple(word for word in language.words(plain) if len(word) > 1)
    every = frozenset(order)
    return Words(order, every, every - _FUNCTION_WORDS)


def shared(new: Words, old: Words) -> int:
    """How many words of the new text, repetitions counted, stand in the old one."""
    return sum(word in old.all for word in new.order)


def detect(
    new: str, old: str, new_at: object = None, old_at: object = None, *, same_slot: bool = True,
    settings: SupersessionSettings | None = None,
) -> Verdict | None:
    """The first of the four signals that says the new text contradicts the old one.

    Args:
        new_at: when the new one was written, in either time format; without both times the
            temporal signal stays silent.
        same_slot: both are values of one claim, so that what they share is given.
    """
    asked = settings or SupersessionSettings()
    after, before = words(new), words(old)
    if shared(after, before) < 2 or after.all == before.all:
        return None
    cautious = asked.cautious and not same_slot
    return (
        _negation(after, before, cautious) or _opposite(after, before, cautious)
        or _value(after, before, cautious)
        or _temporal(after, before, cautious, _days(new_at, old_at, asked.gap_hours))
    )


def _stems(words: frozenset[str]) -> frozenset[str]:
    """Words without the s of a plural or third person: `likes` is `like`."""
    return frozenset(w[:-1] if len(w) > 3 and w.endswith("s") else w for w in words)


def _same_matter(new: Words, old: Words, *aside: str, least: int = 2) -> bool:
    """True if two texts outside a slot share `least` telling words and half of what either says.

    Two long texts about one person always share some words; that is no contradiction.
    """
    left_out = _stems(frozenset(aside))
    return _alike(_stems(new.telling) - left_out, _stems(old.telling) - left_out, least)


def _alike(one: frozenset[str], other: frozenset[str], least: int) -> bool:
    return len(one & other) >= max(least, (max(len(one), len(other)) + 1) // 2)


def _negation(new: Words, old: Words, cautious: bool) -> Verdict | None:
    if new.all.isdisjoint(NEGATIONS) == old.all.isdisjoint(NEGATIONS):
        return None
    if cautious and not _same_matter(new, old):
        return None
    return Verdict("negation", 0.85, "negation polarity conflict")


def _opposite(new: Words, old: Words, cautious: bool) -> Verdict | None:
    for pair in OPPOSITES:
        one, other = pair
        new_has = (one in new.all, other in new.all)
        old_has = (one in old.all, other in old.all)
        if new_has[0] == new_has[1] or old_has != (new_has[1], new_has[0]):
            continue
        # Texts that say nothing else but the pair are about the same thing, too.
        if not cautious or (new.telling | old.telling) <= set(pair) or (
                _same_matter(new, old, *pair, least=1)):
            return Verdict("antonym", 0.80, f"antonym pair conflict: {one}/{other}")
    return None


def _value(new: Words, old: Words, cautious: bool) -> Verdict | None:
    common = new.all & old.all
    rests = (new.all - common - VALUE_VERBS, old.all - common - VALUE_VERBS)
    if not all(rests):
        return None
    for verb in new.order:
        if verb in VALUE_VERBS and verb in common and not (
                cautious and not _same_property(verb, new, old)):
            return Verdict("value", 0.75,
                           f'value conflict: shared verb "{verb}" with divergent values')
    return None


def _same_property(verb: str, new: Words, old: Words) -> bool:
    """True if two sentences outside a slot tell the same thing of the same subject.

    "api is fast" and "api is written in go" share a subject and a verb, and both hold; "the
    daemon lives in one folder, the core in another" has two subjects.
    """
    subjects = (new.before(verb), old.before(verb))
    if subjects[0] - subjects[1] and subjects[1] - subjects[0]:
        return False
    if verb in _ONE_AT_A_TIME:
        return True
    return _same_matter(new, old, verb) or _alike(new.after(verb), old.after(verb), 1)


def _days(new_at: object, old_at: object, gap_hours: float) -> float | None:
    """The days between two times, None where they are unknown or too near each other."""
    later, earlier = parse_time(new_at), parse_time(old_at)
    if later is None or earlier is None or later - earlier <= timedelta(hours=gap_hours):
        return None
    return (later - earlier) / timedelta(days=1)


def _temporal(new: Words, old: Words, cautious: bool, days: float | None) -> Verdict | None:
    if days is None or new.all.isdisjoint(MARKERS):
        return None
    if cautious and not _same_matter(new, old) and not (
            (new.all & old.all & VALUE_VERBS) - _BE):
        return None
    return Verdict("temporal", 0.70,
                   f"temporal supersession: {int(days)}d gap with temporal markers")
