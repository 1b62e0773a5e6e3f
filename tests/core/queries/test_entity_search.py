"""Search over all that is known of an entity: across facts, with typos, by tag, type and time."""

import pytest

from core.errors import OperationError
from core.queries import entity_search
from core.queries.entities import (
    count_entities,
    first_by_name,
    list_entities,
    matching_ids,
    understood,
)
from tests.core.graphs import Asked, build


@pytest.fixture(scope="module", params=["native", "without full text"])
def reader(request, tmp_path_factory):
    def fill(graph):
        job = graph.entity("settlement job", "workflow", mentions=1, updated_at="2026-05-01")
        ledger = graph.entity("Harbor Ledger", "project", mentions=9, pinned=1,
                              pinned_at="2026-01-01", updated_at="2026-01-01")
        office = graph.entity("Office", "place", updated_at="2026-01-01")
        graph.alias(office, "Branch")
        work = graph.aspect(job, "work")
        graph.value(work, "Sends one file each night")
        graph.value(work, "The bank queues it until Monday")
        graph.value(work, "A wire to Bergen", status="superseded")
        facts = graph.aspect(ledger, "facts")
        graph.value(facts, "Each settlement becomes a golden file")
        graph.value(facts, "Speaks with the bank, and the night run is its own")
        graph.value(graph.aspect(office, "facts"), "Has a bank counter")
        hidden = graph.aspect(office, "gone", status="archived")
        graph.value(hidden, "settlement")
        graph.memory("about the ledger", ledger, tags="release, audit")
        graph.memory("about the office", office, tags="[\"released\"]")
        graph.memory("deleted", office, tags="release", is_deleted=1)
        other = graph.entity("Secretary", agent_id="atlas")
        graph.value(graph.aspect(other, "x", agent_id="atlas"), "zymurgy settlement bank",
                    agent_id="atlas")

    workspace = build(tmp_path_factory.mktemp("search") / "g.db", fill)
    with workspace.read() as found:
        if request.param == "without full text":
            found._shape |= dict.fromkeys(("entities_fts", "attributes_fts"), frozenset())
        yield found
    workspace.close()


def names(reader, text, **filters):
    rows = list_entities(reader, text=text, **filters)
    ids = matching_ids(reader, text=text)
    assert count_entities(reader, text=text, **filters) == len(rows)
    first = first_by_name(reader, text=text, **filters)
    assert rows[:len(first)] == first, "what is shown first stays where it is"
    if not filters:
        assert sorted(ids) == sorted(row.id for row in rows), "list and sky show the same"
    return [row.name for row in rows]


@pytest.mark.parametrize(("text", "expected"), [
    ("settlement bank", ["settlement job", "Harbor Ledger"]),
    ("bank settlement", ["settlement job", "Harbor Ledger"]),
    ("sett ban", ["settlement job", "Harbor Ledger"]),
    ("job bank night file", ["settlement job"]),
    ("branch counter", ["Office"]),
    ("office settlement", []),
    ("settlement bergen", []),
    ("settlement zymurgy", []),
    ('"night run"', ["Harbor Ledger"]),
    ('"run night"', []),
    ('"night run" settlement', ["Harbor Ledger"]),
    ('"settlement job"', ["settlement job"]),
    ("[release]", ["Harbor Ledger"]),
    ("[released]", ["Office"]),
    ("[audit] bank", ["Harbor Ledger"]),
    ("[rele]", []),
    ("type:project,place", ["Harbor Ledger", "Office"]),
    ("type:PROJECT bank", ["Harbor Ledger"]),
    ("pinned:yes", ["Harbor Ledger"]),
    ("pinned:no bank", ["settlement job", "Office"]),
    ("since:2026-04", ["settlement job"]),
    ("since:2026-04 type:place", []),
])
def test_words_are_matched_across_all_facts_of_an_entity(reader, text, expected):
    assert names(reader, text) == expected


def test_the_fact_that_holds_most_of_the_words_is_shown(reader):
    [row] = list_entities(reader, text="harbor bank night")
    assert row.fact.startswith("Speaks with the bank")
    [row] = list_entities(reader, text="job queues")
    assert row.fact == "The bank queues it until Monday"


def test_pages_go_on_where_the_last_one_ended(reader):
    every = names(reader, "bank settlement")
    pages = [list_entities(reader, text="bank settlement", limit=1, offset=n) for n in range(3)]
    assert [row.name for page in pages for row in page] == every


@pytest.mark.parametrize(("text", "instead", "expected"), [
    ("setlement", "settlement", ["settlement job", "Harbor Ledger"]),
    ("setlement bank", "settlement", ["settlement job", "Harbor Ledger"]),
    ("settelment", "settlement", ["settlement job", "Harbor Ledger"]),
    ("settlememt job", "settlement", ["settlement job"]),
    ("setlem", "settlement", ["settlement job", "Harbor Ledger"]),
    ("habror", "harbor", ["Harbor Ledger"]),
    ("cuonter", "counter", ["Office"]),
])
def test_a_typo_is_looked_for_as_the_word_that_is_meant(reader, text, instead, expected):
    assert names(reader, text) == expected
    assert [near for words in understood(reader, text).instead.values() for near in words] == [
        instead]


@pytest.mark.parametrize("text", [
    "bnk", "zymurgi", "berger", "xyzzyplugh", '"setlement job"', "12345"])
def test_no_word_stands_for_what_is_too_unlike_or_not_the_agents(reader, text):
    assert names(reader, text) == []
    assert understood(reader, text).instead == {}


def test_a_known_word_is_never_replaced(reader):
    assert understood(reader, "settlement job night").instead == {}


def test_a_type_that_there_is_not_is_refused_with_what_is_like_it(reader):
    with pytest.raises(OperationError) as refused:
        list_entities(reader, text="type:projct")
    assert str(refused.value) == "There is no type “projct”. Did you mean “project”?"
    with pytest.raises(OperationError) as refused:
        count_entities(reader, text="type:zzz")
    assert "There are place, project, workflow" in str(refused.value)


def test_several_words_are_looked_for_once_for_page_count_and_sky(reader):
    asked = Asked(reader)
    search = understood(reader, "bank golden")
    list_entities(reader, text=search)
    first = len(asked.statements)
    count_entities(reader, text=search)
    matching_ids(reader, text=search)
    reader.rows = asked._rows
    facts = [sql for sql in map(str, asked.statements[first:]) if "FROM attributes_fts" in sql]
    assert facts == []


def test_as_one_types_only_the_new_word_is_looked_for_in_all_facts(reader, monkeypatch):
    monkeypatch.setattr(entity_search, "FEW", -1)
    list_entities(reader, text="bank gold")
    asked = Asked(reader)
    list_entities(reader, text="bank counter")
    reader.rows, reader.rows_by_column = asked._rows, asked._by_column
    words = [str(bound) for sql, bound in asked.statements
             if "one_" in sql and bound.get("facts") == entity_search.FACTS_TOGETHER]
    assert len(words) == 1
    assert "counter" in words[0]
    assert "bank" not in words[0]


def test_names_are_found_without_looking_at_facts(reader):
    asked = Asked(reader)
    found = first_by_name(reader, text="job settlement", types=["workflow"])
    reader.rows, reader.rows_by_column = asked._rows, asked._by_column
    assert [row.name for row in found] == ["settlement job"]
    assert not [sql for sql, _ in asked.statements if "AS fact" in sql and "EXISTS" not in sql]
    assert first_by_name(reader, text="pinned:yes") == []
