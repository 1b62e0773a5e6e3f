"""Tells which memory a newer sentence takes back: "The plan to move on Monday was dropped".

Nothing is retired by it: what it takes back is told as disputed, with the newer words, for as long
as both are at hand. A sentence takes back only what it is about: an older one that says nearly all
of its telling words.
"""

import re
from collections.abc import Iterable, Iterator
from functools import cache, lru_cache

from msgspec import Struct

from core.model.dispute import Dispute
from core.model.search_words import STOP_WORDS, stem
from core.model.search_words import words as words_of

_DROPPED = re.compile(
    r"\b(?:(?:was|were|is|are|been|got|be|have|has|we|i|they|he|she|now)\s+(?:\w+\s+)?)?"
    r"(?:dropped(?! (?:out|by|to|off|in|back|below|under|from \d)\b)|cancell?ed|called off"
    r"|abandoned|scrapped|withdrawn|revoked|given up|taken back|fell through|falls through"
    r"|off the table|(?:will not|won['’]t|is not going to|isn['’]t going to) happen"
    r"|no longer (?:planned|happening|going ahead|valid|true|holds)|is off|are off|not going ahead)"
    r"\b", re.IGNORECASE)
_HINTS = ("dropped", "cancel", "called off", "abandoned", "scrapped", "withdrawn", "revoked",
          "given up", "taken back", "fell through", "falls through", "off the table",
          "happen", "no longer", "is off", "are off", "not going ahead")
"""One of these is in every text that `_DROPPED` matches; looked for first, being quicker."""
_NOT = re.compile(r"\b(?:not|never|nobody|nothing|isn['’]t|wasn['’]t)\s+(?:\w+\s+)?"
                  r"(?:dropped|cancell?ed|abandoned|scrapped|given up)\b", re.IGNORECASE)
_REASON = re.compile(r"(?:,|;|\b(?:because|since|by|as|due)\b).*", re.IGNORECASE | re.DOTALL)
_SENTENCE = re.compile(r"(?<=[.!?;])\s+|\n+")
_PLAIN_WORDS = """
plan planned idea decision decided thing again now today yesterday instead after longer
off happen going ahead valid true holds because since finally fell through table will want wanted
would go anymore completely entirely"""
"""Words of such a sentence that are not what it is about."""
LEAST, SHARE = 2, 0.75
"""Telling words that both sentences must share, and what share of the newer one's."""
LONGEST = 25
"""Words of a sentence that takes something back."""
READ = 1_000
"""Characters of a text that are looked at."""


class Said(Struct, frozen=True):
    """A memory: its text, and when it was made."""

    id: str
    text: str
    at: str


def taken_back(memories: Iterable[Said]) -> dict[str, Dispute]:
    """By memory what a newer one of these takes back of it, the last such sentence."""
    every = sorted(memories, key=lambda memory: memory.at.replace("T", " "))
    disputes: dict[str, Dispute] = {}
    if not _hinted(memory.text[:READ] for memory in every):
        return disputes
    for number, newer in enumerate(every):
        for sentence, topic in _drops(newer.text[:READ]):
            for older in every[:number]:
                part = _about(topic, older.text[:READ])
                if part and older.at.replace("T", " ") < newer.at.replace("T", " "):
                    disputes[older.id] = Dispute(older.id, part, newer.id, sentence, newer.at)
    return disputes


def take_back(texts: Iterable[str]) -> bool:
    """True if a sentence of one of these texts takes something back."""
    starts = [text[:READ] for text in texts]
    return _hinted(starts) and any(map(_drops, starts))


def _hinted(texts: Iterable[str]) -> bool:
    """False if none of these texts can take something back."""
    every = "\n".join(texts).lower()
    return any(hint in every for hint in _HINTS)


@lru_cache(maxsize=4_000)
def _drops(text: str) -> tuple[tuple[str, frozenset[str]], ...]:
    """The sentences that take something back, each with what it is about."""
    if not _hinted((text,)):
        return ()
    return tuple((sentence, topic) for sentence in _SENTENCE.split(text)
                 if _DROPPED.search(sentence) and not _NOT.search(sentence)
                 and len(sentence.split()) <= LONGEST
                 and len(topic := _telling(_topic(sentence))) >= LEAST)


def _topic(sentence: str) -> str:
    """The sentence without the words that take back and without the reason after them."""
    match = _DROPPED.search(sentence)
    at = match.start() if match else 0
    rest = _DROPPED.sub(" ", sentence[at:])
    return sentence[:at] + _REASON.sub("", rest)


def _about(topic: frozenset[str], text: str) -> str:
    """The sentence of a text that is about this topic and does not take it back itself."""
    return next((sentence for sentence, said in _sentences(text)
                 if len(topic & said) >= max(LEAST, SHARE * len(topic))), "")


@lru_cache(maxsize=20_000)
def _sentences(text: str) -> tuple[tuple[str, frozenset[str]], ...]:
    parts: Iterator[str] = (part for part in _SENTENCE.split(text) if not _DROPPED.search(part))
    return tuple((part, _telling(part)) for part in parts if not part.rstrip().endswith("?"))


def _telling(text: str) -> frozenset[str]:
    return frozenset(map(stem, words_of(text))) - STOP_WORDS - _plain_stems()


@cache
def _plain_stems() -> frozenset[str]:
    return frozenset(map(stem, _PLAIN_WORDS.split()))
