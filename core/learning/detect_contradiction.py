"""Tells by their words whether two values contradict each other (seed 000, four signals).

The signals are upstream's, in its order: the first that fires decides. Three things differ.
Contractions count as negations ("doesn't" is no other word than "does not"); words of any script
are compared; and where the two values share no claim slot, they must give one property of one
subject two values (`cautious`): two facts about one thing are no contradiction.
"""

import re
from datetime import timedelta
from functools import lru_cache

from msgspec import Struct

from core.learning.config import SupersessionSettings
from core.model import search_words
from core.model.contradiction import Verdict
from core.model.search_words import STOP_WORDS
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
_PLACED = {
    "lives": _set("in at"), "located": _set("in at"), "based": _set("in at"),
    "moved": _set("to"), "works": _set("at for")}
"""Verbs that with these words have one object at a time: who lives in Graz is not in Linz."""
_PREPOSITIONS = _set("in at on to for from with by near of about as under over")
SINGLE = _set(
    "favourite favorite default owner maintainer lead manager moderator version port deadline "
    "timeout birthday password language address email phone colour color capital timezone")
"""Nouns of properties that have one value at a time."""
_NUMBERS = _set("one two three four five six seven eight nine ten eleven twelve")
_PAST = _set("was were had")
_SHORT = 3
VALUE_VERBS = _BE | _set("lives moved located based works uses prefers runs")
MARKERS = _set(
    "now currently recently today used formerly previously was were moved changed switched "
    "updated started nolonger")
_FUNCTION_WORDS = STOP_WORDS | _BE | NEGATIONS | MARKERS | _set("may might must")
_APOSTROPHES = re.compile("[\u2019\u2018\u02bc'`]")
_NO_LONGER = re.compile(r"\b(no longer|not anymore|not any more)\b")


class Words(Struct, frozen=True):
    """The words of one text, in order and as a set.

    `telling` are those that carry meaning, `names` those written with a capital.
    """

    order: tuple[str, ...]
    all: frozenset[str]
    telling: frozenset[str]
    names: frozenset[str]

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
    order = tuple(word for word in search_words.words(plain) if len(word) > 1)
    every = frozenset(order)
    names = frozenset(word.lower() for word in text[:20_000].split() if word[:1].isupper())
    return Words(order, every, every - _FUNCTION_WORDS, names)


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


def _same_statement(new: Words, old: Words, *aside: str) -> bool:
    """True if one text says all that the other says, and at most one telling word more."""
    left_out = _stems(frozenset(aside))
    rests = _rests(new.telling, old.telling, left_out)
    return min(map(len, rests)) == 0 and max(map(len, rests)) <= 1


def _rests(
    new: frozenset[str], old: frozenset[str], aside: frozenset[str] = frozenset()
) -> tuple[frozenset[str], frozenset[str]]:
    """The stems that only the one, and only the other, has."""
    stems = (_stems(new) - aside, _stems(old) - aside)
    return stems[0] - stems[1], stems[1] - stems[0]


def is_negated(text: Words) -> bool:
    """True if a text says that something is not so."""
    return not text.all.isdisjoint(NEGATIONS)


def _negation(new: Words, old: Words, cautious: bool) -> Verdict | None:
    if is_negated(new) == is_negated(old) or (cautious and not _same_statement(new, old)):
        return None
    return Verdict("negation", 0.85, "negation polarity conflict")


def _opposite(new: Words, old: Words, cautious: bool) -> Verdict | None:
    if cautious and is_negated(new) != is_negated(old):
        return None  # "does not like" and "dislikes" say the same
    sides = (_stems(new.all), _stems(old.all)) if cautious else (new.all, old.all)
    for pair in OPPOSITES:
        one, other = pair
        new_has = (one in sides[0], other in sides[0])
        old_has = (one in sides[1], other in sides[1])
        if new_has[0] == new_has[1] or old_has != (new_has[1], new_has[0]):
            continue
        if not cautious or _same_statement(new, old, *pair):
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
    """True if two sentences outside a slot give one property of one subject two values.

    "api is fast" and "api is written in go" share a subject and a verb, and both hold; "lives in
    Graz" and "lives in Linz" cannot, nor can two owners, or "npm for builds" and "bun for builds".
    """
    if new.before(verb) != old.before(verb):
        return False
    parts = [text.order[text.order.index(verb) + 1:] for text in (new, old)]
    if not all(parts):
        return False
    links = {part[0] for part in parts if part[0] in _PREPOSITIONS}
    same_link = parts[0][0] == parts[1][0] and bool(links)
    if verb in _PLACED:
        return same_link and parts[0][0] in _PLACED[verb]
    if verb not in _PAST and other_number(new, old):
        return True
    if new.before(verb) & SINGLE and (same_link or not links):
        return all(len(part) <= _SHORT for part in parts) and (
            _kind(parts[0], new) == _kind(parts[1], old))
    purposes = [part[part.index("for"):] if "for" in part else () for part in parts]
    return bool(purposes[0]) and purposes[0] == purposes[1]


def other_number(new: Words, old: Words) -> bool:
    """True if two texts have the same words in the same order, but for their numbers."""
    plain = [[word for word in text.order if not _is_number(word)] for text in (new, old)]
    return plain[0] == plain[1]


def _is_number(word: str) -> bool:
    return word[0].isdigit() or word in _NUMBERS


def _kind(part: tuple[str, ...], text: Words) -> tuple[bool, bool]:
    """Whether a value has a number, and whether it has a name."""
    return any(map(_is_number, part)), not text.names.isdisjoint(part)


def _days(new_at: object, old_at: object, gap_hours: float) -> float | None:
    """The days between two times, None where they are unknown or too near each other."""
    later, earlier = parse_time(new_at), parse_time(old_at)
    if later is None or earlier is None or later - earlier <= timedelta(hours=gap_hours):
        return None
    return (later - earlier) / timedelta(days=1)


def _temporal(new: Words, old: Words, cautious: bool, days: float | None) -> Verdict | None:
    if days is None or new.all.isdisjoint(MARKERS):
        return None
    if cautious and not _replaced_word(new, old):
        return None
    return Verdict("temporal", 0.70,
                   f"temporal supersession: {int(days)}d gap with temporal markers")


def _replaced_word(new: Words, old: Words) -> bool:
    """True if two texts start alike and differ in one telling word of at least three."""
    firsts = [next((w for w in text.order if w in text.telling), "") for text in (new, old)]
    common = _stems(new.telling) & _stems(old.telling)
    return (len(common) > 1 and _stems(frozenset(firsts[:1])) == _stems(frozenset(firsts[1:]))
            and all(len(rest) == 1 for rest in _rests(new.telling, old.telling)))
