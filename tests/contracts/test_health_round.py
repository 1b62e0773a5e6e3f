"""All that health mends in a file of any generation is taken back to the last row."""

import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from tests.contracts.files import ISO, KINDS, make
from tests.health_round import play

LONG_AGO = "2020-01-01T00:00:00.000Z"
MESS: dict[str, list[dict[str, object]]] = {
    "entities": [
        {"id": id, "name": name, "canonical_name": name.lower(), "entity_type": kind,
         "mentions": 1, "created_at": ISO, "updated_at": LONG_AGO, "agent_id": "default"}
        for id, name, kind in (("h-1", "Husk", "project"), ("h-2", "Tide-API", "tool"),
                               ("h-3", "The", "concept"), ("h-4", "Paint the boat", "task"),
                               ("h-5", "`Paper Mill`", "system"))],
    "task_meta": [{"entity_id": "h-4", "agent_id": "default", "status": "open",
                   "expires_at": LONG_AGO, "updated_at": LONG_AGO}],
    "entity_attributes": [
        {"id": id, "aspect_id": "a-schedule", "content": content,
         "normalized_content": content, "kind": kind, "confidence": sure, "importance": 0.5,
         "agent_id": "default", "status": "active", "group_key": "nightly", "claim_key": claim,
         "version": 1, "version_root_id": id, "created_at": ISO, "updated_at": LONG_AGO}
        for id, content, kind, sure, claim in (
            ("u-1", "half past seven", "attribute", 0.9, "start_time"),
            ("u-2", "the boat is blue", "attribute", 0.9, "colour"),
            ("u-3", "the boat is blue", "attribute", 0.9, "colour"),
            ("u-4", "the boat may be red", "attribute", 0.1, "mood"))],
    "entity_dependencies": [
        {"id": "l-1", "source_entity_id": "e-anna", "target_entity_id": "e-tide",
         "dependency_type": "related_to", "strength": 0.1, "confidence": 0.5, "reason": "met",
         "agent_id": "default", "created_at": ISO, "updated_at": ISO}],
    "memories": [{"id": "m-9", "content": "Harbor Ledger is read by Anna", "created_at": ISO,
                  "updated_at": ISO}],
}


@pytest.mark.parametrize("kind", KINDS)
def test_fixes_of_every_kind_are_undone_to_the_last_row(tmp_path: Path, kind: str) -> None:
    path = tmp_path / "graph.db"
    make(kind, path, tmp_path / "side").close()
    with closing(sqlite3.connect(path)) as connection, connection:
        for table, rows in MESS.items():
            have = {row[1] for row in connection.execute(f"PRAGMA table_info({table})")}
            for row in rows:
                known = [column for column in row if column in have]
                connection.execute(
                    f"INSERT INTO {table} ({', '.join(known)})"
                    f" VALUES ({', '.join('?' * len(known))})", [row[name] for name in known])
    (tmp_path / "round").mkdir()
    played = play(path, tmp_path / "round")
    assert played.differs == ()
    assert played.schema_kept
    assert not any(played.after.values()), "what was mended is not found again"
    wanted = {"duplicate_entities", "duplicate_values", "expired_task", "mention_candidate",
              "suspicious_name"}
    if kind != "signet-030":
        wanted |= {"two_values", "no_facts", "weak_related_to"}
    assert wanted <= {name for name, count in played.mended.items() if count}
