"""What nobody waits for is read after what a person asked for, and is read in the end."""

from collections.abc import Callable

from ui.read_order import PATIENCE, ReadOrder


class Begun(list[str]):
    """Names of what has begun."""

    def of(self, name: str) -> Callable[[], str]:
        """Begins it; the read is known by its name."""
        def begin() -> str:
            self.append(name)
            return name
        return begin


def test_it_begins_at_once_where_nothing_else_runs() -> None:
    order, begun = ReadOrder(), Begun()
    order.later("sky", begun.of("sky"))
    assert begun == ["sky"]
    assert not order.waits


def test_one_begins_when_the_one_before_has_ended() -> None:
    order, begun = ReadOrder(), Begun()
    for name in ("sky", "counts"):
        order.later(name, begun.of(name))
    order.ended(object())
    assert begun == ["sky"]
    order.ended(begun[0])
    assert begun == ["sky", "counts"]


def test_who_asks_all_the_time_keeps_it_waiting_for_a_few_answers_only() -> None:
    order, begun, asked = ReadOrder(), Begun(), [object() for _ in range(PATIENCE + 1)]
    order.begun(asked[0])
    order.later("sky", begun.of("sky"))
    for before, read in zip(asked, asked[1:], strict=False):
        assert not begun
        order.begun(read)
        order.ended(before)
    assert begun == ["sky"]


def test_what_a_person_was_answered_before_it_came_is_no_waiting() -> None:
    order, begun = ReadOrder(), Begun()
    for _ in range(PATIENCE):
        answered = object()
        order.begun(answered)
        order.ended(answered)
    click = object()
    order.begun(click)
    order.later("sky", begun.of("sky"))
    assert not begun
    order.ended(click)
    assert begun == ["sky"]


def test_the_newer_of_one_key_takes_the_place_of_what_waits() -> None:
    order, begun, click = ReadOrder(), Begun(), object()
    order.begun(click)
    for key, name in (("counts", "old counts"), ("sky", "sky"), ("counts", "new counts")):
        order.later(key, begun.of(name))
    order.ended(click)
    assert begun == ["new counts"]
    order.ended(begun[0])
    assert begun == ["new counts", "sky"]
    assert not order.waits


def test_nothing_begins_after_the_end() -> None:
    order, begun, click = ReadOrder(), Begun(), object()
    order.begun(click)
    order.later("sky", begun.of("sky"))
    order.close()
    order.ended(click)
    assert not begun
