-- Each value in force has a memory that says it: one of its own where the one that it rests on is
-- gone or says something else. The values themselves stay as they are, so that what was done to
-- them before can still be taken back.
CREATE TEMP TABLE untold AS
SELECT v.id, v.agent_id, v.kind, v.importance, v.confidence, v.created_at, e.id AS entity_id,
    e.name AS entity, claim_words(e.name, s.name, v.claim_key, v.content) AS content
FROM entity_attributes v
JOIN entity_aspects s ON s.id = v.aspect_id AND s.status = 'active'
JOIN entities e ON e.id = s.entity_id AND e.status = 'active'
LEFT JOIN memories m ON m.id = v.memory_id AND m.is_deleted = 0
    AND COALESCE(m.visibility, '') <> 'archived'
WHERE v.status = 'active' AND NOT (m.id IS NOT NULL AND states(m.content, v.content))
    AND NOT EXISTS (SELECT 1 FROM memories own WHERE own.id = v.id);

INSERT INTO memories (id, agent_id, content, type, normalized_content, content_hash, confidence,
    importance, tags, source_type, is_deleted, pinned, visibility, extraction_status, created_at,
    updated_at, updated_by)
SELECT id, agent_id, content, 'semantic', canonical(content), 'semantic-attribute:' || id,
    confidence, importance, 'semantic,' || kind, 'claim', 0, 0, 'private', 'completed', created_at,
    created_at, 'migration'
FROM untold;

INSERT INTO memory_entity_mentions (memory_id, entity_id, mention_text, confidence, created_at)
SELECT id, entity_id, entity, 1.0, created_at FROM untold;

DROP TABLE untold;

-- Agents read only their own memories unless they are told otherwise; the first one reads all that
-- are shared, as before.
INSERT INTO agents (id, read_policy, created_at, updated_at)
VALUES ('default', 'shared', strftime('%Y-%m-%dT%H:%M:%fZ', 'now'),
    strftime('%Y-%m-%dT%H:%M:%fZ', 'now'))
ON CONFLICT (id) DO NOTHING;
