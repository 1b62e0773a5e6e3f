-- A row that comes in fills no index that nothing is looked up by, or only what few rows have: links
-- that rest on an aspect, entities of a community, those that were renamed since an import, links
-- that were deleted.
DROP INDEX IF EXISTS idx_entities_source;
CREATE INDEX idx_entities_source
    ON entities(agent_id, source_id) WHERE source_id <> canonical_name;
DROP INDEX IF EXISTS idx_entities_community;
CREATE INDEX idx_entities_community ON entities(community_id) WHERE community_id IS NOT NULL;
DROP INDEX IF EXISTS idx_entity_aspects_weight;
DROP INDEX IF EXISTS idx_entity_dependencies_aspect;
CREATE INDEX idx_entity_dependencies_aspect
    ON entity_dependencies(aspect_id) WHERE aspect_id IS NOT NULL;
DROP INDEX IF EXISTS idx_entity_dependency_history_agent;
DROP INDEX IF EXISTS idx_entity_dependency_history_created;
CREATE INDEX IF NOT EXISTS idx_entity_dependency_history_deleted
    ON entity_dependency_history(created_at) WHERE event = 'deleted';
