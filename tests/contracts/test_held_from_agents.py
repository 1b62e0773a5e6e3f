"""No door tells an agent what is held back until a person has seen it: over every tool, resource
and prompt and every endpoint, each asked about everything that is held, in every field."""

from collections.abc import Iterator
from itertools import product
from pathlib import Path
from typing import Any

import pytest

from core.embedding.choose_embedder import offline
from core.errors import ConstellationError, OperationError
from core.ontology import control
from core.queries.entities import find_entity
from core.review import inbox_acts
from core.settings import Settings
from core.store.reader_and_writer import Writer, stamp
from core.transfer import reference_server_tool_calls as tools
from core.transfer.reference_server_nodes import Edge, Node
from explorer.caller_arguments import Arguments, Dated, checked
from explorer.graph_for_caller import Door
from tests.contracts.files import make

server = pytest.importorskip("explorer.mcp.server")
app = pytest.importorskip("explorer.http.app")
maps = pytest.importorskip("explorer.http.memory_maps")
resources = pytest.importorskip("explorer.mcp.resources")
prompts = pytest.importorskip("explorer.mcp.prompts")

BOT, OTHER = "claude via MCP", "codex via HTTP"
SECRETS = ("Heldlamp", "heldtype", "Heldobservation", "Heldvalue", "Heldreason", "Heldmemory",
           "Heldrule", "Heldclaim", "heldlink", "Heldsaying", "Heldaspect")
QUESTION = "When does the Harbor Ledger run start, and what of the Tide API and the Quay?"
READS = {f"{each.method} {each.path}": each for each in app.ENDPOINTS
         if each.needs == "recall"}
TOOLS = {name: tool for name, tool in server.TOOLS.items() if tool.reads}
FIRST = "2026-01-01"
TABLES = ("entities", "entity_attributes", "entity_dependencies", "memories",
          "ontology_proposals", "entity_aspects", "epistemic_assertions")


def write(writer: Writer) -> None:
    """What the held hand wrote: an entity, links, values, a rule, memories, an assertion."""
    tools.create_entities(writer, [
        Node("Quay Heldlamp", "heldtype", ("Heldobservation of brass",))])
    tools.create_relations(writer, [Edge("Quay Heldlamp", "Tide API", "heldlink to")])
    tools.add_observations(writer, [Node("Harbor Ledger", "", ("Heldmemory of a run",))])
    control.apply(writer, "create_link", {
        "source": "Tide API", "type": "uses", "target": "Anna", "reason": "Heldreason"})
    for claim, value, kind in (("start_time", "Heldvalue at dawn", "attribute"),
                               ("Heldclaim", "Heldvalue at dusk", "attribute")):
        control.apply(writer, "set_claim_value", {
            "entity": "Harbor Ledger", "aspect": "Schedule", "group_key": "nightly",
            "claim_key": claim, "value": value, "kind": kind}, force=True)
    control.apply(writer, "add_claim_value", {
        "entity": "Harbor Ledger", "aspect": "Schedule", "group_key": "nightly",
        "claim_key": "ban", "value": "Never run with a Heldrule", "kind": "constraint"}, force=True)
    control.apply(writer, "set_claim_value", {
        "entity": "Harbor Ledger", "aspect": "Heldaspect", "claim_key": "mood",
        "value": "Heldvalue of calm"}, force=True)
    control.apply(writer, "create_assertion", {
        "entity": "Harbor Ledger", "predicate": "claims", "content": "Heldsaying of a run",
        "speaker": "Claude", "evidence": [{"quote": "Heldsaying"}]})


class World:
    """A file with what is held in it, and what an agent's doors answer of it."""

    def __init__(self, folder: Path) -> None:
        self.graph = make("native", folder / "graph.db", folder / "side")
        self.engine = maps.MapEngine(Settings())
        self.engine.embedder = offline()
        self.began = stamp()
        self.graph.write("look", inbox_acts.keep_all)
        self.graph.write("work", write, actor=BOT)
        with self.graph.read() as reader:
            self.lamp = find_entity(reader, "Quay Heldlamp").id
            self.ids = {table: [row["id"] for row in reader.rows(
                f"SELECT id FROM {table} WHERE agent_id = :agent AND created_at >= :since"
                " ORDER BY rowid", since=self.began[:10])] for table in TABLES}

    def door(self) -> Door:
        return Door(self.graph, self.engine, OTHER, "MCP")

    def hold(self) -> None:
        self.graph.write("hold", lambda writer: inbox_acts.hold(writer, BOT))

    def close(self) -> None:
        self.engine.maps.close()
        self.graph.close()

    def values(self, name: str) -> tuple[Any, ...]:
        """What a field of this name is given."""
        ids, entities = self.ids, (self.lamp, "Harbor Ledger")
        held = tuple(id for every in ids.values() for id in every[-2:])
        return {
            "entity": entities, "name": entities, "target": entities, "source": ("Tide API",),
            "entities": ((self.lamp,), ("Harbor Ledger", "Tide API")), "names": (entities,),
            "topic": entities, "id": (*held, "e-harbor", "v-seven"),
            "other": ("rival", held[2], "v-raw"),
            "ids": (tuple(ids["entities"]), ("e-harbor", "e-tide")), "aspect": ("Schedule",),
            "group": ("nightly",), "claim": ("start_time", "ban"), "version": (1, 2),
            "query": (QUESTION, "Quay", "brass", "dawn"), "q": (QUESTION, "Quay", "brass"),
            "since": (FIRST,), "status": ("all",), "operation": ("create_entity",),
        }.get(name, ())

    def questions(self, takes: type[Arguments]) -> Iterator[dict[str, Any]]:
        """Each combination of what the required fields take, and of each other field alone."""
        fields = takes.model_fields
        needed = [name for name, part in fields.items() if part.is_required()]
        unknown = [name for name in needed if not self.values(name)]
        assert not unknown, f"say in `values` what {unknown} of {takes.__name__} are given"
        every = [dict(zip(needed, chosen, strict=True))
                 for chosen in product(*(self.values(name) for name in needed))]
        yield from every
        for name in fields.keys() - set(needed):
            yield from ({**every[-1], name: value} for value in self.values(name))
        if issubclass(takes, Dated):
            yield {**every[-1], "as_of": "now"}


def secrets(told: str) -> set[str]:
    """What of the secrets is in an answer; no question holds one."""
    return {secret for secret in SECRETS if secret in told}


def of_tool(world: World, name: str) -> tuple[set[str], list[str]]:
    """The secrets that a tool tells, and what it said beside its answers."""
    found, notes = set[str](), list[str]()
    for given in world.questions(TOOLS[name].takes):
        try:
            answer = TOOLS[name].call(world.door(), given)
        except ConstellationError as error:
            found |= secrets(f"{error} {error.detail}")
            continue
        told = f"{answer.text} {app.JsonResponse(answer.structured).body.decode()}"
        found |= secrets(told)
        notes.append(f"{answer.text}\n{answer.note}")
    return found, notes


def of_endpoint(world: World, name: str) -> tuple[set[str], list[str]]:
    """The same of an endpoint."""
    endpoint, found, notes = READS[name], set[str](), list[str]()
    for given in world.questions(endpoint.takes):
        door = world.door()
        try:
            asked = checked(endpoint.takes, given)
            with door.at(asked) as then:
                answer = endpoint.run(then, asked)
        except ConstellationError as error:
            found |= secrets(f"{error} {error.detail}")
            continue
        body = answer.body if isinstance(answer, app.Reply) else answer
        found |= secrets(app.JsonResponse(body).body.decode())
        notes.append(door.waiting_words)
    return found, notes


def of_resources(world: World) -> set[str]:
    """The secrets that resources and prompts tell."""
    listed = [item.uri for item in resources.listed(world.door())]
    told = " ".join(listed)
    for uri in (*listed, f"{resources.SCHEME}entity/Harbor%20Ledger",
                f"{resources.SCHEME}context/Tide%20API"):
        told += resources.read(world.door(), uri)[0]
    for prompt in prompts.PROMPTS:
        told += prompts.prompt_text(world.door(), prompt, {"topic": QUESTION})
    return secrets(told)


@pytest.fixture(scope="module")
def held(tmp_path_factory: pytest.TempPathFactory) -> Iterator[World]:
    world = World(tmp_path_factory.mktemp("held"))
    world.hold()
    yield world
    world.close()


@pytest.fixture(scope="module")
def free(tmp_path_factory: pytest.TempPathFactory) -> Iterator[World]:
    world = World(tmp_path_factory.mktemp("free"))
    yield world
    world.close()


TELL = (
    "read_graph", "search_nodes", "recall", "find_entities", "browse_entity", "neighborhood",
    "graph_diff", "unseen_by_person", "GET /api/ontology/proposals",
    "GET /api/knowledge/constellation", "GET /api/knowledge/entities",
    "GET /api/ontology/links/{id}/evidence")
"""Some that tell most of it while nobody is held."""
TELL_NOTHING_OF_THE_GRAPH = {"doctor", "list_operations", "my_proposals", "check_expectations"}


@pytest.mark.parametrize("name", TOOLS)
def test_no_tool_tells_what_waits_and_each_says_that_something_does(
    held: World, name: str
) -> None:
    told, notes = of_tool(held, name)
    assert told == set()
    assert name in TELL_NOTHING_OF_THE_GRAPH or any("until a person" in note for note in notes)


def test_who_asks_for_what_waits_is_told_that_something_does(held: World) -> None:
    with pytest.raises(OperationError, match="not found") as refused:
        TOOLS["browse_entity"].call(held.door(), {"entity": held.lamp})
    assert refused.value.do.endswith("until a person has seen them")


@pytest.mark.parametrize("name", READS)
def test_no_endpoint_tells_what_waits(held: World, name: str) -> None:
    told, _ = of_endpoint(held, name)
    assert told == set()


def test_no_resource_and_no_prompt_tells_what_waits(held: World) -> None:
    assert of_resources(held) == set()


def aimed(world: World) -> list[tuple[str, dict[str, Any]]]:
    """Changes of what is held, by its ids, and one of what a held value stands before."""
    link, memory, value = (world.ids[table][-1] for table in (
        "entity_dependencies", "memories", "entity_attributes"))
    return [("update_link", {"id": link, "strength": 0.9}), ("archive_link", {"id": link}),
            ("archive_claim_value", {"attribute_id": value}),
            ("forget_memory", {"memory_id": memory}), ("pin_entity", {"entity": world.lamp}),
            ("rename_entity", {"entity_id": world.lamp, "new_name": "Bell"}),
            ("merge_entities", {"source_entities": [world.lamp], "target": "Tide API"}),
            ("set_claim_value", {
                "entity": "Harbor Ledger", "aspect": "Schedule", "group_key": "nightly",
                "claim_key": "start_time", "value": "noon"})]


@pytest.mark.parametrize("held_back", [True, False])
def test_what_is_tried_or_proposed_tells_nothing_of_what_waits(
    tmp_path: Path, held_back: bool
) -> None:
    world, found = World(tmp_path), set[str]()
    if held_back:
        world.hold()
    apply = {each.path: each for each in app.ENDPOINTS}["/api/ontology/operations/apply"]
    for operation, payload in aimed(world):
        asked = {"operation": operation, "payload": payload}
        for how in ({"dry_run": True}, {"propose": True}):
            answer = apply.run(world.door(), checked(apply.takes, {**asked, **how}))
            found |= secrets(app.JsonResponse(answer).body.decode())
        told = server.TOOLS["propose"].call(world.door(), asked)
        found |= secrets(f"{told.text} {told.structured}")
    assert bool(found) != held_back, found
    if held_back:
        assert "from “seven” to “noon”" in told.text
    world.close()


def test_what_is_not_held_is_told(free: World) -> None:
    """So that the rounds above can fail."""
    told = {name: (of_tool if name in TOOLS else of_endpoint)(free, name)[0] for name in TELL}
    assert [name for name, found in told.items() if not found] == []
    assert set().union(*told.values()) == set(SECRETS)
    assert of_resources(free)
