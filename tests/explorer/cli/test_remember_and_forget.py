"""`remember`, `forget` and `maintenance` on the command line."""

import json
from pathlib import Path

import pytest

from core.errors import ConstellationError
from explorer.cli.given_files import read_text

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


def test_a_persons_rule_that_replaces_another_is_printed(run, graph: Path) -> None:
    def said(rule: str, *more: str) -> str:
        value = {"content": rule, "claimKey": "freeze", "kind": "constraint"}
        memory = {"content": f"Notes: {rule}", "aspects": [
            {"entityName": "Harbor Ledger", "aspect": "rules", "attributes": [value]}]}
        return run("remember", "-", *more, stdin=json.dumps(memory)).out

    assert "replaced" not in said("No deploys on Fridays")
    assert "replaced the constraint “No deploys on Fridays”; undo with “constellation undo”" in (
        said("No deploys on Thursdays"))
    assert "replaced the constraint" not in said("No deploys on Mondays", "--actor", "codex")


def test_plain_text_from_standard_input_is_a_memory(run, graph: Path) -> None:
    told = run("remember", "-", "--who", "nora", "--tags", "a, b", stdin="Harbor opens at 7\n")
    assert told.code == 0
    assert "Remembered 1" in told.out
    assert run("remember", "-", "--json", stdin="Harbor opens at 7").json["duplicate"] == "content"
    assert run("remember", "-", "--text", stdin='{"a": 1}').code == 0
    assert run("remember", "-", stdin="[[Harbor]] is a link").code == 0


def test_a_text_itself_is_a_memory_with_text(run, graph: Path) -> None:
    said = "Nora opens https://harbor.example//a at 7. " + "She is early. " * 30
    assert "Remembered 1" in run("remember", "--text", said).out
    assert run("remember", "-", "--json", stdin=said).json["duplicate"] == "content"
    for words in ("Nora opens at 7", said):
        refused = run("remember", words)
        assert refused.code != 0
        assert "File not found" in refused.err
        assert "constellation remember --text “…”" in refused.err
    for words in ("nowhere", "no notes.txt"):
        assert "File not found" in run("remember", words, "--text").err


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
    assert "nothing changed" in told.out
    assert "2 new entities" in told.out
    assert entities(run) == set()


def test_what_is_over_a_limit_is_proposed_and_told_with_what_could_go(run, graph: Path) -> None:
    blocks = [{"entityName": "Harbor", "aspect": f"side {n}", "attributes": [{"content": "x y"}]}
              for n in range(11)]
    told = run("remember", "-", stdin=json.dumps({"content": "many", "aspects": blocks}))
    assert "1 value is proposed, not stored:" in told.out
    assert "“x y”: “Harbor” has its 10 aspects; what could go: “side 0”, “side 1”" in told.out


def test_what_a_person_said_is_told_as_the_reason_why_another_value_is_proposed(
    run, graph: Path
) -> None:
    run("ontology", "claim", "set", "Jonas", "contact", "general", "residence",
        "--value", "Lives in Bergedorf")
    told = run("remember", "-", "--actor", "claude via MCP", stdin=json.dumps({
        "content": "Jonas moved", "aspects": [{"entityName": "Jonas", "aspect": "contact",
        "attributes": [{"claimKey": "residence", "content": "Lives in Berlin"}]}]}))
    assert "1 value is proposed, not stored:" in told.out
    assert "“Lives in Berlin”: “Lives in Bergedorf” was said by a person" in told.out


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


def test_maintenance_does_its_tasks_and_each_can_be_undone(run, graph: Path) -> None:
    for content, value in (("One", "lives in denver"), ("Two", "lives in boulder")):
        run("remember", "-", stdin=json.dumps({"content": content, "aspects": [{
            "entityName": "Nora", "aspect": content, "attributes": [{"content": value}]}]}))
    run("ontology", "aspect", "merge", "Nora", "One", "Two")
    rehearsed = run("maintenance", "--dry-run", "--json").json
    assert rehearsed["rehearsed"]
    before = len(run("history", "--json").json["items"])
    done = run("maintenance")
    assert "supersession\t1\t" in done.cells
    steps = len(run("history", "--json").json["items"]) - before
    assert steps > 1
    assert f"“constellation undo” reverts the last of these {steps} changes" in done.err
    entries = {item["label"]: item["undoId"] for item in run("history", "--json").json["items"]}
    assert run("undo", entries["Retire values that newer ones contradict"]).code == 0
    again = {one["chore"]: one["changed"] for one in run("maintenance", "--json").json["done"]}
    assert again["supersession"] == 0
    assert "supersession" in run("maintenance", "--only", "supersession").out
    assert run("maintenance", "--only", "dusting").code == 2


def test_remembering_and_maintenance_take_other_numbers_for_once(run, graph: Path) -> None:
    refused = run("remember", "-", "--text", "--set", "maxCharacters=5", stdin="Six letters")
    assert (refused.code, run("remember", "-", "--text", stdin="Six letters").code) == (2, 0)
    told = run("maintenance", "--dry-run", "--set", "decay=false", "--json").json["done"]
    assert "decay" not in {one["chore"] for one in told}
    told = run("maintenance", "--dry-run", "--json").json["done"]
    assert "decay" in {one["chore"] for one in told}
    told = run("maintenance", "--only", "tasks", "--json").json["done"]
    assert [one["chore"] for one in told] == ["expiry", "release", "task weight"]


def test_broken_lines_are_told_by_their_number_and_nothing_is_written(
    run, graph: Path, tmp_path: Path
) -> None:
    file = tmp_path / "some.jsonl"
    file.write_text('{"content": "one"}\n\n{"content": "two"\n{"content": "three"}\nfour\n')
    for told in (run("remember", file), run("remember", "-", stdin=file.read_text())):
        assert told.code == 2
        assert "2 of 4 lines" in told.err
        assert "line 3, column 18" in told.err
        assert "line 5, column 1" in told.err
    assert run("info", "--json").json["counts"]["memories"] == 0


def test_each_fault_is_a_line_and_programs_get_them_as_json(run, graph: Path) -> None:
    told = run("remember", "-", "--json", stdin='{"content": "", "importance": 2, "who": 1}')
    assert told.code == 2
    assert [fault["path"] for fault in json.loads(told.err)["error"]["faults"]] == [
        "$.content", "$.importance", "$.who"]
    said = run("remember", "-", stdin='{"content": "", "importance": 2, "who": 1}')
    assert said.err.splitlines()[1:] == [
        "  $.content is required", "  $.importance must be 0 to 1", "  $.who must be text"]


def test_a_byte_order_mark_is_no_part_of_what_is_told(run, graph: Path) -> None:
    told = run("remember", "-", "--json", stdin='\ufeff{"content": "Alice sails"}').json
    assert run("remember", "-", "--json", stdin="Alice sails").json["memoryId"] == told["memoryId"]


def test_nothing_told_and_no_standard_input_are_said_in_words(
    run, graph: Path, monkeypatch
) -> None:
    assert "nothing to remember" in run("remember", "-", stdin=" \n").err
    monkeypatch.setattr("sys.stdin", None)
    with pytest.raises(ConstellationError, match="Standard input is closed"):
        read_text(Path("-"))


def test_what_many_memories_left_out_is_told_by_place_and_not_a_thousand_times(
    run, graph: Path, tmp_path: Path
) -> None:
    file = tmp_path / "many.json"
    file.write_text(json.dumps([
        {"content": f"Memory {n}", "entities": ["the"]} for n in range(9)]))
    told = run("remember", file, "--dry-run").out
    assert "left out $[2].entities[0] “the”" in told
    assert "left out 6 more for the same reason" in told


def test_the_reasons_are_told_where_they_are_asked_for(run, graph: Path) -> None:
    told = run("remember", "-", "--explain", stdin=json.dumps({
        "content": "We decided to use bun", "aspects": [{"entity": "ooIDE", "aspect": "build",
            "attributes": [{"content": "bun builds it", "claim": "tool"}]}]})).out
    assert "because $.content “decided to”" in told
    assert "a new constraint of build · general · tool" in told
    memory = told.split("memory ")[1].split()[0]
    told = run("forget", memory, "--explain", "--force").out
    assert "because entity “ooIDE”: stays: it has aspects" in told
    assert run("history", "--json").json["items"][0]["label"] == "Forget: We decided to use bun"
    assert run("undo").out == "Undone: Forget: We decided to use bun\n"


def test_maintenance_tells_each_thing_that_it_did_where_that_is_asked(run, graph: Path) -> None:
    for value in ("uses bun", "uses deno"):
        run("remember", "-", stdin=json.dumps({"content": value, "aspects": [{
            "entity": "ooIDE", "aspect": "build", "attributes": [{"content": value}]}]}))
    run("ontology", "aspect", "weigh", "ooIDE", "build", "0.8")
    told = run("maintenance", "--explain", "--set", "feedback.staleDays=0", "--only", "decay").out
    assert "decay: ooIDE · build 0.8 → 0.795" in told


def test_the_command_says_who_is_told_of_what_another_agent_remembers(graph, run):
    said = run("remember", "-", "--text", "--agent", "atlas", stdin="The sea is calm").out
    assert "private: only atlas is told of it; --visibility global shares it" in said
    shared = run("remember", "-", "--text", "--agent", "atlas", "--visibility", "global",
                 stdin="The moon is full").out
    assert "private" not in shared
    assert "The moon is full" in run("recall", "moon", "--json").out
    assert "The sea is calm" not in run("recall", "sea", "--json").out



def test_a_value_of_a_claim_beside_one_without_a_key_is_told_as_setting_it_is(
    run, graph: Path
) -> None:
    run("import", "-", stdin=json.dumps({"type": "entity", "name": "Mia", "entityType": "person",
                                         "observations": ["Lives in Leipzig"]}))
    home = {"content": "Lives in Rome", "claimKey": "city", "groupKey": "general"}
    told = {"content": "Mia has moved", "aspects": [
        {"entityName": "Mia", "aspect": "home", "attributes": [home]}]}
    done = run("remember", "-", stdin=json.dumps(told))
    run("undo")
    tried = run("ontology", "claim", "set", "Mia", "home", "general", "city", "--value",
                "Lives in Rome", "--dry-run")
    assert "“Lives in Leipzig” (observations) stands beside it without a claim key" in done.err
    assert done.err.splitlines()[-1] == tried.err.splitlines()[-1]
    assert "ontology claim archive" in done.err
    again = run("remember", "-", "--json", stdin=json.dumps(told)).json
    assert len(again["warnings"]) == 1


def test_a_key_that_is_remembered_is_warned_about_also_in_the_inbox(run, graph: Path) -> None:
    key = "sk-ABCDEF0123456789abcdef0123"
    told = {"content": "Dana has a key", "aspects": [
        {"entityName": "Dana", "aspect": "access", "attributes": [{"content": f"key {key}"}]}]}
    warned = "A value of “Dana”: looks like a secret (Secret Key)"
    assert warned in run("remember", "-", "--dry-run", stdin=json.dumps(told)).err
    done = run("remember", "-", "--json", "--actor", "bot", stdin=json.dumps(told)).json
    assert [each.startswith(warned) for each in done["warnings"]] == [True]
    told_by_inbox = run("inbox").out.splitlines()
    with_key = [line for line in told_by_inbox if key in line]
    assert with_key
    assert with_key == [line for line in told_by_inbox if "(looks like a secret)" in line]
    plain = run("remember", "-", "--text", stdin="The password is changed every 90 days")
    assert "secret" not in plain.err
