"""Finds facts of one aspect that say the same but for how it is spelled, or but for one number."""

import re
from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from itertools import groupby

from core.health.doubtful_values import GIVEN, contradicting, cut, yields
from core.health.finding import Finding, Rules, fix
from core.learning.detect_contradiction import SINGLE
from core.model.names import canonical, spelled_out
from core.queries.rows_to_model import text
from core.recall.dates import MONTHS
from core.store.database import Row
from core.store.reader_and_writer import Reader

_WORDS = re.compile(r"(?<!\w)[-−]?\d+(?:[.,:/-]\d+)*|\d+|[^\W\d_]+[+#]*|[%€$£]")
"""A word with the signs that tell it from another (`C++`), a number with its sign, a unit."""
_BARE = re.compile(r"[-−]?[\d.]+")


def _set(text: str) -> frozenset[str]:
    return frozenset(text.split())


_BEFORE = _set(
    "a about after ab am around at are bis by costs every for from hat has have in is ist of on "
    "over seit sind takes to um under until via von was within zu zum")
_UNITS = _set(
    "% € $ £ euro eur usd chf pounds dollars ms s sec seconds min mins minutes h hours days weeks "
    "months years people persons users mb gb tb kg km m cm minuten stunden tage wochen "
    "monate jahre personen")
"""A plain number that neither stands behind one of the first, or a property, nor before one of
these, names which one is meant: `Sprint 12` and `Sprint 13` are two things."""
_MONTHS = frozenset(MONTHS) | _set(
    "januar februar maerz april mai juni juli august september oktober november dezember")
# Most facts have a number, or an umlaut, of their own: only two of one aspect can be compared.
_SIGNED = """
SELECT v.id FROM entity_attributes v
WHERE v.agent_id = :agent AND v.status = 'active' AND trim(COALESCE(v.claim_key, '')) = ''
  AND (:least = 1 OR v.content GLOB :sign) AND v.aspect_id IN (
    SELECT o.aspect_id FROM entity_attributes o WHERE o.agent_id = :agent AND o.status = 'active'
      AND trim(COALESCE(o.claim_key, '')) = '' AND lower(o.content) GLOB :sign
    GROUP BY o.aspect_id HAVING count(*) >= :least)"""
Said = tuple[str, ...]


def other_numbers(reader: Reader, rules: Rules) -> Iterator[Finding]:
    """Facts without a claim key that say the same but for one number, time or date.

    One of the two may be out of date. Three or more are a series, and none of them is told.
    """
    pairs = [(rows[0], rows[1]) for rows in _alike(reader, "*[0-9]*", 2, _without_numbers)
             if len({_said(row) for row in rows}) == len(rows) == 2
             and _differ_in_one_number(*map(_said, rows))]
    told = contradicting(reader, rules) if pairs else {}
    for older, newer in pairs:
        if older["id"] not in told:
            yield yields(reader, "other_number", older, newer, "warning")


def other_spellings(reader: Reader, rules: Rules) -> Iterator[Finding]:
    """Facts without a claim key that differ only in how ö or ß is written, or in punctuation."""
    for first, *others in _alike(reader, "*[äöüßÄÖÜ]*", 1, lambda said: said):
        for row in others:
            if canonical(text(row["words"])) != canonical(text(first["words"])):
                yield Finding(
                    "other_spelling", "info", (row["id"], first["id"]), row["entity"],
                    text(row["name"]),
                    f"{text(row['aspect'])}: “{cut(first)}” and “{cut(row)}” say the same",
                    fix(reader, "archive_claim_value", attribute_id=row["id"],
                        reason="The same fact in another spelling",
                        **({"force": True} if row["kind"] == "constraint" else {})))


def _alike(
    reader: Reader, sign: str, least: int, key: Callable[[Said], Said]
) -> Iterator[list[Row]]:
    """Facts of one aspect with the same key, the oldest first."""
    ids = reader.rows_by_column(_SIGNED, sign=sign, least=least)["id"]
    alike: defaultdict[tuple[object, ...], list[Row]] = defaultdict(list)
    for row in reader.rows(GIVEN, ids=list(ids)) if len(ids) else ():
        if said := key(_said(row)):
            alike[row["aspect_id"], row["kind"], said].append(row)
    for rows in alike.values():
        if len(rows) > 1:
            yield sorted(rows, key=lambda row: (text(row["created_at"]).replace("T", " "),
                                                row["number"]))


def _said(row: Row) -> Said:
    return tuple(_WORDS.findall(spelled_out(canonical(text(row["content"])))))


def _without_numbers(said: Said) -> Said:
    """The words, with a mark for each number, time or date; empty without one or the other."""
    shape = tuple("#" if number else " ".join(words) for number, words in _parts(said))
    return shape if len(shape) > 1 and "#" in shape else ()


def _parts(said: Said) -> list[tuple[bool, Said]]:
    return [(number, tuple(words)) for number, words in groupby(said, _is_number)]


def _is_number(word: str) -> bool:
    return word[-1].isdigit() or word in _MONTHS


def _differ_in_one_number(older: Said, newer: Said) -> bool:
    parts = _parts(older), _parts(newer)
    places = [at for at, (one, other) in enumerate(zip(*parts, strict=True)) if one != other]
    return len(places) == 1 and all(_is_property(part, places[0]) for part in parts)


def _is_property(parts: Sequence[tuple[bool, Said]], place: int) -> bool:
    """True unless the number names which of several things is meant."""
    before = parts[place - 1][1][-1] if place else ""
    after = parts[place + 1][1][0] if place + 1 < len(parts) else ""
    plain = all(map(_BARE.fullmatch, parts[place][1]))
    return not plain or before in _BEFORE or before in SINGLE or after in _UNITS
