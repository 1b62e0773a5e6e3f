"""The words channel: memories that contain words of a question, weighted by rarity.

It is BM25 with two liberties. All forms of a word count as one word, whose rarity is known
exactly. And how often a memory repeats a word does not count: memories are short, so that
repeating says little (on dialogues the usual saturation changes nothing), while a list of row
numbers by word comes out of the full text fifty times faster than a ranking.
"""

import math
import re
from collections import OrderedDict
from collections.abc import Callable, Sequence
from functools import partial
from operator import add

import numpy as np
from msgspec import Struct
from msgspec.structs import replace
from numpy.typing import NDArray

from core.errors import ConstellationError, DeadlinePassed
from core.model.search_words import SHORTEST_ROOT, Term, cores, fold, inflected, words
from core.queries.entity_search import like
from core.queries.spelling import one_slip_away
from core.recall.filters import READABLE, TELLABLE_OF_PAST, memory_count
from core.recall.same_but_for_version import different
from core.store.reader_and_writer import Reader

Rows = NDArray[np.int64]
SATURATION = 0.4
"""BM25's k1: how much a long memory's word counts less than a short one's."""
LENGTH_SHARE = 0.3
"""BM25's b."""
USUAL_LENGTH = 160
"""Characters of a memory whose words count as they are."""
DENSE = 4_000_000
"""Up to this row number a sum per row is kept in one array: no sorting."""
TIE = 1e-9
"""What tells equal shares apart."""
ASKING = {"use": 0.3}
"""What a word counts that asks ("Which licence does Vega use?") and that answers leave out,
beside 1."""
SCANNED = 4_000
"""Memories that are read where full text can't answer, the newest that match."""

WORDS_KEPT, ROWS_KEPT = 200, 1_000_000
"""Of how many words a connection keeps the rows, and how many rows in all, which take 8 MB; those
of the words that were asked for last."""


class WordMatches(Struct, frozen=True):
    """The memories that match the words of a question.

    Attributes:
        terms: the search terms.
        rows: for each term the row numbers of the memories that contain it.
        weights: for each term its share of the question's weight, 1 in total.
        notes: problems.
        different: for each term about how many different things those memories say.
    """

    terms: tuple[Term, ...] = ()
    rows: tuple[Rows, ...] = ()
    weights: tuple[float, ...] = ()
    notes: tuple[str, ...] = ()
    timed_out: bool = False
    different: tuple[int, ...] = ()

    def best(self, most: int, allowed: Rows | None = None) -> Rows:
        """The rows with the largest share of the question, newest first among equals."""
        if not self.rows:
            return np.zeros(0, np.int64)
        rows, shares = self._summed(most) if allowed is None else self._of(allowed)
        if len(rows) > most:
            least = np.partition(shares, -most)[-most]
            above, as_good = shares > least, np.flatnonzero(shares == least)
            # The newest of those that are as good as the last one: of a common word all are.
            chosen = np.append(np.flatnonzero(above), as_good[int(above.sum()) - most:])
            rows, shares = rows[chosen], shares[chosen]
        return rows[np.lexsort((-rows, -shares))]

    def _summed(self, most: int | None = None) -> tuple[Rows, NDArray[np.float64]]:
        """The rows in order, each once, with its share of the question.

        Args:
            most: so many of the best are enough, which rows of only the commonest words are not
                among where the others' words bring so many.
        """
        looked = self._telling_most(most) if most else list(range(len(self.rows)))
        weights = np.repeat(np.array(self.weights)[looked], [len(self.rows[n]) for n in looked])
        rows, shares = _sums(np.concatenate([self.rows[n] for n in looked]), weights)
        for number in set(range(len(self.rows))).difference(looked):
            shares = shares + self.weights[number] * contains(self.rows[number], rows)
        return rows, shares

    def _of(self, allowed: Rows) -> tuple[Rows, NDArray[np.float64]]:
        """Those of some rows, in order, that hold a word, with their shares."""
        if len(allowed) * len(self.rows) > sum(map(len, self.rows)):
            rows, shares = self._summed()
            held = contains(allowed, rows)
        else:
            rows, shares = allowed, np.array(self.weights) @ self.holding(allowed)
            held = shares > 0
        return rows[held], shares[held]

    def _telling_most(self, most: int) -> list[int]:
        """The words, by number, without whose rows none is among the best (Turtle, Flood: "Query
        evaluation: strategies and optimizations", 1995, whose bound of a word is its weight)."""
        rarest_first = sorted(range(len(self.rows)), key=lambda n: -self.weights[n])
        left, rows = sum(self.weights), 0
        for taken, number in enumerate(rarest_first, 1):
            left, rows = left - self.weights[number], max(rows, len(self.rows[number]))
            if rows >= most and self.weights[number] > left + TIE:
                return sorted(rarest_first[:taken])
        return list(range(len(self.rows)))

    def holding(self, rows: Rows) -> NDArray[np.float64]:
        """For each term and row 1 if the memory holds the word, else 0."""
        held = [contains(term_rows, rows) for term_rows in self.rows]
        return np.array(held, np.float64).reshape(len(held), len(rows))

    def weigh(
        self, cover: NDArray[np.float64], lengths: NDArray[np.int64]
    ) -> NDArray[np.float64]:
        """For each memory the share of the question, from how far it covers each term."""
        shares = np.array(self.weights) @ cover
        long = 1 - LENGTH_SHARE + LENGTH_SHARE * np.minimum(lengths / USUAL_LENGTH, 10)
        return np.minimum(shares * (1 + SATURATION) / (1 + SATURATION * long), 1.0)

    def with_more(self, other: "WordMatches") -> "WordMatches":
        """With the rows of other matches of the same terms, which lie behind all of its own."""
        more = dict(zip(other.terms, other.rows, strict=True))
        rows = tuple(np.concatenate([rows, more.get(term, rows[:0])])
                     for term, rows in zip(self.terms, self.rows, strict=True))
        further = tuple(len(now) - len(before)
                        for now, before in zip(rows, self.rows, strict=True))
        return replace(self, rows=rows, different=tuple(map(add, self.different, further)))


def contains(rows: Rows, asked: Rows) -> NDArray[np.bool_]:
    """For each given row whether it is in `rows`, which are sorted."""
    if not len(rows):
        return np.zeros(len(asked), np.bool_)
    near = rows[np.minimum(rows.searchsorted(asked), len(rows) - 1)]
    return np.equal(near, asked)


def _sums(rows: Rows, weights: NDArray[np.float64]) -> tuple[Rows, NDArray[np.float64]]:
    """Each row once, with the sum of its weights."""
    if not len(rows) or rows.max() > DENSE:
        once, places = np.unique(rows, return_inverse=True)
        return once, np.bincount(places, weights, len(once)).astype(np.float64)
    sums = np.bincount(rows, weights).astype(np.float64)
    once = np.flatnonzero(sums).astype(np.int64)
    return once, sums[once]


def find_words(reader: Reader, terms: Sequence[Term]) -> WordMatches:
    """Find every memory that contains a word of the question.

    What is a name, or one word of several, is looked for only so where the file holds it.
    """
    total = memory_count(reader)
    rows: dict[Term, Rows] = {}
    notes: list[str] = []
    timed_out = False
    try:
        terms = _as_written(reader, terms)
        plain = [term for term in terms if not term.anywhere]
        fault = _ask_full_text(reader, plain, rows) if plain else ""
        if fault:
            rows.clear()
            notes.append(f"{fault}; the newest memories were read instead")
        else:
            terms = _respelled(reader, _taken_apart(reader, terms, rows), rows)
        rest = [term for term in terms if term not in rows]
        if rest:
            rows |= _scan(reader, rest, everything=total <= SCANNED)
    except DeadlinePassed:
        timed_out = True
        notes.append("Time ran out before all words were searched")
    asked = tuple(term for term in terms if term in rows)
    counts = different(reader, [rows[term] for term in asked])
    telling = _telling(total, counts)
    telling = telling * [ASKING.get(term.forms[0], 1.0) for term in asked]
    whole = float(telling.sum()) or 1.0
    return WordMatches(asked, tuple(rows[term] for term in asked),
                       tuple((telling / whole).tolist()), tuple(notes), timed_out,
                       tuple(counts))


def _as_written(reader: Reader, terms: Sequence[Term]) -> list[Term]:
    """Each term only as it is written, where some memory holds it so."""
    def is_held(term: Term) -> bool:
        try:
            return bool(term.exact) and reader.has_table("memories_fts") and reader.value(
                "SELECT 1 FROM memories_fts f WHERE memories_fts MATCH :query LIMIT 1",
                query=full_text_query(term.exactly())) is not None
        except DeadlinePassed:
            raise
        except ConstellationError:
            return False  # A full text that can't be read is reported where it is searched.

    return [term.exactly() if is_held(term) else term for term in terms]


def _taken_apart(
    reader: Reader, terms: Sequence[Term], rows: dict[Term, Rows]
) -> list[Term]:
    """The terms, a German word that no memory holds as the two known words that it joins."""
    apart: list[Term] = []
    for term in terms:
        parts = _parts(reader, term) if term.joined and not len(rows.get(term, ())) else ()
        for part in parts:
            rows[part] = _matching(reader, part)
        apart += parts or (term,)
    return list({term.forms[0]: term for term in apart}.values())


def _parts(reader: Reader, term: Term) -> tuple[Term, ...]:
    """The two words, both in memories, that a word joins: "zahnarzt" and "termin"."""
    word = fold(term.word)
    for place in range(len(word) - SHORTEST_ROOT, SHORTEST_ROOT - 1, -1):
        parts = tuple(Term(part, inflected(part)) for part in (word[:place], word[place:]))
        if all(len(_matching(reader, part)) for part in parts):
            return parts
    return ()


def _respelled(reader: Reader, terms: Sequence[Term], rows: dict[Term, Rows]) -> list[Term]:
    """The terms, one that no memory holds also as the known words that it may be a slip for."""
    respelled = list(terms)
    for number, term in enumerate(terms):
        if term in rows and not len(rows[term]):
            near = one_slip_away(reader, term.word)
            if near:
                typed = fold(term.word)
                exact = tuple(form.replace(typed, each) for each in near for form in term.exact)
                wider = replace(term, forms=(*term.forms, *near), exact=exact)
                [respelled[number]] = _as_written(reader, [wider])
                rows[respelled[number]] = _matching(reader, respelled[number])
    return respelled


def _ask_full_text(reader: Reader, terms: Sequence[Term], rows: dict[Term, Rows]) -> str:
    """Fill in the rows of each term; returns why that can't be trusted, empty if it can."""
    try:
        if not reader.has_table("memories_fts"):
            return "This file has no full-text index of memories"
        for term in terms:
            rows[term] = _matching(reader, term)
        if not any(len(held) for held in rows.values()) and not _sound(reader):
            return "The full-text index of memories is incomplete"
    except DeadlinePassed:
        raise
    except ConstellationError as error:
        # If it is the whole file that can't be read, reading the memories says so.
        return f"The full-text index of memories can't be read ({error.what.lower()})"
    return ""


def _telling(total: int, holding: Sequence[int]) -> NDArray[np.float64]:
    """How much each word tells; one that no memory holds as much as the rarest that some hold.

    Otherwise a few unknown words would leave nothing to the known ones.
    """
    rarity = np.array([_rarity(total, count) for count in holding])
    known = np.array(holding) > 0
    return np.minimum(rarity, rarity[known].max()) if known.any() else rarity


def _rarity(total: int, holding: int) -> float:
    """BM25's inverse document frequency."""
    holding = min(holding, total)
    return math.log(1 + (total - holding + 0.5) / (holding + 0.5))


def _matching(reader: Reader, term: Term) -> Rows:
    """The rows that hold a term; kept until the file changes, as the words of a question come
    again with each key that is typed."""
    known: OrderedDict[str, Rows] = reader.once("rows of words", OrderedDict)
    query = full_text_query(term)
    if query in known:
        known.move_to_end(query)
        return known[query]
    rows = known[query] = row_numbers(reader.value(
        "SELECT group_concat(f.rowid) FROM memories_fts f WHERE memories_fts MATCH :query",
        query=query))
    while len(known) > WORDS_KEPT or (len(known) > 1 and sum(map(len, known.values())) > ROWS_KEPT):
        known.popitem(last=False)
    return rows


def full_text_query(term: Term) -> str:
    """A term in any of its forms, as an FTS5 query."""
    return " OR ".join('"' + form.replace('"', '""') + '"' for form in term.forms)


_LOOKED_AT = 2_000
"""Characters of a memory in which a word is looked for that full text must find."""


def _sound(reader: Reader) -> bool:
    """True if full text finds the newest memory by its words; asked only where nothing was found.

    A full text that was never filled, or is damaged, can look like one without the word.
    """
    newest = reader.row("SELECT m.rowid AS place, substr(m.content, 1, :most) AS content"
                        f" FROM memories m WHERE {READABLE} ORDER BY m.rowid DESC LIMIT 1",
                        most=_LOOKED_AT)
    content = str(newest["content"]) if newest else ""
    known = [word for word in words(content) if word.isalnum()]
    if len(content) == _LOOKED_AT:
        del known[-1:]  # It goes on behind.
    return newest is None or not known or reader.value(
        "SELECT 1 FROM memories_fts f WHERE memories_fts MATCH :query AND f.rowid = :place",
        query=f'"{max(known, key=len)}"', place=newest["place"]) is not None


def row_numbers(text: object) -> Rows:
    """Row numbers from one text: a hundred thousand of them in a few milliseconds."""
    if not isinstance(text, str) or not text:
        return np.zeros(0, np.int64)
    return np.fromstring(text, dtype=np.int64, sep=",")


def _scan(reader: Reader, terms: Sequence[Term], *, everything: bool) -> dict[Term, Rows]:
    """Read the newest memories that may hold a word, for what full text can't answer.

    `everything` reads all memories: LIKE knows no accents and few capitals.
    """
    pieces = {text for term in terms for core in cores(term.forms) for text in spellings(core)}
    bound = {f"t{n}": like(text) for n, text in enumerate(sorted(pieces))}
    holds = "1" if everything else " OR ".join(
        f"m.content LIKE :{name} ESCAPE '\\'" for name in bound)
    rows = reader.rows(
        f"SELECT m.rowid AS place, substr(m.content, 1, 20000) AS content FROM memories m"
        f" WHERE {TELLABLE_OF_PAST} AND ({holds}) ORDER BY m.rowid DESC LIMIT :most",
        most=SCANNED, **bound)
    # A table that was made without row numbers has none to find its memories by.
    texts = [(int(row["place"]), fold(str(row["content"]))) for row in reversed(rows)
             if row["place"] is not None]
    return {term: np.array([place for place, text in texts if test(text)], np.int64)
            for term, test in ((term, holds_word(term)) for term in terms)}


def spellings(text: str) -> set[str]:
    """SQLite knows the capitals of ASCII only."""
    return {text} if text.isascii() else {text, text.upper(), text.capitalize()}


def holds_word(term: Term) -> Callable[[str], object]:
    """A test of folded texts for a word in any of its forms."""
    if term.anywhere:
        return partial(_is_in, term.word)
    # What is written with a space, `stand up`, may have a hyphen.
    forms = "|".join(re.escape(form).replace(r"\ ", r"[\W_]+") for form in term.forms)
    return re.compile(rf"(?<![^\W_])(?:{forms})(?![^\W_])").search


def _is_in(piece: str, text: str) -> bool:
    return piece in text
