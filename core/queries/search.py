"""What a person types, as full-text and LIKE patterns, and the SQL that finds entities by it."""

import re

from core.model.names import name_key
from core.model.split_words import HAN_AND_KANA, SOUTH_EAST_ASIAN
from core.store.handles import Reader

FACTS = 4000
"""Matching facts that are looked at, so that a common word costs no more than a rare one."""

_BY_NAME = """
SELECT f.rowid FROM entities_fts f WHERE entities_fts MATCH :query"""

_BY_NAME_LIKE = """
SELECT n.rowid FROM entities n WHERE n.agent_id = :agent AND {holds}"""

_BY_ALIAS = """
SELECT n.rowid FROM entity_aliases a CROSS JOIN entities n ON n.id = a.entity_id
WHERE a.agent_id = :agent AND a.status = 'active' AND {holds}"""

_BY_FACT = """
SELECT s.entity_id AS id, v.id AS fact
FROM attributes_fts f CROSS JOIN entity_attributes v ON v.rowid = f.rowid
CROSS JOIN entity_aspects s ON s.id = v.aspect_id
WHERE attributes_fts MATCH :query AND +v.agent_id = :agent AND +v.status = 'active'
  AND +s.status = 'active' LIMIT :facts"""

_BY_FACT_LIKE = """
SELECT s.entity_id AS id, v.id AS fact
FROM entity_attributes v CROSS JOIN entity_aspects s ON s.id = v.aspect_id
WHERE v.agent_id = :agent AND v.status = 'active' AND +s.status = 'active' AND {holds}
LIMIT :facts"""

_WIDTH = 140
# Scripts that put no space between words: full text sees a whole run of them as one word.
_RUNS = re.compile(f"[{SOUTH_EAST_ASIAN}{HAN_AND_KANA}]")


def words_of(text: str) -> tuple[str, ...]:
    """The words of a search: split at white space, in any script, as typed."""
    return tuple(text.replace("\0", " ").split())


def full_text(words: tuple[str, ...]) -> str:
    """An FTS5 query for rows with every word, each as a prefix; empty if none can match.

    Each word is quoted, so that what is typed is never read as query syntax. Words without a
    letter or digit are left out, because full text does not index them.
    """
    quoted = (word.replace('"', '""') for word in words if any(map(str.isalnum, word)))
    return " ".join(f'"{word}"*' for word in quoted)


def needs_substring(words: tuple[str, ...]) -> bool:
    """True if full text can't find the words: signs and emoji, or a script without spaces."""
    return any(_RUNS.search(word) or not any(map(str.isalnum, word)) for word in words)


def like(text: str) -> str:
    """A LIKE pattern (ESCAPE '\\') for `text` anywhere, its wildcards taken literally."""
    escaped = text.replace("\\", "\\\\").replace("%", "\\%").replace("_", "\\_")
    return f"%{escaped}%"


def snippet(content: str, words: tuple[str, ...], width: int = _WIDTH) -> str:
    """The part of `content` around the first match, on one line, cut with `…` where it is."""
    start = max(_first(content, words) - width // 3, 0)
    if start:  # Begin at a word, unless there is no space near.
        space = content.find(" ", start, start + 20)
        start = space + 1 if space >= 0 else start
    cut = " ".join(content[start:start + width * 2].split())
    tail = "…" if len(cut) > width or start + width * 2 < len(content) else ""
    return ("…" if start else "") + cut[:width].rstrip() + tail


def _first(content: str, words: tuple[str, ...]) -> int:
    lower = content[:200_000].lower()
    places = [place for word in words if (place := lower.find(word.lower())) >= 0]
    return min(places, default=0)



class Search:
    """One search of one reader: every word must be a prefix of a word in a name, an alias or a
    fact.

    Full text is used where the file has it and can find the words, else LIKE.

    Attributes:
        by_name: condition on `entities e`: its name or one of its aliases contains every word. It
        is
            checked along the order of the list, so a word that all names hold costs no more
            than one that none holds.
        by_fact: a table `(id, fact)`: entities with an active fact that contains every word.
        parameters: what both need bound.
    """

    def __init__(self, reader: Reader, words: tuple[str, ...]) -> None:
        self.parameters: dict[str, object] = {
            "exact": name_key(" ".join(words)), "query": full_text(words), "facts": FACTS,
        }
        plain = needs_substring(words)
        anywhere = [like(name_key(word)) for word in words]
        names = _BY_NAME
        if plain or not reader.has_table("entities_fts"):
            # The name as it is, too: old files lack some canonical names, and SQLite itself
            # knows the small letters of ASCII only.
            holds = self._all("n.canonical_name", "any", anywhere)
            typed = self._all("n.name", "typed", [like(word) for word in words])
            names = _BY_NAME_LIKE.format(holds=f"({holds} OR {typed})")
        at_word = [f"% {pattern[1:]}" for pattern in anywhere]
        aliases = _BY_ALIAS.format(
            holds=self._all("(' ' || a.canonical_alias)", "begin", at_word))
        self.by_name = f"+e.rowid IN ({names} UNION {aliases})"
        facts = _BY_FACT
        if plain or not reader.has_table("attributes_fts"):
            facts = _BY_FACT_LIKE.format(holds=self._all(
                "v.normalized_content", "fact", [like(word.lower()) for word in words]))
        self.by_fact = f"(SELECT id, MIN(fact) AS fact FROM ({facts}) GROUP BY id)"

    def _all(self, column: str, name: str, patterns: list[str]) -> str:
        self.parameters |= {f"{name}{n}": pattern for n, pattern in enumerate(patterns)}
        return " AND ".join(f"{column} LIKE :{name}{n} ESCAPE '\\'" for n in range(len(patterns)))
