"""Finds the names of known entities in a text, in any script: the one scanner.

Stretches of the text are looked up in the index of names, so that the cost follows the text and
not the number of names.
"""

import re
from collections.abc import Callable, Collection, Iterator, Sequence
from itertools import islice
from unicodedata import normalize

from msgspec import Struct

from core.model.names import name_key, of_capitals
from core.model.search_words import width
from core.model.split_words import NamePart, name_parts
from core.queries.known_by_name import known_by
from core.store.reader_and_writer import Reader

LONGEST_RUN = 24
"""Signs of a name in a script without spaces."""
NARROWEST = 3
"""Width of a name within a run of signs: two Chinese ones, three Thai ones."""

_TOGETHER = re.compile(r"[^\S\n]*|[^\S\n]*[\u30fb\u00b7\uff65&/-][^\S\n]*")
"""What may stand between a sign and the next part of one name."""
_SENTENCE_END = re.compile(r"[.!?\u3002\uff01\uff1f;:]\s|[\u3002\uff01\uff1f]")
_BEFORE, _AFTER = re.compile(r"[^\s\w]*\Z"), re.compile(r"[^\s\w]*")

_KNOWN = """
SELECT e.canonical_name AS key, e.name AS spelled FROM entities e
WHERE {known}
UNION SELECT a.canonical_alias, a.alias FROM entity_aliases a
WHERE a.agent_id = :agent AND a.canonical_alias IN (SELECT value FROM json_each(:keys))
  AND a.status = 'active'"""
_BEGINNINGS = """
SELECT w.value AS start FROM json_each(:starts) w WHERE EXISTS (
  SELECT 1 FROM entities e WHERE e.agent_id = :agent
  AND e.canonical_name >= w.value AND e.canonical_name < w.value || char(1114111))
OR EXISTS (
  SELECT 1 FROM entity_aliases a WHERE a.agent_id = :agent AND a.status = 'active'
  AND a.canonical_alias >= w.value AND a.canonical_alias < w.value || char(1114111))"""
# A Signet file's names have no index that could be used: one pass over them for all.
_BEGINNINGS_IN_ONE_PASS = """
SELECT substr(e.canonical_name, 1, 2) AS start FROM entities e
WHERE e.agent_id = :agent
  AND substr(e.canonical_name, 1, 2) IN (SELECT value FROM json_each(:starts))
UNION SELECT substr(a.canonical_alias, 1, 2) FROM entity_aliases a
WHERE a.agent_id = :agent AND a.status = 'active'
  AND substr(a.canonical_alias, 1, 2) IN (SELECT value FROM json_each(:starts))"""


class NameInText(Struct, frozen=True):
    """A stretch of a text that may be a name.

    Attributes:
        text: as it is written.
        key: the name that it stands for, as names are compared.
        start: its place in the text.
        stop: where it ends.
        parts: how many words or signs it has.
    """

    text: str
    key: str
    start: int
    stop: int
    parts: int


def names_in_text(
    reader: Reader, text: str, *, most_words: int, most: int,
    joins: Callable[[NamePart], bool] = lambda part: True,
    wanted: Callable[[NameInText], bool] = lambda name: True,
    accept: Callable[[NameInText, Collection[str]], bool] = lambda name, spelled: True,
) -> list[NameInText]:
    """The names and aliases of the agent's entities that stand in the text, the longest first.

    A name within a longer one is not meant: who is in New York is not in York.

    Args:
        most_words: words of a name.
        most: stretches of the text that are looked up.
        joins: whether a part may be one of several in a name.
        wanted: whether a stretch is looked up.
        accept: whether a known name is meant, given how the graph spells it; one that is not
            leaves its words to others.
    """
    text = (text if text.isascii() else normalize("NFKC", text)).replace("\0", " ")
    parts = list(name_parts(text))
    starts = _known_starts(reader, parts)
    names = list(islice(
        filter(wanted, _stretches(text, parts, starts, most_words, joins)), most))
    known = _known(reader, names)
    taken = bytearray(len(text))
    meant = []
    for name in sorted(names, key=lambda name: (name.start - name.stop, name.start)):
        place = slice(name.start, name.stop)
        if name.key in known and not any(taken[place]) and accept(name, known[name.key]):
            taken[place] = b"\1" * (name.stop - name.start)
            meant.append(name)
    return meant


def _known(reader: Reader, names: Sequence[NameInText]) -> dict[str, set[str]]:
    """Those that the agent has an entity or alias of: by key how the graph spells them."""
    spelled: dict[str, set[str]] = {}
    keys = sorted({name.key for name in names})
    if not keys:
        return {}
    known = known_by(reader, "e", "SELECT value FROM json_each(:keys)")
    for row in reader.rows(_KNOWN.format(known=known), keys=keys):
        spelled.setdefault(row["key"], set()).add(str(row["spelled"]))
    return spelled


def _known_starts(reader: Reader, parts: Sequence[NamePart]) -> frozenset[str]:
    """The first two signs of names, of those in the text: few of its runs can begin a name."""
    starts = {_start(parts, place) for place, part in enumerate(parts) if part.sign}
    if not starts:
        return frozenset()
    query = _BEGINNINGS if reader.kind == "native" else _BEGINNINGS_IN_ONE_PASS
    return frozenset(row["start"] for row in reader.rows(query, starts=sorted(starts)))


def _start(parts: Sequence[NamePart], place: int) -> str:
    here, after = parts[place], parts[place + 1] if place + 1 < len(parts) else None
    joined = here.text + (after.text if after and after.start == here.stop else "")
    return name_key(joined)[:2]


# -- stretches -------------------------------------------------------------------------------


def _stretches(
    text: str, parts: Sequence[NamePart], starts: frozenset[str], most_words: int,
    joins: Callable[[NamePart], bool],
) -> Iterator[NameInText]:
    """Every stretch of the text that may be a name, in their order."""
    for first, part in enumerate(parts):
        if part.inner or (part.sign and _start(parts, first) not in starts
                          and not _alone(parts, first, first)):
            continue
        written, words, signs = "", 0, 0
        for last in range(first, len(parts)):
            end = parts[last]
            gap = text[parts[last - 1].stop:end.start] if last > first else ""
            if last > first and not (joins(part) and joins(end) and _goes_on(
                    parts[last - 1], end, gap)):
                break
            words, signs = words + (not end.sign), signs + (len(end.text) if end.sign else 0)
            if words > most_words or signs > LONGEST_RUN:
                break
            written += (" " if gap else "") + end.text
            yield from _spellings(text, parts, first, last, written)


def _goes_on(before: NamePart, after: NamePart, gap: str) -> bool:
    """True if two neighbouring parts may belong to one name."""
    if before.sign or after.sign:
        return _TOGETHER.fullmatch(gap) is not None
    return "\n" not in gap


def _spellings(
    text: str, parts: Sequence[NamePart], first: int, last: int, written: str
) -> Iterator[NameInText]:
    """A stretch by its words, and with the signs between and around them (`Yahoo!`)."""
    start, stop = parts[first].start, parts[last].stop
    whole = text[start:stop]
    count = last - first + 1
    has_signs = any(part.sign for part in parts[first:last + 1])
    if has_signs and width(written) < NARROWEST and not _alone(parts, first, last):
        return
    if not _SENTENCE_END.search(whole):
        for spelled in (written, *of_capitals(written)):
            yield NameInText(written, name_key(spelled), start, stop, count)
    around = whole if has_signs else _with_signs(text, start, stop)
    if around != written:
        yield NameInText(around, name_key(around), start, stop, count)


def _with_signs(text: str, start: int, stop: int) -> str:
    """A stretch with the punctuation that is written together with it."""
    before = _BEFORE.search(text, max(0, start - 8), start)
    after = _AFTER.match(text, stop, stop + 8)
    return text[before.start() if before else start:after.end() if after else stop]


def _alone(parts: Sequence[NamePart], first: int, last: int) -> bool:
    """True if nothing is written together with the parts from `first` to `last`."""
    start, stop = parts[first].start, parts[last].stop
    return not ((first > 0 and parts[first - 1].stop == start)
                or (last + 1 < len(parts) and parts[last + 1].start == stop))
