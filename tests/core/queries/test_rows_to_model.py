"""Rows of files that others write become the model's dataclasses whatever is in them."""

from collections import defaultdict

from core.queries.rows_to_model import memory_of


def test_a_memory_of_which_nothing_is_known_is_one_with_empty_words() -> None:
    memory = memory_of(defaultdict(lambda: None))
    assert (memory.id, memory.content, memory.type) == ("", "", "fact")
