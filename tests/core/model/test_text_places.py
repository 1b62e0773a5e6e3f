"""Many texts are found where asking for each finds them."""

import random

import pytest

from core.model import text_places
from core.model.packed_texts import packed
from core.model.text_places import TextPlaces

ODD = ["", "a", "a\0", "a\0b", "abcdefgh", "abcdefghi", "字", "é", "x" * 36, "x" * 37, "y" * 64]


def assert_found(column, wanted):
    places = TextPlaces(column)
    expected = [places.get(text, -2) for text in wanted]
    assert places.rows_of(packed(wanted), -2).tolist() == expected


@pytest.mark.parametrize("seed", range(20))
def test_each_is_found_in_its_row_or_not_at_all(seed):
    chance = random.Random(seed)
    known = [*{chance.choice(ODD[:-1]) + str(chance.randrange(10 ** chance.randrange(1, 6)))
               for _ in range(chance.randrange(200))}]
    wanted = [chance.choice([*known, *ODD]) for _ in range(100)]
    assert_found(known, wanted)
    assert_found(known, [])
    assert_found([], wanted)


def test_odd_texts_and_those_of_many_bytes_are_found():
    assert_found(ODD, [*ODD, "b", "y" * 63, "y" * 65, "x" * 300])
    assert_found([*ODD, "z" * 65], [*ODD, "z" * 65, "z" * 64, "b"])


def test_of_a_text_that_stands_twice_the_last_row_is_found():
    assert_found(["a", "b", "a"], ["a", "b", "c"])


def test_texts_of_one_hash_are_told_apart(monkeypatch):
    monkeypatch.setattr(text_places, "_ODD", text_places._HALF * 0)
    assert_found(["a", "b"], ["a", "b", "c"])
    assert_found(["a"], ["a", "b", "c"])
