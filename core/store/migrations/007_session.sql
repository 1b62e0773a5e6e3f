-- The few pinned memories of a session's start, without reading all of them.
CREATE INDEX idx_memories_pinned ON memories(created_at) WHERE pinned = 1;
