"""Finds keys and passwords in what is imported or exported, by the rules of detect-secrets.

What was found is never told, only where it stands and what it looks like.
"""

import re
from collections.abc import Callable, Collection, Iterable, Iterator
from functools import cache
from typing import Any

from msgspec import Struct

from core.model.text_formatting import one_line
from core.store.reader_and_writer import Reader

_UNUSED = {"Base64HighEntropyString", "HexHighEntropyString", "IPPublicDetector", "OpenAIDetector"}
"""Rules that take every id and every hash for a key, and one that `_SK` does in less time."""
_NAMES = ("pass", "pwd", "secret", "token", "key", "credential")
_SAID = re.compile(r"[:=]|!!|[\"'`];|private key", re.IGNORECASE)
"""What stands beside such a name where the rules take what follows, or comes before, for a key."""
_LONG = 16
_MAY_BE = re.compile(r"[^\s/]{16,}|://[^\s@]{0,300}@")
"""What all other keys have; asked first, since the rules take a tenth of a millisecond."""
_VALUE = re.compile(r"(?=.*[A-Za-z])(?=.*[\d!-/:-@\[-`{-~])\S{8,}")
"""A password beside its name, told from a word of a sentence."""
_KEYWORD = "KeywordDetector"
_BY_NAME = "Secret Keyword"
_LONG_WORD = re.compile(r"(\w{32})\w+(?=\w{32})")
"""A longer word is no name of a password; the rule for names takes cubic time in its length."""
_PIECE, _OVERLAP = 4000, 1000
"""Characters; a key is no longer than the overlap."""
_SK = re.compile(r"\bsk[-_](?=[\w-]{0,99}\d)[\w-]{20,}")
"""A key as many services begin theirs, of which the rules know one form only."""
_VALUES = """
SELECT e.name, v.content FROM entity_attributes v JOIN entity_aspects s ON s.id = v.aspect_id
JOIN entities e ON e.id = s.entity_id
WHERE (:every OR v.agent_id = :of) AND (:all OR v.status = 'active')
  AND (:ids IS NULL OR e.id IN (SELECT value FROM json_each(:ids)))
UNION ALL SELECT e.name, e.description FROM entities e
WHERE (:every OR e.agent_id = :of) AND e.description <> ''
  AND (:ids IS NULL OR e.id IN (SELECT value FROM json_each(:ids)))"""
_MEMORIES = """
SELECT 'memory ' || substr(m.id, 1, 8) AS name, m.content FROM memories m
WHERE (:every OR m.agent_id = :of) AND m.is_deleted = 0"""


class FoundSecret(Struct, frozen=True):
    """Where something stands that looks like a key or a password, and what it looks like."""

    where: str
    kind: str

    @property
    def words(self) -> str:
        """`“Vega”, line 3: looks like a secret (GitHub Token)`."""
        return f"{self.where}: looks like a secret ({self.kind})"


def kinds_of_secrets(text: str) -> tuple[str, ...]:
    """What the keys and passwords of a text look like; nothing for most texts."""
    if not _may_be(text):
        return ()
    kinds = tuple(kind for kind, finds in _rules() if finds(text))
    # The name beside a key says less than what the key itself looks like.
    return tuple(kind for kind in kinds if kind != _BY_NAME) or kinds


def _may_be(text: str) -> bool:
    """What asks all rules is slow, and most texts are ordinary words."""
    folded = text.casefold()
    if any(name in folded for name in _NAMES) and _SAID.search(text):
        return True
    long = len(text) > _PIECE or max(map(len, text.split()), default=0) >= _LONG
    return (long or "://" in text) and _MAY_BE.search(text) is not None


def secrets_of(
    reader: Reader, ids: Collection[str] | None = None, agent: str | None = None, *,
    everything: bool = False,
) -> tuple[FoundSecret, ...]:
    """The keys and passwords of what an export writes.

    Args:
        ids: the entities that are written; None for all.
        agent: whose rows are written; None for those of every agent.
        everything: True where past versions and memories are written, too.
    """
    given: dict[str, Any] = {"ids": sorted(ids) if ids is not None else None, "of": agent or "",
                             "every": agent is None, "all": everything}
    rows = list[Iterable[Any]]((reader.rows(_VALUES, **given),))
    if everything:
        rows.append(reader.rows(_MEMORIES, every=given["every"], of=given["of"]))
    seen: dict[FoundSecret, None] = {}
    for some in rows:
        for row in some:
            note_secrets(seen, f"“{one_line(str(row['name']), 60)}”", str(row["content"] or ""))
    return tuple(seen)


def note_secrets(seen: dict[FoundSecret, None], where: str, text: object) -> None:
    """Add what a text looks like to what was found before: each place once for each kind."""
    if isinstance(text, str):
        seen |= dict.fromkeys(FoundSecret(where, kind) for kind in kinds_of_secrets(text))


def _pieces(text: str) -> Iterator[str]:
    """A long text in pieces that overlap: some rules take quadratic time."""
    for start in range(0, max(len(text) - _OVERLAP, 1), _PIECE - _OVERLAP):
        yield text[start:start + _PIECE]


@cache
def _rules() -> tuple[tuple[str, Callable[[str], bool]], ...]:
    """Each kind of secret with what finds it."""
    from detect_secrets.core.plugins import util  # noqa: PLC0415 (half a second, few texts need it)
    from detect_secrets.plugins import keyword  # noqa: PLC0415 (the same)

    def by_name(text: str) -> bool:
        patterns = (keyword.CONFIG_DENYLIST_REGEX_TO_GROUP,
                    keyword.QUOTES_REQUIRED_DENYLIST_REGEX_TO_GROUP)
        return any(_VALUE.fullmatch(value) for some in patterns
                   for line in _LONG_WORD.sub(r"\1", text).splitlines()
                   for value in keyword.KeywordDetector().analyze_string(line, some))

    def by_form(plugin: Any) -> Callable[[str], bool]:
        return lambda text: any(next(iter(plugin.analyze_string(piece)), None) is not None
                                for piece in _pieces(text))

    types: dict[str, Any] = util.get_mapping_from_secret_type_to_class()
    return (("Secret Key", lambda text: _SK.search(text) is not None),
            *((kind, by_name if rule.__name__ == _KEYWORD else by_form(rule()))
              for kind, rule in types.items() if rule.__name__ not in _UNUSED))
