"""Kinds of questions that were answered poorly once, each asked of the demo graph."""

import pytest

from core.embedding.choose_embedder import offline
from core.model.recall import Recall
from core.recall.config import RecallSettings
from core.recall.hybrid import recall
from core.session.start import start
from core.settings import Settings, changed
from core.store.reader_and_writer import Reader
from core.traversal.focal_signals import Signals
from tests.demo_questions import NOW

LONG = RecallSettings(deadline_ms=60_000)
SLOW = changed(changed(Settings(), "recall", deadline_ms=60_000), "traversal", timeout_ms=60_000)
"""Time enough on a busy machine."""

FORMER = {
    "What was the stand-up time until September?": "stand-up is at 09:15",
    "Who used to approve releases?": "Ines approves each release",
    "What was the title of the essay before?": "The Helpful Archivist",
    "Which editor plugins did I have before?": "19 plugins",
    "How often did we release before?": "We release every second Tuesday",
    "What was the limit of invoice API retries before?": "without limit",
}
"""Questions for what was so before, and what their first answer says."""
FIRST = {
    "Who noticed the March outage first?": "The clerk at Ostvik phoned at 06:40",
    "When did I first meet Dr. Osei?": "Met Dr. Osei at the library",
    "How many ferry operators were there originally?": "nine ferry operators",
    "How many disks did the NAS have at first?": "Four 6 TB disks",
}
PLAIN = {
    "Where does the offsite copy of the backups live?": "Yusuf",
    "How often are the backups restored as a test?": "random folder is restored",
    "How late may I play the bass?": "half past nine",
    "What does Henrik want in the subject line?": "case number",
    "Which winds are the Pi nodes named after?": "mistral",
    "What is the plan if the Postgres 17 switch goes wrong?": "keep the 16 host",
    "May I update Home Assistant the day before a trip?": "Never update it on a day before travel",
    "How many words may the essay have?": "5,500",
    "Why was the Nix trial stopped?": "Nix trial",
    "When does the retry queue raise an alert?": "30 minutes",
    "What do I still review of Lena's work?": "touches money",
    "How do the auditors get access?": "read-only role",
    "What did the clerk at Ostvik do on the day of the outage?": "phoned at 06:40",
    "When did staging get its own database?": "Staging has its own",
    "Who aproves releases?": "Marek approves releases",
    "When is the team diner?": "4 December",
    "What time is the satnd-up?": "Stand-up moves to 10:00",
    "Who covers for Ines?": "Marek, Robin when he is out",
    "Who stands in for Henrik?": "Solveig stands in",
    "Who is responsible for the retry queue?": "Lena has taken over",
    "How should I write commit messages?": "Say what a person gets",
}
"""Questions written from the data before they were asked, and what one of the first three says."""
RULES = {
    "May claude-code push?": "An agent never pushes",
    "Can I push directly to main?": "An agent never pushes",
    "Is Lena allowed to deploy at night?": "No deploys between 23:00 and 04:30 UTC",
    "May I run a migration that locks the table?": "A migration that takes an exclusive lock",
    "Can we add a camera in the flat?": "No microphones and no cameras",
    "Should I call pip?": "Never call pip directly",
    "Why do we not release on Fridays?": "No deploys on Fridays after 14:00",
    "Why don't we ship on Fridays?": "No deploys on Fridays after 14:00",
}
"""Questions for permission or what forbids it; none names the entity that the rule is of."""


def asked(reader: Reader, question: str) -> Recall:
    return recall(reader, question, LONG, offline(), now=NOW)


@pytest.mark.parametrize("question", FORMER)
def test_what_held_before_is_told_first_with_its_span(reader: Reader, question: str) -> None:
    first = asked(reader, question).hits[0]
    assert first.past
    assert FORMER[question] in first.memory.content
    assert all(claim.until for claim in first.outdated)
    assert " to 20" in first.marked_text


@pytest.mark.parametrize("question", FIRST)
def test_what_was_first_is_told_first(reader: Reader, question: str) -> None:
    answer = asked(reader, question)
    assert answer.fits
    assert FIRST[question] in answer.hits[0].memory.content


@pytest.mark.parametrize("question", PLAIN)
def test_one_of_the_first_three_answers_and_a_session_start_tells_it(
    reader: Reader, question: str
) -> None:
    answer = asked(reader, question)
    assert answer.fits
    assert any(PLAIN[question] in hit.memory.content for hit in answer.hits[:3])
    told = start(reader, Signals(query=question), SLOW, offline(), now=NOW).text
    assert PLAIN[question] in told


@pytest.mark.parametrize("question", RULES)
def test_the_rule_that_is_asked_for_is_told_wherever_it_hangs(
    reader: Reader, question: str
) -> None:
    answer = asked(reader, question)
    assert answer.fits
    assert f"states “{RULES[question]}" in answer.hits[0].why
    told = start(reader, Signals(query=question), SLOW, offline(), now=NOW).text
    rules = told.partition("## Active Constraints")[2]
    lines = [line for line in rules.splitlines() if line.startswith("- ")]
    assert RULES[question] in " ".join(lines[:2])
