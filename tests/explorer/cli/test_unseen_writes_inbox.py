"""`inbox`: an agent's writing is listed once, kept by id or all of it, and undone."""

import json
from pathlib import Path

from tests.explorer.conftest import Run


def test_what_an_agent_remembers_waits_until_it_is_kept(run: Run, graph: Path) -> None:
    run("inbox", "keep", "--all")
    assert run("inbox").out.startswith("Nothing new since")
    run("remember", "-", "--text", "--actor", "claude via MCP",
        stdin="The pump runs at night only.")
    new = run("inbox", "--json").json
    assert [one["by"] for one in new["items"]] == ["claude via MCP"]
    id = new["items"][0]["id"]
    assert "The pump runs at night only." in run("inbox").out
    assert run("inbox", "keep", id[:8], "--json").json["kept"] == 1
    assert run("inbox", "--json").json["count"] == 0
    run("undo")
    assert run("inbox", "keep", "--all").out == "Kept 1 item\n"
    assert run("inbox", "--json").json["count"] == 0
    assert run("inbox", "keep").code == 2
    assert run("inbox", "forget", "nothing-there").code == 2


def test_a_forgotten_item_is_gone_until_undo(run: Run, graph: Path) -> None:
    run("inbox", "keep", "--all")
    run("remember", "-", "--text", "--actor", "claude via MCP", stdin="The pump is blue.")
    id = run("inbox", "--json").json["items"][0]["id"]
    assert run("inbox", "forget", id).code == 0
    assert "pump" not in run("recall", "pump").out
    run("undo")
    assert run("inbox", "--json").json["items"][0]["id"] == id


def test_what_a_held_agent_writes_is_told_to_nobody_until_it_is_kept(
    run: Run, graph: Path
) -> None:
    run("inbox", "keep", "--all")
    assert run("inbox", "hold").out == "Nobody is held back.\n"
    assert run("inbox", "hold", "claude", "--json").json == {
        "by": "claude", "held": True, "items": 0, "dryRun": False}
    said = run("remember", "-", "--text", "--actor", "claude via MCP",
               stdin="The pump drinks diesel.")
    assert "until a person has seen" in said.out + said.err
    assert "diesel" not in run("recall", "pump diesel").out
    assert "until a person has seen" in run("session", "start", "--query", "pump diesel").out
    assert "(waits)" in run("inbox").out
    id = run("inbox", "--json").json["items"][0]["id"]
    assert run("inbox", "keep", id).code == 0
    assert "diesel" in run("recall", "pump diesel").out
    run("undo")
    assert "diesel" not in run("recall", "pump diesel").out
    assert run("inbox", "hold", "claude", "--off").code == 0
    assert "diesel" in run("recall", "pump diesel").out


def test_what_was_turned_down_is_listed_and_kept_as_told_to_nobody(run, graph: Path) -> None:
    def say(value: str, *by: str) -> None:
        memory = {"content": f"Oma Hilde: {value}", "aspects": [{
            "entityName": "Oma Hilde", "aspect": "home", "attributes": [{"content": value}]}]}
        assert run("remember", "-", *by, stdin=json.dumps(memory)).code == 0

    say("Lives in Karlsruhe")
    run("ontology", "claim", "supersede", "Oma Hilde", "Lives in Karlsruhe", "--value",
        "Lives in Durlach")
    say("Lives in Pforzheim", "--actor", "claude via MCP")
    (proposal,) = run("ontology", "proposals", "--json").json["items"]
    assert "turned down" not in run("inbox").out
    assert run("ontology", "reject", proposal["id"]).code == 0
    assert "Pforzheim  (turned down, not told: “Lives in Durlach” holds)" in run("inbox").out
    (item,) = run("inbox", "--json").json["items"]
    assert "stays untold: you have decided that “Lives in Durlach” holds" in (
        run("inbox", "keep", item["id"]).out)
