"""`remember`, `forget` and `maintenance` on the command line."""

import json
from pathlib import Path

import pytest

from core.errors import ConstellationError
from explorer.cli.deciding import read_text

PLAN = {"content": "Nora works on Harbor", "structured": {
    "entities": [{"source": "Nora", "sourceType": "person", "relationship": "works on",
                  "target": "Harbor Ledger", "targetType": "project"}],
    "aspects": [{"entityName": "Harbor Ledger", "aspect": "schedule", "attributes": [
        {"content": "the run starts at 7", "claimKey": "start"}]}]}}


def entities(run) -> set[str]:
    return {item["entity"]["name"] for item in run("knowledge", "entities", "--json").json["items"]}


def test_a_memory_from_a_file_becomes_structure(run, graph: Path, tmp_path: Path) -> None:
    file = tmp_path / "memory.json"
    file.write_text(json.dumps(PLAN), encoding="utf-8")
    told = run("remember", file, "--json", "--actor", "ines").json
    assert (told["entitiesInserted"], told["attributesInserted"], told["duplicate"]) == (2, 1, "")
    assert entities(run) == {"Nora", "Harbor Ledger"}
    again = run("remember", file, "--json").json
    assert (again["memoryId"], again["duplicate"]) == (told["memoryId"], "content")
    assert "Remembered 0, 1 known already" in run("remember", file).out
    assert run("history", "--json").json["items"][0]["who"] == "ines"


def test_plain_text_from_standard_input_is_a_memory(run, graph: Path) -> None:
    told = run("remember", "-", "--who", "nora", "--tags", "a, b", stdin="Harbor opens at 7\n")
    assert told.code == 0
    assert "Remembered 1" in told.out
    assert run("remember", "-", "--json", stdin="Harbor opens at 7").json["duplicate"] == "content"
    assert run("remember", "-", "--text", stdin='{"a": 1}').code == 0
    assert run("remember", "-", stdin="[[Harbor]] is a link").code == 0


def test_lists_and_lines_are_remembered_in_one_change(run, graph: Path, tmp_path: Path) -> None:
    lines = tmp_path / "memories.jsonl"
    lines.write_text('{"content": "One"}\n\n{"content": "Two"}\n', encoding="utf-8")
    assert len(run("remember", lines, "--json").json["items"]) == 2
    assert len(run("remember", "-", "--json", stdin='[{"content": "Three"}]').json["items"]) == 1
    assert len(run("history", "--json").json["items"]) == 2


def test_invalid_input_is_refused_with_every_fault_and_writes_nothing(run, graph: Path) -> None:
    before = graph.read_bytes()
    done = run("remember", "-", stdin='[{"content": "fine"}, {"importance": 9}, {"content": 5}]')
    assert done.code == 2
    for line in ("$[1].content is required", "$[1].importance must be 0 to 1",
                 "$[2].content must be text", "nothing was written"):
        assert line in done.err
    assert run("remember", "-", stdin="{broken").code == 2
    assert run("remember", "-", stdin="[]").code == 2
    assert run("remember", "nowhere.json").code == 2
    assert graph.read_bytes() == before
    assert run("history", "--json").json["items"] == []


def test_a_dry_run_says_what_would_come_and_changes_nothing(run, graph: Path) -> None:
    told = run("remember", "-", "--dry-run", stdin=json.dumps(PLAN))
    assert "nothing is changed" in told.out
    assert "entities: 2 new" in told.out
    assert entities(run) == set()


def test_what_was_left_out_is_told_with_its_remedy(run, graph: Path) -> None:
    blocks = [{"entityName": "Harbor", "aspect": f"side {n}", "attributes": [{"content": "x y"}]}
              for n in range(11)]
    told = run("remember", "-", stdin=json.dumps({"content": "many", "aspects": blocks}))
    assert "left out $.aspects[10] “side 10”: “Harbor” has 10 aspects of 10. Merge" in told.out


def test_forgetting_takes_along_what_only_it_told(run, graph: Path) -> None:
    memory = run("remember", "-", "--json", stdin=json.dumps(PLAN)).json["memoryId"]
    assert "Would forget" in run("forget", memory, "--dry-run").out
    told = run("forget", memory, "--json", "--reason", "wrong").json
    assert told["orphans"] == ["Nora"]
    assert told["attributesRetired"] == 1
    assert entities(run) == {"Harbor Ledger"}
    assert run("undo").code == 0
    assert entities(run) == {"Nora", "Harbor Ledger"}
    assert run("forget", "nothing").code == 2


def test_maintenance_does_its_chores_and_each_can_be_undone(run, graph: Path) -> None:
    for content, value in (("One", "lives in denver"), ("Two", "lives in boulder")):
        run("remember", "-", stdin=json.dumps({"content": content, "aspects": [{
            "entityName": "Nora", "aspect": content, "attributes": [{"content": value}]}]}))
    run("ontology", "aspect", "merge", "Nora", "One", "Two")
    rehearsed = run("maintenance", "--dry-run", "--json").json
    assert rehearsed["rehearsed"]
    told = {one["chore"]: one["changed"] for one in run("maintenance", "--json").json["done"]}
    assert told["supersession"] == 1
    entries = {item["label"]: item["undoId"] for item in run("history", "--json").json["items"]}
    assert run("undo", entries["Retire values that newer ones contradict"]).code == 0
    again = {one["chore"]: one["changed"] for one in run("maintenance", "--json").json["done"]}
    assert again["supersession"] == 0
    assert "supersession" in run("maintenance", "--only", "supersession").out
    assert run("maintenance", "--only", "dusting").code == 2


def test_remembering_and_maintenance_take_other_numbers_for_once(run, graph: Path) -> None:
    refused = run("remember", "-", "--text", "--set", "maxCharacters=5", stdin="Six letters")
    assert (refused.code, run("remember", "-", "--text", stdin="Six letters").code) == (2, 0)
    off, on = ({one["chore"] for one in run(
        "maintenance", "--dry-run", "--json", *given).json["done"]}
        for given in (("--set", "decay=false"), ()))
    assert on - off == {"decay"}
