"""Counts in how many names words are, to tell those that set a name apart from plain ones."""

from collections.abc import Callable, Sequence

from core.store.reader_and_writer import Reader
from core.traversal.search_inside_entity_names import name_list
from core.traversal.shared_words import TIMES, Candidate

LEAST_FEW = 2
"""Names that may share a word which still sets each of them apart, however few names there are."""
SURE = 100
"""Names with a word up to which they are counted, to compare how common words are."""

_HOW_COMMON = """
SELECT f.value AS word, (SELECT COUNT(*) FROM (
  SELECT 1 FROM entities_fts WHERE entities_fts MATCH f.value LIMIT :most)) AS names
FROM json_each(:words) f"""


def set_apart(
    reader: Reader, sharing: Callable[..., list[Candidate]], limit: int, *, indexed: bool
) -> list[Candidate]:
    """The names that share enough words with the question to be set apart.

    Args:
        sharing: gives the candidates, without those whose words more than `most` names share.
        limit: entities that a question may mean.
        indexed: count by the full-text index of names.
    """
    few = _few(reader, limit)
    candidates = [each for each in sharing(most=most_alike(few)) if each.enough]
    unsure = [each for each in candidates if each.holders > few]
    others = list(dict.fromkeys(word for each in unsure for word in sorted(each.others)))
    count = count_names if indexed else _count_by_part
    counts = count(reader, others, SURE) if others else {}
    return [each for each in candidates if each.is_set_apart(few, counts)]


def most_alike(few: int) -> int:
    """How many names may share words that set them apart.

    Words of more names can't be told from plain ones: the others are counted up to `SURE` only.
    """
    return max(few, SURE // TIMES)


def count_names(reader: Reader, words: Sequence[str], most: int) -> dict[str, int]:
    """In how many names each word is by full text, counted up to `most`.

    Each word is counted once after each change of the file: as one types, the same come again.
    """
    def read(several: list[str]) -> dict[str, int]:
        rows = reader.rows(_HOW_COMMON, most=most, words=[f'"{word}"' for word in several])
        return {row["word"].strip('"'): row["names"] for row in rows}

    return reader.each_once(f"up to {most} names with a word", words, read)


def _count_by_part(reader: Reader, words: Sequence[str], most: int) -> dict[str, int]:
    """The same without full text."""
    names = name_list(reader)
    return {word: names.count(word, most) for word in words}


def _few(reader: Reader, limit: int) -> int:
    """In how many names a word may be that sets them apart: one in a hundred, two at least.

    The highest row number stands for the number of names, which would have to be counted.
    """
    names = reader.once("highest row number of entities", lambda: int(
        reader.value("SELECT MAX(e.rowid) FROM entities e") or 0))
    return max(LEAST_FEW, min(names // 100, limit))
