"""Programs and agents read the graph as it stood at a date, as the command line does."""

from typing import Any

import pytest

from core.model.changes import IMPORT
from core.session.question_log import last_asked
from core.settings import Settings
from core.store.reader_and_writer import Writer
from core.workspace import Workspace
from explorer.caller_arguments import Dated
from explorer.graph_for_caller import Door, Engine
from tests.core.graphs import Graph
from tests.explorer.http.callers import Caller
from tests.explorer.http.test_contract import CASES, ENDPOINTS, ask

tools = pytest.importorskip("explorer.mcp.server").TOOLS
DATED = [name for name, each in ENDPOINTS.items() if issubclass(each.takes, Dated)]
BEFORE, AFTER = "2026-02-03", "2026-04-03"


def fill(writer: Writer) -> None:
    early = Graph(writer, "2026-01-05T10:00:00.000Z")
    ferry = early.entity("Night Ferry", id="ferry")
    early.memory("The Night Ferry is painted blue", ferry)
    times = early.aspect(ferry, "times")
    old = early.value(times, "leaves at nine", "start", status="superseded",
                      updated_at="2026-03-05T10:00:00.000Z")
    late = Graph(writer, "2026-03-05T10:00:00.000Z")
    late.value(times, "leaves at ten", "start", version=2,
               previous_attribute_id=old, version_root_id=old)
    harbor = late.entity("Harbor Office", id="harbor")
    late.memory("The Night Ferry is painted red", ferry)
    late.link(ferry, harbor)


@pytest.fixture(scope="module")
def door(tmp_path_factory: pytest.TempPathFactory) -> Any:
    graph = Workspace.open(tmp_path_factory.mktemp("past") / "graph.db", create=True)
    graph.write(f"{IMPORT}notes", fill)  # What is imported was there when its rows say.
    yield Door(graph, Engine(Settings()), "claude via MCP", "MCP")
    graph.close()


def answered(door: Door, name: str, given: dict[str, Any]) -> Any:
    """What an endpoint answers, without a server."""
    asked = ENDPOINTS[name].takes.model_validate(given)
    with door.at(asked) as then:
        return then.dated(ENDPOINTS[name].run(then, asked))


@pytest.mark.parametrize(("date", "entities", "value", "color"), [
    (BEFORE, {"Night Ferry"}, "leaves at nine", {"blue"}),
    (AFTER, {"Night Ferry", "Harbor Office"}, "leaves at ten", {"blue", "red"}),
])
def test_a_date_answers_as_it_was_known_then(
    door: Door, date: str, entities: set[str], value: str, color: set[str]
) -> None:
    asked = {"asOf": date}
    listed = answered(door, "GET /api/knowledge/entities", asked)
    assert {item["entity"]["name"] for item in listed["items"]} == entities
    assert listed["asOf"]["moment"].startswith(date)
    whole = answered(door, "POST /api/knowledge/expand", {"entity": "Night Ferry", **asked})
    assert value in str(whole["aspects"])
    found = answered(door, "POST /api/memory/recall", {"query": "Night Ferry painted", **asked})
    assert {word for word in ("blue", "red") if f"painted {word}" in str(found["hits"])} == color
    walked = answered(door, "POST /api/knowledge/traverse", {"query": "Night Ferry", **asked})
    assert {word for word in ("blue", "red") if word in str(walked["memories"])} == color
    told = tools["traverse"].call(door, {"query": "Night Ferry", **asked})
    assert walked.keys() == told.structured.keys()
    assert walked["memoryIds"] == told.structured["memoryIds"]
    assert "Focus: Night Ferry" in told.text
    page = tools["browse_entity"].call(door, {"entity": "ferry", **asked})
    assert value in page.text
    assert page.text.startswith("This is the graph as of ")
    assert page.structured["asOf"]["moment"].startswith(date)
    hits = tools["recall"].call(door, {"query": "Night Ferry painted", **asked}).structured["hits"]
    assert {word for word in ("blue", "red") if f"painted {word}" in str(hits)} == color


@pytest.mark.parametrize("date", ["now", "today", BEFORE, "2026-03-05T10:00:00Z", "yesterday"])
def test_a_date_compared_with_itself_is_no_change(door: Door, date: str) -> None:
    asked = {"from": date, "to": date}
    answer = answered(door, "GET /api/knowledge/diff", asked)
    assert (answer["items"], answer["from"]) == ([], answer["to"])
    assert "Nothing is different" in tools["graph_diff"].call(door, asked).text


def test_nothing_asked_of_the_past_is_recorded_as_asked_now(door: Door) -> None:
    before = last_asked(door.workspace.sidecar, "default", 50)
    tools["recall"].call(door, {"query": "Night Ferry painted", "asOf": BEFORE})
    tools["browse_entity"].call(door, {"entity": "ferry", "asOf": BEFORE})
    assert last_asked(door.workspace.sidecar, "default", 50) == before


@pytest.mark.parametrize("name", DATED)
def test_every_reader_of_knowledge_takes_a_date_and_says_which(
    reading: Caller, name: str
) -> None:
    assert ENDPOINTS[name].needs == "recall"
    now = ask(reading, name, {**CASES[name].ask, "asOf": "now"}).json()
    assert now["asOf"].keys() == {"moment", "unknown"}
    assert CASES[name].keys <= set(now)
    never = ask(reading, name, {**CASES[name].ask, "asOf": "1970-02-03"})
    assert never.status_code == 404
    assert never.json()["field"] == "asOf"
    assert ask(reading, name, {**CASES[name].ask, "asOf": "soonish"}).status_code == 400


def test_what_the_command_line_reads_of_the_past_both_doors_do() -> None:
    assert {"GET /api/knowledge/entities", "GET /api/knowledge/navigation/tree",
            "GET /api/ontology/claims/versions", "POST /api/knowledge/expand",
            "POST /api/knowledge/traverse",
            "POST /api/memory/recall", "GET /api/memory/search"} <= set(DATED)
    assert {name for name, tool in tools.items() if issubclass(tool.takes, Dated)} >= {
        "recall", "find_entities", "browse_entity", "browse_tree", "browse_claim_history",
        "traverse"}
