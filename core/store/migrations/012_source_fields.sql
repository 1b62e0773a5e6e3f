-- What an imported file says of a thing beyond what the graph has columns for: an export gives it back.
CREATE TABLE IF NOT EXISTS source_fields (
    id TEXT PRIMARY KEY,
    agent_id TEXT NOT NULL DEFAULT 'default',
    owner_id TEXT NOT NULL,
    fields TEXT NOT NULL,
    source_path TEXT,
    created_at TEXT NOT NULL
);
CREATE INDEX IF NOT EXISTS idx_source_fields_owner ON source_fields(owner_id);
