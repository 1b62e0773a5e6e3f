"""Packed texts and the ids of nodes are what a list of the same texts is."""

import json
import random
from collections.abc import Sequence

import numpy as np
import pytest

from core.constellation.node_ids import NodeIds
from core.model import packed_texts
from core.model.packed_texts import joined, packed, packed_array

TEXTS = ["e1", "", "naïve", "e1", "字\ud800", "a\0b", "b", "x" * 300, "\0", "1", "e11"]


def _of_nodes(texts: Sequence[str]) -> NodeIds:
    return NodeIds(list(texts[:3]), [], packed(texts[3:8]), list(texts[8:]))


@pytest.mark.parametrize("make", [packed, _of_nodes])
@pytest.mark.parametrize("texts", [[], TEXTS, TEXTS[:2], ["plain", "letters"]])
def test_it_is_what_the_list_is(make, texts, monkeypatch):
    monkeypatch.setattr(packed_texts, "_AT_A_TIME", 3)
    column = make(texts)
    assert (list(column), len(column)) == (texts, len(texts))
    assert (column == texts, texts == column, column == make(texts)) == (True,) * 3
    assert repr(column) == repr(texts)
    assert column != [*texts, "more"]
    assert column != texts[1:] or not texts
    for cut in (slice(1, 4), slice(None), slice(2, None), slice(None, None, -2), slice(9, 2)):
        assert column[cut] == texts[cut]
    assert [column[np.int64(row)] for row in range(-len(texts), len(texts))] == texts * 2
    with pytest.raises(IndexError):
        column[len(texts)]


@pytest.mark.parametrize("make", [packed, _of_nodes])
def test_a_text_is_found_as_a_whole(make):
    column = make(TEXTS)
    for text in (*TEXTS, "e", "1\0", "a", "x", "absent", "e1\0"):
        for start in range(len(TEXTS) + 2):
            for stop in (None, 0, 5):
                wanted = _found(TEXTS, text, start, stop)
                assert _found(column, text, start, stop) == wanted, (text, start, stop)


def test_many_texts_are_found_in_one_look(monkeypatch):
    others = ["absent", "e", "1\0", "end-0000000", "other-end-00000001"]
    texts = [*TEXTS, "one-end-00000001", "two-end-00000001", "nd-00000001"]
    for bits in (1, 16):  # With few bits nearly all look alike.
        monkeypatch.setattr(packed_texts, "_BITS", bits)
        column = packed(texts)
        assert column.places([*texts, *others]) == {
            text: texts.index(text) for text in texts}
        assert column.places(others) == packed([]).places(texts) == column.places([]) == {}


def _found(column, text, start, stop):
    try:
        return column.index(text, start, len(column) if stop is None else stop)
    except ValueError:
        return None


@pytest.mark.parametrize("seed", range(20))
def test_rows_are_taken_in_any_order_and_columns_joined(seed, monkeypatch):
    monkeypatch.setattr(packed_texts, "_AT_A_TIME", 7)
    chance = random.Random(seed)
    texts = [chance.choice(TEXTS) + str(chance.randrange(10 ** chance.randrange(5)))
             for _ in range(chance.randrange(60))]
    orders = [[row for row in range(len(texts)) if row != 5],
              [*range(10, len(texts)), *range(min(10, len(texts)))],
              chance.choices(range(len(texts)), k=40) if texts else [], []]
    for order in orders:
        assert packed(texts).taken(np.array(order, np.int64)) == [texts[row] for row in order]
    assert joined([packed(texts), packed([]), packed(TEXTS)]) == [*texts, *TEXTS]


@pytest.mark.parametrize("texts", [[], [""], ["", ""], ["a", "", "字"], ["a,b", "[", "]"]])
def test_an_array_of_plain_texts_is_packed_as_it_is(texts):
    array = json.dumps(texts, ensure_ascii=False, separators=(",", ":"))
    column = packed_array(array, len(texts))
    assert (list(column), column) == (texts, packed(texts))


@pytest.mark.parametrize(
    "rows", [["a", None], [None, "a"], [1], ['"'], ["\\"], ["a\0b"], ["\n"], [[]]])
def test_an_array_of_other_things_is_left_to_others(rows):
    array = json.dumps(rows, ensure_ascii=False, separators=(",", ":"))
    assert packed_array(array, len(rows)) is None
