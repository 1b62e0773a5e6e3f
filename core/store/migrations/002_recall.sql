-- Memory's own tables: vectors, sessions, feedback, history.
CREATE TABLE embeddings (
    id TEXT PRIMARY KEY, content_hash TEXT NOT NULL UNIQUE, vector BLOB,
    dimensions INTEGER NOT NULL CHECK (dimensions > 0), source_type TEXT NOT NULL,
    source_id TEXT NOT NULL, chunk_text TEXT NOT NULL, created_at TEXT NOT NULL,
    agent_id TEXT, model TEXT
);
CREATE INDEX idx_embeddings_source ON embeddings(agent_id, source_type, source_id);
CREATE TABLE umap_cache (
    id INTEGER PRIMARY KEY, dimensions INTEGER NOT NULL, embedding_count INTEGER NOT NULL,
    payload TEXT NOT NULL, created_at TEXT NOT NULL
);
CREATE TABLE memory_history (
    id TEXT PRIMARY KEY, memory_id TEXT NOT NULL, event TEXT NOT NULL, old_content TEXT,
    new_content TEXT, changed_by TEXT NOT NULL, reason TEXT, metadata TEXT,
    created_at TEXT NOT NULL, actor_type TEXT, session_id TEXT, request_id TEXT
);
CREATE INDEX idx_memory_history_memory ON memory_history(memory_id);
CREATE INDEX idx_memory_history_created ON memory_history(created_at DESC);
CREATE TABLE memories_cold (
    archive_id TEXT PRIMARY KEY, memory_id TEXT NOT NULL, type TEXT DEFAULT 'fact',
    category TEXT, content TEXT NOT NULL, confidence REAL DEFAULT 1.0,
    importance REAL DEFAULT 0.5, source_id TEXT, source_type TEXT, tags TEXT, who TEXT, why TEXT,
    project TEXT, content_hash TEXT, normalized_content TEXT, extraction_status TEXT,
    embedding_model TEXT, extraction_model TEXT, update_count INTEGER DEFAULT 0,
    original_created_at TEXT NOT NULL, archived_at TEXT NOT NULL, archived_reason TEXT,
    cold_source_id TEXT, agent_id TEXT NOT NULL DEFAULT 'default', original_row_json TEXT
);
CREATE INDEX idx_cold_memory ON memories_cold(memory_id);
CREATE TABLE memory_hints (
    id TEXT PRIMARY KEY, memory_id TEXT NOT NULL REFERENCES memories(id) ON DELETE CASCADE,
    agent_id TEXT NOT NULL, hint TEXT NOT NULL, created_at TEXT NOT NULL,
    UNIQUE (memory_id, hint)
);
CREATE TABLE session_memories (
    id TEXT PRIMARY KEY, session_key TEXT NOT NULL, agent_id TEXT NOT NULL DEFAULT 'default',
    memory_id TEXT NOT NULL, source TEXT NOT NULL, effective_score REAL, predictor_score REAL,
    final_score REAL NOT NULL, rank INTEGER NOT NULL,
    was_injected INTEGER NOT NULL CHECK (was_injected IN (0, 1)), relevance_score REAL,
    fts_hit_count INTEGER NOT NULL DEFAULT 0, agent_preference TEXT, created_at TEXT NOT NULL,
    entity_slot INTEGER, aspect_slot INTEGER, is_constraint INTEGER NOT NULL DEFAULT 0,
    structural_density INTEGER, predictor_rank INTEGER, agent_relevance_score REAL,
    agent_feedback_count INTEGER DEFAULT 0, path_json TEXT,
    UNIQUE (session_key, agent_id, memory_id)
);
CREATE INDEX idx_session_memories_memory ON session_memories(memory_id);
CREATE INDEX idx_session_memories_agent ON session_memories(agent_id, session_key);
CREATE TABLE session_checkpoints (
    id TEXT PRIMARY KEY, session_key TEXT NOT NULL, harness TEXT NOT NULL, project TEXT,
    project_normalized TEXT, trigger TEXT NOT NULL, digest TEXT NOT NULL,
    prompt_count INTEGER NOT NULL, memory_queries TEXT, recent_remembers TEXT,
    created_at TEXT NOT NULL, focal_entity_ids TEXT, focal_entity_names TEXT,
    active_aspect_ids TEXT, surfaced_constraint_count INTEGER, traversal_memory_count INTEGER
);
CREATE INDEX idx_checkpoints_session ON session_checkpoints(session_key, created_at DESC);
CREATE INDEX idx_checkpoints_project ON session_checkpoints(project_normalized, created_at DESC);
CREATE TABLE session_transcripts (
    session_key TEXT NOT NULL, content TEXT NOT NULL, harness TEXT, project TEXT,
    agent_id TEXT NOT NULL DEFAULT 'default', created_at TEXT NOT NULL, updated_at TEXT,
    PRIMARY KEY (agent_id, session_key)
);
CREATE TABLE session_summaries (
    id TEXT PRIMARY KEY, project TEXT, depth INTEGER NOT NULL DEFAULT 0,
    kind TEXT NOT NULL CHECK (kind IN ('session', 'arc', 'epoch')), content TEXT NOT NULL,
    token_count INTEGER, earliest_at TEXT NOT NULL, latest_at TEXT NOT NULL, session_key TEXT,
    harness TEXT, agent_id TEXT NOT NULL DEFAULT 'default', created_at TEXT NOT NULL,
    source_type TEXT, source_ref TEXT, meta_json TEXT
);
CREATE INDEX idx_summaries_agent ON session_summaries(agent_id, latest_at DESC);
CREATE TABLE session_summary_children (
    parent_id TEXT NOT NULL REFERENCES session_summaries(id) ON DELETE CASCADE,
    child_id TEXT NOT NULL REFERENCES session_summaries(id) ON DELETE CASCADE,
    ordinal INTEGER NOT NULL, PRIMARY KEY (parent_id, child_id)
);
CREATE TABLE session_summary_memories (
    summary_id TEXT NOT NULL REFERENCES session_summaries(id) ON DELETE CASCADE,
    memory_id TEXT NOT NULL, PRIMARY KEY (summary_id, memory_id)
);
CREATE TABLE predictor_comparisons (
    id TEXT PRIMARY KEY, session_key TEXT NOT NULL, agent_id TEXT NOT NULL DEFAULT 'default',
    predictor_ndcg REAL NOT NULL, baseline_ndcg REAL NOT NULL, predictor_won INTEGER NOT NULL,
    margin REAL NOT NULL, alpha REAL NOT NULL, ema_updated INTEGER NOT NULL DEFAULT 0,
    focal_entity_id TEXT, focal_entity_name TEXT, project TEXT, candidate_count INTEGER NOT NULL,
    traversal_count INTEGER NOT NULL DEFAULT 0, constraint_count INTEGER NOT NULL DEFAULT 0,
    created_at TEXT NOT NULL, scorer_confidence REAL NOT NULL DEFAULT 0,
    success_rate REAL NOT NULL DEFAULT 0.5, predictor_top_ids TEXT NOT NULL DEFAULT '[]',
    baseline_top_ids TEXT NOT NULL DEFAULT '[]', relevance_scores TEXT NOT NULL DEFAULT '{}',
    fts_overlap_score REAL
);
CREATE INDEX idx_comparisons_entity ON predictor_comparisons(agent_id, focal_entity_id);
CREATE TABLE path_feedback_events (
    id TEXT PRIMARY KEY, agent_id TEXT NOT NULL, session_key TEXT NOT NULL,
    memory_id TEXT NOT NULL, path_hash TEXT NOT NULL, path_json TEXT NOT NULL,
    rating REAL NOT NULL CHECK (rating BETWEEN -1 AND 1), reward REAL NOT NULL DEFAULT 0,
    reward_forward REAL NOT NULL DEFAULT 0, reward_update REAL NOT NULL DEFAULT 0,
    reward_downstream REAL NOT NULL DEFAULT 0, reward_dead_end REAL NOT NULL DEFAULT 0,
    created_at TEXT NOT NULL
);
CREATE INDEX idx_path_feedback_events_path ON path_feedback_events(agent_id, path_hash);
CREATE TABLE path_feedback_stats (
    agent_id TEXT NOT NULL, path_hash TEXT NOT NULL, path_json TEXT NOT NULL,
    q_value REAL NOT NULL DEFAULT 0, sample_count INTEGER NOT NULL DEFAULT 0,
    positive_count INTEGER NOT NULL DEFAULT 0, negative_count INTEGER NOT NULL DEFAULT 0,
    neutral_count INTEGER NOT NULL DEFAULT 0, updated_at TEXT NOT NULL, created_at TEXT NOT NULL,
    PRIMARY KEY (agent_id, path_hash)
);
CREATE TABLE path_feedback_sessions (
    agent_id TEXT NOT NULL, session_key TEXT NOT NULL, created_at TEXT NOT NULL,
    PRIMARY KEY (agent_id, session_key)
);
CREATE TABLE entity_retrieval_stats (
    agent_id TEXT NOT NULL, entity_id TEXT NOT NULL, session_count INTEGER NOT NULL DEFAULT 0,
    last_session_key TEXT, updated_at TEXT NOT NULL, created_at TEXT NOT NULL,
    PRIMARY KEY (agent_id, entity_id)
);
CREATE TABLE entity_cooccurrence (
    agent_id TEXT NOT NULL, source_entity_id TEXT NOT NULL, target_entity_id TEXT NOT NULL,
    session_count INTEGER NOT NULL DEFAULT 0, last_session_key TEXT, updated_at TEXT NOT NULL,
    created_at TEXT NOT NULL, PRIMARY KEY (agent_id, source_entity_id, target_entity_id)
);
CREATE TABLE dreaming_state (
    agent_id TEXT PRIMARY KEY, tokens_since_last_pass INTEGER NOT NULL DEFAULT 0,
    consecutive_failures INTEGER NOT NULL DEFAULT 0, last_pass_at TEXT, last_pass_id TEXT,
    last_pass_mode TEXT, created_at TEXT NOT NULL, updated_at TEXT NOT NULL
);
CREATE TABLE dreaming_passes (
    id TEXT PRIMARY KEY, agent_id TEXT NOT NULL, mode TEXT NOT NULL DEFAULT 'incremental',
    status TEXT NOT NULL DEFAULT 'running', started_at TEXT NOT NULL, completed_at TEXT,
    tokens_consumed INTEGER, mutations_applied INTEGER, mutations_skipped INTEGER,
    mutations_failed INTEGER, summary TEXT, error TEXT, created_at TEXT NOT NULL
);
CREATE INDEX idx_dreaming_passes_agent ON dreaming_passes(agent_id, created_at DESC);
CREATE TABLE skill_meta (
    entity_id TEXT PRIMARY KEY REFERENCES entities(id) ON DELETE CASCADE,
    agent_id TEXT NOT NULL DEFAULT 'default', version TEXT, author TEXT, license TEXT,
    source TEXT NOT NULL, role TEXT NOT NULL DEFAULT 'utility', triggers TEXT, tags TEXT,
    permissions TEXT, enriched INTEGER DEFAULT 0, installed_at TEXT NOT NULL, last_used_at TEXT,
    use_count INTEGER DEFAULT 0, importance REAL DEFAULT 0.7, decay_rate REAL DEFAULT 0.99,
    fs_path TEXT NOT NULL, uninstalled_at TEXT, created_at TEXT NOT NULL, updated_at TEXT NOT NULL
);
