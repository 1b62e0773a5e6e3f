"""Links a memory with the known entities that its words name; never makes anything.

Upstream looks at runs of capitalised words as a whole. Here each part of a run counts, so that
"Yesterday Alice" names Alice, capitals of any script count, scripts without capitals are looked
up as they are, and a name that is written small in the graph is found where it is written small.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import islice

from core.ingest.remember_progress import RememberState
from core.model.language import NO_NAMES, width
from core.model.names import canonical

_SENTENCE = re.compile(r"[.!?\u3002\uff01\uff1f]\s+|[\n\u3002\uff01\uff1f]+")
_TOKEN = re.compile(r"[@.]?\w(?:[\w'\u2019./+#-]*[\w+#])?")
_POSSESSIVE = re.compile(r"['\u2019]s$")
_SHORTEST, _SHORTEST_SMALL = 3, 4


@dataclass(frozen=True, slots=True)
class PossibleName:
    """Words of a text that may be a name, and their positions."""

    text: str
    start: int
    stop: int


def link_mentions(state: RememberState, content: str) -> None:
    """Link the memory with every known, active entity that it names."""
    settings = state.settings
    names = list(islice(possible_names(content, settings.mention_words),
                        settings.mention_candidates))
    known = _known(state, {canonical(name.text) for name in names}) if names else frozenset()
    taken: set[int] = set()
    # A whole name before its parts: who is in New York is not in York.
    for name in sorted(names, key=lambda name: (name.start - name.stop, name.start)):
        words = range(name.start, name.stop)
        if canonical(name.text) not in known or not taken.isdisjoint(words):
            continue
        entity = state.find(name.text)
        if entity is not None and not entity.archived and _is_meant(name.text, entity.name):
            taken.update(words)
            state.mention(entity, name.text, settings.mention_confidence)


def _is_meant(text: str, name: str) -> bool:
    """A name in small letters is meant only where the graph writes it like that."""
    return text != text.lower() or text == text.upper() or name == name.lower()


def possible_names(content: str, most_words: int) -> Iterator[PossibleName]:
    """Runs of words that look like a name, each part of such a run, and single small words."""
    place = 0
    for sentence in _SENTENCE.split(content):
        run: list[str] = []
        for token in (*(_POSSESSIVE.sub("", word) for word in _TOKEN.findall(sentence)), ""):
            if token and _is_capital(token):
                run.append(token)
            else:
                yield from _parts(run, place - len(run), most_words)
                run = []
                if len(token) >= _SHORTEST_SMALL and token not in NO_NAMES:
                    yield PossibleName(token, place, place + 1)
            place += 1


def _parts(run: list[str], place: int, most_words: int) -> Iterator[PossibleName]:
    for start in range(len(run)):
        for length in range(1, min(len(run) - start, most_words) + 1):
            name = " ".join(run[start:start + length])
            if (length > 1 or name.lower() not in NO_NAMES) and width(name) >= _SHORTEST:
                yield PossibleName(name, place + start, place + start + length)


def _is_capital(token: str) -> bool:
    """True for a word with a capital or a digit, and for one of a script that has no capitals."""
    return token != token.lower() or token == token.upper() or token[0] in "@."


def _known(state: RememberState, keys: set[str]) -> frozenset[str]:
    """Those of the names that the agent has an entity or alias of."""
    rows = state.writer.rows(
        "SELECT e.canonical_name AS key FROM json_each(:keys) AS w"
        " CROSS JOIN entities e ON e.canonical_name = w.value AND e.agent_id = :agent"
        " UNION SELECT n.canonical_alias FROM json_each(:keys) AS w"
        " CROSS JOIN entity_aliases n ON n.canonical_alias = w.value AND n.agent_id = :agent"
        " AND n.status = 'active'", keys=sorted(keys))
    return frozenset(row["key"] for row in rows)
