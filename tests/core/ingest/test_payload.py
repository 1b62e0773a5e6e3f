"""What is to be remembered is read whole or refused whole, with every fault by its path."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.errors import OperationError
from core.ingest.payload import Named, Remembered, Triple, read_many
from core.ingest.payload_errors import Fault, Invalid, parse


def faults(payload: object) -> dict[str, str]:
    with pytest.raises(Invalid) as refused:
        Remembered.read(payload)
    return {fault.path: fault.what for fault in refused.value.faults}


def test_every_fault_is_listed_by_its_path() -> None:
    assert faults({
        "content": 7, "importance": 2, "type": "gossip", "pinned": "yes", "created_at": "soon",
        "entities": [{"source": "A"}, 7, {"name": ""}],
        "aspects": [
            {"entityName": "A", "aspect": "b", "attributes": [
                {"content": " ", "confidence": -1}, {"content": "c", "kind": "rule"}]},
            {"aspect": "b", "attributes": []},
        ],
        "hints": "x",
    }) == {
        "$.content": "must be text",
        "$.importance": "must be 0 to 1",
        "$.type": "must be one of fact, preference, decision, rationale, daily-log, episodic, "
                  "procedural, semantic, system",
        "$.pinned": "must be true or false",
        "$.created_at": "is not a time (ISO 8601, such as 2026-03-14T21:40:46Z)",
        "$.entities[0].relationship": "is required",
        "$.entities[0].target": "is required",
        "$.entities[1]": "must be an object",
        "$.entities[2].name": "is required",
        "$.aspects[0].attributes[0].content": "is empty",
        "$.aspects[0].attributes[0].confidence": "must be 0 to 1",
        "$.aspects[0].attributes[1].kind": "must be attribute or constraint",
        "$.aspects[1].entityName": "is required",
        "$.aspects[1].attributes": "is empty",
        "$.hints": "must be a list",
    }


def test_a_path_uses_the_names_of_the_payload() -> None:
    block = {"entity_name": 5, "aspect": "b", "attributes": [{"content": "c", "claim_key": 3}]}
    assert list(faults({"content": "x", "structured": {"aspects": [block]}})) == [
        "$.structured.aspects[0].entity_name",
        "$.structured.aspects[0].attributes[0].claim_key"]


def test_the_error_says_the_first_fault_and_keeps_all() -> None:
    with pytest.raises(OperationError) as refused:
        Remembered.read({"importance": 9})
    assert refused.value.status == 400
    assert "$.content is required (and 1 more); nothing was written" in str(refused.value)
    assert "$.importance must be 0 to 1" in refused.value.detail


def test_several_payloads_are_refused_together() -> None:
    with pytest.raises(Invalid) as refused:
        read_many([{"content": "fine"}, {}, [], {"content": "x", "who": 1}])
    assert [fault.path for fault in refused.value.faults] == ["$[1].content", "$[2]", "$[3].who"]


def test_camel_case_snake_case_and_structured_are_the_same() -> None:
    block = {"entityName": "A", "aspect": "b", "attributes": [
        {"content": "c", "groupKey": "Night Run", "claimKey": "Start Time"}]}
    snake = {"entity_name": "A", "aspect": "b", "attributes": [
        {"content": "c", "group_key": "Night Run", "claim_key": "Start Time"}]}
    read = [Remembered.read(payload) for payload in (
        {"content": "x", "createdAt": "2026-03-14 21:40:46", "aspects": [block]},
        {"content": "x", "created_at": "2026-03-14T21:40:46Z", "aspects": [snake]},
        {"content": "x", "createdAt": "2026-03-14T21:40:46.000Z", "structured": {
            "aspects": [block]}})]
    assert read[0] == read[1] == read[2]
    assert read[0].created_at == "2026-03-14T21:40:46.000Z"
    assert read[0].aspects[0].attributes[0].claim_key == "start_time"
    assert read[0].aspects[0].attributes[0].group_key == "night_run"


def test_entities_are_triples_or_names() -> None:
    remembered = Remembered.read({"content": "x", "entities": [
        {"source": "A", "relationship": "uses", "target": "B"}, "Carol",
        {"name": "D", "type": "tool"}]}).entities
    assert [type(item) for item in remembered] == [Triple, Named, Named]
    assert remembered[2] == Named(name="D", entity_type="tool")


def test_half_a_character_and_a_huge_text_are_faults_not_crashes() -> None:
    assert faults({"content": "a\ud800"}) == {"$.content": "contains an incomplete character"}
    with pytest.raises(Invalid, match="longer than 10 characters"):
        Remembered.read({"content": "x" * 11}, longest=10)


JSON = st.recursive(
    st.none() | st.booleans() | st.floats() | st.integers() | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(
        st.sampled_from(("content", "entities", "aspects", "structured", "attributes", "source",
                         "target", "name", "entityName", "aspect", "tags", "type")),
        inner, max_size=4), max_leaves=12)


@given(JSON)
def test_no_json_crashes_it(payload: object) -> None:
    found: Remembered | None = None
    listed: tuple[Fault, ...] = ()
    try:
        found = Remembered.read(payload)
    except Invalid as refused:
        listed = refused.faults
    assert bool(listed) != bool(found and found.content)
    assert all(fault.path.startswith("$") and fault.what for fault in listed)


# -- nothing is lost without a word ------------------------------------------------------------


@pytest.mark.parametrize(("told", "faults"), [
    ('{"content": "one", "content": "two"}',
     [("$.content", "is set twice, and only one can count")]),
    ('{"content": "a", "aspects": [{"aspect": "x", "entity": "Vega", "attributes":'
     ' [{"content": "b", "claim": "c", "claim": "d"}]}]}',
     [("$.aspects[0].attributes[0].claim", "is set twice, and only one can count")]),
    ('{"content": "a", "entities": [{"source": "Vega", "sourceType": "tool",'
     ' "source_type": "person", "relationship": "uses", "target": "Kotlin"}]}',
     [("$.entities[0].sourceType", "is set twice, also as source_type")]),
    ('{"content": "a", "hints": ["b"], "structured": {"hints": ["c"]}}',
     [("$.hints", "is set twice, here and in structured")]),
    ('{"content": "a", "structured": [1]}', [("$.structured", "must be an object")]),
    ('{"content": 5, "who": "x", "who": "y"}',
     [("$.who", "is set twice, and only one can count"), ("$.content", "must be text")]),
])
def test_what_is_said_twice_is_a_fault(told: str, faults: list[tuple[str, str]]) -> None:
    with pytest.raises(Invalid) as refused:
        Remembered.read(parse(told))
    assert [(fault.path, fault.what) for fault in refused.value.faults] == faults


def test_the_same_said_twice_and_an_empty_structured_are_no_fault() -> None:
    read = Remembered.read({
        "content": "a", "createdAt": "2026-03-01", "created_at": "2026-03-01",
        "entities": ["Vega"], "structured": {"entities": [], "aspects": None}})
    assert [one.name for one in read.entities if isinstance(one, Named)] == ["Vega"]


def test_every_text_has_the_longest_that_is_set() -> None:
    with pytest.raises(Invalid) as refused:
        Remembered.read({"content": "short", "why": "w" * 11, "aspects": [
            {"entity": "Vega", "aspect": "x", "attributes": [{"content": "v" * 11}]}]}, longest=10)
    assert [(fault.path, fault.what) for fault in refused.value.faults] == [
        ("$.why", "is longer than 10 characters"),
        ("$.aspects[0].attributes[0].content", "is longer than 10 characters")]


def test_a_name_holds_no_nul() -> None:
    with pytest.raises(Invalid) as refused:
        Remembered.read({"content": "a\0b", "entities": ["Ve\0ga"]})
    assert [fault.path for fault in refused.value.faults] == ["$.entities[0].name"]
