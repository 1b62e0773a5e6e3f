-- What the engine did by itself, about anything; `memory_history` is about memories alone.
CREATE TABLE IF NOT EXISTS automatic_changes (
    id TEXT PRIMARY KEY,
    agent_id TEXT NOT NULL DEFAULT 'default',
    subject_id TEXT NOT NULL, event TEXT NOT NULL,
    old_content TEXT, new_content TEXT,
    changed_by TEXT NOT NULL, reason TEXT, metadata TEXT,
    created_at TEXT NOT NULL
);
CREATE INDEX IF NOT EXISTS idx_automatic_changes_subject ON automatic_changes(subject_id, event);
INSERT OR IGNORE INTO automatic_changes
SELECT h.id, COALESCE(
         CASE WHEN h.memory_id LIKE 'agent:%' THEN substr(h.memory_id, 7) END,
         (SELECT e.agent_id FROM entities e WHERE e.id = h.memory_id),
         (SELECT a.agent_id FROM entity_aspects a WHERE a.id = h.memory_id),
         (SELECT v.agent_id FROM entity_attributes v WHERE v.id = h.memory_id), 'default'),
       h.memory_id, h.event, h.old_content, h.new_content, h.changed_by, h.reason, h.metadata,
       h.created_at
FROM memory_history h WHERE NOT EXISTS (SELECT 1 FROM memories m WHERE m.id = h.memory_id)
ORDER BY h.rowid;
DELETE FROM memory_history
WHERE NOT EXISTS (SELECT 1 FROM memories m WHERE m.id = memory_history.memory_id);
