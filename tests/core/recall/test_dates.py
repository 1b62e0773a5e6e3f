"""Times that a question or a memory speaks of."""

from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.errors import OperationError
from core.past.moment_from_words import named_moment
from core.recall.dates import day_of, nearness, question_times, spans, stretch
from core.recall.question import read_question
from tests.core.recalling import WordAxes, found

NOW = datetime(2026, 5, 13, 15, tzinfo=UTC)  # a Wednesday


def told(text: str, now: datetime = NOW) -> list[str]:
    return [str(span) for span in spans(text, now)]


@pytest.mark.parametrize(("text", "span"), [
    ("in 2021", "2021-01-01 to 2022-01-01"),
    ("in May 2023", "2023-05-01 to 2023-06-01"),
    ("on 8 May, 2023", "2023-05-08"),
    ("May 8th, 2023", "2023-05-08"),
    ("the 5th of November 2022", "2022-11-05"),
    ("since 2023-05-08", "2023-05-08"),
    ("during 2024-02", "2024-02-01 to 2024-03-01"),
    ("Sept 3rd", "2025-09-03"),
    ("last March", "2026-03-01 to 2026-04-01"),
    ("last December", "2025-12-01 to 2026-01-01"),
    ("in March", "2026-03-01 to 2026-04-01"),
    ("in August", "2025-08-01 to 2025-09-01"),
    ("next August", "2026-08-01 to 2026-09-01"),
    ("yesterday", "2026-05-12"),
    ("the day before yesterday", "2026-05-11"),
    ("this morning", "2026-05-13"),
    ("last night", "2026-05-12"),
    ("last week", "2026-05-04 to 2026-05-11"),
    ("this month", "2026-05-01 to 2026-06-01"),
    ("last year", "2025-01-01 to 2026-01-01"),
    ("past 10 days", "2026-05-03 to 2026-05-14"),
    ("two weeks ago", "2026-04-28 to 2026-05-01"),
    ("3 months ago", "2026-02-01 to 2026-03-01"),
    ("a few days ago", "2026-05-10"),
    ("last weekend", "2026-05-09 to 2026-05-11"),
    ("on Friday", "2026-05-08"),
    ("last Wednesday", "2026-05-06"),
    ("next Monday", "2026-05-18"),
    ("last summer", "2025-06-01 to 2025-09-01"),
    ("this summer", "2026-06-01 to 2026-09-01"),
    ("winter 2022", "2022-12-01 to 2023-03-01"),
    ("on 2026/03/14", "2026-03-14"), ("on 2026.03.14", "2026-03-14"), ("14.03.2026", "2026-03-14"),
    ("14/03/2026", "2026-03-14"), ("3/14/2026", "2026-03-14"), ("05/05/2026", "2026-05-05"),
    ("2026年3月14日", "2026-03-14"), ("2026年3月", "2026-03-01 to 2026-04-01"),
    ("2026년 3월 5일", "2026-03-05"), ("Q1 2026", "2026-01-01 to 2026-04-01"),
    ("eleven days ago", "2026-05-02"), ("twenty years ago", "2006-01-01 to 2007-01-01"),
    ("two hours ago", "2026-05-13"), ("by March", "2026-03-01 to 2026-04-01"),
])
def test_a_time_in_words_or_numbers_is_understood(text: str, span: str) -> None:
    assert told(f"What was it {text}?") == [span]


@pytest.mark.parametrize("text", [
    "may I ask you", "I may go", "march on", "call 2023", "version 2023-13-01", "summer is nice",
    "a weekend in bed", "31 February 2023-99", "on top of it", "monday.com", "dec", "",
    "03/04/2026", "1/2/3", "99.99.2026", "half a year ago", "and may I go", "said May", "99/2023/1",
])
def test_what_is_no_time_is_not_taken_for_one(text: str) -> None:
    assert [span for span in told(text) if "2023-02" not in span] == []


def test_several_times_come_in_order() -> None:
    assert told("on 3 May 2024, then in June 2025") == ["2024-05-03", "2025-06-01 to 2025-07-01"]


def test_a_memory_s_own_time_is_what_its_yesterday_is_read_from() -> None:
    assert told("I saw it yesterday", datetime(2023, 5, 8, tzinfo=UTC)) == ["2023-05-07"]


def test_the_first_day_of_a_year_looks_back_over_its_end() -> None:
    assert told("last month", datetime(2026, 1, 1, tzinfo=UTC)) == ["2025-12-01 to 2026-01-01"]
    assert told("last winter", datetime(2026, 1, 5, tzinfo=UTC)) == ["2024-12-01 to 2025-03-01"]


def test_of_a_time_only_names_that_come_again_are_looked_for_as_words() -> None:
    question = read_question("What did Jo paint two days ago or in May 2023?", now=NOW)
    assert [term.word for term in question.terms] == ["jo", "paint", "may"]
    assert [str(span) for span in question.dates] == ["2026-05-11", "2023-05-01 to 2023-06-01"]
    assert "friday" in [term.word for term in read_question("deploy on Friday?", now=NOW).terms]


@pytest.mark.parametrize(("text", "span"), [
    ("since April", "2026-04-01 to 2026-05-14"), ("since 2026-05-01", "2026-05-01 to 2026-05-14"),
    ("since last Wednesday", "2026-05-06 to 2026-05-14"),
    ("after 3 May 2026", "2026-05-04 to 2026-05-14"), ("before April 2026", "before 2026-04-01"),
    ("until April 2026", "before 2026-05-01"),
    ("between March and May", "2026-03-01 to 2026-06-01"),
    ("from 2026-03-01 to 2026-03-15", "2026-03-01 to 2026-03-16"),
    ("between 3 May 2024 and June 2025", "2024-05-03 to 2025-07-01"),
    ("between last week", "2026-05-04 to 2026-05-11"),
    ("from last year", "2025-01-01 to 2026-01-01"),
    ("after 2027-01-01", "2027-01-01"),
])
def test_a_question_may_leave_an_end_open(text: str, span: str) -> None:
    assert [str(t.span) for t in question_times(f"What was it {text}?", NOW)] == [span]


def test_a_memory_with_an_open_end_does_not_tell_of_all_time() -> None:
    assert told("We live here since April 2024") == ["2024-04-01 to 2024-05-01"]


@pytest.mark.parametrize("text", ["yesterday?", "what did we do yesterday?"])
def test_a_question_of_nothing_but_a_time_keeps_its_words(text: str) -> None:
    assert [t.word for t in read_question(text, now=NOW).terms] == ["yesterday"]


def test_nearness_is_whole_within_less_around_and_nothing_far_away() -> None:
    asked = [stretch(span) for span in spans("in May 2023", NOW)]

    def near(day: str) -> float:
        return nearness([day_of(datetime.fromisoformat(day).replace(tzinfo=UTC))], asked)

    assert near("2023-05-20") == 1.0
    assert 0.1 < near("2023-06-10") < near("2023-06-03") < 1.0
    assert near("2024-05-20") == 0.0


@given(st.text(max_size=60), st.datetimes(timezones=st.just(UTC)))
def test_no_text_and_no_moment_is_an_error(text: str, now: datetime) -> None:
    for filler in ("", "last month ", "9 weeks ago ", "next winter ", "31 June 9999-99-99 "):
        for span in spans(filler + text, now):
            assert span.start < span.end
        for ahead in ("since ", "before ", "between May 2023 and "):
            for time in question_times(ahead + filler + text, now):
                assert time.span.start < time.span.end


def test_what_comes_before_a_time_is_not_looked_for_by_the_name_of_the_time() -> None:
    asked = read_question("What was the time of the run before September?", now=NOW)
    assert "september" not in [term.word for term in asked.terms]
    assert "september" in [t.word for t in read_question("Who came in September?", now=NOW).terms]


def test_asked_for_nothing_but_a_time_what_was_said_then_comes_before_what_tells_of_it(
    graph,
) -> None:
    workspace = graph(lambda g: [g.memory(text, created_at=f"{day}T10:00:00Z") for text, day in (
        ("The balcony was flooded", "2026-04-02"),
        ("Ines leads the team since April", "2026-05-01"),
        ("It happened again, and April changed what happened", "2026-05-03"),
        ("Since 2 April 2026 the valve is new", "2026-05-04"))])
    brought = found(workspace, "What happened on 2 April?", embedder=WordAxes())
    assert brought[:2] == ["The balcony was flooded", "Since 2 April 2026 the valve is new"]
    tells_of_it = found(workspace, "What is known of 2 April 2026?", embedder=WordAxes())
    assert "Since 2 April 2026 the valve is new" in tells_of_it[:2]


@pytest.mark.parametrize("day", ["0001-01-01", "1850-06-30", "2026-05-12"])
def test_any_day_of_the_calendar_is_a_date(day: str) -> None:
    assert f"{named_moment(day, NOW):%d}" == day[-2:]


@pytest.mark.parametrize(("words", "minutes"), [
    ("an hour ago", 60), ("2 hours ago", 120), ("half an hour ago", 30), ("Five minutes ago", 5),
    ("a couple of hours ago", 120), ("90 seconds  ago", 1.5), ("30 hours ago", 1800)])
def test_hours_and_minutes_ago_are_a_moment(words: str, minutes: float) -> None:
    assert named_moment(words, NOW) == NOW - timedelta(minutes=minutes)


def test_a_day_that_is_yet_to_come_is_not_called_no_date() -> None:
    with pytest.raises(OperationError, match="31 Dec 9999 is yet to come"):
        named_moment("9999-12-31", NOW)
