"""Assertions on the command line."""

import json
from pathlib import Path

from tests.explorer.conftest import graph_fixture

HEAD = ("ontology", "assertion")


@graph_fixture
def said(run, graph: Path) -> str:
    """Vega, of which Anna says something; the assertion's id."""
    run("ontology", "entity", "create", "Vega")
    return str(run(*HEAD, "create", "Vega", "claims", "It is blue", "--speaker", "Anna",
                   "--json").json["result"]["assertionId"])


def test_they_are_listed_and_shown_with_their_grounds(run, said: str) -> None:
    assert run(*HEAD, "list").out.splitlines()[1].split()[1:] == [
        "Vega", "Anna", "claims", "It", "is", "blue",
        run(*HEAD, "show", said, "--json").json["assertedAt"][:10]]
    assert run("ontology", "assertions", "--speaker", "Bea", "--json").json == {
        "items": [], "count": 0}
    shown = run(*HEAD, "show", said[:8])
    assert "Anna claims: It is blue" in shown.out
    item = run("ontology", "assertions", "--json").json["items"][0]
    assert item["subjectEntityName"] == "Vega"
    assert {"agentId", "claimAttributeId", "normalizedContent", "supersedesAssertionId",
            "archiveReason", "createdBy", "sourceKind", "evidence"} <= item.keys()


def test_a_claim_can_be_linked_by_either_word(run, said: str) -> None:
    value = run("ontology", "claim", "set", "Vega", "look", "general", "colour", "--value", "blue",
                "--json").json["result"]["attributeId"]
    assert run(*HEAD, "link-claim", said, value).code == 0
    assert run(*HEAD, "link", said[:8], value).out.startswith("No change needed")
    assert run(*HEAD, "list", "--attribute-id", value, "--json").json["count"] == 1


def test_a_file_of_assertions_is_taken_whole_or_not_at_all(run, said: str) -> None:
    lines = [{"entity": "Vega", "predicate": word, "content": f"said {word}", "evidence": ["x"]}
             for word in ("believes", "hopes")]
    text = "\n".join(map(json.dumps, lines))
    refused = run(*HEAD, "import", "-", stdin=text)
    assert refused.code != 0
    assert "line 2" in refused.err
    assert run(*HEAD, "list", "--json").json["count"] == 1
    tried = run(*HEAD, "import", "-", "--dry-run", stdin=text)
    assert "1 assertion would be recorded" in tried.out
    assert "line 2: predicate is invalid" in tried.err
    assert run(*HEAD, "import", "-", stdin=json.dumps(lines[:1])).code == 0
    assert run(*HEAD, "list", "--json").json["count"] == 2
    assert run("undo").code == 0
    assert run(*HEAD, "list", "--json").json["count"] == 1


def test_an_agent_may_only_propose_to_archive_one(run, said: str) -> None:
    told = run(*HEAD, "archive", said, "--actor", "claude-code")
    assert "Proposed, not done" in told.out
    assert run(*HEAD, "show", said, "--json").json["status"] == "active"


def test_repairs_are_planned_by_either_word_and_evidence_is_told(run, said: str) -> None:
    assert run("ontology", "proposals", "repair", "--json").json == run(
        "ontology", "repair", "--json").json
    run("ontology", "entity", "create", "vega-")
    assert run("ontology", "proposals", "repair").out.splitlines()[1].split() == [
        "Vega", "vega-", "low"]
    told = run("ontology", "proposals", "repair", "--write-proposals", "--json").json
    assert (told["writtenCount"], told["dryRun"]) == (1, False)
    run("ontology", "claim", "set", "Vega", "look", "general", "colour", "--value", "blue",
        "--reason", "seen")
    assert "seen" in run("ontology", "claim", "evidence", "Vega", "look", "general", "colour").out
    link = run("ontology", "link", "create", "Vega", "uses", "vega-", "--json").json
    assert run("ontology", "link", "evidence", link["result"]["dependencyId"],
               "--json").json["count"] == 0


def test_a_stream_takes_each_line_on_its_own_where_asked(run, said: str) -> None:
    lines = ['{"operation":"create_entity","payload":{"name":"Deneb"}}', "{nonsense",
             '{"operation":"create_aspect","payload":{"entity":"Deneb","name":"look"}}']
    stream = ("ontology", "stream", "apply", "-")
    refused = run(*stream, stdin="\n".join(lines))
    assert (refused.code, "line 2" in refused.err) == (2, True)
    assert run("knowledge", "entity", "Deneb").code == 2
    done = run(*stream, "--each", stdin="\n".join(lines))
    assert (done.code, "2 operations done" in done.out, "line 2:" in done.err) == (2, True, True)
    assert run("knowledge", "aspects", "Deneb", "--json").json["items"]
