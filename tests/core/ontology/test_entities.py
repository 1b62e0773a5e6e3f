"""Entities, aspects, pins and links: selectors, names, refusals (seed 001, control plane)."""

from collections.abc import Callable
from typing import Any

import pytest

from core.errors import OperationError
from core.ontology import control
from core.ontology.request_descriptions import describe
from core.recall.hybrid import recall
from core.store.reader_and_writer import Writer
from core.workspace import Workspace
from tests.core.graphs import Graph, empty_graph  # noqa: F401 - the fixture `graph`

Do = Callable[..., dict[str, Any]]


@pytest.fixture
def do(graph: Workspace) -> Do:
    def run(operation: str, **payload: object) -> dict[str, Any]:
        outcome = graph.write(operation, lambda w: control.apply(w, operation, payload)).result
        return dict(outcome.result)

    return run


def refused(do: Do, status: int, operation: str, **payload: object) -> str:
    with pytest.raises(OperationError) as error:
        do(operation, **payload)
    assert error.value.status == status
    return str(error.value)


def test_a_name_is_found_in_any_case_and_spacing_and_keeps_its_type(do: Do) -> None:
    made = do("create_entity", name="  Harbor   Ledger ", entity_type="Project")
    again = do("create_entity", name="harbor ledger", entity_type="tool")
    assert again["entityId"] == made["entityId"]
    assert again["entity"] == "Harbor   Ledger"


def test_a_selector_that_means_two_entities_is_ambiguous(graph: Workspace, do: Do) -> None:
    first = do("create_entity", name="First")["entityId"]
    second = do("create_entity", name="Second")["entityId"]
    refused(do, 409, "rename_entity", entity="Second", new_name=first)
    # In a file that has it all the same, a name that is another's id hits both.
    graph.write("Name", lambda w: w.update("entities", second, name=first, canonical_name=first))
    assert "ambiguous" in refused(do, 409, "pin_entity", entity=first)


def test_nothing_is_found_by_a_missing_name(do: Do) -> None:
    assert "Entity not found: nobody" in refused(do, 404, "pin_entity", entity="nobody")
    refused(do, 404, "create_aspect", entity="nobody", name="x")


def test_renaming_refuses_the_names_of_active_and_of_archived_entities(do: Do) -> None:
    for name in ("One", "Two", "Three"):
        do("create_entity", name=name)
    do("archive_entity", entity="Three")
    assert "merge_entities" in refused(do, 409, "rename_entity", entity="One", new_name="TWO")
    assert "archived" in refused(do, 409, "rename_entity", entity="One", new_name="three")
    assert do("rename_entity", entity="One", new_name="ONE")["newName"] == "ONE"


def test_an_archived_entity_does_not_come_back_by_being_mentioned(do: Do) -> None:
    do("create_entity", name="Spike")
    do("archive_entity", entity="Spike")
    assert "Restore it first" in refused(do, 409, "create_entity", name="spike")
    refused(do, 409, "create_link", source="spike", target="x", link_type="uses")
    do("restore_entity", entity="spike")
    do("create_entity", name="spike")


def test_a_pinned_entity_is_archived_only_by_force(graph: Workspace, do: Do) -> None:
    do("create_entity", name="Anna")
    pinned = do("pin_entity", entity_id="anna")
    assert pinned["pinned"] is True
    assert pinned["pinnedAt"]
    refused(do, 409, "archive_entity", entity="Anna")
    graph.write("Archive", lambda w: control.apply(
        w, "archive_entity", {"entity": "Anna"}, reason="left", force=True), actor="nora")
    with graph.read() as reader:
        row = reader.row("SELECT * FROM entities WHERE agent_id = :agent")
    assert row is not None
    assert (row["status"], row["archived_by"], row["archive_reason"]) == (
        "archived", "nora", "left")


def test_mute_and_unmute(graph: Workspace, do: Do) -> None:
    do("create_entity", name="Anna")
    assert do("mute_entity", entity="Anna")["muted"] is True
    with graph.read() as reader:
        assert reader.value("SELECT muted FROM entities WHERE agent_id = :agent") == 1
    gone = do("unmute_entity", entity="Anna")
    assert (gone["muted"], gone["mutedAt"]) == (False, None)


def test_an_aspect_cannot_take_the_name_of_an_archived_one(do: Do) -> None:
    do("create_entity", name="Anna")
    for name in ("Work", "Home"):
        do("create_aspect", entity="Anna", aspect=name)
    do("archive_aspect", entity="Anna", aspect="Home")
    assert "archived" in refused(
        do, 409, "rename_aspect", entity="Anna", aspect="work", new_name="home")
    refused(do, 404, "rename_aspect", entity="Anna", aspect="home", new_name="x")


def test_weighing_an_aspect_sets_its_weight_and_can_be_undone(graph: Workspace, do: Do) -> None:
    do("create_entity", name="Anna")
    do("create_aspect", entity="Anna", aspect="Work")
    before = _weight(graph)
    assert do("weigh_aspect", entity="anna", aspect="work", weight=0.9)["weight"] == 0.9
    assert _weight(graph) == 0.9
    graph.undo()
    assert _weight(graph) == before
    refused(do, 400, "weigh_aspect", entity="Anna", aspect="Work", weight=1.5)
    refused(do, 400, "weigh_aspect", entity="Anna", aspect="Work", weight=float("nan"))
    refused(do, 404, "weigh_aspect", entity="Anna", aspect="Leisure", weight=0.5)


def _weight(graph: Workspace) -> object:
    with graph.read() as reader:
        return reader.value("SELECT weight FROM entity_aspects WHERE agent_id = :agent")


def test_an_archived_aspect_is_taken_back_by_creating_it(do: Do) -> None:
    do("create_entity", name="Anna")
    made = do("create_aspect", entity="Anna", name="Home")
    do("archive_aspect", entity="Anna", aspect="Home")
    assert do("create_aspect", entity="Anna", name="home")["aspectId"] == made["aspectId"]


def test_a_link_makes_its_ends_and_comes_back_from_the_archive(graph: Workspace, do: Do) -> None:
    one = do("create_link", source_entity="a note", target_entity="a claim",
             link_type="supports_claim", source_type="source", target_type="claim_value")
    assert one["updated"] is False
    do("archive_link", link_id=one["dependencyId"])
    two = do("create_link", source="A NOTE", target="a claim", link_type="Supports Claim",
             reason="read  again", strength=0.9)
    assert two == {**one, "updated": True, "reactivated": True}
    with graph.read() as reader:
        row = reader.row("SELECT * FROM entity_dependencies WHERE agent_id = :agent")
        types = {r["entity_type"] for r in reader.rows(
            "SELECT entity_type FROM entities WHERE agent_id = :agent")}
    assert row is not None
    assert (row["reason"], row["strength"], row["status"]) == ("read again", 0.9, "active")
    assert row["archived_at"] is None
    assert types == {"source", "claim_value"}


def test_link_types_and_reasons_are_checked_in_words(do: Do) -> None:
    ends = {"source_entity": "a", "target_entity": "b"}
    assert "supported dependency type" in refused(
        do, 400, "create_link", **ends, link_type="befriends")
    assert "reason" in refused(do, 400, "create_link", **ends, link_type="related_to")
    link = do("create_link", **ends, link_type="uses")
    assert "reason" in refused(do, 400, "update_link", id=link["dependencyId"],
                               link_type="related_to")
    long = do("create_link", **ends, link_type="related_to", reason="x" * 999)
    do("update_link", id=long["dependencyId"], strength=0.1)


def test_a_link_cannot_become_one_that_exists(do: Do) -> None:
    ends = {"source_entity": "a", "target_entity": "b"}
    do("create_link", **ends, link_type="uses")
    other = do("create_link", **ends, link_type="requires")
    assert "already have" in refused(do, 409, "update_link", id=other["dependencyId"],
                                     link_type="uses")


def test_ids_of_links_and_ends_must_exist(do: Do) -> None:
    do("create_entity", name="a")
    for operation in ("update_link", "archive_link", "restore_link"):
        refused(do, 404, operation, id="phantom")
    refused(do, 404, "create_link", source_entity="a", target_entity_id="phantom",
            link_type="uses")
    refused(do, 409, "restore_link", id=do(
        "create_link", source="a", target="b", link_type="uses")["dependencyId"])


def test_what_is_not_given_stays_when_a_link_is_updated(graph: Workspace, do: Do) -> None:
    link = do("create_link", source="a", target="b", link_type="uses", strength=0.3,
              confidence=0.4, reason="why")
    do("update_link", dependency_id=link["dependencyId"], confidence=0.8)
    with graph.read() as reader:
        row = reader.row("SELECT * FROM entity_dependencies WHERE agent_id = :agent")
    assert row is not None
    assert (row["strength"], row["confidence"], row["reason"], row["dependency_type"]) == (
        0.3, 0.8, "why", "uses")


def test_merging_moves_everything_and_removes_the_source(graph: Workspace, do: Do) -> None:
    slot = {"aspect": "Limits", "claim": "rate"}
    do("set_claim_value", entity="Tide", **slot, value="100")
    do("set_claim_value", entity="Tides", **slot, value="60")
    do("set_claim_value", entity="Tides", aspect="Owner", claim="who", value="Anna")
    do("create_link", source="Tides", target="Tide", link_type="uses")
    do("create_link", source="Tides", target="Sea", link_type="uses")
    do("create_link", source="Tide", target="Sea", link_type="uses")
    done = do("merge_entities", target="Tide", sources=["Tides", "Tide"])
    assert [m["name"] for m in done["mergedEntities"]] == ["Tides"]
    assert done["mergedEntities"][0]["movedAspects"] == 2
    with graph.read() as reader:
        facts = {r["content"] for r in reader.rows(
            "SELECT v.content FROM entity_attributes v JOIN entity_aspects a ON a.id = v.aspect_id"
            " WHERE a.entity_id = :id AND v.agent_id = :agent", id=done["targetEntityId"])}
        links = reader.value("SELECT COUNT(*) FROM entity_dependencies WHERE agent_id = :agent")
    assert facts == {"100", "60", "Anna"}
    assert links == 1
    assert do("pin_entity", entity="Tides")["entityId"] == done["targetEntityId"]


def test_a_merge_of_pinned_or_different_things_needs_force(do: Do) -> None:
    do("create_entity", name="Tide", entity_type="tool")
    do("create_entity", name="Tides", entity_type="system")
    assert "Tides has the type system, Tide the type tool" in refused(
        do, 409, "merge_entities", target="Tide", source="Tides")
    do("merge_entities", target="Tide", source="Tides", force=True)


def test_a_merge_by_id_checks_the_name_and_knows_what_it_did(do: Do) -> None:
    tide = do("create_entity", name="Tide")["entityId"]
    tides = do("create_entity", name="Tides")["entityId"]
    ids = {"target_entity_id": tide, "source_entity_ids": [tides]}
    refused(do, 409, "merge_entities", **ids, target_entity="Something else")
    refused(do, 409, "merge_entities", **ids, source_entities=["Something else"])
    refused(do, 400, "merge_entities", target="Tide", source="tide")
    do("merge_entities", **ids, target_entity="tide", source_entities=["TIDES"])
    again = do("merge_entities", **ids)
    assert (again["mergedEntities"], again["alreadyMergedEntities"]) == ([], [tides])


def test_another_agents_name_is_neither_found_nor_taken(graph: Workspace, do: Do) -> None:
    do("create_entity", name="Secret")
    graph.with_agent("other")
    refused(do, 404, "pin_entity", entity="Secret")
    do("create_entity", name="Secret")
    with graph.read() as reader:
        assert reader.value("SELECT COUNT(*) FROM entities") == 2


def test_one_thing_that_goes_with_another_is_told_as_one(graph: Workspace) -> None:
    def fill(writer: Writer) -> tuple[str, str]:
        made = Graph(writer)
        of = made.aspect(made.entity("Harbor"), "Schedule")
        one, two = made.memory("Starts at six"), made.memory("Closes at nine, or at ten")
        for memory, said in ((one, "six"), (two, "nine"), (two, "ten")):
            made.value(of, said, said, memory_id=memory)
        return one, two

    ids = graph.write("Fill", fill).result
    with graph.read() as reader:
        said = [describe(reader, "forget_memory", {"memory_id": id}).sentence for id in ids]
    assert said == ["Forget “Starts at six”, and 1 value that rests on it.",
                    "Forget “Closes at nine, or at ten”, and 2 values that rest on it."]


def test_sentences_name_what_is_there_and_survive_what_is_not(graph: Workspace, do: Do) -> None:
    do("set_claim_value", entity="Harbor", aspect="Schedule", claim="start_time", value="six")
    with graph.read() as reader:
        said = describe(reader, "set_claim_value", {
            "entity": "harbor", "aspect": "schedule", "claim": "Start Time", "value": "<b>x</b>"})
        same = describe(reader, "set_claim_value", {
            "entity": "harbor", "aspect": "schedule", "claim": "start time", "value": "SIX"})
        gone = describe(reader, "archive_claim_value", {"attribute_id": "gone"})
        unknown = describe(reader, "teleport_entity", {"entity": "Harbor"})
        broken = describe(reader, "set_claim_value", {"entity": ["x"]})
    assert said.title == "Set Schedule · start time"
    assert said.sentence == "Change Schedule · start time of “Harbor” from “six” to “<b>x</b>”."
    assert said.target_id
    assert same.sentence == "In “Harbor”, Schedule · start time is “SIX” already; nothing changes."
    assert gone.target_id is None
    assert "Unsupported" in unknown.sentence
    assert "entity must be text" in broken.sentence


def test_archiving_counts_names_in_what_others_values_and_memories_say(graph: Workspace) -> None:
    def fill(writer: Writer) -> None:
        made = Graph(writer)
        project = made.entity("Project Kranich", id="kranich")
        made.alias(project, "the crane")
        leads, was = map(made.memory, ("Leads Project Kranich since January",
                                       "Leads project kranich no more"))
        facts = made.aspect(made.entity("Jonas Weber"), "observations")
        made.value(facts, "Leads Project Kranich since January", memory_id=leads)
        made.value(facts, "Leads project kranich no more", memory_id=was, status="superseded")
        made.memory("We met about the crane", project)
        made.memory("The crane stands well")
        made.memory("A project with a crane, and Kranich the bird")
        resting = made.memory("Project Kranich sails")
        made.value(made.aspect(project, "general"), "sails", memory_id=resting)

    graph.write("fill", fill)
    outcome = graph.write("archive", lambda writer: control.apply(
        writer, "archive_entity", {"entity": "Project Kranich"})).result
    told, = (outcome.result or {})["warnings"]
    assert told.startswith("3 memories that only mention it are still told")


def test_archiving_says_how_many_memories_only_mention_the_entity(
    graph: Workspace,
) -> None:
    def fill(writer: Writer) -> None:
        made = Graph(writer)
        mia = made.entity("Mia", id="mia")
        made.memory("Mia called about the tide", mia)
        made.memory("Mia was late", mia, is_deleted=1)
        resting = made.memory("Mia lives in Leipzig", mia)
        made.value(made.aspect(mia, "home"), "lives in Leipzig", memory_id=resting)

    graph.write("fill", fill)
    outcome = graph.write("archive", lambda writer: control.apply(
        writer, "archive_entity", {"entity": "Mia"})).result
    told, = (outcome.result or {})["warnings"]
    assert told.startswith("1 memory that only mentions it is still told until forgotten")
    assert told.window.endswith("choose “Forget” in the menu of each")
    with graph.read() as reader:
        said = {hit.memory.content for hit in recall(reader, "Mia").hits}
    assert said == {"Mia called about the tide"}, "as it says"
