-- Values take less room: no index on what most of them lack, none that nothing is looked up by, and
-- full text without its own lists of all beginnings of two and three letters.
DROP INDEX IF EXISTS idx_entity_attributes_source;
DROP INDEX IF EXISTS idx_entity_attributes_proposal;
CREATE INDEX idx_entity_attributes_proposal
    ON entity_attributes(agent_id, proposal_id) WHERE proposal_id IS NOT NULL;
DROP INDEX IF EXISTS idx_entity_attributes_version_root;
CREATE INDEX idx_entity_attributes_version_root
    ON entity_attributes(agent_id, version_root_id, version DESC)
    WHERE version_root_id IS NOT NULL;
DROP INDEX IF EXISTS idx_entity_attributes_claim_version;
CREATE INDEX idx_entity_attributes_claim_version
    ON entity_attributes(agent_id, aspect_id, group_key, claim_key, version DESC)
    WHERE claim_key IS NOT NULL;
DROP INDEX IF EXISTS idx_entities_proposal;
CREATE INDEX idx_entities_proposal
    ON entities(agent_id, proposal_id) WHERE proposal_id IS NOT NULL;
DROP INDEX IF EXISTS idx_entity_aspects_proposal;
CREATE INDEX idx_entity_aspects_proposal
    ON entity_aspects(agent_id, proposal_id) WHERE proposal_id IS NOT NULL;
DROP INDEX IF EXISTS idx_entity_dependencies_proposal;
CREATE INDEX idx_entity_dependencies_proposal
    ON entity_dependencies(agent_id, proposal_id) WHERE proposal_id IS NOT NULL;

DROP TABLE IF EXISTS attributes_fts;
CREATE VIRTUAL TABLE attributes_fts USING fts5(
    content, content='entity_attributes', content_rowid='seq',
    tokenize='unicode61 remove_diacritics 2');
INSERT INTO attributes_fts(attributes_fts) VALUES ('rebuild');

-- A value that is the same in small letters is not kept twice: the column may stay empty. (No row
-- changes its form by that, and SQLite allows it for such a case.)
PRAGMA writable_schema = ON;
UPDATE sqlite_schema SET sql = replace(sql, 'normalized_content TEXT NOT NULL',
    'normalized_content TEXT')
WHERE type = 'table' AND name = 'entity_attributes';
PRAGMA writable_schema = RESET;

DROP INDEX IF EXISTS idx_memories_project;
CREATE INDEX idx_memories_project ON memories(project) WHERE project IS NOT NULL;
