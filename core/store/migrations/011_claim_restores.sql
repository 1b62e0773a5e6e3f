-- A restored version is in force twice: from when to when it was before, and from when it is again.
CREATE TABLE IF NOT EXISTS claim_restores (
    id TEXT PRIMARY KEY,
    agent_id TEXT NOT NULL DEFAULT 'default',
    attribute_id TEXT NOT NULL,
    held_from TEXT, held_until TEXT,
    restored_at TEXT NOT NULL
);
CREATE INDEX IF NOT EXISTS idx_claim_restores_attribute ON claim_restores(attribute_id);
