"""Columns put together from rows that were there and rows that are new."""

from collections.abc import Collection, Sequence
from contextlib import suppress
from typing import Any

import numpy as np

from core.model.packed_texts import PackedTexts, joined, runs

_AT_A_TIME = 10_000
"""Rows whose numbers are objects at the same time."""
_FEW = 4
"""Up to so many ids are looked for one by one, which needs no look at each row in Python."""


def is_same(order: np.ndarray, count: int) -> bool:
    """True if an order takes all of `count` rows as they are."""
    return len(order) == count and bool((order == np.arange(count)).all())


def spliced(old: Any, new: Any, order: np.ndarray) -> Any:
    """A column of any kind, of those rows of `old` and then `new` that `order` names.

    The old column itself where nothing is other than it was.
    """
    if not len(new) and is_same(order, len(old)):
        return old
    if isinstance(old, PackedTexts):
        return (joined((old, new)) if len(new) else old).taken(order)
    if isinstance(old, list):
        return _taken([*old, *new], order)
    return (np.concatenate((old, new)) if len(new) else old)[order]


def _taken(pool: list[str], order: np.ndarray) -> list[str]:
    """The named rows of a list; whole runs at a time, since most rows follow each other."""
    following = runs(order)
    if following is not None:
        return [text for first, last in following for text in pool[first:last]]
    rows: list[str] = []
    for start in range(0, len(order), _AT_A_TIME):
        rows += map(pool.__getitem__, order[start:start + _AT_A_TIME].tolist())
    return rows


def recoded(
    old: tuple[tuple[str, ...], np.ndarray], new: tuple[tuple[str, ...], np.ndarray],
    order: np.ndarray,
) -> tuple[tuple[str, ...], np.ndarray]:
    """Words, sorted and only those that are used, and each row's word; as `spliced` orders them."""
    words = (*old[0], *new[0])
    codes = spliced(old[1], new[1] + len(old[0]), order)
    used = np.flatnonzero(np.bincount(codes, minlength=len(words)))
    names = sorted({words[code] for code in used.tolist()})
    place = {word: number for number, word in enumerate(names)}
    table = np.array([place.get(word, 0) for word in words] or [0], np.int16)
    return tuple(names), table[codes]


def by_owner(owners: np.ndarray) -> np.ndarray:
    """The order by owner in which what belongs to one stays in the order it is in."""
    if (owners[1:] >= owners[:-1]).all():
        return np.arange(len(owners))
    return np.argsort(owners, kind="stable")


def rows_of(ids: Sequence[str], wanted: Collection[str]) -> np.ndarray:
    """Where the wanted ids are, as far as they are there."""
    if len(wanted) > _FEW:
        return np.flatnonzero(np.fromiter((id in wanted for id in ids), bool, len(ids)))
    rows = []
    for id in wanted:
        with suppress(ValueError):
            rows.append(ids.index(id))
    return np.array(sorted(rows), np.int64)
