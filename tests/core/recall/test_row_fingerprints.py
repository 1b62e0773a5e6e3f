"""The row numbers of a file's memories are read from all lines at once, as line by line."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from core.recall.row_fingerprints import row_of, rows_of

numbers = st.integers(0, 2**62).map(str)
parts = st.lists(st.text(st.characters(codec=None), max_size=6), max_size=4).map(" ".join)
lines = st.builds(str.__add__, numbers, parts.map(" ".__add__)) | parts | numbers


@given(st.lists(lines, max_size=12).map("\n".join))
def test_all_lines_at_once_give_the_rows_that_each_gives(keys: str) -> None:
    rows = {row_of(line) for line in keys.split("\n")} - {-1}
    assert rows_of(keys).tolist() == sorted(row for row in rows if row < 2**63)
    assert rows_of(keys).dtype == np.int64
