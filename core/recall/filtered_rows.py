"""Which memories pass the filters of a question, kept for the next one with the same filters."""

from collections import OrderedDict
from collections.abc import Callable, Sequence

import numpy as np

from core.recall.filters import READABLE
from core.recall.keyword import Rows, row_numbers
from core.store.reader_and_writer import Reader

FILTERS_KEPT = 8
"""Of how many filters a connection keeps the rows that pass; those that were asked for last."""


def allowed_rows(
    reader: Reader, condition: str, bound: dict[str, object],
    next_best: Callable[[], Sequence[int]], enough: int,
) -> Rows:
    """The row numbers, in order, of memories that the agent may see and that pass the filters.

    Of the next best ones, if that many are enough, else of all in the file. All that pass are kept
    until the file changes: filters come again with each question about one project.
    """
    known: OrderedDict[str, Rows | None] = reader.once("rows that pass", OrderedDict)
    key = repr((reader.agent, condition, sorted(bound.items())))
    rows = known.get(key)
    if rows is not None:
        known.move_to_end(key)
        return rows
    if key not in known:
        near = passing_rows(reader, condition, bound, next_best())
        if len(near) >= enough:
            known[key] = None  # Asked once; from the second time on all are worth their while.
            return near
    rows = known[key] = passing_rows(reader, condition, bound)
    while len(known) > FILTERS_KEPT:
        known.popitem(last=False)
    return rows


def passing_rows(
    reader: Reader, condition: str, bound: dict[str, object],
    among: Sequence[int] | None = None,
) -> Rows:
    """The same of every memory, or of those `among` these, read anew."""
    source = ("memories m" if among is None else
              "json_each(:among) f CROSS JOIN memories m ON m.rowid = f.value")
    asked = bound if among is None else {**bound, "among": list(among)}
    row_list = reader.value(
        f"SELECT group_concat(m.rowid) FROM {source} WHERE {READABLE} AND {condition}", **asked)
    return np.sort(row_numbers(row_list))
