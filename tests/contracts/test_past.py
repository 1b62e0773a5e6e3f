"""What no longer holds is told marked, or as past where the past is asked for, on each kind of
file; values and constraints are told as what they are."""

import sqlite3
import subprocess
import sys
from pathlib import Path

import pytest

from core.model.outdated_claim import OutdatedClaim
from core.model.recall import Recall
from core.model.session_start_and_end import SessionStart
from core.model.walk import Walk
from core.ontology import control
from core.recall.hybrid import recall
from core.session.start import start
from core.settings import Settings
from core.traversal.focal import resolve
from core.traversal.focal_signals import Signals
from core.traversal.walk import walk
from core.workspace import Workspace
from explorer.model_json import plain
from tests.contracts.files import KINDS, SQL, dump, make, without_records

SLOTTED = [kind for kind in KINDS if kind != "signet-030"]
SLOT = {"entity": "Harbor Ledger", "aspect": "Schedule", "group_key": "nightly",
        "claim_key": "start_time"}
CLIENT = "The client retries five times and logs to stderr"


def ask(graph: Workspace, question: str) -> tuple[Walk, Recall, SessionStart]:
    settings, given = Settings(), Signals(query=question)
    with graph.read() as reader:
        walked = walk(reader, resolve(reader, given, settings.traversal), settings.traversal)
        return walked, recall(reader, question), start(reader, given, settings)


def set_value(graph: Workspace, value: str) -> str:
    return str(graph.write("Set", lambda w: control.apply(
        w, "set_claim_value", {**SLOT, "value": value})).result.result["attributeId"])


def partly_outdated(graph: Workspace) -> None:
    """A memory that carries two values, of which one has been replaced."""
    def fill(writer) -> None:
        writer.insert("memories", id="m-client", content=CLIENT, created_at=SQL, updated_at=SQL,
                      importance=0.9)
        for id, content, status, by in (
                ("v-five", "five", "superseded", "v-sixth"), ("v-sixth", "six", "active", None),
                ("v-stderr", "logs to stderr", "active", None)):
            writer.insert(
                "entity_attributes", id=id, aspect_id="a-tide", content=content,
                normalized_content=content, kind="attribute", status=status, superseded_by=by,
                memory_id=None if content == "six" else "m-client", agent_id="default",
                importance=0.9, created_at="2026-03-01 08:00:00" if id == "v-five" else SQL,
                updated_at=SQL)
    graph.write("Fill", fill)


def test_a_memory_that_also_says_something_current_is_told_with_its_outdated_part_marked(
    graph: Workspace
) -> None:
    partly_outdated(graph)
    walked, recalled, started = ask(graph, "Tide API client logs")
    outdated = (OutdatedClaim("Tide API, Limits", "five", "six", since="2026-03-01 08:00:00",
                              until=SQL),)
    words = "(outdated: Limits was “five” from 2026-03-01 to 2026-03-15, now “six”)"
    for several in (walked.memories, started.memories):
        assert [each.outdated for each in several if each.id == "m-client"] == [outdated]
    hit = next(hit for hit in recalled.hits if hit.memory.id == "m-client")
    assert (hit.outdated, hit.past) == (outdated, False)
    assert hit.marked_text.endswith(f"{CLIENT} {words}")
    assert any(line.endswith(f"{CLIENT} {words}") for line in started.text.splitlines())
    assert plain(hit)["outdated"] == [{
        "claim": "Tide API, Limits", "was": "five", "now": "six", "then": "", "version": 1,
        "since": "2026-03-01 08:00:00", "until": SQL, "why": ""}]


def test_a_memory_of_which_all_holds_is_told_unmarked(graph: Workspace) -> None:
    partly_outdated(graph)
    walked, recalled, _ = ask(graph, "Tides API again")
    assert all(not each.outdated for each in walked.memories if each.id != "m-client")
    assert all(hit.marked_text == hit.memory.content for hit in recalled.hits
               if hit.memory.id == "m-2")


@pytest.mark.parametrize("kind", SLOTTED)
def test_a_question_about_the_past_is_told_the_old_value_with_its_span_and_what_replaced_it(
    tmp_path: Path, kind: str
) -> None:
    graph = make(kind, tmp_path / "graph.db", tmp_path / "side")
    set_value(graph, "eight")
    set_value(graph, "nine")
    _, recalled, started = ask(graph, "What was the start time of Harbor Ledger before?")
    past = {hit.outdated[0].was: hit.outdated[0] for hit in recalled.hits
            if hit.past and hit.outdated[0].claim.endswith("start time")}
    assert {"seven", "eight"} <= past.keys()
    assert (past["seven"].then, past["seven"].now) == ("eight", "nine")
    assert (past["eight"].then, past["eight"].now) == ("", "nine")
    assert past["seven"].since < past["seven"].until <= past["eight"].until
    line = "- Past: Harbor Ledger, Schedule, start time: seven (from 2026-03-14 to"
    assert any(each.startswith(line) for each in started.text.splitlines()), started.text
    versions = [hit.outdated[0].was for hit in recalled.hits
                if hit.past and hit.outdated[0].claim.endswith("start time")]
    assert versions.index("eight") < versions.index("seven"), "the one that held last first"
    now_recalled, now_started = ask(graph, "start time of Harbor Ledger")[1:]
    assert not any(hit.past for hit in now_recalled.hits)
    assert "seven" not in now_started.text
    graph.close()


@pytest.mark.parametrize("kind", SLOTTED)
def test_a_restored_value_is_told_as_current_and_the_one_between_as_past(
    tmp_path: Path, kind: str
) -> None:
    graph = make(kind, tmp_path / "graph.db", tmp_path / "side")
    between = set_value(graph, "eight")
    graph.write("Back", lambda w: control.apply(
        w, "restore_claim_version", {"attribute_id": "v-seven"}))
    _, recalled, _ = ask(graph, "What was the start time of Harbor Ledger before?")
    hits = {hit.memory.id: hit for hit in recalled.hits}
    assert not hits["v-seven"].past
    assert not hits["v-seven"].outdated
    claim = hits[between].outdated[0]
    assert (claim.was, claim.now, claim.then) == ("eight", "seven", "")
    assert claim.since <= claim.until
    graph.close()


def test_a_constraint_is_a_hit_marked_as_one_and_told_once_at_a_start(graph: Workspace) -> None:
    graph.write("Say it", lambda w: w.update("entity_attributes", "v-rule", importance=0.9))
    _, recalled, started = ask(graph, "Can Harbor Ledger deploy on Friday?")
    hit = next(hit for hit in recalled.hits if "Never deploy on Friday" in hit.memory.content)
    assert hit.constraint
    assert hit.marked_text.startswith("Constraint: ")
    assert started.text.count("Never deploy on Friday") == 1
    assert "- [Harbor Ledger] Never deploy on Friday" in started.text.splitlines()


def test_a_memory_that_says_nothing_but_a_constraint_is_not_told_beside_it(
    graph: Workspace
) -> None:
    def fill(writer) -> None:
        writer.insert("memories", id="m-rule", content="Never deploy Harbor Ledger on Friday",
                      created_at=SQL, updated_at=SQL, importance=0.9)
        writer.update("entity_attributes", "v-rule", memory_id="m-rule")
    graph.write("Fill", fill)
    _, recalled, started = ask(graph, "Can Harbor Ledger deploy on Friday?")
    assert [hit.constraint for hit in recalled.hits if hit.memory.id == "m-rule"] == [True]
    assert "Never deploy Harbor Ledger on Friday" not in started.text


@pytest.mark.parametrize("kind", ["signet-030", "signet-071"])
def test_a_value_that_no_memory_says_is_told_as_itself(tmp_path: Path, kind: str) -> None:
    graph = make(kind, tmp_path / "graph.db", tmp_path / "side")
    before = dump(graph)
    for question in ("hourly", "schedule of Harbor Ledger"):
        walked, recalled, started = ask(graph, question)
        hit = next(hit for hit in recalled.hits if hit.memory.content.endswith("hourly"))
        assert hit.memory.id == "v-raw"
        assert hit.channels["keyword"] > 0
        assert ": hourly" in started.text
    assert ": hourly" in "".join(each.content for each in walked.memories)
    assert not any("rival" in hit.memory.content for hit in ask(graph, "rival value")[1].hits)
    assert dump(graph) == before, "reading writes nothing"
    graph.close()


def test_a_value_in_another_script_is_found_by_its_words(tmp_path: Path) -> None:
    graph = make("signet-071", tmp_path / "graph.db", tmp_path / "side")
    graph.close()
    connection = sqlite3.connect(tmp_path / "graph.db")
    with connection:
        connection.execute("UPDATE entity_attributes SET content = '京都の本社' WHERE id = 'v-raw'")
    connection.close()
    graph = Workspace.open(tmp_path / "graph.db", data_dir=tmp_path / "side")
    assert [hit.memory.id for hit in ask(graph, "本社")[1].hits] == ["v-raw"]
    graph.close()


READS = """
import sys
from pathlib import Path
from core.recall.config import RecallSettings
from core.recall.hybrid import recall
from core.workspace import Workspace
graph = Workspace.open(sys.argv[1], data_dir=Path(sys.argv[2]))
with graph.read() as reader:
    print([hit.marked_text for hit in recall(
        reader, sys.argv[3], RecallSettings(deadline_ms=30_000)).hits])
graph.close()
"""


@pytest.mark.parametrize("kind", SLOTTED)
def test_another_process_is_told_the_same_and_the_rest_of_the_file_is_as_before(
    tmp_path: Path, kind: str
) -> None:
    path, side = tmp_path / "graph.db", tmp_path / "side"
    graph = make(kind, path, side)
    before = dump(graph)
    set_value(graph, "eight")
    graph.write("Replace", lambda w: control.apply(w, "supersede_claim_value", {
        **SLOT, "old_value": "eight", "new_value": "nine"}))
    graph.write("Back", lambda w: control.apply(
        w, "restore_claim_version", {"attribute_id": "v-seven"}))
    for question in ("start time of Harbor Ledger", "start time of Harbor Ledger before"):
        told = [hit.marked_text for hit in ask(graph, question)[1].hits]
        other = subprocess.run([sys.executable, "-c", READS, str(path), str(side), question],
                               capture_output=True, text=True, check=True)
        assert other.stdout.strip() == repr(told)
    after = dump(graph)
    changed = {name for name in before if before[name] != after[name]}
    assert changed <= {"entity_attributes", "memories", "memory_entity_mentions",
                       "ontology_proposals", "claim_restores"}
    others = {row for row in before["entity_attributes"] if "start_time" not in row}
    assert others <= set(after["entity_attributes"])
    assert set(before["memories"]) <= set(after["memories"])
    for _ in range(3):
        graph.undo()
    assert without_records(dump(graph), before) == before
    graph.close()
