"""The demo graph: a year that is whole, consistent and the same each time."""

import itertools
import json
from collections import Counter
from collections.abc import Iterator
from datetime import date
from pathlib import Path
from typing import Any

import pytest

from core.errors import OpenError, OperationError
from core.model.names import canonical
from core.model.vocabulary import DEPENDENCY_FAMILIES, family_of
from core.ontology.operation_catalog import CATALOG
from core.ontology.proposals import apply_proposal
from core.queries.stats import counts
from core.review.proposal_queue import conflicts, list_proposals
from core.review.warnings import warnings
from core.store.reader_and_writer import Reader
from core.workspace import Workspace
from explorer import default_graph
from explorer.demo import build_demo, ready_demo

TABLES = ("agents", "entity_communities", "entities", "entity_aliases", "memories",
          "memory_entity_mentions", "entity_aspects", "entity_attributes", "entity_dependencies",
          "task_meta", "ontology_proposals", "epistemic_assertions")


@pytest.fixture(scope="module")
def demo(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return build_demo(tmp_path_factory.mktemp("demo") / "demo.db")


@pytest.fixture(scope="module")
def workspace(demo: Path) -> Iterator[Workspace]:
    opened = Workspace.open(demo, data_dir=demo.parent / "data")
    yield opened
    opened.close()


@pytest.fixture
def reader(workspace: Workspace) -> Iterator[Reader]:
    with workspace.read() as handle:
        yield handle


def _dump(path: Path) -> dict[str, list[tuple[object, ...]]]:
    opened = Workspace.open(path, data_dir=path.parent / "data")
    try:
        with opened.read() as handle:
            return {table: sorted((tuple(row) for row in handle.rows(f"SELECT * FROM {table}")),
                                  key=repr) for table in TABLES}
    finally:
        opened.close()


def _pending(reader: Reader) -> dict[str, Any]:
    return {proposal.id: proposal for proposal in list_proposals(reader, limit=100)}


def test_the_demo_is_as_large_as_it_says(reader: Reader) -> None:
    totals = counts(reader)
    versions = reader.value("SELECT COUNT(*) FROM entity_attributes")
    assert 60 <= totals.entities <= 75
    assert 230 <= totals.aspects <= 280
    assert 1450 <= versions <= 1600
    assert 110 <= totals.constraints <= 150
    assert 400 <= totals.memories <= 520
    assert 140 <= totals.dependencies <= 190
    assert totals.pending >= 25
    assert totals.assertions >= 12
    assert (totals.pinned, totals.muted, totals.archived) == (3, 1, 1)


def test_the_same_demo_is_made_each_time(demo: Path, tmp_path: Path) -> None:
    assert _dump(build_demo(tmp_path / "again.db")) == _dump(demo)


def test_a_new_demo_has_no_problems_and_nothing_to_undo(workspace: Workspace) -> None:
    assert workspace.find_problems() == ()
    assert workspace.undo_step() is None


def test_every_reference_leads_somewhere(reader: Reader) -> None:
    assert reader.rows("PRAGMA foreign_key_check") == []
    for column in ("superseded_by", "version_root_id", "previous_attribute_id"):
        assert reader.rows(
            f"SELECT id FROM entity_attributes WHERE {column} IS NOT NULL"
            f" AND {column} NOT IN (SELECT id FROM entity_attributes)") == []
    for table in ("entity_attributes", "entities"):
        assert reader.rows(
            f"SELECT id FROM {table} WHERE proposal_id IS NOT NULL"
            " AND proposal_id NOT IN (SELECT id FROM ontology_proposals)") == []


def test_no_row_reaches_into_another_agents_graph(reader: Reader) -> None:
    assert reader.rows(
        "SELECT m.memory_id FROM memory_entity_mentions m JOIN entities e ON e.id = m.entity_id"
        " JOIN memories y ON y.id = m.memory_id WHERE e.agent_id <> y.agent_id") == []
    assert reader.rows(
        "SELECT d.id FROM entity_dependencies d JOIN entities s ON s.id = d.source_entity_id"
        " JOIN entities t ON t.id = d.target_entity_id"
        " WHERE s.agent_id <> t.agent_id OR s.agent_id <> d.agent_id") == []


def test_a_slot_holds_one_active_value_and_a_whole_line_of_versions(reader: Reader) -> None:
    rows = reader.rows(
        "SELECT * FROM entity_attributes WHERE claim_key IS NOT NULL"
        " ORDER BY aspect_id, kind, group_key, claim_key, version")
    longest = 0
    for _, versions in itertools.groupby(
        rows, key=lambda row: (row["aspect_id"], row["kind"], row["group_key"], row["claim_key"])
    ):
        line = list(versions)
        longest = max(longest, len(line))
        assert [row["version"] for row in line] == list(range(1, len(line) + 1))
        assert {row["version_root_id"] for row in line} == {line[0]["id"]}
        assert [row["previous_attribute_id"] for row in line] == [
            None, *(row["id"] for row in line[:-1])]
        assert {row["status"] for row in line[:-1]} <= {"superseded"}
        assert [row["superseded_by"] for row in line] == [
            *(row["id"] for row in line[1:]), None]
        assert line[-1]["status"] in ("active", "deleted")
        times = [row["created_at"] for row in line]
        assert times == sorted(set(times)), line[0]["content"]
    assert longest == 5


def test_versions_of_a_claim_say_different_things(reader: Reader) -> None:
    same = reader.rows(
        "SELECT a.content FROM entity_attributes a JOIN entity_attributes b"
        " ON b.previous_attribute_id = a.id WHERE a.normalized_content = b.normalized_content"
        " AND a.content <> 'Toner low'")
    assert [row["content"] for row in same] == []


def test_stored_forms_are_canonical_and_hashes_unique(reader: Reader) -> None:
    for row in reader.rows("SELECT content, normalized_content FROM entity_attributes"):
        assert row["normalized_content"] == canonical(row["content"])
    hashes = [row[0] for row in reader.rows("SELECT content_hash FROM memories")]
    assert len(hashes) == len(set(hashes))


def test_no_value_is_older_than_its_entity_or_its_memory(reader: Reader) -> None:
    assert [row["content"] for row in reader.rows(
        "SELECT v.content FROM entity_attributes v JOIN entity_aspects a ON a.id = v.aspect_id"
        " JOIN entities e ON e.id = a.entity_id LEFT JOIN memories m ON m.id = v.memory_id"
        " WHERE v.created_at < e.created_at OR v.created_at < m.created_at"
        " OR v.archived_at < v.created_at OR v.updated_at < v.created_at")] == []


def test_most_values_rest_on_a_memory_that_mentions_their_entity(reader: Reader) -> None:
    with_memory = reader.value(
        "SELECT AVG(memory_id IS NOT NULL) FROM entity_attributes")
    assert with_memory > 0.7
    assert reader.rows(
        "SELECT v.content FROM entity_attributes v JOIN entity_aspects a ON a.id = v.aspect_id"
        " WHERE v.memory_id IS NOT NULL AND NOT EXISTS (SELECT 1 FROM memory_entity_mentions m"
        " WHERE m.memory_id = v.memory_id AND m.entity_id = a.entity_id)") == []


def test_mentions_are_counted(reader: Reader) -> None:
    rows = reader.rows(
        "SELECT e.name, e.mentions, (SELECT COUNT(*) FROM memory_entity_mentions m"
        " JOIN memories n ON n.id = m.memory_id AND COALESCE(n.source_type, '') <> 'claim'"
        " WHERE m.entity_id = e.id) AS counted FROM entities e")
    for row in rows:
        assert row["mentions"] == row["counted"] > 0, row["name"]
    assert max(row["mentions"] for row in rows) <= 50


def test_memories_spread_over_the_year_and_end_with_it(reader: Reader) -> None:
    days = [date.fromisoformat(row[0][:10])
            for row in reader.rows("SELECT created_at FROM memories")]
    assert {(day.year, day.month) for day in days} == {
        (2025, 11), (2025, 12), *((2026, month) for month in range(1, 12))}
    assert max(days) <= date(2026, 11, 27)


def test_every_quote_stands_in_its_memory(reader: Reader) -> None:
    texts = {row["id"]: row["content"] for row in reader.rows("SELECT id, content FROM memories")}
    quoted = 0
    for table, column in (("ontology_proposals", "evidence"),
                          ("entity_attributes", "proposal_evidence"),
                          ("epistemic_assertions", "evidence")):
        for row in reader.rows(f"SELECT {column} AS evidence FROM {table}"):
            for item in json.loads(row["evidence"]):
                assert item["quote"] in texts[item["memory_id"]]
                quoted += 1
    assert quoted > 1000


def test_every_operation_waits_for_a_verdict_with_a_reason_and_evidence(reader: Reader) -> None:
    pending = _pending(reader)
    waiting = {proposal.operation for proposal in pending.values()}
    assert waiting == set(CATALOG), "add a proposal of each to assets/demo.jsonl"
    for proposal in pending.values():
        assert proposal.rationale
        assert proposal.evidence
        assert proposal.risk
        CATALOG[proposal.operation].fields.read(proposal.payload)


def test_pending_proposals_apply_but_for_those_that_need_a_decision_first(
    workspace: Workspace, reader: Reader,
) -> None:
    refused = {}
    for id, proposal in _pending(reader).items():
        try:
            outcome = workspace.rehearse(lambda writer, id=id: apply_proposal(writer, id))
        except OperationError as error:
            refused[proposal.operation, proposal.target_name] = error.status
        else:
            assert outcome.changes
    assert refused == {
        ("set_claim_value", "deploy policy"): 409,
        ("archive_claim_value", "double bass"): 409,
        ("create_aspect", "bank holiday calendar"): 404,
    }


def test_the_queue_warns_of_what_it_should(reader: Reader) -> None:
    warned = {(proposal.operation, proposal.target_name): warnings(reader, proposal)
            for proposal in _pending(reader).values()}
    stale = {target for target, sentences in warned.items()
             if any("changed after" in sentence for sentence in sentences)}
    assert stale == {("set_claim_value", "Ines Duarte"), ("set_claim_value", "invoice API")}
    assert warned["create_aspect", "bank holiday calendar"]
    assert {conflict.claim_key for conflict in conflicts(reader)} == {"start_time", "way_back"}


def test_decided_proposals_say_who_decided_and_why(reader: Reader) -> None:
    rows = reader.rows("SELECT * FROM ontology_proposals WHERE status <> 'pending'")
    kinds = Counter(row["status"] for row in rows)
    assert kinds["applied"] > 100
    assert kinds["rejected"] >= 3
    assert kinds["failed"] >= 3
    for row in rows:
        assert row["updated_at"] >= row["created_at"]
        if row["status"] == "applied":
            assert row["applied_by"]
            assert row["applied_at"] == row["updated_at"]
        else:
            assert set(json.loads(row["result"])) <= {"reason", "error"}
            assert bool(row["rejected_by"]) == (row["status"] == "rejected")


def test_every_family_of_links_is_there_with_a_reason(reader: Reader) -> None:
    rows = reader.rows("SELECT * FROM entity_dependencies WHERE status = 'active'")
    assert {family_of(row["dependency_type"]) for row in rows} == set(DEPENDENCY_FAMILIES)
    assert all(row["reason"] for row in rows)
    assert len({row["strength"] for row in rows}) > 30
    assert reader.value("SELECT COUNT(*) FROM entity_dependencies WHERE status = 'archived'") == 3


def test_tasks_are_open_under_way_done_and_overdue(reader: Reader) -> None:
    rows = reader.rows("SELECT * FROM task_meta")
    assert {row["status"] for row in rows} == {"open", "in_progress", "done"}
    assert any(row["status"] == "open" and row["expires_at"] < "2026-11-27" for row in rows)
    assert all(bool(row["completed_at"]) == (row["status"] == "done") for row in rows)


def test_another_agent_has_a_small_graph_of_its_own(demo: Path) -> None:
    opened = Workspace.open(demo, agent="atlas", data_dir=demo.parent / "data")
    try:
        with opened.read() as handle:
            totals = counts(handle)
    finally:
        opened.close()
    assert (totals.entities, totals.pending) == (4, 1)


def test_the_demo_is_made_once_and_then_left_as_the_person_left_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("CONSTELLATION_DATA", str(tmp_path))
    path = ready_demo()
    assert path == default_graph.demo_store()
    before = path.stat().st_mtime_ns
    assert ready_demo() == path
    assert path.stat().st_mtime_ns == before
    assert not [file.name for file in tmp_path.iterdir() if "making" in file.name]


def test_a_file_that_is_there_is_never_overwritten(tmp_path: Path) -> None:
    path = tmp_path / "mine.db"
    path.write_text("mine")
    with pytest.raises(OpenError):
        build_demo(path)
    assert path.read_text() == "mine"


def test_a_demo_that_can_not_be_written_says_where_and_what_to_do(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "file").touch()
    monkeypatch.setenv("CONSTELLATION_DATA", str(tmp_path / "file" / "folder"))
    with pytest.raises(OpenError) as caught:
        ready_demo()
    assert "CONSTELLATION_DATA" in caught.value.do
    assert "making" not in str(caught.value)
