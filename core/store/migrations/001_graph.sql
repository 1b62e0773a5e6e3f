-- The seeds' tables (as of upstream migration 071), made strict.
-- `seq` is an explicit row number, so that full text survives a VACUUM.
CREATE TABLE agents (
    id TEXT PRIMARY KEY, name TEXT, read_policy TEXT NOT NULL DEFAULT 'isolated'
        CHECK (read_policy IN ('isolated', 'shared', 'group')),
    policy_group TEXT, created_at TEXT NOT NULL, updated_at TEXT NOT NULL
);

CREATE TABLE entity_communities (
    id TEXT PRIMARY KEY, agent_id TEXT NOT NULL, name TEXT, cohesion REAL DEFAULT 0.0,
    member_count INTEGER DEFAULT 0, created_at TEXT NOT NULL, updated_at TEXT NOT NULL,
    source_id TEXT, source_kind TEXT, source_path TEXT, source_root TEXT
);
CREATE INDEX idx_entity_communities_agent ON entity_communities(agent_id);

CREATE TABLE entities (
    seq INTEGER PRIMARY KEY,
    id TEXT NOT NULL UNIQUE,
    name TEXT NOT NULL CHECK (trim(name) <> ''),
    entity_type TEXT NOT NULL DEFAULT 'unknown',
    description TEXT,
    created_at TEXT NOT NULL, updated_at TEXT NOT NULL,
    canonical_name TEXT NOT NULL CHECK (canonical_name <> ''),
    mentions INTEGER NOT NULL DEFAULT 0 CHECK (mentions >= 0),
    embedding BLOB,
    agent_id TEXT NOT NULL DEFAULT 'default',
    pinned INTEGER NOT NULL DEFAULT 0 CHECK (pinned IN (0, 1)),
    pinned_at TEXT,
    last_synthesized_at TEXT,
    community_id TEXT REFERENCES entity_communities(id) ON DELETE SET NULL,
    source_id TEXT, source_kind TEXT, source_path TEXT, source_root TEXT,
    status TEXT NOT NULL DEFAULT 'active' CHECK (status IN ('active', 'archived')),
    archived_at TEXT, archived_by TEXT, archive_reason TEXT,
    proposal_id TEXT, proposal_evidence TEXT NOT NULL DEFAULT '[]',
    muted INTEGER NOT NULL DEFAULT 0 CHECK (muted IN (0, 1)),
    muted_at TEXT,
    confidence REAL NOT NULL DEFAULT 1.0 CHECK (confidence BETWEEN 0 AND 1),
    source TEXT, last_seen_at TEXT,
    UNIQUE (agent_id, canonical_name)
);
CREATE INDEX idx_entities_order
    ON entities(agent_id, status, pinned DESC, pinned_at DESC, mentions DESC, updated_at DESC, name,
                entity_type);
CREATE INDEX idx_entities_type ON entities(agent_id, status, entity_type);
CREATE INDEX idx_entities_source ON entities(agent_id, source_id, source_path);
CREATE INDEX idx_entities_proposal ON entities(agent_id, proposal_id);
CREATE INDEX idx_entities_community ON entities(community_id);

CREATE TABLE entity_aliases (
    id TEXT PRIMARY KEY,
    entity_id TEXT NOT NULL REFERENCES entities(id) ON DELETE CASCADE,
    agent_id TEXT NOT NULL DEFAULT 'default',
    alias TEXT NOT NULL, canonical_alias TEXT NOT NULL,
    confidence REAL NOT NULL DEFAULT 1.0 CHECK (confidence BETWEEN 0 AND 1),
    source TEXT,
    status TEXT NOT NULL DEFAULT 'active' CHECK (status IN ('active', 'archived')),
    created_at TEXT NOT NULL, updated_at TEXT NOT NULL
);
CREATE UNIQUE INDEX idx_entity_aliases_active
    ON entity_aliases(agent_id, canonical_alias) WHERE status = 'active';
CREATE INDEX idx_entity_aliases_entity ON entity_aliases(entity_id);

CREATE TABLE entity_aspects (
    id TEXT PRIMARY KEY,
    entity_id TEXT NOT NULL REFERENCES entities(id) ON DELETE CASCADE,
    agent_id TEXT NOT NULL DEFAULT 'default',
    name TEXT NOT NULL CHECK (trim(name) <> ''),
    canonical_name TEXT NOT NULL CHECK (canonical_name <> ''),
    weight REAL NOT NULL DEFAULT 0.5 CHECK (weight BETWEEN 0 AND 1),
    created_at TEXT NOT NULL, updated_at TEXT NOT NULL,
    status TEXT NOT NULL DEFAULT 'active' CHECK (status IN ('active', 'archived')),
    archived_at TEXT, archived_by TEXT, archive_reason TEXT,
    proposal_id TEXT, proposal_evidence TEXT NOT NULL DEFAULT '[]',
    UNIQUE (entity_id, canonical_name)
);
CREATE INDEX idx_entity_aspects_entity ON entity_aspects(entity_id, weight DESC);
CREATE INDEX idx_entity_aspects_agent ON entity_aspects(agent_id);
CREATE INDEX idx_entity_aspects_weight ON entity_aspects(weight DESC);
CREATE INDEX idx_entity_aspects_status ON entity_aspects(agent_id, entity_id, status);
CREATE INDEX idx_entity_aspects_proposal ON entity_aspects(agent_id, proposal_id);

CREATE TABLE memories (
    seq INTEGER PRIMARY KEY,
    id TEXT NOT NULL UNIQUE,
    type TEXT NOT NULL DEFAULT 'fact', category TEXT,
    content TEXT NOT NULL,
    confidence REAL DEFAULT 1.0 CHECK (confidence BETWEEN 0 AND 1),
    importance REAL DEFAULT 0.5 CHECK (importance BETWEEN 0 AND 1),
    source_id TEXT, source_type TEXT, tags TEXT, who TEXT, why TEXT, project TEXT,
    created_at TEXT NOT NULL, updated_at TEXT NOT NULL,
    updated_by TEXT NOT NULL DEFAULT 'system',
    last_accessed TEXT, access_count INTEGER DEFAULT 0,
    vector_clock TEXT NOT NULL DEFAULT '{}', version INTEGER DEFAULT 1,
    manual_override INTEGER DEFAULT 0, pinned INTEGER DEFAULT 0 CHECK (pinned IN (0, 1)),
    content_hash TEXT, normalized_content TEXT,
    is_deleted INTEGER DEFAULT 0 CHECK (is_deleted IN (0, 1)), deleted_at TEXT,
    extraction_status TEXT DEFAULT 'none', embedding_model TEXT, extraction_model TEXT,
    update_count INTEGER DEFAULT 0, idempotency_key TEXT, runtime_path TEXT,
    source_path TEXT, source_section TEXT, scope TEXT,
    agent_id TEXT NOT NULL DEFAULT 'default',
    visibility TEXT DEFAULT 'global' CHECK (visibility IN ('global', 'private', 'archived'))
);
CREATE UNIQUE INDEX idx_memories_content_hash_unique
    ON memories(content_hash, agent_id, COALESCE(scope, '__NULL__'))
    WHERE content_hash IS NOT NULL AND is_deleted = 0;
CREATE UNIQUE INDEX idx_memories_idempotency_key
    ON memories(idempotency_key) WHERE idempotency_key IS NOT NULL;
CREATE INDEX idx_memories_agent ON memories(agent_id, is_deleted, created_at DESC);
CREATE INDEX idx_memories_project ON memories(project);
CREATE INDEX idx_memories_scope ON memories(scope) WHERE scope IS NOT NULL;

CREATE TABLE entity_attributes (
    seq INTEGER PRIMARY KEY,
    id TEXT NOT NULL UNIQUE,
    aspect_id TEXT REFERENCES entity_aspects(id) ON DELETE SET NULL,
    agent_id TEXT NOT NULL DEFAULT 'default',
    memory_id TEXT REFERENCES memories(id) ON DELETE SET NULL,
    kind TEXT NOT NULL CHECK (kind IN ('attribute', 'constraint')),
    content TEXT NOT NULL, normalized_content TEXT NOT NULL,
    confidence REAL NOT NULL DEFAULT 0.0 CHECK (confidence BETWEEN 0 AND 1),
    importance REAL NOT NULL DEFAULT 0.5 CHECK (importance BETWEEN 0 AND 1),
    status TEXT NOT NULL DEFAULT 'active' CHECK (status IN ('active', 'superseded', 'deleted')),
    superseded_by TEXT,
    created_at TEXT NOT NULL, updated_at TEXT NOT NULL,
    claim_key TEXT, group_key TEXT,
    source_id TEXT, source_kind TEXT, source_path TEXT, source_root TEXT,
    proposal_id TEXT, proposal_evidence TEXT NOT NULL DEFAULT '[]',
    version INTEGER NOT NULL DEFAULT 1 CHECK (version >= 1),
    version_root_id TEXT, previous_attribute_id TEXT,
    archived_at TEXT, archived_by TEXT, archive_reason TEXT
);
CREATE INDEX idx_entity_attributes_aspect
    ON entity_attributes(aspect_id, status, kind, importance DESC);
CREATE INDEX idx_entity_attributes_agent ON entity_attributes(agent_id, status, kind);
CREATE INDEX idx_entity_attributes_memory ON entity_attributes(memory_id);
CREATE INDEX idx_entity_attributes_group_claim
    ON entity_attributes(agent_id, aspect_id, group_key, claim_key, status)
    WHERE claim_key IS NOT NULL;
CREATE INDEX idx_entity_attributes_source ON entity_attributes(agent_id, source_id, source_path);
CREATE INDEX idx_entity_attributes_proposal ON entity_attributes(agent_id, proposal_id);
CREATE INDEX idx_entity_attributes_version_root
    ON entity_attributes(agent_id, version_root_id, version DESC);
CREATE INDEX idx_entity_attributes_claim_version
    ON entity_attributes(agent_id, aspect_id, group_key, claim_key, version DESC);

CREATE TABLE entity_dependencies (
    id TEXT PRIMARY KEY,
    source_entity_id TEXT NOT NULL REFERENCES entities(id) ON DELETE CASCADE,
    target_entity_id TEXT NOT NULL REFERENCES entities(id) ON DELETE CASCADE,
    agent_id TEXT NOT NULL DEFAULT 'default',
    aspect_id TEXT REFERENCES entity_aspects(id) ON DELETE SET NULL,
    dependency_type TEXT NOT NULL CHECK (dependency_type <> ''),
    strength REAL NOT NULL DEFAULT 0.5 CHECK (strength BETWEEN 0 AND 1),
    created_at TEXT NOT NULL, updated_at TEXT NOT NULL,
    reason TEXT,
    confidence REAL NOT NULL DEFAULT 0.7 CHECK (confidence BETWEEN 0 AND 1),
    source_id TEXT, source_kind TEXT, source_path TEXT, source_root TEXT,
    proposal_id TEXT, proposal_evidence TEXT NOT NULL DEFAULT '[]',
    status TEXT NOT NULL DEFAULT 'active' CHECK (status IN ('active', 'archived')),
    archived_at TEXT, archived_by TEXT, archive_reason TEXT
);
CREATE UNIQUE INDEX idx_entity_deps_unique
    ON entity_dependencies(source_entity_id, target_entity_id, dependency_type, agent_id);
CREATE INDEX idx_entity_dependencies_source ON entity_dependencies(source_entity_id, strength DESC);
CREATE INDEX idx_entity_dependencies_target ON entity_dependencies(target_entity_id, strength DESC);
CREATE INDEX idx_entity_dependencies_aspect ON entity_dependencies(aspect_id);
CREATE INDEX idx_entity_dependencies_proposal ON entity_dependencies(agent_id, proposal_id);
CREATE INDEX idx_entity_dependencies_status
    ON entity_dependencies(agent_id, status, updated_at DESC);

CREATE TRIGGER trg_entity_dependencies_related_to_reason_insert
BEFORE INSERT ON entity_dependencies
WHEN new.dependency_type = 'related_to' AND trim(COALESCE(new.reason, '')) = ''
BEGIN SELECT RAISE(ABORT, 'related_to dependencies require a non-empty reason'); END;
CREATE TRIGGER trg_entity_dependencies_related_to_reason_update
BEFORE UPDATE OF dependency_type, reason ON entity_dependencies
WHEN new.dependency_type = 'related_to' AND trim(COALESCE(new.reason, '')) = ''
BEGIN SELECT RAISE(ABORT, 'related_to dependencies require a non-empty reason'); END;

CREATE TABLE entity_dependency_history (
    id TEXT PRIMARY KEY, dependency_id TEXT NOT NULL,
    source_entity_id TEXT NOT NULL, target_entity_id TEXT NOT NULL,
    agent_id TEXT NOT NULL DEFAULT 'default', dependency_type TEXT NOT NULL,
    event TEXT NOT NULL CHECK (event IN ('created', 'updated', 'deleted', 'backfill')),
    changed_by TEXT NOT NULL, reason TEXT NOT NULL, previous_reason TEXT, metadata TEXT,
    created_at TEXT NOT NULL
);
CREATE INDEX idx_entity_dependency_history_dep ON entity_dependency_history(dependency_id);
CREATE INDEX idx_entity_dependency_history_agent ON entity_dependency_history(agent_id);
CREATE INDEX idx_entity_dependency_history_created ON entity_dependency_history(created_at DESC);
CREATE TRIGGER trg_entity_dependency_history_append_only_update
BEFORE UPDATE ON entity_dependency_history
BEGIN SELECT RAISE(ABORT, 'entity_dependency_history is append-only'); END;
CREATE TRIGGER trg_entity_dependency_history_append_only_delete
BEFORE DELETE ON entity_dependency_history
BEGIN SELECT RAISE(ABORT, 'entity_dependency_history is append-only'); END;

CREATE TRIGGER trg_entity_dependencies_audit_insert AFTER INSERT ON entity_dependencies BEGIN
    INSERT INTO entity_dependency_history VALUES (
        lower(hex(randomblob(16))), new.id, new.source_entity_id, new.target_entity_id,
        new.agent_id, new.dependency_type, 'created', 'db-trigger',
        COALESCE(NULLIF(trim(new.reason), ''), 'created without reason'), NULL,
        '{"source":"trg_entity_dependencies_audit_insert"}',
        strftime('%Y-%m-%dT%H:%M:%fZ', 'now'));
END;
CREATE TRIGGER trg_entity_dependencies_audit_update AFTER UPDATE ON entity_dependencies BEGIN
    INSERT INTO entity_dependency_history VALUES (
        lower(hex(randomblob(16))), new.id, new.source_entity_id, new.target_entity_id,
        new.agent_id, new.dependency_type, 'updated', 'db-trigger',
        COALESCE(NULLIF(trim(new.reason), ''), 'updated without reason'), old.reason,
        '{"source":"trg_entity_dependencies_audit_update"}',
        strftime('%Y-%m-%dT%H:%M:%fZ', 'now'));
END;
CREATE TRIGGER trg_entity_dependencies_audit_delete AFTER DELETE ON entity_dependencies BEGIN
    INSERT INTO entity_dependency_history VALUES (
        lower(hex(randomblob(16))), old.id, old.source_entity_id, old.target_entity_id,
        old.agent_id, old.dependency_type, 'deleted', 'db-trigger',
        COALESCE(NULLIF(trim(old.reason), ''), 'deleted without reason'), NULL,
        '{"source":"trg_entity_dependencies_audit_delete"}',
        strftime('%Y-%m-%dT%H:%M:%fZ', 'now'));
END;

CREATE TABLE task_meta (
    entity_id TEXT PRIMARY KEY REFERENCES entities(id) ON DELETE CASCADE,
    agent_id TEXT NOT NULL DEFAULT 'default',
    status TEXT NOT NULL
        CHECK (status IN ('open', 'in_progress', 'blocked', 'done', 'cancelled')),
    expires_at TEXT, retention_until TEXT, completed_at TEXT, updated_at TEXT NOT NULL
);
CREATE INDEX idx_task_meta_agent ON task_meta(agent_id, status);
CREATE INDEX idx_task_meta_retention ON task_meta(retention_until);

CREATE TABLE ontology_proposals (
    id TEXT PRIMARY KEY,
    agent_id TEXT NOT NULL DEFAULT 'default',
    operation TEXT NOT NULL CHECK (trim(operation) <> ''),
    status TEXT NOT NULL DEFAULT 'pending'
        CHECK (status IN ('pending', 'applied', 'rejected', 'failed')),
    payload TEXT NOT NULL,
    confidence REAL NOT NULL DEFAULT 0.0 CHECK (confidence BETWEEN 0 AND 1),
    rationale TEXT NOT NULL DEFAULT '',
    evidence TEXT NOT NULL DEFAULT '[]',
    risk TEXT, source_kind TEXT, source_id TEXT, source_path TEXT, source_root TEXT,
    created_by TEXT NOT NULL DEFAULT 'ontology-proposal',
    applied_by TEXT, rejected_by TEXT, result TEXT,
    created_at TEXT NOT NULL, updated_at TEXT NOT NULL, applied_at TEXT, rejected_at TEXT
);
CREATE INDEX idx_ontology_proposals_agent_status
    ON ontology_proposals(agent_id, status, updated_at DESC);
CREATE INDEX idx_ontology_proposals_agent_operation
    ON ontology_proposals(agent_id, operation, updated_at DESC);
CREATE INDEX idx_ontology_proposals_source
    ON ontology_proposals(agent_id, source_kind, source_id);

CREATE TABLE epistemic_assertions (
    id TEXT PRIMARY KEY,
    agent_id TEXT NOT NULL DEFAULT 'default',
    subject_entity_id TEXT NOT NULL REFERENCES entities(id) ON DELETE CASCADE,
    claim_attribute_id TEXT REFERENCES entity_attributes(id) ON DELETE SET NULL,
    predicate TEXT NOT NULL CHECK (predicate IN
        ('claims', 'believes', 'observed', 'decided', 'prefers', 'denies', 'questions')),
    content TEXT NOT NULL, normalized_content TEXT NOT NULL,
    speaker TEXT, asserted_at TEXT NOT NULL,
    confidence REAL NOT NULL DEFAULT 0.7 CHECK (confidence BETWEEN 0 AND 1),
    evidence TEXT NOT NULL DEFAULT '[]',
    source_kind TEXT, source_id TEXT, source_path TEXT, source_root TEXT,
    status TEXT NOT NULL DEFAULT 'active' CHECK (status IN ('active', 'archived', 'superseded')),
    supersedes_assertion_id TEXT REFERENCES epistemic_assertions(id) ON DELETE SET NULL,
    archived_at TEXT, archived_by TEXT, archive_reason TEXT,
    created_by TEXT NOT NULL DEFAULT 'operator',
    created_at TEXT NOT NULL, updated_at TEXT NOT NULL
);
CREATE INDEX idx_epistemic_assertions_entity
    ON epistemic_assertions(agent_id, subject_entity_id, status, asserted_at DESC);
CREATE INDEX idx_epistemic_assertions_speaker
    ON epistemic_assertions(agent_id, speaker, asserted_at DESC);
CREATE INDEX idx_epistemic_assertions_predicate
    ON epistemic_assertions(agent_id, predicate, status, asserted_at DESC);
CREATE INDEX idx_epistemic_assertions_subject ON epistemic_assertions(subject_entity_id);
CREATE INDEX idx_epistemic_assertions_claim ON epistemic_assertions(claim_attribute_id);
CREATE INDEX idx_epistemic_assertions_supersedes
    ON epistemic_assertions(supersedes_assertion_id);

CREATE TABLE memory_entity_mentions (
    memory_id TEXT NOT NULL REFERENCES memories(id) ON DELETE CASCADE,
    entity_id TEXT NOT NULL REFERENCES entities(id) ON DELETE CASCADE,
    mention_text TEXT, confidence REAL, created_at TEXT,
    PRIMARY KEY (memory_id, entity_id)
);
CREATE INDEX idx_memory_entity_mentions_entity ON memory_entity_mentions(entity_id);

CREATE TABLE relations (
    id TEXT PRIMARY KEY,
    source_entity_id TEXT NOT NULL REFERENCES entities(id) ON DELETE CASCADE,
    target_entity_id TEXT NOT NULL REFERENCES entities(id) ON DELETE CASCADE,
    relation_type TEXT NOT NULL, strength REAL DEFAULT 1.0, metadata TEXT,
    created_at TEXT NOT NULL, mentions INTEGER DEFAULT 1, confidence REAL DEFAULT 0.5,
    updated_at TEXT
);
CREATE INDEX idx_relations_source ON relations(source_entity_id, relation_type);
CREATE INDEX idx_relations_target ON relations(target_entity_id);
