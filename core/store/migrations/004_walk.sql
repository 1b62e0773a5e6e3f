-- Orders that the walk reads along, so that it stops after a few rows of any hub or huge aspect.
CREATE INDEX idx_entity_dependencies_walk
    ON entity_dependencies(source_entity_id, (confidence * strength) DESC, id);
DROP INDEX idx_entity_attributes_aspect;
CREATE INDEX idx_entity_attributes_aspect
    ON entity_attributes(aspect_id, status, kind, importance DESC, seq DESC);
DROP INDEX idx_entity_aspects_entity;
CREATE INDEX idx_entity_aspects_entity
    ON entity_aspects(entity_id, weight DESC, updated_at DESC, id);
DROP INDEX idx_entities_type;
CREATE INDEX idx_entities_type ON entities(agent_id, status, entity_type, canonical_name);
