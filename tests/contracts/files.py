"""Graph files of three generations with the same small world in them, and what they hold."""

import sqlite3
import tempfile
from collections.abc import Iterable, Mapping
from functools import cache
from pathlib import Path

from core.store.reader_and_writer import Reader
from core.workspace import Workspace
from tests.templates import Template

KINDS = ("native", "signet-030", "signet-071")
Dump = dict[str, list[tuple]]

# The shapes that Signet 0.58 made (migrations up to 030), without the tables that do not matter.
OLD = """
CREATE TABLE schema_migrations (version INTEGER PRIMARY KEY, applied_at TEXT NOT NULL,
    checksum TEXT NOT NULL);
CREATE TABLE entities (id TEXT PRIMARY KEY, name TEXT NOT NULL UNIQUE, entity_type TEXT NOT NULL,
    description TEXT, created_at TEXT NOT NULL, updated_at TEXT NOT NULL, canonical_name TEXT,
    mentions INTEGER DEFAULT 0, embedding BLOB, agent_id TEXT NOT NULL DEFAULT 'default',
    pinned INTEGER NOT NULL DEFAULT 0, pinned_at TEXT);
CREATE TABLE entity_aspects (id TEXT PRIMARY KEY,
    entity_id TEXT NOT NULL REFERENCES entities(id) ON DELETE CASCADE,
    agent_id TEXT NOT NULL DEFAULT 'default', name TEXT NOT NULL, canonical_name TEXT NOT NULL,
    weight REAL NOT NULL DEFAULT 0.5, created_at TEXT NOT NULL DEFAULT (datetime('now')),
    updated_at TEXT NOT NULL DEFAULT (datetime('now')), UNIQUE(entity_id, canonical_name));
CREATE TABLE entity_attributes (id TEXT PRIMARY KEY,
    aspect_id TEXT REFERENCES entity_aspects(id) ON DELETE SET NULL,
    agent_id TEXT NOT NULL DEFAULT 'default',
    memory_id TEXT REFERENCES memories(id) ON DELETE SET NULL, kind TEXT NOT NULL,
    content TEXT NOT NULL, normalized_content TEXT NOT NULL,
    confidence REAL NOT NULL DEFAULT 0.0, importance REAL NOT NULL DEFAULT 0.5,
    status TEXT NOT NULL DEFAULT 'active', superseded_by TEXT,
    created_at TEXT NOT NULL DEFAULT (datetime('now')),
    updated_at TEXT NOT NULL DEFAULT (datetime('now')));
CREATE TABLE entity_dependencies (id TEXT PRIMARY KEY,
    source_entity_id TEXT NOT NULL REFERENCES entities(id) ON DELETE CASCADE,
    target_entity_id TEXT NOT NULL REFERENCES entities(id) ON DELETE CASCADE,
    agent_id TEXT NOT NULL DEFAULT 'default',
    aspect_id TEXT REFERENCES entity_aspects(id) ON DELETE SET NULL,
    dependency_type TEXT NOT NULL, strength REAL NOT NULL DEFAULT 0.5,
    created_at TEXT NOT NULL DEFAULT (datetime('now')),
    updated_at TEXT NOT NULL DEFAULT (datetime('now')));
CREATE TABLE task_meta (entity_id TEXT PRIMARY KEY REFERENCES entities(id) ON DELETE CASCADE,
    agent_id TEXT NOT NULL DEFAULT 'default', status TEXT NOT NULL, expires_at TEXT,
    retention_until TEXT, completed_at TEXT,
    updated_at TEXT NOT NULL DEFAULT (datetime('now')));
CREATE TABLE memories (id TEXT PRIMARY KEY, type TEXT NOT NULL DEFAULT 'fact',
    content TEXT NOT NULL, importance REAL DEFAULT 0.5, confidence REAL DEFAULT 1.0, who TEXT,
    created_at TEXT NOT NULL, updated_at TEXT NOT NULL,
    updated_by TEXT NOT NULL DEFAULT 'system', vector_clock TEXT NOT NULL DEFAULT '{}',
    is_deleted INTEGER DEFAULT 0);
CREATE TABLE memory_entity_mentions (memory_id TEXT NOT NULL, entity_id TEXT NOT NULL,
    mention_text TEXT, confidence REAL, created_at TEXT, PRIMARY KEY (memory_id, entity_id));
CREATE TABLE relations (id TEXT PRIMARY KEY, source_entity_id TEXT NOT NULL,
    target_entity_id TEXT NOT NULL, relation_type TEXT NOT NULL, strength REAL DEFAULT 1.0,
    metadata TEXT, created_at TEXT NOT NULL, mentions INTEGER DEFAULT 1,
    confidence REAL DEFAULT 0.5, updated_at TEXT);
"""

# What its later migrations added (§ up to 071), in their way: column by column.
SOURCE = ("source_id TEXT", "source_kind TEXT", "source_path TEXT", "source_root TEXT")
PROPOSAL = ("proposal_id TEXT", "proposal_evidence TEXT NOT NULL DEFAULT '[]'")
ARCHIVE = ("archived_at TEXT", "archived_by TEXT", "archive_reason TEXT")
STATUS = ("status TEXT NOT NULL DEFAULT 'active'",)
ADDED = {
    "entities": (*SOURCE, *STATUS, *ARCHIVE, *PROPOSAL),
    "entity_aspects": (*STATUS, *ARCHIVE, *PROPOSAL),
    "entity_attributes": (
        "claim_key TEXT", "group_key TEXT", *SOURCE, *PROPOSAL, *ARCHIVE,
        "version INTEGER NOT NULL DEFAULT 1", "version_root_id TEXT",
        "previous_attribute_id TEXT",
    ),
    "entity_dependencies": (
        "reason TEXT", "confidence REAL DEFAULT 0.7", *SOURCE, *PROPOSAL, *STATUS, *ARCHIVE,
    ),
}
LATER = """
CREATE UNIQUE INDEX idx_entity_deps_unique
    ON entity_dependencies(source_entity_id, target_entity_id, dependency_type, agent_id);
CREATE TRIGGER trg_entity_dependencies_related_to_reason_insert
BEFORE INSERT ON entity_dependencies
WHEN new.dependency_type = 'related_to' AND trim(COALESCE(new.reason, '')) = ''
BEGIN SELECT RAISE(ABORT, 'related_to dependencies require a non-empty reason'); END;
CREATE TABLE ontology_proposals (id TEXT PRIMARY KEY, agent_id TEXT NOT NULL DEFAULT 'default',
    operation TEXT NOT NULL, status TEXT NOT NULL DEFAULT 'pending'
        CHECK (status IN ('pending', 'applied', 'rejected', 'failed')),
    payload TEXT NOT NULL, confidence REAL NOT NULL DEFAULT 0.0
        CHECK (confidence >= 0 AND confidence <= 1),
    rationale TEXT NOT NULL DEFAULT '', evidence TEXT NOT NULL DEFAULT '[]', risk TEXT,
    source_kind TEXT, source_id TEXT, source_path TEXT, source_root TEXT,
    created_by TEXT NOT NULL DEFAULT 'ontology-proposal', applied_by TEXT, rejected_by TEXT,
    result TEXT, created_at TEXT NOT NULL DEFAULT (datetime('now')),
    updated_at TEXT NOT NULL DEFAULT (datetime('now')), applied_at TEXT, rejected_at TEXT);
CREATE TABLE entity_aliases (id TEXT PRIMARY KEY, entity_id TEXT NOT NULL,
    agent_id TEXT NOT NULL DEFAULT 'default', alias TEXT NOT NULL, canonical_alias TEXT NOT NULL,
    confidence REAL NOT NULL DEFAULT 1.0, source TEXT, status TEXT NOT NULL DEFAULT 'active',
    created_at TEXT NOT NULL DEFAULT (datetime('now')),
    updated_at TEXT NOT NULL DEFAULT (datetime('now')));
CREATE TABLE epistemic_assertions (id TEXT PRIMARY KEY, agent_id TEXT NOT NULL DEFAULT 'default',
    subject_entity_id TEXT NOT NULL REFERENCES entities(id) ON DELETE CASCADE,
    claim_attribute_id TEXT REFERENCES entity_attributes(id) ON DELETE SET NULL,
    predicate TEXT NOT NULL CHECK (predicate IN ('claims', 'believes', 'observed', 'decided',
        'prefers', 'denies', 'questions')), content TEXT NOT NULL,
    normalized_content TEXT NOT NULL, speaker TEXT, asserted_at TEXT NOT NULL,
    confidence REAL NOT NULL DEFAULT 0.0, evidence TEXT NOT NULL DEFAULT '[]',
    source_kind TEXT, source_id TEXT, source_path TEXT, source_root TEXT,
    status TEXT NOT NULL DEFAULT 'active', supersedes_assertion_id TEXT
        REFERENCES epistemic_assertions(id) ON DELETE SET NULL,
    archived_at TEXT, archived_by TEXT, archive_reason TEXT,
    created_by TEXT NOT NULL DEFAULT 'operator',
    created_at TEXT NOT NULL DEFAULT (datetime('now')),
    updated_at TEXT NOT NULL DEFAULT (datetime('now')));
"""

ISO, SQL = "2026-03-14T21:40:46.123Z", "2026-03-15 08:00:00"


def _entity(id: str, name: str, entity_type: str, **more: object) -> dict[str, object]:
    return {
        "id": id, "name": name, "canonical_name": " ".join(name.lower().split()),
        "entity_type": entity_type, "mentions": 3, "created_at": ISO, "updated_at": ISO,
        "agent_id": "default", **more,
    }


def _aspect(id: str, entity: str, name: str, **more: object) -> dict[str, object]:
    return {
        "id": id, "entity_id": entity, "name": name, "canonical_name": name.lower(),
        "weight": 0.7, "agent_id": "default", "created_at": ISO, "updated_at": SQL, **more,
    }


def _value(id: str, aspect: str, content: str, **more: object) -> dict[str, object]:
    return {
        "id": id, "aspect_id": aspect, "content": content, "normalized_content": content.lower(),
        "kind": "attribute", "confidence": 0.8, "importance": 0.6, "agent_id": "default",
        "version": 1, "version_root_id": id, "created_at": ISO, "updated_at": SQL, **more,
    }


def _link(id: str, source: str, kind: str, target: str, **more: object) -> dict[str, object]:
    return {
        "id": id, "source_entity_id": source, "target_entity_id": target, "dependency_type": kind,
        "strength": 0.6, "confidence": 0.9, "agent_id": "default",
        "created_at": ISO, "updated_at": SQL, **more,
    }


def _assertion(id: str, entity: str, content: str, **more: object) -> dict[str, object]:
    return {
        "id": id, "subject_entity_id": entity, "content": content, "predicate": "claims",
        "normalized_content": content.lower(), "speaker": "Anna", "confidence": 0.8,
        "evidence": '[{"quote":"she said so"}]', "asserted_at": ISO, "agent_id": "default",
        "created_at": ISO, "updated_at": SQL, **more,
    }


GONE = {"status": "archived", "archived_at": SQL, "archived_by": "nora", "archive_reason": "old"}
WORLD: dict[str, tuple[dict[str, object], ...]] = {
    "entities": (
        _entity("e-harbor", "Harbor Ledger", "project"),
        _entity("e-tide", "Tide API", "tool"),
        _entity("e-tides", "Tides API", "tool"),
        _entity("e-anna", "Anna", "person", pinned=1, pinned_at=ISO),
        _entity("e-gone", "Spike", "project", **GONE),
        _entity("e-rival", "Rival Secret", "project", agent_id="rival"),
        _entity("e-rival-2", "Rival Tool", "tool", agent_id="rival"),
    ),
    "entity_aspects": (
        _aspect("a-schedule", "e-harbor", "Schedule"),
        _aspect("a-timing", "e-harbor", "Timing"),
        _aspect("a-rules", "e-harbor", "Rules"),
        _aspect("a-lost", "e-harbor", "Lost", **GONE),
        _aspect("a-tide", "e-tide", "Limits"),
        _aspect("a-tides", "e-tides", "Limits"),
        _aspect("a-rival", "e-rival", "Schedule", agent_id="rival"),
    ),
    "memories": (
        {"id": "m-1", "content": "The run starts at seven", "created_at": ISO, "updated_at": ISO},
        {"id": "m-2", "content": "Tides API again", "created_at": ISO, "updated_at": ISO},
    ),
    "entity_attributes": (
        _value("v-six", "a-schedule", "six", group_key="nightly", claim_key="start_time",
               status="superseded", superseded_by="v-seven", memory_id="m-1"),
        _value("v-seven", "a-schedule", "seven", group_key="nightly", claim_key="start_time",
               version=2, version_root_id="v-six", previous_attribute_id="v-six"),
        _value("v-raw", "a-schedule", "hourly", group_key="Retry Plan", claim_key="How Often"),
        _value("v-loose-old", "a-timing", "slow", status="superseded", superseded_by="v-loose"),
        _value("v-loose", "a-timing", "fast"),
        _value("v-rule", "a-rules", "Never deploy on Friday", kind="constraint",
               group_key="general", claim_key="friday"),
        _value("v-lost", "a-lost", "gone with it", status="deleted",
               archived_at=SQL, archived_by="nora"),
        _value("v-limit", "a-tide", "100 a minute", group_key="general", claim_key="rate"),
        _value("v-limits", "a-tides", "60 a minute", group_key="general", claim_key="rate"),
        _value("v-rival", "a-rival", "rival value", group_key="nightly", claim_key="start_time",
               agent_id="rival"),
    ),
    "entity_dependencies": (
        _link("d-uses", "e-harbor", "uses", "e-tide"),
        _link("d-uses-2", "e-harbor", "uses", "e-tides"),
        _link("d-old", "e-harbor", "requires", "e-tide", **GONE),
        _link("d-self", "e-tides", "informs", "e-tide", aspect_id="a-tides"),
        _link("d-rival", "e-rival", "uses", "e-rival-2", agent_id="rival"),
    ),
    "memory_entity_mentions": (
        {"memory_id": "m-1", "entity_id": "e-tide", "mention_text": "Tide", "confidence": 0.9,
         "created_at": ISO},
        {"memory_id": "m-1", "entity_id": "e-tides", "mention_text": "Tides", "confidence": 0.8,
         "created_at": ISO},
        {"memory_id": "m-2", "entity_id": "e-tides", "mention_text": "Tides", "confidence": 0.7,
         "created_at": ISO},
    ),
    "relations": (
        {"id": "x-1", "source_entity_id": "e-tides", "target_entity_id": "e-harbor",
         "relation_type": "works on", "created_at": ISO},
        {"id": "x-2", "source_entity_id": "e-anna", "target_entity_id": "e-harbor",
         "relation_type": "works on", "created_at": ISO},
    ),
    "task_meta": (
        {"entity_id": "e-tides", "agent_id": "default", "status": "open", "updated_at": ISO},
    ),
    "entity_aliases": (
        {"id": "n-tidal", "entity_id": "e-tide", "agent_id": "default", "alias": "Tidal",
         "canonical_alias": "tidal", "created_at": ISO, "updated_at": ISO},
    ),
    "epistemic_assertions": (
        _assertion("s-eight", "e-harbor", "eight", claim_attribute_id="v-seven"),
        _assertion("s-old", "e-harbor", "at dawn", **GONE),
        _assertion("s-rival", "e-rival", "rival word", agent_id="rival"),
    ),
    "ontology_proposals": (
        {"id": "p-1", "operation": "create_entity", "payload": '{"name":"Mobile companion"}',
         "status": "pending", "confidence": 0.6, "created_at": ISO, "updated_at": ISO,
         "agent_id": "default"},
        {"id": "p-rival", "operation": "create_entity", "payload": '{"name":"Rival plan"}',
         "status": "pending", "created_at": ISO, "updated_at": ISO, "agent_id": "rival"},
    ),
}


def make(kind: str, path: Path, folder: Path) -> Workspace:
    """A file of one generation with the world in it, opened and writable."""
    _built(kind).copy_to(path, folder)
    return Workspace.open(path, data_dir=folder)


def add_later(connection: sqlite3.Connection) -> None:
    """Bring an old Signet file's tables to what its later generation has."""
    for table, columns in ADDED.items():
        for column in columns:
            connection.execute(f"ALTER TABLE {table} ADD COLUMN {column}")
    connection.executescript(LATER)


@cache
def _built(kind: str) -> Template:
    """The file, made once in a test run, with the permission to write it."""
    with tempfile.TemporaryDirectory() as name:
        path, folder = Path(name, "graph.db"), Path(name, "side")
        if kind == "native":
            Workspace.open(path, data_dir=folder, create=True).close()
        connection = sqlite3.connect(path)
        with connection:
            if kind != "native":
                connection.executescript(OLD)
            if kind == "signet-071":
                add_later(connection)
            for table, rows in WORLD.items():
                _fill(connection, table, rows)
        connection.close()
        workspace = Workspace.open(path, data_dir=folder)
        workspace.allow_writing()
        workspace.close()
        return Template.of(path, folder)


def _fill(
    connection: sqlite3.Connection, table: str, rows: Iterable[Mapping[str, object]]
) -> None:
    """Insert what this generation has columns for."""
    have = {row[1] for row in connection.execute(f"PRAGMA table_info({table})")}
    for row in rows if have else ():
        known = [column for column in row if column in have]
        connection.execute(
            f"INSERT INTO {table} ({', '.join(known)}) VALUES ({', '.join('?' * len(known))})",
            [row[column] for column in known],
        )


def dump(workspace: Workspace) -> Dump:
    """Every row of the file, and of the mutes and names beside it."""
    with workspace.read() as reader:
        return dump_of(reader)


def dump_of(reader: Reader) -> Dump:
    """The same of what a reader reads."""
    tables = reader.rows(
        "SELECT name FROM main.sqlite_master WHERE type = 'table'"
        " AND sql NOT LIKE 'CREATE VIRTUAL%' AND name NOT LIKE 'sqlite_%'"
    )
    # Shadow tables of full text change their pages with every rebuild; its rows are compared.
    names = [row["name"] for row in tables if "_fts_" not in row["name"]]
    found = {
        name: sorted(map(tuple, reader.rows(f"SELECT * FROM {reader.stored(name)} AS t")), key=repr)
        for name in names
    }
    mutes = reader.rows("SELECT * FROM side.muted_entities")
    found["muted"] = sorted(tuple(row) for row in mutes)
    found["reviews beside"] = sorted(
        tuple(row) for row in reader.rows("SELECT * FROM side.review_dates"))
    found["names beside"] = sorted(
        tuple(row) for row in reader.rows("SELECT * FROM side.other_names"))
    return found


HISTORY = "entity_dependency_history"


def without_records(after: Dump, before: Dump) -> Dump:
    """`after` without what undo leaves by design: new audit rows, the histories of links and
    memories."""
    kept = dict(after)
    if "ontology_proposals" in kept:
        known = {row[0] for row in before["ontology_proposals"]}
        kept["ontology_proposals"] = [r for r in kept["ontology_proposals"] if r[0] in known]
    for table in (HISTORY, "memory_history", "automatic_changes"):
        if table in kept:
            kept[table] = before[table]
    return kept
