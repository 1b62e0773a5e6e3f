"""Finds the memory that a claim value rests on: the one about its entity that shares its words."""

import math
import re
from collections import Counter
from collections.abc import Iterable, Sequence
from datetime import datetime, timedelta

from explorer.demo.story import Note, Story

_WORD = re.compile(r"[a-z0-9]+(?:[.,:/][a-z0-9]+)*")
_STEM = 5
"""Letters of a word that count, so that `rotates` and `rotation` meet."""
ENOUGH = 0.5
"""The part of a value's weight in words that a memory has to share."""
ENOUGH_SAME_DAY = 0.3
"""The same for a memory of the day on which the value changed."""
_STALE = timedelta(days=3)
"""How long after a memory a dated change may still rest on it."""
_SENTENCE = re.compile(r"(?<=[.;:])\s+")


class Ground:
    """The words of all memories, weighed by how rare they are."""

    def __init__(self, story: Story) -> None:
        self._words = {note.id: _stems(note.line.text) for note in story.notes}
        counts = Counter(word for words in self._words.values() for word in words)
        self._rarity = {word: math.log(len(story.notes) / n) for word, n in counts.items()}
        self._about: dict[str, list[Note]] = {}
        for note in story.notes:
            for entity in note.mentions:
                self._about.setdefault(entity, []).append(note)

    def about(self, entity_id: str) -> Sequence[Note]:
        """The memories that mention an entity."""
        return self._about.get(entity_id, ())

    def of(self, entity_id: str, text: str, context: str, on: str,
           before: datetime | None) -> Note | None:
        """The memory that carries a value, or None.

        Args:
            text: the value.
            context: its keys, whose words help a little.
            on: the day on which it was set, empty if it is not written down.
            before: the value was replaced then, so the memory is older.
        """
        words, hints = _stems(text), _stems(context)
        best, best_score = None, 0.0
        for note in self.about(entity_id):
            day = note.at.date().isoformat()
            if (before and note.at >= before) or (on and day > on[:10]):
                continue
            score = self._shared(words, self._words[note.id])
            needed = ENOUGH_SAME_DAY if on and day == on[:10] else ENOUGH
            if on and note.at < datetime.fromisoformat(on[:10] + "T00:00+00:00") - _STALE:
                continue
            score += 0.05 * self._shared(hints, self._words[note.id]) + 0.5 * (day == on[:10])
            if score >= needed and score > best_score:
                best, best_score = note, score
        return best

    def evidence(self, note: Note, text: str) -> dict[str, str]:
        """A value's evidence: a memory with the sentence of it that shares most with the value."""
        whole = note.line.text
        if text in whole:
            return {"memory_id": note.id, "quote": text}
        words = _stems(text)
        return {"memory_id": note.id, "quote": max(
            _SENTENCE.split(whole), key=lambda part: self._shared(words, _stems(part)))}

    def _shared(self, words: Iterable[str], others: set[str]) -> float:
        words = list(words)
        # A word that no memory has weighs as much as the rarest: it speaks against a match.
        rare = math.log(len(self._words))
        whole = sum(self._rarity.get(word, rare) for word in words)
        return sum(self._rarity[word] for word in words if word in others) / whole if whole else 0.0


def _stems(text: str) -> set[str]:
    return {word if word[0].isdigit() else word[:_STEM] for word in _WORD.findall(text.lower())
            if len(word) > 2 or word[0].isdigit()}
