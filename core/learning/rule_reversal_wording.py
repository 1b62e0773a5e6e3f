"""Tells by its wording whether a sentence takes back a rule: its reverse, or its bound moved.

Only what speaks of rules is looked at ("allowed", "no longer", "must", "never"): that somebody
deployed on a Friday takes no rule back. Where it fires, a person decides; nothing is retired by
it alone.
"""

import re
from collections.abc import Iterator
from functools import lru_cache

from msgspec import Struct

from core.learning.detect_contradiction import NEGATIONS, other_number
from core.learning.detect_contradiction import words as words_of
from core.model.contradiction import Verdict
from core.model.names import canonical
from core.model.search_words import STOP_WORDS, stem


def _set(text: str) -> frozenset[str]:
    return frozenset(text.split())


_REFUSALS = NEGATIONS | _set(
    "forbidden prohibited banned disallowed optional unnecessary unneeded abolished lifted dropped "
    "waived scrapped obsolete")
"""Words that turn a rule round; two of them in a sentence turn it back."""
_NORMS = _set(
    "allow allows allowed allowing permit permits permitted may must shall should can need "
    "needs needed require requires required have has ok okay fine again anymore always never only "
    "nolonger cannot mustnt shouldnt neednt forbidden prohibited banned disallowed optional "
    "unnecessary unneeded abolished lifted dropped waived scrapped obsolete")
"""Words by which a sentence speaks of what is to be done; they are not what it is about."""
_PLAIN = _set(
    "allow allows allowed permit permits permitted may ok okay fine nolonger forbidden prohibited "
    "banned disallowed optional unnecessary unneeded abolished lifted dropped waived scrapped "
    "obsolete")
_STATES = _NORMS - _set("have has again can only needs need needed always")
_WANTED = re.compile(
    r"\b(?:no longer|not any ?more|any ?more|from now on|ok(?:ay)? to|fine to|do(?:es)? not have to"
    r"|do(?:es)?n['’]t (?:have|need) to|no need|needs? no|can (?:now|again))\b", re.IGNORECASE)
_BOUNDS = _set("after before above below over under than within until till most least maximum "
               "minimum limit need needs require requires")
_IDLE = STOP_WORDS | _REFUSALS | _NORMS | _set(
    "we us our everyone everybody anyone anybody team now today please rule from")
_REASON = re.compile(
    r"(?<=\w)[\s,;(]+(?:since|because|now that|as long as|due to|thanks to)\b.*"
    r"|^\s*(?:since|because|now that|due to|thanks to)\b[^,]*,", re.IGNORECASE | re.DOTALL)
"""What a sentence gives as its reason, which is not what it is about."""
_SENTENCE = re.compile(r"(?<=[.!?;])\s+|\n+")
LONGEST = 40
"""Words of a sentence that can be a rule."""
MOST = 50
"""Sentences of one text that are looked at."""
ALIKE, SAID_PLAINLY = 0.7, 0.6
"""Share of the shorter one's telling words that both must have; and where the new one says in so
many words that something is allowed, over or forbidden."""


class _Rule(Struct, frozen=True):
    topic: frozenset[str]
    turned: bool
    bound: bool
    plain: bool

    @property
    def things(self) -> frozenset[str]:
        """The topic without its numbers."""
        return frozenset(word for word in self.topic if not word.isdecimal())


@lru_cache(maxsize=8192)
def _rule(text: str) -> _Rule:
    order = words_of(_REASON.sub("", text) or text).order
    return _Rule(frozenset(stem(word) for word in order if word not in _IDLE),
                 sum(word in _REFUSALS for word in order) % 2 == 1,
                 not _BOUNDS.isdisjoint(order), not _PLAIN.isdisjoint(order))


def states_rule(text: str) -> bool:
    """True for a sentence that says what is allowed, asked for or over; not for a question."""
    if text.rstrip().endswith("?") or len(text) > 60 * LONGEST:
        return False
    words = words_of(text)
    return len(words.order) <= LONGEST and bool(
        not words.all.isdisjoint(_STATES) or words.order[:1] == ("no",) or _WANTED.search(text))


def rule_sentences(text: str) -> Iterator[str]:
    """The sentences of a text that state a rule."""
    return (sentence for sentence in _sentences(text) if states_rule(sentence))


def _sentences(text: str) -> list[str]:
    plain = (part.strip().rstrip(".!;").strip() for part in _SENTENCE.split(text)[:MOST])
    return [part for part in plain if part]


def reverses(new: str, rule: str) -> Verdict | None:
    """Why a sentence that states a rule takes another one back; None where both can hold.

    Both are about the same things, and one forbids what the other allows or asks for; or they are
    the same but for the number of their bound. Of a rule in several sentences each is compared.
    """
    parts = _sentences(rule)
    if canonical(new) in map(canonical, parts):
        return None
    return next(filter(None, (_reversed_by(new, part) for part in parts)), None)


def _reversed_by(new: str, rule: str) -> Verdict | None:
    later, earlier = _rule(new), _rule(rule)
    needed = SAID_PLAINLY if later.plain else ALIKE
    # A time of day that one of them names is its bound: "after 14:00" is a Friday, too.
    if later.turned != earlier.turned and _alike(later.things, earlier.things, needed):
        return Verdict("negation", 0.8, "one forbids what the other allows or asks for")
    if (later.turned == earlier.turned and _alike(later.topic, earlier.topic, needed)
            and later.bound and other_number(words_of(new), words_of(rule)) and later != earlier):
        return Verdict("value", 0.75, "the same rule with another number")
    return None


def _alike(later: frozenset[str], earlier: frozenset[str], needed: float) -> bool:
    """True if two topics share two words, and that share of the shorter one's."""
    common = len(later & earlier)
    return common >= 2 and common >= needed * min(len(later), len(earlier))
