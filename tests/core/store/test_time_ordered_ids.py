"""Ids of rows that are written by the thousand grow and are short."""

from itertools import islice
from unittest.mock import patch

from core.store import time_ordered_ids
from core.store.time_ordered_ids import ordered_ids as ids


def test_each_is_greater_than_the_one_before() -> None:
    some = list(islice(ids(), 5000))
    assert some == sorted(set(some))
    assert {len(each) for each in some} == {16}


def test_two_runs_at_one_time_share_none() -> None:
    with patch.object(time_ordered_ids.time, "time_ns", return_value=10**18):
        assert set(islice(ids(), 100)).isdisjoint(islice(ids(), 100))


def test_they_go_on_when_the_running_number_is_used_up() -> None:
    with patch.object(time_ordered_ids, "_COUNT", 1):
        some = list(islice(ids(), 100))
    assert len(set(some)) == 100
