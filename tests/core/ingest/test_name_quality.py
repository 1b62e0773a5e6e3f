"""The quality gate, version 3: which names may become an entity (upstream's own examples)."""

import pytest

from core.ingest.config import IngestSettings
from core.ingest.name_quality import REASONS, clean_name, refuse, type_word

TYPES = IngestSettings().refused_types


def reason(name: str, kind: str | None = None) -> str | None:
    return refuse(name, kind, refused_types=TYPES)


@pytest.mark.parametrize(("name", "kind", "code"), [
    ("Current", None, "generic_or_scaffolding_name"),
    ("**Status:**", None, "generic_or_scaffolding_name"),
    ("Status:**", None, "generic_or_scaffolding_name"),
    ("## Summary", None, "generic_or_scaffolding_name"),
    ("Result", None, "generic_or_scaffolding_name"),
    ("Update", None, "generic_or_scaffolding_name"),
    ("!!!", None, "punctuation_only"),
    ("50", None, "numeric_only"),
    ("cli", None, "too_short"),
    ("You", "person", "generic_or_scaffolding_name"),
    ("Sender", "person", "generic_or_scaffolding_name"),
    ("Assistant", "person", "metadata_role"),
    ("User: hello", None, "role_prefixed_scaffolding"),
    ("User", None, "metadata_role"),
    ("because", None, "discourse_fragment"),
    ("Pending Tasks", None, "section_heading"),
    ("Graph walks", "concept", "non_concrete_entity_type"),
    ("Ship it", "task", "non_concrete_entity_type"),
    ("Acme Corp", "company", "unknown_entity_type"),
    ("Maybelline", "event", "event_without_time_or_event_signal"),
    ("last banana", "event", "event_without_time_or_event_signal"),
    ("Alpha 202X", "event", "event_without_time_or_event_signal"),
    ("123:45", "event", "event_without_time_or_event_signal"),
])
def test_a_name_is_refused_with_its_reason(name: str, kind: str | None, code: str) -> None:
    assert reason(name, kind) == code
    assert REASONS[code]


@pytest.mark.parametrize(("name", "kind"), [
    ("Status Page", None), ("Current Project", None), ("Summary Report", None),
    ("User", "person"), ("Bun", "tool"), ("npm", "tool"), ("Git", "tool"), ("Go", "tool"),
    ("AWS", "system"), ("CI", "system"), ("AI", "product"),
    ("17:00", "event"), ("1:00", "event"), ("2026-07-10", "event"), ("last week", "event"),
    ("Signet Daily Digest — 2026-05-10", "event"),
    # Narrower than upstream, whose prefixes refused these:
    ("User Guide", None), ("System X", None), ("Primary Database", None),
])
def test_a_name_passes(name: str, kind: str | None) -> None:
    assert reason(name, kind) is None


def test_scripts_that_need_fewer_letters_are_no_worse_off() -> None:
    assert reason("東京") is None
    assert reason("서울") is None
    assert reason("ab") == "too_short"


def test_the_shortest_name_and_the_refused_types_are_settings() -> None:
    assert refuse("cli", shortest=3) is None
    assert refuse("Graph walks", "concept", refused_types=()) is None


@pytest.mark.parametrize(("written", "name"), [
    ("**Signet:**", "Signet"), ("`npm`", "npm"), ("# Harbor  Ledger", "Harbor Ledger"),
    ("[[Bun]]", "Bun"), ("- Tide API", "Tide API"), ("\u201cAnna\u201d", "Anna"), (".NET", ".NET"),
    ("C++", "C++"), ("1. First Mate", "First Mate"), ("", ""), ("**", "**"),
])
def test_markdown_marks_are_no_part_of_a_name(written: str, name: str) -> None:
    assert clean_name(written) == name


def test_a_type_is_one_word() -> None:
    assert type_word(" Object-Type ") == "object_type"
    assert type_word(None) == ""


@pytest.mark.parametrize(("name", "kind", "code"), [
    ("Bob", None, None), ("Uwe", "unknown", None), ("Io", None, None),
    ("Io", "moon", "unknown_entity_type"),
    ("cli", None, "too_short"), ("CLI", None, "too_short"), ("B", None, "too_short"),
    ("The", None, "generic_or_scaffolding_name")])
def test_a_short_name_that_is_written_as_one_is_one(
    name: str, kind: str | None, code: str | None
) -> None:
    assert refuse(name, kind) == code
