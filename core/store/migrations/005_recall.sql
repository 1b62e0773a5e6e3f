-- The memories of a time, the newest first, whoever they belong to.
CREATE INDEX idx_memories_created ON memories(created_at);
