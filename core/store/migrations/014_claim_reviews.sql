-- When a value is to be confirmed; its id is the value's.
CREATE TABLE IF NOT EXISTS claim_reviews (
    id TEXT PRIMARY KEY,
    agent_id TEXT NOT NULL DEFAULT 'default',
    review_after TEXT NOT NULL, set_by TEXT,
    updated_at TEXT NOT NULL
);
CREATE INDEX IF NOT EXISTS idx_claim_reviews_agent ON claim_reviews(agent_id, review_after);
