"""A read can be stopped: at its deadline it keeps what it has, and what must be whole is whole."""

import time

import pytest

from core.errors import DeadlinePassed
from core.store.reader_and_writer import Reader

ENDLESS = "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT i FROM n"
LONG = "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n LIMIT 20000) SELECT i FROM n"


@pytest.fixture
def reader(graph):
    with graph(lambda graph: None).read() as found:
        yield found


def soon() -> float:
    return time.monotonic() + 0.02


def test_an_endless_statement_is_stopped_and_says_so(reader: Reader) -> None:
    with reader.interrupting(soon()), pytest.raises(DeadlinePassed):
        reader.rows(ENDLESS)


def test_what_is_wanted_no_more_is_stopped_and_what_comes_after_is_not(reader: Reader) -> None:
    asked: list[None] = []
    with reader.while_wanted(lambda: bool(asked.append(None)) or len(asked) < 3):
        assert len(reader.rows(LONG)) == 20_000
        with pytest.raises(DeadlinePassed):
            reader.rows(ENDLESS)
    assert len(reader.rows(LONG)) == 20_000
    assert len(asked) == 3, "nobody is asked after the block"


def test_rows_that_came_in_time_are_kept(reader: Reader) -> None:
    with reader.interrupting(soon()):
        rows, whole = reader.rows_in_time(ENDLESS)
        assert not whole
        assert [row["i"] for row in rows] == list(range(1, len(rows) + 1))
        assert reader.rows_in_time("SELECT 1") == ([], False)


def test_a_statement_that_ends_in_time_is_whole(reader: Reader) -> None:
    with reader.interrupting(time.monotonic() + 1000):
        rows, whole = reader.rows_in_time(LONG)
    assert (len(rows), whole) == (20_000, True)


def test_what_must_be_whole_is_not_stopped(reader: Reader) -> None:
    with reader.interrupting(0.0), reader.uninterrupted():
        assert len(reader.rows(LONG)) == 20_000


def test_the_sooner_of_two_deadlines_holds_and_both_end_with_their_blocks(reader: Reader) -> None:
    with reader.interrupting(time.monotonic() + 1000):
        with reader.interrupting(soon()), pytest.raises(DeadlinePassed):
            reader.rows(ENDLESS)
        assert len(reader.rows(LONG)) == 20_000
        with reader.uninterrupted():
            pass
    with (reader.interrupting(0.0), reader.interrupting(time.monotonic() + 1000),
          pytest.raises(DeadlinePassed)):
        reader.rows(LONG)
    assert len(reader.rows(LONG)) == 20_000


FILLING = ("CREATE TEMP TABLE listed (i INTEGER)", f"INSERT INTO temp.listed {LONG}",
           "INSERT INTO temp.listed VALUES (-1)")


def test_a_list_is_filled_step_by_step_and_goes_on_where_its_time_was_up(reader: Reader) -> None:
    with reader.interrupting(0.0), pytest.raises(DeadlinePassed):
        reader.list_once("numbers", FILLING)
    reader.list_once("numbers", FILLING[:1])
    with reader.interrupting(0.0), pytest.raises(DeadlinePassed):
        reader.list_once("numbers", FILLING)
    assert reader.value("SELECT COUNT(*) FROM temp.listed") == 0
    reader.list_once("numbers", FILLING)
    reader.list_once("numbers", FILLING)
    assert reader.value("SELECT COUNT(*) FROM temp.listed") == 20_001


def test_a_step_of_a_list_that_was_begun_in_time_is_done_whole(reader: Reader) -> None:
    with reader.interrupting(soon()), pytest.raises(DeadlinePassed):
        reader.list_once("numbers", (*FILLING[:1], *FILLING[1:2] * 1_000))
    whole = reader.value("SELECT COUNT(*) FROM temp.listed")
    assert whole > 0
    assert whole % 20_000 == 0
