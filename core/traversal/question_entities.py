"""Finds the entities that a question matches: by whole names, by words, by parts of words."""

from collections.abc import Container, Iterable, Sequence
from functools import partial

from core.errors import ConstellationError, DeadlinePassed
from core.model.search_words import STOP_WORDS
from core.queries.entity_search import needs_substring
from core.queries.known_by_name import known_by
from core.queries.names_in_text import names_in_text
from core.queries.rows_to_model import text
from core.store.database import Row
from core.store.reader_and_writer import Reader
from core.traversal.focal_signals import (
    ACTIVE,
    COLUMNS,
    HIDDEN,
    SHOWN,
    FocalMatch,
    Signals,
    hidden_holding,
    holding,
    match_of,
    rows_at,
)
from core.traversal.query_words import words_of
from core.traversal.shared_words import PREFIX, Candidate, QuestionWords
from core.traversal.word_rarity import count_names, most_alike, set_apart

LONGEST_NAME = 5
"""Words of a name that is looked for as a whole."""
MOST_NAMES = 2000
"""Stretches of a question that are looked up as names."""
MOST_QUESTIONS = 100
"""Questions whose names are kept."""
COMMON = 1000
"""Names with a word from which it is too common to mean one of them by itself."""
LOOKED = 200
"""Names that share most with a question by rank, so that none takes longer in a larger graph."""
SHORTEST = 3
"""Letters of a word that is looked for inside names: shorter ones are in too many."""
PARTS = 3
"""Words that are looked for inside names, the longest."""
PARTS_ALONE = 12
"""The same where the file has no full text, so that this is the only way: a pass over all names."""

# A whole name or alias that stands in the question.
_NAMED = f"""
SELECT {COLUMNS}, MAX(alias) AS alias, MAX(length(name_in_use)) AS size FROM (
  SELECT n.rowid AS place, '' AS alias, n.canonical_name AS name_in_use FROM entities n
  WHERE {{known}}
  UNION ALL
  SELECT n.rowid, a.alias, a.canonical_alias FROM entity_aliases a
  CROSS JOIN entities n ON n.id = a.entity_id
  WHERE a.agent_id = :agent AND a.status = 'active'
    AND a.canonical_alias IN (SELECT value FROM json_each(:names))
) CROSS JOIN entities e ON e.rowid = place WHERE {{filter}} AND +e.agent_id = :agent
GROUP BY e.id ORDER BY size DESC, e.mentions DESC, e.name LIMIT :limit"""

_BY_WORD = f"""
SELECT {COLUMNS} FROM (
  SELECT rowid AS place, rank AS score FROM entities_fts
  WHERE entities_fts MATCH :query ORDER BY rank LIMIT :looked)
CROSS JOIN entities e ON e.rowid = place WHERE +e.agent_id = :agent AND {{filter}}
ORDER BY score, e.mentions DESC, e.name"""

# Not by rank: to weigh two words that are in very many names takes far longer than to find them.
_BY_BOTH = f"""
SELECT {COLUMNS} FROM (
  SELECT rowid AS place FROM entities_fts WHERE entities_fts MATCH :query LIMIT :looked)
CROSS JOIN entities e ON e.rowid = place WHERE +e.agent_id = :agent AND {{filter}}
LIMIT :most"""

_OTHER_AGENTS = """
SELECT EXISTS (SELECT 1 FROM entities e WHERE e.agent_id < :agent)
  OR EXISTS (SELECT 1 FROM entities e WHERE e.agent_id > :agent)"""

_BY_BEGINNING = f"""
SELECT {COLUMNS} FROM entities_fts f CROSS JOIN entities e ON e.rowid = f.rowid
WHERE entities_fts MATCH :query AND +e.agent_id = :agent AND {{filter}}
ORDER BY e.mentions DESC, e.name LIMIT :looked"""


def entities_in_question(
    reader: Reader, given: Signals, filter: str, limit: int, faults: list[str]
) -> list[FocalMatch]:
    """The entities that the question refers to.

    First those whose whole name or alias stands in it, then those whose name shares words with it
    that set it apart, those that share most first; if there is none, those whose name begins with
    one. A full text that can't be asked is done without, and `faults` says so.
    """
    words, names = words_of(given.query), _whole_names(reader, given.query)
    if not words and not names:
        return []
    # What is asked for by its name comes even if it is muted.
    by_name = ACTIVE if filter == SHOWN else filter
    rows = _named(reader, by_name, names, limit)
    matches = {row["id"]: match_of(row, row["alias"] or text(row["name"])) for row in rows}
    asked = QuestionWords(words, [each.detail for each in matches.values()])
    if asked.telling and len(matches) < limit:
        for each in _by_words(reader, asked, filter, limit, faults, named=bool(matches)):
            matches.setdefault(each.id, each)
    return list(matches.values())[:limit]


def noise_in_question(
    reader: Reader, given: Signals, most: int, known: Container[str]
) -> list[tuple[FocalMatch, int]]:
    """The entities that share only plain words with the question, with how many names have them.

    They are no part of what is asked: their words are in too many names, or one word is too
    little of a long name. Those that share most come first.
    """
    if not reader.has_table("entities_fts"):
        return []
    named = _named(reader, ACTIVE, _whole_names(reader, given.query), most)
    asked = QuestionWords(words_of(given.query),
                          [row["alias"] or text(row["name"]) for row in named])
    counts = count_names(reader, asked.telling, COMMON + 1)
    rows = _sharing_any(reader, [word for word in asked.telling if counts.get(word)])
    noise = sorted((each for each in asked.sharing(_names(rows))
                    if rows[each.place]["id"] not in known), key=lambda each: -len(each.asked))
    return [(match_of(rows[each.place], asked.in_order(each.asked)), each.holders)
            for each in noise[:most]]


def _sharing_any(reader: Reader, words: Sequence[str]) -> list[Row]:
    """The entities whose names have one of these words, the best match first; looked for once
    after each change: a word that is not typed to its end is in no name yet."""
    known = reader.once(f"names with any word for {reader.agent}", dict[str, list[Row]],
                        beside=True)
    query = " OR ".join(map(_quoted, words))
    if query and query not in known:
        if len(known) > MOST_QUESTIONS:
            known.clear()
        known[query] = reader.rows(_BY_WORD.format(filter=SHOWN.format(e="e")), query=query,
                                   looked=LOOKED)
    return known[query] if query else []


def _named(reader: Reader, filter: str, names: Sequence[str], limit: int) -> list[Row]:
    """The entities with one of these names or aliases, the longest first."""
    if not names:
        return []
    known = known_by(reader, "n", "SELECT value FROM json_each(:names)")
    return reader.rows(_NAMED.format(filter=filter.format(e="e"), known=known), names=names,
                       limit=limit)


def _whole_names(reader: Reader, question: str) -> list[str]:
    """The whole names and aliases that stand in the question, as names are compared.

    They are looked up once: an explanation asks for them four times.
    """
    known = reader.once(f"names in questions to {reader.agent}", dict[str, list[str]])
    if question not in known:
        if len(known) > MOST_QUESTIONS:
            known.clear()
        known[question] = [name.key for name in names_in_text(
            reader, question, most_words=LONGEST_NAME, most=MOST_NAMES,
            wanted=lambda name: name.key not in STOP_WORDS)]
    return known[question]


def _by_words(
    reader: Reader, asked: QuestionWords, filter: str, limit: int, faults: list[str], *, named: bool
) -> list[FocalMatch]:
    """The names that words of the question set apart, those that share most first.

    Args:
        named: whole names stand in the question, so that nothing need be found by parts of words.
    """
    indexed, unknown = reader.has_table("entities_fts"), asked.telling
    found: list[FocalMatch] = []
    if indexed:
        try:
            rows, unknown = _by_full_text(reader, asked, filter.format(e="e"), limit)
            apart = set_apart(reader, partial(asked.sharing, _names(rows)), limit, indexed=True)
            found = _best_first(asked, apart, [rows[each.place] for each in apart])
        except DeadlinePassed:
            raise
        except ConstellationError as error:
            # If it is the whole file that can't be read, looking through the names says so.
            indexed, unknown = False, asked.telling
            faults.append(f"The full-text index of names can't be read ({error.what.lower()});"
                          " the names were scanned instead")
    if indexed and (found or named):
        return found
    if indexed or filter == HIDDEN:
        rows = _by_part(reader, unknown, filter, indexed=indexed)
        apart = set_apart(reader, partial(asked.sharing, _names(rows), prefixes=True), limit,
                          indexed=indexed)
        return _best_first(asked, apart, [rows[each.place] for each in apart])
    looked = _longest(_parts(unknown), PARTS_ALONE)
    held = holding(reader, looked, LOOKED)
    lines = frozenset(held.lines)
    sharing = {word: held.names.sharing(word, lines, held=word in looked)
               for word in asked.telling}
    apart = set_apart(reader, partial(asked.candidates, sharing, held.names.name), limit,
                      indexed=False)
    return _best_first(asked, apart, rows_at(reader, [
        held.names.places[each.place] for each in apart]))


def _names(rows: Iterable[Row]) -> list[str]:
    return [text(row["name"]).lower() for row in rows]


def _best_first(
    asked: QuestionWords, apart: Sequence[Candidate], rows: Sequence[Row]
) -> list[FocalMatch]:
    """What was set apart, given with its rows, those that share most first."""
    pairs = sorted(zip(apart, rows, strict=True), key=lambda pair: -len(pair[0].asked))
    return [match_of(row, asked.in_order(each.asked)) for each, row in pairs]


def _by_full_text(
    reader: Reader, asked: QuestionWords, shown: str, limit: int
) -> tuple[list[Row], tuple[str, ...]]:
    """Entities by full text, the best match first, and the words that no name has.

    A word that is everywhere counts only together with the others of its kind, one of a whole name
    only with all of that name. One that more names have than are looked at sets none apart by
    itself, so that it counts only together with another.
    """
    # How common a word is that sets none apart by itself makes no difference to a single other.
    two = len(asked.telling) == len(asked.loose) == 2 and _told_by_full_text(reader, asked)
    counts = count_names(reader, asked.telling, (LOOKED if two else COMMON) + 1)
    unknown = tuple(word for word in asked.telling if not counts.get(word))
    common = [word for word in asked.telling if counts.get(word, 0) > COMMON]
    wanted = [word for word in asked.loose if 0 < counts.get(word, 0) <= COMMON]
    often = [word for word in wanted if counts[word] > LOOKED]
    if often and not _told_by_full_text(reader, asked):
        often = []
    if set(asked.telling) == {*often, *common} and len(asked.telling) == 2:
        return _by_both(reader, asked.telling, shown, limit), unknown
    several = [words for words in (common, *asked.names) if len(words) > 1
               and all(counts.get(word) for word in words)]
    alone = [words for words in asked.names
             if len(words) == 1 and 0 < counts.get(words[0], 0) <= COMMON]
    query = " OR ".join((
        *(_together((word,)) for word in wanted if word not in often),
        *_pairs(often, common), *map(_together, (*alone, *several))))
    rows = reader.rows(_BY_WORD.format(filter=shown), query=query, looked=LOOKED) if query else []
    return rows, unknown


def _by_both(reader: Reader, words: Sequence[str], shown: str, limit: int) -> list[Row]:
    """Entities with both words in their names, short names first; none where they are so many
    that both set none apart."""
    rows = reader.rows(_BY_BOTH.format(filter=shown), query=_together(words), looked=LOOKED,
                       most=most_alike(limit) + 1)
    if len(rows) > most_alike(limit):
        return []
    return sorted(rows, key=lambda row: (
        len(text(row["name"]).split()), -(row["mentions"] or 0), text(row["name"])))


def _told_by_full_text(reader: Reader, asked: QuestionWords) -> bool:
    """True if full text tells how many of the agent's names have the words of a question: it
    holds no others, and each word as it is asked."""
    return asked.is_plain and not reader.once(f"entities of others than {reader.agent}",
                                              lambda: reader.value(_OTHER_AGENTS))


def _pairs(often: Sequence[str], common: Sequence[str]) -> list[str]:
    """Names with two of these words, one of them at least of the first, as FTS5 queries."""
    return [f'("{word}" AND ({" OR ".join(map(_quoted, others))}))'
            for n, word in enumerate(often) if (others := (*often[n + 1:], *common))]


def _together(words: Sequence[str]) -> str:
    """All of these words, as an FTS5 query."""
    return "(" + " AND ".join(map(_quoted, words)) + ")"


def _quoted(word: str) -> str:
    return f'"{word}"'


def _by_part(
    reader: Reader, words: Sequence[str], filter: str, *, indexed: bool
) -> list[Row]:
    """Entities whose names hold one of the longest words anywhere.

    Of a script with spaces only the beginnings of a name's words count, which full text finds
    without a pass over all names.
    """
    parts = _parts(words)
    if not indexed:
        return _holding(reader, _longest(parts, PARTS_ALONE), filter)
    longest = _longest(parts, PARTS)
    inner = [word for word in longest if needs_substring((word,))]
    begun = [f'"{word}"*' for word in longest if word not in inner and len(word) >= PREFIX]
    rows = reader.rows(_BY_BEGINNING.format(filter=filter.format(e="e")),
                       query=" OR ".join(begun), looked=LOOKED) if begun else []
    by_id = {row["id"]: row for row in (*rows, *_holding(reader, inner, filter))}
    return list(by_id.values())


def _holding(reader: Reader, words: Sequence[str], filter: str) -> list[Row]:
    if filter == HIDDEN:
        return hidden_holding(reader, words, LOOKED)
    return rows_at(reader, holding(reader, words, LOOKED).places)


def _parts(words: Sequence[str]) -> list[str]:
    """The words that are looked for inside names."""
    return [word for word in words if len(word) >= SHORTEST or needs_substring((word,))]


def _longest(words: Sequence[str], most: int) -> list[str]:
    return sorted(words, key=len, reverse=True)[:most]
