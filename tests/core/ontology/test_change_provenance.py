"""Who did what on what grounds, through proposals, versions and archives."""

import sqlite3
from collections.abc import Iterator
from pathlib import Path

import pytest

from core.errors import OperationError
from core.ontology import control, proposals
from core.ontology.change_provenance import Source
from core.queries import links
from core.queries.claims import evidence_of
from core.review.proposal_queue import evidence, get_proposal
from core.store.database import Row
from core.workspace import Workspace
from explorer import knowledge_json
from tests.contracts.files import ISO, make

CLAIM = {"entity": "Harbor Ledger", "aspect": "Crew", "group_key": "people", "claim_key": "size"}
GROUNDS = [{"source_kind": "session_transcript", "source_id": "t-1", "quote": "we are five"},
           {"source_path": "notes/crew.md", "quote": "five people"},
           {"memory_id": "m-gone", "quote": "five, I think"}]
KEPT = f"""
CREATE TABLE session_transcripts (session_key TEXT, content TEXT, harness TEXT, agent_id TEXT,
    created_at TEXT);
CREATE TABLE memory_artifacts (source_path TEXT, content TEXT, agent_id TEXT, captured_at TEXT);
INSERT INTO session_transcripts VALUES ('t-1', 'Anna: we are five now', 'codex', 'default',
    '{ISO}');
INSERT INTO memory_artifacts VALUES ('notes/crew.md', '# Crew
five people', 'default', '{ISO}');"""
KINDS = ["session_transcript", "memory_artifact", "provided_quote"]


@pytest.fixture
def world(tmp_path: Path) -> Iterator[Workspace]:
    """A Signet file that also keeps transcripts and artifacts."""
    make("signet-071", tmp_path / "graph.db", tmp_path / "side").close()
    with sqlite3.connect(tmp_path / "graph.db") as file:
        file.executescript(KEPT)
    file.close()
    workspace = Workspace.open(tmp_path / "graph.db", data_dir=tmp_path / "side")
    yield workspace
    workspace.close()


def do(world: Workspace, operation: str, payload: dict[str, object], *, actor: str = "nora",
       **more: object) -> dict:  # type: ignore[type-arg]
    outcome = world.write("Do", lambda w: control.apply(w, operation, payload, **more),  # type: ignore[arg-type]
                          actor=actor).result
    return {**(outcome.result or {}), "proposal": outcome.proposal_id}


def row(world: Workspace, table: str, id: object) -> Row:
    with world.read() as reader:
        found = reader.row(f"SELECT * FROM {table} WHERE id = :id AND agent_id = :agent", id=id)
    assert found is not None
    return found


def history(world: Workspace) -> list[tuple[int, str]]:
    with world.read() as reader:
        items = knowledge_json.versions(reader, "Harbor Ledger", "Crew", "people", "size",
                                        kind="attribute")["items"]
    return [(item["version"], item["status"]) for item in items]


def test_a_proposal_and_its_claim_rest_on_transcripts_artifacts_and_quotes(
    world: Workspace
) -> None:
    waiting = world.write("Propose", lambda w: control.propose(
        w, "add_claim_value", {**CLAIM, "value": "five", "entity_type": "project"},
        evidence=GROUNDS, confidence=0.92, reason="counted",
        source=Source("memory_artifact", None, "notes/crew.md"))).result
    with world.read() as reader:
        resolved = evidence(reader, waiting)
    assert [piece.kind for piece in resolved] == KINDS
    assert resolved[0].text == "Anna: we are five now"
    done = world.write("Apply", lambda w: proposals.apply_proposal(w, waiting)).result.result
    assert done is not None
    value = row(world, "entity_attributes", done["attributeId"])
    assert (value["confidence"], value["source_kind"], value["proposal_id"]) == (
        0.92, "memory_artifact", waiting)
    with world.read() as reader:
        kinds = [piece.kind for piece in evidence_of(reader, value["id"])]
    assert kinds[:4] == ["ontology_proposal", *KINDS]
    with world.read() as reader:
        assert reader.value("SELECT content FROM memory_artifacts WHERE agent_id = :agent") == (
            "# Crew\nfive people")


def test_a_link_rests_on_the_evidence_that_it_was_made_with(world: Workspace) -> None:
    made = do(world, "create_link", {
        "source_entity": "Size report", "source_type": "artifact", "link_type": "supports_claim",
        "target_entity": "Crew plan", "target_type": "concept", "confidence": 0.8},
        evidence=GROUNDS)
    link = row(world, "entity_dependencies", made["dependencyId"])
    assert (link["confidence"], link["proposal_id"]) == (0.8, made["proposal"])
    assert row(world, "entities", made["sourceId"])["entity_type"] == "artifact"
    with world.read() as reader:
        assert [piece.kind for piece in links.evidence_of(reader, made["dependencyId"])] == KINDS


def test_who_applies_is_who_archives_in_every_row(world: Workspace) -> None:
    for name, payload in (("archive_entity", {"entity": "Tide API"}),
                          ("archive_claim_value", {"attribute_id": "v-loose"}),
                          ("archive_link", {"id": "d-uses-2"}),
                          ("archive_aspect", {"entity": "Harbor Ledger", "aspect": "Schedule"})):
        waiting = world.write("Ask", lambda w, name=name, payload=payload: control.propose(
            w, name, payload), actor="claude-code").result
        world.write("Apply", lambda w, waiting=waiting: proposals.apply_proposal(w, waiting),
                    actor="nora").result.or_raise()
        with world.read() as reader:
            assert get_proposal(reader, waiting).created_by == "claude-code"  # type: ignore[union-attr]
    for table, id in (("entities", "e-tide"), ("entity_attributes", "v-loose"),
                      ("entity_dependencies", "d-uses-2"), ("entity_aspects", "a-schedule"),
                      ("entity_attributes", "v-seven")):
        assert row(world, table, id)["archived_by"] == "nora", (table, id)


def test_versions_go_on_through_archives_and_are_read_after_them(world: Workspace) -> None:
    ids = [do(world, "set_claim_value", {**CLAIM, "value": value})["attributeId"]
           for value in ("three", "four", "five")]
    assert history(world) == [(3, "active"), (2, "superseded"), (1, "superseded")]
    do(world, "restore_claim_version", {"attribute_id": ids[1]})
    assert history(world) == [(3, "superseded"), (2, "active"), (1, "superseded")]
    do(world, "archive_claim_value", {"attribute_id": ids[1]})
    assert history(world)[1] == (2, "deleted")
    newest = do(world, "set_claim_value", {**CLAIM, "value": "six"})
    assert (newest["version"], newest["versionRootId"]) == (4, ids[0])
    do(world, "archive_aspect", {"entity": "Harbor Ledger", "aspect": "Crew"})
    do(world, "set_claim_value", {**CLAIM, "value": "seven"})
    assert history(world)[:2] == [(5, "active"), (4, "deleted")]
    do(world, "archive_entity", {"entity": "Harbor Ledger"})
    assert history(world)[0] == (5, "active")
    with world.read() as reader, pytest.raises(OperationError) as error:
        knowledge_json.versions(reader, "Nobody", "Crew", "people", "size", kind="attribute")
    assert error.value.status == 404


def test_the_same_again_keeps_the_provenance_of_the_first(world: Workspace) -> None:
    first = do(world, "set_claim_value", {**CLAIM, "value": "five"}, evidence=GROUNDS)
    again = do(world, "set_claim_value", {**CLAIM, "value": " FIVE "}, evidence=[{"quote": "x"}])
    assert again["deduped"]
    added = do(world, "add_claim_value", {**CLAIM, "value": "five"})
    assert added["attributeId"] == first["attributeId"]
    assert row(world, "entity_attributes", first["attributeId"])["proposal_id"] == (
        first["proposal"])


def test_an_archived_link_comes_back_with_what_is_said_now(world: Workspace) -> None:
    made = do(world, "create_link", {"source_entity": "Anna", "link_type": "maintains",
                                     "target_entity": "Tide API"})
    do(world, "archive_link", {"id": made["dependencyId"]})
    again = do(world, "create_link", {"source_entity": "Anna", "link_type": "maintains",
                                      "target_entity": "Tide API", "strength": 0.9,
                                      "reason": "since May"})
    assert (again["dependencyId"], again["reactivated"]) == (made["dependencyId"], True)
    link = row(world, "entity_dependencies", made["dependencyId"])
    assert (link["strength"], link["reason"], link["status"]) == (0.9, "since May", "active")
