-- Values that rest on a memory; most may rest on none, which must not make the index look useless.
DROP INDEX idx_entity_attributes_memory;
CREATE INDEX idx_entity_attributes_memory
    ON entity_attributes(memory_id) WHERE memory_id IS NOT NULL;
