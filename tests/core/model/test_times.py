"""Both time formats of memory files are read, and said as a person would."""

from datetime import UTC, datetime, timedelta, timezone

import pytest

from core.model.times import age, later, parse_time

NOON = datetime(2026, 3, 14, 12, 0, tzinfo=UTC)


@pytest.mark.parametrize(("text", "moment"), [
    ("2026-03-14T12:00:00.000Z", NOON),
    ("2026-03-14 12:00:00", NOON),
    ("2026-03-14T13:00:00+01:00", NOON),
    (" 2026-03-14T12:00 ", NOON),
    ("2026-03-14", NOON - timedelta(hours=12)),
])
def test_both_formats_name_the_same_moment(text, moment):
    assert parse_time(text) == moment
    assert parse_time(text).tzinfo == UTC


@pytest.mark.parametrize("odd", [
    None, 17, b"2026-03-14", "", "soon", "0001-01-01T00:00:00+14:00", "2026-13-40"])
def test_odd_times_are_no_time(odd):
    assert parse_time(odd) is None
    assert age(odd) == ""
    assert not later(odd, "2026-03-14")
    assert not later("2026-03-14", odd)


def test_moments_are_compared_not_their_text():
    # As text the T sorts after the space, so the earlier one would come later.
    assert later("2026-03-14 21:00:00", "2026-03-14T20:00:00.000Z")
    assert not later("2026-03-14T20:00:00.000Z", "2026-03-14 21:00:00")
    assert not later("2026-03-14 21:00:00", "2026-03-14T21:00:00.000Z")


@pytest.mark.parametrize(("ago", "words"), [
    (timedelta(seconds=-90), "now"), (timedelta(seconds=59), "now"),
    (timedelta(minutes=5), "5 min"), (timedelta(hours=3, minutes=59), "3 h"),
    (timedelta(days=12), "12 d"), (timedelta(days=130), "4 mo"), (timedelta(days=800), "2 y"),
])
def test_age_is_said_in_few_letters(ago, words):
    there = timezone(timedelta(hours=5))
    assert age((NOON - ago).isoformat(), NOON.astimezone(there)) == words
