"""What memories say again: the same words but for a version, as each release of a log does."""

import re
from collections.abc import Collection, Sequence
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from core.errors import ConstellationError
from core.store.reader_and_writer import Reader

SAMPLE = 12
"""Memories of a word that are compared."""
FEW, MANY = 4, 1_000
"""Memories of a word that are few, and that are many, however often they say the same."""

_VERSION = re.compile(r"\(?\bv?\d+(?:\.\d+)+\)?|\(#\d+\)")
_TEXTS = """
SELECT m.rowid AS place, substr(m.content, 1, 300) AS content
FROM json_each(:rows) f CROSS JOIN memories m ON m.rowid = f.value"""


@lru_cache(maxsize=1_000)
def but_for_version(text: str) -> str:
    """The text in small letters without versions and numbers of requests; as one types, the same
    texts come again."""
    if "." in text or "(#" in text:  # Else it names no version.
        text = _VERSION.sub(" ", text)
    return " ".join(text.lower().split())


def different(reader: Reader, several: Sequence[NDArray[np.int64]]) -> list[int]:
    """For some lists of rows about how many different things they say, by a sample of each.

    All are taken to differ where the memories can't be read, or not in time.
    """
    samples = [_sample(rows) if FEW <= len(rows) <= MANY else [] for rows in several]
    try:
        said = _said(reader, {row for sample in samples for row in sample})
    except ConstellationError:
        said = {}
    counts = []
    for rows, sample in zip(several, samples, strict=True):
        texts = [said[row] for row in sample if row in said]
        counts.append(max(round(len(rows) * len(set(texts)) / len(texts)), 1) if texts
                      else len(rows))
    return counts


def _said(reader: Reader, rows: Collection[int]) -> dict[int, str]:
    """By row what some memories say."""
    if not rows:
        return {}
    return {row["place"]: but_for_version(str(row["content"]))
            for row in reader.rows(_TEXTS, rows=sorted(rows))}


def _sample(rows: NDArray[np.int64]) -> list[int]:
    """Some of the rows, evenly spread."""
    places = np.linspace(0, len(rows) - 1, min(SAMPLE, len(rows))).astype(np.int64)
    picked: list[int] = rows[places].tolist()
    return picked
