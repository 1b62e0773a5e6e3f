"""An event that is named by its time is not the one of another time."""

import pytest

from core.recall.events_named_by_time import named_events, tells_of
from tests.core.recalling import answer


@pytest.mark.parametrize(("question", "events"), [
    ("Where was the January outage?", [("january", "outag")]),
    ("Who ran Vega's spring audits?", [("spring", "audit")]),
    ("What happened in January?", []), ("Who left on the Friday that it rained?", [])])
def test_a_time_before_a_noun_names_an_event(question: str, events: list[tuple[str, str]]) -> None:
    assert list(named_events(question)) == events


@pytest.mark.parametrize(("text", "then", "tells"), [
    ("The January outage was in the harbour", False, True), ("Outage in January", False, True),
    ("The outage took an hour", True, True), ("The outage took an hour", False, False),
    ("March outage: no file came", True, False), ("An outage, like that of March", True, False)])
def test_what_says_another_time_tells_of_another_event(text: str, then: bool, tells: bool) -> None:
    assert tells_of(text, named_events("Where was the January outage?"), then=then) is tells


def test_an_outage_of_another_month_does_not_fit(graph) -> None:
    workspace = graph(lambda g: [
        g.memory("The March outage began in the harbour office", created_at="2026-03-16T09:00:00Z"),
        *(g.memory(f"lamp number {n} was painted") for n in range(20))])
    assert not answer(workspace, "Where was the January outage?").fits
    assert answer(workspace, "Where was the March outage?").fits
