"""Which known words a mistyped search word may mean."""

from collections.abc import Iterable
from functools import partial
from itertools import islice

from msgspec.structs import replace
from rapidfuzz.distance import OSA
from rapidfuzz.process import extract

from core.model.names import PLAIN_LETTERS, plain_letters
from core.model.search_words import fold
from core.model.split_words import written_words
from core.queries.entity_search import is_known
from core.queries.search_syntax import SearchText
from core.store.reader_and_writer import Reader

SHORTEST = 5
"""Letters of a word that is corrected: of shorter ones too many are alike."""
SHORTEST_SLIP = 6
"""The same in a question, whose other words may find enough; of letters that are only exchanged
five are enough."""
TWO_WRONG = 8
"""Letters from which on two may be wrong, missing, too many or exchanged; else one."""
MOST, LOOKED = 3, 24
"""Words that are looked for in place of one, and that are looked at whether they are the agent's.
"""
READ = 50_000
"""Newest facts whose words are known where the file has no full text of them."""

_VOCABULARY = """
CREATE VIRTUAL TABLE IF NOT EXISTS temp.words_of_{table} USING fts5vocab(main, '{table}', 'row')"""
_TERMS = "SELECT term FROM temp.words_of_{table} WHERE term >= :first AND term < :next"
_TEXTS = {
    "entities_fts": "SELECT n.name AS content FROM entities n WHERE n.agent_id = :agent",
    "attributes_fts": "SELECT v.content FROM entity_attributes v WHERE v.agent_id = :agent"
                      " AND v.status = 'active' ORDER BY v.rowid DESC LIMIT :read",
}


def nearest_words(reader: Reader, word: str) -> tuple[str, ...]:
    """The words that `word`, perhaps not typed to its end, is a misspelling of, nearest first.

    The first letter is taken to be right. They may be words of another agent, or of facts that
    are no longer active.
    """
    typed = fold(word)
    if not _may_be_corrected(word):
        return ()
    known = {term for table in _TEXTS for term in _known(reader, table, typed[0])}
    wrong = 2 if len(typed) >= TWO_WRONG else 1
    near: dict[str, int] = {}
    for length in range(len(typed) - wrong, len(typed) + wrong + 1):
        starts = {term[:length] for term in known if len(term) >= length}
        for start, distance, _ in extract(typed, starts, scorer=OSA.distance, score_cutoff=wrong,
                                          limit=None):
            near[start] = min(int(distance), near.get(start, wrong))
    return _best(near, known, typed)


def one_slip_away(reader: Reader, word: str) -> tuple[str, ...]:
    """The words of memories from which `word` differs by one slip: a letter that is missing, too
    many or exchanged with its neighbour.

    The first and the last are taken to be right: another ending makes another form. A word
    with another letter in one place is more often another word: `whale` is no `whole`. But `Tromso`
    is Tromsø, whose last letter few keyboards have.
    """
    typed, table = fold(word), "memories_fts"
    if not typed.isalpha() or not reader.has_table(table):
        return ()
    if twins := _of_other_letters(reader, table, typed):
        return twins
    if not _may_be_corrected(word):
        return ()
    known = _words_with(reader, table, typed[0])
    near = extract(typed, known, scorer=OSA.distance, score_cutoff=1, limit=LOOKED)
    return tuple(sorted(term for term, *_ in near if term[-1] == typed[-1] and (
        sorted(term) == sorted(typed)
        or (len(term) != len(typed) >= SHORTEST_SLIP))))[:MOST]


def _of_other_letters(reader: Reader, table: str, typed: str) -> tuple[str, ...]:
    """The words that are `typed` but for letters that are no plain one with an accent: ø, ł."""
    key = plain_letters(typed)
    firsts = {typed[0], key[0], *(letter for letter, plain in PLAIN_LETTERS.items()
                                  if key.startswith(plain))}
    return tuple(sorted(term for first in sorted(firsts) for term in _words_with(
        reader, table, first) if term != typed and plain_letters(term) == key))[:MOST]


def _words_with(reader: Reader, table: str, first: str) -> tuple[str, ...]:
    """The words of memories that begin with a letter."""
    return reader.once(f"words of memories with {first}",
                       lambda: tuple(_known(reader, table, first)))


def _best(near: dict[str, int], known: set[str], typed: str) -> tuple[str, ...]:
    """Of the nearest beginnings the whole words; those that are no longer than typed first."""
    least = min(near.values(), default=0)
    starts = [start for start, distance in near.items() if distance == least]
    words = [term for term in known if any(term.startswith(start) for start in starts)]
    words.sort(key=lambda term: (OSA.distance(typed, term), term))
    return tuple(words[:LOOKED])


def _known(reader: Reader, table: str, first: str) -> Iterable[str]:
    """The words of names, or of facts, that begin with a letter."""
    if reader.has_table(table):
        reader.list_once(f"words of {table}", [_VOCABULARY.format(table=table)])
        rows = reader.rows(_TERMS.format(table=table), first=first, next=chr(ord(first) + 1))
        return [str(row["term"]) for row in rows]
    every = reader.once(f"words in {table} {reader.agent}", lambda: _read(reader, table))
    return [word for word in every if word[0] == first]


def _read(reader: Reader, table: str) -> set[str]:
    more = {"read": READ} if ":read" in _TEXTS[table] else {}
    return {fold(word) for row in reader.rows(_TEXTS[table], **more)
            for word in written_words(str(row["content"]))}


def _may_be_corrected(word: str) -> bool:
    typed = fold(word)
    return len(typed) >= SHORTEST and typed.isalpha()


def corrected(reader: Reader, search: SearchText) -> SearchText:
    """The search with the nearest words of this agent in place of those that are nowhere.

    Whether a word is anywhere is not asked of those that are too short to be corrected.
    """
    typed = [word for word in search.words if _may_be_corrected(word)]
    instead = reader.each_once(f"words meant by {reader.agent}", typed, partial(_meant, reader))
    return replace(search, instead={word: near for word, near in instead.items() if near})


def _meant(reader: Reader, typed: Iterable[str]) -> dict[str, tuple[str, ...]]:
    """What to look for in place of each word; nothing where it is known."""
    return {word: () if is_known(reader, word) else tuple(islice(
        (near for near in nearest_words(reader, word) if is_known(reader, near)), MOST))
        for word in typed}
