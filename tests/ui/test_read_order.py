"""What nobody waits for is read after what a person asked for, and is read in the end."""

from ui.read_order import PATIENCE, ReadOrder


def test_it_begins_at_once_where_nothing_else_runs() -> None:
    order, begun = ReadOrder(), list[str]()
    order.later("sky", lambda: begun.append("sky"))
    assert begun == ["sky"]


def test_who_asks_all_the_time_keeps_it_waiting_for_a_few_answers_only() -> None:
    order, begun, asked = ReadOrder(), list[str](), [object() for _ in range(PATIENCE + 1)]
    order.begins(asked[0])
    order.later("sky", lambda: begun.append("sky"))
    for before, read in zip(asked, asked[1:], strict=False):
        assert not begun
        order.begins(read)
        order.ended(before)
    assert begun == ["sky"]


def test_nothing_begins_after_the_end() -> None:
    order, begun, asked = ReadOrder(), list[str](), object()
    order.begins(asked)
    order.later("sky", lambda: begun.append("sky"))
    order.close()
    order.ended(asked)
    assert not begun


def test_what_fails_to_be_known_changes_nothing() -> None:
    order, begun = ReadOrder(), list[str]()
    order.later("sky", lambda: begun.append("sky"))
    order.later("counts", lambda: begun.append("counts"))
    order.ended(object())
    assert begun == ["sky"]
    order.ended("sky")
    assert begun == ["sky", "counts"]
